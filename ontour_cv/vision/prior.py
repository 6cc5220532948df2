"""What is known about a finished board before looking at it, as plain data: the camera does not know the rules."""

from __future__ import annotations

from dataclasses import dataclass

from ontour_cv.vision.script import Script


@dataclass(frozen=True, slots=True)
class Prior:
    """How probable boards are before a picture is seen.

    The default says nothing about any game. ``scorer`` fills it in from the rules in play.

    Attributes:
        kind: log-prior of each of ``vision.glyphs.KINDS`` relative to the mix the network was trained on.
        reversed_pairs: every roll writes ab and ba, so numbers come in reversed pairs.
        unpaired_cost: cost (natural log) of each number without a partner that something on the board excuses:
            every X may have swallowed one partner, and a last turn with one free space another.
        broken_cost: cost of each further number without a partner; a player's slip, about one roll in three hundred.
        double_cost: cost of a double (00, 11 ... 99), which is never written.
        unlikely: numbers that cannot stand on a board, at the same cost.
        empty_cost: cost of an empty cell on a board that is otherwise full: a finished board has none, and a mark
            under glare looks like one.
        few_empty: a board with at most this many cells that look empty counts as full.
        trend: numbers close to each other on the map are alike, as far as the board itself shows it.
        setup_rolls: so many rolls are circled as a whole in the setup, a number and its reverse.
        script: what everybody had to write, when that is known; it then takes the place of all other fields but
            ``trend``.
    """

    kind: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    reversed_pairs: bool = False
    unpaired_cost: float = 1.5
    broken_cost: float = 6.0
    double_cost: float = 0.0
    unlikely: tuple[int, ...] = ()
    empty_cost: float = 0.0
    few_empty: int = 3
    trend: bool = False
    setup_rolls: int = 0
    script: Script | None = None
