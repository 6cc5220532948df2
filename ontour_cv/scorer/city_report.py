"""What became of one photo of a board of New York: a :class:`CityReport`, or a ``report.Failure``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ontour_cv.board import BoardState
from ontour_cv.city_board import CityBoard
from ontour_cv.dealer.record import GameRecord
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules import Problem
from ontour_cv.scorer.report import POOR_SHARE, PhotoUse
from ontour_cv.vision.decode import CellReading
from ontour_cv.vision.read import Reading

if TYPE_CHECKING:  # these bring the printed board with them, which a photo of the USA has no need of
    from ontour_cv.referee.city_verdict import CityVerdict
    from ontour_cv.rules.city import CityScore
    from ontour_cv.scorer.city_drawn import Drawn, Given
    from ontour_cv.scorer.drawn import Drawn as Tour
    from ontour_cv.vision.city_read import CityInkReading


@dataclass(frozen=True, slots=True)
class CityByLog:
    """What the log of its game says about a board.

    Attributes:
        record: the game.
        verdict: of the referee, on the board as read.
        sure: True when nothing on the board is in doubt, so that slips are slips.
        player: whose board it is; None where nobody said.
    """

    record: GameRecord
    verdict: CityVerdict
    sure: bool
    player: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CityReport:
    """One photo of a board of New York, scored.

    Attributes:
        photo: the photo as it was named.
        template: the map.
        reading: what was seen in the discs, before corrections.
        cells: region id -> what stands there, corrections included, in the map's order.
        drawn: soloists, ferries and rows, read or given, and the doubts about them.
        corrected: ids of regions that somebody set by hand.
        problems: where the board breaks the rules, as far as it is known.
        score: the best route of the board as it was read; where ferries or soloists were not looked for, the least the
            board is worth.
        score_range: lowest and highest score over all doubts about what was read.
        ask: neighbourhoods and ferries (``~SOHO-STG``) whose doubts can change the score.
        more: True when doubts that are not in ``ask`` may matter once these are answered, or what was not read may.
        timings_ms: stage name -> milliseconds.
        log: what its game's log says; None without one.
        photos: what became of each photo when several were read together; empty for one.
        tour: the tour the player drew; None when it was not looked for.
        given: what somebody vouches for.
        ink: what was seen beside the numbers; None when nobody looked.
    """

    photo: str
    template: MapTemplate
    reading: Reading
    cells: Mapping[str, CellReading]
    drawn: Drawn
    corrected: tuple[str, ...]
    problems: tuple[Problem, ...]
    score: CityScore
    score_range: tuple[int, int]
    ask: tuple[str, ...]
    timings_ms: Mapping[str, float]
    log: CityByLog | None = None
    photos: tuple[PhotoUse, ...] = ()
    tour: Tour | None = None
    more: bool = False
    given: Given | None = None
    ink: CityInkReading | None = None

    @property
    def board(self) -> CityBoard:
        """The board that was scored."""
        marks = BoardState({region: cell.mark for region, cell in self.cells.items()})
        return CityBoard(marks, self.drawn.soloists, self.drawn.ferries, self.drawn.tracks)

    @property
    def doubts(self) -> int:
        """How many neighbourhoods and ferries are in doubt."""
        return len({*self.uncertain, *self.drawn.open_soloists}) + len(self.drawn.open_ferries)

    @property
    def uncertain(self) -> tuple[str, ...]:
        """Ids of the doubtful cells, in the map's order."""
        return tuple(region for region, cell in self.cells.items() if cell.doubtful)

    @property
    def poor(self) -> bool:
        """True when so much is in doubt that another photo is the better answer."""
        return len(self.uncertain) > POOR_SHARE * len(self.cells)
