"""Several photos of one board -> one :class:`Report`: those that show it are read together, the others say why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ontour_cv.board import Mark
from ontour_cv.dealer.record import GameRecord
from ontour_cv.errors import OnTourError, UsageError
from ontour_cv.maps.load import load_map
from ontour_cv.rules import ruleset, variant_for
from ontour_cv.scorer.prior import prior_of
from ontour_cv.scorer.report import PhotoUse, Report
from ontour_cv.scorer.score import AUTO, read_photo, score_read
from ontour_cv.vision.combine import another_board, combine
from ontour_cv.vision.photo import Photo, load_photo
from ontour_cv.vision.read import Reading


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
) -> Report:
    """The score of one board from several photos of it; the report names what became of each photo.

    The overlay goes on the clearest photo, which also gives the report its name.

    Args:
        paths: picture files; one given twice counts once.
        map: id of the map they show, or ``"auto"``.
        rules: key of the rules; None for those the map is printed with.
        corrections: marks somebody vouches for.
        game: what was rolled in the game the board comes from.

    Raises:
        UsageError: the photos show different boards.
        BadPhoto, BoardNotFound: no photo could be used; the first one's error.
        BadTemplate, BadBoard: as in :func:`ontour_cv.scorer.score.score_photo`.
    """
    photos: list[Photo | PhotoUse] = []
    for path in dict.fromkeys(paths):
        try:
            photos.append(load_photo(path))
        except OnTourError as error:
            photos.append(PhotoUse(str(path), None, error))
    return score_together(read_together(photos, map, rules), rules, corrections, game)


def score_together(
    together: Together,
    rules: str | None = None,
    corrections: Mapping[str, Mark] | None = None,
    game: GameRecord | None = None,
) -> Report:
    """The report on photos read together; parameters and errors as for :func:`score_same_board`."""
    report = score_read(together.reading.photo.name, together.reading, rules, corrections, game=game)
    return replace(report, photos=together.uses)


def read_together(photos: Sequence[Photo | PhotoUse], map: str = AUTO, rules: str | None = None) -> Together:
    """Photos of one board, each read by itself, then as one.

    Args:
        photos: pictures, or what became of those that could not be loaded.
        map: id of the map they show, or ``"auto"``.
        rules: key of the rules; None for those the map is printed with.

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
            uses.append(PhotoUse(photo.name, read_photo(photo, map, rules), None))
        except OnTourError as error:
            uses.append(PhotoUse(photo.name, None, error))
    found = [use.reading for use in uses if use.reading is not None]
    if not found:
        raise next(use.error for use in uses if use.error is not None)
    kept = _one_board(found)
    final = tuple(
        use if use.reading is None or use.reading in kept else PhotoUse(use.photo, None, _other_board(use.photo))
        for use in uses
    )
    played = variant_for(load_map(kept[0].placement.edition.map).rules, rules)
    return Together(combine(kept, prior_of(ruleset(played))), final)


def _one_board(found: Sequence[Reading]) -> list[Reading]:
    """The readings that agree with each other, when they are more than half of all; else ``UsageError``."""
    agree = {id(one): [other for other in found if other is one or _agree(one, other)] for one in found}
    most = max(found, key=lambda one: len(agree[id(one)]))
    kept = agree[id(most)]
    if 2 * len(kept) <= len(found):
        odd = next(other for other in found if other not in kept)
        raise UsageError(
            f"{most.photo.name} and {odd.photo.name} show different boards",
            "Photos are read together only when they show one board; leave out --same-board to score each by itself.",
        )
    return kept


def _agree(one: Reading, other: Reading) -> bool:
    return one.placement.edition.map == other.placement.edition.map and not another_board(one, other)


def _other_board(photo: str) -> OnTourError:
    return UsageError(f"{photo} shows another board than the other photos", "Score it by itself.")
