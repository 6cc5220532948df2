"""The options that the dealer's commands share, and the opening of a game that they ask for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontour_cv.errors import UsageError

if TYPE_CHECKING:
    from ontour_cv.dealer.game import Opening

PlayersOption = Annotated[
    list[str] | None,
    typer.Option(
        "--players",
        metavar="NAMES|N",
        help="Names in the order they roll, commas between (repeatable); or how many.",
    ),
]
SeedOption = Annotated[
    str | None,
    typer.Option("--seed", metavar="TEXT", help="The same seed and choices give the same game. Default: none."),
]
FolderOption = Annotated[
    Path | None,
    typer.Option("--dir", metavar="DIR", help="Folder of the games. Default: ONTOUR_CV_GAMES, or your data folder."),
]
FileOption = Annotated[Path, typer.Option("--game", metavar="FILE", help="The game's file.")]
GameOption = Annotated[str, typer.Option("--game", metavar="GAME", help="The game: its file, or a name from games.")]


def given_options(context: typer.Context, *names: str) -> list[str]:
    """The options that were typed, like ``--map``, of the parameters called so, or of all."""
    return [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name
        and parameter.name in (names or context.params)
        and (source := context.get_parameter_source(parameter.name))
        and source.name == "COMMANDLINE"
    ]


def joined(players: Sequence[str] | None) -> str | None:
    """All players of a ``--players`` given once or several times; ``UsageError`` for a count among names."""
    if not players:
        return None
    counts = [words for words in players if words.strip().isdigit()]
    if len(players) > 1 and counts:
        raise UsageError(
            f"--players {counts[0]} counts the players, and others name them", "Give the names, or how many there are."
        )
    return ", ".join(players)


def opening_of(map_id: str, rules: str | None, players: str, seed: str | None) -> Opening:
    """The opening of a new game, made now.

    Raises:
        BadTemplate: there is no such map, or there are no such rules for it.
        UsageError: it cannot be dealt.
    """
    from ontour_cv.dealer.form import make_opening
    from ontour_cv.dealer.players import players_of
    from ontour_cv.maps.load import load_map
    from ontour_cv.rules import variant_for

    variant_for(load_map(map_id).rules, rules)
    try:
        created = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return make_opening(map_id, rules, players_of(players), seed, created)
    except ValueError as fault:
        raise UsageError(f"{fault}", "ontour-cv deal --help tells what can be given.") from fault
