"""Several photos of one sheet -> one :class:`SheetReport`: those that show it are read together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from ontour_cv.dealer.record import GameRecord
from ontour_cv.errors import OnTourError
from ontour_cv.maps.load import load_map
from ontour_cv.scorer.pictures import load_board_photo
from ontour_cv.scorer.report import PhotoUse
from ontour_cv.scorer.several import agreeing, other_than
from ontour_cv.scorer.sheet_report import SheetReport
from ontour_cv.scorer.sheet_score import MAP, Corrections, read_sheet_photo, score_sheet_read, sheet_prior
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.sheet_combine import another_sheet, combine_sheets
from ontour_cv.vision.sheet_place import SheetPlacement
from ontour_cv.vision.sheet_read import SheetReading


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A photo and what it shows by itself, or why it could not be used; a ``PhotoUse`` has readings of boards."""

    name: str
    reading: SheetReading | None
    error: OnTourError | None


def score_same_sheet(
    paths: Sequence[Path], corrections: Corrections | None = None, game: GameRecord | None = None, map: str = MAP,
    found: Mapping[str, SheetPlacement] | None = None,
) -> SheetReport:  # fmt: skip
    """The score of one sheet from several photos of it; the report names what became of each photo.

    Args:
        paths: picture files, or sheets in them; one given twice counts once.
        corrections: what somebody vouches for.
        game: what was rolled in the game the sheet comes from.
        map: as for :func:`ontour_cv.scorer.sheet_score.score_sheet_photo`.
        found: where the sheet lies in photos in which that is known, by their names.

    Raises:
        UsageError: the photos show different sheets.
        BadPhoto, BoardNotFound: no photo could be used; the first one's error.
        BadBoard: a correction names a state the map does not have.
    """
    return _score([_seen(path, map, found or {}) for path in dict.fromkeys(paths)], corrections, game)


def score_sheet_photos(
    photos: Sequence[Photo], corrections: Corrections | None = None, game: GameRecord | None = None
) -> SheetReport:
    """The same for pictures that are loaded, a camera's for example."""
    return _score([_seen(photo) for photo in photos], corrections, game)


def _seen(source: Path | Photo, map: str = MAP, found: Mapping[str, SheetPlacement] = MappingProxyType({})) -> _Seen:
    name = source.name if isinstance(source, Photo) else str(source)
    try:
        photo = source if isinstance(source, Photo) else load_board_photo(source, map)
        return _Seen(name, read_sheet_photo(photo, found.get(photo.name)), None)
    except OnTourError as error:
        return _Seen(name, None, error)


def _score(seen: Sequence[_Seen], corrections: Corrections | None, game: GameRecord | None) -> SheetReport:
    found = [one.reading for one in seen if one.reading is not None]
    if not found:
        raise next(one.error for one in seen if one.error is not None)
    kept = agreeing(found, lambda one, other: not another_sheet(one, other), "sheet")
    reading = combine_sheets(kept, sheet_prior(load_map(MAP)))
    report = score_sheet_read(reading.photo.name, reading, corrections, game=game)
    left_out = {one.name: one.error or other_than(one.name, "sheet") for one in seen if one.reading not in kept}
    uses = (PhotoUse(one.name, None, left_out.get(one.name)) for one in seen)
    return replace(report, photos=tuple(uses))
