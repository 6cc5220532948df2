"""Maps fitted together are those fitted one by one, and those that other programs fit."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ontour_cv.vision.fits import fit_all, fit_robust, laid

Array = NDArray[np.float64]


def some(seed: int, maps: int = 5, points: int = 20) -> tuple[Array, Array, Array]:
    """Board points, where tilted boards have them but for a little noise, and weights, a third of them 0."""
    rng = np.random.default_rng(seed)
    board = rng.uniform(0, 1, (points, 2))
    true = np.tile(np.eye(3), (maps, 1, 1)) * [900.0, 900.0, 1.0]
    true[:, :2] += rng.normal(0, 150, (maps, 2, 3))
    true[:, 2, :2] += rng.normal(0, 0.15, (maps, 2))
    weights = rng.uniform(0.2, 1.0, (maps, points)) * (rng.random((maps, points)) > 0.33)
    weights[:, :8] = 1.0  # enough of them
    return board, laid(true, board) + rng.normal(0, 1.0, (maps, points, 2)), weights


@given(st.integers(0, 10_000))
def test_each_of_many_is_the_one_fitted_to_its_own_points(seed: int) -> None:
    """A place without a weight is as if it were not there, wherever it is said to be."""
    board, photo, weights = some(seed)
    elsewhere = np.where(weights[..., None] > 0, photo, 1e5)
    matrices, fine = fit_all(board, elsewhere, weights, np.ones(len(photo), dtype=bool), rounds=3)
    assert fine.all()
    for matrix, places, weight in zip(matrices, photo, weights, strict=True):
        used = weight > 0
        alone = fit_robust(board[used], places[used], weight[used], rounds=3)
        assert alone is not None
        np.testing.assert_allclose(matrix, alone, rtol=1e-6, atol=1e-6)


@given(st.integers(0, 10_000))
def test_a_homography_is_the_one_opencv_fits_where_points_agree(seed: int) -> None:
    board, photo, _ = some(seed, maps=1)
    true, _ = cv2.findHomography(board, photo[0])
    exact = laid(true[None], board)[0]
    matrix = fit_robust(board, exact, np.ones(len(board)), rounds=1)
    assert matrix is not None
    np.testing.assert_allclose(laid(matrix[None], board)[0], exact, atol=1e-5)


@given(st.integers(0, 10_000))
def test_an_affine_map_is_the_one_of_least_squares(seed: int) -> None:
    board, photo, weights = some(seed)
    matrices, fine = fit_all(board, photo, weights, np.zeros(len(photo), dtype=bool), rounds=1)
    assert fine.all()
    for matrix, places, weight in zip(matrices, photo, weights, strict=True):
        root = np.sqrt(weight)[:, None]
        rows = np.column_stack([board, np.ones(len(board))]) * root
        expected = np.linalg.lstsq(rows, places * root, rcond=None)[0].T
        np.testing.assert_allclose(matrix, np.vstack([expected, [0.0, 0.0, 1.0]]), rtol=1e-6, atol=1e-6)


@given(st.integers(0, 10_000))
def test_a_point_that_goes_its_own_way_pulls_little(seed: int) -> None:
    board, photo, _ = some(seed, maps=1, points=30)
    wild = photo[0].copy()
    wild[0] += 300.0
    matrix = fit_robust(board, wild, np.ones(30), rounds=8)
    assert matrix is not None
    assert np.median(np.linalg.norm(laid(matrix[None], board)[0] - photo[0], axis=1)) < 3.0


@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize("rounds", [1, 3])
def test_of_points_on_a_line_no_map_is_known_and_the_others_are_fitted_all_the_same(
    projective: bool, rounds: int
) -> None:
    board, photo, weights = some(1, maps=2)
    line = np.repeat(np.linspace(0, 1, 20)[:, None], 2, axis=1)
    for places, fine in ((line, [False, False]), (board, [True, True])):
        assert fit_all(places, photo, weights, np.full(2, projective), rounds=rounds)[1].tolist() == fine
    weights[0] = 0.0
    weights[0, :2] = 1.0
    matrices, fine = fit_all(board, photo, weights, np.full(2, projective), rounds=rounds)
    assert fine.tolist() == [False, True]
    assert np.isfinite(matrices).all()


def test_nothing_is_fitted_to_nothing() -> None:
    matrices, fine = fit_all(np.zeros((5, 2)), np.zeros((0, 5, 2)), np.zeros((0, 5)), np.zeros(0, dtype=bool))
    assert matrices.shape == (0, 3, 3)
    assert fine.shape == (0,)
