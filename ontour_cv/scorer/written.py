"""What a player counted and wrote into the score boxes, compared with the drawn tour, or with the best route."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ontour_cv.scorer.drawn import with_tour
from ontour_cv.vision.read import Stopwatch
from ontour_cv.vision.sums import READ, Chances, Sums, alike, near_to, see_boxes, sums_of, together

if TYPE_CHECKING:
    from ontour_cv.scorer.report import Report


@dataclass(frozen=True, slots=True)
class Written:
    """The player's own count.

    Attributes:
        places, circles, total: as written; None for an empty box, and when nothing was read.
        read: False when the boxes are empty, not in the photo, not known on this print, or not to be read for sure.
        sentences: what there is to say about it, for people.
    """

    places: int | None
    circles: int | None
    total: int | None
    read: bool
    sentences: tuple[str, ...]


FOUND_BEST, MORE = 0.3, 0.05
"""Share of players who count the best route without a tour drawn, or who count more than any route can give."""

NOTHING = Written(None, None, None, False, ())


def with_players_own(report: Report) -> Report:
    """The report with the tour drawn on the board and what stands in the score boxes; each helps to read the other."""
    from ontour_cv.scorer.score import mark_reader  # which knows reports, and they know this

    watch = Stopwatch()
    boxes = see_boxes(report.reading.photo, report.reading.placement, mark_reader())
    watch.lap("written")
    report = with_tour(replace(report, timings_ms={**report.timings_ms, **watch.timings_ms}), boxes)
    most = len(report.reading.placement.cells)
    written = NOTHING if boxes is None else judge_written(together(boxes, most, expected(report, most)), report)
    return replace(report, written=written)


def expected(report: Report, most: int) -> Chances:
    """How probable each number of places and of circles is to be written, before the boxes are looked at.

    Args:
        report: with the drawn tour: it is what was counted. Where none was read the best route often is, and nobody
            who counts rightly has more.
        most: as for ``vision.sums.together``.
    """
    tour = report.drawn.score if report.drawn is not None else None
    if tour is not None:
        return near_to(tour.visited, tour.circles, most)
    possible = (sums_of(most) <= report.score_range[1]).astype(np.float64)
    likely = FOUND_BEST * near_to(report.score.visited, report.score.circles, most)
    return np.asarray(likely + (1 - FOUND_BEST - MORE) * possible / possible.sum() + MORE * alike(most))


def judge_written(sums: Sums, report: Report) -> Written:
    """What is to be said about the boxes; nothing where the reading is in doubt, for it is the player's own count."""
    if sums.nothing or sums.probability < READ or sums.total is None:
        return NOTHING
    told = []
    if sums.places is not None and sums.circles is not None:
        made = sums.places + sums.circles
        told.append(f"You wrote {sums.places} + {sums.circles} = {sums.total}" + _unless(made, sums.total))
    else:
        told.append(f"You wrote a total of {sums.total}.")
    told += _compared(sums, sums.total, report)
    return Written(sums.places, sums.circles, sums.total, True, tuple(told))


def _unless(made: int, total: int) -> str:
    return "." if made == total else f", but that makes {made}."


def _compared(sums: Sums, total: int, report: Report) -> list[str]:
    """Beside the drawn tour where it was read; else beside the best route, unless that is still open."""
    drawn = report.drawn
    if drawn is not None and drawn.read and drawn.score is not None:
        score = drawn.score
        if not drawn.sure:
            return []
        same = (sums.places, sums.circles) in ((score.visited, score.circles), (None, None))
        if score.total == total and same:
            return ["The tour you drew counts just that."]
        parts = f"{report.template.counted(score.visited)} + {score.circles} circled"
        return [f"The tour you drew counts {score.total}: {parts}."]
    low, high = report.score_range
    if low != high:
        return []
    if total == low:
        return ["No route counts more."]
    return [f"No route on this board counts more than {low}." if total > low else f"The best route counts {low}."]
