"""Ferries that something may lie on: where a disc is not seen, a card or a cloth may hide a part of a line, or end one.

What lies there has edges and print, which look like pen lines, and hides those that are drawn. So a line that is hardly
one, but leads by such a disc for a while, may be there after all; and none that ends there is sure.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.city_flat import CityLayout
from ontour_cv.vision.city_paths import Lines

NEAR, LONG = 3.5, 1.0
"""How far about a disc that is not seen a thing may reach, half a card's length, and how much of a line has to lie
there to be hidden, disc radii."""

HARDLY = -6.0
"""Log-odds from which a line is at least hardly one; a ferry that ran below the edge of a card had -4.9. On 36 rendered
boards with a card, a die, a pen, a cloth or a finger on them seven ferries were missed or invented without a doubt, and
four are."""

LEAST, MOST = -2.5, 2.5
"""Log-odds of such a line at least, and of one that ends at a disc that is not seen at most: it is in doubt."""


def doubted_near(
    odds: NDArray[np.float64], lines: Lines, layout: CityLayout, unseen: Sequence[str]
) -> NDArray[np.float64]:
    """``(N,)`` log-odds of lines, in doubt where something may lie on them.

    Args:
        odds: ``(N,)`` calibrated log-odds, for each of ``layout.pairs``.
        lines: the lines.
        layout: the board.
        unseen: the discs in the photo that are not seen.
    """
    if not unseen or not len(odds):
        return odds
    spots = np.array([layout.discs[region] for region in unseen])
    away = np.linalg.norm(lines.paths[:, :, None] - spots, axis=3).min(axis=2) / layout.radius
    steps = (np.arange(lines.paths.shape[1]) + 0.5) / lines.paths.shape[1]
    between = np.minimum(steps, 1 - steps)[None] * lines.lengths[:, None] > 1
    hidden = ((away < NEAR) & between).mean(axis=1) * lines.lengths > LONG
    ends = np.array([a in unseen or b in unseen for a, b in layout.pairs])
    raised = np.where(hidden & (odds > HARDLY), np.maximum(odds, LEAST), odds)
    return np.where(ends, np.minimum(raised, MOST), raised)
