"""Plain drawings of cells with and without a player's circle."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.cells import AROUND, CELL, CROP_PX, CROP_RADII, CellCrops, Window

Colour = tuple[int, int, int]

RADIUS = CROP_PX / (2 * CROP_RADII)
"""Of a disc, crop pixels."""

BLACK, WHITE, GREEN = (25, 25, 25), (235, 238, 240), (70, 150, 60)


def cell(
    number: str, print_bgr: Colour, drawn: Colour | None, pen: Colour = BLACK, window: Window = CELL, wide: float = 1.0
) -> NDArray[np.uint8]:
    """A white disc with a printed ring, a number, and perhaps a ring drawn round it, ``wide`` times as far as usual."""
    side, unit = 4 * window.px, 4 * window.px_per_radius
    big = np.full((side, side, 3), GREEN, np.uint8)
    middle = (side // 2, side // 2)
    cv2.circle(big, middle, round(unit), WHITE, -1, cv2.LINE_AA)
    cv2.circle(big, middle, round(0.95 * unit), print_bgr, round(0.125 * unit), cv2.LINE_AA)
    small = unit / (4 * RADIUS)
    corner = (middle[0] - round(45 * small), middle[1] + round(22 * small))
    cv2.putText(big, number, corner, cv2.FONT_HERSHEY_SIMPLEX, 2.2 * small, pen, round(11 * small), cv2.LINE_AA)
    if drawn is not None:
        axes = (round(1.25 * wide * unit), round(1.15 * wide * unit))
        cv2.ellipse(big, middle, axes, 20, 8, 350, drawn, round(13 * small), cv2.LINE_AA)
    return np.asarray(cv2.resize(big, (window.px, window.px), interpolation=cv2.INTER_AREA), np.uint8)


def board(
    print_bgr: Colour, drawn: set[int], pen: Colour = BLACK, window: Window = CELL, ring: Colour | None = None,
    wide: float = 1.0,
) -> NDArray[np.uint8]:  # fmt: skip
    """Forty cells; ``drawn`` says which of them are circled, in the colour of ``ring`` or of the pen."""
    return np.stack(
        [cell(f"{k + 13:02d}", print_bgr, (ring or pen) if k in drawn else None, pen, window, wide) for k in range(40)]
    )


def crops(
    print_bgr: Colour, drawn: set[int], pen: Colour = BLACK, ring: Colour | None = None, wide: float = 1.0
) -> CellCrops:
    """The same as reading has it, with what is round the cells."""
    near, around = (board(print_bgr, drawn, pen, window, ring, wide) for window in (CELL, AROUND))
    return CellCrops(tuple(f"R{k}" for k in range(40)), near, np.full(40, 20.0), None, around)
