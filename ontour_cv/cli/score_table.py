"""Photos of several boards of one table: those of one game are read with one another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from ontour_cv.board import format_mark

if TYPE_CHECKING:
    from rich.console import Console

    from ontour_cv.cli.score_jobs import AnyJob
    from ontour_cv.scorer.city_report import CityReport
    from ontour_cv.scorer.report import Outcome, Report
    from ontour_cv.scorer.sheet_report import SheetOutcome

    AnyOutcome = Outcome | SheetOutcome | CityReport

MOST_NAMED = 3
"""So many photos are named; of more only the count is told."""


def with_one_another(outcomes: Sequence[AnyOutcome], jobs: Sequence[AnyJob] = ()) -> list[AnyOutcome]:
    """The outcomes in their order, boards of one game read with what the others hold (``scorer.one_game``).

    Args:
        outcomes: what became of each photo.
        jobs: how each was scored: overlay and drawn tour of a report that was read anew are made again. Empty: they
            are not.
    """
    from ontour_cv.cli.score_jobs import Job
    from ontour_cv.scorer.report import Report

    reports = {k: outcome for k, outcome in enumerate(outcomes) if isinstance(outcome, Report)}
    if len(reports) < 2:
        return list(outcomes)
    from ontour_cv.scorer.one_game import read_with_one_another

    out = list(outcomes)
    for (k, before), after in zip(reports.items(), read_with_one_another(list(reports.values())), strict=True):
        job = jobs[k] if jobs else None
        out[k] = job.draw(after) if isinstance(job, Job) and after.cells is not before.cells else after
    return out


def show_one_game(report: Report, console: Console) -> None:
    """What other boards of the same game told of this one; nothing where they told nothing."""
    told = report.one_game
    if told is None:
        return
    if told.settled:
        others = ", ".join(escape(Path(photo).name) for photo in told.others[:MOST_NAMED])
        more = len(told.others) - MOST_NAMED
        others += f" and {more} more" if more > 0 else ""
        settled = f"Same game as {others}: that settles {', '.join(told.settled)}."
        console.print(f"  [dim]{settled}[/]", soft_wrap=True)
    if told.strange:
        cells = ", ".join(f"{region} {format_mark(report.cells[region].mark)}" for region in told.strange)
        verb = "stands" if len(told.strange) == 1 else "stand"
        console.print(f"  [bold yellow]On no other board of this game {verb}:[/] {cells}", soft_wrap=True)
