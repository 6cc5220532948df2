"""Plain drawings of cells with and without a player's circle."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.cells import CROP_PX, CROP_RADII

Colour = tuple[int, int, int]

RADIUS = CROP_PX / (2 * CROP_RADII)
"""Of a disc, crop pixels."""

BLACK, WHITE, GREEN = (25, 25, 25), (235, 238, 240), (70, 150, 60)


def cell(number: str, print_bgr: Colour, drawn: Colour | None, pen: Colour = BLACK) -> NDArray[np.uint8]:
    """A white disc with a printed ring, a number, and perhaps a ring drawn round it."""
    big = np.full((4 * CROP_PX, 4 * CROP_PX, 3), GREEN, np.uint8)
    middle = (2 * CROP_PX, 2 * CROP_PX)
    cv2.circle(big, middle, round(4 * RADIUS), WHITE, -1, cv2.LINE_AA)
    cv2.circle(big, middle, round(3.8 * RADIUS), print_bgr, round(0.5 * RADIUS), cv2.LINE_AA)
    cv2.putText(big, number, (middle[0] - 45, middle[1] + 22), cv2.FONT_HERSHEY_SIMPLEX, 2.2, pen, 11, cv2.LINE_AA)
    if drawn is not None:
        cv2.ellipse(big, middle, (round(5.0 * RADIUS), round(4.6 * RADIUS)), 20, 8, 350, drawn, 13, cv2.LINE_AA)
    return np.asarray(cv2.resize(big, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA), np.uint8)


def board(print_bgr: Colour, drawn: set[int], pen: Colour = BLACK) -> NDArray[np.uint8]:
    """Forty cells; ``drawn`` says which of them are circled."""
    return np.stack([cell(f"{k + 13:02d}", print_bgr, pen if k in drawn else None, pen) for k in range(40)])
