"""Where in a cell of a sheet somebody writes: in the middle of it, or anywhere there is room."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.synth.sheet_hand import SheetWriter

_RASTER = 800

ENOUGH = 0.6
"""Room for a digit anywhere in a cell: how far the border is from its middle, in heights of the writer's digits."""


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """A cell to write in.

    Attributes:
        middle: where it is written, sheet widths.
        clear: how far the border is from there.
        low, high: corners of the cell's bounding box.
    """

    middle: NDArray[np.float64]
    clear: float
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def room_in(outline: Points, writer: SheetWriter, rng: np.random.Generator) -> Room:
    """Where somebody writes in a cell: by chance a place with nearly as much room as there is, or with enough."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    size = np.ceil((high - low) * _RASTER).astype(int) + 3
    filled = np.zeros((int(size[1]), int(size[0])), np.uint8)
    cv2.fillPoly(filled, [np.round((outline - low) * _RASTER + 1).astype(np.int32)], 255)
    clear = np.asarray(cv2.distanceTransform(filled, cv2.DIST_L2, 5))
    rows, columns = np.nonzero(clear >= 0.92 * clear.max())
    heart = np.array([columns.mean(), rows.mean()])
    k = int(rng.integers(len(rows)))
    spot = np.array([columns[k], rows[k]], dtype=np.float64)
    if clear[round(heart[1]), round(heart[0])] >= 0.85 * clear.max():  # else the middle of an L lies off its arms
        spot = heart + (spot - heart) * float(np.clip(abs(rng.normal(0, 0.4)), 0, 1))
    most = float(clear.max())
    (own,) = rng.spawn(1)
    if own.random() < writer.roams:
        rows, columns = np.nonzero(clear >= min(0.92 * most, ENOUGH * writer.height * _RASTER))
        k = int(own.integers(len(rows)))
        spot, most = np.array([columns[k], rows[k]], dtype=np.float64), float(clear[rows[k], columns[k]])
    return Room((spot - 1) / _RASTER + low, most / _RASTER, low, high)
