"""An owner's photo of a board without ink -> the flat board that ``synth.photograph`` writes on and photographs anew.

Such photos are never shipped: whoever has some may measure with them (``bench.blanks``) or train with them
(``train.drawn``).
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from ontour_cv.geometry import Homography
from ontour_cv.maps.edition import Edition
from ontour_cv.synth.printed import Blank
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.photo import load_photo
from ontour_cv.vision.register import register

WIDTH_PX, ROOM = 2000, 0.05
"""Width of the flat picture, pixels, and how much beside the outermost discs it may show, board widths."""


def blank_board(edition: Edition, path: Path) -> Blank:
    """The flat board in a photo of it without ink.

    Args:
        edition: where its discs lie.
        path: the photo.

    Raises:
        BadPhoto: it is no picture that can be read.
        BoardNotFound: it shows no such board.
    """
    photo = load_photo(path.read_bytes(), str(path))
    cells = register(photo, find_discs(photo), [edition]).cells
    board = np.array(list(edition.cells.values()))
    matrix, _ = cv2.findHomography(board, np.array([cells[region].centre_photo for region in edition.cells]))
    flat = Homography(np.asarray(matrix), "board", "photo")
    height, width = photo.bgr.shape[:2]
    corners = flat.inverse().apply(np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float64))
    low = np.maximum(corners.min(axis=0), -ROOM)
    high = np.minimum(corners.max(axis=0), [1 + ROOM, board[:, 1].max() + ROOM])
    scale = WIDTH_PX / (high[0] - low[0])
    to_board = np.array([[1 / scale, 0, low[0]], [0, 1 / scale, low[1]], [0, 0, 1]])
    size = (WIDTH_PX, round(float(high[1] - low[1]) * scale))
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    picture = cv2.warpPerspective(photo.bgr, flat.matrix @ to_board, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    white = float(np.mean(np.asarray(picture).min(axis=2) > 150)) > 0.5
    margins = (-low[0], -low[1], high[0] - 1, 0.0)
    return Blank(np.asarray(picture, dtype=np.uint8), edition, tuple(float(v) for v in margins), paper=white)  # type: ignore[arg-type]
