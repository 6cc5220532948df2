"""Which part of a photo an overlay shows, and how it is turned and scaled: :class:`Frame`."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Homography
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import Placement

RADIUS_PX = 40.0
"""Disc radius wished for in the picture: handwriting and tags are then read at a glance."""

LONGEST_PX = 2400
"""Longest side of the picture."""

ENLARGE = 2.5
"""A small photo is not enlarged more than this: it would only be blurred."""

MARGIN = 0.14
"""Room shown round the discs in board widths: the whole printed board, and a little of the table."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A window of the photo, turned by quarter turns until the board's text is nearest to upright.

    Attributes:
        photo_to_picture: similarity, frame ``"photo"`` to frame ``"picture"``.
        window: left, top, right, bottom in photo pixels, the last two not included.
        quarter_turns: anticlockwise quarter turns.
        size: width and height of the picture in pixels.
        angle_deg: how far the board still leans, clockwise, -45 to 45.
    """

    photo_to_picture: Homography
    window: tuple[int, int, int, int]
    quarter_turns: int
    size: tuple[int, int]
    angle_deg: float


def frame_board(photo: Photo, placement: Placement) -> Frame:
    """The frame that shows the whole board, at a size at which it can be read."""
    places = list(placement.cells.values())
    lean = _lean_deg(placement)
    turns = round(lean / 90.0) % 4
    left, top, right, bottom = window = _window(photo, placement)
    width, height = (right - left, bottom - top) if turns % 2 == 0 else (bottom - top, right - left)
    radius = float(np.median([np.sqrt(abs(np.linalg.det(place.axes_photo))) for place in places]))
    scale = min(RADIUS_PX / radius, ENLARGE, LONGEST_PX / max(width, height))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    # Quarter turns about the window: pixel centres, so the far side lies at its length minus one.
    shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], dtype=np.float64)
    matrix = shift
    for turn in range(turns):
        far = (right - left if turn % 2 == 0 else bottom - top) - 1
        matrix = np.array([[0, 1, 0], [-1, 0, far], [0, 0, 1]], dtype=np.float64) @ matrix
    fx, fy = size[0] / width, size[1] / height
    matrix = np.array([[fx, 0, (fx - 1) / 2], [0, fy, (fy - 1) / 2], [0, 0, 1]], dtype=np.float64) @ matrix
    return Frame(Homography(matrix, "photo", "picture"), window, turns, size, lean - 90.0 * round(lean / 90.0))


def cut_frame(photo: Photo, frame: Frame) -> NDArray[np.uint8]:
    """The picture, ``(H, W, 3)`` uint8 BGR, a copy."""
    left, top, right, bottom = frame.window
    turned = np.ascontiguousarray(np.rot90(photo.bgr[top:bottom, left:right], frame.quarter_turns))
    shrinking = frame.size[0] < turned.shape[1]
    flags = cv2.INTER_AREA if shrinking else cv2.INTER_CUBIC
    return np.array(cv2.resize(turned, frame.size, interpolation=flags), dtype=np.uint8)


def _lean_deg(placement: Placement) -> float:
    """Clockwise angle of the board's x axis in the photo, degrees."""
    along = np.sum([place.axes_photo[:, 0] for place in placement.cells.values()], axis=0)
    return float(np.degrees(np.arctan2(along[1], along[0])))


def _window(photo: Photo, placement: Placement) -> tuple[int, int, int, int]:
    height, width = photo.bgr.shape[:2]
    cells = np.array(list(placement.edition.cells.values()), dtype=np.float64)
    (left, top), (right, bottom) = cells.min(axis=0) - MARGIN, cells.max(axis=0) + MARGIN
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    centres = np.array([place.centre_photo for place in placement.cells.values()])
    shown = np.vstack([placement.board_to_photo.apply(corners), centres])
    low = np.clip(np.floor(shown.min(axis=0)), 0, [width - 2, height - 2]).astype(int)
    high = np.clip(np.ceil(shown.max(axis=0)) + 1, low + 2, [width, height]).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])
