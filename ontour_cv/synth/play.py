"""Whole games of On Tour, played by the rulebook by a player who wants a long rising route.

The simulator is a source of boards for rendering and for tests; it never decides whether a photographed board is legal
(that is ``rules``), so the two check each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations

import numpy as np

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.dealer.record import Phase, Roll
from ontour_cv.maps.model import Card, MapTemplate
from ontour_cv.synth.player import Player

_EMPTY = Mark(Kind.EMPTY)
_BLOCKED = Mark(Kind.BLOCKED)


@dataclass(frozen=True, slots=True)
class Turn:
    """What one turn showed and what was written.

    Attributes:
        phase: ``"setup"``, ``"turn"`` or ``"last"``.
        cards: the cards face up (none in a last turn).
        dice: the two dice.
        written: region id -> mark, in the order of writing.
    """

    phase: str
    cards: tuple[Card, ...]
    dice: tuple[int, int]
    written: tuple[tuple[str, Mark], ...]


@dataclass(frozen=True, slots=True)
class Game:
    """A played game: the board at its end and how it came about."""

    board: BoardState
    turns: tuple[Turn, ...]


@dataclass(slots=True)
class _Deck:
    """Draw pile and discards; the rest is drawn before the discards are shuffled (maps-and-rules 7a, 15)."""

    pile: list[Card]
    rng: np.random.Generator
    discards: list[Card] = field(default_factory=list)

    def draw(self, count: int) -> tuple[Card, ...]:
        drawn: list[Card] = []
        while len(drawn) < count:
            if not self.pile:
                order = self.rng.permutation(len(self.discards))
                self.pile, self.discards = [self.discards[i] for i in order], []
            drawn.append(self.pile.pop())
        return tuple(drawn)

    def fresh(self, count: int, taken: set[str]) -> tuple[Card, ...]:
        """Cards of different regions none of which is ``taken``; others go under the pile."""
        drawn: list[Card] = []
        while len(drawn) < count:
            card = self.pile.pop()
            if card.region in taken or card.region in {other.region for other in drawn}:
                self.pile.insert(0, card)
            else:
                drawn.append(card)
        return tuple(drawn)


def play_game(template: MapTemplate, rng: np.random.Generator, max_turns: int | None = None) -> Game:
    """A whole game by the first-edition rulebook.

    Args:
        template: the map; every region needs a card of its own area.
        rng: dice, deck and the player's whims.
        max_turns: stop after so many turns, counting the setup's two rolls as one; None plays to the end.
    """
    marks = dict.fromkeys(template.ids, _EMPTY)
    player = Player.sample(template, rng)
    order = rng.permutation(len(template.cards))
    deck = _Deck([template.cards[i] for i in order], rng)
    turns = list(_setup(deck, marks, rng))
    areas = {region.id: frozenset(region.areas) for region in template.regions}
    while _free(marks) and (max_turns is None or len(turns) - 1 < max_turns):
        if len(_free(marks)) <= 2:
            turns.append(_last_turn(_roll(rng), marks, player))
            continue
        cards = deck.draw(3)
        turns.append(_turn(cards, _roll(rng), marks, areas, player))
        deck.discards.extend(cards)
    return Game(BoardState(marks), tuple(turns))


def play_rolls(template: MapTemplate, rolls: Sequence[Roll], rng: np.random.Generator) -> Game:
    """What one player makes of rolls that a dealer dealt, from the first one on; ``rng`` gives taste and whims."""
    marks = dict.fromkeys(template.ids, _EMPTY)
    player = Player.sample(template, rng)
    card_of = {card.id: card for card in template.cards}
    areas = {region.id: frozenset(region.areas) for region in template.regions}
    turns = []
    for roll in rolls:
        cards = tuple(card_of[card] for card in roll.cards)
        if roll.phase is Phase.SETUP:
            turns.append(_seed(cards, roll.dice, marks))
        elif roll.phase is Phase.LAST:
            turns.append(_last_turn(roll.dice, marks, player))
        else:
            turns.append(_turn(cards, roll.dice, marks, areas, player))
    return Game(BoardState(marks), tuple(turns))


def sample_board(template: MapTemplate, rng: np.random.Generator, unfinished: float = 0.08) -> BoardState:
    """The board of a played game; with probability ``unfinished`` photographed before its end."""
    turns = int(rng.integers(0, 19)) if rng.random() < unfinished else None
    return play_game(template, rng, turns).board


def _setup(deck: _Deck, marks: dict[str, Mark], rng: np.random.Generator) -> Sequence[Turn]:
    """Two rolls, doubles rolled again; each writes its low number on one card's state and its high one on the next."""
    turns = []
    for _ in range(2):
        cards = deck.fresh(2, {region for region, mark in marks.items() if mark.kind is not Kind.EMPTY})
        dice = _roll(rng)
        while dice[0] == dice[1]:
            dice = _roll(rng)
        turns.append(_seed(cards, dice, marks))
    return turns


