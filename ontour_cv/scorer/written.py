"""What a player counted and wrote into the score boxes, compared with the drawn tour, or with the best route."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ontour_cv.vision.read import Stopwatch
from ontour_cv.vision.sums import READ, Sums, read_sums

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


NOTHING = Written(None, None, None, False, ())


def with_written(report: Report) -> Report:
    """The report with what stands in the score boxes, beside the drawn tour if that was read before."""
    from ontour_cv.scorer.score import mark_reader  # which knows reports, and they know this

    watch = Stopwatch()
    sums = read_sums(report.reading.photo, report.reading.placement, mark_reader())
    written = NOTHING if sums is None else judge_written(sums, report)
    watch.lap("written")
    return replace(report, written=written, timings_ms={**report.timings_ms, **watch.timings_ms})


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
