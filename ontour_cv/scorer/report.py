"""What became of one photo: a :class:`Report`, or a :class:`Failure` that says why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ontour_cv.board import BoardState
from ontour_cv.errors import OnTourError
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules import Problem, Score, Variant
from ontour_cv.scorer.drawn import Drawn
from ontour_cv.scorer.game import ByLog
from ontour_cv.scorer.written import Written
from ontour_cv.vision.decode import CellReading
from ontour_cv.vision.read import Reading
from ontour_cv.vision.retake import Retake, advise

POOR_SHARE = 0.5
"""A reading with a larger share of doubtful cells is poor: better take the photo again than answer them all."""


@dataclass(frozen=True, slots=True, eq=False)
class PhotoUse:
    """What became of one of several photos of a board.

    Attributes:
        photo: the photo as it was named.
        reading: what it shows by itself; None when it was left out, and of a photo of a sheet, which nobody asks of.
        error: why it was left out; None when it was used.
    """

    photo: str
    reading: Reading | None
    error: OnTourError | None


@dataclass(frozen=True, slots=True)
class OneGame:
    """What other boards of the same game told of one that was read beside them.

    Attributes:
        others: the photos of those boards.
        settled: ids of the cells that were in doubt and no longer are.
        strange: ids of the cells with a number that nobody else at the table wrote.
    """

    others: tuple[str, ...]
    settled: tuple[str, ...]
    strange: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """One photo, scored.

    Attributes:
        photo: the photo as it was named.
        template: the map it shows.
        variant: the rules it was scored by.
        reading: everything seen and thought, before corrections.
        cells: region id -> what stands there, corrections included, in the map's order.
        corrected: ids of the cells that somebody set by hand.
        problems: where the board breaks the rules.
        score: the best route of the board as it stands; a cell that could not be read is not visited.
        score_range: lowest and highest score over everything the doubtful cells may hold.
        ask: the doubtful cells whose answer can change the score.
        more: True when doubts that are not in ``ask`` may matter once these are answered.
        timings_ms: stage name -> milliseconds, from loading to the last question.
        photos: what became of each photo when several were read together; empty for one.
        log: what the game's log says about the board; None when no game was named.
        drawn: the tour the player drew; None when nobody looked for one.
        written: what the player counted and wrote into the score boxes; None when nobody looked.
        one_game: what other boards of the same game told; None when there were none, or a log told more.
    """

    photo: str
    template: MapTemplate
    variant: Variant
    reading: Reading
    cells: Mapping[str, CellReading]
    corrected: tuple[str, ...]
    problems: tuple[Problem, ...]
    score: Score
    score_range: tuple[int, int]
    ask: tuple[str, ...]
    timings_ms: Mapping[str, float]
    photos: tuple[PhotoUse, ...] = ()
    log: ByLog | None = None
    drawn: Drawn | None = None
    written: Written | None = None
    more: bool = False
    one_game: OneGame | None = None

    @property
    def retake(self) -> Retake | None:
        """How to take one more photo that would answer questions; None when none would."""
        read = [use.reading for use in self.photos if use.reading is not None]
        return advise(read or [self.reading], self.ask)

    @property
    def board(self) -> BoardState:
        """The board that was scored."""
        return BoardState({region: cell.mark for region, cell in self.cells.items()})

    @property
    def uncertain(self) -> tuple[str, ...]:
        """Ids of all doubtful cells, in the map's order."""
        return tuple(region for region, cell in self.cells.items() if cell.doubtful)

    @property
    def rules(self) -> str:
        """Key of the rules it was scored by."""
        return self.variant.key

    @property
    def edition(self) -> str:
        """Name of the printed edition that was recognised."""
        return self.reading.placement.edition.name

    @property
    def edition_text(self) -> str:
        """The edition in words; of one that nobody measured, which it is most like."""
        like = "an edition nobody measured, most like " if self.reading.placement.unmeasured else "edition "
        return f"{like}{self.edition}"

    @property
    def poor(self) -> bool:
        """True when so much is in doubt that another photo is the better answer."""
        return len(self.uncertain) > POOR_SHARE * len(self.cells)


@dataclass(frozen=True, slots=True, eq=False)
class Failure:
    """One photo that could not be scored, and why."""

    photo: str
    error: OnTourError


Outcome = Report | Failure
