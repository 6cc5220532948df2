"""Writes docs/dealer.svg, the dealer's screen as the README shows it: a seeded game, drawn as a terminal would.

Usage: python docs/make_dealer.py
"""

from __future__ import annotations

from html import escape
from itertools import groupby
from pathlib import Path

from rich.style import Style

from ontour_cv.cli.deal_canvas import Canvas
from ontour_cv.cli.deal_screen import draw_table
from ontour_cv.dealer.form import make_opening
from ontour_cv.dealer.game import new_game

PICTURE = Path(__file__).with_name("dealer.svg")
WIDE, HIGH = 10, 20
PAPER, INK = "#1b1f24", "#e6e6e6"
_BLOCKS = {"█": (0, HIGH), "▀": (0, HIGH // 2), "▄": (HIGH // 2, HIGH // 2)}


def main() -> None:
    """Write the picture."""
    PICTURE.write_text(screen(), encoding="utf-8")


def screen() -> str:
    """The screen of a seeded game's fifth turn, as SVG."""
    game = new_game(make_opening("usa", None, ("Anna", "Ben", "Cleo"), "1", "2026-11-21T20:00:00Z"))
    for _ in range(7):
        game = game.after(game.draw())
    return picture(draw_table(game, 80, 24, ""))


def picture(canvas: Canvas, paper: str = PAPER, ink: str = INK) -> str:
    """The canvas as SVG. Half blocks become rectangles, so that the picture needs no particular font for them."""
    width, height = canvas.width * WIDE, canvas.height * HIGH
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="16" shape-rendering="crispEdges">',
        f'<rect width="{width}" height="{height}" fill="{paper}"/>',
    ]
    for row, cells in enumerate(canvas.cells):
        column = 0
        for (letter, style), group in groupby(cells, key=lambda cell: (cell[0] if cell[0] in _BLOCKS else "", cell[1])):
            text = "".join(cell[0] for cell in group)
            parts += _run(column * WIDE, row * HIGH, letter, text, style, (paper, ink))
            column += len(text)
    return "\n".join([*parts, "</svg>", ""])


def _run(x: int, y: int, block: str, text: str, style: str, colours: tuple[str, str]) -> list[str]:
    """Cells of one style: their background, and their blocks or letters."""
    rich = Style.parse(style)
    back = rich.bgcolor.name if rich.bgcolor else ""
    fore = rich.color.name if rich.color else colours[1]
    if rich.reverse:
        back, fore = colours[1], colours[0]
    width = len(text) * WIDE
    parts = [f'<rect x="{x}" y="{y}" width="{width}" height="{HIGH}" fill="{back}"/>'] if back else []
    if block:
        top, high = _BLOCKS[block]
        parts.append(f'<rect x="{x}" y="{y + top}" width="{width}" height="{high}" fill="{fore}"/>')
    elif text.strip():
        weight = ' font-weight="bold"' if rich.bold else ""
        start = len(text) - len(text.lstrip())
        words = text.strip()
        parts.append(
            f'<text x="{x + start * WIDE}" y="{y + 15}" fill="{fore}"{weight} xml:space="preserve" '
            f'textLength="{len(words) * WIDE}">{escape(words)}</text>'
        )
    return parts


if __name__ == "__main__":
    main()
