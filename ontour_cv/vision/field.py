"""Candidate discs prepared for the thousands of questions a constellation match asks: what lies near here?"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points

Array = NDArray[np.float64]

_CIRCLE = np.array([1.0, 0.0, 1.0])
"""Shape of a circle, for candidates that no ellipse is known near."""


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """Candidates prepared for fast questions.

    Attributes:
        points: ``(N, 2)`` centres, pixels.
        radii: ``(N,)`` pixels.
        shapes: ``(N, 2, 2)`` second moments of the ellipses with determinant 1, smoothed over neighbours.
        size: width and height of the picture, pixels.
        cell: side of a cell of the two grids, pixels.
        nearest: index of the candidate nearest to each grid cell.
        gap: distance from each grid cell to that candidate, pixels.
    """

    points: Points
    radii: Array
    shapes: Array
    size: tuple[int, int]
    cell: float
    nearest: NDArray[np.int32]
    gap: NDArray[np.float32]


def make_field(points: Points, radii: Array, shapes: Array, size: tuple[int, int]) -> Field:
    """Candidates of a picture of ``size`` (width, height); ``shapes`` are rows ``xx, xy, yy``; at least one needed."""
    cell = max(1.0, max(size) / 400.0)
    cols, rows = (int(v / cell) + 2 for v in size)
    seeds = np.full((rows, cols), 255, np.uint8)
    at = np.clip(np.rint(points / cell).astype(int), 0, (cols - 1, rows - 1))
    seeds[at[:, 1], at[:, 0]] = 0
    gap, labels = cv2.distanceTransformWithLabels(seeds, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    owner = np.zeros(int(labels.max()) + 1, np.int32)
    owner[labels[at[:, 1], at[:, 0]]] = np.arange(len(points))
    smooth = _smoothed(points, radii, shapes)
    return Field(points, radii, smooth, size, cell, owner[labels], np.asarray(gap * np.float32(cell), np.float32))


def _smoothed(points: Points, radii: Array, shapes: Array) -> Array:
    """Each ellipse as the median of those of like size around it: all discs of a board are tilted alike."""
    gap = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    gap[np.abs(np.log(radii[:, None] / radii[None])) > 0.5] = np.inf
    order = np.argsort(gap, axis=1, kind="stable")[:, :7]
    rows = shapes[order]
    rows[~np.isfinite(np.take_along_axis(gap, order, axis=1))] = np.nan
    unknown = np.isnan(rows).all(axis=(1, 2))
    rows[unknown, 0] = _CIRCLE
    xx, xy, yy = np.nanmedian(rows, axis=1).T
    norm = 1.0 / np.sqrt(np.maximum(xx * yy - xy * xy, 1e-9))
    return np.asarray(np.stack([xx, xy, xy, yy], axis=-1).reshape(-1, 2, 2) * norm[:, None, None], dtype=np.float64)


def look_up(field: Field, places: Points) -> tuple[NDArray[np.int32], Array]:
    """Nearest candidate to each place ``(..., 2)`` and its distance in pixels; far outside the picture: infinite."""
    at = np.rint(places / field.cell)
    rows, cols = field.nearest.shape
    inside = (at[..., 0] >= 0) & (at[..., 0] < cols) & (at[..., 1] >= 0) & (at[..., 1] < rows)
    at = np.where(inside[..., None], at, 0).astype(np.int64)
    index = field.nearest[at[..., 1], at[..., 0]]
    gap = np.hypot(places[..., 0] - field.points[index, 0], places[..., 1] - field.points[index, 1])
    return index, np.asarray(np.where(inside, gap, np.inf), dtype=np.float64)


def gaps_at(field: Field, x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[np.float32]:
    """Distance from each place to its nearest candidate, to about one grid cell; outside the picture: huge."""
    rows, cols = field.gap.shape
    col = (x * np.float32(1.0 / field.cell) + np.float32(0.5)).astype(np.int32)
    row = (y * np.float32(1.0 / field.cell) + np.float32(0.5)).astype(np.int32)
    inside = (col >= 0) & (col < cols) & (row >= 0) & (row < rows)
    flat = np.where(inside, row * np.int32(cols) + col, 0)
    return np.where(inside, field.gap.ravel()[flat], np.float32(1e9))
