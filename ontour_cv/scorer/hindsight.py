"""What a player could have had: the best lawful board of the same game that differs by one exchange of two marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TYPE_CHECKING

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.dealer.record import GameRecord
from ontour_cv.maps.model import MapTemplate
from ontour_cv.referee import Verdict, verify
from ontour_cv.rules import Ruleset, Score, ruleset
from ontour_cv.scorer.script import script_of

if TYPE_CHECKING:
    from ontour_cv.scorer.report import Report

MOST_STARS = 10
"""With more nothing is looked for: some 500 best routes are proved, a millisecond or two each with usual boards. In
9,000 simulated games of three maps nobody had more than 9."""

Spots = Mapping[str, tuple[bool, ...]]
"""Region -> circled or not, as a number or a star may lawfully stand there; circled first."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two marks that might as well have been written in each other's places, for more points.

    Attributes:
        marks: region -> the mark that would stand there; two regions, in the map's order.
        score: what the board would have counted then.
    """

    marks: Mapping[str, Mark]
    score: Score


def with_hindsight(report: Report) -> Report:
    """The report with what its player could have had; unchanged without a log, or with questions still open."""
    log = report.log
    if log is None or log.verdict is None or report.ask:
        return report
    found = best_exchange(report.template, ruleset(report.variant), log.record, report.board, log.verdict)
    return replace(report, log=replace(log, could_have=found))


def best_exchange(
    template: MapTemplate, rules: Ruleset, record: GameRecord, board: BoardState, verdict: Verdict
) -> Exchange | None:
    """The exchange of two marks that would have counted most; None when none counts more than the board itself.

    Every pair of marks is tried. A mark keeps its roll; it is circled in its new place when a card gives a circle
    there. The referee has the last word on each exchange, so that what is named could really have been written.

    Args:
        template: the map.
        rules: those played with.
        record: the game.
        board: the board as it stands.
        verdict: the referee's finding on it; without a lawful explanation there is nothing to exchange.
    """
    marks = [mark.kind for mark in board.marks.values()]
    if not verdict.legal or Kind.UNREAD in marks or marks.count(Kind.STAR) > MOST_STARS:
        return None
    least = rules.score(template, board).total
    found = []
    for changed in _exchanges(template, rules, record, board):
        score = rules.score(template, board.replace(changed))
        if score.total > least:
            found.append(Exchange(changed, score))
    found.sort(key=lambda exchange: (-exchange.score.total, -exchange.score.circles))
    lawful = (
        exchange for exchange in found if verify(template, rules.variant, record, board.replace(exchange.marks)).legal
    )
    return next(lawful, None)


def _exchanges(
    template: MapTemplate, rules: Ruleset, record: GameRecord, board: BoardState
) -> Iterator[dict[str, Mark]]:
    """Every exchange that the cards allow, each writing by itself; the order of play is not looked at."""
    spots = _allowed(template, rules, record)
    written = [region for region, mark in board.marks.items() if mark.kind in (Kind.NUMBER, Kind.STAR)]
    for here, there in combinations([region for region in template.ids if region in written], 2):
        mine, other = board.marks[here], board.marks[there]
        if mine.number == other.number:
            continue
        my_spots, other_spots = spots.get(mine.number, {}), spots.get(other.number, {})
        for there_circled, here_circled in product(my_spots.get(there, ()), other_spots.get(here, ())):
            yield {
                here: Mark(other.kind, other.number, here_circled),
                there: Mark(mine.kind, mine.number, there_circled),
            }


def _allowed(template: MapTemplate, rules: Ruleset, record: GameRecord) -> dict[int | None, Spots]:
    """Where each number and a star (None) may stand by any of its rolls, and whether circled there.

    What was rolled twice is told apart by nobody: exchanged, it may come from the other roll.
    """
    found: dict[int | None, dict[str, tuple[bool, ...]]] = {}
    for writing in script_of(record, template, rules.variant).writings:
        spots = found.setdefault(writing.number, {})
        for place in writing.places:
            spots[place.cell] = tuple(sorted({place.circled, *spots.get(place.cell, ())}, reverse=True))
    return dict(found)
