"""What a place in any game has, whichever game it is: ``Position`` for On Tour, ``BagPosition`` for Rolling America."""

from __future__ import annotations

from typing import Protocol

from ontour_cv.dealer.chance import Chance
from ontour_cv.dealer.events import Deal
from ontour_cv.dealer.record import Roll


class Place(Protocol):
    """A place in a game, before its next roll."""

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """What has been rolled."""
        ...

    @property
    def left(self) -> int:
        """How much of the game is left, counted in :attr:`unit`."""
        ...

    @property
    def unit(self) -> str:
        """What :attr:`left` counts: ``spaces`` on every board, or ``rolls``."""
        ...

    @property
    def over(self) -> bool:
        """True when nothing is left."""
        ...

    def problem(self, deal: Deal) -> str | None:
        """Why this cannot be dealt now, or None when it can."""
        ...

    def after(self, deal: Deal) -> Place:
        """The place after ``deal``; ``ValueError`` when it cannot be dealt now."""
        ...

    def draw(self, chance: Chance) -> Deal:
        """The next roll; ``ValueError`` when the game is over."""
        ...
