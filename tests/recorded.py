"""Random play with its record, honest or with one planted slip; the player goes on honestly after a slip.

Built on :class:`playout.Playout`, which knows no referee. What a slip changes in content only (circle, digits) is
changed on the finished board; what changes the game's course (a wrong region, an X without need) happens in play.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from playout import Playout, X

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.dealer.record import GameRecord, Phase, Roll
from ontour_cv.maps.load import load_map
from ontour_cv.maps.model import Card, MapTemplate

SLIPS = ("wrong region", "missing circle", "a number never rolled", "swapped digits", "X without need")


@dataclass(frozen=True, slots=True)
class Planted:
    """A board with one planted slip.

    Attributes:
        kind: one of ``SLIPS``.
        board: the board.
        record: the game's rolls.
        region: where the slip stands.
        roll: index of the roll it happened at; None when that is not known.
    """

    kind: str
    board: BoardState
    record: GameRecord
    region: str
    roll: int | None


class Recorded(Playout):
    """A playout that keeps the rolls, and makes one slip in play when told to.

    Args:
        template: the map.
        rng: all chance.
        slip: ``"wrong region"``, ``"X without need"``, or nothing.
        at: the slip happens at the first turn from this one on where it can.
        always_circle_stars: the Board Game Arena way.
        doubles: how often doubles are rolled.
    """

    def __init__(
        self,
        template: MapTemplate,
        rng: random.Random,
        slip: str = "",
        at: int = 0,
        always_circle_stars: bool = False,
        doubles: float = 0.1,
        favourites: tuple[str, ...] = (),
    ) -> None:
        super().__init__(template, rng, always_circle_stars, favourites, doubles)
        self.rolls: list[Roll] = []
        self.slip, self.at = slip, at
        self.slipped: tuple[str, int] | None = None
        self.open: tuple[str, ...] = ()
        self.states: list[dict[str, Mark]] = []

    def play(self) -> BoardState:
        for _ in range(2):
            high, low = self.different_digits()
            cards = [self.deck.pop() for _ in range(2)]
            self.rolls.append(Roll(Phase.SETUP, tuple(c.region for c in cards), divmod(low, 10)))
            for number, card in zip((low, high), cards, strict=True):
                self.marks[card.region] = Mark(Kind.NUMBER, number, True)
        while len(self.empties()) > 2:
            self.turn()
            self.states.append(dict(self.marks))
        while self.empties():
            self.last_turn()
        return BoardState({region: self.marks[region] for region in self.template.ids})

    @property
    def record(self) -> GameRecord:
        return GameRecord(self.template.id, "rulebook", ("A",), tuple(self.rolls), not self.empties())

    def draw(self) -> list[Card]:
        cards = super().draw()
        self.open = tuple(card.region for card in cards)
        return cards

    def turn(self) -> None:
        self.open = ()
        super().turn()

    def last_turn(self) -> None:
        self.open = ()
        super().last_turn()

    def dice(self) -> tuple[int, int]:
        dice = super().dice()
        self.rolls.append(Roll(Phase.TURN if self.open else Phase.LAST, self.open, dice))
        return dice

    def write_both(self, numbers: list[int], cards: list[Card]) -> None:
        if self.slip and self.slipped is None and len(self.rolls) >= self.at and self.slips(numbers, cards):
            return
        super().write_both(numbers, cards)

    def slips(self, numbers: list[int], cards: list[Card]) -> bool:
        """Write one number lawfully and make the slip with the other; False when that cannot be here."""
        ways = [(a, r, b) for a in cards for b in cards if a is not b for r in self.places({a.area})]
        self.rng.shuffle(ways)
        called = {card.area for card in cards}
        for card, region, other in ways:
            room = [r for r in self.places({other.area}) if r != region]
            if self.slip == "wrong region":
                places = [r for r in self.empties() if r != region and not called & set(self.areas[r])]
            else:
                places = [r for r in self.empties() if r != region]
            if not room or not places:
                continue
            wrong = self.rng.choice(places)
            self.marks[region] = Mark(Kind.NUMBER, numbers[0], region == card.region)
            self.marks[wrong] = Mark(Kind.NUMBER, numbers[1]) if self.slip == "wrong region" else X
            self.slipped = (wrong, len(self.rolls) - 1)
            return True
        return False


def honest(template: MapTemplate, rng: random.Random, always: bool = False) -> tuple[GameRecord, BoardState]:
    """A game without slips."""
    favourites = tuple(rng.sample(template.areas, 1)) if template.areas and rng.random() < 0.3 else ()
    game = Recorded(
        template, rng, always_circle_stars=always, doubles=rng.choice([0.1, 0.1, 0.3]), favourites=favourites
    )
    board = game.play()
    return game.record, board


def planted(template: MapTemplate, rng: random.Random, kind: str) -> Planted:
    """A game with one slip of that kind."""
    while True:
        if kind in ("wrong region", "X without need"):
            game = Recorded(template, rng, kind, rng.randint(2, 20))
            board = game.play()
            if game.slipped is not None:
                return Planted(kind, board, game.record, *game.slipped)
            continue
        record, board = honest(template, rng)
        edited = edit(record, board, rng, kind)
        if edited is not None:
            region, mark = edited
            return Planted(kind, board.replace({region: mark}), record, region, None)


def edit(record: GameRecord, board: BoardState, rng: random.Random, kind: str) -> tuple[str, Mark] | None:
    """A region and the wrong mark it gets."""
    rolled = {number for roll in record.rolls for number in roll.numbers}
    cells = [r for r in board.of_kind(Kind.NUMBER) if kind != "missing circle" or board.marks[r].circled]
    if not cells:
        return None
    region = rng.choice(cells)
    mark = board.marks[region]
    assert mark.number is not None
    if kind == "missing circle":
        return region, Mark(Kind.NUMBER, mark.number)
    if kind == "swapped digits":
        return region, Mark(Kind.NUMBER, mark.number % 10 * 10 + mark.number // 10, mark.circled)
    never = [number for number in range(1, 99) if number not in rolled and number % 11]
    return region, Mark(Kind.NUMBER, rng.choice(never), mark.circled)


class Scripted(Playout):
    """A playout of rolls that are given."""

    def __init__(self, template: MapTemplate, rng: random.Random, record: GameRecord, always: bool = False) -> None:
        super().__init__(template, rng, always)
        self.record = record
        self.cards = {card.region: card for card in template.cards}
        self.now = record.rolls[0]

    def play(self) -> BoardState:
        for roll in self.record.rolls:
            self.now = roll
            if self.now.phase is Phase.SETUP:
                for number, card in zip(self.now.numbers, self.now.cards, strict=True):
                    self.marks[card] = Mark(Kind.NUMBER, number, True)
            elif self.now.phase is Phase.TURN:
                self.turn()
            else:
                self.last_turn()
        empty = Mark(Kind.EMPTY)
        return BoardState({region: self.marks.get(region, empty) for region in self.template.ids})

    def draw(self) -> list[Card]:
        return [self.cards[card] for card in self.now.cards]

    def dice(self) -> tuple[int, int]:
        return self.now.dice


def crowded(seed: int) -> tuple[GameRecord, BoardState]:
    """All rolls alike, two northern and a southern card each turn, and more southern regions than turns."""
    template, rng = load_map("usa"), random.Random(seed)
    areas = {card.region: card.area for card in template.cards}
    north, south = ([card for card, area in areas.items() if area == name] for name in ("North", "South"))
    rolls = [Roll(Phase.SETUP, ("MI", "IL"), (3, 7)), Roll(Phase.SETUP, ("OH", "WV"), (3, 7))]
    rolls += [Roll(Phase.TURN, (*rng.sample(north, 2), rng.choice(south)), (3, 7)) for _ in range(18)]
    rolls.append(Roll(Phase.LAST, (), (3, 7)))
    seeds = {"MI": 37, "OH": 37, "IL": 73, "WV": 73}
    numbers = [37] * 19 + [73] * 18
    rng.shuffle(numbers)
    left = iter(numbers)
    marks = {r: Mark(Kind.NUMBER, seeds.get(r) or next(left), r in seeds) for r in template.ids}
    return GameRecord("usa", "rulebook", ("A",), tuple(rolls), True), BoardState(marks)
