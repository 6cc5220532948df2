"""The table of doubts that ends a report, the same for every map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.markup import escape

from ontour_cv.cli.console import make_table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

MOST_DOUBTS = 15
"""Rows of the table; of more only the count is told."""

Row = tuple[str, str, str, str, str]
"""Where, what was read, what else it may be, whether that :func:`matters`, and answers as ``--set`` takes them."""


def matters(asked: bool, more: bool) -> str:
    """Whether a doubt can change the score: it is asked about, or it may be once ``more`` is known."""
    return "yes" if asked else "perhaps later" if more else "no"


def table_of(where: str, rows: Sequence[Row], console: Console) -> Table:
    """The rows under their headings, what can change the score in bold; ``where`` heads the places."""
    table = make_table("Doubts, to be answered with --set or --ask", console)
    for heading in (where, "Read as", "Or", "Can change the score", "Answers"):
        table.add_column(heading)
    for row in rows[:MOST_DOUBTS]:
        table.add_row(*(escape(text) for text in row), style="bold" if row[3] == "yes" else "dim")
    if len(rows) > MOST_DOUBTS:
        table.add_row(f"and {len(rows) - MOST_DOUBTS} more", "", "", "", "", style="dim")
    return table
