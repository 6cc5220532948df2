"""The dealer at the table: a loop of keys and what they do. Everything is saved before it is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from ontour_cv.cli.deal_keys import DOWN, END, UP
from ontour_cv.dealer import play
from ontour_cv.dealer.city import FULL
from ontour_cv.dealer.log import Log, read_log
from ontour_cv.dealer.tell import next_title
from ontour_cv.errors import NotSaved, StaleGame
from ontour_cv.rules import NEW_YORK


class View(Enum):
    """What is on the screen."""

    TABLE = "table"
    OVER = "over"
    HISTORY = "history"
    HELP = "help"


class Command(Enum):
    """What a key asks for."""

    NEXT = "next"
    NEW = "new"
    UNDO = "undo"
    REDO = "redo"
    FULL = "full"
    HISTORY = "history"
    HELP = "help"
    QUIT = "quit"


KEYS = {
    **dict.fromkeys([" ", "\r", "\n"], Command.NEXT),
    **dict.fromkeys(["u", "\x7f", "\b"], Command.UNDO),
    **dict.fromkeys(["q", "s", "\x04"], Command.QUIT),
    "n": Command.NEW,
    "r": Command.REDO,
    "f": Command.FULL,
    "h": Command.HISTORY,
    "?": Command.HELP,
}
"""Small letters; capital ones do the same."""


@dataclass(slots=True)
class Table:
    """A game on a screen.

    Attributes:
        path: the game's log.
        log: the game as it is shown.
        view: what is shown of it.
        notice: something out of the ordinary, said until the next key.
        done: True when the players have quit.
        back: lines of the history after those shown.
        page: lines of the history that the screen holds.
    """

    path: Path
    log: Log
    view: View = View.TABLE
    notice: str = ""
    done: bool = False
    back: int = 0
    page: int = 20
    _sure: bool = field(default=False, repr=False)

    @classmethod
    def of(cls, path: Path) -> Table:
        """The game in ``path``, as it stands."""
        return cls(path, read_log(path))

    def press(self, key: str) -> None:
        """Do what a key asks for; keys without a meaning do nothing.

        Raises:
            BadLog: the game's file is gone or was damaged meanwhile.
        """
        command = KEYS.get(key.lower())
        listed = self.view in (View.HISTORY, View.HELP)
        if key == END or (command is Command.QUIT and not listed):
            self.done = True
        elif listed:
            if self.view is View.HELP or not self._scrolled(key):
                self.view = View.TABLE
        elif command is not None:
            sure, self._sure, self.notice = self._sure, False, ""
            self._do(command, sure)

    def follow(self) -> bool:
        """Read the game again when another screen went on with it; True when it did."""
        log = read_log(self.path)
        changed = log.game != self.log.game
        if changed:
            self.log, self.view = log, View.TABLE
        return changed

    def _scrolled(self, key: str) -> bool:
        """Move in a history that is longer than the screen; False for keys that do not."""
        steps = {UP: 1, "u": self.page, DOWN: -1, " ": -self.page}.get(key.lower(), 0)
        most = max(0, self.log.game.done - self.page)
        before, self.back = min(self.back, most), min(max(0, self.back + steps), most)
        return (steps > 0 and most > 0) or self.back != before

    def _do(self, command: Command, sure: bool) -> None:
        game = self.log.game
        if command is Command.HISTORY or command is Command.HELP:
            self.view, self.back = View(command.value), 0
        elif command is Command.UNDO:
            self._back()
        elif command is Command.FULL:
            self._full()
        elif command is Command.NEW and game.undone and not sure:
            rolls = "the roll" if game.undone == 1 else f"the {game.undone} rolls"
            self.notice = f"N drops {rolls} taken back and deals anew. Press N again to do so."
            self._sure = True
        elif game.undone and command is not Command.NEW:
            self._write(lambda seen: play.redo(self.path, 1, seen))
        elif command is Command.REDO:
            self.notice = "Nothing was taken back."
        elif game.now.over:
            self.view = View.OVER
        else:
            self._write(lambda seen: play.deal_next(self.path, seen))

    def _full(self) -> None:
        game = self.log.game
        problem = game.problem(FULL) if game.opening.variant.game == NEW_YORK else "this key is for New York only"
        if problem:
            self.notice = f"{problem[0].upper()}{problem[1:]}."
        else:
            self._write(lambda seen: play.declare_full(self.path, seen))

    def _back(self) -> None:
        if self.view is View.OVER:
            self.view = View.TABLE
        elif self.log.game.done:
            self._write(lambda seen: play.undo(self.path, 1, seen))
        else:
            self.notice = "Nothing to take back."

    def _write(self, change: Callable[[int], Log]) -> None:
        try:
            self.log = change(self.log.game.events)
            self.view = View.TABLE
        except StaleGame:
            self.follow()
            self.notice = f"Another screen went on with this game. It stands here; next: {next_title(self.log.game)}."
        except NotSaved as error:
            self.notice = f"{error.message}. {error.remedy}"
