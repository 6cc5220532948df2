"""Cells followed over curls and folds that no homography describes, by their printed lines.

A homography grown on one side of a fold lays the other side wrong by several cells. But neighbouring cells lie to each
other almost as on flat paper: each cell is looked for where its neighbours that were found put it, and is moved until
all its lines are dark; then it helps to find the next.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.vision.sheet_match import assign
from ontour_cv.vision.sheet_model import SheetModel
from ontour_cv.vision.sheet_pieces import Pieces
from ontour_cv.vision.sheet_warp import SheetWarp

Array = NDArray[np.float64]

ROUNDS = 24
"""Steps from cell to cell: the sheet is eleven cells wide, and narrow ones are reached one by one."""

AROUND = 6
"""Neighbours that a cell is laid by."""

STRIDES = ((0.13,), (0.06, 0.08, 0.1, 0.13))
"""A cell whose nearest found neighbour is further away than this, in sheet widths, waits until nothing nearer is left:
two ways to go. Long strides cross what ink has cut; short ones lose no narrow states where the paper bends."""

FURTHEST = 0.3
"""A cell further away than that is not looked for."""

NEAR = 0.3
"""How far a piece may lie from where it is looked for, in sides of the cell."""

GRIDS = ((0.027, 0.003), (0.003, 0.001))
"""How far a cell is moved about, and in what steps, sheet widths; less than the narrowest cell, so that none is taken
for its neighbour."""

FLANK = 0.0055
"""Distance from a line's middle to clear paper, sheet widths."""

CLEAR = 2.0
"""A cell is found where its lines are so many times as dark as at the median of all places tried."""

PLACED, LEANS = 0.0035, 0.3
"""Standard deviations: of where a neighbour is, in sheet widths; of how the paper leans against the warp so far."""


def follow(
    plane: NDArray[np.uint8], scale: float, pieces: Pieces, model: SheetModel, warp: SheetWarp,
    sure: NDArray[np.bool_], strides: tuple[float, ...] = STRIDES[0],
) -> tuple[Points, NDArray[np.bool_]]:  # fmt: skip
    """Where the centres of cells and boxes are, ``(P, 2)`` photo pixels, and which of them were found.

    Args:
        plane: ``(h, w)`` picture in which lines are darker than paper.
        scale: its size relative to the photo.
        pieces: areas that printed lines enclose.
        model: the sheet.
        warp: where it lies; off by cells where it is not ``sure``.
        sure: ``(P,)`` where the warp is right.
        strides: one of ``STRIDES``.
    """
    flat = warp.flat  # where the warp is wrong, its bend is wilder than any paper
    places, axes = flat.apply(model.centres), flat.jacobians(model.centres)
    seen, known = warp.apply(model.centres), sure.copy()
    for _ in range(ROUNDS):
        if known.sum() < AROUND or known.all():
            break
        moved, lean, away = _laid(model, places, axes, seen, known)
        index, gap = assign(pieces, model, places + moved, axes + lean)
        near, fresh = ~known & (gap < NEAR), np.zeros(len(known), dtype=bool)
        for reach in strides:
            fresh = near & (away < reach)
            if fresh.any():
                break
        seen[fresh] = pieces.centres[index[fresh]]
        for reach in (*strides, FURTHEST):  # where ink cuts a cell in two its lines are still there
            if not fresh.any():
                for k in np.flatnonzero(~known & (away < reach)):
                    found = _searched(plane, scale, model, int(k), places[k] + moved[k], axes[k] + lean[k])
                    if found is not None:
                        seen[k], fresh[k] = found, True
        if not fresh.any():
            break
        known |= fresh
    return seen, known


def _laid(
    model: SheetModel, places: Points, axes: Array, seen: Points, known: NDArray[np.bool_]
) -> tuple[Array, Array, Array]:
    """What the known neighbours say of each cell.

    Returns:
        how far it is from its place, ``(P, 2)`` photo pixels; how that changes over the sheet, ``(P, 2, 2)`` pixels per
        sheet width; and how far the nearest neighbour is, ``(P,)`` sheet widths.
    """
    which = np.flatnonzero(known)
    off = seen[which] - places[which]
    gap = np.hypot(*(model.centres[:, None] - model.centres[None, which]).transpose(2, 0, 1))
    near = np.argsort(gap, axis=1, kind="stable")[:, :AROUND]
    gap = np.take_along_axis(gap, near, axis=1)
    steps = model.centres[which][near] - model.centres[:, None]
    weight = 1.0 / (PLACED**2 + (0.1 * gap) ** 2)
    # ridge regression of a plane: its slope is small beforehand, its height is free
    rows = np.concatenate([np.ones((*steps.shape[:2], 1)), steps], axis=2)
    scale = np.sqrt(np.abs(np.linalg.det(axes)))[:, None, None]
    normal = np.einsum("pk,pki,pkj->pij", weight, rows, rows) + np.diag([1e-6, LEANS**-2, LEANS**-2])
    right = np.einsum("pk,pki,pkj->pij", weight, rows, off[near] / scale)
    surface = np.linalg.solve(normal, right) * scale
    return surface[:, 0], surface[:, 1:].transpose(0, 2, 1), gap[:, 0]


def _searched(
    plane: NDArray[np.uint8], scale: float, model: SheetModel, k: int, place: Array, axes: Array
) -> Array | None:
    """The photo place near ``place`` at which the lines of cell ``k`` are darkest; None when none stands out."""
    mine = model.owner[model.line] == k
    samples = model.samples[mine] - model.centres[k]
    middle = np.zeros(2)
    for number, (reach, step) in enumerate(GRIDS):
        ticks = np.arange(-round(reach / step), round(reach / step) + 1) * step
        shifts = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2) + middle
        dark = _darkness(plane, scale, place, axes, samples, model.normals[mine], shifts)
        best = int(dark.argmax())
        if number == 0 and dark[best] < CLEAR * max(float(np.median(dark)), 0.6):
            return None
        middle = shifts[best]
    return np.asarray(place + axes @ middle)


def _darkness(
    plane: NDArray[np.uint8], scale: float, place: Array, axes: Array, samples: Points, normals: Array, shifts: Array
) -> Array:
    """How much darker the lines are than both their sides, mean of the samples, for every shift, ``(S,)``."""
    across = np.array([-FLANK, 0.0, FLANK])[:, None, None] * normals[None]
    spots = (shifts[None, :, None] + samples[None, None] + across[:, None]) @ axes.T + place
    spots = ((spots + 0.5) * scale - 0.5).astype(np.float32)
    flat = spots.reshape(3 * len(shifts), -1, 2)
    levels = cv2.remap(plane, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    left, line, right = np.asarray(levels, dtype=np.float64).reshape(3, len(shifts), -1)
    return np.asarray(np.clip(np.minimum(left, right) - line, 0, 40).mean(axis=1))
