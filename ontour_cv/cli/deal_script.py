"""``ontour-cv deal new|next|undo|redo|show|rescue``: the dealer for scripts and other front ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontour_cv.cli.board_input import JsonOption, MapOption, RulesOption
from ontour_cv.cli.console import make_console, print_json
from ontour_cv.cli.deal_options import FileOption, GameOption, PlayersOption, SeedOption, joined, opening_of

if TYPE_CHECKING:
    from ontour_cv.dealer.log import Log

SeenOption = Annotated[
    int | None,
    typer.Option("--seen", metavar="N", help="Do it only if the game still has N events, as in 'events' of the JSON."),
]
StepsOption = Annotated[int, typer.Option("--steps", metavar="N", min=1, help="How many rolls.")]


def new(
    game: FileOption,
    map_id: MapOption = "usa",
    players: PlayersOption = None,
    rules: RulesOption = None,
    seed: SeedOption = None,
    as_json: JsonOption = False,
) -> None:
    """Start a game in a new file; nothing is rolled yet."""
    from ontour_cv.dealer.store import create_game

    words = joined(players)
    _show(game, create_game(game, opening_of(map_id, rules, "1" if words is None else words, seed)), as_json)


def next_roll(game: GameOption, seen: SeenOption = None, as_json: JsonOption = False) -> None:
    """Deal a fresh roll. Rolls taken back before are dropped; redo shows them again instead."""
    from ontour_cv.dealer.play import deal_next

    path = _found(game)
    _show(path, deal_next(path, seen), as_json)


def full(game: GameOption, seen: SeenOption = None, as_json: JsonOption = False) -> None:
    """New York: somebody's map is full, so the game is over for all. undo takes it back."""
    from ontour_cv.dealer.play import declare_full

    path = _found(game)
    _show(path, declare_full(path, seen), as_json)


def undo(game: GameOption, steps: StepsOption = 1, seen: SeenOption = None, as_json: JsonOption = False) -> None:
    """Take the latest rolls back."""
    from ontour_cv.dealer import play

    path = _found(game)
    _show(path, play.undo(path, steps, seen), as_json)


def redo(game: GameOption, steps: StepsOption = 1, seen: SeenOption = None, as_json: JsonOption = False) -> None:
    """Show rolls again that were taken back: the same dice and cards."""
    from ontour_cv.dealer import play

    path = _found(game)
    _show(path, play.redo(path, steps, seen), as_json)


def show(game: GameOption, as_json: JsonOption = False) -> None:
    """Show where a game stands and every roll of it. Changes nothing."""
    from ontour_cv.dealer.log import read_log

    path = _found(game)
    _show(path, read_log(path), as_json, history=True)


def rescue(
    game: GameOption,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The new file. Default: beside it, NAME-rescued.jsonl.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Copy the good part of a damaged game into a new file; the damaged one stays as it is."""
    from ontour_cv.dealer import store

    path = _found(game)
    target = out or path.with_name(f"{path.stem}-rescued{path.suffix}")
    _show(target, store.rescue(path, target), as_json)


SCRIPTS: dict[str, Callable[..., None]] = {
    "new": new,
    "next": next_roll,
    "full": full,
    "undo": undo,
    "redo": redo,
    "show": show,
    "rescue": rescue,
}


def _found(game: str) -> Path:
    """The game's file: what lies where the name says, else the game of that name; ``BadLog`` if there is none."""
    from ontour_cv.dealer.shelf import find_game, games_dir

    path = Path(game)
    return path if path.exists() and not path.is_dir() else find_game(game, games_dir())


def _show(path: Path, log: Log, as_json: bool, history: bool = False) -> None:
    from ontour_cv.cli.deal_document import game_document
    from ontour_cv.cli.deal_plain import cut_off, history_lines, table_lines

    if as_json:
        print_json(game_document(path, log, history))
        return
    console = make_console()
    lines = [f"{path}"]
    if history:
        lines += [cut_off(log)] * bool(log.torn) + history_lines(log.game)
    for line in (*lines, *table_lines(log, path)):
        console.print(line, markup=False, soft_wrap=True)
