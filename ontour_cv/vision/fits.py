"""Board to photo, flat: homographies fitted robustly, many at once.

A constellation is matched by growing some hundred guesses (``constellation``), each fitted eight times twice over. One
by one nearly all of that time was spent on handing forty points to small matrix routines; together it is spent on them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points

Array = NDArray[np.float64]

FLAT = 1e-12
"""Points lie on a line where their scatter across it is less than this share of that along it."""


def fit_homography(board: Points, photo: Points, weights: Array) -> Array | None:
    """Weighted homography ``(3, 3)``, see :func:`fit_homographies`; None when degenerate."""
    return _only(*fit_homographies(board, photo[None], weights[None]))


def fit_robust(
    board: Points, photo: Points, weights: Array, *, projective: bool = True, rounds: int = 2
) -> Array | None:
    """The same by iteratively re-weighted least squares, see :func:`fit_all`; None when degenerate."""
    return _only(*fit_all(board, photo[None], weights[None], np.array([projective]), rounds=rounds))


def fit_all(
    board: Points, photo: Array, weights: Array, projective: NDArray[np.bool_], *, rounds: int = 2
) -> tuple[Array, NDArray[np.bool_]]:
    """Maps fitted by iteratively re-weighted least squares with Cauchy weights.

    Args:
        board: ``(N, 2)`` places all of them start from.
        photo: ``(K, N, 2)`` where each lays them; anything finite where the weight is 0.
        weights: ``(K, N)``, 0 for a place that is not fitted.
        projective: ``(K,)`` which may be homographies; the others stay affine.
        rounds: of weighing anew.

    Returns:
        ``(K, 3, 3)`` matrices, and ``(K,)`` which of them are fits: the others were degenerate.
    """
    matrices, fine = np.tile(np.eye(3), (len(photo), 1, 1)), np.ones(len(photo), dtype=bool)
    robust = weights
    for _ in range(rounds):
        for fit, which in ((fit_homographies, fine & projective), (fit_affines, fine & ~projective)):
            if which.any():
                matrices[which], fine[which] = fit(board, photo[which], robust[which])
        error = np.linalg.norm(laid(matrices, board) - photo, axis=2)
        middle = np.maximum(_median(error, weights > 0), 1e-6)
        robust = weights / (1.0 + (error / (2.5 * middle[:, None])) ** 2)
    return matrices, fine


def fit_homographies(board: Points, photo: Array, weights: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Weighted homographies by the normalised direct linear transform (Hartley 1997); as :func:`fit_all`."""
    at, back = _normalised(np.broadcast_to(board, photo.shape), weights)
    to, forth = _normalised(photo, weights)
    u, v = to[..., 0], to[..., 1]
    p = np.concatenate([at, np.ones((*u.shape, 1))], axis=2)
    # The normal equations of the rows (p, 0, -u p) and (0, p, -v p), put together from 3 x 3 blocks.
    factors = (np.ones_like(u), -u, -v, u * u + v * v)
    plain, mixed_u, mixed_v, last = (p.transpose(0, 2, 1) @ (p * (weights * factor)[..., None]) for factor in factors)
    normal = np.zeros((len(photo), 9, 9))
    normal[:, :3, :3] = normal[:, 3:6, 3:6] = plain
    normal[:, :3, 6:] = normal[:, 6:, :3] = mixed_u
    normal[:, 3:6, 6:] = normal[:, 6:, 3:6] = mixed_v
    normal[:, 6:, 6:] = last
    values, vectors = np.linalg.eigh(normal)
    matrices = np.linalg.inv(forth) @ vectors[:, :, 0].reshape(-1, 3, 3) @ back
    corner = matrices[:, 2, 2]
    fine = (values[:, 1] >= 1e-9) & (np.abs(corner) > 1e-12)
    return _fits(matrices / np.where(fine, corner, 1.0)[:, None, None], fine)


def fit_affines(board: Points, photo: Array, weights: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Weighted affine maps; as :func:`fit_all`, degenerate where the points lie on a line."""
    at, back = _normalised(np.broadcast_to(board, photo.shape), weights)
    p = np.concatenate([at, np.ones((*weights.shape, 1))], axis=2)
    weighted = (p * weights[..., None]).transpose(0, 2, 1)
    normal = weighted @ p
    spread = np.linalg.eigvalsh(normal)
    fine = spread[:, 0] > FLAT * spread[:, 2]
    matrices = np.tile(np.eye(3), (len(photo), 1, 1))
    matrices[fine, :2] = np.linalg.solve(normal[fine], weighted[fine] @ photo[fine]).transpose(0, 2, 1)
    return _fits(matrices @ back, fine)


def laid(matrices: Array, board: Points) -> Array:
    """Places ``(K, N, 2)`` of board points ``(N, 2)`` under each of ``(K, 3, 3)`` matrices."""
    turned = board @ matrices[:, :, :2].transpose(0, 2, 1) + matrices[:, None, :, 2]
    return np.asarray(turned[..., :2] / turned[..., 2:], dtype=np.float64)


def _normalised(points: Array, weights: Array) -> tuple[Array, Array]:
    """Those points that have a weight brought to mean 0 and mean distance ``sqrt(2)``, and the ``(K, 3, 3)`` maps."""
    used = (weights > 0)[..., None]
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


def _fits(matrices: Array, fine: NDArray[np.bool_]) -> tuple[Array, NDArray[np.bool_]]:
    """The matrices that are fits and finite; the identity in place of the others."""
    fine = fine & np.isfinite(matrices).all(axis=(1, 2))
    return np.where(fine[:, None, None], matrices, np.eye(3)), fine


def _only(matrices: Array, fine: NDArray[np.bool_]) -> Array | None:
    return matrices[0] if fine[0] else None
