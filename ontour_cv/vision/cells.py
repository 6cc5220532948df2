"""Photo + Placement -> :class:`CellCrops`: the ONE cropper, shared by reading and training."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.landmarks import WorkingCopy
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import CellPlace, Placement


@dataclass(frozen=True, slots=True)
class Window:
    """What a crop shows of a cell: a square about its disc.

    Attributes:
        px: its side in pixels.
        radii: half its side in disc radii.
    """

    px: int
    radii: float

    @property
    def px_per_radius(self) -> float:
        """Crop pixels per disc radius."""
        return self.px / (2 * self.radii)


CELL = Window(64, 1.55)
"""What marks are read from: room for a player's circle drawn outside the printed ring."""

AROUND = Window(80, 2.25)
"""What circles are looked for in that are drawn wider, at a little less detail."""

CROP_PX, CROP_RADII, PX_PER_RADIUS = CELL.px, CELL.radii, CELL.px_per_radius
"""Of ``CELL``."""

ENOUGH = 0.75
"""How much of the detail that ``AROUND`` or the photo has the working copy should have, to be cut from."""

SHARP = 1.5
"""Photo pixels per crop pixel up to which bilinear sampling loses nothing worth while."""


@dataclass(frozen=True, slots=True, eq=False)
class CellCrops:
    """Every cell of a board, upright and to one scale.

    Attributes:
        ids: region ids, in the map's order.
        images: ``(N, CROP_PX, CROP_PX, 3)`` uint8, BGR, disc centre at the crop's centre: ``CELL``.
        px_per_radius: ``(N,)`` float64, photo pixels per disc radius: how much detail the photo has there.
        places: ``(N, 2)`` float64, where the discs lie on the board, board frame; None where that is not known.
        around: the same cells as ``AROUND`` shows them, ``(N, AROUND.px, AROUND.px, 3)``; None where none were cut.
    """

    ids: tuple[str, ...]
    images: NDArray[np.uint8]
    px_per_radius: NDArray[np.float64]
    places: NDArray[np.float64] | None = None
    around: NDArray[np.uint8] | None = None


def crop_cell(bgr: NDArray[np.uint8], place: CellPlace, window: Window = CELL) -> NDArray[np.uint8]:
    """One crop, ``(px, px, 3)`` uint8, by a single interpolation from the full-resolution picture.

    Where the photo holds more detail than the crop, the patch is area-averaged (a reduced patch first), because
    bilinear sampling alone would alias thin pen strokes.
    """
    matrix = crop_matrix(place, window)
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    if scale <= SHARP:
        return _warp(bgr, matrix, window.px)
    side = window.px
    corners = matrix @ np.array([[0, side, 0, side], [0, 0, side, side], [1, 1, 1, 1]], dtype=np.float64)
    low = np.floor(corners.min(axis=1)).astype(int) - 2
    high = np.ceil(corners.max(axis=1)).astype(int) + 3
    patch = _padded(bgr, low, high)
    shrink = 1.0 / scale
    small = cv2.resize(patch, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    factor = np.array([small.shape[1] / patch.shape[1], small.shape[0] / patch.shape[0]])
    inner = matrix.copy()
    inner[:, 2] -= low
    inner[:, :2] *= factor[:, None]
    inner[:, 2] = (inner[:, 2] + 0.5) * factor - 0.5
    return _warp(np.asarray(small, dtype=np.uint8), inner, window.px)


def crop_matrix(place: CellPlace, window: Window = CELL) -> NDArray[np.float64]:
    """Affine map ``(2, 3)`` from crop pixels to photo pixels."""
    linear = np.asarray(place.axes_photo, dtype=np.float64) / window.px_per_radius
    centre = np.full(2, (window.px - 1) / 2.0)
    return np.column_stack([linear, np.asarray(place.centre_photo) - linear @ centre])


def recut(around: NDArray[np.uint8], middle: tuple[float, float], size: float) -> NDArray[np.uint8]:
    """A crop of a cell out of its wider one, ``(CELL.px, CELL.px, 3)`` uint8.

    Args:
        around: what ``AROUND`` shows, ``(AROUND.px, AROUND.px, 3)`` uint8.
        middle: of the crop, disc radii right of the disc's middle and below it.
        size: of what the crop shows, in that of ``CELL``.
    """
    scale = size * AROUND.px_per_radius / CELL.px_per_radius
    shift = (AROUND.px - 1) / 2 + np.multiply(middle, AROUND.px_per_radius) - scale * (CELL.px - 1) / 2
    return _warp(around, np.column_stack([np.diag([scale, scale]), shift]), CELL.px)


def cut_cells(photo: Photo, placement: Placement, working: WorkingCopy | None = None) -> CellCrops:
    """All cells of the placed board, in the order of ``placement.cells``.

    Args:
        photo: the picture.
        placement: where the board lies.
        working: the copy of it that discs were looked for in; without it ``CellCrops.around`` is not cut.
    """
    ids = tuple(placement.cells)
    images = np.stack([crop_cell(photo.bgr, placement.cells[i]) for i in ids])
    detail = np.array([np.sqrt(abs(np.linalg.det(placement.cells[i].axes_photo))) for i in ids])
    places = np.array([placement.edition.cells[i] for i in ids], dtype=np.float64)
    around = None if working is None else _cut_around(photo, working, list(placement.cells.values()), detail)
    return CellCrops(ids, images, detail, places, around)


def _cut_around(
    photo: Photo, working: WorkingCopy, places: list[CellPlace], detail: NDArray[np.float64]
) -> NDArray[np.uint8]:
    """What ``AROUND`` shows of each cell: from the working copy, where that has detail enough.

    Wide crops of a phone's photo are a third of all its pixels, which the working copy has averaged already: 3 ms for a
    board, and 13 from the photo.
    """
    has = float(np.median(detail))
    if has * working.scale < ENOUGH * min(AROUND.px_per_radius, has):
        return np.stack([crop_cell(photo.bgr, place, AROUND) for place in places])
    return np.stack([crop_cell(working.neutral, _seen_in(working, place), AROUND) for place in places])


def _seen_in(working: WorkingCopy, place: CellPlace) -> CellPlace:
    """Where a cell lies in the working copy."""
    x, y = ((v + 0.5) * working.scale - 0.5 for v in place.centre_photo)
    return replace(place, centre_photo=(x, y), axes_photo=place.axes_photo * working.scale)


def _warp(bgr: NDArray[np.uint8], matrix: NDArray[np.float64], side: int) -> NDArray[np.uint8]:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out = cv2.warpAffine(bgr, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, dtype=np.uint8)


def _padded(bgr: NDArray[np.uint8], low: NDArray[np.int_], high: NDArray[np.int_]) -> NDArray[np.uint8]:
    """The window ``low..high`` of the picture, its border repeated where the window leaves it."""
    height, width = bgr.shape[:2]
    x0, x1 = (int(np.clip(v, 0, width - 1)) for v in (low[0], high[0]))
    y0, y1 = (int(np.clip(v, 0, height - 1)) for v in (low[1], high[1]))
    patch = bgr[y0 : y1 + 1, x0 : x1 + 1]
    pads = (y0 - int(low[1]), int(high[1]) - y1, x0 - int(low[0]), int(high[0]) - x1)
    top, bottom, left, right = (int(np.clip(p, 0, 4096)) for p in pads)
    out = cv2.copyMakeBorder(patch, top, bottom, left, right, cv2.BORDER_REPLICATE)
    return np.asarray(out, dtype=np.uint8)
