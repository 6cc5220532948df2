"""Rows of boxes hear from the cells what summing over every sheet would tell, and what is clearly crossed stays so."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ontour_cv.vision.sheet_belief import number_of
from ontour_cv.vision.sheet_boxes import BoxReading, blanks_by, circle_costs, thought_over
from ontour_cv.vision.sheet_prior import SheetPrior

CELLS = 4


def reading(chances: Mapping[int, float]) -> BoxReading:
    (value, p), *others = sorted(chances.items(), key=lambda item: -item[1])
    return BoxReading(value, p, tuple(others))


def chances(box: BoxReading) -> dict[int | None, float]:
    return dict([(box.value, box.confidence), *box.alternatives])


def row(rng: np.random.Generator) -> dict[int, float]:
    return {k: float(p) for k, p in enumerate(rng.dirichlet(np.ones(4)))}


def blanks(crossed: Mapping[str, int]) -> NDArray[np.float64]:
    """Each round fills one cell and each dupe one more, mostly."""
    chance = np.full(CELLS + 1, 0.02)
    chance[max(0, CELLS - crossed["rounds"] - crossed["dupe"])] = 0.92
    return chance


@given(st.integers(0, 10_000))
def test_the_guards_are_as_probable_as_in_all_sheets_together(seed: int) -> None:
    rng = np.random.default_rng(seed)
    prior = SheetPrior(circles=2, circle_cost=0.7, guard_cost=1.5)
    guard, ringed = row(rng), rng.random(CELLS)
    exact = dict.fromkeys(guard, 0.0)
    for value, joint in product(guard, product((0, 1), repeat=CELLS)):
        circles = sum(joint)
        weight = guard[value] * np.prod([p if one else 1 - p for p, one in zip(ringed, joint, strict=True)])
        exact[value] += weight * np.exp(-0.7 * max(0, circles - 2) - 1.5 * (circles != value))
    found = chances(thought_over({"guard": reading(guard)}, prior, number_of(ringed), None)["guard"])
    total = sum(exact.values())
    for value, p in found.items():
        assert p == pytest.approx(exact[int(value or 0)] / total)


@given(st.integers(0, 10_000))
def test_rounds_and_dupes_are_as_probable_as_in_all_sheets_together(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rounds, dupes, blank = row(rng), row(rng), rng.random(CELLS)
    exact = {"rounds": dict.fromkeys(rounds, 0.0), "dupe": dict.fromkeys(dupes, 0.0)}
    for one, other, joint in product(rounds, dupes, product((0, 1), repeat=CELLS)):
        weight = rounds[one] * dupes[other] * blanks({"rounds": one, "dupe": other})[sum(joint)]
        weight *= np.prod([p if empty else 1 - p for p, empty in zip(blank, joint, strict=True)])
        exact["rounds"][one] += weight
        exact["dupe"][other] += weight
    boxes = {"rounds": reading(rounds), "dupe": reading(dupes)}
    found = thought_over(boxes, SheetPrior(blanks=blanks), None, number_of(blank))
    for name, values in exact.items():
        total = sum(values.values())
        for value, p in chances(found[name]).items():
            assert p == pytest.approx(values[int(value or 0)] / total)


def test_what_is_plainly_crossed_off_stays_so() -> None:
    prior = SheetPrior(circles=3, circle_cost=1.0, guard_cost=1.5)
    sure = reading({3: 0.9999, 0: 0.0001})
    found = thought_over({"guard": sure}, prior, number_of(np.zeros(CELLS)), None)["guard"]
    assert found.value == 3
    assert found.confidence > 0.999


def test_where_nothing_is_known_of_the_cells_the_boxes_stay_as_they_are() -> None:
    boxes = {"guard": reading({1: 0.6, 2: 0.4}), "rounds": reading({8: 0.9, 7: 0.1}), "dupe": reading({0: 1.0})}
    assert thought_over(boxes, SheetPrior(blanks=blanks), None, None) == boxes
    assert thought_over(boxes, SheetPrior(), None, np.ones(CELLS + 1)) == boxes


def test_boxes_out_of_sight_tell_nothing_of_the_blanks() -> None:
    some = {"rounds": reading({2: 1.0})}
    assert blanks_by(some, SheetPrior(blanks=blanks)) is None
    told = blanks_by(some | {"dupe": reading({0: 0.5, 1: 0.5})}, SheetPrior(blanks=blanks))
    assert told is not None
    assert told == pytest.approx((blanks({"rounds": 2, "dupe": 0}) + blanks({"rounds": 2, "dupe": 1})) / 2)


def test_circles_that_no_guard_bears_out_cost_more_and_none_is_impossible() -> None:
    costs = circle_costs(CELLS, SheetPrior(circles=3, circle_cost=1.0, guard_cost=1.5), reading({2: 1.0}))
    assert costs.argmin() == 2
    assert costs == pytest.approx([1.5, 1.5, 0.0, 1.5, 2.5])
    assert circle_costs(CELLS, SheetPrior(circles=3, circle_cost=1.0), None) == pytest.approx([0, 0, 0, 0, 1])
