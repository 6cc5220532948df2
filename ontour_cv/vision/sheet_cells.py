"""Photo + sheet -> crops: every cell and box, upright, each with a mask that says which area is asked about."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.cells import CROP_PX, CROP_RADII, crop_cell
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import CellPlace
from ontour_cv.vision.sheet_model import SheetModel
from ontour_cv.vision.sheet_warp import SheetWarp

WHOLE = (0.0, 0.0, 1.0)
"""The window of a whole crop: x and y of its middle, and half its side, in half sides of the crop round the cell."""

ROOM = 1.6
"""Half the side of a close look over half the longer side of the writing: room for error, and for a circle."""

CLOSE = (0.2, 1.2)
"""Least and greatest half side of the window of a close look."""


@dataclass(frozen=True, slots=True, eq=False)
class SheetCrops:
    """Every cell and box of a sheet, to its own scale.

    Attributes:
        images: ``(P, CROP_PX, CROP_PX, 3)`` uint8, BGR; a side is twice the model's ``reach``.
        inside: ``(P,)`` False where the cell lies partly outside the picture.
        px_per_width: ``(P,)`` photo pixels per sheet width there.
    """

    images: NDArray[np.uint8]
    inside: NDArray[np.bool_]
    px_per_width: NDArray[np.float64]


def cut_sheet(photo: Photo, warp: SheetWarp, model: SheetModel) -> SheetCrops:
    """All cells and boxes, in the model's order, each by the local affine map of ``warp``."""
    places = sheet_places(warp, model)
    height, width = photo.bgr.shape[:2]
    inside = []
    for outline in model.outlines:
        corners = warp.apply(outline)
        inside.append(bool((corners > -1).all() and (corners < [width, height]).all()))
    images = np.stack([crop_cell(photo.bgr, place) for place in places])
    detail = np.array([np.sqrt(abs(np.linalg.det(p.axes_photo))) for p in places]) / (model.reach / CROP_RADII)
    return SheetCrops(images, np.array(inside), detail)


def sheet_places(warp: SheetWarp, model: SheetModel) -> list[CellPlace]:
    """Where the reading windows lie, as places the one cropper takes: half a side is ``CROP_RADII`` "radii"."""
    centres = warp.apply(model.windows)
    return [
        CellPlace((float(centre[0]), float(centre[1])), axes[0] * reach / CROP_RADII, True, True)
        for centre, axes, reach in zip(
            centres,
            (warp.axes(model.windows[k : k + 1], float(reach)) for k, reach in enumerate(model.reach)),
            model.reach,
            strict=True,
        )
    ]


def cut_close(photo: Photo, warp: SheetWarp, model: SheetModel, windows: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The parts of the first ``N`` cells that ``windows (N, 3)`` tell, cut afresh: ``(N, CROP_PX, CROP_PX, 3)``."""
    places = sheet_places(warp, model)[: len(windows)]
    pairs = zip(places, windows, strict=True)
    return np.stack([crop_cell(photo.bgr, window_place(place, window)) for place, window in pairs])


def close_windows(spots: NDArray[np.float64]) -> NDArray[np.float64]:
    """Windows ``(N, 3)`` for a close look at writing in ``spots (N, 3)``: x, y and half the longer side."""
    size = np.clip(ROOM * spots[:, 2:], *CLOSE)
    return np.concatenate([np.clip(spots[:, :2], -1.0, 1.0), size], axis=1)


def window_place(place: CellPlace, window: NDArray[np.float64]) -> CellPlace:
    """Where a window ``(3,)`` of the crop at ``place`` lies."""
    axes = np.asarray(place.axes_photo, dtype=np.float64)
    centre = np.asarray(place.centre_photo) + CROP_RADII * axes @ window[:2]
    return CellPlace((float(centre[0]), float(centre[1])), axes * float(window[2]), True, True)


def window_masks(masks: NDArray[np.uint8], windows: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Masks ``(N, H, W)`` of whole crops as the windows ``(N, 3)`` show them."""
    side = masks.shape[1]
    out = np.empty_like(masks)
    for mask, (x, y, size), cut in zip(masks, windows, out, strict=True):
        middle = (side - 1) / 2
        shift = middle * (1 - size) + side / 2 * np.array([x, y])
        matrix = np.array([[size, 0.0, shift[0]], [0.0, size, shift[1]]])
        cut[:] = cv2.warpAffine(mask, matrix, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return out


def cell_masks(model: SheetModel) -> NDArray[np.uint8]:
    """``(P, CROP_PX, CROP_PX)`` uint8: 255 inside the cell that a crop is about."""
    masks = np.zeros((len(model.ids), CROP_PX, CROP_PX), np.uint8)
    for mask, outline, middle, reach in zip(masks, model.outlines, model.windows, model.reach, strict=True):
        at = (outline - middle) / reach * (CROP_PX / 2) + (CROP_PX - 1) / 2
        cv2.fillPoly(mask, [np.round(at * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return masks
