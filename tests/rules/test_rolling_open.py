"""Bounds of what sheets of Rolling America with open states count, against the score of the sheets themselves."""

from __future__ import annotations

import random

import pytest

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.maps.load import load_map
from ontour_cv.rules.rolling import sheet_score
from ontour_cv.rules.rolling_open import power_bounds, score_bounds
from ontour_cv.sheet import Boxes, Sheet

MAP = load_map("rolling-america")
MARKS = (
    Mark(Kind.EMPTY),
    *(Mark(Kind.BLOCKED, None, circled) for circled in (False, False, True)),
    *(Mark(Kind.NUMBER, number, circled) for number in range(1, 7) for circled in (False, False, True)),
)


def open_sheet(rng: random.Random, share: float) -> dict[str, tuple[Mark, ...]]:
    """Two or three marks in a share of the states, one in the others; most numbers go together."""
    middle = rng.randint(2, 5)
    near = [mark for mark in MARKS if mark.number is None or abs(mark.number - middle) <= 1]
    pick = lambda: rng.choice(MARKS if rng.random() < 0.2 else near)  # noqa: E731
    return {state: tuple(pick() for _ in range(rng.randint(2, 3) if rng.random() < share else 1)) for state in MAP.ids}


@pytest.mark.parametrize("share", [0.1, 0.4, 1.0])
def test_no_sheet_of_the_open_states_scores_outside_the_bounds(share: float) -> None:
    rng = random.Random(share)
    for _ in range(12):
        choices = open_sheet(rng, share)
        boxes = {name: tuple(rng.sample((None, 0, 1, 2, 3), 2)) for name in ("change", "guard", "dupe")}
        (low, high), (fewest, most) = score_bounds(MAP, choices), power_bounds(MAP, choices, boxes)
        for _ in range(25):
            board = BoardState({state: rng.choice(marks) for state, marks in choices.items()})
            said = Boxes(**{name: rng.choice(values) for name, values in boxes.items()})
            score = sheet_score(MAP, Sheet(board, said))
            assert low <= score.total <= high
            assert fewest <= score.powers <= most


def test_where_nothing_is_open_the_bounds_are_the_score() -> None:
    rng = random.Random(7)
    for _ in range(40):
        choices = open_sheet(rng, 0.0)
        score = sheet_score(MAP, Sheet(BoardState({state: mark for state, (mark,) in choices.items()}), Boxes(dupe=2)))
        assert score_bounds(MAP, choices)[0] == score.total
        assert score_bounds(MAP, choices)[1] <= score.total
        assert power_bounds(MAP, choices, {"dupe": (2,)}) == (score.powers, score.powers)


def test_clashes_that_take_two_open_states_each_are_all_counted() -> None:
    """3 and 3 go together, so do 2 and 3, and 3 and 4; but 2 and 4 do not, in five places at once."""
    pairs = [("AL", "FL"), ("AR", "LA"), ("AZ", "CA"), ("CO", "KS"), ("CT", "MA")]
    choices = {state: (Mark(Kind.NUMBER, 3),) for state in MAP.ids}
    for one, other in pairs:
        choices[one] += (Mark(Kind.NUMBER, 2),)
        choices[other] += (Mark(Kind.NUMBER, 4),)
    assert score_bounds(MAP, choices) == (0, 5)
