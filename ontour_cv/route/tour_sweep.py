"""The frontier sweep (``frontier``) with several labels per state, for scores that are no sums.

With a sum, of two ways to reach one state only the better matters. Here both may: one has more places, the other a
soloist more, and which is worth more is open until the end. So each state keeps a set of labels (``tour_labels``), and
one is dropped only for one of two reasons, neither of which can lose a best tour:

* Its value, which counts everything not lost yet, does not reach the best tour known.
* Another label of the same state stays at least as good however the route goes on (label setting with dominance, as in
  resource-constrained shortest paths).

Labels carry the links chosen. Passes widen (``_WIDTHS``) to find a good tour soon. In the last one what reaches the
best total known is followed, equal ones too. Where it leaves nothing out it proves the total and settles which of the
best tours comes first. Where there are so many equal ones that it does (``_EQUALS``), the total is proved by a pass
that asks for more only, and of the best tours the first of those followed is taken. Where only the total is asked for,
there are no links, and the work may be limited: the most that anything left out could be worth is a bound then.

Large layers are taken up in arrays (``tour_batch``), in a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ontour_cv.route.frontier import State, Sweep
from ontour_cv.route.graph import RouteGraph
from ontour_cv.route.joints import UNTOUCHED
from ontour_cv.route.order import parts
from ontour_cv.route.plan import Step, plan
from ontour_cv.route.sweep import WIDTHS
from ontour_cv.route.task import Task, prepare
from ontour_cv.route.tour_labels import Held, Labels

if TYPE_CHECKING:
    from ontour_cv.route.batch import Batch
    from ontour_cv.route.tour_batch import BatchSearch

_WIDTHS = (*WIDTHS[:-1], 20_000)
"""Passes before the last one."""

_EQUALS = 50_000
"""Most labels of a layer that are followed to tell the first of equal tours. Of 100 random boards of New York with 16
to 30 ferries all but four need less; a game makes some six ferries."""

_MANY, _FEW = 2_000, 300
"""Labels in a layer from which on it is taken up in arrays, and below which no more: a step in arrays takes a few
milliseconds, however small the layer."""

_Layer = dict[State, list[int]]
_Part = tuple[State, int, tuple[Step, ...]]
"""A connected part of the graph: the first state, the label of all its places, the steps."""


@dataclass(slots=True)
class Work:
    """Labels that may still be taken up; a count and no time, so that a graph gets the same answer everywhere."""

    left: int


def tour_task(graph: RouteGraph, districts: Sequence[int], kinds: Sequence[int | None], labels: Labels) -> Task:
    """The task of ``graph`` with labels as points; they stand above the link bits, as scores do."""
    task = prepare(graph)
    place_of = {name: place for place, name in enumerate(graph.names)}
    own = [place_of[name] for name in task.names]
    points = tuple(labels.of_place(kinds[place], districts[place]) << task.link_bits for place in own)
    return replace(task, points=points, circle_bits=0)


def best_label(task: Task, labels: Labels) -> int:
    """The label of the first of the best tours, with its link bits; the task must have a place."""
    points = [labels.value(points >> task.link_bits) for points in task.points]
    single = max(range(len(points)), key=lambda place: (points[place], -place))
    search = _Search(task, labels, points[single] + 1)
    every = _parts(task)
    unproved = list(range(len(every)))
    for keep in _WIDTHS:
        unproved = [k for k in unproved if search.run(every[k], keep) >= search.floor]
    while True:
        order = _Search(task, labels, search.floor - 1, ordered=True)
        left = [order.run(part, _EQUALS) for part in every]
        if order.found is not None:
            search.floor, search.found = order.floor + 1, order.found
        for k in unproved:
            if left[k] > order.floor:
                search.run(every[k], None)
        unproved = []
        if search.floor == order.floor + 1:
            return task.points[single] if search.found is None else search.found


def value_range(task: Task, labels: Labels, work: Work) -> tuple[int, int]:
    """The least and the most that the best tour is worth, equal when the work sufficed; the task must have a place."""
    bare = _without_links(task)
    search = _Search(bare, labels, max(map(labels.value, bare.points)) + 1, work)
    most = 0
    for part in _parts(bare):
        bounds = [labels.value(part[1])]
        for keep in WIDTHS:
            if min(bounds) >= search.floor:
                bounds.append(search.run(part, keep))
        most = max(most, min(bounds))
    return search.floor - 1, max(most, search.floor - 1)


def _without_links(task: Task) -> Task:
    """The task without link bits, for which one of several equal tours is as good as another."""
    return replace(
        task,
        links=tuple(tuple((other, 0) for other, _ in pairs) for pairs in task.links),
        points=tuple(points >> task.link_bits for points in task.points),
        ends=(),
    )


def _parts(task: Task) -> list[_Part]:
    """The connected parts of the graph that have a link."""
    found = []
    for part in parts(tuple(tuple(other for other, _ in pairs) for pairs in task.links)):
        if part & part - 1:
            slots, steps = plan(task, part)
            found.append(((0,) * slots, sum(p for place, p in enumerate(task.points) if part >> place & 1), steps))
    return found


class _Search:
    """A search for one best tour through the parts of a task.

    Attributes:
        floor: the least value still of interest: one above the best value known, or that value itself where equal tours
            are to be ordered.
        found: the label of the best tour found so far, or None.
    """

    def __init__(self, task: Task, labels: Labels, floor: int, work: Work | None = None, ordered: bool = False) -> None:
        """``task`` with link bits, or without where only values are asked for; ``work`` without bounds when None."""
        self.floor = floor
        self.found: int | None = None
        self._bits, self._ordered = task.link_bits, ordered
        self._labels = labels
        self._work = work
        self._ranks = max(task.ranks)
        self._sweep = Sweep(self._ranks)
        self._arrays: BatchSearch | None = None

    def run(self, part: _Part, keep: int | None) -> int:
        """Search one part; with ``keep`` only so many states are followed per step.

        Returns the most that anything left out can be worth; 0 when nothing was.
        """
        start, everything, steps = part
        beyond = 0
        layer: _Layer | Batch = {start: [everything]}
        for step in steps:
            layer = self._in_form(layer, len(start))
            if not self._may_take(_size(layer)):
                return max(beyond, *self._worths(layer))
            layer, left = self._advance(step, layer, keep)
            beyond = max(beyond, left)
        return beyond

    def _may_take(self, price: int) -> bool:
        """Whether the work left allows taking up so many labels; they are paid for."""
        if self._work is None:
            return True
        if price > self._work.left:
            return False
        self._work.left -= price
        return True

    def _in_form(self, layer: _Layer | Batch, slots: int) -> _Layer | Batch:
        """The layer, in arrays when it is large."""
        if isinstance(layer, dict):
            if _size(layer) < _MANY:
                return layer
            from ontour_cv.route.tour_batch import BatchSearch  # NumPy is loaded for large layers alone

            if self._arrays is None and BatchSearch.takes(self._ranks, slots, self._labels):
                self._arrays = BatchSearch(self._ranks, self._bits, self._labels, self._ordered)
            return self._arrays.batch(layer) if self._arrays else layer
        return layer if len(layer) >= _FEW or self._arrays is None else self._arrays.layer(layer)

    def _advance(self, step: Step, layer: _Layer | Batch, keep: int | None) -> tuple[_Layer | Batch, int]:
        """The layer one step on, and the most that anything left out of it can be worth."""
        if not isinstance(layer, dict):
            assert self._arrays is not None
            return self._arrays.narrowed(self._arrays.step(step, layer, lambda: self.floor, self._note), keep)
        following = {
            state: kept
            for state, found in self._reach(step, layer).items()
            if (kept := self._undominated(step, state, found))
        }
        if keep is None or len(following) <= keep:
            return following, 0
        ordered = sorted(following.items(), key=lambda item: (-self._value(item[1][0]), -self._links(item[1][0])))
        return dict(ordered[:keep]), self._value(ordered[keep][1][0])

    def _worths(self, layer: _Layer | Batch) -> Sequence[int]:
        """The values of the labels of a layer, at least the greatest of each state."""
        if isinstance(layer, dict):
            return [self._value(labels[0]) for labels in layer.values()]
        assert self._arrays is not None
        return [int(worth) for worth in self._arrays.values(layer.labels)]

    def _reach(self, step: Step, layer: dict[State, list[int]]) -> dict[State, dict[int, int]]:
        """All labels of all states one step on that may still be a tour to look for, with their values."""
        following: dict[State, dict[int, int]] = {}
        value, bits = self._labels.value, self._bits
        for state, found in layer.items():
            for after, change in self._sweep.moves(step, state):
                for label in found:
                    further = label + change
                    worth = value(further >> bits)
                    if worth < self.floor:
                        continue
                    if after is None:
                        self._note(further, worth)
                    elif after in following:
                        following[after][further] = worth
                    else:
                        following[after] = {further: worth}
        return following

    def _note(self, label: int, worth: int) -> None:
        """A complete tour that reaches the floor: a better one counts, and among equal ones the first."""
        better = worth > self.floor or not self._ordered
        if better or self.found is None or self._links(label) > self._links(self.found):
            self.floor = worth if self._ordered else worth + 1
            self.found = label

    def _undominated(self, step: Step, state: State, found: dict[int, int]) -> list[int]:
        """The labels of one state worth following, the most valuable first."""
        hopeful = [label for label, worth in found.items() if worth >= self.floor]
        if len(hopeful) < 2:
            return hopeful
        lead, held_of = self._labels.lead, self._labels.held
        undecided = self._undecided(step, state)
        kinds = self._labels.kinds(undecided)
        kept: list[tuple[Held, int]] = []
        labels: list[int] = []
        for label in sorted(hopeful, key=lambda each: (-found[each], -self._links(each))):
            held = held_of(label >> self._bits, undecided)
            links = self._links(label)
            for other, other_links in kept:
                ahead = lead(other, held, kinds)
                if ahead > 0 or (ahead == 0 and (other_links >= links or not self._ordered)):
                    break
            else:
                kept.append((held, links))
                labels.append(label)
        return labels

    def _undecided(self, step: Step, state: State) -> int:
        """The label (no link bits) of all places that may still come onto the route or not; the state alone says."""
        inside = self._sweep.inside(state)
        points = sum(ahead for rank, ahead in enumerate(step.ahead) if not inside >> rank & 1)
        points += sum(here for slot, _, here in step.staying if state[slot] == UNTOUCHED)
        return points >> self._bits

    def _value(self, label: int) -> int:
        return self._labels.value(label >> self._bits)

    def _links(self, label: int) -> int:
        return label & (1 << self._bits) - 1


def _size(layer: _Layer | Batch) -> int:
    """How many labels."""
    return sum(map(len, layer.values())) if isinstance(layer, dict) else len(layer)
