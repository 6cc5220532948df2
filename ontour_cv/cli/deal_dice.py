"""The dealer's screen for Rolling America: two coloured dice, large enough to be read from across the room.

Each die says its colour in words, too, so nothing hangs on telling colours apart.
"""

from __future__ import annotations

import textwrap

from ontour_cv.cli.console import counted
from ontour_cv.cli.deal_big import big_height, big_width, most_across
from ontour_cv.cli.deal_canvas import Canvas
from ontour_cv.cli.deal_frame import draw_bar, draw_keys
from ontour_cv.cli.deal_screen import who
from ontour_cv.dealer.game import Game
from ontour_cv.dealer.tell import Told

_STYLES = {
    "orange": "#000000 on #ff9f1c",
    "blue": "#ffffff on #0067b1",
    "green": "#000000 on #2fbf71",
    "yellow": "#000000 on #ffe14d",
    "red": "#ffffff on #c1272d",
    "purple": "#ffffff on #7b3fa0",
    "wild": "#000000 on #f5f1e6",
}
_OTHER = "#000000 on #bbbbbb"


def draw_dice(told: Told, game: Game, width: int, height: int, notice: str) -> Canvas:
    """The two dice that lie on the table, ``width`` columns by ``height`` rows; ``notice`` as in ``draw_table``."""
    canvas = Canvas(width, height)
    rounds, _, roll = told.title.partition(" · ")
    left = f"{counted(told.left, 'roll')} left after this"
    draw_bar(canvas, f"{rounds.upper()} · {roll}", left)
    canvas.centre(0, 1, width, notice or who(told, game), "bold")
    advice = [line for text in told.advice for line in textwrap.wrap(text, width - 2)]
    top, room = 2, height - 4 - len(advice)
    each = (width - 3) // 2
    for place, (colour, number) in enumerate(zip(told.deal.roll.colours, told.deal.roll.dice, strict=True)):
        _draw_die(canvas, (1 + place * (each + 1), top, each, room), colour, f"{number}")
    for row, line in enumerate(advice):
        canvas.put(1, height - 1 - len(advice) + row, line, "bold" if row < 2 else "")
    draw_keys(canvas, game)
    return canvas


def _draw_die(canvas: Canvas, box: tuple[int, int, int, int], colour: str, number: str) -> None:
    x, y, width, height = box
    style = _STYLES.get(colour, _OTHER)
    canvas.frame(x, y, width, height, style)
    name = colour.upper()
    scale = min(2, most_across(len(name), width - 4, 2), max(0, (height - 8) // 6))
    head = big_height(scale) if scale and big_width(len(name), scale) <= width - 4 else 1
    if head > 1:
        canvas.big(x + (width - big_width(len(name), scale)) // 2, y + 1, name, (scale, scale), style)
    else:
        canvas.centre(x + 1, y + 1, width - 2, " ".join(name), f"bold {style}")
    room = height - head - 3
    down = max(1, room * 2 // 7)
    across = most_across(1, width - 4, 2 * down)
    down = min(down, across)
    top = y + 1 + head + max(0, (room - big_height(down) + 1) // 2)
    canvas.big(x + (width - big_width(1, across)) // 2, top, number, (across, down), f"bold {style}")
