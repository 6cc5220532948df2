"""Printed lines looked at across themselves: how dark the picture is there, and where each line truly lies."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.sheet_model import SheetModel
from ontour_cv.vision.sheet_warp import SheetWarp

Array = NDArray[np.float64]

FLANKS = (0.0044, 0.0078)
"""Distances from a line's middle to clear paper, sheet widths: for thin lines and for thick ones."""

SEEN = 2.0
"""A line darker than its flanks by so many times the usual unrest is seen."""


def line_plane(photo: Photo, corners: Points, long_side: int = 1600) -> tuple[NDArray[np.uint8], float]:
    """The darkest colour of every pixel of a copy of the photo; the sheet is at most ``long_side`` wide there."""
    width = float(np.hypot(*(corners[1] - corners[0])))
    scale = min(1.0, long_side / max(width, 1.0))
    bgr = photo.bgr if scale > 0.87 else cv2.resize(photo.bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    b, g, r = cv2.split(np.asarray(bgr, dtype=np.uint8))
    return np.asarray(cv2.min(cv2.min(b, g), r), dtype=np.uint8), bgr.shape[1] / photo.bgr.shape[1]


def _profiles(plane: NDArray[np.uint8], scale: float, warp: SheetWarp, model: SheetModel, at: Array) -> Array:
    """Levels at ``at`` (sheet widths across each line) for every sample, ``(S, len(at))``; NaN outside the picture."""
    start = model.samples + warp.bend(model.samples)
    places = warp.flat.apply((start[:, None] + at[None, :, None] * model.normals[:, None]).reshape(-1, 2))
    places = ((places + 0.5) * scale - 0.5).reshape(len(start), len(at), 2).astype(np.float32)
    levels = cv2.remap(plane, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    height, width = plane.shape
    inside = (places > 1).all(axis=2) & (places[..., 0] < width - 2) & (places[..., 1] < height - 2)
    return np.where(inside, np.asarray(levels, dtype=np.float64), np.nan)


def responses(
    plane: NDArray[np.uint8], scale: float, warp: SheetWarp, model: SheetModel, reach: float, step: float
) -> tuple[Array, Array]:
    """Places across a line ``(K,)`` and how much darker than both its sides each sample is there, ``(S, K)``."""
    flanks = [round(flank / step) for flank in FLANKS]
    count, wide = round(reach / step), max(flanks)
    at = np.arange(-count - wide, count + wide + 1, dtype=np.float64) * step
    levels = _profiles(plane, scale, warp, model, at)
    middle = levels[:, wide:-wide]
    found = np.full(middle.shape, -np.inf)
    for flank in flanks:
        left = levels[:, wide - flank : wide - flank + middle.shape[1]]
        right = levels[:, wide + flank : wide + flank + middle.shape[1]]
        found = np.maximum(found, np.minimum(left, right) - middle)
    return at[wide:-wide], np.nan_to_num(np.clip(found, 0, 40), nan=0.0)


def measure(
    plane: NDArray[np.uint8], scale: float, warp: SheetWarp, model: SheetModel, reach: float, step: float
) -> tuple[Array, Array]:
    """How far each line lies from its place, ``(E,)`` sheet widths, and how clearly it was seen there, ``(E,)`` 0-1."""
    at, dark = responses(plane, scale, warp, model, reach, step)
    lines = int(model.line[-1]) + 1
    mean = np.zeros((lines, len(at)))
    np.add.at(mean, model.line, dark)
    mean /= np.bincount(model.line)[:, None]
    mean = (
        np.pad(mean, ((0, 0), (1, 1)), mode="edge")[:, :-2]
        + 2 * mean
        + np.pad(mean, ((0, 0), (1, 1)), mode="edge")[:, 2:]
    ) / 4
    best = mean.argmax(axis=1)
    rows = np.arange(lines)
    peak = mean[rows, best]
    unrest = max(float(np.median(mean)), 0.6)
    left, right = mean[rows, np.maximum(best - 1, 0)], mean[rows, np.minimum(best + 1, len(at) - 1)]
    curve = left - 2 * peak + right
    shift = np.where(
        curve < -1e-6, np.clip(0.5 * (left - right) / np.where(curve < -1e-6, curve, -1.0), -0.5, 0.5), 0.0
    )
    offset = at[best] + shift * step
    weight = np.clip((peak - SEEN * unrest) / (4 * unrest), 0.0, 1.0)
    weight[(best == 0) | (best == len(at) - 1)] = 0.0
    return offset, weight
