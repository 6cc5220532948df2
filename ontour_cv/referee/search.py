"""The fewest slips that explain a board: branch and bound over the cheapest seating of tasks on cells.

A seating knows prices for wrong cells, but not that the two numbers of a turn need different cards, nor when an X is
lawful. It is a relaxation: its price is a lower bound. Where a seating breaks one of the two, the search splits into
every way to mend it, each of which removes edges or pays for a slip, so bounds only rise. Nodes are taken by their
bound, the latest first among equals; the first one that breaks nothing is an explanation with the fewest slips.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ontour_cv.dealer.record import Phase
from ontour_cv.referee.blocked import Need
from ontour_cv.referee.node import Blocked, Node, Problem, claim, mark_full, refresh, root
from ontour_cv.referee.slots import slot_bound

PATIENCE = 12
"""Nodes to look at before the dearer second bound is asked for."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the search found.

    Attributes:
        problem: the problem that ``node`` solves, None without one.
        node: an explanation with the fewest slips; None when there is none within the bound or the effort.
        at_least: the proved least number of slips.
    """

    problem: Problem | None
    node: Node | None
    at_least: int


def fewest(problems: Sequence[tuple[Problem, frozenset[int]]], most: int, effort: int) -> Found:
    """An explanation with the fewest slips, over all ``problems``.

    Args:
        problems: each with the setup turns exchanged in it.
        most: explanations with more slips are of no interest.
        effort: nodes to look at once it is proved that there is a slip; without that proof the search goes on.
    """
    heap: list[tuple[int, int, Problem, Node]] = []
    count = 0
    for problem, exchanged in problems:
        node = root(problem, exchanged, most)
        if node is not None:
            heapq.heappush(heap, (node.bound, -len(heap), problem, node))
    looked = 0
    while heap:
        bound, order, problem, node = heapq.heappop(heap)
        looked += 1
        if looked > PATIENCE:
            better = max(bound, slot_bound(problem, node, most))
            if better > bound:
                if better <= most:
                    heapq.heappush(heap, (better, order, problem, node))
                continue
        children = branches(problem, node, most)
        if children is None:
            return Found(problem, node, bound)
        effort -= bound > 0
        if effort < 0:
            return Found(None, None, bound)
        for child in children:
            count += 1
            heapq.heappush(heap, (max(bound, child.bound), -count - len(problems), problem, child))
    return Found(None, None, most + 1)


def branches(problem: Problem, node: Node, most: int) -> list[Node] | None:
    """Every way to mend the first thing that the seating breaks; None when it breaks nothing."""
    filled = mark_full(problem, node)
    for index in range(len(problem.turns)):
        if index not in node.settled and not lawful(problem, node, index, filled):
            return list(_blocked_branches(problem, node, index, most))
    for index in range(len(problem.turns)):
        if index not in node.same_card:
            card = _shared_card(problem, node, index)
            if card:
                return list(_card_branches(problem, node, index, card, most))
    return None


def as_blocked(problem: Problem, node: Node, index: int) -> bool:
    """True when the seating takes the task for one whose number became an X."""
    cell = node.cell(problem, index)
    if cell & problem.cells.blocked:
        return True
    lawful = node.blocked[index] not in (Blocked.SLIP, Blocked.NEVER)
    return bool(lawful and cell & problem.cells.unread and not problem.tasks[index].usable(cell, node.cards[index]))


def lawful(problem: Problem, node: Node, index: int, filled: dict[int, int]) -> bool:
    """True when the turn has no X, or the seating itself shows that its X are lawful."""
    crossed = [task for task in problem.turns[index].tasks if as_blocked(problem, node, task)]
    return not crossed or any(_met(problem, node, index, need, filled) for need in problem.needs[index])


def _met(problem: Problem, node: Node, index: int, need: Need, filled: dict[int, int]) -> bool:
    if not as_blocked(problem, node, need.task):
        return False
    theirs = 0
    if need.other is not None:
        theirs = node.cell(problem, need.other)
        crossed = as_blocked(problem, node, need.other)
        used = 0 if crossed else problem.tasks[need.other].usable(theirs, node.cards[need.other])
        if bool(need.cards) != bool(used) or (used and not used & need.cards) or (crossed and theirs & need.full):
            return False
    left = need.full & ~theirs if need.exempt else need.full
    while left:
        cell = left & -left
        left ^= cell
        if filled.get(cell, index) >= index:
            return False
    return True


def _blocked_branches(problem: Problem, node: Node, index: int, most: int) -> Iterator[Node]:
    child = node.copy()
    child.settled |= {index}
    for task in problem.turns[index].tasks:
        child.blocked[task] = Blocked.SLIP
    if refresh(problem, child, problem.turns[index].tasks, most):
        yield child
    for need in problem.needs[index]:
        child = node.copy()
        changed = claim(problem, child, index, need)
        if refresh(problem, child, changed, most):
            yield child


def _shared_card(problem: Problem, node: Node, index: int) -> int:
    """The one card (a bit) that both numbers of a turn stand on, or 0."""
    turn = problem.turns[index]
    if turn.star or turn.roll.phase is not Phase.TURN or any(as_blocked(problem, node, task) for task in turn.tasks):
        return 0
    first, second = (problem.tasks[t].usable(node.cell(problem, t), node.cards[t]) for t in turn.tasks)
    return first if first == second and first.bit_count() == 1 else 0


def _card_branches(problem: Problem, node: Node, index: int, card: int, most: int) -> Iterator[Node]:
    """The first number has the card and the second another; the first has another; or it is a slip."""
    first, second = problem.turns[index].tasks
    for changes in ({second: node.cards[second] & ~card, first: card}, {first: node.cards[first] & ~card}):
        child = node.copy()
        for task, cards in changes.items():
            child.cards[task] = cards
        if refresh(problem, child, changes, most):
            yield child
    if index not in problem.bans.rolls and node.bound < most:
        child = node.copy()
        child.same_card |= {index}
        yield child
