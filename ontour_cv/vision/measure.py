"""Where each cell's own disc was found: the outlines found blindly and the rings looked for at the predicted places."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.vision.landmarks import Candidates, WorkingCopy, balance_table
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.rings import STEP, View, look_again

Array = NDArray[np.float64]

AGREE = 0.15
"""Outline and ring this near to each other, in disc radii, vouch for one another."""

RING_SURE, RING_LIKELY = 0.66, 0.45
"""Ring responses of which 1 % and 15 % were wrong by more than 0.3 radii on real boards with ink on them."""


CREDIBLE = (0.68, 1.5)
"""Sizes discs may have, nominal disc radii; outlines of printed labels are smaller: half a disc, all alike."""

LEAST_OUTLINES, ALIKE = 20, 0.06
"""Cells with an outline from which their common size is believed, and how much the sizes may differ (log, median)."""

FAR, FAR_PRICE = 0.45, 0.1
"""A ring further than this from the predicted place, in disc radii, has to answer so much more clearly."""

DIM, DIM_PRICE = 0.42, 0.08
"""A board whose median ring response is below this shows its discs badly; ink then answers as loudly as print."""


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """One disc for each cell, or none.

    Attributes:
        offsets: ``(N, 2)`` from the predicted centre, disc radii along the cell's axes; 0 where nothing was found.
        spread: ``(N,)`` standard deviation of the offset, disc radii.
        trust: ``(N,)`` 0 nothing found, 1 something like a disc, 2 surely the disc.
        response: ``(N,)`` of the ring search.
        view: how the ring search saw the discs.
        working: the picture it looked in.
        origin: ``(2,)`` the photo pixel that picture starts at.
        size: common size of the outlines in nominal disc radii; 1 where they do not say.
    """

    offsets: Array
    spread: Array
    trust: NDArray[np.int64]
    response: Array
    view: View
    working: WorkingCopy
    origin: Array
    size: float

    def in_view(self, centres: Points, axes: Array) -> tuple[Points, Array]:
        """Places in the photo as places in ``working``."""
        return (centres - self.origin + 0.5) * self.working.scale - 0.5, axes * self.working.scale


def measure(photo: Photo, candidates: Candidates, centres: Points, axes: Array) -> Measured:
    """The disc near each predicted place.

    Args:
        photo: the picture at full resolution.
        candidates: outlines found in it.
        centres: ``(N, 2)`` predicted centres, photo pixels.
        axes: ``(N, 2, 2)`` as ``CellPlace.axes_photo``.
    """
    working, origin = _view(photo, candidates.working, centres, axes)
    scale = working.scale
    rings = look_again(working, (centres - origin + 0.5) * scale - 0.5, axes * scale)
    outline, found, size = _outlines(candidates, centres, axes)
    gap = np.hypot(*(outline - rings.offsets).T)
    both = found & (gap < AGREE) & (rings.response > 0.25)
    dim = DIM_PRICE if np.median(rings.response) < DIM else 0.0
    sure = rings.response > RING_SURE + dim + FAR_PRICE * (np.hypot(*rings.offsets.T) > FAR)
    likely = rings.response > RING_LIKELY + dim
    near = np.hypot(*outline.T) < 0.45
    offsets = np.zeros_like(outline)
    spread = np.full(len(centres), 9.0)
    trust = np.zeros(len(centres), dtype=np.int64)
    for mask, value, sigma, level in (
        (found & near, outline, 0.12, 1),
        (likely, rings.offsets, 0.10, 1),
        (sure, rings.offsets, 0.05, 2),
        (both, (outline + rings.offsets) / 2, 0.04, 2),
    ):
        offsets[mask], spread[mask], trust[mask] = value[mask], sigma, level
    return Measured(offsets, spread, trust, rings.response, rings.view, working, origin, size)


def _outlines(candidates: Candidates, centres: Points, axes: Array) -> tuple[Array, NDArray[np.bool_], float]:
    """Nearest outline of fitting size to each cell: offsets in disc radii, whether there is one, and their size."""
    steps = candidates.centres_photo[None] - centres[:, None]
    local = np.einsum("nij,nkj->nki", np.linalg.inv(axes), steps)
    gap = np.hypot(local[..., 0], local[..., 1])
    size = candidates.radii_px[None] / np.sqrt(np.abs(np.linalg.det(axes)))[:, None]
    usual = float(np.median(size[gap < 0.5])) if (gap < 0.5).any() else 1.0
    cost = gap + 1.5 * np.abs(np.log(size / usual)) + 0.2 * (1 - candidates.quality[None])
    cost[(gap > 1.1) | (np.abs(np.log(size / usual)) > 0.3)] = np.inf
    best = cost.argmin(axis=1)
    rows = np.arange(len(centres))
    found = np.isfinite(cost[rows, best])
    return np.where(found[:, None], local[rows, best], 0.0), found, common_size(size[rows, best][found])


def common_size(sizes: Array) -> float:
    """The size most outlines have, or 1 when they are too few or too unlike to speak for the print."""
    if len(sizes) < LEAST_OUTLINES:
        return 1.0
    middle = float(np.median(sizes))
    scatter = float(np.median(np.abs(np.log(sizes / middle))))
    return middle if scatter < ALIKE and CREDIBLE[0] < middle < CREDIBLE[1] else 1.0


def _view(photo: Photo, working: WorkingCopy, centres: Points, axes: Array) -> tuple[WorkingCopy, Array]:
    """A picture with enough pixels for the ring search, and the photo pixel its frame starts at.

    The working copy will do unless discs are small in it and the photo has more.
    """
    size = float(np.sqrt(np.median(np.abs(np.linalg.det(axes)))))
    if working.scale == 1.0 or size * working.scale >= 0.85 * STEP:
        return working, np.zeros(2)
    height, width = photo.bgr.shape[:2]
    margin = 3.0 * size
    low = np.clip(centres.min(axis=0) - margin, 0, [width - 2, height - 2]).astype(int)
    high = np.clip(centres.max(axis=0) + margin, low + 2, [width, height]).astype(int)
    part = photo.bgr[low[1] : high[1], low[0] : high[0]]
    scale = min(1.0, 1.15 * STEP / size)
    small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1.0 else part
    neutral = np.asarray(cv2.LUT(small, balance_table(np.asarray(small, dtype=np.uint8))), dtype=np.uint8)
    return WorkingCopy(neutral, scale), low.astype(np.float64)
