"""Paris: the base rules on a map whose banks only boats join."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from ontour_cv.board import BoardState, Kind, Mark, parse_board
from ontour_cv.maps.load import load_map
from ontour_cv.rules import RULESETS

PARIS = load_map("paris-home")
RULES = RULESETS[PARIS.rules]
SEINE = {"P1", "P4", "P5", "P6", "P7", "P8", "P12", "P13", "P15", "P16"}


def test_a_route_goes_by_boat_from_any_stop_to_any_other() -> None:
    assert RULES.score(PARIS, parse_board("P16=10 P12=20 P13=30", PARIS.ids)).visited == 3


def test_numbers_never_fall_on_a_boat() -> None:
    """Walked the other way it rises; with a third one between there is no way to rise."""
    assert RULES.score(PARIS, parse_board("P16=20 P12=10", PARIS.ids)).visited == 2
    assert RULES.score(PARIS, parse_board("P17=10 P16=20 P12=15 P20=16", PARIS.ids)).visited == 2


def test_boats_stop_at_the_river_only() -> None:
    assert RULES.score(PARIS, parse_board("P18=10 P14=20", PARIS.ids)).visited == 1


def next_to(a: str, b: str) -> bool:
    return b in PARIS.region(a).neighbours or (a in SEINE and b in SEINE)


def worths(board: BoardState) -> Iterator[int]:
    """The worth of every lawful route, by trying all."""
    written = board.of_kind(Kind.NUMBER, Kind.STAR)

    def follow(route: tuple[str, ...], level: int) -> Iterator[int]:
        yield len(route) + sum(board.marks[region].circled for region in route)
        for other in written:
            number = board.marks[other].number
            if other not in route and next_to(route[-1], other) and (number is None or number >= level):
                yield from follow((*route, other), level if number is None else number)

    for start in written:
        yield from follow((start,), board.marks[start].number or 0)


@pytest.mark.parametrize("seed", range(10))
def test_the_best_route_is_that_of_trying_all(seed: int) -> None:
    rng = random.Random(seed)
    some = rng.sample(PARIS.ids, 9)
    marks = {region: Mark(Kind.NUMBER, rng.randrange(99), rng.random() < 0.3) for region in some}
    marks |= {region: Mark(Kind.STAR) for region in some[: rng.randrange(3)]}
    board = parse_board(str(BoardState(marks)), PARIS.ids)
    assert RULES.score(PARIS, board).total == max(worths(board))


def test_many_stars_are_no_trouble() -> None:
    """More than any game has: every other space a star."""
    rng = random.Random(1)
    marks = {
        region: Mark(Kind.STAR) if index % 2 else Mark(Kind.NUMBER, rng.randrange(99))
        for index, region in enumerate(PARIS.ids)
    }
    score = RULES.score(PARIS, BoardState(marks))
    assert score.visited >= 15
    numbers = [number for region in score.route if (number := marks[region].number) is not None]
    assert numbers in (sorted(numbers), sorted(numbers, reverse=True))
    assert all(next_to(a, b) for a, b in zip(score.route, score.route[1:], strict=False))
