"""Marks in boxes of any manner: near their box, never empty, much alike from time to time, of every kind."""

from __future__ import annotations

import numpy as np
import pytest

from ontour_cv.synth.box_marks import sample_free_mark


@pytest.mark.parametrize("seed", range(60))
def test_a_mark_lies_about_its_box(seed: int) -> None:
    rng = np.random.default_rng(seed)
    mark = sample_free_mark(rng)
    for _ in range(3):
        points = np.concatenate(mark.drawn(rng))
        assert np.isfinite(points).all()
        assert np.abs(points).max() < 2.0
        assert np.linalg.norm(points, axis=1).min() < 1.0


def test_a_player_repeats_the_mark_a_little_differently() -> None:
    rng = np.random.default_rng(1)
    mark = next(mark for mark in iter(lambda: sample_free_mark(rng), None) if not mark.anew)
    one, other = mark.drawn(rng), mark.drawn(rng)
    assert [len(stroke) for stroke in one] == [len(stroke) for stroke in other]
    away = np.abs(np.concatenate(one) - np.concatenate(other))
    assert 0 < away.max() < 0.6


def test_strokes_lean_every_way_and_pens_are_of_every_kind() -> None:
    rng = np.random.default_rng(2)
    marks = [sample_free_mark(rng) for _ in range(600)]
    single = [mark.shapes[0] for mark in marks if len(mark.shapes) == 1 and len(mark.shapes[0]) > 2]
    leans = [np.arctan2(*(stroke[-1] - stroke[0])[::-1]) % np.pi for stroke in single]
    assert np.histogram(leans, bins=6, range=(0, np.pi))[0].min() > 15
    pens = [mark.pen for mark in marks]
    assert 0.6 < sum(pen is None for pen in pens) / len(pens) < 0.9
    assert any(pen and pen[0] > 0.5 for pen in pens)
    assert any(pen and pen[0] < 0.15 for pen in pens)
