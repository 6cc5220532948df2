"""Several boards or sheets in one picture: ``table.jpg#2`` is the second, row by row from the top left."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.errors import BadPhoto, BoardNotFound, OnTourError
from ontour_cv.geometry import Points
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.load import load_editions, load_map, printed_map_ids
from ontour_cv.rules import RULESETS
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.others import other_boards
from ontour_cv.vision.photo import Photo, load_photo
from ontour_cv.vision.register import register

Box = tuple[int, int, int, int]
"""Left, top, right, bottom; photo pixels."""

ROOM = 0.15
"""How much is cut out round a board's outermost discs, of the way between them."""


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """A board's box, and for a sheet the outlines of all else in the picture: their cells are as like as can be."""

    box: Box
    others: tuple[Points, ...]


_NUMBERED = re.compile(r"(.+)#([1-9]\d*)")


def load_board_photo(path: Path, map: str = "auto") -> Photo:
    """The picture in a file, or one board cut out of it: ``table.jpg#2``.

    Args:
        path: of the file, ``#`` and a number after it for one of its boards; a file of that very name comes first.
        map: id of the map it shows, or ``"auto"``.

    Raises:
        BadPhoto: the file is missing, damaged or unsupported, or does not show so many boards.
        BoardNotFound: a board was asked for by its number, and there is none.
    """
    file, number = numbered(path)
    photo = load_photo(file)
    if number is None:
        return photo
    places = _places(str(file), file.stat().st_mtime_ns, map)
    if number > len(places):
        shown = "one board" if len(places) == 1 else f"{len(places)} boards"
        raise BadPhoto(f"{path}: the picture shows {shown}.", "Count them from the top left, row by row.")
    return Photo(str(path), _cut_out(photo, places[number - 1]))


def numbered(path: Path) -> tuple[Path, int | None]:
    """The file that ``table.jpg#2`` speaks of, and the board's number; None for a file of its own."""
    told = _NUMBERED.fullmatch(str(path))
    return (path, None) if told is None or _there(path) else (Path(told[1]), int(told[2]))


def _there(path: Path) -> bool:
    """Whether there is such a file; True, too, for a name no file can have: reading it says so."""
    try:
        return path.exists()
    except OSError:
        return True


def every_board(path: Path, map: str = "auto") -> list[Path]:
    """The names of all boards in a picture, ``table.jpg#1`` and so on; the path itself where there is one, or none."""
    try:
        places = _places(str(path), path.stat().st_mtime_ns, map)
    except (OSError, OnTourError):
        return [path]
    return [path] if len(places) < 2 else [path.with_name(f"{path.name}#{k + 1}") for k in range(len(places))]


@lru_cache(maxsize=64)
def _places(file: str, changed_ns: int, map: str) -> tuple[_Place, ...]:
    """Where each board and sheet of a picture lies; asked anew when the file has changed."""
    photo = load_photo(file)
    boards: list[Points] = []
    try:
        boards = _boards(photo, map)
        sheets = _sheets(photo, map, boards)
    except BoardNotFound:
        sheets = _sheets(photo, map, boards)
        if not sheets:
            raise
    outlines = [*boards, *sheets]
    height, width = photo.bgr.shape[:2]
    covered = {}
    for k, outline in enumerate(outlines):
        others = outlines[:k] + outlines[k + 1 :] if k >= len(boards) else []
        covered[_roomy(outline, width, height)] = tuple(others)
    return tuple(_Place(box, covered[box]) for box in in_rows(list(covered)))


def _boards(photo: Photo, map: str) -> list[Points]:
    """Outlines of the boards with discs; ``BoardNotFound`` for none."""
    candidates = find_discs(photo)
    editions = _editions(map)
    placement = register(photo, candidates, editions, instead=partial(_plainly_a_sheet, photo, map))
    first = np.array([cell.centre_photo for cell in placement.cells.values()])
    others = other_boards((photo.bgr.shape[1], photo.bgr.shape[0]), candidates, placement, editions)
    return [first, *(other.outline for other in others)]


def _sheets(photo: Photo, map: str, boards: Sequence[Points]) -> list[Points]:
    """Outlines of the sheets beside some boards, or by themselves; none where another map is looked for."""
    from ontour_cv.scorer.sheet_score import MAP, sheets_in

    return sheets_in(photo, boards) if map in ("auto", MAP) else []


def _plainly_a_sheet(photo: Photo, map: str) -> bool:
    from ontour_cv.scorer.sheet_score import plain_sheet

    return map == "auto" and plain_sheet(photo) is not None


def _cut_out(photo: Photo, place: _Place) -> NDArray[np.uint8]:
    """The picture of one board; what else lies in its box is painted over, so that nobody takes it for this one."""
    left, top, right, bottom = place.box
    cut = photo.bgr[top:bottom, left:right].copy()
    for outline in place.others:
        rim = cv2.convexHull(np.round(outline - (left, top)).astype(np.int32))
        mask = cv2.fillConvexPoly(np.zeros(cut.shape[:2], np.uint8), rim, 255)
        if mask.any():
            cut[mask > 0] = np.round(cv2.mean(cut, mask)[:3]).astype(np.uint8)
    return cut


def _editions(map: str) -> list[Edition]:
    templates = [load_map(map_id) for map_id in (printed_map_ids() if map == "auto" else (map,))]
    read = [template for template in templates if template.rules in RULESETS or template.city is not None]
    editions = [edition for template in read for edition in load_editions(template.id)]
    if not editions:
        raise BoardNotFound(f"no boards of the map {map!r} are seen apart in this picture", "Take a photo of each.")
    return editions


def _roomy(outline: Points, width: int, height: int) -> Box:
    """The box round an outline, with room for the board's edge, inside of the picture."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    room = ROOM * float(max(high - low))
    left, top = np.maximum(np.floor(low - room), 0).astype(int).tolist()
    right, bottom = np.minimum(np.ceil(high + room), (width, height)).astype(int).tolist()
    return left, top, right, bottom


def in_rows(boxes: list[Box]) -> tuple[Box, ...]:
    """Boxes as one reads: from the top, each row from the left. Of a row is what has its middle beside its first."""
    ordered: list[Box] = []
    left = sorted(boxes, key=lambda box: (box[1] + box[3], box[0]))
    while left:
        top, bottom = left[0][1], left[0][3]
        row = [box for box in left if (box[1] + box[3]) / 2 <= bottom and (box[1] + box[3]) / 2 >= top]
        ordered += sorted(row, key=lambda box: box[0])
        left = [box for box in left if box not in row]
    return tuple(ordered)
