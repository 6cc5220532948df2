"""A photo that may show any map with routes: what is needed for one of a city is brought in when it is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ontour_cv.board import Mark
from ontour_cv.errors import BoardNotFound, OnTourError
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.load import load_editions, load_map, printed_map_ids
from ontour_cv.scorer.pictures import load_board_photo, numbered
from ontour_cv.scorer.report import Report
from ontour_cv.scorer.score import AUTO, known_prints, read_photo, score_read
from ontour_cv.scorer.strangers import is_stranger
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.others import OtherBoard, room_beside
from ontour_cv.vision.photo import Photo, load_photo
from ontour_cv.vision.read import Reading, Stopwatch
from ontour_cv.vision.register import Placement, register

if TYPE_CHECKING:
    from ontour_cv.scorer.city_drawn import Given
    from ontour_cv.scorer.city_report import CityReport
    from ontour_cv.scorer.sheet_score import PlainSheet
    from ontour_cv.vision.sheet_place import SheetPlacement


class PlainlyASheet(BoardNotFound):
    """There is no board in a photo, and a short look shows a sheet: ``shown``, the loaded photo and where it lies."""

    def __init__(self, none: BoardNotFound, shown: PlainSheet) -> None:
        super().__init__(none.message, none.remedy)
        self.shown = shown


class Corrections(Protocol):
    """What somebody vouches for; how it is to be understood the map says."""

    def marks(self) -> Mapping[str, Mark]:
        """As a board with nothing but discs has it; ``BadBoard`` when it cannot."""
        ...

    def given(self, map_id: str) -> Given:
        """As a board of that city has it; ``BadBoard`` when it cannot."""
        ...


def score_any_photo(path: Path, corrections: Corrections | None = None) -> Report | CityReport:
    """The best score of the board in a photo that may show any map with routes; errors as ``score.score_photo``.

    A picture in which no board is seen at first and the sheet of Rolling America is, is none of a board, and no longer
    searched for one: sheets were searched for four seconds more. Where its sheet lies is told (``PlainlyASheet``).
    """
    watch = Stopwatch()
    photo = load_board_photo(path)
    watch.lap("load")
    sheet = _Glimpse(photo)
    try:
        reading = read_photo(photo, more=_cities(), instead=sheet.there)
    except BoardNotFound as none:
        raise none if sheet.seen is None else PlainlyASheet(none, (photo, sheet.seen)) from none
    beside = Stopwatch()
    reading = replace(reading, others=(*reading.others, *_sheets_beside(reading)))
    beside.lap("sheets")
    timings = watch.timings_ms | beside.timings_ms
    template = load_map(reading.placement.edition.map)
    if template.city is None:
        return score_read(str(path), reading, None, corrections.marks() if corrections else {}, timings)
    from ontour_cv.scorer.city_drawn import Given
    from ontour_cv.scorer.city_score import score_city_read

    given = corrections.given(template.id) if corrections else Given()
    return score_city_read(str(path), reading, template, given, timings)


def shown_at_a_glance(path: Path) -> str | None:
    """Id of the map whose board or sheet a short look at a photo shows plainly; None where there is no telling."""
    from ontour_cv.scorer.sheet_score import MAP

    photo = load_photo(numbered(path)[0])
    placement = _seen_briefly(photo, [*known_prints(AUTO)[1], *_cities()])
    if placement is None:
        return MAP if _Glimpse(photo).there() else None
    return None if is_stranger(placement) else placement.edition.map


def _seen_briefly(photo: Photo, editions: Sequence[Edition]) -> Placement | None:
    """The board that a short look at a photo shows plainly."""
    try:
        return register(photo, find_discs(photo), editions, thorough=False)
    except BoardNotFound:
        return None


class AtAGlance:
    """What short looks say of several photos of one board, each looked at once: several kinds of board ask.

    Args:
        paths: picture files.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths
        self._sheets: dict[str, _Glimpse] = {}

    def sheet(self, photo: Photo) -> bool:
        """Whether one of the photos, loaded, plainly shows a sheet of Rolling America."""
        if photo.name not in self._sheets:
            self._sheets[photo.name] = _Glimpse(photo)
        return self._sheets[photo.name].there()

    def sheets(self) -> dict[str, SheetPlacement]:
        """Where the sheets lie that were plainly seen, by the names of their photos."""
        return {name: one.seen for name, one in self._sheets.items() if one.seen is not None}

    def no_board(self, photo: Photo) -> bool:
        """Whether one of the photos plainly shows a sheet, or any of them a city: they show the same board.

        Boards with nothing but discs were searched for in photos of New York half a minute each.
        """
        return self.sheet(photo) or self._city

    @cached_property
    def _city(self) -> bool:
        return any(self._shows_a_city(path) for path in self._paths)

    def _shows_a_city(self, path: Path) -> bool:
        try:
            photo = load_board_photo(path)
        except OnTourError:
            return False
        placement = _seen_briefly(photo, _cities())
        return placement is not None and not is_stranger(placement)


def _cities() -> list[Edition]:
    return [edition for map_id in printed_map_ids() if load_map(map_id).city for edition in load_editions(map_id)]


def _sheets_beside(reading: Reading) -> tuple[OtherBoard, ...]:
    """The sheets beside a board that was read; nothing is loaded for any where there is no room, or nothing there."""
    height, width = reading.photo.bgr.shape[:2]
    discs = np.array([cell.centre_photo for cell in reading.placement.cells.values()])
    others = [other.outline for other in reading.others]
    if not room_beside(discs, (width, height)):
        return ()
    from ontour_cv.vision.sheet_others import promising

    if not promising(reading.candidates.working, (width, height), [discs, *others]):
        return ()
    from ontour_cv.scorer.sheet_score import sheets_beside_board

    return sheets_beside_board(reading.photo, discs, others)


class _Glimpse:
    """A short look at a loaded photo, taken once and only when somebody asks.

    Attributes:
        seen: the sheet of Rolling America that it left no doubt about; None for none, and before anybody asks.
    """

    def __init__(self, photo: Photo) -> None:
        self._photo: Photo | None = photo
        self.seen: SheetPlacement | None = None

    def there(self) -> bool:
        """Whether it leaves no doubt that there is a sheet."""
        if self._photo is not None:
            from ontour_cv.scorer.sheet_score import plain_sheet

            self.seen, self._photo = plain_sheet(self._photo), None
        return self.seen is not None
