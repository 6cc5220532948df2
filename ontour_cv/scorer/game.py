"""A board read and judged with the log of its game: what the dealer knows is told to the eyes, then to the referee."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.dealer.record import GameRecord
from ontour_cv.maps.model import MapTemplate
from ontour_cv.referee import Slip, Verdict, struck, verify
from ontour_cv.rules import Ruleset, Score
from ontour_cv.scorer.prior import prior_of
from ontour_cv.scorer.script import script_of
from ontour_cv.vision.decode import CellReading, Decoded, decode
from ontour_cv.vision.glyphs import GlyphScores

MOST_SLIPS = 6.0
"""A board that would need more slips than this is not of this game; the referee lists no more either. Boards of another
game need seven and more, mostly fifteen."""

MOST_SHARE, LEAST_SLIPS = 0.3, 1.5
"""On a board with few marks it is this share of them, but not less than this many."""

ACCUSE = 0.995
"""Only cells at least this sure are held against a player."""

POSSIBLE = 0.02
"""A doubtful cell's other reading is looked at by the referee when it is at least this probable."""

MOST_POSSIBLE = 8
"""So many other readings are looked at, the most probable ones."""


@dataclass(frozen=True, slots=True)
class Possible:
    """A doubtful cell of which another reading would make a slip.

    Attributes:
        region: id of the cell.
        mark: the other reading.
        probability: how probable it is.
        slips: what would be wrong then.
    """

    region: str
    mark: Mark
    probability: float
    slips: tuple[Slip, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ByLog:
    """What the game's log says about one board.

    Attributes:
        record: the game.
        lawful: probability that the player made no slip, by the reader's own sum; an X is judged by the referee only.
        verdict: the referee's finding on the board as read; None when the board is not of this game, and was read
            without the log.
        sure: for each slip of the verdict, True when it stands whatever the doubtful cells hold; others are questions.
        possible: doubtful cells of which another reading would make a slip.
        without: score without the faulty cells; None when nothing is faulty.
        player: whose board it is, when that is known.
    """

    record: GameRecord
    lawful: float
    verdict: Verdict | None
    sure: tuple[bool, ...] = ()
    possible: tuple[Possible, ...] = ()
    without: Score | None = None
    player: str | None = None

    @property
    def fits(self) -> bool:
        """False when the board is not of this game."""
        return self.verdict is not None


def read_with_log(
    scores: GlyphScores, unseen: Collection[str], template: MapTemplate, ruleset: Ruleset, record: GameRecord
) -> Decoded | None:
    """The board as read by somebody who knows the rolls; None when it is not a board of this game.

    Args:
        scores: what the network thinks of each cell.
        unseen: ids of cells the picture does not show.
        template: the map.
        ruleset: the rules played with.
        record: the game.
    """
    prior = replace(prior_of(ruleset), script=script_of(record, template, ruleset.variant))
    decoded = decode(scores, prior, unseen)
    marks = sum(cell.mark.kind is not Kind.EMPTY for cell in decoded.cells.values())
    most = max(LEAST_SLIPS, min(MOST_SLIPS, MOST_SHARE * marks))
    return decoded if decoded.slips is not None and decoded.slips <= most else None


def judge(
    cells: Mapping[str, CellReading],
    lawful: float,
    template: MapTemplate,
    ruleset: Ruleset,
    record: GameRecord,
) -> ByLog:
    """The referee on a board that was read with the log.

    Args:
        cells: the reading of every cell, in the map's order.
        lawful: probability that there is no slip.
        template: the map.
        ruleset: the rules played with.
        record: the game.
    """
    board = BoardState({region: cell.mark for region, cell in cells.items()})

    def judged(state: BoardState) -> Verdict:
        return verify(template, ruleset.variant, record, state)

    verdict = judged(board)
    return ByLog(
        record=record,
        lawful=lawful,
        verdict=verdict,
        sure=() if verdict.legal else tuple(_sure(cells, board, verdict, judged)),
        possible=tuple(_possible(cells, board, verdict, judged)),
        without=ruleset.score(template, struck(board, verdict)) if verdict.faulty else None,
    )


Judge = Callable[[BoardState], Verdict]


def _sure(cells: Mapping[str, CellReading], board: BoardState, verdict: Verdict, judged: Judge) -> Iterator[bool]:
    """A slip is sure when the referee names it also with every doubtful cell taken for whatever fits."""
    doubtful = {r: Mark(Kind.UNREAD) for r, cell in cells.items() if cell.doubtful or cell.confidence < ACCUSE}
    strict = judged(board.replace(doubtful)) if doubtful else verdict
    for slip in verdict.slips:
        alike = any((s.kind, s.roll, s.regions) == (slip.kind, slip.roll, slip.regions) for s in strict.slips)
        yield alike and not doubtful.keys() & set(slip.regions)


def _possible(
    cells: Mapping[str, CellReading], board: BoardState, verdict: Verdict, judged: Judge
) -> Iterator[Possible]:
    """Other readings of doubtful cells that the referee would not let pass."""
    others = [
        (p, region, mark)
        for region, cell in cells.items()
        if cell.doubtful
        for mark, p in cell.alternatives[:2]
        if p >= POSSIBLE and mark.kind is not Kind.UNREAD
    ]
    for p, region, mark in sorted(others, key=lambda other: -other[0])[:MOST_POSSIBLE]:
        found = judged(board.replace({region: mark}))
        if found.complete and len(found.slips) > len(verdict.slips):
            yield Possible(region, mark, p, found.slips)
