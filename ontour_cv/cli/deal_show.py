"""The dealer on a terminal: single keys and a whole screen, or lines where there is none."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ontour_cv.cli.deal_frame import list_page, list_room
from ontour_cv.cli.deal_keys import Keys, raw_keys
from ontour_cv.cli.deal_plain import BACK, HELP, HINT, cut_off, history_lines, score_hints, table_lines
from ontour_cv.cli.deal_table import KEYS, Table, View
from ontour_cv.errors import BadLog

if TYPE_CHECKING:
    from rich.console import Console

    from ontour_cv.cli.deal_canvas import Canvas

_LOOK = 0.25
"""Seconds between looks at the terminal's size and at the game's file."""

Stamp = tuple[int, int] | None
"""Size and time of the game's file, in bytes and nanoseconds."""


def show_table(table: Table, console: Console, plain: bool) -> None:
    """Play until the players quit or input ends; ``plain`` shows lines instead of a whole screen."""
    if table.log.torn:
        table.notice = cut_off(table.log)
    screen = not plain and _has_screen(console)
    try:
        if not sys.stdin.isatty():
            _by_lines(table, console)
        elif screen:
            with raw_keys(lambda: _put_back(console)) as keys, console.screen():
                _on_screen(table, console, keys)
        else:
            with raw_keys() as keys:
                _by_keys(table, console, keys)
    except KeyboardInterrupt:
        table.done = True


def _has_screen(console: Console) -> bool:
    """Whether whole screens can be drawn: a dumb terminal, an old Windows console or an old encoding shows lines."""
    knows = console.is_terminal and not console.is_dumb_terminal and not console.legacy_windows
    return knows and "utf" in console.encoding.lower()


def _put_back(console: Console) -> None:
    """What was on the terminal before the game."""
    console.set_alt_screen(False)
    console.show_cursor(True)


def _on_screen(table: Table, console: Console, keys: Keys) -> None:
    shown: object = None
    stamp = _stamp(table)
    while not table.done:
        size = console.size
        table.page = _page(table, size.width, size.height)
        state = (size, table.log.game, table.view, table.back, table.notice)
        if state != shown or keys.woken:
            if keys.woken:
                console.set_alt_screen(True)
                console.show_cursor(False)
                keys.woken = False
            _draw(_canvas(table, size.width, size.height), console)
            shown = state
        key = keys.read(_LOOK)
        if key:
            table.press(key)
            stamp = _stamp(table)
        else:
            stamp = follow(table, stamp)


def _by_keys(table: Table, console: Console, keys: Keys) -> None:
    _print_view(table, console)
    console.print(HINT, markup=False, soft_wrap=True)
    while not table.done:
        key = keys.read(60.0)
        if key.lower() in KEYS:
            _press(table, key, console)


def _by_lines(table: Table, console: Console) -> None:
    """Input that is no terminal: a line a key, its first letter counts; an empty line is the next roll."""
    _print_view(table, console)
    for line in sys.stdin:
        _press(table, line.strip()[:1] or "\n", console)
        if table.done:
            return


def _press(table: Table, key: str, console: Console) -> None:
    """One key, shown as lines; history and help leave nothing behind that a key would have to close."""
    table.press(key)
    if not table.done:
        _print_view(table, console)
    if table.view in (View.HISTORY, View.HELP):
        table.view = View.TABLE


def _print_view(table: Table, console: Console) -> None:
    for line in _lines(table):
        console.print(line, markup=False, soft_wrap=True)


def _lines(table: Table) -> list[str]:
    if table.view is View.HELP:
        return HELP.splitlines()
    if table.view is View.HISTORY:
        return history_lines(table.log.game) or ["Nothing was rolled yet."]
    if table.notice:
        return [table.notice]
    if table.view is View.OVER:
        return ["Game over.", *score_hints(table.path, table.log.game)]
    return list(table_lines(table.log))


def _page(table: Table, width: int, height: int) -> int:
    """Lines of the history that the screen holds; small ones break them into several."""
    from ontour_cv.cli.deal_screen import SMALLEST

    if width < SMALLEST[0] or height < SMALLEST[1]:
        return list_page(history_lines(table.log.game), width, height) if table.view is View.HISTORY else 1
    return list_room(height)


def _canvas(table: Table, width: int, height: int) -> Canvas:
    from ontour_cv.cli.deal_city import draw_city
    from ontour_cv.cli.deal_dice import draw_dice
    from ontour_cv.cli.deal_frame import draw_lines, draw_list
    from ontour_cv.cli.deal_screen import SMALLEST, draw_over, draw_table
    from ontour_cv.dealer.record import Phase
    from ontour_cv.dealer.tell import latest
    from ontour_cv.rules import NEW_YORK

    game = table.log.game
    if width < SMALLEST[0] or height < SMALLEST[1]:
        if table.view is View.HISTORY:
            lines = _lines(table)
            return draw_lines(lines[: len(lines) - table.back], width, height, BACK, ended=True)
        return draw_lines(_lines(table), width, height, BACK if table.view is View.HELP else HINT)
    if table.view is View.HELP:
        return draw_list("Help", HELP.splitlines(), width, height)
    if table.view is View.HISTORY:
        return draw_list("History", history_lines(game) or ["Nothing was rolled yet."], width, height, table.back)
    if table.view is View.OVER:
        return draw_over(game, width, height, table.notice, score_hints(table.path, table.log.game))
    told = latest(game)
    if told is not None and told.deal.roll.phase is Phase.FULL:
        return draw_over(game, width, height, table.notice, score_hints(table.path, game))
    if told is not None and game.opening.variant.game == NEW_YORK:
        return draw_city(told, game, width, height, table.notice)
    if told is not None and told.deal.roll.phase is Phase.DICE:
        return draw_dice(told, game, width, height, table.notice)
    return draw_table(game, width, height, table.notice)


def _draw(canvas: Canvas, console: Console) -> None:
    """Put the canvas on the screen in one go, over what was there, so that nothing flickers."""
    with console.capture() as capture:
        for number, line in enumerate(canvas.lines()):
            if number:
                console.print()
            console.print(line, end="", soft_wrap=True)
    console.file.write("\x1b[H" + capture.get() + "\x1b[J")
    console.file.flush()


def follow(table: Table, stamp: Stamp) -> Stamp:
    """Show the game anew when its file was written since ``stamp``, and give back the stamp of what is shown.

    A file that cannot be read shows itself at the next key only: programs that copy games elsewhere take it away for a
    moment, or write it piece by piece.
    """
    now = _stamp(table)
    if now in (stamp, None):
        return stamp
    try:
        table.follow()
    except BadLog:
        return stamp
    return now


def _stamp(table: Table) -> Stamp:
    """Tells whether the game's file was written; None while it is gone."""
    try:
        found = table.path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns
