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
    centres = warp.apply(model.middles)
    return [
        CellPlace((float(centre[0]), float(centre[1])), axes[0] * reach / CROP_RADII, True, True)
        for centre, axes, reach in zip(
            centres,
            (warp.axes(model.middles[k : k + 1], float(reach)) for k, reach in enumerate(model.reach)),
            model.reach,
            strict=True,
        )
    ]


def cell_masks(model: SheetModel) -> NDArray[np.uint8]:
    """``(P, CROP_PX, CROP_PX)`` uint8: 255 inside the cell that a crop is about."""
    masks = np.zeros((len(model.ids), CROP_PX, CROP_PX), np.uint8)
    for mask, outline, middle, reach in zip(masks, model.outlines, model.middles, model.reach, strict=True):
        at = (outline - middle) / reach * (CROP_PX / 2) + (CROP_PX - 1) / 2
        cv2.fillPoly(mask, [np.round(at * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return masks
