"""The table of doubts that ends a report, the same for every map."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.markup import escape

from ontour_cv.board import Kind, Mark
from ontour_cv.cli.console import make_table, percent

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from ontour_cv.maps.model import Region
    from ontour_cv.vision.decode import CellReading

MOST_DOUBTS = 15
"""Rows of the table; of more only the count is told."""

Row = tuple[str, str, str, str, str]
"""Where, what was read, what else it may be, whether that :func:`matters`, and answers as ``--set`` takes them."""


def matters(asked: bool, more: bool) -> str:
    """Whether a doubt can change the score: it is asked about, or it may be once ``more`` is known."""
    return "yes" if asked else "perhaps later" if more else "no"


def row_of(
    region: Region, cell: CellReading, say: Callable[[Mark], str], write: Callable[[Mark], str], matter: str
) -> Row:
    """The row of a doubtful mark.

    Args:
        region: where it stands.
        cell: what was read there.
        say: a mark in a word.
        write: a mark in the map's notation.
        matter: whether it :func:`matters`.
    """
    marks = (cell.mark, *(mark for mark, _ in cell.alternatives))
    likely = [mark for mark in marks if mark.kind is not Kind.UNREAD]
    return (
        f"{region.id} {region.name}",
        say(cell.mark) + ("" if cell.mark.kind is Kind.UNREAD else f" ({percent(cell.confidence)})"),
        ", ".join(f"{say(mark)} ({percent(p)})" for mark, p in cell.alternatives[:2]) or "anything",
        matter,
        " or ".join(f"{region.id}={write(mark)}" for mark in likely[:2]) or f"{region.id}=...",
    )


def table_of(where: str, rows: Sequence[Row], console: Console) -> Table:
    """The rows under their headings, what can change the score in bold; ``where`` heads the places."""
    table = make_table("Doubts, to be answered with --set or --ask", console)
    for heading in (where, "Read as", "Or", "Can change the score", "Answers"):
        table.add_column(heading, overflow="fold")
    for row in rows[:MOST_DOUBTS]:
        table.add_row(*(escape(text) for text in row), style="bold" if row[3] == "yes" else "dim")
    if len(rows) > MOST_DOUBTS:
        table.add_row(f"and {len(rows) - MOST_DOUBTS} more", "", "", "", "", style="dim")
    return table
