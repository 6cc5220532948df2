"""The part of a photo that a question is about, upright and small enough for a terminal."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.cells import crop_cell
from ontour_cv.vision.read import Reading
from ontour_cv.vision.register import CellPlace
from ontour_cv.vision.sheet_cells import sheet_places
from ontour_cv.vision.sheet_read import SheetReading

Picture = NDArray[np.uint8]

SIDE_PX = 40
"""Side of the picture of a region, pixels; it takes as many columns of a terminal and half as many lines."""

MOST_PX = np.array([72.0, 44.0])
"""Width and height of the picture of a ferry at most, pixels."""

AROUND = 1.3
"""How much more of a disc's surroundings is shown than is read: ticks and letters stand there."""

BESIDE = 1.8
"""What is shown round the two discs of a ferry, disc radii from their centres."""


def closeup(reading: Reading | SheetReading, name: str) -> Picture | None:
    """What is asked about under a name, a region or a ferry as ``~SOHO-STG``; None when it is not in the photo."""
    if isinstance(reading, SheetReading):
        return sheet_closeup(reading, name)
    if name.startswith("~"):
        one, _, other = name[1:].partition("-")
        return ferry_closeup(reading, one, other)
    return board_closeup(reading, name)


def board_closeup(reading: Reading, region: str) -> Picture | None:
    """A disc and what is round it, ``(SIDE_PX, SIDE_PX, 3)`` uint8 BGR; None when it is not in the photo."""
    place = reading.placement.cells[region]
    if not place.inside:
        return None
    wider = CellPlace(place.centre_photo, place.axes_photo * AROUND, True, True)
    return _small(crop_cell(reading.photo.bgr, wider))


def sheet_closeup(reading: SheetReading, state: str) -> Picture:
    """A cell of a sheet, as :func:`board_closeup`."""
    model = reading.placement.model
    place = sheet_places(reading.placement.warp, model)[model.ids.index(state)]
    return _small(crop_cell(reading.photo.bgr, place))


def ferry_closeup(reading: Reading, one: str, other: str) -> Picture | None:
    """Two discs with what lies between, upright; None when one of them is not in the photo."""
    ends = [reading.placement.cells[region] for region in (one, other)]
    if not all(end.inside for end in ends):
        return None
    axes = np.mean([end.axes_photo for end in ends], axis=0)
    spots = np.array([np.linalg.solve(axes, np.array(end.centre_photo)) for end in ends])
    low, high = spots.min(axis=0) - BESIDE, spots.max(axis=0) + BESIDE
    step = float(np.max((high - low) / MOST_PX))
    width, height = (max(2, int(v)) for v in np.round((high - low) / step))
    matrix = np.column_stack([axes * step, axes @ (low + step / 2)])
    blur = 0.4 * step * float(np.sqrt(abs(np.linalg.det(axes))))
    smooth = cv2.GaussianBlur(reading.photo.bgr, (0, 0), blur) if blur > 0.6 else reading.photo.bgr
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cut = cv2.warpAffine(smooth, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, dtype=np.uint8)


def _small(crop: Picture) -> Picture:
    return np.asarray(cv2.resize(crop, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA), dtype=np.uint8)
