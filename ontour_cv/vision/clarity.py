"""How clearly the cells of one photo can be seen: washed out by glare, blurred, too small, seen at a slant."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.cells import CROP_PX, PX_PER_RADIUS, CellCrops
from ontour_cv.vision.register import Placement

WASHED_LEVELS = 20.0
"""Grey levels by which a washed-out disc is paler than the board's paper on average, ink and all."""

WASHED_SHARE = 0.3
"""Share of a washed-out disc that is far paler than the paper.

With both bounds, five in six of the discs that lost a quarter to glare are named, and half of those named lost a tenth
or more (5,289 rendered cells, 82 of them under glare); most of the others lie where the light is brightest.
"""


def washed_out(crops: CellCrops) -> NDArray[np.bool_]:
    """True for each disc that a reflection seems to cover, ``(N,)``: paler than the paper of the other discs."""
    side = (np.arange(CROP_PX) - (CROP_PX - 1) / 2) / PX_PER_RADIUS
    disc = np.hypot(side[:, None], side[None, :]) < 0.95
    pale = crops.images.min(axis=3).astype(np.float64)[:, disc]
    paper = float(np.median(np.percentile(pale, 70, axis=1)))
    far = (pale > paper + 0.6 * (255.0 - paper)).mean(axis=1)
    return np.asarray((pale.mean(axis=1) - paper > WASHED_LEVELS) & (far >= WASHED_SHARE), dtype=np.bool_)


def edge_width(crops: CellCrops) -> float:
    """How wide the steepest edges are, median over the discs, in disc radii: about 0.11 sharp, over 0.2 blurred.

    The range of grey levels of a crop divided by its steepest slope; thin pen strokes and the disc's rim set it.
    """
    widths = []
    for crop in crops.images:
        grey = crop.mean(axis=2).astype(np.float32)
        gx = cv2.Scharr(grey, cv2.CV_32F, 1, 0, scale=1 / 32)
        gy = cv2.Scharr(grey, cv2.CV_32F, 0, 1, scale=1 / 32)
        slope = float(np.percentile(np.sqrt(gx * gx + gy * gy), 99))
        low, high = np.percentile(grey, (3, 97))
        widths.append(float(high - low) / max(slope, 1e-3) / PX_PER_RADIUS)
    return float(np.median(widths))


def disc_radius_px(placement: Placement) -> float:
    """Median disc radius in photo pixels (geometric mean of its axes)."""
    axes = np.array([place.axes_photo for place in placement.cells.values()])
    return float(np.median(np.sqrt(np.abs(np.linalg.det(axes)))))


def tilt_deg(placement: Placement) -> float:
    """About how far from straight above the photo was taken, degrees: from how flat its discs are."""
    axes = np.array([place.axes_photo for place in placement.cells.values()])
    sizes = np.linalg.svd(axes, compute_uv=False)
    return float(np.degrees(np.arccos(np.clip(np.median(sizes[:, 1] / sizes[:, 0]), 0.0, 1.0))))
