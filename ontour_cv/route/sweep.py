"""Running a sweep over every part of a graph: for the best score, or for all best routes."""

from __future__ import annotations

from collections.abc import Iterator

from ontour_cv.route.frontier import State, Sweep
from ontour_cv.route.order import parts
from ontour_cv.route.plan import Step, plan
from ontour_cv.route.ranking import Node
from ontour_cv.route.task import Task, best_single

WIDTHS = (100, 500, 2500, None)
"""States followed per step in one pass after another, until one leaves none out. A narrow pass is cheap and finds a
good route, which lets the next drop most states: on hard boards a full pass at once takes up to ten times as long."""


def best_score(task: Task) -> int:
    """The greatest score of a route of ``task``, which must have at least one place."""
    best, _ = best_single(task)
    open_parts = list(_sweeps(task))
    for keep in WIDTHS:
        unproved = []
        for part in open_parts:
            best, whole = _pass(task, *part, best, keep)
            if not whole:
                unproved.append(part)
        open_parts = unproved
    return best


def all_best(task: Task, best: int) -> Node:
    """A node whose paths are all routes of two places or more as good as ``best`` (a score; links do not matter)."""
    floor = best >> task.link_bits
    goal = Node(floor)
    for start, bound, steps, sweep in _sweeps(task):
        _collect(task, start, bound, steps, sweep, goal)
    return goal


def _sweeps(task: Task) -> Iterator[tuple[State, int, tuple[Step, ...], Sweep]]:
    """For each connected part with a link: the first state, its bound, the steps, the moves."""
    sweep = Sweep(max(task.ranks))
    for part in parts(tuple(tuple(other for other, _ in pairs) for pairs in task.links)):
        if part & part - 1:
            slots, steps = plan(task, part)
            bound = sum(points for place, points in enumerate(task.points) if part >> place & 1)
            yield (0,) * slots, bound, steps, sweep


def _pass(
    task: Task, start: State, bound: int, steps: tuple[Step, ...], sweep: Sweep, best: int, keep: int | None
) -> tuple[int, bool]:
    """The better of ``best`` and the best route found in this part, and whether that is proved.

    With ``keep`` only so many states are followed per step, those with the best bounds; it is proved if none was cut.
    """
    whole = True
    floor = task.floor(best)
    layer = {start: bound}
    for step in steps:
        following: dict[State, int] = {}
        for state, so_far in layer.items():
            for after, change in sweep.moves(step, state):
                score = so_far + change
                if score < floor:
                    continue
                if after is None:
                    if score > best:
                        best = score
                        floor = task.floor(best)
                elif score > following.get(after, 0):
                    following[after] = score
        if keep is not None and len(following) > keep:
            whole = False
            following = dict(sorted(following.items(), key=lambda item: -item[1])[:keep])
        layer = following
    return best, whole


def _collect(task: Task, start: State, bound: int, steps: tuple[Step, ...], sweep: Sweep, goal: Node) -> None:
    """Add to ``goal`` every route of this part with the goal's score, links aside."""
    bits = task.link_bits
    mask = (1 << bits) - 1
    layer = {start: Node(bound >> bits, 1)}
    for step in steps:
        following: dict[State, Node] = {}
        for state, node in layer.items():
            for after, change in sweep.moves(step, state):
                score = node.score + (change >> bits)
                if score < goal.score:
                    continue
                target = goal if after is None else following.get(after)
                if target is None or target.score < score:
                    target = Node(score)
                    following[after] = target  # type: ignore[index]
                if target.score == score:
                    target.count += node.count
                    target.before.append((node, change & mask))
        layer = following
