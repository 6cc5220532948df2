"""``ontour-cv games``: the games there are."""

from __future__ import annotations

import shlex
from datetime import datetime
from typing import TYPE_CHECKING

from ontour_cv.cli.board_input import JsonOption
from ontour_cv.cli.console import make_console, print_json
from ontour_cv.cli.deal_options import FolderOption
from ontour_cv.resources import program

if TYPE_CHECKING:
    from rich.console import Console

    from ontour_cv.dealer.shelf import Entry


def games(folder: FolderOption = None, as_json: JsonOption = False) -> None:
    """List the games of the dealer, those played last first."""
    from ontour_cv.dealer.shelf import games_dir, list_games

    where = folder or games_dir()
    entries = list_games(where)
    if as_json:
        print_json([_document(entry) for entry in entries])
        return
    console = make_console()
    option = f" --dir {shlex.quote(str(folder))}" if folder else ""
    if not entries:
        message = f"There are no games in {where.absolute()}; start one with: {program()} deal{option}"
        console.print(message, markup=False, soft_wrap=True)
        return
    _table(entries, console)
    console.print(f"Folder: {where.absolute()}", markup=False, soft_wrap=True)
    console.print(f"Go on with one: {program()} deal --resume NAME{option}", markup=False, soft_wrap=True)


def _document(entry: Entry) -> dict[str, object]:
    found: dict[str, object] = {"name": entry.name, "game": str(entry.path), "changed": entry.changed}
    if entry.log is None:
        return found | {"status": "no-map" if entry.lacks_map else "damaged", "problem": entry.problem}
    game = entry.log.game
    return found | {
        "status": "over" if game.now.over else "open",
        "map": game.opening.template.id,
        "rules": game.opening.rules,
        "players": list(game.opening.players),
        "rolls": game.done,
        f"{game.now.unit}_left": game.now.left,
    }


def _table(entries: tuple[Entry, ...], console: Console) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("Game", no_wrap=True)
    for heading in ("Played", "Status", "Players"):
        table.add_column(heading)
    for entry in entries:
        when = f"{datetime.fromisoformat(entry.changed).astimezone():%Y-%m-%d %H:%M}"
        players = ", ".join(entry.log.game.opening.players) if entry.log else entry.problem
        table.add_row(*map(Text, (entry.name, when, _status(entry), players)))
    console.print(table)


def _status(entry: Entry) -> str:
    from ontour_cv.dealer.tell import latest
    from ontour_cv.rules import NEW_YORK

    if entry.log is None:
        return "map not found" if entry.lacks_map else "damaged"
    told = latest(entry.log.game)
    if told is None:
        return "not begun"
    if told.left == 0:
        return "over"
    if entry.log.game.opening.variant.game == NEW_YORK:
        return f"{told.title}, {told.left} or more left"
    return f"{told.title}, {told.left} left"
