"""``ontour-cv deal``: the dealer at the table; its subcommands, for scripts, are in ``deal_script``."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ontour_cv.cli.board_input import MapOption, RulesOption
from ontour_cv.cli.console import make_console
from ontour_cv.cli.deal_options import FolderOption, PlayersOption, SeedOption, given_options, joined
from ontour_cv.cli.deal_script import SCRIPTS
from ontour_cv.errors import UsageError
from ontour_cv.resources import program

_LATEST = "latest"
_OPENING = ("players", "map_id", "rules", "seed")
"""What settles a new game."""


class DealGroup(TyperGroup):
    """Lets ``--resume`` stand alone: then it means the latest unfinished game."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give a lone ``--resume`` its value, and parse."""
        for place, word in enumerate(args):
            if word == "--resume" and (place + 1 == len(args) or args[place + 1].startswith("-")):
                args = [*args[:place], f"--resume={_LATEST}", *args[place + 1 :]]
                break
        return super().parse_args(ctx, args)


deal_app = typer.Typer(cls=DealGroup, invoke_without_command=True, add_completion=False, rich_markup_mode="markdown")


@deal_app.callback()
def deal(
    context: typer.Context,
    players: PlayersOption = None,
    map_id: MapOption = "usa",
    rules: RulesOption = None,
    seed: SeedOption = None,
    resume: Annotated[
        str | None,
        typer.Option("--resume", metavar="[GAME]", help="Go on with a game: its name or file; alone, the latest one."),
    ] = None,
    folder: FolderOption = None,
    plain: Annotated[bool, typer.Option("--plain", help="Lines of text instead of a whole screen.")] = False,
) -> None:
    """Deal for the table: flip the cards, roll the dice, keep the log.

    SPACE (or Enter) deals the next roll; U takes rolls back, R shows them again, H is the history, ? the help, Q quits.
    Every roll is on the disk before it is shown, so a game is never lost: --resume goes on with it. Without --players
    a terminal asks who plays.

    The commands below do the same from scripts, on a file.
    """
    if context.invoked_subcommand is not None:
        _refuse(given_options(context), f"before {context.invoked_subcommand!r}", "Write options behind the command.")
        return
    from ontour_cv.cli.deal_show import show_table
    from ontour_cv.cli.deal_table import Table
    from ontour_cv.dealer.shelf import games_dir

    if resume is not None:
        _refuse(
            given_options(context, *_OPENING),
            "with --resume, which goes on with a game as it was started",
            "Leave it away; or start a new game, without --resume.",
        )
    where = folder or games_dir()
    path = _resumed(resume, where) if resume is not None else _started(where, map_id, rules, joined(players), seed)
    table = Table.of(path)
    show_table(table, make_console(), plain)
    name = shlex.quote(path.stem if path.parent == where else str(path))
    typer.echo(f"Saved: {path}")
    option = f" --dir {shlex.quote(str(folder))}" if folder and path.parent == where else ""
    typer.echo(f"Go on: {program()} deal --resume {name}{option}")


for _name, _command in SCRIPTS.items():
    deal_app.command(_name)(_command)


def _refuse(options: Sequence[str], where: str, remedy: str) -> None:
    if options:
        raise UsageError(f"{options[0]} has no meaning {where}", remedy)


def _resumed(name: str, folder: Path) -> Path:
    from ontour_cv.dealer.shelf import find_game, unfinished_game

    return unfinished_game(folder) if name == _LATEST else find_game(name, folder)


def _started(folder: Path, map_id: str, rules: str | None, players: str | None, seed: str | None) -> Path:
    from ontour_cv.cli.deal_ask import Wishes, ask_wishes, last_players
    from ontour_cv.dealer.shelf import check_folder, free_path
    from ontour_cv.dealer.store import create_game
    from ontour_cv.maps.load import load_map

    load_map(map_id)  # one that is not there is told before anything is asked
    check_folder(folder)
    wishes = Wishes(map_id, rules, last_players(folder) if players is None else players, seed)
    if players is None and sys.stdin.isatty():
        wishes = ask_wishes(wishes)
    opening = wishes.opening()
    path = free_path(folder, opening)
    create_game(path, opening)
    return path
