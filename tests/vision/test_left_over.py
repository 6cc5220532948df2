"""left_over: a cell out of sight holds what lacks a partner, as often as it does in play."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontour_cv.board import Kind, Mark
from ontour_cv.maps.load import load_map
from ontour_cv.synth.play import sample_board
from ontour_cv.vision.left_over import left_over
from ontour_cv.vision.match import BLOCKED, EMPTY, LABELS, STAR

ALIKE = np.zeros((1, 100))
ONE = np.ones(1)


def label_of(mark: Mark) -> int:
    """The label of a mark."""
    if mark.number is not None:
        return mark.number
    return {Kind.STAR: STAR, Kind.BLOCKED: BLOCKED, Kind.EMPTY: EMPTY}[mark.kind]


def told(*labels: int, numbers: np.ndarray = ALIKE) -> np.ndarray:
    """Of the cells out of sight, where the others hold these labels for certain."""
    return left_over(np.array([labels]), ONE, numbers)


@given(
    st.lists(st.lists(st.integers(0, LABELS - 1), min_size=5, max_size=5), min_size=1, max_size=4),
    st.integers(1, 2),
    st.integers(0, 99),
)
@settings(max_examples=60, deadline=None)
def test_it_is_a_distribution(readings: list[list[int]], cells: int, high: int) -> None:
    numbers = np.zeros((cells, 100))
    numbers[:, high] = 3.0
    out = left_over(np.array(readings), np.linspace(1.0, 0.5, len(readings)), numbers)
    assert out.shape == (cells, LABELS)
    assert (out >= 0).all()
    assert np.allclose(out.sum(axis=1), 1.0)


def test_the_missing_partner_is_likeliest_by_far() -> None:
    assert told(12, 21, 19)[0, 91] > 0.9
    assert told(12, 21, STAR)[0].max() < 0.5
    assert told(12, 21, STAR)[0, :100].sum() < 0.6


def test_an_x_may_have_swallowed_it() -> None:
    assert 0.4 < told(12, 21, 19, BLOCKED)[0, 91] < 0.6


@pytest.mark.parametrize(("labels", "cells"), [((12, 21, 39), 3), ((12, 21, 39), 5), ((19, 39, BLOCKED), 3)])
def test_what_is_missing_is_in_one_of_the_cells_out_of_sight(labels: tuple[int, ...], cells: int) -> None:
    """Of all of them together no partner is expected more often than it is missing."""
    out = told(*labels, numbers=np.repeat(ALIKE, cells, axis=0))
    assert 0.5 < out[:, 93].sum() < 1.05
    assert out[:, 93].max() < 0.5


def test_of_two_missing_ones_what_stands_around_decides() -> None:
    even = told(19, 84)[0]
    assert even[91] == pytest.approx(even[48])
    near = ALIKE.copy()
    near[0, 80:] = np.log(4.0)
    leaning = told(19, 84, numbers=near)[0]
    assert leaning[91] / leaning[48] == pytest.approx(4.0, rel=0.02)


def test_readings_count_by_their_weight() -> None:
    """19 or 79, three to one: so is what lacks a partner."""
    both = left_over(np.array([[19, 12, 21], [79, 12, 21]]), np.array([3.0, 1.0]), ALIKE)[0]
    assert both[91] / both[97] == pytest.approx(3.0, rel=0.01)


@pytest.mark.parametrize("map_id", ["usa", "europe-home"])
def test_what_is_said_comes_true_as_often_as_said(map_id: str) -> None:
    """On played boards with one cell covered: of what is given 90 % and more, so much is right."""
    template, rng = load_map(map_id), np.random.default_rng(3)
    said, right = [], []
    for _ in range(60):
        board = sample_board(template, rng)
        labels = np.array([label_of(board.marks[region]) for region in template.ids])
        if (labels == EMPTY).sum() > 3:
            continue
        for hidden in rng.choice(len(labels), 8, replace=False):
            out = left_over(np.delete(labels, hidden)[None], ONE, ALIKE)[0]
            said.append(out.max())
            right.append(out.argmax() == labels[hidden])
    sure = np.array(said) > 0.9
    assert sure.mean() > 0.3
    assert abs(np.array(right)[sure].mean() - np.array(said)[sure].mean()) < 0.05
    assert np.array(right)[~sure].mean() < 0.8
