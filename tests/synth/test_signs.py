"""Marks as few people make them: what they are stays what it was."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ontour_cv.board import Kind, Mark
from ontour_cv.synth.ink import cell_strokes, coverage
from ontour_cv.synth.signs import CROSSES, OVERLINED, SETTINGS, STACKED, STARS, UNDERLINED, set_otherwise, sign
from ontour_cv.synth.strokes import Polyline, Writer, run_along, sample_writer

MARKS = {"cross": (CROSSES, "x", Mark(Kind.BLOCKED)), "star": (STARS, "*", Mark(Kind.STAR))}
FORMS = [(what, form) for what, (forms, _, _) in MARKS.items() for form in forms]

GLYPH = [np.array([[-0.3, -0.5], [0.3, 0.5]])]
"""A digit as hands give them: round the origin, 1 high."""


def somebody(seed: int, **habits: str) -> Writer:
    return replace(sample_writer(np.random.default_rng(seed)), **habits)


def extent(strokes: list[Polyline]) -> tuple[np.ndarray, np.ndarray]:
    every = np.concatenate(strokes)
    return every.min(axis=0), every.max(axis=0)


@pytest.mark.parametrize(("what", "form"), FORMS)
@pytest.mark.parametrize("seed", range(6))
def test_a_sign_of_any_form_lies_round_the_middle_with_longer_side_one(what: str, form: str, seed: int) -> None:
    strokes = sign(MARKS[what][1], somebody(seed, **{what: form}), np.random.default_rng(seed))
    low, high = extent(strokes)
    assert (high - low).max() == pytest.approx(1.0)
    assert low + high == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(("what", "form"), FORMS)
def test_only_that_mark_is_made_otherwise(what: str, form: str) -> None:
    """The other sign, numbers and circles are what they were, to the last point."""
    usual, odd = somebody(3), somebody(3, **{what: form})
    other = MARKS["star" if what == "cross" else "cross"][2]
    for mark in (other, Mark(Kind.NUMBER, 42), Mark(Kind.NUMBER, 42, True)):
        one, two = (cell_strokes(mark, (0.0, 0.0), 1.0, who, np.random.default_rng(4)) for who in (usual, odd))
        assert all(np.array_equal(a.points_board, b.points_board) for a, b in zip(one, two, strict=True))
    one, two = (cell_strokes(MARKS[what][2], (0.0, 0.0), 1.0, who, np.random.default_rng(4)) for who in (usual, odd))
    assert not np.array_equal(one[0].points_board, two[0].points_board)


def test_a_blackened_disc_has_more_ink_than_a_scribble_and_that_more_than_a_stroke() -> None:
    matrix = np.array([[40.0, 0, 80], [0, 40, 80]])
    ink = {}
    for form in ("blackened", "scribble", "slash"):
        who = replace(somebody(1, cross=form), pen=0.12, x_size=1.6)
        drawn = (cell_strokes(Mark(Kind.BLOCKED), (0.0, 0.0), 1.0, who, np.random.default_rng(k)) for k in range(40))
        ink[form] = np.mean([coverage(strokes, matrix, (160, 160)).sum() for strokes in drawn])
    assert ink["blackened"] > 1.05 * ink["scribble"] > 2 * ink["slash"]


def row(count: int) -> list[list[Polyline]]:
    """Digits beside one another."""
    return [[stroke + np.array([0.8 * k, 0.0]) for stroke in GLYPH] for k in range(count)]


def test_a_row_stays_a_row() -> None:
    digits = row(2)
    strokes = set_otherwise(digits, somebody(1), np.random.default_rng(1))
    assert all(np.array_equal(a, b) for a, b in zip(strokes, [s for digit in digits for s in digit], strict=True))


@pytest.mark.parametrize("seed", range(6))
def test_stacked_digits_stand_one_above_the_other_and_a_single_one_where_it_was(seed: int) -> None:
    who = somebody(seed, setting=STACKED)
    tens, ones = set_otherwise(row(2), who, np.random.default_rng(seed))
    assert tens[:, 1].max() < ones[:, 1].min()
    assert abs(tens[:, 0].mean() - ones[:, 0].mean()) < 0.4
    low, high = extent([tens, ones])
    assert abs(low[1] + high[1]) < 0.4
    (single,) = set_otherwise(row(1), who, np.random.default_rng(seed))
    assert np.array_equal(single, GLYPH[0])


@pytest.mark.parametrize(("setting", "below"), [(OVERLINED, False), (UNDERLINED, True)])
def test_a_line_runs_along_the_whole_number_without_touching_it(setting: str, below: bool) -> None:
    *digits, line = set_otherwise(row(2), somebody(2, setting=setting), np.random.default_rng(2))
    low, high = extent(digits)
    assert (line[:, 1].min() > high[1]) if below else (line[:, 1].max() < low[1])
    assert run_along(line)[-1] == pytest.approx(high[0] - low[0], abs=0.2)


def test_every_setting_has_its_rule_above() -> None:
    assert set(SETTINGS) == {STACKED, OVERLINED, UNDERLINED}
