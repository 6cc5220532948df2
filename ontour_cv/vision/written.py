"""A board vouched for by what it says: most of its cells read as clear marks.

Where a map is drawn anew and the photo is poor, some discs are not seen and the others lie where nobody expects them:
laid rightly, it is refused all the same. Nothing but a filled board has marks in most of the places a map asks for.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ontour_cv.vision.cells import cut_cells
from ontour_cv.vision.glyphs import KINDS, GlyphScores, MarkReader
from ontour_cv.vision.landmarks import Candidates
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import Placement

CLEAR, CLEAR_NUMBER = 0.9, 0.8
"""How sure a mark's kind has to be, and a number given that it is one."""

WRITTEN = 0.6
"""Share of a map's cells that have to hold clear marks. On 60 hard photos of published boards read as a map drawn anew
those laid rightly, empty boards apart, had 0.6 and more; 0.51 where cells were half a disc off. Of 124 boards read as
another map's (USA, Europe, New York, Paris), each laid as well as it could be, none had more than 0.42."""

NUMBERS = 0.5
"""Share of the cells that have to hold clear numbers: 0.56 and more there, 0.4 at most on the other maps' boards.
Checked paper reads as Xs: of 113 pictures without a board (``bench.refusal``) one was Paris, full of them."""

LEAST_AGREEMENT = 0.0
"""How well the discs have to lie as the map has them (``allot.agreement``): those of any board hold marks, and a map
with as many could be laid over them."""


def vouching(photo: Photo, candidates: Candidates, reader: MarkReader) -> Callable[[Placement], bool]:
    """Whether a board laid in this photo reads as one, for :func:`ontour_cv.vision.register.register`."""

    def vouch(placement: Placement) -> bool:
        if placement.agreement < LEAST_AGREEMENT:
            return False
        scores = reader.read(cut_cells(photo, placement, candidates.working))
        inside = np.array([place.inside for place in placement.cells.values()])
        marks = clear(scores) & inside
        numbers = marks & (scores.kind.argmax(axis=1) == KINDS.index("number"))
        return bool(marks.mean() >= WRITTEN and numbers.mean() >= NUMBERS)

    return vouch


def clear(scores: GlyphScores) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which cells surely hold a mark, and which: ``(N,)``."""
    kind, number = np.exp(scores.kind), np.exp(scores.number.max(axis=1))
    best = kind.argmax(axis=1)
    sure = (kind.max(axis=1) > CLEAR) & (best != KINDS.index("empty"))
    return np.asarray(sure & ((best != KINDS.index("number")) | (number > CLEAR_NUMBER)))
