"""When an X is lawful: the ways it can come about, as cells that must have been full by then.

An X is written for a number that finds no legal place. The rulebook lets the player write the other number of the turn
first, wherever the cards allow; so by default an X is lawful when nothing was left for its number *after* the other one
was written with a card of its own. The strict reading wants that no choice of cards and places lets both be written.
Board Game Arena's "in a valid region" is taken as "anywhere": a valid region is full, or there would be no X.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ontour_cv.dealer.record import Phase
from ontour_cv.referee.cells import Cells
from ontour_cv.referee.tasks import Turn
from ontour_cv.rules import Variant


@dataclass(frozen=True, slots=True)
class Need:
    """One way in which an X of a turn is lawful.

    Attributes:
        task: whose X it is.
        other: the turn's other task; None for a star.
        cards: with which cards the other one may have been written (bits); 0: with none, it is an X, too, or misplaced.
        full: the cells that were full when the X was written.
        exempt: True when the other task may be the one that filled the last of them.
    """

    task: int
    other: int | None
    cards: int
    full: int
    exempt: bool


def needs(cells: Cells, turn: Turn, variant: Variant, extras: int) -> tuple[Need, ...]:
    """Every way in which an X of ``turn`` can be lawful on this board.

    Args:
        cells: the board; cells still empty rule many ways out.
        turn: the roll.
        variant: the rules; ``x_last_resort`` wants that no choice of cards and places lets both numbers be written.
        extras: how many cells may have been full by then without any roll, which is a slip each.
    """
    if turn.roll.phase is not Phase.TURN:
        return ()
    if turn.star and turn.roll.double and variant.star_anywhere:
        opened = [cells.everything]
    else:
        opened = [cells.opened(card) for card in turn.roll.cards]
    return tuple(
        need
        for need in (_star(turn, opened) if turn.star else _numbers(turn, opened, variant.x_last_resort))
        if not need.full & cells.empty and need.full.bit_count() <= turn.before + need.exempt + extras
    )


def _star(turn: Turn, opened: list[int]) -> Iterator[Need]:
    yield Need(turn.tasks[0], None, 0, _union(opened), False)


def _numbers(turn: Turn, opened: list[int], strict: bool) -> Iterator[Need]:
    whole = _union(opened)
    for task, other in (turn.tasks, turn.tasks[::-1]):
        yield Need(task, other, 0, whole, True)
        if strict:
            yield Need(task, other, (1 << len(opened)) - 1, whole, True)
        for area in dict.fromkeys(opened):
            cards = sum(1 << place for place, cells in enumerate(opened) if cells == area)
            alone = cards.bit_count() == 1
            full = _union(cells for cells in opened if cells != area) if alone else whole
            if not strict:
                yield Need(task, other, cards, full, True)
            elif alone:
                yield Need(task, other, cards, full, False)


def _union(sets: Iterable[int]) -> int:
    whole = 0
    for cells in sets:
        whole |= cells
    return whole
