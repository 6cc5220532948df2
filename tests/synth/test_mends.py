"""Numbers struck out: the other one is drawn first, and the one that counts is whole and has room."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv.board import Kind, Mark
from ontour_cv.synth.ink import cell_strokes, number_strokes
from ontour_cv.synth.mends import PLACES, STRIKES, mended
from ontour_cv.synth.signs import extent
from ontour_cv.synth.strokes import Polyline, Writer, sample_writer

CROP = 1.55
"""Half the side of what is cut of a cell, disc radii."""


def somebody(seed: int) -> Writer:
    return replace(sample_writer(np.random.default_rng(seed)), height=1.0, pen=0.12)


def two(seed: int) -> tuple[list[Polyline], list[Polyline], np.random.Generator]:
    who, rng = somebody(seed), np.random.default_rng(seed)
    return number_strokes(17, who, rng), number_strokes(42, who, rng), rng


@given(st.integers(0, 2000))
def test_the_new_number_keeps_its_shape_stands_aside_and_can_be_seen(seed: int) -> None:
    old, new, rng = two(seed)
    first, then = mended(old, new, rng)
    assert len(first) > len(old)
    assert len(then) == len(new)
    (low, high), (was_low, was_high) = extent(then), extent(new)
    across, down = (high - low) / (was_high - was_low)
    assert across == pytest.approx(down)
    assert 0.55 < across < 1.0
    assert np.abs((low + high) / 2).max() > 0.5
    assert np.abs((low + high) / 2).max() < CROP - 0.3


@given(st.integers(0, 2000))
def test_lines_go_over_most_of_the_old_number(seed: int) -> None:
    old, new, rng = two(seed)
    first, _ = mended(old, new, rng)
    number, lines = extent(first[: len(old)]), extent(first[len(old) :])
    assert np.all(np.abs((number[0] + number[1]) - (lines[0] + lines[1])) < 0.5)
    assert (lines[1] - lines[0])[0] > 0.5 * (number[1] - number[0])[0]


def test_every_place_and_every_way_of_striking_out_occurs() -> None:
    assert sum(PLACES.values()) == pytest.approx(1.0)
    centres, counts = [], set()
    for seed in range(200):
        old, new, rng = two(seed)
        first, then = mended(old, new, rng)
        low, high = extent(then)
        centres.append((low + high) / 2)
        counts.add(len(first) - len(old))
    right, down = np.array(centres).T
    assert (down < -0.5).mean() == pytest.approx(PLACES["above"], abs=0.12)
    assert (down > 0.5).mean() == pytest.approx(PLACES["below"], abs=0.1)
    assert (np.abs(right) > 0.6).mean() >= PLACES["beside"] - 0.1
    assert counts == {1, 2}
    assert len(STRIKES) == 5


def test_only_numbers_are_mended_as_often_as_the_writer_does() -> None:
    usual, mending = somebody(3), replace(somebody(3), mends=0.5)
    for mark in (Mark(Kind.STAR), Mark(Kind.BLOCKED)):
        one, other = (cell_strokes(mark, (0.0, 0.0), 1.0, who, np.random.default_rng(4)) for who in (usual, mending))
        assert all(np.array_equal(a.points_board, b.points_board) for a, b in zip(one, other, strict=True))
    number = Mark(Kind.NUMBER, 42)
    plain = [len(cell_strokes(number, (0.0, 0.0), 1.0, usual, np.random.default_rng(k))) for k in range(300)]
    drawn = [len(cell_strokes(number, (0.0, 0.0), 1.0, mending, np.random.default_rng(k))) for k in range(300)]
    more = np.mean([a > b for a, b in zip(drawn, plain, strict=True)])
    assert more == pytest.approx(0.5, abs=0.1)


def test_two_pens_write_half_of_all_marks_each_and_rings_in_the_colour_of_what_they_circle() -> None:
    who = replace(somebody(5), ink_bgr=(20, 20, 20), second_bgr=(200, 30, 30))
    colours = []
    for k in range(200):
        strokes = cell_strokes(Mark(Kind.NUMBER, 42, True), (0.0, 0.0), 1.0, who, np.random.default_rng(k))
        (colour,) = {stroke.bgr for stroke in strokes}
        colours.append(colour)
    assert set(colours) == {who.ink_bgr, who.second_bgr}
    assert np.mean([colour == who.second_bgr for colour in colours]) == pytest.approx(0.5, abs=0.1)
