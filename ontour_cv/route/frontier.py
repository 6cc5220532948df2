"""Every way a route can run through a part of the graph, taken up place by place: the frontier method.

The idea is Knuth's Simpath and the frontier-based search of Kawahara and others. Places are taken up one by one in an
order that keeps the frontier (places met that still have neighbours to come) small. Of all the pieces of route chosen
so far, only what stands on the frontier matters for what can follow: per place, whether it is untouched, used up, or
the end of a piece, and then where the piece's other end is and which levels it lets in (``joints``). Choices that agree
in this are merged.

Three things keep the number of such states small, and none of them can lose a route:

* The levels of a finished route rise through disjoint ranges, so two pieces whose ranges overlap, or a place whose
  level lies strictly inside a piece's range, can never be on one route.
* The rank at a piece's end is rounded as far as it lets in the same places (``Step.lows``, ``Step.highs``).
* Each state carries an upper bound: all points of the part, less those of places that can no longer be visited. It
  starts at the sum of everything and only falls (link bits aside); states below the best route known are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence

from ontour_cv.route.joints import DEAD, END, FLAT, GONE, HIGH, KEEP, KIND, LOW, RANK, UNTOUCHED, Joint, join
from ontour_cv.route.plan import Step

State = tuple[int, ...]
_MATE = GONE
_RANK_MASK = (1 << KIND - RANK) - 1
_CODE = ~_MATE


class Sweep:
    """The moves of the sweep over one connected part of a graph.

    ``moves(step, state)`` lists what can become of a state when the step's place is taken up, as (next state, change of
    the bound); the next state is None when the route is complete, and the bound is then the score of that route.
    """

    def __init__(self, ranks: int) -> None:
        """For a task whose ranks go from 1 to ``ranks``."""
        self._all = (1 << ranks + 1) - 1
        self._joints: dict[tuple[int, int], Joint] = {}

    def moves(self, step: Step, state: State) -> list[tuple[State | None, int]]:
        """All that can become of ``state``; see the class."""
        inside = self.inside(state)
        slots = list(state)
        usable = not inside >> step.rank & 1
        slots[step.slot] = UNTOUCHED if usable else DEAD
        found: list[tuple[State | None, int]] = []
        self._settle(step, slots[:], inside, 0, found)
        if not usable:
            return found
        open_ends = [
            (slot, link, (state[slot] or bare | slot)) for slot, link, bare in step.meets if state[slot] != DEAD
        ]
        for position, (slot, link, code) in enumerate(open_ends):
            first = self._join(step.bare, code & _CODE)
            if first is None:
                continue
            here, far = first
            one = slots[:]
            self._attach(one, slot, code, far, here, step.slot)
            self._settle(step, one[:], inside, link, found)
            for slot2, link2, code2 in open_ends[position + 1 :]:
                if code & _MATE == slot2:
                    continue
                second = self._join(here, code2 & _CODE)
                if second is not None:
                    two = one[:]
                    if self._close(two, step.slot, slot2, code2, second):
                        self._settle(step, two, inside, link + link2, found)
                    else:
                        self._finish(step, two, inside, link + link2, found)
        return found

    def _join(self, one: int, two: int) -> Joint:
        key = (one, two)
        if key not in self._joints:
            self._joints[key] = join(one, two)
        return self._joints[key]

    @staticmethod
    def _attach(slots: list[int], slot: int, code: int, far_code: int, here_code: int, here: int) -> None:
        """Join the new place (slot ``here``) to the piece that ends in ``slot``."""
        far = code & _MATE
        if far != slot:
            slots[slot] = DEAD
        if far != GONE:
            slots[far] = (slots[far] & _CODE if far_code == KEEP else far_code) | here
        slots[here] = here_code | far

    @staticmethod
    def _close(slots: list[int], here: int, slot: int, code: int, joint: tuple[int, int]) -> bool:
        """Join the new place's piece with the one that ends in ``slot``; False: that completes the route."""
        far_here, far = slots[here] & _MATE, code & _MATE
        slots[here] = DEAD
        if far != slot:
            slots[slot] = DEAD
        if far_here != GONE:
            slots[far_here] = (slots[far_here] & _CODE if joint[0] == KEEP else joint[0]) | far
        if far != GONE:
            slots[far] = (slots[far] & _CODE if joint[1] == KEEP else joint[1]) | far_here
        return far_here != GONE or far != GONE

    def _settle(
        self, step: Step, slots: list[int], inside: int, change: int, found: list[tuple[State | None, int]]
    ) -> None:
        """Let places leave the frontier, drop what cannot become a route, and note the state in its least form."""
        lost = 0
        for slot, points in step.leaves:
            code = slots[slot]
            if code >= END:
                mate = code & _MATE
                if mate == GONE:
                    slots[slot] = DEAD
                    self._finish(step, slots, inside, change, found)
                    return
                slots[mate] |= GONE
                slots[slot] = DEAD
            elif code == UNTOUCHED:
                lost += points
        for slot, _ in step.leaves:
            slots[slot] = UNTOUCHED
        now_inside = self.inside(slots)
        if now_inside < 0:
            return
        fresh = now_inside & ~inside
        if fresh:
            lost += _give_up(step, slots, fresh)
        if step.rounds:
            _round(slots, step.lows, step.highs)
        found.append((tuple(slots), change - lost))

    def _finish(
        self, step: Step, slots: list[int], inside: int, change: int, found: list[tuple[State | None, int]]
    ) -> None:
        """Note a complete route, unless other pieces are left over: every place not on it is lost."""
        if max(slots) >= END:
            return
        lost = sum(points for rank, points in enumerate(step.ahead) if not inside >> rank & 1)
        lost += sum(points for slot, _, points in step.standing if slots[slot] == UNTOUCHED)
        found.append((None, change - lost))

    def inside(self, slots: Sequence[int]) -> int:
        """The ranks strictly inside some piece, as bits; -1 when the pieces cannot be on one route.

        Bit r of a span stands for the step from rank r to r + 1, so that touching spans do not overlap.
        """
        spans = inner = flats = gone = 0
        for code in slots:
            if code < END:
                continue
            kind, rank, mate = code >> KIND, code >> RANK & _RANK_MASK, code & _MATE
            if mate == GONE:
                gone += 1
            if kind == LOW:
                high = self._all + 1 if mate == GONE else 1 << (slots[mate] >> RANK & _RANK_MASK)
                span = high - (1 << rank)
            elif kind == HIGH and mate == GONE:
                span = (1 << rank) - 1
            else:
                if kind == FLAT:
                    flats |= 1 << rank
                continue
            if span & spans:
                return -1
            spans |= span
            inner |= span & span << 1
        return -1 if gone > 2 or inner & flats else inner


def _give_up(step: Step, slots: list[int], ranks: int) -> int:
    """The points of all places of these ranks (bits) that are untouched or still to come; they are marked dead."""
    lost = sum(points for rank, points in enumerate(step.ahead) if ranks >> rank & 1)
    for slot, rank, points in step.staying:
        if ranks >> rank & 1 and slots[slot] == UNTOUCHED:
            slots[slot] = DEAD
            lost += points
    return lost


def _round(slots: list[int], lows: tuple[int, ...], highs: tuple[int, ...]) -> None:
    """Round the ranks of ends; a piece that lies wholly between ranks still to come keeps both of its own."""
    for slot, code in enumerate(slots):
        kind = code >> KIND
        if kind < LOW:
            continue
        rank, mate = code >> RANK & _RANK_MASK, code & _MATE
        new = (lows if kind == LOW else highs)[rank]
        if new != rank:
            other = -1 if mate == GONE else slots[mate] >> RANK & _RANK_MASK
            if mate == GONE or (new < other if kind == LOW else new > other):
                slots[slot] = kind << KIND | new << RANK | mate
