"""A board that is bent as a whole is followed however far; a disc that goes its own way bends nothing."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from ontour_cv.geometry import Homography
from ontour_cv.maps.load import load_editions
from ontour_cv.vision.fits import fit_robust
from ontour_cv.vision.warp import Warp, bend

EDITION = load_editions("usa")[0]
BOARD = np.array(list(EDITION.cells.values()))
SCALE = 1000.0
MIDDLE = BOARD.mean(axis=0)


def curled() -> NDArray[np.float64]:
    """True places on a sheet that rises to its middle, by two and a half disc radii."""
    return SCALE * BOARD + np.column_stack([np.zeros(len(BOARD)), 50.0 * np.sin(np.pi * BOARD[:, 0])])


def through_a_lens() -> NDArray[np.float64]:
    """True places as a wide-angle lens shows them: corners drawn in by two disc radii."""
    away = BOARD - MIDDLE
    return np.asarray(SCALE * (MIDDLE + away * (1.0 - 0.35 * (away**2).sum(axis=1, keepdims=True))))


def bent(places: NDArray[np.float64]) -> tuple[Warp, NDArray[np.float64]]:
    """The warp through all of them, and how far each is off from what the others say, disc radii."""
    matrix = fit_robust(BOARD, places, np.ones(len(BOARD)), rounds=3)
    assert matrix is not None
    flat = Homography(matrix, "board", "photo")
    axes = flat.jacobians(BOARD) * EDITION.radius
    residuals = np.einsum("nij,nj->ni", np.linalg.inv(axes), places - flat.apply(BOARD))
    warp, alone = bend(flat, BOARD, residuals, np.full(len(BOARD), 0.05), EDITION.radius)
    return warp, np.hypot(*alone.T)


@pytest.mark.parametrize("places", [curled(), through_a_lens()])
def test_what_bends_the_whole_board_is_not_taken_for_discs_printed_elsewhere(places: NDArray[np.float64]) -> None:
    warp, alone = bent(places)
    assert (np.hypot(*(warp.apply(BOARD) - places).T) / (EDITION.radius * SCALE)).max() < 0.1
    assert alone.max() < 0.35


@pytest.mark.parametrize("places", [SCALE * BOARD, curled()])
def test_a_disc_printed_elsewhere_bends_nothing(places: NDArray[np.float64]) -> None:
    moved, odd = places.copy(), list(EDITION.cells).index("KS")
    moved[odd] += [0.9 * EDITION.radius * SCALE, 0.0]
    warp, alone = bent(moved)
    off = np.hypot(*(warp.apply(BOARD) - places).T) / (EDITION.radius * SCALE)
    assert off.max() < 0.25
    assert alone[odd] == pytest.approx(0.9, abs=0.15)


@pytest.mark.parametrize("places", [curled(), through_a_lens()])
def test_a_curve_goes_on_beyond_the_discs_that_were_found(places: NDArray[np.float64]) -> None:
    """Those of the western third are foretold from all others, far nearer than the flat map has them."""
    west = BOARD[:, 0] < np.quantile(BOARD[:, 0], 0.3)
    matrix = fit_robust(BOARD[~west], places[~west], np.ones((~west).sum()), rounds=3)
    assert matrix is not None
    flat = Homography(matrix, "board", "photo")
    axes = flat.jacobians(BOARD[~west]) * EDITION.radius
    residuals = np.einsum("nij,nj->ni", np.linalg.inv(axes), (places - flat.apply(BOARD))[~west])
    warp, _ = bend(flat, BOARD[~west], residuals, np.full((~west).sum(), 0.05), EDITION.radius)
    off = np.hypot(*(warp.apply(BOARD) - places)[west].T) / (EDITION.radius * SCALE)
    plain = np.hypot(*(flat.apply(BOARD) - places)[west].T) / (EDITION.radius * SCALE)
    assert off.max() < 0.4 * plain.max()
