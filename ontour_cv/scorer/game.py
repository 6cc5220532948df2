"""A board read and judged with the log of its game: what the dealer knows is told to the eyes, then to the referee."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.dealer.record import GameRecord
from ontour_cv.maps.model import MapTemplate
from ontour_cv.referee import Slip, Verdict, struck, verify
from ontour_cv.rules import Ruleset, Score
from ontour_cv.scorer.prior import prior_of
from ontour_cv.scorer.script import script_of
from ontour_cv.vision.decode import CellReading, Decoded, decode, mark_of
from ontour_cv.vision.glyphs import GlyphScores
from ontour_cv.vision.script import Judge

if TYPE_CHECKING:
    from ontour_cv.scorer.hindsight import Exchange

MOST_SLIPS = 6.0
"""A board that would need more slips than this is not of this game; the referee lists no more either. Boards of another
game need seven and more, mostly fifteen."""

MOST_SHARE, LEAST_SLIPS = 0.3, 1.5
"""On a board with few marks it is this share of them, but not less than this many."""

ACCUSE = 0.995
"""Only cells at least this sure are held against a player."""

POSSIBLE = 0.005
"""A doubtful cell's other reading is looked at by the referee when it is at least this probable; and what the eyes saw
where the log overrules them, if it is listed at all."""

MOST_OTHERS = 12
"""So many other readings are looked at, the most probable ones; with more, nothing is held against anybody."""

LAWFUL = 0.02
"""With a lawful board more probable than this, a slip is a question; of an X the reader cannot judge, so not there."""


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
        sure: for each slip of the verdict, True when it stands whatever the doubtful cells hold; else it is a question.
        possible: doubtful cells of which another reading would make a slip.
        without: score without the faulty cells; None when nothing is faulty.
        player: whose board it is, when that is known.
        could_have: the exchange of two marks that would have counted most; None when none counts more than the board,
            or nobody looked for one.
    """

    record: GameRecord
    lawful: float
    verdict: Verdict | None
    sure: tuple[bool, ...] = ()
    possible: tuple[Possible, ...] = ()
    without: Score | None = None
    player: str | None = None
    could_have: Exchange | None = None

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
    script = replace(script_of(record, template, ruleset.variant), judge=_referee(template, ruleset, record))
    prior = replace(prior_of(ruleset), script=script)
    decoded = decode(scores, prior, unseen)
    marks = sum(cell.mark.kind is not Kind.EMPTY for cell in decoded.cells.values())
    most = max(LEAST_SLIPS, min(MOST_SLIPS, MOST_SHARE * marks))
    return decoded if decoded.slips is not None and decoded.slips <= most else None


def _referee(template: MapTemplate, ruleset: Ruleset, record: GameRecord) -> Judge:
    """The referee's word on a whole board; cells that were not seen count as unread."""

    def slips(labels: Mapping[str, tuple[int, int]]) -> tuple[int, int] | None:
        unread = Mark(Kind.UNREAD)
        board = BoardState(
            {r: mark_of(labels[r][0], bool(labels[r][1])) if r in labels else unread for r in template.ids}
        )
        verdict = verify(template, ruleset.variant, record, board)
        if not verdict.complete:
            return None
        return len(verdict.slips), sum(slip.kind == "x-needless" for slip in verdict.slips)

    return slips


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
    others = [
        (region, mark, p, judged(board.replace(_exchanged(cells, region, mark))))
        for p, region, mark in _other_readings(cells)[:MOST_OTHERS]
    ]
    return ByLog(
        record=record,
        lawful=lawful,
        verdict=verdict,
        sure=tuple(_sure(slip, cells, lawful, [found for *_, found in others]) for slip in verdict.slips),
        possible=tuple(
            Possible(region, mark, p, found.slips)
            for region, mark, p, found in others
            if found.complete and (len(found.slips) > len(verdict.slips) or _unnamed(found, verdict))
        ),
        without=ruleset.score(template, struck(board, verdict)) if verdict.faulty else None,
    )


def _exchanged(cells: Mapping[str, CellReading], region: str, mark: Mark) -> dict[str, Mark]:
    """Another reading of a cell; a doubtful cell that holds the same number and may hold this one's changes with it."""
    mine = cells[region].mark
    for other, cell in cells.items():
        if other != region and cell.doubtful and mark.number is not None and cell.mark.number == mark.number:
            back = [found for found, p in cell.alternatives if p >= POSSIBLE and found.number == mine.number]
            if back and mine.number is not None:
                return {region: mark, other: back[0]}
    return {region: mark}


def _unnamed(found: Verdict, verdict: Verdict) -> bool:
    """True when another reading makes a slip that the verdict does not speak of, not even as another way."""
    told = {_name(slip) for some in (verdict.slips, *verdict.others) for slip in some}
    return any(_name(slip) not in told for slip in found.slips)


def _name(slip: Slip) -> tuple[str, int | None, tuple[str, ...]]:
    return slip.kind, slip.roll, slip.regions


def _other_readings(cells: Mapping[str, CellReading]) -> list[tuple[float, str, Mark]]:
    """What else the doubtful cells may hold, the most probable first."""
    found = [
        (p, region, mark)
        for region, cell in cells.items()
        if cell.doubtful
        for mark, p in cell.alternatives
        if (p >= POSSIBLE or mark == cell.overruled) and mark.kind is not Kind.UNREAD
    ]
    return sorted(found, key=lambda other: -other[0])


def _sure(slip: Slip, cells: Mapping[str, CellReading], lawful: float, others: Collection[Verdict]) -> bool:
    """A slip is sure when its cells are clear, and the referee names it with every other reading of a doubtful cell."""
    clear = all(cells[region].confidence >= ACCUSE for region in slip.regions)
    by_eye = lawful <= LAWFUL or slip.kind == "x-needless"
    stands = all(
        any(_name(s) == _name(slip) for s in (*found.slips, *(s for some in found.others for s in some)))
        for found in others
    )
    return clear and by_eye and stands and len(_other_readings(cells)) <= MOST_OTHERS
