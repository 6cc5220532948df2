"""The table of doubts that ends a report, the same for every map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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


UNLIKELY = "unlikely"
"""What is said of a doubt none of whose probable answers changes the score; a rest, hardly ever true, is not considered
(``scorer.questions.ENOUGH``), so nothing is said for sure."""

BESIDE_DOUBTS = "  [dim](the doubts are unlikely to change it)[/]"
"""What follows a score in spite of all doubts."""


def matters(asked: bool, more: bool, otherwise: str = UNLIKELY) -> str:
    """Whether a doubt can change the score: it is asked about, or it may once ``more`` is known, or ``otherwise``."""
    return "yes" if asked else "perhaps later" if more else otherwise


def poor_text(cells: Iterable[CellReading], doubts: str, how: str) -> str:
    """What is said of a photo most of which is in doubt.

    Args:
        cells: what was read.
        doubts: how much of it is in doubt, a sentence.
        how: how the photo is better taken.
    """
    if all(cell.mark.kind is Kind.EMPTY for cell in cells):
        told = "[bold yellow]Nothing seems to be written on it.[/] If something is,"
    else:
        told = f"[bold yellow]Poorly readable:[/] {doubts} Better"
    return f"  {told} take the photo again: {how}."


def answers_of(cell: CellReading) -> list[Mark]:
    """The two likeliest marks of a cell whose difference can matter: nothing and an X are worth the same."""
    marks = [mark for mark in (cell.mark, *(mark for mark, _ in cell.alternatives)) if mark.kind is not Kind.UNREAD]
    nothing = (Kind.EMPTY, Kind.BLOCKED)
    others = [mark for mark in marks[1:] if not (mark.kind in nothing and marks[0].kind in nothing)]
    return [*marks[:1], *(others or marks[1:])[:1]]


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
    return (
        f"{region.id} {region.name}",
        say(cell.mark) + ("" if cell.mark.kind is Kind.UNREAD else f" ({percent(cell.confidence)})"),
        ", ".join(f"{say(mark)} ({percent(p)})" for mark, p in cell.alternatives[:2]) or "anything",
        matter,
        " or ".join(f"{region.id}={write(mark)}" for mark in answers_of(cell)) or f"{region.id}=...",
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
