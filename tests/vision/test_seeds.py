"""seeds: what the setup's circled pairs say of a board's circles."""

from __future__ import annotations

from itertools import combinations, product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontour_cv.vision.left_over import NUMBERS
from ontour_cv.vision.seeds import FORGOTTEN, Array, at_least, seeded

CHANCES = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=7)


def certain(numbers: list[int]) -> Array:
    """Cells that surely hold these numbers."""
    return np.asarray(np.eye(NUMBERS)[numbers], dtype=np.float64)


def both(chances: list[float]) -> Array:
    return np.stack([1.0 - np.array(chances), np.array(chances)], axis=1)


def pairs_circled(numbers: list[int], circled: tuple[int, ...]) -> int:
    """How many pairs of a number and its reverse are circled on both sides."""
    seen = {number for number, ring in zip(numbers, circled, strict=True) if ring}
    return sum(10 * (n % 10) + n // 10 in seen for n in seen if n // 10 < n % 10)


def by_counting(numbers: list[int], chances: list[float], rolls: int) -> list[float]:
    """The same by every way to circle the board, each as probable as its cells say."""
    total, ringed = 0.0, np.zeros(len(numbers))
    for circled in product((0, 1), repeat=len(numbers)):
        weight = prod(p if ring else 1 - p for p, ring in zip(chances, circled, strict=True))
        weight *= 1.0 if pairs_circled(numbers, circled) >= rolls else FORGOTTEN
        total += weight
        ringed += weight * np.array(circled)
    return list(ringed / total)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers(1, 3))
def test_it_is_what_counting_all_ways_to_circle_the_board_gives(data: st.DataObject, rolls: int) -> None:
    numbers = data.draw(st.lists(st.sampled_from([12, 21, 34, 43, 56, 65, 7, 70, 91]), min_size=1, max_size=8))
    chances = [data.draw(st.floats(0.01, 0.99)) for _ in numbers]
    told = seeded(both(chances), certain(numbers), rolls)
    assert told[:, 1] == pytest.approx(by_counting(numbers, chances, rolls), abs=1e-9)
    assert told.sum(axis=1) == pytest.approx(1.0)


@given(CHANCES)
def test_no_circle_is_less_probable_for_it(chances: list[float]) -> None:
    numbers = np.full((len(chances), NUMBERS), 1.0 / NUMBERS)
    assert np.all(seeded(both(chances), numbers, 2)[:, 1] >= np.array(chances) - 1e-9)


def test_without_a_setup_nothing_changes() -> None:
    circled = both([0.2, 0.7])
    assert seeded(circled, certain([12, 21]), 0) is circled


def test_where_enough_pairs_are_circled_for_sure_the_others_stay_as_they_look() -> None:
    chances = [1.0, 1.0, 1.0, 1.0, 0.4, 0.4]
    assert seeded(both(chances), certain([12, 21, 34, 43, 56, 65]), 2)[:, 1] == pytest.approx(chances)


def test_a_board_without_any_circle_keeps_none() -> None:
    assert np.all(seeded(both([1e-4] * 6), certain([12, 21, 34, 43, 56, 65]), 2)[:, 1] < 0.001)


def test_of_doubtful_pairs_the_one_that_is_left_becomes_likely() -> None:
    told = seeded(both([0.99, 0.99, 0.4, 0.4, 0.01]), certain([12, 21, 34, 43, 56]), 2)[:, 1]
    assert min(told[2:4]) > 0.75
    assert told[4] == pytest.approx(0.01)


@given(CHANCES, st.integers(1, 4))
def test_so_many_happen_as_often_as_the_sets_that_large_have_chances(chances: list[float], count: int) -> None:
    every = range(len(chances))
    fewer = sum(
        prod(chances[k] if k in chosen else 1 - chances[k] for k in every)
        for size in range(count)
        for chosen in combinations(every, size)
    )
    assert at_least(count, np.array([chances]))[0] == pytest.approx(1 - fewer, abs=1e-9)
