"""The moves of ``frontier`` for many states at once, each move made for all states that allow it.

Boards with very many ferries reach a million states. Taken up one by one these take half a minute, in arrays a tenth of
that. What the moves are, and why, stands in ``frontier`` and ``joints``; a test compares the two on whole layers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ontour_cv.route import joints
from ontour_cv.route.batch import END, GONE, KIND, RANK, Batch, Bits, Codes, Rows, small, split
from ontour_cv.route.joints import DEAD, FLAT, FREE, HIGH, LOW, UNTOUCHED
from ontour_cv.route.plan import Step

_CODE = ~GONE
_KEEP, _NEVER = -1, -2


class BatchMoves:
    """What ``frontier.Sweep`` does, for whole batches.

    Args:
        ranks: as for ``Sweep``.
        link_bits: width of the link bits in the points of the steps.
        value: the scores of labels, ``(N,)``.
    """

    def __init__(self, ranks: int, link_bits: int, value: Callable[[Bits], Bits]) -> None:
        """Tabulate the joints of all pairs of ends."""
        self._bits, self._value, self._width = link_bits, value, ranks + 1
        self._power = np.int64(1) << np.arange(ranks + 3, dtype=np.int64)
        self._here, self._far = _joint_tables(ranks)

    def moves(self, step: Step, batch: Batch, floor: int) -> tuple[list[Batch], list[Batch]]:
        """All that can become of the states, as batches of states and batches of complete tours worth ``floor``.

        A state may be among the following ones several times; labels of complete tours are exact.
        """
        out = _Out(step, floor, [], [])
        inside = self.inside(batch.slots)
        usable = inside >> step.rank & 1 == 0
        batch = replace(batch, slots=batch.slots.copy())
        batch.slots[step.slot] = np.where(usable, UNTOUCHED, DEAD)
        rows = np.flatnonzero(usable)
        open_, was = batch.take(rows), inside[rows]
        self._settle(out, batch, inside)
        bare = self._number(np.int16(small(step.bare)))
        ends = [_end_codes(open_.slots[slot], slot, alone) for slot, _, alone in step.meets]
        for first, (slot, link, _) in enumerate(step.meets):
            here = np.where(open_.slots[slot] == DEAD, _NEVER, self._here[bare, self._number(ends[first])])
            rows = np.flatnonzero(here != _NEVER)
            code = ends[first][rows]
            one = self._linked(open_.take(rows), link)
            _attach(one.slots, slot, code, self._far[bare, self._number(code)], here[rows], step.slot)
            for second in range(first + 1, len(step.meets)):
                usable = (open_.slots[step.meets[second][0], rows] != DEAD) & (code & GONE != step.meets[second][0])
                self._close(out, one, was[rows], here[rows], step.meets[second], ends[second][rows], usable)
            self._settle(out, one, was[rows])
        return out.following, out.complete

    def _close(
        self,
        out: _Out,
        one: Batch,
        inside: Bits,
        here: Codes,
        meet: tuple[int, int, int],
        code: Codes,
        usable: NDArray[np.bool_],
    ) -> None:
        """Join the new place's pieces with those that end in a second slot, where that is ``usable``."""
        slot, link, _ = meet
        number, other = self._number(here), self._number(code)
        rows = np.flatnonzero(usable & (self._here[number, other] != _NEVER))
        if not len(rows):
            return
        two, code = self._linked(one.take(rows), link), code[rows]
        mine, theirs = self._here[number[rows], other[rows]], self._far[number[rows], other[rows]]
        here_slot = out.step.slot
        far_here, far = two.slots[here_slot] & GONE, code & GONE
        two.slots[here_slot] = DEAD
        two.slots[slot, far != slot] = DEAD
        _put(two.slots, far_here, mine, far)
        _put(two.slots, far, theirs, far_here)
        done = (far_here == GONE) & (far == GONE)
        if done.any():
            self._finish(out, two.take(np.flatnonzero(done)), inside[rows[done]])
            two, rows = two.take(np.flatnonzero(~done)), rows[~done]
        self._settle(out, two, inside[rows])

    def _settle(self, out: _Out, batch: Batch, inside: Bits) -> None:
        """Let places leave, drop what cannot become a tour worth the floor, and note the rest; see ``Sweep``."""
        step, lost = out.step, np.zeros(len(batch), dtype=np.int64)
        for slot, points in step.leaves:
            code = batch.slots[slot]
            end = code >= END
            done = end & (code & GONE == GONE)
            go = np.flatnonzero(end & ~done)
            batch.slots[code[go] & GONE, go] |= GONE
            batch.slots[slot, end] = DEAD
            if done.any():
                self._finish(out, batch.take(np.flatnonzero(done)), inside[done])
                batch, inside, lost = batch.take(np.flatnonzero(~done)), inside[~done], lost[~done]
            lost += (points >> self._bits) * (batch.slots[slot] == UNTOUCHED)
        for slot, _ in step.leaves:
            batch.slots[slot] = UNTOUCHED
        labels = batch.labels - lost
        rows = np.flatnonzero(self._value(labels) >= out.floor)  # most fall here, before the dear part
        batch = replace(batch, labels=labels)
        if len(rows) < len(batch):
            batch, inside = batch.take(rows), inside[rows]
        now = self.inside(batch.slots)
        self._give_up(step, batch, np.where(now < 0, 0, now & ~inside))
        rows = np.flatnonzero((now >= 0) & (self._value(batch.labels) >= out.floor))
        if len(rows):
            batch = batch.take(rows) if len(rows) < len(batch) else batch
            if step.rounds:
                _round(batch.slots, step)
            out.following.append(batch)

    def _finish(self, out: _Out, batch: Batch, inside: Bits) -> None:
        """Note complete tours, unless other pieces are left over: every place not on it is lost."""
        rows = np.flatnonzero((batch.slots < END).all(axis=0))
        if len(rows):
            batch, inside = batch.take(rows), inside[rows]
            labels = batch.labels - self._ahead(out.step, ~inside)
            for slot, _, points in out.step.standing:
                labels -= (points >> self._bits) * (batch.slots[slot] == UNTOUCHED)
            rows = np.flatnonzero(self._value(labels) >= out.floor)
            out.complete.append(replace(batch, labels=labels).take(rows))

    def _give_up(self, step: Step, batch: Batch, ranks: Bits) -> None:
        """Take the points of places of these ranks that are untouched or still to come from the labels."""
        rows = np.flatnonzero(ranks)
        if not len(rows):
            return
        lost = self._ahead(step, ranks[rows])
        for slot, rank, points in step.staying:
            hit = (ranks[rows] >> rank & 1 == 1) & (batch.slots[slot, rows] == UNTOUCHED)
            batch.slots[slot, rows[hit]] = DEAD
            lost += (points >> self._bits) * hit
        batch.labels[rows] -= lost

    def undecided(self, step: Step, batch: Batch) -> Bits:
        """The labels of all places that may still come onto the tours or not, ``(N,)``."""
        labels = self._ahead(step, ~self.inside(batch.slots))
        for slot, _, points in step.staying:
            labels += (points >> self._bits) * (batch.slots[slot] == UNTOUCHED)
        return labels

    def inside(self, slots: Codes) -> Bits:
        """The ranks strictly inside some piece, ``(N,)``, as bits; -1 where the pieces cannot be on one route."""
        count = slots.shape[1]
        spans, inner, flats = (np.zeros(count, dtype=np.int64) for _ in range(3))
        bad, ends_gone = np.zeros(count, dtype=bool), np.zeros(count, dtype=np.int8)
        for code in slots:
            kind = code >> KIND
            gone = (kind >= FREE) & (code & GONE == GONE)
            ends_gone += gone
            rows = np.flatnonzero(kind == FLAT)
            flats[rows] |= self._power[code[rows] >> RANK & GONE]
            rows = np.flatnonzero((kind == LOW) | (kind == HIGH) & gone)
            if len(rows):
                span = self._spans(slots, code[rows], rows)
                before = spans[rows]
                bad[rows] |= span & before != 0
                spans[rows] = before | span
                inner[rows] |= span & span << 1
        inner[bad | (ends_gone > 2) | (inner & flats != 0)] = -1
        return inner

    def _spans(self, slots: Codes, code: Codes, rows: Rows) -> Bits:
        """Of pieces with these ends, low ones or the only ones left, the steps from rank to rank as bits."""
        gone = code & GONE == GONE
        rank = self._power[code >> RANK & GONE]
        other = slots[np.where(gone, 0, code & GONE), rows] >> RANK & GONE
        high = np.where(gone, self._power[self._width], self._power[np.where(gone, 0, other)])
        return np.asarray(np.where(code >> KIND == LOW, high - rank, rank - 1))

    def _ahead(self, step: Step, ranks: Bits) -> Bits:
        """The labels of all places still to come of some ranks, ``(N,)``."""
        labels = np.zeros(len(ranks), dtype=np.int64)
        for rank, points in enumerate(step.ahead):
            if points:
                labels += (points >> self._bits) * (ranks >> rank & 1)
        return labels

    def _number(self, code: Codes | np.int16) -> Rows:
        """The row of ends in the tables of joints; of what is no end any one."""
        return np.asarray(np.where(code >= END, ((code >> KIND) - 1) * self._width + (code >> RANK & GONE), 0), np.intp)

    def _linked(self, batch: Batch, link: int) -> Batch:
        """With one link more."""
        if not len(batch.links):
            return batch
        words = np.array(split(link, self._bits), dtype=np.int64)
        return replace(batch, links=batch.links + words[:, None])


