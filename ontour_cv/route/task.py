"""A :class:`RouteGraph` in the form the methods work on: places in order of name, scores as one integer.

A score is a single integer with three fields, most important first: ``visited + circles``, ``circles``, and one bit per
link with the alphabetically first link on top. Adding up along a route and taking the greatest then settles the score,
both ties, and which links the route uses, in one comparison; the route is read back from the bits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ontour_cv.route.graph import Route, RouteGraph

WILD = 0
"""Rank of a wild place; levels have ranks from 1 up."""


@dataclass(frozen=True, slots=True)
class Task:
    """A graph made ready.

    Attributes:
        names: place names in alphabetical order; a place is its position here.
        links: for each place, its neighbours with the bit of the link to each.
        ranks: for each place the rank of its level among the levels present, from 1, or ``WILD``.
        points: for each place what visiting it adds to a score.
        ends: for each link bit position, the two places, the first one first in order of name.
        circle_bits: width of the circles field.
    """

    names: tuple[str, ...]
    links: tuple[tuple[tuple[int, int], ...], ...]
    ranks: tuple[int, ...]
    points: tuple[int, ...]
    ends: tuple[tuple[int, int], ...]
    circle_bits: int

    @property
    def link_bits(self) -> int:
        """Width of the links field."""
        return len(self.ends)

    def without_links(self, score: int) -> int:
        """The score with the links field cleared: what two equally good routes share."""
        return score >> self.link_bits << self.link_bits

    def floor(self, best: int) -> int:
        """The least score still of interest when ``best`` is known: a tie is, as long as links are counted."""
        return self.without_links(best) if self.link_bits else best + 1

    def total(self, score: int) -> int:
        """The field ``visited + circles`` of a score."""
        return score >> (self.link_bits + self.circle_bits)

    def circles(self, score: int) -> int:
        """The field ``circles`` of a score."""
        return score >> self.link_bits & ((1 << self.circle_bits) - 1)


def prepare(graph: RouteGraph) -> Task:
    """The task of finding the best route of ``graph``."""
    order = sorted(range(len(graph.names)), key=graph.names.__getitem__)
    place_of = {old: new for new, old in enumerate(order)}
    both = [(place_of[a], place_of[b]) for a, others in enumerate(graph.neighbours) for b in others]
    ends = sorted(pair for pair in both if pair[0] < pair[1])
    links: list[list[tuple[int, int]]] = [[] for _ in order]
    for position, (first, second) in enumerate(reversed(ends)):
        links[first].append((second, 1 << position))
        links[second].append((first, 1 << position))
    rank_of = {level: rank for rank, level in enumerate(sorted({x for x in graph.levels if x is not None}), 1)}
    circle_bits = len(order).bit_length()
    return Task(
        names=tuple(graph.names[old] for old in order),
        links=tuple(tuple(sorted(pairs)) for pairs in links),
        ranks=tuple(WILD if (level := graph.levels[old]) is None else rank_of[level] for old in order),
        points=tuple(((1 + graph.bonus[old] << circle_bits) + graph.bonus[old]) << len(ends) for old in order),
        ends=tuple(reversed(ends)),
        circle_bits=circle_bits,
    )


def totals_only(task: Task) -> Task:
    """The same task with scores that are the bare total: ties need no settling, which is quicker."""
    return replace(
        task,
        links=tuple(tuple((other, 0) for other, _ in pairs) for pairs in task.links),
        points=tuple(task.total(points) for points in task.points),
        ends=(),
        circle_bits=0,
    )


def best_single(task: Task) -> tuple[int, int]:
    """Score and place of the best route of one place; the task must have a place."""
    place = max(range(len(task.names)), key=lambda p: (task.points[p], -p))
    return task.points[place], place


def route_of(task: Task, score: int) -> Route:
    """The route a score stands for, in its lawful direction; the score must come from a route of this task."""
    bits = score & ((1 << task.link_bits) - 1)
    joined: dict[int, list[int]] = {}
    for position, (first, second) in enumerate(task.ends):
        if bits >> position & 1:
            joined.setdefault(first, []).append(second)
            joined.setdefault(second, []).append(first)
    if not joined:
        place = next(p for p in range(len(task.names)) if task.points[p] == score)
        return Route((task.names[place],), 1, task.circles(score))
    walk = [min(place for place, others in joined.items() if len(others) == 1)]
    while len(walk) < len(joined):
        walk.append(next(p for p in joined[walk[-1]] if len(walk) < 2 or p != walk[-2]))
    numbers = [task.ranks[place] for place in walk if task.ranks[place] != WILD]
    if numbers and numbers[0] > numbers[-1]:
        walk.reverse()
    return Route(tuple(task.names[place] for place in walk), len(walk), task.circles(score))
