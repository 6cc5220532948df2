"""CellCrops -> :class:`GlyphScores`: what the mark network thinks of each cell, as log-probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

KINDS = ("empty", "number", "star", "x")
"""Order of the columns of ``GlyphScores.kind``."""


@dataclass(frozen=True, slots=True, eq=False)
class GlyphScores:
    """Calibrated log-probabilities, one row per cell.

    Attributes:
        ids: region ids.
        kind: ``(N, 4)`` float64, log-probability of each of ``KINDS``.
        number: ``(N, 100)`` float64, log-probability of each number given that the cell holds one.
        circled: ``(N, 2)`` float64, log-probability of (not circled, circled).
    """

    ids: tuple[str, ...]
    kind: NDArray[np.float64]
    number: NDArray[np.float64]
    circled: NDArray[np.float64]
