"""What each roll makes a player write, and which cells of a board can be that writing, at what price.

A task fits a cell for nothing, for one slip, or not at all: what would take two slips is a task forgotten and a cell
written without a roll, which costs as much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ontour_cv.dealer.record import Phase, Roll
from ontour_cv.referee.cells import Cells
from ontour_cv.rules import Variant


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to be written.

    Attributes:
        roll: index of its roll.
        numbers: the number; two of them when the player may pick one; none for a star.
        cards: the cards, by id; one empty name where no card is chosen (a star, the last turn).
        zero: by card, the cells that are a faultless writing with it.
        one: by card, the cells that are a writing with it but for one slip: the circle, or what is written.
        out: cells with the right content that no card opens.
    """

    roll: int
    numbers: tuple[int, ...]
    cards: tuple[str, ...]
    zero: tuple[int, ...]
    one: tuple[int, ...]
    out: int

    @property
    def every_card(self) -> int:
        """All its cards, a bit per place in ``cards``."""
        return (1 << len(self.cards)) - 1

    def fits(self, chosen: int) -> tuple[int, int]:
        """Cells for nothing and for one slip when one of the cards ``chosen`` (bits) is used; X left aside."""
        zero = one = 0
        for place in range(len(self.cards)):
            if chosen >> place & 1:
                zero |= self.zero[place]
                one |= self.one[place]
        return zero, (one | self.out) & ~zero

    def usable(self, cell: int, chosen: int) -> int:
        """Those of the cards ``chosen`` with which a writing in ``cell`` (a bit) costs least; 0 when none opens it."""
        for fits in (self.zero, self.one):
            found = sum(1 << p for p in range(len(self.cards)) if chosen >> p & 1 and fits[p] & cell)
            if found:
                return found
        return 0


@dataclass(frozen=True, slots=True)
class Turn:
    """One roll as the search sees it.

    Attributes:
        roll: the roll.
        tasks: places of its tasks in the list of all.
        before: how many cells are filled before it.
        star: True when it writes a star.
    """

    roll: Roll
    tasks: tuple[int, ...]
    before: int
    star: bool


def is_star(cells: Cells, roll: Roll) -> bool:
    """True for doubles and for three cards of one area."""
    return roll.double or (roll.phase is Phase.TURN and len({cells.card_area[card] for card in roll.cards}) == 1)


def fills(cells: Cells, rolls: Sequence[Roll]) -> tuple[int, ...]:
    """How many cells are filled before each roll, and after the last: ``len(rolls) + 1`` numbers."""
    filled = [0]
    for roll in rolls:
        filled.append(min(len(cells.ids), filled[-1] + (1 if is_star(cells, roll) else 2)))
    return tuple(filled)


def turns_of(cells: Cells, variant: Variant, rolls: Sequence[Roll]) -> tuple[tuple[Turn, ...], tuple[Task, ...]]:
    """The rolls and all their tasks, in order."""
    filled = fills(cells, rolls)
    turns: list[Turn] = []
    tasks: list[Task] = []
    for index, roll in enumerate(rolls):
        some = tuple(_tasks(cells, variant, index, roll, len(cells.ids) - filled[index]))
        places = tuple(range(len(tasks), len(tasks) + len(some)))
        turns.append(Turn(roll, places, filled[index], is_star(cells, roll)))
        tasks.extend(some)
    return tuple(turns), tuple(tasks)


def _tasks(cells: Cells, variant: Variant, index: int, roll: Roll, left: int) -> Iterator[Task]:
    low, high = roll.numbers
    places = [cells.shown(card) for card in roll.cards]
    if is_star(cells, roll):
        called = cells.everything
        if roll.phase is Phase.TURN and not (roll.double and variant.star_anywhere):
            called = 0
            for card in roll.cards:
                called |= cells.opened(card)
        circled = called if variant.star_always_circled else sum(set(places))
        yield _task(cells, index, (), ("",), [(called, circled)])
    elif roll.phase is Phase.SETUP:
        for number, card in zip((low, high), roll.cards, strict=True):
            yield _task(cells, index, (number,), (card,), [(cells.shown(card), cells.shown(card))])
    elif roll.phase is Phase.LAST:
        choices = [(low,), (high,)] if left > 1 else [(low, high)]
        for numbers in choices[:left]:
            yield _task(cells, index, numbers, ("",), [(cells.everything, 0)])
    else:
        areas = [(cells.opened(card), cells.opened(card) & cells.shown(card)) for card in roll.cards]
        for number in (low, high):
            yield _task(cells, index, (number,), roll.cards, areas)


def _task(
    cells: Cells, roll: int, numbers: tuple[int, ...], cards: tuple[str, ...], places: Sequence[tuple[int, int]]
) -> Task:
    """``places``: by card, the cells it opens, and those of them that it circles."""
    right = 0
    for number in numbers:
        right |= cells.valued.get(number, 0)
    right = right if numbers else cells.stars
    wrong = (cells.numbers | cells.stars) & ~right
    zero, one, opened = [], [], 0
    for place, circle in places:
        agree = place & ~(circle ^ cells.circled)
        zero.append((right & agree) | (cells.unread & place))
        one.append((right & place & ~agree) | (wrong & agree))
        opened |= place
    return Task(roll, numbers, cards, tuple(zero), tuple(one), (right | cells.unread) & ~opened)
