"""GlyphScores + prior -> :class:`Decoded`: the most probable board as a whole, with posteriors and doubts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ontour_cv.board import BoardState, Mark


@dataclass(frozen=True, slots=True)
class CellReading:
    """One cell as read.

    Attributes:
        mark: the decoded mark, with its circle.
        confidence: posterior probability of mark and circle together, 0-1.
        alternatives: other marks (with circle) and their posterior, most probable first, tiny ones left out.
        doubtful: True when the reading cannot be trusted by itself.
    """

    mark: Mark
    confidence: float
    alternatives: tuple[tuple[Mark, float], ...]
    doubtful: bool


@dataclass(frozen=True, slots=True, eq=False)
class Decoded:
    """A whole board as read: region id -> reading, in the map's order."""

    cells: Mapping[str, CellReading]

    @property
    def board(self) -> BoardState:
        """The board without the doubts."""
        return BoardState({region: cell.mark for region, cell in self.cells.items()})

    @property
    def uncertain(self) -> tuple[str, ...]:
        """Ids of the doubtful cells, in the map's order."""
        return tuple(region for region, cell in self.cells.items() if cell.doubtful)
