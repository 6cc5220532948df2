"""What stands in a cell that the picture does not show: the number that is wanted somewhere and stands nowhere.

Numbers come in reversed pairs, so a 19 without a 91 on a board of which one cell is cut off leaves a 91 for that cell.
How often it does was counted: 700 games each of the USA and Europe by the plausible player (``synth.play``), of whose
finished boards one cell or two were covered 40 times.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.match import BLOCKED, LABELS, STAR

NUMBERS = 100
"""Labels that are numbers; they come first."""

REVERSED = np.array([10 * (n % 10) + n // 10 if n < NUMBERS else n for n in range(LABELS)])
"""Each label's partner; signs are their own."""

MOST_READINGS = 300
"""Joint readings of the other cells that are weighed, the most probable ones."""

PARTNER, NUMBER, A_STAR, AN_X = range(4)

CHANCES = np.array([
    [0.98, 0.005, 0.005, 0.01],
    [0.93, 0.01, 0.05, 0.01],
    [0.00, 0.50, 0.48, 0.02],
])  # fmt: skip
"""How probably a cell holds a missing partner, any other number, a star, an X: a row each for boards that show more
numbers without a partner than Xs and cells out of sight explain, exactly as many, and none at all.

Counted for one cell were partners 0.990, 0.941 and 0, stars 0, 0.054 and 0.64, Xs at most 0.03 (22,000 boards of the
first kind, 28,000 of the second, 2,300 of the last); two cells were much the same. A slip of the player's is possible,
too, so that nothing is as rare as it is in play without any.
"""

FEWER = 0.98
"""Where fewer numbers lack a partner than there are Xs and cells out of sight, this share of them is spread evenly over
these: of three cells below one card one at most holds the 93 that is missing. Counted for one to five cells were 0.40,
0.33, 0.24 and 0.19 for one number and two to five such places, 0.58, 0.49, 0.39 and 0.36 for two and three to six."""

OTHERWISE = np.array([0.60, 0.34, 0.06])
"""What such a cell holds otherwise: any other number, a star, an X."""


def left_over(
    readings: NDArray[np.int_], weights: NDArray[np.float64], numbers: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Posterior of each label in each cell out of sight, ``(H, LABELS)``.

    Args:
        readings: ``(B, M)`` labels of the ``M`` cells in sight, joint readings of them, the most probable first.
        weights: ``(B,)`` of these readings, not negative.
        numbers: ``(H, 100)`` log-weight of each number in each cell out of sight, by what stands around it.
    """
    readings, weights = readings[:MOST_READINGS], weights[:MOST_READINGS]
    there = np.zeros((len(readings), NUMBERS))
    for column in readings.T:
        some = np.flatnonzero(column < NUMBERS)
        there[some, column[some]] += 1.0
    wanted = np.maximum(there[:, REVERSED[:NUMBERS]] - there, 0.0)
    lone = wanted.sum(axis=1)
    beyond = lone - (readings == BLOCKED).sum(axis=1) - len(numbers)
    chances = CHANCES[np.select([lone == 0, beyond > 0], [2, 0], 1)]
    few = (lone > 0) & (beyond < 0)
    shared = FEWER * lone[few] / (lone[few] - beyond[few])
    chances[few] = np.column_stack([shared, (1 - shared)[:, None] * OTHERWISE])
    weights = weights / weights.sum()
    out = np.zeros((len(numbers), LABELS))
    for row, logs in enumerate(numbers):
        alike = np.exp(logs - logs.max())
        partner = wanted * alike
        partner /= np.maximum(partner.sum(axis=1, keepdims=True), 1e-300)
        out[row, :NUMBERS] = (weights * chances[:, PARTNER]) @ partner
        out[row, :NUMBERS] += (weights @ chances[:, NUMBER]) * alike / alike.sum()
        out[row, [STAR, BLOCKED]] = weights @ chances[:, [A_STAR, AN_X]]
    return np.asarray(out / out.sum(axis=1, keepdims=True), dtype=np.float64)
