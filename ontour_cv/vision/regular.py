"""How much of what was found lies in rows and columns: grids of dots can look like a board whose discs nearly do."""

from __future__ import annotations

import numpy as np

from ontour_cv.geometry import Points

NEIGHBOURS = 8
"""So many of the nearest candidates around each are looked at: those of a square or hexagonal grid."""

OPPOSITE = 0.15
"""Two neighbours lie opposite each other when their middle is no further away than half this share of the distance."""

FAR = 2.2
"""Neighbours further away than this many times the nearest belong to another row."""

ACROSS = 0.5
"""Sine of the least angle between a row and a column, seen at a slant."""


def regularity(points: Points) -> float:
    """Share of points that lie in the middle of a row and of a column, 0-1.

    A grid keeps it under any homography, as long as neighbours are near each other.

    Args:
        points: ``(N, 2)``, in any frame.
    """
    if len(points) < 5:
        return 0.0
    steps = points[None] - points[:, None]
    far = np.hypot(*steps.transpose(2, 0, 1))
    np.fill_diagonal(far, np.inf)
    nearest = np.argsort(far, axis=1)[:, :NEIGHBOURS]
    return float(np.mean([_in_grid(steps[k, some], far[k, some]) for k, some in enumerate(nearest)]))


def _in_grid(steps: Points, far: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> bool:
    """Whether a point has two opposite neighbours, and two others across."""
    apart = np.hypot(*(steps[:, None] + steps[None]).transpose(2, 0, 1)).min(axis=1)
    rows = steps[(apart < OPPOSITE * far) & (far < FAR * far[0])]
    units = rows / np.hypot(*rows.T)[:, None] if len(rows) else rows
    sines = units[:, None, 0] * units[None, :, 1] - units[:, None, 1] * units[None, :, 0]
    return bool((np.abs(sines) > ACROSS).any())
