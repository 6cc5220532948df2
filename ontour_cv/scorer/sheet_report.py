"""What became of one photo of a sheet: a :class:`SheetReport`, or a ``report.Failure``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ontour_cv.dealer.record import GameRecord
from ontour_cv.maps.model import MapTemplate
from ontour_cv.referee.sheet_verdict import SheetVerdict
from ontour_cv.rules import Problem
from ontour_cv.rules.rolling import SheetScore
from ontour_cv.scorer.ranking import Worth, settled
from ontour_cv.scorer.report import POOR_SHARE, Failure, PhotoUse
from ontour_cv.scorer.sheet_questions import JUDGED_BY
from ontour_cv.sheet import MOST, Sheet
from ontour_cv.vision.decode import CellReading
from ontour_cv.vision.sheet_boxes import BoxReading
from ontour_cv.vision.sheet_decode import sheet_of
from ontour_cv.vision.sheet_read import SheetReading

BOX_NAMES = {
    "rounds": "rounds crossed off",
    "change": "colour changes",
    "guard": "guards",
    "dupe": "dupes",
    "x": "written Xs",
}
"""What the boxes of each token are called."""


@dataclass(frozen=True, slots=True, eq=False)
class SheetReport:
    """One photo of a sheet, scored.

    Attributes:
        photo: the photo as it was named.
        template: the map.
        reading: everything seen and thought, before corrections.
        cells: state -> what stands there, corrections included, in the map's order.
        boxes: token of the notation -> what the boxes say, corrections included.
        corrected: what somebody set by hand.
        problems: where the sheet breaks the rules.
        score: number of Xs, and powers used; an unread state counts as blank.
        score_range: lowest and highest number of Xs over everything the doubtful cells may hold; with a log over the
            doubtful boxes, too, and over what the log leaves open.
        powers_range: fewest and most powers used, over all doubts.
        ask: the doubtful cells whose answer can change the number of Xs.
        more: True when doubts that are not in ``ask`` may matter once these are answered.
        timings_ms: stage name -> milliseconds.
        verdict: what the game's log says; None when no game was named.
        game: that game.
        player: who of that game wrote the sheet; None where nobody said.
        photos: what became of each photo when several were read together, without readings; empty for one.
    """

    photo: str
    template: MapTemplate
    reading: SheetReading
    cells: Mapping[str, CellReading]
    boxes: Mapping[str, BoxReading]
    corrected: tuple[str, ...]
    problems: tuple[Problem, ...]
    score: SheetScore
    score_range: tuple[int, int]
    powers_range: tuple[int, int]
    ask: tuple[str, ...]
    timings_ms: Mapping[str, float]
    verdict: SheetVerdict | None = None
    game: GameRecord | None = None
    player: str | None = None
    photos: tuple[PhotoUse, ...] = ()
    more: bool = False

    @property
    def sheet(self) -> Sheet:
        """The sheet that was scored."""
        return sheet_of(self.cells, {name: self.boxes[name] for name in MOST if name in self.boxes})

    @property
    def uncertain(self) -> tuple[str, ...]:
        """Doubtful states in the map's order, then doubtful boxes (``"@rounds"``)."""
        states = tuple(state for state, cell in self.cells.items() if cell.doubtful)
        return states + tuple(f"@{name}" for name in MOST if name in self.boxes and self.boxes[name].doubtful)

    @property
    def open(self) -> tuple[str, ...]:
        """What leaves the number of Xs open: ``ask``, else the doubtful boxes that the log is compared with."""
        boxes = tuple(f"@{name}" for name in JUDGED_BY if self.more and f"@{name}" in self.uncertain)
        return self.ask or boxes

    @property
    def exact(self) -> bool:
        """False when there may be more mistakes than are counted: the log proves only so many."""
        return self.verdict is None or self.verdict.settled

    @property
    def poor(self) -> bool:
        """True when so much is in doubt that another photo is the better answer."""
        return sum(cell.doubtful for cell in self.cells.values()) > POOR_SHARE * len(self.cells)


SheetOutcome = SheetReport | Failure


@dataclass(frozen=True, slots=True, eq=False)
class SheetStanding:
    """One sheet's place: 1 for the fewest Xs, ties by fewer powers; the rest as in ``ranking.Standing``."""

    place: int
    tied: bool
    settled: bool
    report: SheetReport


def rank_sheets(reports: Sequence[SheetReport]) -> tuple[SheetStanding, ...]:
    """Best first, equal sheets in the order given."""
    worth = [(report.score.total, report.score.powers) for report in reports]
    spans = [_span(report) for report in reports]
    order = sorted(range(len(reports)), key=lambda k: worth[k])
    return tuple(
        SheetStanding(
            place=1 + sum(other < worth[k] for other in worth),
            tied=worth.count(worth[k]) > 1,
            settled=all(n == k or settled(spans[k], spans[n]) for n in order),
            report=reports[k],
        )
        for k in order
    )


def _span(report: SheetReport) -> tuple[Worth, Worth]:
    """The fewest and the most Xs and powers; no most where the log proves only how many mistakes there are at least."""
    (low, high), (fewest, most) = report.score_range, report.powers_range
    return (low, fewest), (high if report.exact else sys.maxsize, most)
