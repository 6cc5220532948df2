"""What a new game is asked at a terminal. Enter and Enter starts with what was played last."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ontour_cv.cli.deal_options import opening_of
from ontour_cv.errors import BadTemplate, UsageError

if TYPE_CHECKING:
    from ontour_cv.dealer.game import Opening


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was said about a new game so far."""

    map_id: str
    rules: str | None
    players: str
    seed: str | None

    def opening(self) -> Opening:
        """The opening they make; ``UsageError`` or ``BadTemplate`` when they make none."""
        return opening_of(self.map_id, self.rules, self.players, self.seed)


def ask_wishes(wishes: Wishes) -> Wishes:
    """Ask for the players, and let the rest be changed, until a game can be made of it."""
    typer.echo("A new game. Enter takes what stands in brackets.")
    players = typer.prompt("Who plays? Names with commas between, or how many", default=wishes.players)
    wishes = Wishes(wishes.map_id, wishes.rules, players, wishes.seed)
    while True:
        try:
            opening = wishes.opening()
        except (UsageError, BadTemplate) as error:
            typer.echo(f"{error.message}.")
            return ask_wishes(_sound(wishes))
        seed = "no seed" if wishes.seed is None else f"seed {wishes.seed}"
        typer.echo(f"{opening.template.title}, {opening.variant.title}, {seed}.")
        if _starts():
            return wishes
        wishes = _changed(wishes, opening)


def _sound(wishes: Wishes) -> Wishes:
    """The wishes without what makes no game: players first, then the seed, the rules and last the map."""
    map_id, rules, players, seed = wishes.map_id, wishes.rules, wishes.players, wishes.seed
    tries = (
        Wishes(map_id, rules, "2", seed),
        Wishes(map_id, rules, players, None),
        Wishes(map_id, None, players, seed),
        Wishes(map_id, rules, "2", None),
        Wishes(map_id, None, "2", seed),
        Wishes(map_id, None, "2", None),
    )
    for left in tries:
        try:
            left.opening()
        except (UsageError, BadTemplate):
            continue
        return left
    return Wishes("usa", None, "2", None)


def _starts() -> bool:
    """True for Enter, False for c; whatever else is typed is asked about again, so that no slip starts a game."""
    while True:
        typed = typer.prompt("Enter starts, c changes map, rules or seed", default="", show_default=False).strip()
        if typed.casefold() in ("", "c"):
            return not typed


def last_players(folder: Path) -> str:
    """The players of the latest game in the folder; two when there is none."""
    from ontour_cv.dealer.shelf import list_games

    found = next((entry.log.game.opening.players for entry in list_games(folder) if entry.log), None)
    return ", ".join(found) if found and not any("," in name for name in found) else "2"


def _changed(wishes: Wishes, opening: Opening) -> Wishes:
    from ontour_cv.maps.load import load_map, map_called, map_ids
    from ontour_cv.rules import variants_for

    map_id = map_called(typer.prompt(f"Map ({', '.join(map_ids())})", default=wishes.map_id))
    try:
        known = variants_for(load_map(map_id).rules)
    except BadTemplate as error:
        typer.echo(f"{error.message}. {error.remedy}")
        return _changed(wishes, opening)
    usual = opening.rules if opening.rules in known else known[0]
    rules = typer.prompt(f"Rules ({', '.join(known)})", default=usual) if len(known) > 1 else usual
    seed = typer.prompt("Seed (- for none)", default=wishes.seed or "-")
    return Wishes(map_id, rules.strip(), wishes.players, None if seed.strip() == "-" else seed.strip())
