"""A thing that lies on a disc, a pen or a die: dark all over, it looks like an X that somebody blackened.

Who blackens an X stays about the disc; a thing does not mind the printed ring. Which of the two it is only the player
knows for sure, and a state taken for blocked changes the score, so it is asked about.
"""

from __future__ import annotations

import numpy as np

from ontour_cv.vision.cells import CellCrops
from ontour_cv.vision.glyphs import KINDS, GlyphScores
from ontour_cv.vision.pen import FROM_CENTRE, WRITTEN

LIGHT = 0.8
"""The share of a disc that is at most as bright as its ground, ink and all."""

EVERY = 7
"""One in so many pixels tells a board's ground."""

DARK = 0.5
"""So much of a usual disc's ground, and less, is dark."""

ALL_OVER, BEYOND = 0.8, 0.1
"""Shares of a disc and of the ring beyond its rim that are dark under a thing. Of 14 Xs read where a die or a pen lay
the 11 under something dark have more of both; of 49 blackened or scribbled (validation writers) 5 have.
"""

RIM = (1.15, 1.5)
"""That ring, disc radii."""


def covered(scores: GlyphScores, crops: CellCrops) -> list[str]:
    """The cells read as X that something may lie on."""
    blocked = np.flatnonzero(scores.kind[:, KINDS.index("x")] > np.log(0.5))
    if not len(blocked):
        return []
    flat = crops.images.reshape(len(crops.ids), -1, 3)
    low, high = RIM
    core, rim = FROM_CENTRE < WRITTEN, (low < FROM_CENTRE) & (high > FROM_CENTRE)
    inner = np.sort(flat[:, np.flatnonzero(core)[::EVERY]].max(axis=2), axis=1)
    ground = float(np.median(inner[:, int(LIGHT * inner.shape[1])]))
    dark, beyond = ((flat[blocked][:, part].max(axis=2) < DARK * ground).mean(axis=1) for part in (core, rim))
    hidden = (dark > ALL_OVER) & (beyond > BEYOND)
    return [scores.ids[row] for row in blocked[hidden]]
