"""One place in a game: what was rolled, which cards can come, how many spaces are left, and what may come next."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ontour_cv.dealer.chance import Chance
from ontour_cv.dealer.deck import Deck
from ontour_cv.dealer.events import Deal
from ontour_cv.dealer.record import Phase, Roll, phase_problem
from ontour_cv.maps.model import MapTemplate, card_region
from ontour_cv.rules import Variant

CARDS = {Phase.SETUP: 2, Phase.TURN: 3, Phase.LAST: 0}
"""How many cards are flipped for a roll."""

LAST_SPACES = 2
"""With so many empty spaces or fewer the last turn has come."""

SIDES = 10


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a game, before its next roll.

    Attributes:
        template: the map.
        variant: the rules.
        rolls: what has been rolled.
        deck: the cards that can come.
        left: empty spaces on every board. All boards have the same number, because every turn fills two spaces, or one
            when a star is written, and an X fills a space as well.
    """

    template: MapTemplate
    variant: Variant
    rolls: tuple[Roll, ...]
    deck: Deck
    left: int

    @property
    def unit(self) -> str:
        """What ``left`` counts."""
        return "spaces"

    @property
    def over(self) -> bool:
        """True when every space is filled."""
        return self.left == 0

    @property
    def phase(self) -> Phase:
        """What the next roll belongs to; without meaning once the game is over."""
        if len(self.rolls) < self.variant.setup_rolls:
            return Phase.SETUP
        return Phase.TURN if self.left > LAST_SPACES else Phase.LAST

    def star(self, roll: Roll) -> bool:
        """True when the roll writes a star: doubles, or three cards of one area."""
        return roll.double or (roll.phase is Phase.TURN and len(set(self.areas(roll))) == 1)

    def areas(self, roll: Roll) -> tuple[str, ...]:
        """The areas on the roll's cards, in their order."""
        return tuple(self.template.card(card).area for card in roll.cards)

    def regions(self, roll: Roll) -> tuple[str, ...]:
        """The regions on the roll's cards, in their order."""
        return tuple(card_region(card) for card in roll.cards)

    def problem(self, deal: Deal) -> str | None:
        """Why this cannot be dealt now, or None when it can."""
        roll = deal.roll
        if self.over:
            return "the game was over"
        if problem := phase_problem(roll, self.phase):
            return problem
        if len(roll.cards) != CARDS[roll.phase]:
            return f"there are {len(roll.cards)} cards, but {CARDS[roll.phase]} belong to it"
        if any(not 0 <= die < SIDES for pair in (roll.dice, *deal.rerolled) for die in pair):
            return "a die shows 0 to 9"
        if roll.phase is Phase.SETUP and roll.double:
            return "doubles are rolled again in the setup"
        if deal.rerolled and (roll.phase is not Phase.SETUP or any(a != b for a, b in deal.rerolled)):
            return "only doubles of the setup are rolled again"
        return self.deck.problem(roll.cards) or self._seeded_twice(roll)

    def after(self, deal: Deal) -> Position:
        """The place after ``deal``; ``ValueError`` when it cannot be dealt now."""
        problem = self.problem(deal)
        if problem:
            raise ValueError(problem)
        roll = deal.roll
        filled = 1 if self.star(roll) else 2
        return replace(
            self,
            rolls=(*self.rolls, roll),
            deck=self.deck.without(roll.cards, keep=roll.phase is not Phase.SETUP),
            left=max(0, self.left - filled),
        )

    def draw(self, chance: Chance) -> Deal:
        """The next roll: dice first, doubles of the setup again, then the cards; ``ValueError`` when it is over."""
        if self.over:
            raise ValueError("the game is over")
        dice, rerolled = _roll(chance), []
        while self.phase is Phase.SETUP and dice[0] == dice[1]:
            rerolled.append(dice)
            dice = _roll(chance)
        if self.phase is Phase.SETUP and self._several_cards:
            cards = self._setup_cards(chance)
        else:
            cards = self.deck.draw(CARDS[self.phase], chance)
        return Deal(Roll(self.phase, cards, dice), tuple(rerolled))

    @property
    def _several_cards(self) -> bool:
        """True when a region has more than one card."""
        return len({card.region for card in self.template.cards}) < len(self.template.cards)

    def _setup_cards(self, chance: Chance) -> tuple[str, ...]:
        """Cards of regions that have no number yet; others are put back."""
        drawn: list[str] = []
        taken = {region for roll in self.rolls for region in self.regions(roll)}
        for _ in range(CARDS[Phase.SETUP]):
            fresh = [card for card in self.deck.pile if card_region(card) not in taken]
            drawn.append(fresh[chance.below(len(fresh))])
            taken.add(card_region(drawn[-1]))
        return tuple(drawn)

    def _seeded_twice(self, roll: Roll) -> str | None:
        if roll.phase is not Phase.SETUP:
            return None
        regions = [region for earlier in (*self.rolls, roll) for region in self.regions(earlier)]
        twice = next((region for region in regions if regions.count(region) > 1), None)
        return None if twice is None else f"the setup would write in {twice} twice"


def cards_needed(variant: Variant) -> int:
    """The fewest cards a deck must have: the setup's, and three to flip after it."""
    return CARDS[Phase.SETUP] * variant.setup_rolls + CARDS[Phase.TURN]


def spaces_needed(variant: Variant) -> int:
    """The fewest spaces that cards must be of: every card of the setup is of another."""
    return CARDS[Phase.SETUP] * variant.setup_rolls


def start(template: MapTemplate, variant: Variant) -> Position:
    """The place before the first roll; the map has cards enough (:func:`cards_needed`, :func:`spaces_needed`)."""
    cards = tuple(card.id for card in template.cards)
    return Position(template, variant, (), Deck(cards, early=variant.shuffle_early), len(template.regions))


def _roll(chance: Chance) -> tuple[int, int]:
    return chance.below(SIDES), chance.below(SIDES)