@dataclass(frozen=True, slots=True, eq=False)
class _Out:
    """Where the moves of one step go."""

    step: Step
    floor: int
    following: list[Batch]
    complete: list[Batch]


def _end_codes(code: Codes, slot: int, alone: int) -> Codes:
    """What stands in a slot as an end: a place that stands alone is both ends of its piece."""
    return np.where(code == UNTOUCHED, np.int16(small(alone) | slot), code)


def _attach(slots: Codes, slot: int, code: Codes, far_code: Codes, here_code: Codes, here: int) -> None:
    """Join the new place (slot ``here``) to the pieces that end in ``slot``; see ``Sweep``."""
    mate = code & GONE
    slots[slot, mate != slot] = DEAD
    _put(slots, mate, far_code, np.full_like(mate, here))
    slots[here] = here_code | mate


def _put(slots: Codes, at: Codes, code: Codes, mate: Codes) -> None:
    """New codes and mates of far ends, where these still stand on the frontier."""
    rows = np.flatnonzero(at != GONE)
    where = at[rows]
    kept = slots[where, rows] & _CODE
    slots[where, rows] = np.where(code[rows] == _KEEP, kept, code[rows]) | mate[rows]


def _round(slots: Codes, step: Step) -> None:
    """Round the ranks of ends, slot by slot; see ``frontier._round``."""
    lows, highs = np.array(step.lows, dtype=np.int16), np.array(step.highs, dtype=np.int16)
    for code in slots:
        rows = np.flatnonzero(code >= LOW << KIND)
        old = code[rows]
        low, mate = old >> KIND == LOW, old & GONE
        new = np.where(low, lows[old >> RANK & GONE], highs[old >> RANK & GONE])
        gone = mate == GONE
        other = slots[np.where(gone, 0, mate), rows] >> RANK & GONE
        fits = gone | np.where(low, new < other, new > other)
        code[rows] = np.where(fits, old >> KIND << KIND | new << RANK | mate, old)


def _joint_tables(ranks: int) -> tuple[Codes, Codes]:
    """What the far ends become when two ends are joined, by their numbers; ``_NEVER`` where the levels forbid it."""
    ends = [kind << joints.KIND | rank << joints.RANK for kind in (FREE, FLAT, LOW, HIGH) for rank in range(ranks + 1)]
    here = np.full((len(ends), len(ends)), _NEVER, dtype=np.int16)
    far = here.copy()
    for row, one in enumerate(ends):
        for column, two in enumerate(ends):
            joint = joints.join(one, two)
            if joint is not None:
                here[row, column], far[row, column] = (code if code == joints.KEEP else small(code) for code in joint)
    return here, far
