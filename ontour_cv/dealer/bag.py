"""One place in a game of Rolling America: which dice are in the bag, and what two of them show next.

Seven dice, six of the map's colours and a wild one, lie in a bag. Two are drawn and rolled at a time, three times a
round; then all go back, so one die is left out every round. The game has eight rounds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ontour_cv.dealer.chance import Chance
from ontour_cv.dealer.events import Deal
from ontour_cv.dealer.record import Phase, Roll, phase_problem
from ontour_cv.maps.model import MapTemplate
from ontour_cv.sheet import ROUNDS, SIDES

WILD = "wild"
"""The colour of the seventh die."""

ROLLS_PER_ROUND = 3

ROLLS = ROLLS_PER_ROUND * ROUNDS

FEWEST_COLOURS = 2 * ROLLS_PER_ROUND - 1
"""With fewer colours and the wild die the bag is empty before the round is over."""


@dataclass(frozen=True, slots=True)
class BagPosition:
    """A place in a game of Rolling America, before its next roll.

    Attributes:
        template: the map; its areas are the colours of the dice.
        rolls: what has been rolled.
    """

    template: MapTemplate
    rolls: tuple[Roll, ...] = ()

    @property
    def left(self) -> int:
        """Rolls left."""
        return ROLLS - len(self.rolls)

    @property
    def unit(self) -> str:
        """What ``left`` counts."""
        return "rolls"

    @property
    def over(self) -> bool:
        """True when all rounds are over."""
        return self.left == 0

    @property
    def bag(self) -> tuple[str, ...]:
        """Colours of the dice in the bag: all seven when a round begins."""
        begun = len(self.rolls) % ROLLS_PER_ROUND
        out = {colour for roll in self.rolls[len(self.rolls) - begun :] for colour in roll.colours}
        return tuple(colour for colour in (*self.template.areas, WILD) if colour not in out)

    def problem(self, deal: Deal) -> str | None:
        """Why this cannot be dealt now, or None when it can."""
        roll = deal.roll
        if self.over:
            return "the game was over"
        if problem := phase_problem(roll, Phase.DICE):
            return problem
        if roll.cards or deal.rerolled:
            return "there are no cards and nothing is rolled again"
        if any(not 1 <= die <= SIDES for die in roll.dice):
            return f"a die shows 1 to {SIDES}"
        if len(roll.colours) != 2 or roll.colours[0] == roll.colours[1]:
            return "two dice of different colours are rolled"
        missing = [colour for colour in roll.colours if colour not in self.bag]
        if missing:
            return f"the {missing[0]} die is not in the bag; there are {', '.join(self.bag)}"
        return None

    def after(self, deal: Deal) -> BagPosition:
        """The place after ``deal``; ``ValueError`` when it cannot be dealt now."""
        problem = self.problem(deal)
        if problem:
            raise ValueError(problem)
        return replace(self, rolls=(*self.rolls, deal.roll))

    def draw(self, chance: Chance) -> Deal:
        """The next roll: two dice out of the bag, then both rolled in that order; ``ValueError`` when it is over."""
        if self.over:
            raise ValueError("the game is over")
        bag = list(self.bag)
        first, second = (bag.pop(chance.below(len(bag))) for _ in range(2))
        dice = (chance.below(SIDES) + 1, chance.below(SIDES) + 1)
        return Deal(Roll(Phase.DICE, (), dice, (first, second)))
