"""``ontour-cv score --keep``: the score of a sheet of Rolling America, played alone, among those kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ontour_cv.errors import UsageError

if TYPE_CHECKING:
    from ontour_cv.cli.score_game import Table
    from ontour_cv.scorer.sheet_report import SheetReport

KeepOption = Annotated[
    bool, typer.Option("--keep", help="With --game, one sheet of Rolling America played alone: keep its score.")
]


def check_keep(table: Table, sheet: bool, boards: int) -> None:
    """``UsageError`` when there is no score that could be kept: no sheet, no game, several sheets or players."""
    if table.record is None or table.log is None:
        raise UsageError("--keep needs the log of the game", "Name it with --game.")
    if not sheet:
        raise UsageError("--keep is for games of Rolling America played alone", "Leave it away.")
    if boards != 1:
        raise UsageError(f"--keep is for one sheet, and there are {boards}", "Name one photo.")


def keep_sheet(report: SheetReport, table: Table) -> str:
    """Keep the score of a sheet, and how it stands among the others.

    Raises:
        UsageError: the score is not settled, the game is not over, or several played it.
    """
    from ontour_cv.cli.check_sheet import keep_solo

    low, high = report.score_range
    if low != high and report.open:
        raise UsageError(
            f"the score is {low} to {high} until the doubts are answered, so it is not kept",
            f"Look at {', '.join(report.open[:5])} on the sheet and answer with --set.",
        )
    if table.record is None or table.log is None or report.verdict is None:
        raise UsageError("--keep needs the log of the game", "Name it with --game.")
    return keep_solo((table.log, table.record), report.sheet, report.verdict, report.score)
