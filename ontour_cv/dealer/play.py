"""The three things a table does with a game: go on, go back, and see again what was taken back."""

from __future__ import annotations

from pathlib import Path

from ontour_cv.dealer.city import FULL
from ontour_cv.dealer.events import Event, Redo, Undo
from ontour_cv.dealer.game import Game
from ontour_cv.dealer.log import Log
from ontour_cv.dealer.store import advance
from ontour_cv.errors import StaleGame, UsageError


def deal_next(path: Path, seen: int | None = None) -> Log:
    """Deal a fresh roll; what was taken back before is dropped. ``UsageError`` when the game is over.

    Args:
        path: the game's log.
        seen: events of the game as the caller knows it; when it has another number now, nothing happens but
            ``StaleGame``. None: go on wherever the game stands.
    """

    def choose(game: Game) -> Event:
        _fresh(game, seen, path)
        if game.now.over:
            raise UsageError(
                f"{path.name}: the game is over", "ontour-cv score reads the boards; undo takes rolls back."
            )
        return game.draw()

    return advance(path, choose)


def declare_full(path: Path, seen: int | None = None) -> Log:
    """Say that somebody's map of New York is full, which ends the game; ``UsageError`` when none can be full.

    ``seen`` as in :func:`deal_next`.
    """
    return _step(path, FULL, seen)


def undo(path: Path, steps: int = 1, seen: int | None = None) -> Log:
    """Take the latest ``steps`` rolls back; ``UsageError`` when there are fewer. ``seen`` as in :func:`deal_next`."""
    return _step(path, Undo(steps), seen)


def redo(path: Path, steps: int = 1, seen: int | None = None) -> Log:
    """Show ``steps`` rolls again that were taken back; ``UsageError`` when there are fewer."""
    return _step(path, Redo(steps), seen)


def _step(path: Path, event: Event, seen: int | None) -> Log:
    def choose(game: Game) -> Event:
        _fresh(game, seen, path)
        return event

    return advance(path, choose)


def _fresh(game: Game, seen: int | None, path: Path) -> None:
    if seen is not None and game.events != seen:
        raise StaleGame(
            f"{path.name} stands at event {game.events} and not at {seen}: somebody else went on with it",
            "Nothing was changed; look at the game again first.",
        )
