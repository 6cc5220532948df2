"""Writing too faint to be seen: how much of a sheet's is, and what that says of its clear blanks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.sheet_glyphs import SheetScores

HARDLY, SEEMS = 0.02, 0.1
"""Writing is faint when its cell is neither blank nor written but for the first; one less probably written than the
second seems blank."""

BEFOREHAND = (0.25, 2.0)
"""What is faint, and all writing, on a sheet of which nothing is seen yet: one that seems empty is doubted."""

UNSEEN = (0.0, 0.8, 0.2)
"""What stands in a cell that seems blank but is not, by ``SHEET_KINDS``."""


def with_missed(scores: SheetScores, cells: NDArray[np.bool_]) -> SheetScores:
    """The scores with something written in clear blanks as often as this sheet's writing is likely to be missed.

    A pencil that is faint is faint everywhere: where a tenth of what is written can hardly be told from nothing, about
    a tenth of a tenth is not seen at all. ``cells (P,)`` says which rows are cells that the picture shows.
    """
    written = 1.0 - np.exp(scores.kind[:, 0])
    blank, clear = cells & (written < SEEMS), cells & (written > 1.0 - HARDLY)
    faint = float(written[cells & (written > HARDLY) & ~clear].sum())
    missed = ((faint + BEFOREHAND[0]) / (faint + int(clear.sum()) + BEFOREHAND[1])) ** 2
    mixed = np.log((1.0 - missed) * np.exp(scores.kind) + missed * np.array(UNSEEN))
    return replace(scores, kind=np.where(blank[:, None], mixed, scores.kind))
