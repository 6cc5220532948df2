"""The counting laws are exact: on small boards they accuse if and only if no course of play can end so.

The oracle plays every possible game on a map of six or seven states without areas and remembers every bag of marks that
a game can end with. It knows rolls and turns only.
"""

from __future__ import annotations

import itertools

import pytest

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.maps.model import MapTemplate, Region
from ontour_cv.rules import RULESETS

Bag = tuple[str, ...]
NUMBERS = ("12", "21", "13", "31")
ROLLS = (("12", "21"), ("13", "31"))
MARKS = {
    "*": Mark(Kind.STAR),
    "*o": Mark(Kind.STAR, None, True),
    "x": Mark(Kind.BLOCKED),
    **{number: Mark(Kind.NUMBER, int(number)) for number in NUMBERS},
    **{f"{number}o": Mark(Kind.NUMBER, int(number), True) for number in NUMBERS},
}


def toy_map(size: int) -> MapTemplate:
    ids = "ABCDEFGH"[:size]
    regions = []
    for place, region in enumerate(ids):
        neighbours = tuple(ids[other] for other in (place - 1, place + 1) if 0 <= other < size)
        regions.append(Region(region, region, region, (), neighbours, (0.1 * place, 0.1)))
    return MapTemplate("toy", "Toy", False, "rulebook", size - 1, tuple(regions), ())


def add(bag: Bag, *marks: str) -> Bag:
    return tuple(sorted((*bag, *marks)))


def turns(bag: Bag, empty: int, star: str | None) -> set[Bag]:
    """Every bag after one more turn; ``star``: how stars are always written, None when the card decides."""
    if empty <= 2:
        after = {add(bag, star or "*")}
        for low, high in ROLLS:
            after |= {add(bag, low, high)} if empty == 2 else {add(bag, low), add(bag, high)}
        return after
    stars = (star,) if star else ("*", "*o")
    after = {add(bag, mark) for mark in (*stars, "x")}
    for low, high in ROLLS:
        ways = itertools.product((low, f"{low}o", "x"), (high, f"{high}o", "x"))
        after |= {add(bag, first, second) for first, second in ways}
    return after


def endings(size: int, star: str | None) -> set[Bag]:
    setups = [add((), *(f"{n}o" for roll in rolls for n in roll)) for rolls in itertools.product(ROLLS, repeat=2)]
    open_games, ended = set(setups), set()
    while open_games:
        bag = open_games.pop()
        if len(bag) == size:
            ended.add(bag)
        else:
            open_games |= turns(bag, size - len(bag), star)
    return ended


@pytest.mark.parametrize("size", [6, 7])
@pytest.mark.parametrize(("rules", "star"), [("rulebook", None), ("bga", "*o")])
def test_a_bag_of_marks_is_accused_exactly_when_no_game_ends_with_it(size: int, rules: str, star: str | None) -> None:
    template = toy_map(size)
    lawful = endings(size, star)
    wrong = []
    for bag in itertools.combinations_with_replacement(sorted(MARKS), size):
        board = BoardState({region: MARKS[mark] for region, mark in zip(template.ids, bag, strict=True)})
        problems = RULESETS[rules].problems(template, board)
        if (bag in lawful) != (not problems):
            wrong.append((bag, problems))
    assert wrong == []
    assert len(lawful) > 20
