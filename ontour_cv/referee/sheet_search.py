"""The fewest mistakes that explain a sheet by its dice: depth first, roll by roll, with bounds and a memory.

For every number of mistakes from 0 up: is there a way? A place in the search that failed is not searched again, and the
bounds count what the dice still to come can fill at most. So a yes comes with an explanation, and a no is proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ontour_cv.referee.sheet_case import CROSSED, NUMBERS, UNREAD, Case, Die
from ontour_cv.referee.sheet_moves import Limits, State, Step, moves, room, settled, timeful
from ontour_cv.sheet import SIDES


class OutOfEffort(Exception):
    """The search looked at as many places as it may."""


@dataclass(slots=True)
class Effort:
    """How many places may be looked at, and how many were.

    Attributes:
        most: the limit.
        spent: places looked at so far.
    """

    most: int
    spent: int = 0

    def spend(self) -> None:
        """One more place; ``OutOfEffort`` when there were too many."""
        self.spent += 1
        if self.spent > self.most:
            raise OutOfEffort


@dataclass(slots=True)
class Search:
    """One search: is there an explanation of ``rolls`` rolls within ``limits``?"""

    case: Case
    limits: Limits
    effort: Effort
    rolls: int
    own: list[list[list[int]]] = field(init=False)
    wild: list[list[int]] = field(init=False)
    failed: dict[tuple[int, tuple[int, ...]], list[State]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Count the dice from each roll on: by roll, colour and number, and the wild ones."""
        self.own = [[[0] * (SIDES + 1) for _ in self.case.colours] for _ in range(self.rolls + 1)]
        self.wild = [[0] * (SIDES + 1) for _ in range(self.rolls + 1)]
        for die in self.case.dice[: 2 * self.rolls]:
            for roll in range(die.roll + 1):
                (self.wild[roll] if die.colour < 0 else self.own[roll][die.colour])[die.number] += 1

    def find(self) -> list[Step] | None:
        """The steps of an explanation, a die each; None when there is none, ``OutOfEffort`` when that stays open."""
        return self._from(0, State((0,) * len(self.case.groups)))

    def _from(self, roll: int, state: State) -> list[Step] | None:
        """The steps from ``roll`` on, or None."""
        if roll == self.rolls:
            return [] if final_cost(self.case, state) <= self.limits.slips else None
        state = settled(self.case, state)
        failed = self.failed.setdefault((roll, state.fills), [])
        if any(_no_better(state, other) for other in failed):
            return None
        self.effort.spend()
        if self._hopeful(roll, state):
            for steps in self._ways(roll, state):
                rest = self._from(roll + 1, steps[-1][0])
                if rest is not None:
                    return [*steps, *rest]
        failed[:] = [other for other in failed if not _no_better(other, state)]
        failed.append(state)
        return None

    def _ways(self, roll: int, state: State) -> Iterator[tuple[Step, ...]]:
        """Both dice in either order; the other order only where it can make a difference."""
        one, two = self.case.dice[2 * roll], self.case.dice[2 * roll + 1]
        yield from self._both(state, one, two, False)
        yield from self._both(state, two, one, not self.case.ordered)

    def _both(self, state: State, first: Die, second: Die, only: bool) -> Iterator[tuple[Step, Step]]:
        for after_one in moves(self.case, state, first, self.limits):
            for after_two in moves(self.case, after_one[0], second, self.limits):
                if not only or timeful(after_two[1]):
                    yield after_one, after_two

    def _hopeful(self, roll: int, state: State) -> bool:
        """False when the dice from ``roll`` on cannot fill what is left, or cannot all be used, in any order."""
        spare = self.limits.slips - state.cost
        if spare < 0:
            return False
        slots = spare + state.lost + state.extra - state.slipped.bit_count()
        case, own, wild = self.case, self.own[roll], self.wild[roll]
        changes, dupes = self.limits.changes - state.changes, self.limits.dupes - state.dupes
        need, crosses, unread = _needs(case, state)
        surplus = [0] * len(case.colours)
        short = over = unmet = loose = 0
        for number in NUMBERS:
            lacking = needed = 0
            come = wild[number]
            for colour, row in enumerate(need):
                more = own[colour][number] - row[number]
                needed += row[number]
                come += own[colour][number]
                if more < 0:
                    lacking -= more
                else:
                    surplus[colour] += more
            short += max(0, needed - come)
            over += max(0, come - needed)
            unmet += max(0, lacking - wild[number])
            loose += max(0, wild[number] - lacking)
        # An X takes a die that was to spare, or one that some number then lacks.
        taken = sum(max(0, c - s) for c, s in zip(crosses, surplus, strict=True))
        if short > dupes + slots or unmet + max(0, taken - loose) > changes + dupes + slots:
            return False
        # Dice less states is what was passed over, give or take dupes, unread states and mistakes.
        most_idle = sum(map(sum, own)) + sum(wild) + dupes + slots - sum(map(sum, need)) - sum(crosses)
        if most_idle < 0:
            return False
        idle = [0 if case.blank[colour] else sum(own[colour]) for colour in range(len(case.colours))]
        wild_idle = 0 if any(case.blank) else sum(wild)
        if over > sum(crosses) + min(most_idle, sum(idle) + wild_idle) + sum(unread) + spare:
            return False
        kept = [s - c - u for s, c, u in zip(surplus, crosses, unread, strict=True)]
        stuck = sum(max(0, more - most) for more, most in zip(kept, idle, strict=True))
        return max(stuck, sum(max(0, more) for more in kept) - most_idle) <= changes + spare


def _needs(case: Case, state: State) -> tuple[list[list[int]], list[int], list[int]]:
    """By colour: numbers that were written before, Xs, and unread states."""
    need = [[0] * (SIDES + 1) for _ in case.colours]
    crosses, unread = [0] * len(case.colours), [0] * len(case.colours)
    for index, group in enumerate(case.groups):
        left = room(case, state, index)
        if group.value == CROSSED:
            crosses[group.colour] += left
        elif group.value == UNREAD:
            unread[group.colour] += left
        else:
            need[group.colour][group.value] += left
    return need, crosses, unread


def final_cost(case: Case, state: State) -> int:
    """Mistakes once all dice are used: states still unfilled are slips, which lost dice explain as far as they go."""
    lazy, alone = state.slipped.bit_count(), 0
    for index, group in enumerate(case.groups):
        if group.value != UNREAD:
            left = room(case, state, index)
            alone += left * group.alone
            lazy += left * (not group.alone)
    return state.wrong + alone + state.lost + max(state.extra, lazy - state.lost)


def _no_better(state: State, failed: State) -> bool:
    """True when ``state``, with the same fills as one that failed, has nothing more open than that had."""
    return (
        not failed.committed & ~state.committed
        and failed.slipped == state.slipped
        and failed.marked == state.marked
        and failed.changes <= state.changes
        and failed.dupes <= state.dupes
        and failed.wrong <= state.wrong
        and failed.extra <= state.extra
        and failed.lost == state.lost
    )