def _seed(cards: tuple[Card, ...], dice: tuple[int, int], marks: dict[str, Mark]) -> Turn:
    numbers = sorted((10 * dice[0] + dice[1], 10 * dice[1] + dice[0]))
    written = [(card.region, Mark(Kind.NUMBER, n, True)) for card, n in zip(cards, numbers, strict=True)]
    return _write("setup", cards, dice, written, marks)


def _turn(
    cards: tuple[Card, ...],
    dice: tuple[int, int],
    marks: dict[str, Mark],
    areas: dict[str, frozenset[str]],
    player: Player,
) -> Turn:
    called = {card.area for card in cards}
    if dice[0] == dice[1] or len(called) == 1:
        places = [r for r in _free(marks) if areas[r] & called]
        exact = {card.region for card in cards}
        if places:
            place = player.star_place(places, exact, marks)
            written = [(place, Mark(Kind.STAR, None, place in exact))]
        else:  # the rulebook is silent here; the X rule is the nearest
            written = [(player.blocked_place(_free(marks), marks), _BLOCKED)]
        return _write("turn", cards, dice, written, marks)
    numbers = (10 * dice[0] + dice[1], 10 * dice[1] + dice[0])
    return _write("turn", cards, dice, _best_writing(numbers, cards, marks, areas, player), marks)


def _best_writing(
    numbers: tuple[int, int],
    cards: tuple[Card, ...],
    marks: dict[str, Mark],
    areas: dict[str, frozenset[str]],
    player: Player,
) -> list[tuple[str, Mark]]:
    """Both numbers with two different cards if any choice allows it; else one of them and an X; else two X."""
    free = _free(marks)
    best: tuple[float, list[tuple[str, Mark]]] | None = None
    for first, second in permutations(cards, 2):
        rated = [
            sorted((player.cost(r, n, r == card.region, marks), r) for r in free if card.area in areas[r])
            for n, card in ((numbers[0], first), (numbers[1], second))
        ]
        for cost_a, a in rated[0][:4]:
            for cost_b, b in rated[1][:4]:
                if a != b and (best is None or cost_a + cost_b < best[0]):
                    pair = [_numbered(a, numbers[0], first), _numbered(b, numbers[1], second)]
                    best = (cost_a + cost_b, pair)
    if best is not None:
        return best[1]
    singles = [
        (player.cost(r, n, r == card.region, marks), r, n, card)
        for n in numbers
        for card in cards
        for r in free
        if card.area in areas[r]
    ]
    written = []
    if singles:
        _, place, number, card = min(singles, key=lambda item: item[:3])
        written.append(_numbered(place, number, card))
    while len(written) < 2:
        left = [r for r in free if r not in {w for w, _ in written}]
        written.append((player.blocked_place(left, marks), _BLOCKED))
    return written


def _last_turn(dice: tuple[int, int], marks: dict[str, Mark], player: Player) -> Turn:
    """One or two empty states: no cards, no circles, written freely."""
    free = _free(marks)
    if dice[0] == dice[1]:
        return _write("last", (), dice, [(player.star_place(free, set(), marks), Mark(Kind.STAR))], marks)
    numbers = (10 * dice[0] + dice[1], 10 * dice[1] + dice[0])
    orders = [list(zip(free, order, strict=False)) for order in permutations(numbers)]
    chosen = min(orders, key=lambda pairs: sum(player.cost(r, n, False, marks) for r, n in pairs))
    return _write("last", (), dice, [(r, Mark(Kind.NUMBER, n)) for r, n in chosen], marks)


def _numbered(place: str, number: int, card: Card) -> tuple[str, Mark]:
    return place, Mark(Kind.NUMBER, number, place == card.region)


def _write(
    phase: str,
    cards: tuple[Card, ...],
    dice: tuple[int, int],
    written: list[tuple[str, Mark]],
    marks: dict[str, Mark],
) -> Turn:
    for place, mark in written:
        if marks[place].kind is not Kind.EMPTY:
            raise AssertionError(f"{place} written twice")
        marks[place] = mark
    return Turn(phase, cards, dice, tuple(written))


def _roll(rng: np.random.Generator) -> tuple[int, int]:
    first, second = rng.integers(0, 10, size=2)
    return int(first), int(second)


def _free(marks: dict[str, Mark]) -> list[str]:
    return [region for region, mark in marks.items() if mark.kind is Kind.EMPTY]
