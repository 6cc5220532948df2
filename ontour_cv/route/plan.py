"""The plan of a sweep: for each place, in order, its slot on the frontier, whom it meets there and who leaves."""

from __future__ import annotations

from dataclasses import dataclass

from ontour_cv.route.joints import GONE, bare_end
from ontour_cv.route.order import sweep_order
from ontour_cv.route.task import Task


@dataclass(frozen=True, slots=True)
class Step:
    """Taking up one place.

    Attributes:
        slot: the frontier slot the place gets.
        rank: its rank.
        bare: its end code while it stands alone.
        meets: for each neighbour already on the frontier: slot, the link's bit, end code while it stands alone.
        leaves: slot and points of the places (perhaps this one) whose last neighbour has now come.
        standing: for each place on the frontier before those leave: slot, rank, points.
        staying: the same for those that do not leave.
        ahead: points by rank (index 0: wild) of all places still to come.
        rounds: whether the roundings change at this step.
        lows: for each rank, what it may be replaced with as the rank of a low end (see ``frontier``).
        highs: the same for a high end.
    """

    slot: int
    rank: int
    bare: int
    meets: tuple[tuple[int, int, int], ...]
    leaves: tuple[tuple[int, int], ...]
    standing: tuple[tuple[int, int, int], ...]
    staying: tuple[tuple[int, int, int], ...]
    ahead: tuple[int, ...]
    rounds: bool
    lows: tuple[int, ...]
    highs: tuple[int, ...]


def plan(task: Task, part: int) -> tuple[int, tuple[Step, ...]]:
    """The number of frontier slots and the steps for one connected part of the task's graph (bits)."""
    order = sweep_order(tuple(tuple(other for other, _ in pairs) for pairs in task.links), part)
    turn = {place: position for position, place in enumerate(order)}
    last = {place: max([turn[place], *(turn[other] for other, _ in task.links[place])]) for place in order}
    ranks = max(task.ranks)
    slot_of: dict[int, int] = {}
    free: list[int] = []
    slots = 0
    steps = []
    ahead = [0] * (ranks + 1)
    for place in order:
        ahead[task.ranks[place]] += task.points[place]
    for position, place in enumerate(order):
        if not free:
            free.append(slots)
            slots += 1
        meets = tuple(
            (slot_of[other], link, bare_end(task.ranks[other])) for other, link in task.links[place] if other in slot_of
        )
        slot = slot_of[place] = free.pop()
        ahead[task.ranks[place]] -= task.points[place]
        standing = _stand(task, slot_of)
        before = _present(standing, ahead)
        leaves = tuple((slot_of.pop(p), task.points[p]) for p in list(slot_of) if last[p] == position)
        staying = _stand(task, slot_of)
        after = _present(staying, ahead)
        lows, highs = _roundings(after, ranks)
        free.extend(slot for slot, _ in leaves)
        steps.append(
            Step(
                slot=slot,
                rank=task.ranks[place],
                bare=bare_end(task.ranks[place]),
                meets=meets,
                leaves=leaves,
                standing=standing,
                staying=staying,
                ahead=tuple(ahead),
                rounds=before != after,
                lows=lows,
                highs=highs,
            )
        )
    if slots >= GONE:
        raise ValueError(f"the graph is too entangled: {slots} places would stand on the frontier at once")
    return slots, tuple(steps)


def _stand(task: Task, slot_of: dict[int, int]) -> tuple[tuple[int, int, int], ...]:
    """Slot, rank and points of each place on the frontier."""
    return tuple((slot, task.ranks[place], task.points[place]) for place, slot in slot_of.items())


def _present(standing: tuple[tuple[int, int, int], ...], ahead: list[int]) -> set[int]:
    """The ranks of places that stand on the frontier or are still to come."""
    return {rank for _, rank, _ in standing} | {rank for rank, points in enumerate(ahead) if points}


def _roundings(present: set[int], ranks: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For each rank, the greatest rank up to which, and the least down to which, no place is left in between.

    A low end of rank r takes what is at most r. When no place of ranks r to s is left, it may as well have rank s.
    """
    lows, highs = list(range(ranks + 1)), list(range(ranks + 1))
    for rank in range(ranks - 1, 0, -1):
        if rank not in present and rank + 1 not in present:
            lows[rank] = lows[rank + 1]
    for rank in range(2, ranks + 1):
        if rank not in present and rank - 1 not in present:
            highs[rank] = highs[rank - 1]
    return tuple(lows), tuple(highs)
