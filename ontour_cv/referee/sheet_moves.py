"""What can be done with one die, from one state of the search to the next.

A :class:`State` counts how many states of each group are filled. Which ones they are is settled only as far as an X
needs it: ``committed`` are those known to be filled by now. A state of the sheet that was filled wrongly is
``slipped``; a die whose number stands nowhere right is lost; the two explain each other, a mistake each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ontour_cv.referee.assignment import bits
from ontour_cv.referee.sheet_case import CROSSED, UNREAD, Case, Die
from ontour_cv.sheet import POWERS


class State(NamedTuple):
    """How far the search has come.

    Attributes:
        fills: by group, how many of its states were filled rightly (of single ones: filled at all).
        committed: states known to be filled by now.
        slipped: states known to be filled by now, but not rightly.
        marked: groups (bits) whose number was guarded without a circle; the mistake is counted already.
        changes: colour changes used.
        dupes: dupes used.
        wrong: mistakes settled.
        lost: dice that were not written rightly.
        extra: states filled without any die.
    """

    fills: tuple[int, ...]
    committed: int = 0
    slipped: int = 0
    marked: int = 0
    changes: int = 0
    dupes: int = 0
    wrong: int = 0
    lost: int = 0
    extra: int = 0

    @property
    def cost(self) -> int:
        """Mistakes so far."""
        return self.wrong + self.lost + self.extra


class Move(NamedTuple):
    """What was done with a die.

    Attributes:
        die: the die.
        kind: ``write``, ``cross``, ``pass`` or ``lose`` (not written rightly anywhere).
        groups: the groups written to.
        changed: True when the die's colour was changed.
        wrong: groups (bits) among them where that is a mistake.
    """

    die: Die
    kind: str
    groups: tuple[int, ...] = ()
    changed: bool = False
    wrong: int = 0


class Limits(NamedTuple):
    """How much may be used: mistakes, colour changes, dupes."""

    slips: int
    changes: int = POWERS
    dupes: int = POWERS


Step = tuple[State, Move]


def room(case: Case, state: State, index: int) -> int:
    """How many states of the group are still to be filled."""
    group, slipped = case.groups[index], state.slipped
    left = group.size - state.fills[index]
    return left - (group.mask & slipped).bit_count() if slipped else left


def moves(case: Case, state: State, die: Die, limits: Limits) -> Iterator[Step]:
    """Everything that can be done with ``die``, the likeliest first; what costs too many mistakes is left out."""
    yield from _used(case, state, die, limits, die.colour, False)
    if not (any(case.blank) if die.colour < 0 else case.blank[die.colour]):
        for passed in _passed(case, state, die.colour, limits):
            yield passed, Move(die, "pass")
    if die.colour >= 0 and state.changes < limits.changes:
        yield from _used(case, state._replace(changes=state.changes + 1), die, limits, -1, True)
    if state.cost < limits.slips:
        for index, group in enumerate(case.groups):
            if group.alone and room(case, state, index):
                yield _fill(state, index, 1), Move(die, "write", (index,), wrong=1 << index)
        yield state._replace(lost=state.lost + 1), Move(die, "lose")


def timeful(move: Move) -> bool:
    """True when the move is lawful only because of what was filled before."""
    return move.kind in ("cross", "pass")


def _used(case: Case, state: State, die: Die, limits: Limits, colour: int, changed: bool) -> Iterator[Step]:
    """The die written once or twice, or an X for it, in ``colour`` (-1: anywhere)."""
    here = [i for i, group in enumerate(case.groups) if colour in (-1, group.colour) and room(case, state, i)]
    fitting = [index for index in here if case.groups[index].value in (die.number, UNREAD)]
    for index in fitting:
        for once, wrong in _written(case, state, index, limits):
            yield once, Move(die, "write", (index,), changed, wrong)
    for index in here:
        wrong = case.groups[index].wrong
        if case.groups[index].value == CROSSED and state.cost + wrong <= limits.slips:
            for kept in closed(case, state, colour, die.number, limits):
                crossed = _fill(kept, index, wrong)
                if room(case, kept, index) and crossed.cost <= limits.slips:
                    yield crossed, Move(die, "cross", (index,), changed, wrong << index)
    yield from _twice(case, state, die, limits, (fitting, changed))


def _twice(case: Case, state: State, die: Die, limits: Limits, where: tuple[list[int], bool]) -> Iterator[Step]:
    """The die written twice, with a dupe, in the groups that its number fits; and whether its colour was changed."""
    fitting, changed = where
    if state.dupes < limits.dupes:
        twice = state._replace(dupes=state.dupes + 1)
        for place, index in enumerate(fitting):
            for once, wrong in _written(case, twice, index, limits):
                for other in fitting[place:]:
                    for both, more in _written(case, once, other, limits):
                        yield both, Move(die, "write", (index, other), changed, wrong | more)


def _written(case: Case, state: State, index: int, limits: Limits) -> Iterator[tuple[State, int]]:
    """The number written in a state of the group, and the group's bit when that is a mistake."""
    if not room(case, state, index):
        return
    group, bit = case.groups[index], 1 << index
    if not group.alone:
        yield _fill(state, index, 0), 0
        return
    # Of two clashing numbers the later one is at fault, unless the earlier one was guarded and lacks its circle.
    wrong = any(state.fills[other] and not state.marked >> other & 1 for other in group.clashes)
    if group.guarded:
        wrong = sum(g.guarded and state.fills[i] for i, g in enumerate(case.groups)) >= POWERS
    if not wrong or state.cost < limits.slips:
        yield _fill(state, index, wrong), bit * wrong
    if group.clashes and state.marked.bit_count() < case.guards and state.cost < limits.slips:
        yield _fill(state, index, 1)._replace(marked=state.marked | bit), bit


