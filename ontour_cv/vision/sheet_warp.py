"""Sheet to photo: a homography of paper that is a little curled or folded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Homography, Points
from ontour_cv.vision.gaussian import matern

Array = NDArray[np.float64]

LENGTH, AMPLITUDE = 0.35, 0.06
"""How a bend moves places of the sheet, in its widths: over what distance, and how far."""


@dataclass(frozen=True, slots=True, eq=False)
class SheetWarp:
    """Sheet to photo: a homography of bent paper.

    Attributes:
        flat: homography, ``"sheet"`` to ``"photo"``.
        knots: ``(K, 2)`` sheet points at which the bend was seen.
        pull: ``(K, 2)`` weights of the bend (Gaussian process mean; Rasmussen & Williams 2006, section 2.2).
    """

    flat: Homography
    knots: Points
    pull: Array

    def bend(self, sheet: Points) -> Points:
        """How far the paper's places are moved, ``(N, 2)``, sheet widths."""
        if not len(self.knots):
            return np.zeros_like(sheet)
        return np.asarray(bend_kernel(sheet, self.knots) @ self.pull)

    def apply(self, sheet: Points) -> Points:
        """Photo points ``(N, 2)``."""
        return self.flat.apply(sheet + self.bend(sheet))

    def axes(self, sheet: Points, step: float = 0.02) -> Array:
        """``(N, 2, 2)``: photo vectors of one sheet width along the sheet's x and y, over ``step``."""
        sides = [self.apply(sheet + s * np.eye(2)[i] * step) for i in (0, 1) for s in (1, -1)]
        return np.stack([sides[0] - sides[1], sides[2] - sides[3]], axis=-1) / (2 * step)


def bend_kernel(one: Points, other: Points) -> Array:
    """How alike two places of the paper move beside the homography, covariances ``(N, M)``."""
    return matern(one, other, LENGTH, AMPLITUDE)
