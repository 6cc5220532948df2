"""File or bytes -> :class:`Photo`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A picture, upright by its EXIF orientation.

    Attributes:
        name: where it came from, for messages.
        bgr: ``(H, W, 3)`` uint8, blue-green-red, at full resolution.
    """

    name: str
    bgr: NDArray[np.uint8]
