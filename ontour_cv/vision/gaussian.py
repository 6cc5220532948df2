"""Gaussian processes of bent boards and curled sheets: how alike places move, and what measurements say together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points

Array = NDArray[np.float64]


def matern(one: Points, other: Points, length: float, amplitude: float) -> Array:
    """Covariances ``(N, M)`` of how places ``(N, 2)`` and ``(M, 2)`` move.

    Matern 3/2 (Rasmussen & Williams 2006, equation 4.17): bends, but with kinks allowed, as at a fold.

    Args:
        one: places.
        other: the others.
        length: over what distance movements are alike, in their unit.
        amplitude: standard deviation of a movement.
    """
    across, down = (one[:, k, None] - other[None, :, k] for k in (0, 1))
    # In place: laying a sheet asks for some hundred million covariances, and memory costs more than arithmetic.
    root = np.sqrt(across * across + down * down)
    root *= np.sqrt(3.0) / length
    fall = np.exp(-root)
    root += 1.0
    root *= fall
    root *= amplitude**2
    return np.asarray(root, dtype=np.float64)


def robust_pull(cover: Array, residuals: Array, spread: Array, tolerated: float, rounds: int) -> tuple[Array, Array]:
    """Weights of the mean through measurements, those that fit no other counting less.

    Args:
        cover: ``(N, N)`` covariances of what was measured.
        residuals: ``(N, K)`` the measurements, ``K`` components each.
        spread: ``(N,)`` their standard deviations.
        tolerated: the squared surprise, in variances, from which a measurement counts less (as by a Student t).
        rounds: how often they are weighed.

    Returns:
        Weights ``(N, K)``, and leave-one-out residuals ``(N, K)`` (the same, equation 5.12).
    """
    variance = spread**2
    noise = variance
    pull = alone = np.zeros_like(residuals)
    for _ in range(rounds):
        inverse = np.linalg.inv(cover + np.diag(noise))
        pull = inverse @ residuals
        alone = pull / np.diag(inverse)[:, None]
        expected = 1.0 / np.diag(inverse) + variance - noise
        surprise = (alone**2).sum(axis=1) / np.maximum(expected, variance)
        noise = variance * (1.0 + np.maximum(surprise - tolerated, 0.0))
    return pull, alone
