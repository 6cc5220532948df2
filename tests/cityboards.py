"""A small made-up board for the eyes of New York: four discs, boxes, a row, no print to speak of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.city_flat import CityLayout

RADIUS = 0.02
DISCS = {"A": (0.2, 0.2), "B": (0.6, 0.2), "C": (0.4, 0.2), "D": (0.4, 0.45)}


def small_layout(pairs: tuple[tuple[str, str], ...]) -> CityLayout:
    """C lies on the straight line from A to B."""
    look = np.full((700, 1000, 3), 255, np.uint8)
    lawful, linked = (True,) * len(pairs), (False,) * len(pairs)
    return CityLayout(0.7, RADIUS, DISCS, {}, {}, pairs, lawful, linked, 1.0, (0.0, 0.0), (look,), lambda _: look)


def empty_ink(layout: CityLayout) -> NDArray[np.float32]:
    width, height = layout.size_px
    return np.zeros((height // 2, width // 2), np.float32)
