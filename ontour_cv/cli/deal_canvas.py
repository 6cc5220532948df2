"""A screen as a grid of cells, so that what is drawn fits exactly, whatever the terminal's size."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from ontour_cv.cli.deal_big import big_rows

if TYPE_CHECKING:
    from rich.text import Text


class Canvas:
    """``height`` rows of ``width`` columns; what lies outside is cut off.

    Args:
        width: columns.
        height: rows.

    Attributes:
        cells: a letter and its style per row and column; the second column of a wide letter holds no letter.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.cells = [[(" ", "")] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str = "") -> None:
        """Write ``text`` from column ``x`` of row ``y`` on. Letters two columns wide take two."""
        from rich.cells import cell_len

        for letter in text:
            wide = cell_len(letter)
            if wide and 0 <= y < self.height and x >= 0 and x + wide <= self.width:
                self.cells[y][x] = (letter, style)
                if wide == 2:
                    self.cells[y][x + 1] = ("", style)
            x += wide

    def centre(self, x: int, y: int, width: int, text: str, style: str = "") -> None:
        """Write ``text`` in the middle of ``width`` columns from ``x`` on, shortened when it is longer."""
        from rich.cells import cell_len

        text = shortened(text, width)
        self.put(x + (width - cell_len(text)) // 2, y, text, style)

    def fill(self, x: int, y: int, width: int, height: int, style: str) -> None:
        """Colour a block of cells."""
        for row in range(y, y + height):
            self.put(x, row, " " * width, style)

    def frame(self, x: int, y: int, width: int, height: int, style: str) -> None:
        """A filled block with a line round it."""
        self.fill(x, y, width, height, style)
        self.put(x, y, f"╭{'─' * (width - 2)}╮", style)
        for row in range(y + 1, y + height - 1):
            self.put(x, row, "│", style)
            self.put(x + width - 1, row, "│", style)
        self.put(x, y + height - 1, f"╰{'─' * (width - 2)}╯", style)

    def big(self, x: int, y: int, text: str, scale: tuple[int, int], style: str = "") -> None:
        """Large letters with their top left corner there; ``scale`` as in :func:`big_rows`."""
        for row, line in enumerate(big_rows(text, *scale)):
            self.put(x, y + row, line, style)

    def lines(self) -> list[Text]:
        """The rows, each exactly ``width`` columns."""
        from rich.text import Text

        return [Text.assemble(*_runs(row), no_wrap=True, end="") for row in self.cells]


def _runs(row: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Neighbouring cells of one style as one piece, so that a terminal far away gets few bytes."""
    return [("".join(letter for letter, _ in cells), style) for style, cells in groupby(row, key=lambda cell: cell[1])]


def shortened(text: str, width: int) -> str:
    """``text`` cut to ``width`` columns, with dots where it was cut."""
    from rich.cells import cell_len, set_cell_size

    return text if cell_len(text) <= width else set_cell_size(text, max(0, width - 1)).rstrip() + "…"
