"""A little referee-free simulator of On Tour: legal games at random, written apart from the rules it is to test.

It plays from facts (cards, areas, dice) with ``random.Random`` only and knows nothing of pairs, parities or excuses.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.maps.model import Card, MapTemplate

X = Mark(Kind.BLOCKED)


class Playout:
    """One player's board and the deck.

    Args:
        template: the map.
        rng: all chance and all choices.
        always_circle_stars: the Board Game Arena way.
        favourites: areas this player fills first, which makes X likely later on.
        doubles: how often the dice are made to fall as a double.
    """

    def __init__(
        self,
        template: MapTemplate,
        rng: random.Random,
        always_circle_stars: bool = False,
        favourites: Sequence[str] = (),
        doubles: float = 0.1,
    ) -> None:
        self.template, self.rng, self.always = template, rng, always_circle_stars
        self.favourites, self.doubles = favourites, doubles
        self.areas = {region.id: region.areas for region in template.regions}
        self.marks: dict[str, Mark] = {}
        self.deck = list(template.cards)
        rng.shuffle(self.deck)
        self.discards: list[Card] = []

    def play(self) -> BoardState:
        for _ in range(2):
            high, low = self.different_digits()
            for number in (low, high):
                self.marks[self.deck.pop().region] = Mark(Kind.NUMBER, number, True)
        while len(self.empties()) > 2:
            self.turn()
        while self.empties():
            self.last_turn()
        return BoardState({region: self.marks[region] for region in self.template.ids})

    def turn(self) -> None:
        cards = self.draw()
        first, second = self.dice()
        shown = {card.area for card in cards}
        if first == second or len(shown) == 1:
            places = self.places(shown)
            if not places:
                self.marks[self.pick(self.empties())] = X
                return
            region = self.pick(places)
            circled = self.always or region in {card.region for card in cards}
            self.marks[region] = Mark(Kind.STAR, None, circled)
            return
        numbers = [10 * first + second, 10 * second + first]
        self.rng.shuffle(numbers)
        self.write_both(numbers, cards)

    def write_both(self, numbers: list[int], cards: list[Card]) -> None:
        """All ways to give two numbers different cards and states are tried; X only when a number has none at all."""
        ways = []
        for a, b in itertools.permutations(cards, 2):
            here, there = self.places({a.area}), self.places({b.area})
            if here and there and len({*here, *there}) > 1:
                ways.append((a, here, b, there))
        if ways:
            a, here, b, there = self.rng.choice(ways)
            first = self.pick([region for region in here if set(there) - {region}])
            second = self.pick([region for region in there if region != first])
            self.marks[first] = Mark(Kind.NUMBER, numbers[0], first == a.region)
            self.marks[second] = Mark(Kind.NUMBER, numbers[1], second == b.region)
            return
        one = [(card, region) for card in cards for region in self.places({card.area})]
        left = 2
        if one:
            card, region = self.rng.choice(one)
            self.marks[region] = Mark(Kind.NUMBER, numbers[0], region == card.region)
            left = 1
        for _ in range(left):
            self.marks[self.pick(self.empties())] = X

    def last_turn(self) -> None:
        first, second = self.dice()
        empties = self.empties()
        self.rng.shuffle(empties)
        if first == second:
            self.marks[empties[0]] = Mark(Kind.STAR, None, self.always)
            return
        numbers = [10 * first + second, 10 * second + first]
        self.rng.shuffle(numbers)
        for region, number in zip(empties, numbers, strict=False):
            self.marks[region] = Mark(Kind.NUMBER, number)

    def draw(self) -> list[Card]:
        cards: list[Card] = []
        while len(cards) < 3:
            if not self.deck:
                self.deck, self.discards = self.discards, []
                self.rng.shuffle(self.deck)
            cards.append(self.deck.pop())
        self.discards += cards
        return cards

    def dice(self) -> tuple[int, int]:
        if self.rng.random() < self.doubles:
            digit = self.rng.randrange(10)
            return digit, digit
        return self.rng.randrange(10), self.rng.randrange(10)

    def different_digits(self) -> tuple[int, int]:
        low, high = sorted(self.rng.sample(range(10), 2))
        return 10 * high + low, 10 * low + high

    def empties(self) -> list[str]:
        return [region for region in self.template.ids if region not in self.marks]

    def places(self, areas: set[str]) -> list[str]:
        return [region for region in self.empties() if areas & set(self.areas[region])]

    def liked(self, region: str) -> bool:
        return not self.favourites or bool(set(self.favourites) & set(self.areas[region]))

    def pick(self, regions: list[str]) -> str:
        liked = [region for region in regions if self.liked(region)]
        return self.rng.choice(liked or regions)
