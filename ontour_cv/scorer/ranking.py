"""Several boards of one table side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Generic, TypeVar

from ontour_cv.board import BoardState
from ontour_cv.rules import Score, ruleset
from ontour_cv.scorer.questions import find_questions
from ontour_cv.scorer.report import Report

if TYPE_CHECKING:
    from ontour_cv.scorer.city_report import CityReport

Ranked = TypeVar("Ranked", "Report", "CityReport")

_POINT = 1000
"""More than there can be circles."""


@dataclass(frozen=True, slots=True, eq=False)
class Standing(Generic[Ranked]):
    """One board's place in the ranking.

    Attributes:
        place: 1 for the best; equal boards share a place and the next place is skipped.
        tied: True when another board has the same place.
        settled: False when answers still to be given could change the place.
    """

    place: int
    tied: bool
    settled: bool
    report: Ranked


Worth = tuple[float, ...]
"""What an order goes by: points, then what breaks ties."""


def rank(reports: Sequence[Ranked]) -> tuple[Standing[Ranked], ...]:
    """Best first, equal boards in the order given. Equal totals share a place unless the rules have a tie-break."""
    worth = {id(report): _worth(report) for report in reports}
    spans = {id(report): _span(report) for report in reports}
    ordered = sorted(reports, key=lambda report: worth[id(report)], reverse=True)
    return tuple(
        Standing(
            place=1 + sum(other > worth[id(report)] for other in map(_worth, reports)),
            tied=sum(other == worth[id(report)] for other in map(_worth, reports)) > 1,
            settled=all(other is report or settled(spans[id(report)], spans[id(other)]) for other in reports),
            report=report,
        )
        for report in ordered
    )


def settled(one: tuple[Worth, Worth], other: tuple[Worth, Worth]) -> bool:
    """True when no answer can change which of two is ahead, or that they are equal.

    Args:
        one: its lowest and its highest worth.
        other: those of the other.
    """
    (low, high), (other_low, other_high) = one, other
    return low > other_high or other_low > high or (low == high == other_low == other_high)


def _worth(report: Report | CityReport) -> Worth:
    if isinstance(report, Report) and report.variant.tie_by_circles:
        return report.score.total, report.score.circles
    return report.score.total, 0


def _span(report: Report | CityReport) -> tuple[Worth, Worth]:
    """The lowest and the highest worth over all doubts; where not all that counts was read, there is no highest."""
    low, high = report.score_range
    if not isinstance(report, Report):
        return (low, 0), (high if report.drawn.complete else inf, 0)
    if not report.variant.tie_by_circles:
        return (low, 0), (high, 0)
    judge = ruleset(report.variant)

    def score(board: BoardState) -> Score:
        """Both in one number: the best route is the one with more circles of those with most points, so it is one."""
        found = judge.score(report.template, board)
        return replace(found, total=_POINT * found.total + found.circles)

    low, high = find_questions(report.cells, score).score_range
    return divmod(low, _POINT), divmod(high, _POINT)
