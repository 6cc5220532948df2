"""Counting the routes that visit exactly a set of places, by the dynamic programming of ``subsets`` with counters.

Each set of places has a counter for every end, and counters stand side by side in long integers, so that one addition
adds a whole row of them. A set is split in two: its upper places are walked through one by one, and a row holds the
counters of all sets of lower places with the same upper ones. Rows are done in increasing order and then forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from math import prod
from operator import or_

from ontour_cv.route.subsets import above, lacking, reach, sets_worth
from ontour_cv.route.task import WILD, Task

LOWER = 9
"""Places within a row; fewer make more and shorter additions."""


def count_routes(task: Task, score: int) -> int:
    """How many routes of two places or more have this score, links aside; it must be the greatest there is.

    A line that may be walked both ways is one route.
    """
    rows = _Rows(task)
    wanted: dict[int, list[int]] = {}
    for places in sets_worth(reduce(or_, reach(task)), task.points, score):
        if places & places - 1:
            wanted.setdefault(places >> rows.lower, []).append(places)
    twice = 0
    for upper, row in rows.walk():
        for places in wanted.get(upper, ()):
            walks = sum(rows.counter(counters, places) for counters in row)
            numbers = {rank for place, rank in enumerate(task.ranks) if places >> place & 1 and rank != WILD}
            twice += walks if len(numbers) < 2 else 2 * walks
    return twice // 2


class _Rows:
    """The rows of counters of one task. ``lower`` is the number of places within a row."""

    def __init__(self, task: Task) -> None:
        """For any task with a place."""
        places = range(len(task.names))
        self.lower = min(LOWER, len(places))
        self._near = [[other for other, _ in task.links[place]] for place in places]
        # From the end backwards, a walk has at most ``degree`` ways on; all ends of one set are added up on the way.
        self._width = (len(places) * prod(max(1, len(near)) for near in self._near)).bit_length()
        self._above = [above(task, place) | 1 << place for place in places]
        lacks = lacking(self.lower, self._width)
        everything = (1 << (self._width << self.lower)) - 1
        self._open = [everything] * len(places)
        for place in places:
            for other in range(self.lower):
                if self._above[place] >> other & 1:
                    self._open[place] &= lacks[other]

    def counter(self, counters: int, places: int) -> int:
        """The counter of a set in the row it belongs to."""
        position = places & (1 << self.lower) - 1
        return counters >> self._width * position & (1 << self._width) - 1

    def walk(self) -> Iterator[tuple[int, list[int]]]:
        """Every row in turn: its upper places (bits, shifted down), and for each end the counters."""
        waiting: dict[int, list[int]] = {}
        count = len(self._near)
        for upper in range(1 << count - self.lower):
            row = waiting.pop(upper, None) or [0] * count
            if not upper:
                for place in range(self.lower):
                    row[place] = 1 << (self._width << place)
            for place in range(self.lower, count):
                if upper == 1 << place - self.lower:
                    row[place] += 1
            self._fill(upper, row)
            yield upper, row
            for end in range(self.lower, count):
                if not upper << self.lower & self._above[end]:
                    further = waiting.setdefault(upper | 1 << end - self.lower, [0] * count)
                    further[end] += self._added(row, end)

    def _fill(self, upper: int, row: list[int]) -> None:
        """Add to a row, which holds the routes ending at upper places, those that go on to lower ones."""
        ends = [end for end in range(self.lower) if not upper << self.lower & self._above[end]]
        fresh = row[:]
        while any(fresh):
            further = [0] * len(row)
            for end in ends:
                further[end] = self._added(fresh, end) << (self._width << end)
                row[end] += further[end]
            fresh = further

    def _added(self, row: Sequence[int], end: int) -> int:
        """For each set of a row that lets ``end`` come, how many routes lead to a neighbour of it."""
        walks = 0
        for other in self._near[end]:
            walks += row[other]
        return walks & self._open[end]
