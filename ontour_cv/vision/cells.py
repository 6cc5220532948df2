"""Photo + Placement -> :class:`CellCrops`: the ONE cropper, shared by reading and training."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import CellPlace, Placement

CROP_PX = 64
"""Side of a crop in pixels."""

CROP_RADII = 1.55
"""Half a crop's side in disc radii: room for a player's circle drawn outside the printed ring."""

PX_PER_RADIUS = CROP_PX / (2 * CROP_RADII)
"""Crop pixels per disc radius."""


@dataclass(frozen=True, slots=True, eq=False)
class CellCrops:
    """Every cell of a board, upright and to one scale.

    Attributes:
        ids: region ids, in the map's order.
        images: ``(N, CROP_PX, CROP_PX, 3)`` uint8, BGR, disc centre at the crop's centre.
        px_per_radius: ``(N,)`` float64, photo pixels per disc radius: how much detail the photo has there.
        places: ``(N, 2)`` float64, where the discs lie on the board, board frame; None where that is not known.
    """

    ids: tuple[str, ...]
    images: NDArray[np.uint8]
    px_per_radius: NDArray[np.float64]
    places: NDArray[np.float64] | None = None


def crop_cell(bgr: NDArray[np.uint8], place: CellPlace) -> NDArray[np.uint8]:
    """One crop, ``(CROP_PX, CROP_PX, 3)`` uint8, by a single interpolation from the full-resolution picture.

    Where the photo holds more detail than the crop, the patch is area-averaged (a reduced patch first), because
    bilinear sampling alone would alias thin pen strokes.
    """
    matrix = crop_matrix(place)
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    if scale <= 1.5:
        return _warp(bgr, matrix)
    corners = matrix @ np.array([[0, CROP_PX, 0, CROP_PX], [0, 0, CROP_PX, CROP_PX], [1, 1, 1, 1]], dtype=np.float64)
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
    return _warp(np.asarray(small, dtype=np.uint8), inner)


def crop_matrix(place: CellPlace) -> NDArray[np.float64]:
    """Affine map ``(2, 3)`` from crop pixels to photo pixels."""
    step = 2.0 * CROP_RADII / CROP_PX
    linear = np.asarray(place.axes_photo, dtype=np.float64) * step
    centre = np.array([(CROP_PX - 1) / 2.0, (CROP_PX - 1) / 2.0])
    return np.column_stack([linear, np.asarray(place.centre_photo) - linear @ centre])


def cut_cells(photo: Photo, placement: Placement) -> CellCrops:
    """All cells of the placed board, in the order of ``placement.cells``."""
    ids = tuple(placement.cells)
    images = np.stack([crop_cell(photo.bgr, placement.cells[i]) for i in ids])
    detail = np.array([np.sqrt(abs(np.linalg.det(placement.cells[i].axes_photo))) for i in ids])
    places = np.array([placement.edition.cells[i] for i in ids], dtype=np.float64)
    return CellCrops(ids, images, detail, places)


def _warp(bgr: NDArray[np.uint8], matrix: NDArray[np.float64]) -> NDArray[np.uint8]:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out = cv2.warpAffine(bgr, matrix, (CROP_PX, CROP_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
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
