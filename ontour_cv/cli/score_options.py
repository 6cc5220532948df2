"""What the options of ``ontour-cv score`` mean: corrections by photo, where each overlay goes, drawn tours."""

from __future__ import annotations

import mimetypes
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from ontour_cv.board import tokens
from ontour_cv.errors import UsageError

PICTURE_TYPES = (".jpg", ".jpeg", ".png", ".webp")
"""Endings of the files an overlay can be written to."""

OTHER_TYPES = (".bmp", ".gif", ".tif", ".tiff", ".heic", ".heif", ".avif", ".pdf", ".svg")
"""Endings of files that somebody may hope for; no folder is made of that name."""

DrawnOption = Annotated[
    bool,
    typer.Option(
        "--drawn",
        help="Also read the tour drawn by pen and the score boxes, where that is sure, and compare them with the best.",
    ),
]

EveryBoardOption = Annotated[
    bool,
    typer.Option(
        "--every-board",
        help="Score all boards and sheets in a picture of several: table.jpg#1, table.jpg#2 ... row by row.",
    ),
]


def spread(photos: Sequence[Path], map_id: str, one_board: bool) -> list[Path]:
    """Each board of each picture, for ``--every-board``; ``UsageError`` where that makes no sense."""
    from ontour_cv.scorer.pictures import every_board

    if one_board:
        raise UsageError("--every-board goes with neither --same-board nor --camera", "Leave out one of them.")
    return [board for photo in photos for board in every_board(photo, map_id)]


def check_tour(wanted: bool, map_id: str) -> None:
    """``UsageError`` when the tour drawn on a board of this map is to be read, and there is no reading it."""
    sheet = _without_routes(map_id) if wanted else None
    if sheet is not None:
        raise UsageError(f"tours drawn on {sheet} cannot be read", "Leave out --drawn.")


def _without_routes(map_id: str) -> str | None:
    """The title of a map that is a sheet, where no route goes; None for boards and for ``"auto"``."""
    from ontour_cv.maps.load import load_map
    from ontour_cv.rules import RULESETS

    template = None if map_id == "auto" else load_map(map_id)
    return template.title if template and not template.city and template.rules not in RULESETS else None


def texts_by_photo(sets: Sequence[str], photos: Sequence[Path]) -> Mapping[Path, list[str]]:
    """The corrections of each photo as typed; ``UsageError`` when it is not clear which photo is meant."""
    texts: dict[Path, list[str]] = {photo: [] for photo in photos}
    for text in sets:
        name, colon, correction = text.rpartition(":")
        texts[_meant(name if colon else None, text, photos)].append(correction)
    return texts


def tokens_by_photo(sets: Sequence[str], photos: Sequence[Path]) -> Mapping[Path, list[str]]:
    """The corrections of each photo, several typed as one text apart, a blank text as one. Errors as there."""
    by_photo = texts_by_photo(sets, photos)
    return {photo: [token for text in texts for token in tokens(text) or [""]] for photo, texts in by_photo.items()}


def _meant(name: str | None, text: str, photos: Sequence[Path]) -> Path:
    unlike = list(dict.fromkeys(photos))
    if name is None:
        if len(unlike) == 1:
            return unlike[0]
        raise UsageError(
            f"--set {text} does not say which of the {len(unlike)} photos it is about",
            f"Write --set {unlike[0].name}:{text}",
        )
    for names in (str, lambda photo: photo.name, lambda photo: photo.stem):
        found = [photo for photo in unlike if names(photo) == name]
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(f"--set {text}: several photos are called {name!r}", "Give the whole path.")
    raise UsageError(f"--set {text}: no photo is called {name!r}", "Name one of the photos on the command line.")


def plan_overlays(overlay: Path | None, photos: Sequence[Path]) -> Mapping[Path, Path]:
    """Where the overlay of each photo goes, folders made; empty without ``--overlay``.

    A path that ends in a picture's ending names the file for one photo; anything else is a folder, in which
    ``anna.jpg`` becomes ``anna-route.jpg`` and ``table.jpg#2`` becomes ``table-2-route.jpg``. No photo on the command
    line is ever written over.

    Raises:
        UsageError: a file for several photos, a photo itself, or a place that cannot be written to.
    """
    if overlay is None:
        return {}
    unlike = list(dict.fromkeys(photos))
    if not overlay.is_dir() and overlay.suffix.lower() in PICTURE_TYPES:
        if len(unlike) > 1:
            raise UsageError(f"--overlay {overlay} names one file for {len(unlike)} photos", "Name a folder.")
        if _taken(overlay, photos):
            raise UsageError(f"--overlay {overlay} would write over the photo", "Choose another name.")
        _make_folder(overlay.parent)
        return {unlike[0]: overlay}
    if not overlay.is_dir() and (overlay.exists() or _of_a_file(overlay)):
        kinds = ", ".join(PICTURE_TYPES)
        message = f"--overlay {overlay} is neither a folder nor a picture that can be written"
        raise UsageError(message, f"Name a folder or a {kinds} file.")
    _make_folder(overlay)
    targets: dict[Path, Path] = {}
    for photo in unlike:
        number, name = 1, f"{_stem(photo)}-route"
        target = overlay / f"{name}.jpg"
        while target in targets.values() or _taken(target, photos):
            number += 1
            target = overlay / f"{name}-{number}.jpg"
        targets[photo] = target
    return targets


def _stem(photo: Path) -> str:
    """The photo's name without its ending; of a board in it ``table-2``."""
    from ontour_cv.scorer.pictures import numbered

    file, board = numbered(photo)
    return file.stem if board is None else f"{file.stem}-{board}"


def _of_a_file(path: Path) -> bool:
    """True for a name that is a file's by its ending, a text's or a page's, say: nobody means a folder by it."""
    return path.suffix.lower() in OTHER_TYPES or mimetypes.guess_type(path.name)[0] is not None


def plan_overlay(overlay: Path | None, photos: Sequence[Path]) -> Path | None:
    """Where the one overlay of several photos of a board goes; as :func:`plan_overlays`, no photo is written over."""
    target = plan_overlays(overlay, photos[:1]).get(photos[0])
    if target is not None and _taken(target, photos):
        raise UsageError(f"--overlay {overlay} would write over a photo", "Choose another name.")
    return target


def _taken(target: Path, photos: Sequence[Path]) -> bool:
    """True when ``target`` is one of the photos, or the one a board of is scored, by whatever path or link."""
    from ontour_cv.scorer.pictures import numbered

    for photo in (numbered(photo)[0] for photo in photos):
        if target.resolve() == photo.resolve():
            return True
        if target.exists() and photo.exists() and target.samefile(photo):
            return True
    return False


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise UsageError(f"the folder {folder} cannot be made: {fault.strerror}", "Choose another place.") from fault
    if not os.access(folder, os.W_OK):
        raise UsageError(f"the folder {folder} may not be written to", "Choose another place.")


def check_rules(rules: str | None) -> None:
    """``UsageError`` when there is no such ruleset."""
    from ontour_cv.rules import RULESETS, VARIANTS

    if rules is None:
        return
    if VARIANTS[rules].key not in RULESETS:
        message = f"the rules {rules!r} belong to a map that has no others"
        raise UsageError(message, f"Leave --rules away there. Of other boards: {', '.join(RULESETS)}.")
