"""One place in a game of New York: which cards can come, and whether somebody's map is full.

Boards get out of step here, for a player may draw a ferry instead of writing, and the star of Central Park comes to
each in its own time. So the dealer cannot know when a map is full: the table says so, and that ends the game for all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ontour_cv.dealer.chance import Chance
from ontour_cv.dealer.deck import Deck
from ontour_cv.dealer.events import Deal
from ontour_cv.dealer.record import Phase, Roll, phase_problem
from ontour_cv.maps.city import CityCard
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules import Variant

CITY_CARDS = 3
"""Cards flipped for a roll."""

SIDES = 10

PARK_STARS = 1
"""Stars a board can get beside those of doubles."""

FULL = Deal(Roll(Phase.FULL, (), (0, 0)))
"""Somebody's map is full."""


@dataclass(frozen=True, slots=True)
class CityPosition:
    """A place in a game of New York, before its next roll.

    Attributes:
        template: the map.
        rolls: what has been rolled.
        deck: the cards that can come, by id.
        ended: True when somebody's map is full.
    """

    template: MapTemplate
    rolls: tuple[Roll, ...]
    deck: Deck
    ended: bool = False

    @property
    def left(self) -> int:
        """Rolls that the game lasts at the least, one while nobody's map is full; 0 when it is over."""
        if self.ended:
            return 0
        room = len(self.template.regions) - self.most_filled
        return max(1, (room + 1) // 2)

    @property
    def unit(self) -> str:
        """What ``left`` counts."""
        return "rolls"

    @property
    def over(self) -> bool:
        """True when somebody's map is full."""
        return self.ended

    @property
    def phase(self) -> Phase:
        """What the next roll belongs to."""
        return Phase.TURN

    @property
    def most_filled(self) -> int:
        """Spaces that can be filled on a board by now: by a player who never draws a ferry, Central Park's star too."""
        return sum(1 if roll.double else 2 for roll in self.rolls) + PARK_STARS

    def open_cards(self, roll: Roll) -> tuple[CityCard, ...]:
        """The roll's cards, in their order; ``ValueError`` when the map is none of New York."""
        if self.template.city is None:
            raise ValueError(f"the map {self.template.id!r} has no city cards")
        return tuple(self.template.city.card(card) for card in roll.cards)

    def ferry_due(self, roll: Roll) -> bool:
        """True when a ferry may be drawn instead of writing."""
        return self.template.city is not None and self.template.city.ferry_due(self.open_cards(roll))

    def problem(self, deal: Deal) -> str | None:
        """Why this cannot be dealt now, or None when it can."""
        roll = deal.roll
        if self.ended:
            return "the game was over"
        if deal.rerolled:
            return "nothing is rolled again in New York"
        if roll.phase is Phase.FULL:
            short = len(self.template.regions) - self.most_filled
            spaces = "1 space is" if short == 1 else f"{short} spaces are"
            return f"no map can be full yet: at least {spaces} empty on every board" if short > 0 else None
        if problem := phase_problem(roll, Phase.TURN):
            return problem
        if len(roll.cards) != CITY_CARDS:
            return f"there are {len(roll.cards)} cards, but {CITY_CARDS} belong to it"
        if any(not 0 <= die < SIDES for die in roll.dice):
            return "a die shows 0 to 9"
        return self.deck.problem(roll.cards)

    def after(self, deal: Deal) -> CityPosition:
        """The place after ``deal``; ``ValueError`` when it cannot be dealt now."""
        problem = self.problem(deal)
        if problem:
            raise ValueError(problem)
        if deal.roll.phase is Phase.FULL:
            return replace(self, ended=True)
        deck = self.deck.without(deal.roll.cards, keep=True)
        return replace(self, rolls=(*self.rolls, deal.roll), deck=deck)

    def draw(self, chance: Chance) -> Deal:
        """The next roll: dice first, then three cards; ``ValueError`` when the game is over."""
        if self.ended:
            raise ValueError("the game is over")
        dice = (chance.below(SIDES), chance.below(SIDES))
        return Deal(Roll(Phase.TURN, self.deck.draw(CITY_CARDS, chance), dice))


def start_city(template: MapTemplate, variant: Variant) -> CityPosition:
    """The place before the first roll: a blank map, nothing is seeded; ``ValueError`` when the map has no city deck."""
    if template.city is None or len(template.city.cards) < CITY_CARDS:
        raise ValueError(f"the map {template.title} has no deck of {CITY_CARDS} city cards or more")
    cards = tuple(card.id for card in template.city.cards)
    return CityPosition(template, (), Deck(cards, early=variant.shuffle_early))
