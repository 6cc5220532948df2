"""What the dealer knows of a game: every roll in order. What the referee and the reader get, whoever wrote it down."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from hashlib import sha256

from ontour_cv.errors import BadLog
from ontour_cv.rules import VARIANTS, Variant


class Phase(Enum):
    """Which part of a game a roll belongs to; the value is its name in logs."""

    SETUP = "setup"
    TURN = "turn"
    LAST = "last"
    DICE = "dice"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Roll:
    """One roll and the cards that lay open with it.

    Attributes:
        phase: SETUP: two cards, the first gets the low number, the second the high one, both circled.
            TURN: three cards. LAST: no cards, written freely. DICE: two coloured dice of Rolling America, no cards.
            FULL: no roll at all; somebody's map of New York is full, which ends the game.
        cards: ids of the cards (``maps.model.Card``, ``maps.city.CityCard``), in the order they were flipped.
        dice: what the two dice showed: 0-9 each in On Tour, 1-6 each in Rolling America.
        colours: the colours of the two dice of Rolling America; empty in On Tour.
    """

    phase: Phase
    cards: tuple[str, ...]
    dice: tuple[int, int]
    colours: tuple[str, ...] = ()

    @property
    def double(self) -> bool:
        """True when both dice show the same digit."""
        return self.dice[0] == self.dice[1]

    @property
    def numbers(self) -> tuple[int, int]:
        """Both numbers, the low one first: 3 and 7 give (37, 73)."""
        a, b = self.dice
        return min(10 * a + b, 10 * b + a), max(10 * a + b, 10 * b + a)


def phase_problem(roll: Roll, due: Phase) -> str | None:
    """Why the roll is not what comes next, or None when it is."""
    if roll.phase is due:
        return None
    if roll.phase is Phase.FULL:
        return "only games of New York end when somebody's map is full; this one ends by itself"
    return f"this roll is called {roll.phase.value!r}, but a roll of kind {due.value!r} was due"


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game as the dealer saw it; it knows no board.

    Attributes:
        map_id: which map was played.
        rules: key of the rules variant.
        players: their names, in the order in which they roll.
        rolls: everything rolled so far, undone rolls left out.
        over: True when the last turn has been dealt.
        stored: the variant as the log has it; None: as ``rules.VARIANTS`` has it.
        opened: when the game was created and its seed, as its log has them; empty without a log.
    """

    map_id: str
    rules: str
    players: tuple[str, ...]
    rolls: tuple[Roll, ...]
    over: bool
    stored: Variant | None = None
    opened: str = ""

    @property
    def id(self) -> str:
        """Tells the game from any other, whatever its file is called; without a log its rolls do. 12 hex digits."""
        rolls = "" if self.opened else repr([(roll.cards, roll.dice, roll.colours) for roll in self.rolls])
        text = "\n".join((self.map_id, self.rules, *self.players, self.opened, rolls))
        return sha256(text.encode()).hexdigest()[:12]

    def check_map(self, map_id: str) -> None:
        """``BadLog`` when the game was played on another map than the one with this id."""
        if map_id != self.map_id:
            raise BadLog(
                f"the game was played on the map {self.map_id!r}, not on {map_id!r}",
                "Name the log of this game, or leave --map away.",
            )

    @property
    def variant(self) -> Variant:
        """The rules the game is played by; ``NoSuchRules`` when nothing knows them."""
        return self.stored or VARIANTS[self.rules]
