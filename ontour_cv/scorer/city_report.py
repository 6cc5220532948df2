"""What became of one photo of a board of New York: a :class:`CityReport`, or a ``report.Failure``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ontour_cv.board import BoardState
from ontour_cv.city_board import CityBoard, Pair
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules import Problem
from ontour_cv.rules.city import CityScore
from ontour_cv.scorer.report import POOR_SHARE
from ontour_cv.vision.decode import CellReading
from ontour_cv.vision.read import Reading


@dataclass(frozen=True, slots=True, eq=False)
class CityReport:
    """One photo of a board of New York, scored. Ferries, soloists and crossed rows are never read, only given.

    Attributes:
        photo: the photo as it was named.
        template: the map.
        reading: what was seen in the discs, before corrections.
        cells: region id -> what stands there, corrections included, in the map's order.
        soloists: those given, as ``city_board.CityBoard`` has them.
        ferries: those given.
        tracks: the rows given.
        corrected: ids of regions that somebody set by hand.
        problems: where the board breaks the rules, as far as it is known.
        score: the best route of the board with the soloists and ferries given: the least the board is worth.
        score_range: lowest and highest score over everything doubtful cells may hold, with these soloists and ferries.
        timings_ms: stage name -> milliseconds.
    """

    photo: str
    template: MapTemplate
    reading: Reading
    cells: Mapping[str, CellReading]
    soloists: Mapping[str, str]
    ferries: tuple[Pair, ...]
    tracks: Mapping[str, int]
    corrected: tuple[str, ...]
    problems: tuple[Problem, ...]
    score: CityScore
    score_range: tuple[int, int]
    timings_ms: Mapping[str, float]

    @property
    def board(self) -> CityBoard:
        """The board that was scored."""
        marks = BoardState({region: cell.mark for region, cell in self.cells.items()})
        return CityBoard(marks, self.soloists, self.ferries, self.tracks)

    @property
    def uncertain(self) -> tuple[str, ...]:
        """Ids of the doubtful cells, in the map's order."""
        return tuple(region for region, cell in self.cells.items() if cell.doubtful)

    @property
    def poor(self) -> bool:
        """True when so much is in doubt that another photo is the better answer."""
        return len(self.uncertain) > POOR_SHARE * len(self.cells)
