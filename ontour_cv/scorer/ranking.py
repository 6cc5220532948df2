"""Several boards of one table side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from ontour_cv.scorer.report import Report

if TYPE_CHECKING:
    from ontour_cv.scorer.city_report import CityReport

Ranked = TypeVar("Ranked", "Report", "CityReport")


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


def rank(reports: Sequence[Ranked]) -> tuple[Standing[Ranked], ...]:
    """Best first, equal boards in the order given. Equal totals share a place unless the rules have a tie-break."""
    worth = {id(report): _worth(report) for report in reports}
    ordered = sorted(reports, key=lambda report: worth[id(report)], reverse=True)
    return tuple(
        Standing(
            place=1 + sum(other > worth[id(report)] for other in map(_worth, reports)),
            tied=sum(other == worth[id(report)] for other in map(_worth, reports)) > 1,
            settled=all(other is report or _settled(report, other) for other in reports),
            report=report,
        )
        for report in ordered
    )


def _worth(report: Report | CityReport) -> tuple[int, int]:
    if isinstance(report, Report) and report.variant.tie_by_circles:
        return report.score.total, report.score.circles
    return report.score.total, 0


def _settled(one: Report | CityReport, other: Report | CityReport) -> bool:
    """True when no answer can change which of the two is ahead, or that they are equal."""
    (low, high), (other_low, other_high) = one.score_range, other.score_range
    return low > other_high or other_low > high or (low == high == other_low == other_high)
