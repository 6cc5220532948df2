"""Games of the dealer that several tests play."""

from __future__ import annotations

import random

from ontour_cv.dealer.events import Event, Redo, Undo
from ontour_cv.dealer.form import make_opening
from ontour_cv.dealer.game import Game, Opening, new_game

CREATED = "2025-11-21T20:00:00Z"


def opening(seed: str | None = "1", players: tuple[str, ...] = ("Anna", "Ben"), rules: str | None = None) -> Opening:
    return make_opening("usa", rules, players, seed, CREATED)


def wander(seed: int, rules: str | None = None, undos: float = 0.3) -> tuple[Game, list[Event]]:
    """A game played to its end with much going back and forth, and its events."""
    rng = random.Random(seed)
    game, events = new_game(opening(str(seed), rules=rules)), []
    while not game.now.over or game.undone:
        event: Event
        if game.done and rng.random() < undos:
            event = Undo(rng.randint(1, min(3, game.done)))
        elif game.undone and rng.random() < 0.7:
            event = Redo(rng.randint(1, game.undone))
        else:
            event = game.draw()
        game = game.after(event)
        events.append(event)
    return game, events