def closed(case: Case, state: State, colour: int, number: int, limits: Limits) -> list[State]:
    """Every way in which each state of ``colour`` (-1: any) is filled, or closed to ``number``, by now."""
    sure, clauses = _sure(case, state), []
    for place in range(len(case.ids)) if colour < 0 else case.of_colour[colour]:
        ways = case.ways[place][number]
        if ways == 0:
            return []
        if ways != -1 and not ways & sure:
            clauses.append(ways)
    clauses.sort(key=int.bit_count)
    return _least(_hit(case, state, clauses, limits))


def _sure(case: Case, state: State) -> int:
    """States known to be filled by now: the committed ones, and those of groups without room."""
    sure = state.committed | state.slipped
    for group, filled in zip(case.groups, state.fills, strict=True):
        if filled + (group.mask & state.slipped).bit_count() == group.size:
            sure |= group.mask
    return sure


def _hit(case: Case, state: State, clauses: list[int], limits: Limits) -> list[State]:
    """The states in which one of every clause is filled."""
    if not clauses:
        return [state]
    found = []
    for place in bits(clauses[0]):
        for filled in _filled(case, state, place, limits):
            sure = _sure(case, filled)
            found += _hit(case, filled, [clause for clause in clauses[1:] if not clause & sure], limits)
    return list(dict.fromkeys(found))


def _filled(case: Case, state: State, place: int, limits: Limits) -> Iterator[State]:
    """The state at ``place`` taken as filled by now: rightly if its group has such ones to spare, or as a slip."""
    index = case.group_of[place]
    group, bit = case.groups[index], 1 << place
    if group.alone:
        if state.cost < limits.slips:
            yield _fill(state, index, 1)
        return
    if (group.mask & state.committed).bit_count() < state.fills[index]:
        yield state._replace(committed=state.committed | bit)
    if room(case, state, index):
        yield from _slipped(state, bit, limits)


def _slipped(state: State, new: int, limits: Limits) -> Iterator[State]:
    """The states ``new`` taken as filled wrongly by now: by lost dice, or else without any die, a mistake each."""
    slipped = state.slipped | new
    more = state._replace(slipped=slipped, extra=max(state.extra, slipped.bit_count() - state.lost))
    if more.cost <= limits.slips:
        yield more


def _least(states: list[State]) -> list[State]:
    """Those that leave most open: none with all that another one has committed, and more."""
    kept: list[State] = []
    for state in sorted(states, key=lambda one: one.committed.bit_count()):
        if not any(
            not other.committed & ~state.committed and other == state._replace(committed=other.committed)
            for other in kept
        ):
            kept.append(state)
    return kept


def settled(case: Case, state: State) -> State:
    """The same state with nothing said of full groups: all of their states are filled anyway."""
    committed = state.committed
    for index, group in enumerate(case.groups):
        if committed & group.mask and not room(case, state, index):
            committed &= ~group.mask
    return state if committed == state.committed else state._replace(committed=committed)


def _passed(case: Case, state: State, colour: int, limits: Limits) -> Iterator[State]:
    """Nothing was written because the colour (-1: the map) was full by now."""
    slipped = 0
    for index, group in enumerate(case.groups):
        left = room(case, state, index) if colour in (-1, group.colour) and group.value != UNREAD else 0
        if left and (state.cost >= limits.slips and state.lost + state.extra <= state.slipped.bit_count()):
            return
        if left and group.alone:
            state = _fill(state, index, 1)
        elif left:
            free = list(bits(group.mask & ~state.committed & ~state.slipped))[:left]
            slipped |= sum(1 << place for place in free)
    if state.cost > limits.slips:
        return
    if slipped:
        yield from _slipped(state, slipped, limits)
    else:
        yield state


def _fill(state: State, index: int, cost: int) -> State:
    fills = (*state.fills[:index], state.fills[index] + 1, *state.fills[index + 1 :])
    return state._replace(fills=fills, wrong=state.wrong + cost)
