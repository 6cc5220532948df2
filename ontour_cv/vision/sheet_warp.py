"""Sheet to photo: a homography of paper that is a little curled or folded."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

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
    """How alike two places of the paper move beside the homography, covariances ``(N, M)``; not to be written to.

    Of places that cannot be written to, as those of a model, they are worked out once: a sheet is laid in some fifty
    rounds, which ask for the same half a million covariances each.
    """
    if one.flags.writeable or other.flags.writeable:
        return matern(one, other, LENGTH, AMPLITUDE)
    return _lasting_kernel(_Lasting(one), _Lasting(other))


class _Lasting:
    """An array that stays as it is: equal to itself alone."""

    def __init__(self, places: Points) -> None:
        self.places = places

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Lasting) and self.places is other.places

    def __hash__(self) -> int:
        return id(self.places)


@lru_cache(maxsize=8)
def _lasting_kernel(one: _Lasting, other: _Lasting) -> Array:
    kernel = matern(one.places, other.places, LENGTH, AMPLITUDE)
    kernel.setflags(write=False)
    return kernel
