"""A second lower bound, which knows that the two numbers of a turn take two of its three cards.

Each turn with two numbers has a slot for each card; two slots get a cell and one stays idle. Which of the two numbers a
slot gets is left open, so this is a relaxation, too: it sees what the seating of tasks does not (more cells that only
one card of each turn opens than there are turns), and the other way round. It is reckoned from nothing, so the search
asks for it only when it is getting long.
"""

from __future__ import annotations

from ontour_cv.dealer.record import Phase
from ontour_cv.referee.assignment import FREE, empty_seating
from ontour_cv.referee.node import Node, Problem


def slot_bound(problem: Problem, node: Node, most: int) -> int:
    """No explanation below ``node`` has fewer slips; ``most + 1`` stands for all that is more than ``most``."""
    regions, count = len(problem.cells.ids), len(problem.tasks)
    zero, one, idle = [], [], regions + count
    for index, turn in enumerate(problem.turns):
        if turn.star or turn.roll.phase is not Phase.TURN:
            zero += [node.zero[task] for task in turn.tasks]
            one += [node.one[task] for task in turn.tasks]
            continue
        fits = _slots(problem, node, index)
        whole = 0
        for task in turn.tasks:
            whole |= node.zero[task] | node.one[task]
        zero += [fit | 1 << idle for fit in fits]
        one += [whole & ~fit for fit in fits]
        idle += 1
    slots = len(zero)
    zero += node.zero[count:]
    one += node.one[count:]
    seating = empty_seating(idle)
    seating.column_of, seating.price = [FREE] * len(zero), [0] * len(zero)
    seating.priced = {0: seating.priced[0] & ~problem.cells.empty}
    for place in range(min(count, len(zero) - slots)):
        seating.column_of[slots + place], seating.row_of[regions + place] = regions + place, slots + place
    paid = len(node.same_card) + len(node.exchanged)
    for row, column in enumerate(seating.column_of):
        if column == FREE and not seating.seat(row, zero, one, most - paid):
            return most + 1
    return seating.bound + paid


def _slots(problem: Problem, node: Node, index: int) -> list[int]:
    """By card of the turn, the cells it can give to either number for nothing."""
    tasks = problem.turns[index].tasks
    fits = []
    for place in range(len(problem.turns[index].roll.cards)):
        fit = 0
        for task in tasks:
            whole = problem.tasks[task].fits(node.cards[task])[0]
            with_card = problem.tasks[task].zero[place] if node.cards[task] >> place & 1 else 0
            fit |= node.zero[task] & (with_card | ~whole if index not in node.same_card else -1)
        fits.append(fit)
    return fits
