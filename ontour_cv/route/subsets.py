"""The best route by dynamic programming over sets of places: sure on few places, however many links they have.

Whether a lawful route visits exactly the places of a set and ends at a given one of them can be told from the set
without that place (Bellman 1962; Held and Karp 1962), because the greatest level in a set is the level reached. For
each end, all such sets are the bits of one integer: bit S is set when the set S, itself a sum of ``1 << place``, has a
route. Putting a place at the end of all routes at once is then a shift by ``1 << place``; 20 places take some 5,000
shifts, ands and ors of 128 KB, whatever stands on the board.

Which of the best routes come first is settled by asking again with links decided: banned ones are not followed, and a
link is forced by allowing no set that holds one of its two places only, unless the route ends there. Links are decided
in order until so few partial routes are left that they can be written out as a diagram (``ranking``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, reduce
from operator import or_

from ontour_cv.route.ranking import Node
from ontour_cv.route.task import Task

PLACES = 20
"""Most places it is used for: each one more doubles the memory and more than doubles the time."""

WRITTEN_OUT = 5_000
"""Most partial routes (a set and its end) written out as a diagram: about as long as to decide one link more."""

Link = tuple[int, int]


def best_of_sets(task: Task) -> int:
    """The greatest score of a route of ``task``, its links field left clear; the task must have a place."""
    return _greatest(reduce(or_, reach(task)), task.points)


def ranked(
    task: Task, score: int, forced: tuple[Link, ...] = (), banned: frozenset[Link] = frozenset()
) -> Iterator[int]:
    """The links, as bits, of each route of two places or more with this score (links aside), in the stated order.

    Only routes with all ``forced`` and no ``banned`` links, which are pairs as in ``Task.ends``.
    """
    reached = reach(task, forced, banned)
    ends = sum(1 << place for place in {place for pair in forced for place in pair})
    sets = [places for places in sets_worth(reduce(or_, reached), task.points, score) if places & ends == ends]
    try:
        goal = _Diagram(task, reached, [places for places in sets if places & places - 1], banned).goal
    except _TooLarge:
        link = next(pair for pair in reversed(task.ends) if pair not in forced and pair not in banned)
        if max(sum(place in pair for pair in forced) for place in link) < 2:
            yield from ranked(task, score, (*forced, link), banned)
        yield from ranked(task, score, forced, banned | {link})
        return
    last = None
    for position in range(goal.count):
        bits = goal.links(position)
        if bits is not None and bits != last:  # a line that may be walked both ways comes twice, one after the other
            yield bits
        last = bits


def reach(task: Task, forced: Sequence[Link] = (), banned: frozenset[Link] = frozenset()) -> list[int]:
    """For each place, the sets of places (as bits) that have a lawful route ending there.

    No route uses a banned link, and a set that holds both places of a forced link has routes over it only.
    """
    places = range(len(task.names))
    near = [[other for other, _ in task.links[place] if _link(place, other) not in banned] for place in places]
    before = [_before(task, place, forced) for place in places]
    layer = [1 << (1 << place) for place in places]
    reached = list(layer)
    while any(layer):
        following = []
        for end in places:
            sets = 0
            for other in near[end]:
                sets |= layer[other]
            sets = (sets & before[end]) << (1 << end)
            following.append(sets)
            reached[end] |= sets
        layer = following
    return reached


def above(task: Task, place: int) -> int:
    """The places (bits) that cannot come before this one: those of greater rank, for a wild place none."""
    rank = task.ranks[place]
    return sum(1 << other for other, own in enumerate(task.ranks) if 0 < rank < own)


@lru_cache(maxsize=4)
def lacking(places: int, width: int = 1) -> tuple[int, ...]:
    """For each place, all sets without it: bits 0 to ``width`` - 1 of field S are set when S lacks the place."""
    found = []
    for place in range(places):
        half = width << place
        sets = (1 << half) - 1
        for bigger in range(place + 1, places):
            sets |= sets << (width << bigger)
        found.append(sets)
    return tuple(found)


def sets_worth(sets: int, points: Sequence[int], score: int) -> list[int]:
    """Those of the sets (bits) whose points sum up to at least ``score``."""
    found: list[int] = []

    def keep(places: int, _: int) -> int:
        found.append(places)
        return score

    _walk_sets(sets, points, score, keep)
    return found


def _greatest(sets: int, points: Sequence[int]) -> int:
    """The greatest sum of points of any of the sets (bits, at least one)."""
    found = [0]

    def better(_: int, total: int) -> int:
        found[0] = total
        return total + 1

    _walk_sets(sets, points, 0, better)
    return found[0]


def _walk_sets(sets: int, points: Sequence[int], floor: int, found: Callable[[int, int], int]) -> None:
    """Call ``found`` for each set worth ``floor`` or more, with its points; it returns the floor from there on.

    Branch and bound over the places, the last one first: sets with it are the upper half of the bits.
    """
    sums = [0]
    for here in points:
        sums.append(sums[-1] + here)
    todo = [(sets, len(points), 0, 0)]
    while todo:
        some, place, places, total = todo.pop()
        if total + sums[place] < floor:
            continue
        if place == 0:
            floor = found(places, total)
            continue
        place -= 1
        half = 1 << place
        without, with_it = some & (1 << half) - 1, some >> half
        if without:
            todo.append((without, place, places, total))
        if with_it:
            todo.append((with_it, place, places | 1 << place, total + points[place]))


def _link(one: int, two: int) -> Link:
    return (one, two) if one < two else (two, one)


def _before(task: Task, end: int, forced: Sequence[Link]) -> int:
    """The sets (bits) to whose routes ``end`` may be added, as far as the set alone can tell."""
    lacks = lacking(len(task.names))
    sets = lacks[end]
    for place in range(len(task.names)):
        if above(task, end) >> place & 1:
            sets &= lacks[place]
    for one, two in forced:
        if end not in (one, two):
            sets &= ~(lacks[one] ^ lacks[two])
    return sets


class _TooLarge(Exception):
    """More partial routes than ``WRITTEN_OUT``."""


class _Diagram:
    """A diagram (``ranking``) of routes through given sets; built backwards, so everything in it is part of one.

    Attributes:
        goal: the node whose paths are those routes. A line that may be walked both ways has two.
    """

    def __init__(self, task: Task, reached: Sequence[int], wanted: Sequence[int], banned: frozenset[Link]) -> None:
        """The routes over no banned link that visit exactly one of the sets ``wanted``, of two places or more.

        Raises:
            _TooLarge: there are too many partial routes.
        """
        size = (1 << len(task.names)) // 8 + 1
        self._tables = [sets.to_bytes(size, "little") for sets in reached]
        self._closed = [above(task, end) for end in range(len(task.names))]
        self._links = [
            [(p, bit) for p, bit in pairs if _link(end, p) not in banned] for end, pairs in enumerate(task.links)
        ]
        self._nodes: dict[tuple[int, int], Node] = {}
        self.goal = Node(0)
        for places in wanted:
            for end in range(len(task.names)):
                self._arrive(self.goal, places, end, 0)

    def _arrive(self, at: Node, places: int, end: int, link: int) -> None:
        """Note in ``at`` that ``link`` leads there from the routes through ``places`` that end at ``end``, if any."""
        if not self._tables[end][places >> 3] >> (places & 7) & 1:
            return
        node = self._nodes.get((places, end))
        if node is None:
            if len(self._nodes) == WRITTEN_OUT:
                raise _TooLarge
            rest = places ^ 1 << end
            node = self._nodes[places, end] = Node(0, int(not rest))
            if not rest & self._closed[end]:
                for other, bit in self._links[end]:
                    self._arrive(node, rest, other, bit)
        at.before.append((node, link))
        at.count += node.count
