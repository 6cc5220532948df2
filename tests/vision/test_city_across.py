"""Lines across discs: told by the ink that goes straight on inside, and not from lines that end there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from cityboards import DISCS, RADIUS, empty_ink, small_layout
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ontour_cv.vision.city_across import KNOWN, LIKELY, OPEN, TOURED, Ruled, believed_across, ruled_lines
from ontour_cv.vision.city_ferries import LEG
from ontour_cv.vision.city_flat import CityLayout
from ontour_cv.vision.city_paths import INK_PX

Ink = NDArray[np.float32]

PAIRS = (("A", "B"), ("A", "C"), ("C", "B"), ("A", "D"), ("C", "D"))
LAYOUT = small_layout(PAIRS)
ODDS = np.array([-5.0, 4.0, 4.0, 1.0, -7.0])
WHOLE = Ruled(0, ("A", "C", "B"), 20.0, True)


def draw(ink: Ink, start: tuple[float, float], stop: tuple[float, float], pen_px: int = 1) -> None:
    """A straight line between two places, in board widths."""
    ends = [[round((v / RADIUS * INK_PX - 0.5) * 16) for v in spot] for spot in (start, stop)]
    cv2.line(ink, ends[0], ends[1], 1.0, pen_px, cv2.LINE_AA, 4)


def beside(region: str, radii: float) -> tuple[float, float]:
    """A place so far to the right of a disc's centre."""
    return DISCS[region][0] + radii * RADIUS, DISCS[region][1]


def across() -> Ink:
    """One line from A to B, over C."""
    ink = empty_ink(LAYOUT)
    draw(ink, beside("A", 1), beside("B", -1))
    return ink


def two_lines(number: bool = True) -> Ink:
    """A line from A to C and one from C to B, and a 4 in C."""
    ink = empty_ink(LAYOUT)
    draw(ink, beside("A", 1), beside("C", -1))
    draw(ink, beside("C", 1), beside("B", -1))
    if number:
        x, y = DISCS["C"]
        r = RADIUS
        draw(ink, (x - 0.1 * r, y - 0.6 * r), (x - 0.4 * r, y + 0.1 * r))
        draw(ink, (x - 0.4 * r, y + 0.1 * r), (x + 0.4 * r, y + 0.1 * r))
        draw(ink, (x + 0.1 * r, y - 0.2 * r), (x + 0.1 * r, y + 0.6 * r))
    return ink


def judged(ink: Ink, legs: dict[frozenset[str], float] | None = None, marks: Ink | None = None) -> list[float]:
    marks = np.zeros_like(ink) if marks is None else marks
    return [float(v) for v in believed_across(ODDS, ink, marks, LAYOUT, lambda: legs or {})]


def test_a_line_across_a_disc_is_one_and_not_two() -> None:
    ink = across()
    assert ruled_lines(ink, np.zeros_like(ink), LAYOUT) == [WHOLE]
    assert judged(ink) == [KNOWN[0], KNOWN[1], KNOWN[1], 1.0, -7.0]


@pytest.mark.parametrize("number", [True, False])
def test_two_lines_that_end_at_a_disc_stay_two(number: bool) -> None:
    """Whatever is written in it does not go on from one to the other."""
    assert judged(two_lines(number)) == ODDS.tolist()


def test_a_number_in_the_disc_does_not_hide_the_line_across_it() -> None:
    assert judged(np.maximum(across(), two_lines()))[0] == KNOWN[0]


def test_a_leg_of_a_drawn_tour_is_no_part_of_a_line_across_a_disc() -> None:
    """What the tour explains needs no other line; a leg elsewhere says nothing."""
    assert judged(across(), {frozenset("AC"): LEG + 1}) == ODDS.tolist()
    assert judged(across(), {frozenset("CD"): LEG + 1})[0] == KNOWN[0]


def test_where_a_tour_is_drawn_the_line_is_in_doubt() -> None:
    tour = {frozenset(("D", str(k))): LEG + 1 for k in range(TOURED)}
    assert judged(across(), tour)[:3] == [LIKELY[0], LIKELY[1], LIKELY[1]]


def test_a_line_that_wants_some_ink_leaves_everything_in_doubt() -> None:
    ink = across()
    ink[:, round(0.28 / RADIUS * INK_PX) : round(0.32 / RADIUS * INK_PX)] = 0
    assert judged(ink)[:3] == [OPEN[0], OPEN[1], OPEN[1]]


def test_under_a_marked_box_nobody_knows_whether_a_line_goes_on() -> None:
    """A small one does not matter, whether there is ink; one that fills the way between two discs does."""
    ink, small, large = across(), np.zeros_like(across()), np.zeros_like(across())
    small[:, round(0.29 / RADIUS * INK_PX) : round(0.31 / RADIUS * INK_PX)] = 1
    large[:, round(0.23 / RADIUS * INK_PX) : round(0.37 / RADIUS * INK_PX)] = 1
    ink[small > 0] = 0
    assert judged(ink, marks=small)[0] == KNOWN[0]
    assert judged(ink, marks=large) == ODDS.tolist()


def test_of_a_long_line_no_part_is_told_beside_it() -> None:
    """The four discs in a row: the line goes from the first to the last, and the shorter pairs on it are explained."""
    row = {"A": (0.1, 0.3), "B": (0.3, 0.3), "C": (0.5, 0.3), "D": (0.7, 0.3)}
    pairs = (("A", "D"), ("A", "C"), ("B", "D"), ("A", "B"))
    base = small_layout(pairs)
    layout = CityLayout(
        base.aspect,
        base.radius,
        row,
        {},
        {},
        pairs,
        base.lawful,
        base.linked,
        base.scale,
        base.shift,
        base.looks,
        base.printed,
    )
    ink = empty_ink(layout)
    draw(ink, (0.12, 0.3), (0.68, 0.3))
    (line,) = ruled_lines(ink, np.zeros_like(ink), layout)
    assert line.stops == ("A", "B", "C", "D") and line.sure
    assert believed_across(np.full(4, 2.0), ink, np.zeros_like(ink), layout, dict).tolist() == [
        KNOWN[0],
        *[KNOWN[1]] * 3,
    ]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_without_a_line_nothing_changes(seed: int) -> None:
    """Strokes here and there, as of other marks, are no line across."""
    rng = np.random.default_rng(seed)
    ink = empty_ink(LAYOUT)
    for _ in range(6):
        x, y = rng.uniform([0.1, 0.1], [0.7, 0.5])
        draw(ink, (x, y), (x + rng.uniform(-0.05, 0.05), y + rng.uniform(-0.05, 0.05)))
    assert judged(ink) == ODDS.tolist()
