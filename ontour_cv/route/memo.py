"""The best route by depth-first search with memory: quick when few places are wild or share a level.

From a place, with a level reached, what can still follow depends on the past only through the places already used
that could come again: wild places, and places of exactly the level reached. Of these only the ones that can still be
reached matter. So the best continuation is remembered under (place, level, those places). Exact; the number of
memories grows fast with wild and equal places, so the work has a limit, after which another method takes over.
"""

from __future__ import annotations

from collections.abc import Callable

from ontour_cv.route.task import WILD, Task, best_single


class WorkLimit(Exception):
    """The search would need more memories than allowed."""


def search(task: Task, limit: int) -> int | None:
    """The greatest score of a route of ``task``, or None when more than ``limit`` memories would be needed.

    The task must have at least one place.
    """
    best, _ = best_single(task)
    best_after = _continuation(task, limit)
    try:
        for place, rank in enumerate(task.ranks):
            best = max(best, task.points[place] + best_after(place, rank, 1 << place))
    except WorkLimit:
        return None
    return best


def _continuation(task: Task, limit: int) -> Callable[[int, int, int], int]:
    """The function (place, rank reached, used) -> greatest score that can still be added."""
    ranks, points = task.ranks, task.points
    wild = sum(1 << place for place, rank in enumerate(ranks) if rank == WILD)
    memory: dict[tuple[int, int, int], int] = {}
    relevant: dict[tuple[int, int], int] = {}

    def after(place: int, reached: int, used: int) -> int:
        scope = relevant.get((place, reached))
        if scope is None:
            scope = relevant[place, reached] = _returnable(task, place, reached)
        used &= scope
        key = (place, reached, used)
        known = memory.get(key)
        if known is not None:
            return known
        best = 0
        for other, link in task.links[place]:
            rank = ranks[other]
            if rank > reached:
                score = after(other, rank, used & wild | 1 << other)
            elif rank in (reached, WILD) and not used >> other & 1:
                score = after(other, reached, used | 1 << other)
            else:
                continue
            score += points[other] + link
            if score > best:
                best = score
        if len(memory) >= limit:
            raise WorkLimit
        memory[key] = best
        return best

    return after


def _returnable(task: Task, place: int, reached: int) -> int:
    """The wild places and places of rank ``reached`` in the part of the graph still open around ``place``, as bits."""
    seen = 1 << place
    found = 0
    todo = [place]
    while todo:
        here = todo.pop()
        if task.ranks[here] in (WILD, reached):
            found |= 1 << here
        for other, _ in task.links[here]:
            if not seen >> other & 1 and (task.ranks[other] == WILD or task.ranks[other] >= reached):
                seen |= 1 << other
                todo.append(other)
    return found
