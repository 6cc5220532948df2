"""Boards or sheets of one table side by side: the ranking that ends a report on several photos."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.markup import escape

from ontour_cv.cli.console import make_table

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, slots=True)
class Line:
    """One board in the ranking.

    Attributes:
        place: 1 for the best.
        tied: whether others have the same place.
        who: the player or the photo.
        figures: what stands below the headings.
        notes: anything else.
    """

    place: int
    tied: bool
    who: str
    figures: Sequence[int | str]
    notes: Sequence[str]


def show_lines(
    who: str, headings: Sequence[str], lines: Sequence[Line], failed: Sequence[str], console: Console, of: str = ""
) -> None:
    """The lines in their order, ties shown, then the photos that were not scored.

    Args:
        who: heading of the players or photos.
        headings: of the figures.
        lines: best first.
        failed: photos.
        console: where it goes.
        of: the map, where others have a ranking of their own.
    """
    table = make_table(f"Ranking: {escape(of)}" if of else "Ranking", console)
    table.add_column("Place", justify="right", overflow="fold")
    table.add_column(who, overflow="fold")  # phones tell their photos apart at the end of the name only
    for heading in headings:
        table.add_column(heading, justify="right", overflow="fold")
    table.add_column("", overflow="fold")
    for line in lines:
        notes = ["tie"] * line.tied + [*line.notes]
        table.add_row(
            f"{line.place}{'=' * line.tied}", escape(line.who), *map(str, line.figures), "; ".join(notes),
            style="bold" if line.place == 1 else "",
        )  # fmt: skip
    for photo in failed:
        table.add_row("-", escape(photo), *["-"] * len(headings), "not scored", style="dim")
    console.print(table)
