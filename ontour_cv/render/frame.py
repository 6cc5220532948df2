"""Which part of a photo an overlay shows, and how it is turned and scaled: :class:`Frame`."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Homography
from ontour_cv.render import palette
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


LEAN_DEG = 8.0
"""A board that leans less keeps the photo's own edges; one that leans more is set upright."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """The part of a photo that an overlay shows.

    Attributes:
        photo_to_picture: similarity, frame ``"photo"`` to frame ``"picture"``.
        scale: picture pixels per photo pixel.
        size: width and height of the picture in pixels.
        angle_deg: how far the board still leans, clockwise.
    """

    photo_to_picture: Homography
    scale: float
    size: tuple[int, int]
    angle_deg: float


def frame_board(photo: Photo, placement: Placement) -> Frame:
    """The frame that shows the whole board upright, at a size at which it can be read."""
    lean = _lean_deg(placement)
    quarter = 90.0 * round(lean / 90.0)
    turned = quarter if abs(lean - quarter) < LEAN_DEG else lean
    upright = _rotation(-turned)
    low, high = _window(photo, placement, upright)
    radius = float(np.median([np.sqrt(abs(np.linalg.det(place.axes_photo))) for place in placement.cells.values()]))
    scale = min(RADIUS_PX / radius, ENLARGE, LONGEST_PX / float((high - low).max()))
    size = tuple(max(8, round(float(side) * scale)) for side in high - low)
    # Pixel centres: a picture that begins at ``low`` has its first pixel's centre half a picture pixel further in.
    shift = scale * (0.5 - low) - 0.5
    place = np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]])
    return Frame(Homography(place @ upright, "photo", "picture"), scale, (size[0], size[1]), lean - turned)


def cut_frame(photo: Photo, frame: Frame) -> NDArray[np.uint8]:
    """The picture, ``(H, W, 3)`` uint8 BGR, a copy; dark where the photo has nothing."""
    height, width = photo.bgr.shape[:2]
    source, matrix = photo.bgr, frame.photo_to_picture.matrix
    if frame.scale < 1.0:
        # Areas are averaged first: sampling thin strokes at single points would tatter them.
        small = max(1, round(width * frame.scale)), max(1, round(height * frame.scale))
        source = np.asarray(cv2.resize(photo.bgr, small, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        fx, fy = small[0] / width, small[1] / height
        shrink = np.array([[fx, 0, (fx - 1) / 2], [0, fy, (fy - 1) / 2], [0, 0, 1]])
        matrix = matrix @ np.linalg.inv(shrink)
    # A picture set upright has corners the photo does not reach; otherwise its edge would only be blurred into dark.
    leans = min(abs(matrix[0, 0]), abs(matrix[0, 1])) > 1e-9
    border = cv2.BORDER_CONSTANT if leans else cv2.BORDER_REPLICATE
    ground = palette.NIGHT[::-1]
    picture = cv2.warpAffine(
        source, matrix[:2], frame.size, flags=cv2.INTER_CUBIC, borderMode=border, borderValue=ground
    )
    return np.asarray(picture, dtype=np.uint8)


def _rotation(angle_deg: float) -> NDArray[np.float64]:
    """Homogeneous rotation, clockwise on a picture; exact for quarter turns."""
    c, s = np.round([np.cos(np.deg2rad(angle_deg)), np.sin(np.deg2rad(angle_deg))], 12)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], dtype=np.float64)


def _lean_deg(placement: Placement) -> float:
    """Clockwise angle of the board's x axis in the photo, degrees."""
    along = np.sum([place.axes_photo[:, 0] for place in placement.cells.values()], axis=0)
    return float(np.degrees(np.arctan2(along[1], along[0])))


def _window(
    photo: Photo, placement: Placement, upright: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Top left and bottom right of what is shown, pixel edges, in the photo turned by ``upright``."""
    turn = Homography(upright, "photo", "turned")
    height, width = photo.bgr.shape[:2]
    edges = turn.apply(np.array([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5)
    cells = np.array(list(placement.edition.cells.values()), dtype=np.float64)
    (left, top), (right, bottom) = cells.min(axis=0) - MARGIN, cells.max(axis=0) + MARGIN
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    centres = np.array([place.centre_photo for place in placement.cells.values()], dtype=np.float64)
    shown = turn.apply(np.vstack([placement.board_to_photo.apply(corners), centres]))
    low = np.clip(shown.min(axis=0), edges.min(axis=0), edges.max(axis=0) - 2)
    return low, np.clip(shown.max(axis=0), low + 2, edges.max(axis=0))
