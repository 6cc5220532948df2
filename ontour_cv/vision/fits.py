"""Board to photo, flat: homographies fitted robustly, many at once.

A constellation is matched by growing some hundred guesses (``constellation``), each fitted eight times twice over. One
by one nearly all of that time was spent on handing forty points to small matrix routines; together it is spent on them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points

Array = NDArray[np.float64]
_Fits = tuple[Array, NDArray[np.bool_]]
"""``(K, 3, 3)`` matrices, and ``(K,)`` which of them are fits."""

FLAT = 1e-12
"""Points lie on a line where their scatter across it is less than this share of that along it."""


def fit_robust(
    board: Points, photo: Points, weights: Array, *, projective: bool = True, rounds: int = 2
) -> Array | None:
    """One map ``(3, 3)`` fitted so, see :func:`fit_all`; None when degenerate."""
    matrices, fine = fit_all(board, photo[None], weights[None], np.array([projective]), rounds=rounds)
    return matrices[0] if fine[0] else None


def fit_all(board: Points, photo: Array, weights: Array, projective: NDArray[np.bool_], *, rounds: int = 2) -> _Fits:
    """Maps fitted by iteratively re-weighted least squares with Cauchy weights.

    Args:
        board: ``(N, 2)`` places all of them start from.
        photo: ``(K, N, 2)`` where each lays them; anything finite where the weight is 0.
        weights: ``(K, N)``, 0 for a place that is not fitted.
        projective: ``(K,)`` which may be homographies; the others stay affine.
        rounds: fits of each, all but the first weighed by how far the one before leaves each place.

    Returns:
        ``(K, 3, 3)`` matrices, and ``(K,)`` which of them are fits: the others were degenerate.
    """
    matrices, fine = np.tile(np.eye(3), (len(photo), 1, 1)), np.zeros(len(photo), dtype=bool)
    for solve, which in ((_homographies, projective), (_affines, ~projective)):
        if which.any():
            matrices[which], fine[which] = _robustly(solve, board, photo[which], weights[which], rounds)
    return matrices, fine


def _robustly(
    solve: Callable[[_Frame, Array], _Fits], board: Points, photo: Array, weights: Array, rounds: int
) -> _Fits:
    """Maps of one kind, all weighed anew by how far the last fit leaves each place; as :func:`fit_all`."""
    used = weights > 0
    frame = _Frame.of(board, photo, used)
    matrices, fine = solve(frame, weights)
    for _ in range(rounds - 1):
        error = np.linalg.norm(laid(matrices, board) - photo, axis=2)
        middle = np.maximum(_median(error, used), 1e-6)
        matrices, again = solve(frame, weights / (1.0 + (error / (2.5 * middle[:, None])) ** 2))
        fine = fine & again
    return matrices, fine


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """Places brought near the origin, as a fit needs them (Hartley 1997).

    Attributes:
        at: ``(K, N, 3)`` places on the board, homogeneous.
        to: ``(K, N, 2)`` places in the photo.
        back, forth: ``(K, 3, 3)`` what brought board and photo there.
    """

    at: Array
    to: Array
    back: Array
    forth: Array

    @classmethod
    def of(cls, board: Points, photo: Array, used: NDArray[np.bool_]) -> _Frame:
        """The frame of those places that are used, ``(K, N)``."""
        at, back = _normalised(np.broadcast_to(board, photo.shape), used)
        to, forth = _normalised(photo, used)
        return cls(np.concatenate([at, np.ones((*used.shape, 1))], axis=2), to, back, forth)


def _homographies(frame: _Frame, weights: Array) -> _Fits:
    """Weighted homographies by the normalised direct linear transform (Hartley 1997)."""
    p, u, v = frame.at, frame.to[..., 0], frame.to[..., 1]
    # The normal equations of the rows (p, 0, -u p) and (0, p, -v p), put together from 3 x 3 blocks.
    factors = np.stack([np.ones_like(u), -u, -v, u * u + v * v], axis=2) * weights[..., None]
    weighted = (factors[..., None] * p[:, :, None]).reshape(*u.shape, 12)
    blocks = p.transpose(0, 2, 1) @ weighted
    normal = np.zeros((len(u), 9, 9))
    normal[:, :3, :3] = normal[:, 3:6, 3:6] = blocks[..., :3]
    normal[:, :3, 6:] = normal[:, 6:, :3] = blocks[..., 3:6]
    normal[:, 3:6, 6:] = normal[:, 6:, 3:6] = blocks[..., 6:9]
    normal[:, 6:, 6:] = blocks[..., 9:]
    values, vectors = np.linalg.eigh(normal)
    matrices = np.linalg.inv(frame.forth) @ vectors[:, :, 0].reshape(-1, 3, 3) @ frame.back
    corner = matrices[:, 2, 2]
    fine = (values[:, 1] >= 1e-9) & (np.abs(corner) > 1e-12)
    return _fits(matrices / np.where(fine, corner, 1.0)[:, None, None], fine)


def _affines(frame: _Frame, weights: Array) -> _Fits:
    """Weighted affine maps, degenerate where the points lie on a line."""
    weighted = (frame.at * weights[..., None]).transpose(0, 2, 1)
    normal = weighted @ frame.at
    spread = np.linalg.eigvalsh(normal)
    fine = spread[:, 0] > FLAT * spread[:, 2]
    matrices = np.tile(np.eye(3), (len(weights), 1, 1))
    matrices[fine, :2] = np.linalg.solve(normal[fine], weighted[fine] @ frame.to[fine]).transpose(0, 2, 1)
    return _fits(np.linalg.inv(frame.forth) @ matrices @ frame.back, fine)


def laid(matrices: Array, board: Points) -> Array:
    """Places ``(K, N, 2)`` of board points ``(N, 2)`` under each of ``(K, 3, 3)`` matrices."""
    turned = board @ matrices[:, :, :2].transpose(0, 2, 1) + matrices[:, None, :, 2]
    return np.asarray(turned[..., :2] / turned[..., 2:], dtype=np.float64)


def _normalised(points: Array, which: NDArray[np.bool_]) -> tuple[Array, Array]:
    """Those points that are used brought to mean 0 and mean distance ``sqrt(2)``, and the ``(K, 3, 3)`` maps."""
    used = which[..., None]
    count = np.maximum(used.sum(axis=1), 1)
    middle = (points * used).sum(axis=1) / count
    away = (points - middle[:, None]) * used
    scale = np.sqrt(2) / np.maximum(np.linalg.norm(away, axis=2).sum(axis=1) / count[:, 0], 1e-9)
    maps = np.zeros((len(points), 3, 3))
    maps[:, 0, 0] = maps[:, 1, 1] = scale
    maps[:, :2, 2] = -scale[:, None] * middle
    maps[:, 2, 2] = 1.0
    return away * scale[:, None, None], maps


def _median(values: Array, used: NDArray[np.bool_]) -> Array:
    """The median of each row's values that are used; 0 for a row without any."""
    count = used.sum(axis=1)
    rows = np.sort(np.where(used, values, np.inf), axis=1)
    at = np.stack([np.maximum(count - 1, 0) // 2, np.minimum(count // 2, rows.shape[1] - 1)], axis=1)
    return np.where(count > 0, np.take_along_axis(rows, at, axis=1).mean(axis=1), 0.0)


def _fits(matrices: Array, fine: NDArray[np.bool_]) -> _Fits:
    """The matrices that are fits and finite; the identity in place of the others."""
    fine = fine & np.isfinite(matrices).all(axis=(1, 2))
    return np.where(fine[:, None, None], matrices, np.eye(3)), fine
