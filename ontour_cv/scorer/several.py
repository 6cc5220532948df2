"""Several photos of one board -> one :class:`Report`: those that show it are read together, the others say why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ontour_cv.board import Mark
from ontour_cv.dealer.record import GameRecord
from ontour_cv.errors import OnTourError, UsageError
from ontour_cv.maps.load import load_map
from ontour_cv.rules import ruleset, variant_for
from ontour_cv.scorer.pictures import load_board_photo
from ontour_cv.scorer.prior import prior_of
from ontour_cv.scorer.report import PhotoUse, Report
from ontour_cv.scorer.score import AUTO, read_photo, score_read
from ontour_cv.vision.combine import another_board, combine
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.read import Reading

if TYPE_CHECKING:
    from ontour_cv.vision.sheet_read import SheetReading

R = TypeVar("R", Reading, "SheetReading")


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """What several photos gave.

    Attributes:
        reading: all photos of the board as one.
        uses: what became of each photo, in the order given.
    """

    reading: Reading
    uses: tuple[PhotoUse, ...]


def score_same_board(
    paths: Sequence[Path],
    map: str = AUTO,
    rules: str | None = None,
    corrections: Mapping[str, Mark] | None = None,
    game: GameRecord | None = None,
    instead: Callable[[Photo], bool] | None = None,
) -> Report:
    """The score of one board from several photos of it; the report names what became of each photo.

    The overlay goes on the clearest photo, which also gives the report its name.

    Args:
        paths: picture files; one given twice counts once.
        map: id of the map they show, or ``"auto"``.
        rules: key of the rules; None for those the map is printed with.
        corrections: marks somebody vouches for.
        game: what was rolled in the game the board comes from.
        instead: as for :func:`read_together`.

    Raises:
        UsageError: the photos show different boards.
        BadPhoto, BoardNotFound: no photo could be used; the first one's error.
        BadTemplate, BadBoard: as in :func:`ontour_cv.scorer.score.score_photo`.
    """
    photos: list[Photo | PhotoUse] = []
    for path in dict.fromkeys(paths):
        try:
            photos.append(load_board_photo(path, map))
        except OnTourError as error:
            photos.append(PhotoUse(str(path), None, error))
    return score_together(read_together(photos, map, rules, instead), rules, corrections, game)


def score_together(
    together: Together,
    rules: str | None = None,
    corrections: Mapping[str, Mark] | None = None,
    game: GameRecord | None = None,
) -> Report:
    """The report on photos read together; parameters and errors as for :func:`score_same_board`."""
    report = score_read(together.reading.photo.name, together.reading, rules, corrections, game=game)
    return replace(report, photos=together.uses)


def read_together(
    photos: Sequence[Photo | PhotoUse],
    map: str = AUTO,
    rules: str | None = None,
    instead: Callable[[Photo], bool] | None = None,
) -> Together:
    """Photos of one board, each read by itself, then as one.

    Args:
        photos: pictures, or what became of those that could not be loaded.
        map: id of the map they show, or ``"auto"``.
        rules: key of the rules; None for those the map is printed with.
        instead: whether a photo in which no board is seen at first plainly shows something else: it is searched no
            longer then.

    Raises:
        UsageError: the photos show different boards.
        OnTourError: no photo could be used; the first one's error.
    """
    uses: list[PhotoUse] = []
    for photo in photos:
        if isinstance(photo, PhotoUse):
            uses.append(photo)
            continue
        try:
            other = partial(instead, photo) if instead is not None else None
            uses.append(PhotoUse(photo.name, read_photo(photo, map, rules, instead=other), None))
        except OnTourError as error:
            uses.append(PhotoUse(photo.name, None, error))
    kept, final = of_one_board(uses)
    played = variant_for(load_map(kept[0].placement.edition.map).rules, rules)
    return Together(combine(kept, prior_of(ruleset(played))), final)


def of_one_board(uses: Sequence[PhotoUse]) -> tuple[list[Reading], tuple[PhotoUse, ...]]:
    """The readings that show one board, and what became of each photo, those of another board left out.

    Raises:
        UsageError: the photos show different boards.
        OnTourError: no photo could be used; the first one's error.
    """
    found = [use.reading for use in uses if use.reading is not None]
    if not found:
        raise next(use.error for use in uses if use.error is not None)
    kept = agreeing(found, _agree, "board")
    return kept, tuple(
        use if use.reading is None or use.reading in kept else PhotoUse(use.photo, None, other_than(use.photo, "board"))
        for use in uses
    )


def agreeing(found: Sequence[R], agree: Callable[[R, R], bool], what: str) -> list[R]:
    """The readings that agree with each other, when they are more than half of all; else ``UsageError``.

    Args:
        found: at least one.
        agree: whether two may show the same.
        what: what they show, for people: ``"board"``.
    """
    with_it = {id(one): [other for other in found if other is one or agree(one, other)] for one in found}
    most = max(found, key=lambda one: len(with_it[id(one)]))
    kept = with_it[id(most)]
    if 2 * len(kept) <= len(found):
        odd = next(other for other in found if other not in kept)
        raise UsageError(
            f"{most.photo.name} and {odd.photo.name} show different {what}s",
            f"Photos are read together only when they show one {what}; leave out --same-board to score each by itself.",
        )
    return kept


def _agree(one: Reading, other: Reading) -> bool:
    return one.placement.edition.map == other.placement.edition.map and not another_board(one, other)


def other_than(photo: str, what: str) -> OnTourError:
    """Why a photo was left out that shows another board than the rest."""
    return UsageError(f"{photo} shows another {what} than the other photos", "Score it by itself.")
