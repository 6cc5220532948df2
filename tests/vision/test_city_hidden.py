"""Ferries beside a disc that is not seen are in doubt: something may lie on them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ontour_cv.vision.city_flat import CityLayout
from ontour_cv.vision.city_hidden import HARDLY, LEAST, MOST, doubted_near
from ontour_cv.vision.city_paths import STEPS, Lines

DISCS = {"A": (0.1, 0.3), "B": (0.9, 0.3), "C": (0.5, 0.3), "D": (0.1, 0.1), "E": (0.9, 0.1)}
PAIRS = (("A", "B"), ("A", "C"), ("D", "E"))
LAYOUT = CityLayout(
    aspect=0.6, radius=0.02, discs=DISCS, boxes={}, rows={}, pairs=PAIRS, lawful=(True,) * 3, linked=(False,) * 3,
    scale=1.0, shift=(0.0, 0.0), looks=(), printed=lambda _: np.zeros((1, 1, 3), np.uint8),
)  # fmt: skip


def straight() -> Lines:
    """A to B runs over C, and D to E ten radii beside it."""
    first, last = (np.array([DISCS[pair[k]] for pair in PAIRS]) for k in (0, 1))
    t = (np.arange(STEPS) + 0.5)[None, :, None] / STEPS
    lengths = np.hypot(*(last - first).T) / LAYOUT.radius
    return Lines(first[:, None] + t * (last - first)[:, None], lengths, np.zeros(len(PAIRS)))


def told(odds: list[float], *unseen: str) -> NDArray[np.float64]:
    return doubted_near(np.array(odds), straight(), LAYOUT, unseen)


@given(st.lists(st.floats(-20, 20), min_size=3, max_size=3))
def test_where_every_disc_is_seen_nothing_changes(odds: list[float]) -> None:
    assert told(odds).tolist() == odds


@given(st.lists(st.floats(-20, 20), min_size=3, max_size=3))
def test_lines_far_from_what_is_hidden_are_as_sure_as_before(odds: list[float]) -> None:
    assert told(odds, "C")[2] == odds[2]


@pytest.mark.parametrize(("seen", "then"), [(-5.0, LEAST), (-1.0, -1.0), (HARDLY - 1, HARDLY - 1)])
def test_what_is_hardly_a_line_may_be_one_below_a_card(seen: float, then: float) -> None:
    assert told([seen, 0.0, 0.0], "C")[0] == then


def test_a_line_plainly_drawn_by_a_hidden_disc_stays_plain() -> None:
    assert told([9.0, 0.0, 0.0], "C")[0] == 9.0


def test_no_line_that_ends_at_a_hidden_disc_is_sure() -> None:
    assert told([9.0, 9.0, 9.0], "C").tolist() == [9.0, MOST, 9.0]
