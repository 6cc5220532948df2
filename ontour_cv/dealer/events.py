"""What can happen in a game: a roll is dealt, rolls are taken back, rolls taken back are shown again."""

from __future__ import annotations

from dataclasses import dataclass

from ontour_cv.dealer.record import Roll


@dataclass(frozen=True, slots=True)
class Deal:
    """Cards were flipped and dice rolled.

    Attributes:
        roll: what counts.
        rerolled: doubles of the setup that were rolled before it and do not count.
    """

    roll: Roll
    rerolled: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Undo:
    """The latest ``steps`` rolls were taken back."""

    steps: int = 1


@dataclass(frozen=True, slots=True)
class Redo:
    """The earliest ``steps`` of the rolls taken back were shown again."""

    steps: int = 1


Event = Deal | Undo | Redo
