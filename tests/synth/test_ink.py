"""Ink of a mark: what is circled has a line round it, whatever the recordings hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ontour_cv.board import Kind, Mark
from ontour_cv.synth.ink import LEAST_RING, cell_strokes
from ontour_cv.synth.strokes import RecordedHand, parametric_hand, sample_writer

DOT = np.zeros((1, 2))
SPECK = 0.3 * np.array([[0.5, 0.0], [0.0, 0.5], [-0.5, 0.0], [0.0, -0.5], [0.5, 0.0]])


@pytest.mark.parametrize("left", [DOT, SPECK], ids=["dot", "speck"])
@pytest.mark.parametrize("seed", range(8))
def test_a_circled_number_is_ringed_even_where_the_recorded_ring_is_no_more_than_a_dot(
    left: np.ndarray, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    hand = parametric_hand(rng)
    writer = replace(sample_writer(rng, hand), hand=RecordedHand({"o": [[left]]}, hand))
    strokes = cell_strokes(Mark(Kind.NUMBER, 42, True), (0.0, 0.0), 1.0, writer, rng)
    widest = max(float(np.ptp(stroke.points_board, axis=0).min()) for stroke in strokes)
    assert widest > LEAST_RING
