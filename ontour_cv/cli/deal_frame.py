"""What the dealer's screens have in common: the first row and the last, lists, and plain lines."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from rich.cells import cell_len

from ontour_cv.cli.deal_canvas import Canvas, shortened
from ontour_cv.dealer.game import Game
from ontour_cv.dealer.tell import can_be_full, next_title, roller

_BAR = "bold reverse"
_MAIN_ROOM = 22
"""Columns kept for what SPACE does."""


def draw_bar(canvas: Canvas, left: str, right: str) -> None:
    """The first row: what is shown, and something at its right end."""
    canvas.fill(0, 0, canvas.width, 1, _BAR)
    canvas.put(1, 0, shortened(left, canvas.width - len(right) - 4), _BAR)
    canvas.put(canvas.width - len(right) - 1, 0, right, _BAR)


def draw_keys(canvas: Canvas, game: Game, ended: bool = False) -> None:
    """The last row: what the one key does, and the others; ``ended``: the end is on the screen.

    Who rolls next matters most. Where room is short the roll is named shorter, and keys that ? explains are left out.
    """
    full = "F map is full  " if can_be_full(game) else ""
    others = f"{full}U undo  R redo  H history  ? help  Q quit "
    if canvas.width - len(others) < _MAIN_ROOM:
        others = f"{full}U undo  ? help  Q quit "
    room = canvas.width - len(others) - 3
    canvas.fill(0, canvas.height - 1, canvas.width, 1, _BAR)
    canvas.put(1, canvas.height - 1, "The game is saved" if ended else _main_key(game, room), _BAR)
    canvas.put(canvas.width - len(others), canvas.height - 1, others, "reverse")


def _main_key(game: Game, room: int) -> str:
    """What SPACE does, in up to ``room`` columns."""
    if game.now.over and not game.undone:
        return "SPACE ends the game"
    title = next_title(game)
    short = re.sub(r" of \d+", "", title)
    titles = (title, short.replace(" · ", ", "), short.partition(" · ")[0])
    if game.undone:
        ways = (*(f"SPACE shows {title} again" for title in titles), "SPACE shows it again")
    else:
        name = roller(game, game.done)
        ways = (*(f"SPACE {title}, {name} rolls" for title in titles), f"SPACE {name} rolls")
        ways = (*ways, f"SPACE {shortened(name, room - len('SPACE  rolls'))} rolls")
    return next((words for words in ways if cell_len(words) <= room), ways[-1])


def list_room(height: int) -> int:
    """Lines of a list that so many rows hold, beside its title and the keys."""
    return height - 3


def draw_list(title: str, lines: Sequence[str], width: int, height: int, back: int = 0) -> Canvas:
    """A list under a title; of one too long for the screen its end, or what stands ``back`` lines before that."""
    canvas = Canvas(width, height)
    room = list_room(height)
    before = max(0, len(lines) - room - back)
    after = max(0, len(lines) - room - before)
    draw_bar(canvas, title, f"{before} more before these" if before else "")
    for row, line in enumerate(lines[before : before + room]):
        canvas.put(1, 2 + row, shortened(line, width - 2))
    keys = (["↑ or U earlier"] if before else []) + (["↓ or SPACE later"] if after else [])
    keys.append(f"{'any other' if keys else 'Any'} key: back to the game")
    canvas.put(0, height - 1, f" {'  '.join(keys)} ".ljust(width), _BAR)
    return canvas


def list_page(lines: Sequence[str], width: int, height: int) -> int:
    """Entries of a list that a screen too small for anything but plain lines holds for sure."""
    return max(1, (height - 1) // max((len(_wrapped([line], width)) for line in lines), default=1))


def _wrapped(lines: Sequence[str], width: int) -> list[str]:
    return [part for line in lines for part in textwrap.wrap(line, max(1, width)) or [""]]


def draw_lines(lines: Sequence[str], width: int, height: int, keys: str = "", ended: bool = False) -> Canvas:
    """Plain lines on a screen too small for anything else, ``keys`` in its last row.

    Of too many the end is shown when they have ``ended``, else the beginning, and that there is more.
    """
    canvas = Canvas(width, height)
    wrapped, room = _wrapped(lines, width), max(1, height - bool(keys))
    if ended:
        wrapped = wrapped[-room:]
    elif len(wrapped) > room:
        wrapped[room - 1 :] = [shortened("... enlarge window", width)]
    for row, line in enumerate(wrapped[:height]):
        canvas.put(0, row, line)
    if keys:
        canvas.put(0, height - 1, shortened(keys, width).ljust(width), _BAR)
    return canvas
