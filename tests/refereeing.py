"""A second referee, for small maps: it plays every course of a game forwards and counts the slips it meets.

No search, no bounds, no matching, and no code of the package's referee: after each roll it remembers, for every set of
cells that may be filled by then, the fewest slips with which that can be so. Also here: small maps, and random games on
them played with random slips.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.dealer.record import GameRecord, Phase, Roll
from ontour_cv.maps.model import Card, MapTemplate, Region

Filled = frozenset[str]
Way = tuple[str | None, str | None, int]
"""A cell (None: forgotten), the card used (None: none), and the slips."""


class Forward:
    """The fewest slips that turn the record into the board; 99 when there are more than ``most``."""

    def __init__(
        self,
        template: MapTemplate,
        record: GameRecord,
        board: BoardState,
        always: bool = False,
        strict: bool = False,
        most: int = 6,
        free: bool = False,
    ) -> None:
        self.areas = {region.id: set(region.areas) for region in template.regions}
        self.card_area = {card.region: card.area for card in template.cards}
        self.record, self.always, self.strict, self.most, self.free_star = record, always, strict, most, free
        self.marks = {region: board.marks[region] for region in template.ids}
        self.written = [r for r, mark in self.marks.items() if mark.kind is not Kind.EMPTY]

    def slips(self) -> int:
        """Over every number of rolls that the board may show."""
        idle = sum(mark.circled for mark in self.marks.values() if mark.kind is Kind.EMPTY)
        reach = {
            frozenset(some): len(some)
            for n in range(min(len(self.written), self.most) + 1)
            for some in itertools.combinations(self.written, n)
        }
        best = self.ended(reach)
        left = len(self.areas)
        for roll in self.record.rolls:
            after: dict[Filled, int] = {}
            for filled, cost in reach.items():
                for new, more in self.turn(filled, roll, left):
                    if cost + more <= self.most:
                        whole = filled | new
                        after[whole] = min(after.get(whole, 99), cost + more)
            reach = after
            left -= min(left, 1 if self.is_star(roll) else 2)
            best = min(best, self.ended(reach))
        return best + idle

    def ended(self, reach: dict[Filled, int]) -> int:
        needed = {r for r in self.written if self.marks[r].kind is not Kind.UNREAD}
        return min((cost for filled, cost in reach.items() if needed <= filled), default=99)

    def is_star(self, roll: Roll) -> bool:
        areas = {self.card_area[card] for card in roll.cards}
        return roll.dice[0] == roll.dice[1] or (roll.phase is Phase.TURN and len(areas) == 1)

    def turn(self, filled: Filled, roll: Roll, left: int) -> Iterator[tuple[Filled, int]]:
        a, b = sorted((10 * roll.dice[0] + roll.dice[1], 10 * roll.dice[1] + roll.dice[0]))
        if self.is_star(roll):
            for cell, cost in self.star(filled, roll):
                yield frozenset([cell] if cell else []), cost
        elif roll.phase is Phase.SETUP:
            first, second = roll.cards
            yield from self.pairs(self.seed(filled, a, first), self.seed(filled, b, second))
            for new, cost in self.pairs(self.seed(filled, a, second), self.seed(filled, b, first)):
                yield new, cost + 1
        elif roll.phase is Phase.LAST and left == 1:
            for cell, _, cost in [*self.free(filled, a), *self.free(filled, b)]:
                yield frozenset([cell] if cell else []), cost
        elif roll.phase is Phase.LAST:
            yield from self.pairs(self.free(filled, a), self.free(filled, b))
        else:
            yield from self.numbers(filled, roll, a, b)
            yield from self.numbers(filled, roll, b, a)

    def pairs(self, here: Iterator[Way], there: Iterator[Way]) -> Iterator[tuple[Filled, int]]:
        for (c, _, one), (d, _, two) in itertools.product(list(here), list(there)):
            if c is None or c != d:
                yield frozenset(cell for cell in (c, d) if cell), one + two

    def empties(self, filled: Filled) -> list[str]:
        return [region for region in self.written if region not in filled]

    def content(self, cell: str, number: int | None) -> int:
        """1 when something else than the number (None: a star) stands in the cell; X is not asked about here."""
        mark = self.marks[cell]
        if mark.kind is Kind.UNREAD:
            return 0
        return int(mark.kind is not Kind.STAR if number is None else mark.number != number)

    def ring(self, cell: str, wanted: bool) -> int:
        mark = self.marks[cell]
        return int(mark.kind is not Kind.UNREAD and mark.circled != wanted)

    def crossed(self, cell: str) -> bool:
        return self.marks[cell].kind in (Kind.BLOCKED, Kind.UNREAD)

    def only_crossed(self, cell: str) -> bool:
        return self.marks[cell].kind is Kind.BLOCKED

    def seed(self, filled: Filled, number: int, card: str) -> Iterator[Way]:
        yield None, None, 1
        for cell in self.empties(filled):
            if self.crossed(cell):
                yield cell, None, 1 + self.ring(cell, False)
            if self.only_crossed(cell):
                continue
            if cell == card:
                yield cell, None, self.content(cell, number) + self.ring(cell, True)
            else:
                yield cell, None, 1 + self.content(cell, number)

    def free(self, filled: Filled, number: int | None) -> Iterator[Way]:
        yield None, None, 1
        for cell in self.empties(filled):
            if self.only_crossed(cell):
                yield cell, None, 1 + self.ring(cell, False)
            else:
                yield cell, None, self.content(cell, number) + self.ring(cell, number is None and self.always)

    def star(self, filled: Filled, roll: Roll) -> Iterator[tuple[str | None, int]]:
        if roll.phase is not Phase.TURN:
            for cell, _, cost in self.free(filled, None):
                yield cell, cost
            return
        called = {self.card_area[card] for card in roll.cards}
        if self.free_star and roll.dice[0] == roll.dice[1]:
            called = set().union(*self.areas.values())
        room = any(self.areas[region] & called for region in self.areas if region not in filled)
        yield None, 1
        for cell in self.empties(filled):
            if self.crossed(cell):
                yield cell, int(room) + self.ring(cell, False)
            if self.only_crossed(cell):
                continue
            if self.areas[cell] & called:
                yield cell, self.content(cell, None) + self.ring(cell, self.always or cell in roll.cards)
            else:
                yield cell, 1 + self.content(cell, None)

    def places(self, filled: Filled, card: str) -> set[str]:
        """Where the card lets anything be written."""
        area = self.card_area[card]
        return {region for region in self.areas if region not in filled and area in self.areas[region]}

    def numbers(self, filled: Filled, roll: Roll, first: int, second: int) -> Iterator[tuple[Filled, int]]:
        """A turn with ``first`` written before ``second``."""
        both = self.strict and any(
            p != q
            for c, d in itertools.permutations(roll.cards, 2)
            for p in self.places(filled, c)
            for q in self.places(filled, d)
        )
        for cell, card, cost in self.one(filled, roll, first, None, both):
            now = filled | ({cell} if cell else set())
            for other, other_card, more in self.one(now, roll, second, card, both) if cost <= self.most else ():
                shared = int(card is not None and card == other_card)
                yield frozenset(c for c in (cell, other) if c), cost + more + shared

    def one(self, filled: Filled, roll: Roll, number: int, used: str | None, both: bool) -> Iterator[Way]:
        """One number of a turn; ``used``: the card of the number before it; ``both``: both could have been written."""
        yield None, None, 1
        room = any(self.places(filled, card) for card in roll.cards if card != used)
        for cell in self.empties(filled):
            if self.crossed(cell):
                lawful = not room and not (self.strict and both)
                yield cell, None, int(not lawful) + self.ring(cell, False)
            if self.only_crossed(cell):
                continue
            opened = [card for card in roll.cards if self.card_area[card] in self.areas[cell]]
            for card in opened:
                yield cell, card, self.content(cell, number) + self.ring(cell, cell == card)
            if not opened:
                yield cell, None, 1 + self.content(cell, number)


def small_map(rng: random.Random, size: int) -> MapTemplate:
    """A map of ``size`` regions in two or three areas, each region in one or two of them."""
    names = ["North", "South", "West"][: rng.choice([2, 3, 3])]
    ids = "ABCDEFGH"[:size]
    regions = tuple(
        Region(r, r, r, tuple(rng.sample(names, rng.choice([1, 1, 2]))), (), (0.1 * place, 0.1))
        for place, r in enumerate(ids)
    )
    cards = tuple(Card(region.id, rng.choice(region.areas)) for region in regions)
    return MapTemplate("tiny", "Tiny", False, "rulebook", 0, regions, cards)


def small_game(rng: random.Random, template: MapTemplate, setups: int, digits: int = 3) -> GameRecord:
    """Rolls and cards of a whole game on the map."""
    left, rolls = len(template.regions), []
    forward = Forward(
        template,
        GameRecord("tiny", "rulebook", (), (), True),
        BoardState(dict.fromkeys(template.ids, Mark(Kind.EMPTY))),
    )
    while left:
        phase = Phase.SETUP if len(rolls) < setups else Phase.TURN if left > 2 else Phase.LAST
        cards = rng.sample([card.region for card in template.cards], {"setup": 2, "turn": 3, "last": 0}[phase.value])
        dice = (rng.randint(1, digits), rng.randint(1, digits))
        if phase is Phase.SETUP and dice[0] == dice[1]:
            continue
        rolls.append(Roll(phase, tuple(cards), dice))
        left -= min(left, 1 if forward.is_star(rolls[-1]) else 2)
    return GameRecord("tiny", "rulebook", ("A",), tuple(rolls), True)


def careless(rng: random.Random, template: MapTemplate, record: GameRecord, digits: int = 3) -> BoardState:
    """A board of the game, or of its first rolls, by a player who slips now and then."""
    forward = Forward(template, record, BoardState(dict.fromkeys(template.ids, Mark(Kind.EMPTY))))
    marks: dict[str, Mark] = {}
    slips = rng.choice([0, 0.05, 0.1, 0.3])
    for roll in record.rolls[: rng.choice([None, None, None, None, rng.randint(0, len(record.rolls))])]:
        for region, mark in deeds(rng, forward, roll, marks):
            empty = [r for r in template.ids if r not in marks]
            place = rng.choice(empty) if rng.random() < slips and empty else region
            if place not in marks:
                marks[place] = any_mark(rng, digits) if rng.random() < slips else mark
    for region in template.ids:
        if rng.random() < 0.04:
            marks[region] = Mark(Kind.UNREAD)
    return BoardState({region: marks.get(region, Mark(Kind.EMPTY)) for region in template.ids})


def deeds(rng: random.Random, forward: Forward, roll: Roll, marks: dict[str, Mark]) -> Iterator[tuple[str, Mark]]:
    """What a player could write for the roll, at random; ``marks`` fills up meanwhile."""
    low, high = sorted((10 * roll.dice[0] + roll.dice[1], 10 * roll.dice[1] + roll.dice[0]))
    empty = [region for region in forward.areas if region not in marks]
    rng.shuffle(empty)
    if roll.phase is Phase.SETUP:
        yield from ((card, Mark(Kind.NUMBER, n, True)) for card, n in zip(roll.cards, (low, high), strict=True))
    elif forward.is_star(roll):
        called = {forward.card_area[card] for card in roll.cards}
        places = [r for r in empty if roll.phase is Phase.LAST or forward.areas[r] & called]
        if places or empty:
            star = Mark(Kind.STAR, None, bool(places) and places[0] in roll.cards)
            yield (places[0], star) if places else (empty[0], Mark(Kind.BLOCKED))
    elif roll.phase is Phase.LAST:
        yield from ((region, Mark(Kind.NUMBER, n)) for region, n in zip(empty, (low, high), strict=False))
    else:
        used = ""
        for number in rng.sample([low, high], 2):
            empty = [region for region in empty if region not in marks]
            ways = [(c, r) for c in roll.cards for r in empty if c != used and forward.card_area[c] in forward.areas[r]]
            if ways:
                used, region = rng.choice(ways)
                yield region, Mark(Kind.NUMBER, number, region == used)
            elif empty:
                yield empty[0], Mark(Kind.BLOCKED)


def any_mark(rng: random.Random, digits: int) -> Mark:
    kind = rng.choice([Kind.NUMBER] * 6 + [Kind.STAR, Kind.BLOCKED, Kind.UNREAD])
    number = 10 * rng.randint(1, digits) + rng.randint(1, digits) if kind is Kind.NUMBER else None
    return Mark(kind, number, rng.random() < 0.2)
