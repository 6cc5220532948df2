"""Photo -> candidate printed discs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Places in a photo that look like a printed disc, best first.

    Attributes:
        centres_photo: ``(N, 2)`` float64, photo pixels, x right and y down.
        radii_px: ``(N,)`` float64, geometric mean of the fitted ellipse's half axes, photo pixels.
        quality: ``(N,)`` float64, 0-1, how well it looks like an ellipse of its own.
    """

    centres_photo: NDArray[np.float64]
    radii_px: NDArray[np.float64]
    quality: NDArray[np.float64]
