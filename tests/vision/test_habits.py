"""Digits of one sheet speak for one another: what looks alike is rather the same, and nothing else is touched."""

from __future__ import annotations

import numpy as np
import pytest

from ontour_cv.vision.glyphs import log_softmax
from ontour_cv.vision.habits import TOGETHER, with_habits

SURE, TORN = 12.0, 1.0


def sheet(kinds: list[int], doubt: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Digits of ``kinds``, each written alike whenever it is written; the last is torn between its own kind and 5."""
    rng = np.random.default_rng(seed)
    shapes = rng.normal(0, 1, (6, 20))
    features = shapes[kinds] + rng.normal(0, 0.1, (len(kinds), 20))
    logits = np.zeros((len(kinds), 6))
    logits[np.arange(len(kinds)), kinds] = SURE
    logits[-1] = -9.0
    logits[-1, kinds[-1]], logits[-1, 5] = 0.0, doubt
    return log_softmax(logits), features


def test_a_doubtful_digit_follows_those_that_look_like_it() -> None:
    digits, features = sheet([0, 1, 2, 3, 5, 0, 1, 5, 0], TORN)
    assert digits[-1].argmax() == 5
    assert with_habits(digits, np.ones(9), features)[-1].argmax() == 0


def test_a_digit_that_is_clear_stays_whatever_it_looks_like() -> None:
    digits, features = sheet([0, 1, 2, 3, 5, 0, 1, 5, 0], TORN)
    digits[-1] = log_softmax(np.where(np.arange(6) == 5, 15.0, 0.0))
    assert with_habits(digits, np.ones(9), features)[-1].argmax() == 5


def test_where_nothing_is_alike_a_digit_is_left_as_it_was_but_no_surer() -> None:
    features = np.eye(8)
    digits = log_softmax(np.random.default_rng(1).normal(0, 1, (8, 6)))
    assert with_habits(digits, np.ones(8), features) == pytest.approx(log_softmax(TOGETHER * digits), abs=0.05)


def test_blank_cells_have_no_vote() -> None:
    digits, features = sheet([0, 1, 2, 3, 5, 0, 1, 5, 0], TORN)
    number = np.ones(9)
    number[[0, 5]] = 0.0
    assert with_habits(digits, number, features)[-1].argmax() == 5


def test_the_order_of_the_cells_does_not_matter() -> None:
    digits, features = sheet([0, 1, 2, 3, 5, 0, 1, 5, 0], TORN)
    order = np.random.default_rng(2).permutation(9)
    number = np.linspace(0.2, 1.0, 9)
    one = with_habits(digits, number, features)[order]
    assert with_habits(digits[order], number[order], features[order]) == pytest.approx(one)
    assert np.exp(one).sum(axis=1) == pytest.approx(np.ones(9))


def test_a_sheet_without_any_number_is_no_error() -> None:
    digits = np.full((5, 6), -np.log(6))
    assert np.isfinite(with_habits(digits, np.zeros(5), np.zeros((5, 3)))).all()
