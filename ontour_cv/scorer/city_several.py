"""Several photos of one board of New York -> one :class:`CityReport`: those that show it are read together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from ontour_cv.dealer.record import GameRecord
from ontour_cv.errors import OnTourError
from ontour_cv.maps.load import load_map
from ontour_cv.scorer.city_drawn import Given, read_drawn_ink
from ontour_cv.scorer.city_report import CityReport
from ontour_cv.scorer.city_score import PRIOR, judged, read_city, score_city_read
from ontour_cv.scorer.pictures import load_board_photo
from ontour_cv.scorer.report import PhotoUse
from ontour_cv.scorer.several import of_one_board
from ontour_cv.vision.city_combine import combine_ink
from ontour_cv.vision.clarity import washed_out
from ontour_cv.vision.combine import combine
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.read import Reading


def score_same_city(
    sources: Sequence[Path | Photo],
    map: str,
    given: Given | None = None,
    game: GameRecord | None = None,
    instead: Callable[[Photo], bool] | None = None,
) -> CityReport:
    """The score of one board from several photos of it; the report names what became of each photo.

    Args:
        sources: picture files, one given twice counts once, or pictures that are loaded, a camera's for example.
        map: id of the map.
        given: what somebody vouches for.
        game: what was dealt in the game the board comes from.
        instead: as for :func:`ontour_cv.scorer.several.read_together`.

    Raises:
        UsageError: the photos show different boards.
        BadPhoto, BoardNotFound: no photo could be used; the first one's error.
        BadTemplate: there is no such map, or no print of it is known.
    """
    kept, uses = of_one_board([_seen(source, map, instead) for source in dict.fromkeys(sources)])
    reading = combine(kept, PRIOR)
    template = load_map(map)
    inks = [(ink, _washed(one)) for one in kept if (ink := read_drawn_ink(one, template)) is not None]
    ink = combine_ink([seen for seen, _ in inks], None, [washed for _, washed in inks]) if inks else None
    report = score_city_read(reading.photo.name, reading, template, given or Given(), {}, ink)
    return judged(replace(report, photos=uses), game)


def _washed(reading: Reading) -> set[str]:
    """The regions whose discs glare seems to cover."""
    return {region for region, pale in zip(reading.scores.ids, washed_out(reading.crops), strict=True) if pale}


def _seen(source: Path | Photo, map: str, instead: Callable[[Photo], bool] | None) -> PhotoUse:
    """A photo and what it shows by itself, or why it could not be used."""
    name = source.name if isinstance(source, Photo) else str(source)
    try:
        photo = source if isinstance(source, Photo) else load_board_photo(source, map)
        other = partial(instead, photo) if instead is not None else None
        return PhotoUse(name, read_city(photo, map, other), None)
    except OnTourError as error:
        return PhotoUse(name, None, error)
