"""A thing that lies on a disc, a card or a pen or a die: what stands below nobody sees, whatever it looks like.

Under most things the disc itself is not seen. Others have something round where it should be; then they look like an X
that somebody blackened, as dark things do. But who blackens an X stays about the disc, and uses the pen of the board; a
thing does not mind the printed ring, and has its own colour. Which of the two it is only the player knows for sure, and
a state taken for blocked changes the score, so it is asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.cells import CellCrops
from ontour_cv.vision.contested import mixed
from ontour_cv.vision.glyphs import KINDS, GlyphScores
from ontour_cv.vision.pen import FROM_CENTRE, WRITTEN, ground_and_pen
from ontour_cv.vision.register import Placement

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

EVEN, ALIKE, OTHER = 0.9, 20.0, 0.3
"""A thing is of one colour over such a share of the disc, to so many grey levels, and differs from the pen by more than
so much of what the pen differs from its ground by: under coins and the backs and pictures of cards 0.43 to 0.68.
"""

HIDDEN = 0.5
"""How probable it is that nothing of a disc that is not seen can be read, and that anything may stand there. Of 4,920
discs on photos for validation eight were not seen, and all read rightly, before and after; of 32 that something lay on,
21 were not seen."""

USUAL, CIRCLED = (0.04, 0.89, 0.06, 0.01), (0.72, 0.28)
"""What stands on a disc when nobody has looked: shares of ``KINDS``, and of no circle and one, on
400 simulated boards."""


def out_of_sight(placement: Placement, elsewhere: Sequence[tuple[str, str]] = ()) -> list[str]:
    """The cells in the picture whose disc is not seen, but for those that may have a neighbour's (``contested``)."""
    known = {cell for cell, _ in elsewhere}
    return [cell for cell, place in placement.cells.items() if place.inside and not place.seen and cell not in known]


def half_hidden(scores: GlyphScores, cells: Sequence[str]) -> GlyphScores:
    """The scores where nothing of these cells can be read, or what was read, each as probable as ``HIDDEN`` says."""
    kind, number, circled = scores.kind.copy(), scores.number.copy(), scores.circled.copy()
    rows = [scores.ids.index(cell) for cell in cells]
    for part, usual in ((kind, USUAL), (number, np.full(number.shape[1], 1 / number.shape[1])), (circled, CIRCLED)):
        part[rows] = mixed(part[rows], np.log(usual), HIDDEN)
    return replace(scores, kind=kind, number=number, circled=circled)


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
    hidden = (dark > ALL_OVER) & (beyond > BEYOND) | _of_another_colour(flat, blocked, core)
    return [scores.ids[row] for row in blocked[hidden]]


def _of_another_colour(flat: NDArray[np.uint8], rows: NDArray[np.intp], core: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of some discs have one colour all over, and not that of the board's pen."""
    grounds, pens = ground_and_pen(flat.astype(np.float32))
    ground, pen = np.median(grounds, axis=0), np.median(pens, axis=0)
    inner = flat[rows][:, core].astype(np.float32)
    colour = np.median(inner, axis=1)
    even = (np.abs(inner - colour[:, None]).max(axis=2) < ALIKE).mean(axis=1) > EVEN
    apart = np.linalg.norm(colour - pen, axis=1) > OTHER * np.linalg.norm(ground - pen)
    return np.asarray(even & apart)
