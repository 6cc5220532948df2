"""The search of ``tour_sweep`` with a whole layer in arrays, where the states one by one would take too long."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from ontour_cv.route.batch import MOST_RANKS, MOST_SLOTS, Batch, Bits, Codes, Rows, joined, packed, unpacked
from ontour_cv.route.batch_moves import BatchMoves
from ontour_cv.route.frontier import State
from ontour_cv.route.plan import Step
from ontour_cv.route.tour_labels import Labels

_AT_ONCE = 60_000
"""Columns whose moves are made at once: more take memory and no less time."""

_ROOM = 1_000_000
"""Columns that may come together before equal states among them are merged (some 100 MB)."""

Layer = dict[State, list[int]]
"""The labels of each state, the most valuable first."""


class BatchSearch:
    """The steps of a search for the best tour, layer by layer.

    Args:
        ranks: as for ``Sweep``.
        link_bits: width of the link bits below the labels.
        labels: what the score depends on.
        ordered: whether of equal tours the first is looked for, or any.
    """

    def __init__(self, ranks: int, link_bits: int, labels: Labels, ordered: bool) -> None:
        """Tabulate what is compared often."""
        self._labels, self._link_bits, self._ordered = labels, link_bits, ordered
        self._tracks = [np.array(track, dtype=np.int64) for track in labels.tracks]
        self._least = [_least_leads(track) for track in self._tracks]
        self._moves = BatchMoves(ranks, link_bits, self.values)

    @staticmethod
    def takes(ranks: int, slots: int, labels: Labels) -> bool:
        """Whether there is room in the integers of arrays for such a graph."""
        fields = 1 + len(labels.tracks) + labels.districts
        return ranks <= MOST_RANKS and slots <= MOST_SLOTS and fields * labels.bits <= 63

    def batch(self, layer: Layer) -> Batch:
        """A layer as a batch."""
        return packed(((state, label) for state, labels in layer.items() for label in labels), self._link_bits)

    def layer(self, batch: Batch) -> Layer:
        """And back."""
        layer: Layer = {}
        for state, label in unpacked(batch, self._link_bits):
            layer.setdefault(state, []).append(label)
        return layer

    def values(self, labels: Bits) -> Bits:
        """The scores of tours with these counts, ``(N,)``."""
        score = labels & self._labels.mask
        for kind, track in enumerate(self._tracks):
            score = score + track[self._field(labels, 1 + kind)]
        everywhere = np.ones(len(labels), dtype=bool)
        for district in range(self._labels.districts):
            everywhere &= self._field(labels, 1 + len(self._tracks) + district) != 0
        return np.asarray(score + self._labels.bonus * everywhere)

    def step(self, step: Step, batch: Batch, floor: Callable[[], int], note: Callable[[int, int], None]) -> Batch:
        """The layer one step on: all that may still be worth the floor and that nothing else makes needless.

        Args:
            step: of the plan.
            batch: the layer.
            floor: the least value of interest; it may rise with what is noted.
            note: is given complete tours, label with link bits and value.
        """
        found: list[Batch] = []
        room = _ROOM
        for first in range(0, len(batch), _AT_ONCE):
            following, complete = self._moves.moves(step, batch.part(first, _AT_ONCE), floor())
            found += following
            for one in complete:
                self._note_best(one, floor(), note)
            if sum(map(len, found)) > room:
                found = [self._undominated(step, joined(found), floor())]
                room = _ROOM + 2 * len(found[0])
        if not found:
            return batch.part(0, 0)
        return self._undominated(step, joined(found), floor())

    def narrowed(self, batch: Batch, keep: int | None) -> tuple[Batch, int]:
        """The most valuable columns, at most ``keep``, the first of equal ones, and the most any other is worth."""
        if keep is None or len(batch) <= keep:
            return batch, 0
        worth = self.values(batch.labels)
        order = np.lexsort([*(-word for word in batch.links[::-1]), -worth])
        return batch.take(order[:keep]), int(worth[order[keep]])

    def _note_best(self, batch: Batch, floor: int, note: Callable[[int, int], None]) -> None:
        """Note the most valuable of some complete tours, of equal ones the first, if it is worth the floor."""
        worth = self.values(batch.labels)
        if len(batch) and worth.max() >= floor:
            best = np.lexsort([*batch.links[::-1], worth])[-1:]
            ((_, label),) = unpacked(batch.take(best), self._link_bits)
            note(label, int(worth[best[0]]))

    def _undominated(self, step: Step, batch: Batch, floor: int) -> Batch:
        """Each state once, with the labels that are worth following, its most valuable one first."""
        worth = self.values(batch.labels)
        hopeful = np.flatnonzero(worth >= floor)
        if len(hopeful) < len(batch):
            batch, worth = batch.take(hopeful), worth[hopeful]
        group, order = _grouped(batch.slots)
        alone = np.bincount(group, minlength=1)[group] == 1
        several, group = order[~alone], group[~alone]
        kept = [order[alone]]
        if len(several):
            by_group = group * (int(worth.max()) + 1) - worth[several]
            by_worth = np.lexsort([*(-word for word in batch.links[::-1, several]), by_group])
            several, group = several[by_worth], group[by_worth]
            kept += [several[rows] for rows in self._leaders(step, batch.take(several), group)]
        return batch.take(np.concatenate(kept))

    def _leaders(self, step: Step, batch: Batch, group: Rows) -> Iterable[Rows]:
        """Of groups of equal states, best first: the first of each, then the first none of these makes needless..."""
        undecided = self._moves.undecided(step, batch)
        held = batch.labels - undecided
        rows = np.arange(len(batch))
        while len(rows):
            first = np.diff(group[rows], prepend=-1) != 0
            yield rows[first]
            leader = rows[first][np.cumsum(first) - 1]
            one, two = leader[~first], rows[~first]
            lead = self._lead(held[one], held[two], undecided[two])
            needless = lead >= 0
            if self._ordered:
                needless &= (lead > 0) | _not_less(batch.links[:, one], batch.links[:, two])
            rows = two[~needless]

    def _lead(self, one: Bits, two: Bits, undecided: Bits) -> Bits:
        """By how much tours that hold ``one`` are ahead of those that hold ``two`` at least; see ``Labels.lead``."""
        lead = self._field(one, 0) - self._field(two, 0)
        for kind, least in enumerate(self._least):
            field = 1 + kind
            lead = lead + least[self._field(undecided, field), self._field(one, field), self._field(two, field)]
        missed = np.zeros(len(one), dtype=bool)
        for district in range(self._labels.districts):
            field = 1 + len(self._least) + district
            missed |= (self._field(two, field) != 0) & (self._field(one, field) == 0)
        return np.asarray(lead - self._labels.bonus * missed)

    def _field(self, labels: Bits, field: int) -> Bits:
        return np.asarray(labels >> self._labels.bits * field & self._labels.mask)


def _least_leads(track: Bits) -> NDArray[np.int16]:
    """``[undecided, one, two]``: the least of ``track[one + more] - track[two + more]``, ``more`` up to undecided."""
    count = np.arange(len(track))
    steps = []
    for more in range(len(track)):
        further = track[np.minimum(count + more, len(track) - 1)]
        steps.append(further[:, None] - further[None, :])
    return np.asarray(np.minimum.accumulate(steps, axis=0), dtype=np.int16)


def _grouped(slots: Codes) -> tuple[Rows, Rows]:
    """Equal states side by side: the group each column in this order belongs to, and the order, ``(N,)`` each.

    By a hash of the state. Where two states had the same one, columns of one state might stand in two groups, and both
    be followed: that costs time and no tour.
    """
    key = np.zeros(slots.shape[1], dtype=np.uint64)
    for code in slots:
        key = (key ^ code.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    order = np.argsort(key, kind="stable")
    same = np.flatnonzero(key[order[1:]] == key[order[:-1]])
    same = same[(slots[:, order[same]] == slots[:, order[same + 1]]).all(axis=0)]
    fresh = np.ones(len(order), dtype=np.intp)
    fresh[same + 1] = 0
    return np.cumsum(fresh) - 1, order


def _not_less(one: Bits, two: Bits) -> NDArray[np.bool_]:
    """Which columns of words, the first the most important, are no less than others."""
    answer, open_ = np.ones(one.shape[1], dtype=bool), np.ones(one.shape[1], dtype=bool)
    for mine, theirs in zip(one, two, strict=True):
        answer &= ~open_ | (mine >= theirs)
        open_ &= mine == theirs
    return answer
