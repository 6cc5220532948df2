"""Movements of neighbours are alike, and a measurement that fits no other tells little."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv.vision.gaussian import matern, robust_pull

PLACES = np.random.default_rng(1).uniform(0, 1, (24, 2))


@given(length=st.floats(0.05, 2.0), amplitude=st.floats(0.01, 1.0))
def test_covariances_are_symmetric_positive_and_fall_with_distance(length: float, amplitude: float) -> None:
    cover = matern(PLACES, PLACES, length, amplitude)
    assert np.allclose(cover, cover.T)
    assert np.allclose(np.diag(cover), amplitude**2)
    assert np.linalg.eigvalsh(cover).min() > -1e-9 * amplitude**2
    near = np.hypot(*(PLACES[0] - PLACES).T).argsort()
    assert (np.diff(cover[0, near]) <= 1e-12).all()


def test_leave_one_out_residuals_are_those_of_a_process_without_the_measurement() -> None:
    rng = np.random.default_rng(2)
    cover, spread = matern(PLACES, PLACES, 0.5, 0.3), np.full(len(PLACES), 0.05)
    residuals = rng.multivariate_normal(np.zeros(len(PLACES)), cover + np.diag(spread**2), size=2).T
    _, alone = robust_pull(cover, residuals, spread, tolerated=np.inf, rounds=1)
    for k in range(len(PLACES)):
        others = np.arange(len(PLACES)) != k
        weights = np.linalg.solve(cover[np.ix_(others, others)] + np.diag(spread[others] ** 2), residuals[others])
        assert alone[k] == pytest.approx(residuals[k] - cover[k, others] @ weights)


def test_one_false_measurement_hardly_moves_the_others() -> None:
    cover, spread = matern(PLACES, PLACES, 0.5, 0.3), np.full(len(PLACES), 0.02)
    residuals = np.repeat(0.2 * PLACES[:, :1], 2, axis=1)
    false = residuals.copy()
    false[5] += 2.0
    true = cover @ robust_pull(cover, residuals, spread, 4.0, 4)[0]
    moved = cover @ robust_pull(cover, false, spread, 4.0, 4)[0]
    trusting = cover @ robust_pull(cover, false, spread, np.inf, 1)[0]
    others = np.arange(len(PLACES)) != 5
    led_astray, trusted = (float(np.abs(one - true)[others].mean()) for one in (moved, trusting))
    assert led_astray < 0.2 * trusted
