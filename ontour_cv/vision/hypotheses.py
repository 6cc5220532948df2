"""First guesses for a constellation match: local similarities from pairs of neighbouring discs.

Two neighbouring candidates, with the tilt their ellipses show, fix a local similarity to two neighbouring regions of
the map. It is kept when the regions around (its witnesses) fall on candidates too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.vision.field import Field, gaps_at

Array = NDArray[np.float64]
Index = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PairSettings:
    """Settings of :func:`hypotheses`.

    Attributes:
        neighbours_photo: candidates paired with each candidate.
        neighbours_board: regions paired with each region.
        first_witnesses: regions near a pair tested first; a hypothesis must find two of them.
        witnesses: all regions around a pair that are tested.
        size_tolerance: largest log ratio between a disc's size and what the pair's distance implies. Wide, because a
            hull may be the inside of a ring, the ring or a player's circle, and editions differ.
        reach: how near a candidate must be to a witness, disc radii.
    """

    neighbours_photo: int = 8
    neighbours_board: int = 6
    first_witnesses: int = 4
    witnesses: int = 10
    size_tolerance: float = 0.42
    reach: float = 0.9


def hypotheses(field: Field, board: Points, radius: float, count: int, cfg: PairSettings) -> list[tuple[Array, Array]]:
    """At most ``count`` guesses, best first: ``(2, 3)`` affine map, board to photo, and the board point it holds at."""
    i, j = _pairs(field.points, cfg.neighbours_photo, 1.5 * field.radii)
    alike = np.abs(np.log(field.radii[i] / field.radii[j])) < cfg.size_tolerance
    i, j = i[alike], j[alike]
    a, b = _pairs(board, cfg.neighbours_board, np.full(len(board), radius))
    if not len(i) or not len(a):
        return []
    root = _root((field.shapes[i] + field.shapes[j]) / 2)
    flat = np.einsum("nij,nj->ni", np.linalg.inv(root), field.points[j] - field.points[i])
    # Complex numbers: multiplying by ``turn`` turns and scales a step on the board into one on the flattened photo.
    turn = (flat @ np.array([1, 1j]))[:, None] / ((board[b] - board[a]) @ np.array([1, 1j]))[None, :]
    size = np.sqrt(field.radii[i] * field.radii[j])
    p, q = np.nonzero(np.abs(np.log(np.abs(turn) * (radius / size[:, None]))) < cfg.size_tolerance)
    z = turn[p, q].astype(np.complex64)
    around = _witnesses(board, a, b, cfg.witnesses)
    steps = ((board[around] - board[a][:, None]) @ np.array([1, 1j])).astype(np.complex64)
    test = _Test(field, root.astype(np.float32), field.points[i].astype(np.float32), radius * cfg.reach)
    first = test.score(z, p, steps[q, : cfg.first_witnesses])
    keep = np.flatnonzero(first >= 1.2)
    p, q, z = p[keep], q[keep], z[keep]
    score = first[keep] + test.score(z, p, steps[q, cfg.first_witnesses :])
    out = []
    for k in np.argsort(-score, kind="stable")[:count]:
        turned = np.array([[z[k].real, -z[k].imag], [z[k].imag, z[k].real]], dtype=np.float64)
        linear = root[p[k]] @ turned
        affine = np.column_stack([linear, field.points[i[p[k]]] - linear @ board[a[q[k]]]])
        out.append((affine, (board[a[q[k]]] + board[b[q[k]]]) / 2))
    return out


@dataclass(frozen=True, slots=True, eq=False)
class _Test:
    """Counts the witnesses of hypotheses; pair ``p`` has its flattening ``root[p]`` and its first disc ``start[p]``."""

    field: Field
    root: NDArray[np.float32]
    start: NDArray[np.float32]
    reach: float

    def score(self, z: NDArray[np.complex64], p: Index, steps: NDArray[np.complex64]) -> NDArray[np.float32]:
        """Witnesses found for each hypothesis, near ones counting up to 1, far ones down to 0.5."""
        flat = steps * z[:, None]
        root, start = self.root[p], self.start[p]
        x = flat.real * root[:, 0, 0:1] + flat.imag * root[:, 0, 1:2] + start[:, 0:1]
        y = flat.real * root[:, 1, 0:1] + flat.imag * root[:, 1, 1:2] + start[:, 1:2]
        off = gaps_at(self.field, x, y) / (np.abs(z) * np.float32(self.reach))[:, None]
        return np.asarray(np.where(off < 1, 1 - np.float32(0.5) * off * off, 0).sum(axis=1), dtype=np.float32)


def _pairs(points: Points, count: int, least: Array) -> tuple[Index, Index]:
    """Each point with its ``count`` nearest neighbours further away than ``least`` of the point: two index arrays."""
    gap = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    gap[gap < least[:, None]] = np.inf
    np.fill_diagonal(gap, np.inf)
    order = np.argsort(gap, axis=1, kind="stable")[:, :count]
    first = np.repeat(np.arange(len(points)), order.shape[1])
    second = order.ravel()
    real = np.isfinite(gap[first, second])
    return first[real], second[real]


def _root(shapes: Array) -> Array:
    """Symmetric square roots of ``(N, 2, 2)`` positive matrices."""
    values, vectors = np.linalg.eigh(shapes)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 1e-9))[:, None, :]) @ vectors.transpose(0, 2, 1))


def _witnesses(board: Points, a: Index, b: Index, count: int) -> Index:
    """For each pair of regions the ``count`` regions nearest to its middle, the pair left out: ``(pairs, count)``."""
    middle = (board[a] + board[b]) / 2
    gap = np.hypot(*(middle[:, None] - board[None]).transpose(2, 0, 1))
    rows = np.arange(len(a))
    gap[rows, a] = gap[rows, b] = np.inf
    return np.argsort(gap, axis=1, kind="stable")[:, :count]
