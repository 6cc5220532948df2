"""Board to photo: a homography, and a smooth residual for what a flat board cannot explain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Homography, Points
from ontour_cv.vision.gaussian import matern, robust_pull

Array = NDArray[np.float64]

LENGTH = 0.28
"""Distance over which folds and lens distortion bend a board, board widths: about one panel of three."""

AMPLITUDE = 0.35
"""How far they move a disc from the best homography, disc radii (standard deviation)."""

PLAIN, SQUARE, CUBIC = 10.0, 20.0, 5.0
"""What bends the whole board at once, a curled sheet or a wide-angle lens held near, moves a disc half a board width
from the middle of those found by so much in each term of order nought and one, two and three, disc radii (standard
deviation). Such a curve goes on beyond the discs known, where residuals that die away with distance do not: with those,
of 492 discs on twelve sheets curled by 12 hundredths of their height 84 were placed beside, with this and
``grow._outlined`` 38. Without the terms that a homography has as well, it mattered what was taken for the middle.
"""

USUAL, GAIN = 0.05, 3.0
"""A board is taken for bent as a whole where its discs are so foretold by one another better: by ``GAIN`` natural log
units, errors of ``USUAL`` disc radii being common. On 36 fresh photos of sheets curled by 3 to 7 hundredths of their
height, and of boards by lenses of 15 to 38 hundredths of barrel distortion, 23 cells are misread so (73). With 0.1 and
10 few of such boards are; were all boards, discs hidden side by side would be placed a radius off.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Warp:
    """A homography and a smooth residual (Gaussian process mean; Rasmussen & Williams 2006, section 2.2).

    Attributes:
        flat: the homography, ``"board"`` to ``"photo"``.
        knots: ``(K, 2)`` board points the residual was seen at.
        pull: ``(K, 2)`` weights of the residual, disc radii along the flat map's local axes.
        radius: disc radius, board widths.
        wide: whether the board is bent as a whole, and not only at folds.
    """

    flat: Homography
    knots: Points
    pull: Array
    radius: float
    wide: bool = False

    def apply(self, board: Points) -> Points:
        """Photo points, ``(N, 2)``."""
        places = self.flat.apply(board)
        if len(self.knots):
            residual = _alike(board, self.knots, self.wide) @ self.pull
            axes = self.flat.jacobians(board) * self.radius
            places = places + np.einsum("nij,nj->ni", axes, residual)
        return places

    def axes(self, board: Points) -> Array:
        """``(N, 2, 2)``: photo vectors of one disc radius along board x and board y."""
        if not len(self.knots):
            return self.flat.jacobians(board) * self.radius
        step = self.radius
        sides = [self.apply(board + s * np.eye(2)[i] * step) for i in (0, 1) for s in (1, -1)]
        return np.stack([(sides[0] - sides[1]) / 2, (sides[2] - sides[3]) / 2], axis=-1)


def bend(flat: Homography, board: Points, residuals: Array, spread: Array, radius: float) -> tuple[Warp, Array]:
    """The warp through measured residuals, and what each measurement is off from what all the others say.

    Args:
        flat: robust homography.
        board: ``(N, 2)`` measured cells.
        residuals: ``(N, 2)`` measured minus flat, disc radii along the flat map's local axes.
        spread: ``(N,)`` standard deviation of each measurement, disc radii.
        radius: disc radius, board widths.

    Returns:
        The warp, and ``(N, 2)`` leave-one-out residuals: each measurement minus what all others say, disc radii.
    """
    if len(board) < 6:
        return Warp(flat, np.empty((0, 2)), np.empty((0, 2)), radius), residuals
    # A disc that sits elsewhere in print, or a false one, must not bend the board.
    plain, wide = (
        robust_pull(_alike(board, board, w), residuals, spread, tolerated=4.0, rounds=4) for w in (False, True)
    )
    whole = _surprise(wide[1]) < _surprise(plain[1]) - GAIN
    pull, alone = wide if whole else plain
    return Warp(flat, board, pull, radius, whole), alone


def _surprise(alone: Array) -> float:
    """How badly measurements are foretold by all others, natural log units, as of a Cauchy distribution."""
    return float(np.log1p((alone**2).sum(axis=1) / USUAL**2).sum())


def _alike(one: Points, knots: Points, wide: bool) -> Array:
    """Covariances ``(N, K)`` of how far places of the board and knots move, squared disc radii."""
    near = matern(one, knots, LENGTH, AMPLITUDE)
    if not wide:
        return near
    middle = knots.mean(axis=0)
    return np.asarray(near + _curves(one - middle) @ _curves(knots - middle).T)


def _curves(away: Points) -> Array:
    """The terms ``(N, 7)`` of second and third order, each as large as ``SQUARE`` and ``CUBIC`` say."""
    u, v = 2.0 * away.T
    plain = (np.ones_like(u), u, v)
    square, cubic = (u * u, u * v, v * v), (u**3, u * u * v, u * v * v, v**3)
    return np.stack(
        [*(PLAIN * term for term in plain), *(SQUARE * term for term in square), *(CUBIC * term for term in cubic)],
        axis=1,
    )
