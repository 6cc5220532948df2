"""One slip planted in the board of a played game, as an honest player makes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.dealer.record import GameRecord, Phase, Roll
from ontour_cv.maps.model import MapTemplate
from ontour_cv.synth.play import Game

KINDS = {
    "region": "a number in a region that no card opened",
    "circle-missing": "a circle forgotten",
    "circle-extra": "a circle too many",
    "never-rolled": "a number that was never rolled",
    "swapped": "the two digits swapped",
    "needless-x": "an X although there was a place",
}
"""What is planted, in the words of the tables; none of them looks at whether it stays lawful by chance."""


@dataclass(frozen=True, slots=True)
class Planted:
    """A board with a slip.

    Attributes:
        board: what stands on it.
        kind: a key of ``KINDS``.
        regions: ids of the regions that were changed.
    """

    board: BoardState
    kind: str
    regions: tuple[str, ...]


def record_of(game: Game, template: MapTemplate) -> GameRecord:
    """The played game as its dealer would have logged it."""
    rolls = tuple(Roll(Phase(turn.phase), tuple(card.id for card in turn.cards), turn.dice) for turn in game.turns)
    over = not game.board.of_kind(Kind.EMPTY)
    return GameRecord(template.id, template.rules, ("Anna",), rolls, over)


def plant(game: Game, template: MapTemplate, rng: np.random.Generator) -> Planted:
    """The game's board with one slip, every kind equally likely."""
    kind = sorted(KINDS)[int(rng.integers(len(KINDS)))]
    marks = dict(game.board.marks)
    for _ in range(10_000):
        changed = _DEEDS[kind](game, template, rng)
        if changed:
            return Planted(BoardState(marks | changed), kind, tuple(changed))
    raise AssertionError(f"no way to plant {kind}")


def _numbers(game: Game) -> list[str]:
    return list(game.board.of_kind(Kind.NUMBER))


def _one(game: Game, rng: np.random.Generator) -> tuple[str, Mark]:
    places = _numbers(game)
    region = places[int(rng.integers(len(places)))]
    return region, game.board.marks[region]


def _circle(drawn: bool) -> Callable[[Game, MapTemplate, np.random.Generator], dict[str, Mark]]:
    """Takes a circle away that was drawn, or draws one that was not."""

    def deed(game: Game, template: MapTemplate, rng: np.random.Generator) -> dict[str, Mark]:
        region, mark = _one(game, rng)
        return {region: Mark(mark.kind, mark.number, not drawn)} if mark.circled == drawn else {}

    return deed


def _never_rolled(game: Game, template: MapTemplate, rng: np.random.Generator) -> dict[str, Mark]:
    region, mark = _one(game, rng)
    rolled = {number for turn in game.turns for number in Roll(Phase.LAST, (), turn.dice).numbers}
    number = int(rng.integers(1, 99))
    return {} if number in rolled or number % 11 == 0 else {region: Mark(mark.kind, number, mark.circled)}


def _swapped(game: Game, template: MapTemplate, rng: np.random.Generator) -> dict[str, Mark]:
    region, mark = _one(game, rng)
    number = mark.number or 0
    return {region: Mark(mark.kind, 10 * (number % 10) + number // 10, mark.circled)}


def _needless_x(game: Game, template: MapTemplate, rng: np.random.Generator) -> dict[str, Mark]:
    return {_one(game, rng)[0]: Mark(Kind.BLOCKED)}


def _region(game: Game, template: MapTemplate, rng: np.random.Generator) -> dict[str, Mark]:
    """Two numbers change places; one of them still stands in a region that its own cards open, the other does not."""
    (here, one), (there, other) = _one(game, rng), _one(game, rng)
    opened = {region: turn.cards for turn in game.turns if turn.phase == "turn" for region, _ in turn.written}
    if here == there or one.circled or other.circled or here not in opened or there not in opened:
        return {}
    areas = {region.id: set(region.areas) for region in template.regions}
    fits = areas[here] & {card.area for card in opened[there]}
    breaks = not areas[there] & {card.area for card in opened[here]}
    exact = here in {card.region for card in opened[there]}
    return {here: other, there: one} if fits and breaks and not exact and opened[here] is not opened[there] else {}


_DEEDS: dict[str, Callable[[Game, MapTemplate, np.random.Generator], dict[str, Mark]]] = {
    "region": _region,
    "circle-missing": _circle(True),
    "circle-extra": _circle(False),
    "never-rolled": _never_rolled,
    "swapped": _swapped,
    "needless-x": _needless_x,
}
