"""The deck. Its order is not known to anybody: each card is drawn from the set of those that can come."""

from __future__ import annotations

from dataclasses import dataclass

from ontour_cv.dealer.chance import Chance


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards, named by their regions.

    Attributes:
        pile: cards that can come next, in the map's order.
        discards: cards that come back when the pile is used up.
        early: they come back as soon as the pile is too short for a roll, together with what is left of it.
    """

    pile: tuple[str, ...]
    discards: tuple[str, ...] = ()
    early: bool = False

    def draw(self, count: int, chance: Chance) -> tuple[str, ...]:
        """``count`` different cards: the rest of the pile first, then from the shuffled discards."""
        drawn: list[str] = []
        now = self._ready(count)
        pile, discards = list(now.pile), list(now.discards)
        while len(drawn) < count:
            if not pile:
                pile, discards = discards, []
            drawn.append(pile.pop(chance.below(len(pile))))
        return tuple(drawn)

    def problem(self, cards: tuple[str, ...]) -> str | None:
        """Why these cards cannot lie open next, or None when they can."""
        if len(set(cards)) < len(cards):
            return f"the cards {' '.join(cards)} are not all different"
        now = self._ready(len(cards))
        rest = len(now.pile)
        for place, card in enumerate(cards):
            if card not in (now.pile if place < rest else now.discards):
                return (
                    f"the card {card} cannot come now: it is not on the map, was drawn before, or left with the setup"
                )
        return None

    def shuffles(self, count: int) -> bool:
        """True when drawing so many cards takes the discards back in."""
        return count > len(self.pile)

    def without(self, cards: tuple[str, ...], keep: bool) -> Deck:
        """The deck after ``cards`` were drawn; with ``keep`` they are discarded, else they leave the game."""
        now = self._ready(len(cards))
        shuffled = now.shuffles(len(cards))
        pile = tuple(card for card in (now.discards if shuffled else now.pile) if card not in cards)
        discards = () if shuffled else now.discards
        return Deck(pile, discards + cards if keep else discards, self.early)

    def _ready(self, count: int) -> Deck:
        """The deck just before ``count`` cards are drawn."""
        if self.early and self.shuffles(count):
            return Deck(self.pile + self.discards, (), True)
        return self
