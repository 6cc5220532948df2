"""A sheet and the dice of its game, made ready for the search: groups of states that no die can tell apart.

States of one colour with the same content are one group; which of them was filled first matters only where an X was
written, and is left open until then. States in which order matters by itself are groups of their own: those whose
number clashes with a neighbour's, guarded ones when there are too many, and circled Xs. Sets of states are ints with a
bit per state, in the map's order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ontour_cv.board import Kind, Mark
from ontour_cv.dealer.bag import WILD
from ontour_cv.dealer.record import Roll
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules.rolling import View
from ontour_cv.sheet import POWERS, SIDES, Sheet

NUMBERS = range(1, SIDES + 1)
CROSSED, UNREAD = SIDES + 1, SIDES + 2
"""Values of groups that hold an X, or could not be read; numbers are their own values."""


@dataclass(frozen=True, slots=True)
class Group:
    """States that no die can tell apart.

    Attributes:
        colour: index of their colour.
        value: 1-6, ``CROSSED`` or ``UNREAD``.
        mask: the states.
        size: how many.
        guarded: True for a circled number, when circles are looked at one by one.
        wrong: True for a circled X: whoever writes it makes a mistake.
        clashes: groups, by index, whose number clashes with this one's.
    """

    colour: int
    value: int
    mask: int
    size: int
    guarded: bool = False
    wrong: bool = False
    clashes: tuple[int, ...] = ()

    @property
    def alone(self) -> bool:
        """True for a single state in which the order of writing matters by itself."""
        return self.guarded or self.wrong or bool(self.clashes)


@dataclass(frozen=True, slots=True)
class Die:
    """One die of the game: ``colour`` is an index, or -1 for the wild one; ``roll`` an index into the record."""

    roll: int
    colour: int
    number: int


@dataclass(frozen=True, slots=True)
class Case:
    """A sheet against the first rolls of a game.

    Attributes:
        ids: the states.
        colours: the names of the colours.
        dice: all dice, the two of a roll together.
        groups: the groups.
        group_of: by state, its group; -1 for a blank one.
        of_colour: by colour, its states, as indices.
        ways: by state, then number: the states of which one must be filled so that the number cannot go there; the
            state itself is among them unless it is blank. -1 where an unread neighbour excuses everything.
        blank: by colour, True when a state of it is blank at the end.
        guards: how many more guards there are than circles.
        crowded: True when there are more circles than guards.
    """

    ids: tuple[str, ...]
    colours: tuple[str, ...]
    dice: tuple[Die, ...]
    groups: tuple[Group, ...]
    group_of: tuple[int, ...]
    of_colour: tuple[tuple[int, ...], ...]
    ways: tuple[tuple[int, ...], ...]
    blank: tuple[bool, ...]
    guards: int
    crowded: bool

    @property
    def ordered(self) -> bool:
        """True when the order of writing matters even without any X."""
        return self.crowded or any(group.clashes for group in self.groups)

    def names(self, mask: int) -> tuple[str, ...]:
        """The states in ``mask``."""
        return tuple(name for place, name in enumerate(self.ids) if mask >> place & 1)


def make_case(template: MapTemplate, sheet: Sheet, rolls: Sequence[Roll]) -> Case:
    """The sheet against ``rolls``."""
    view = View(template, sheet)
    ids, colours = template.ids, template.areas
    marks = [view.marks[state] for state in ids]
    place = {state: index for index, state in enumerate(ids)}
    links = [[place[other] for other in region.neighbours] for region in template.regions]
    colour_of = [colours.index(region.areas[0]) for region in template.regions]
    of_colour = tuple(tuple(i for i, its in enumerate(colour_of) if its == k) for k in range(len(colours)))
    crowded = len(view.circled) > POWERS
    groups, group_of = _groups(marks, colour_of, [(place[a], place[b]) for a, b in view.clashes()], crowded)
    return Case(
        ids=ids,
        colours=colours,
        dice=tuple(_dice(rolls, colours)),
        groups=groups,
        group_of=group_of,
        of_colour=of_colour,
        ways=tuple(_ways(index, marks, others) for index, others in enumerate(links)),
        blank=tuple(any(marks[index].kind is Kind.EMPTY for index in its) for its in of_colour),
        guards=max(0, POWERS - len(view.circled)),
        crowded=crowded,
    )


def _groups(
    marks: Sequence[Mark], colour_of: Sequence[int], clashes: Sequence[tuple[int, int]], crowded: bool
) -> tuple[tuple[Group, ...], tuple[int, ...]]:
    clashing = {state for pair in clashes for state in pair}
    together: dict[tuple[int, int, int], list[int]] = {}
    for state, mark in enumerate(marks):
        if mark.kind is not Kind.EMPTY:
            circled = mark.circled and (mark.kind is Kind.BLOCKED or (crowded and mark.number is not None))
            alone = state if state in clashing or circled else -1
            together.setdefault((colour_of[state], _value(mark), alone), []).append(state)
    group_of = [-1] * len(marks)
    for index, states in enumerate(together.values()):
        for state in states:
            group_of[state] = index
    groups = tuple(
        Group(
            colour,
            value,
            mask=sum(1 << state for state in states),
            size=len(states),
            guarded=crowded and marks[states[0]].circled and marks[states[0]].number is not None,
            wrong=marks[states[0]].circled and value == CROSSED,
            clashes=tuple(group_of[b if a == alone else a] for a, b in clashes if alone in (a, b)),
        )
        for (colour, value, alone), states in together.items()
    )
    return groups, tuple(group_of)


def _value(mark: Mark) -> int:
    if mark.number is not None:
        return mark.number
    return CROSSED if mark.kind is Kind.BLOCKED else UNREAD


def _dice(rolls: Sequence[Roll], colours: Sequence[str]) -> Iterator[Die]:
    for index, roll in enumerate(rolls):
        for colour, number in zip(roll.colours, roll.dice, strict=True):
            yield Die(index, -1 if colour == WILD else colours.index(colour), number)


def _ways(state: int, marks: Sequence[Mark], others: Sequence[int]) -> tuple[int, ...]:
    if any(marks[other].kind is Kind.UNREAD for other in (state, *others)):
        return (-1,) * (SIDES + 1)
    own = 0 if marks[state].kind is Kind.EMPTY else 1 << state

    def keep(number: int) -> Iterator[int]:
        for other in others:
            there = marks[other]
            if there.number is not None and not there.circled and abs(there.number - number) > 1:
                yield 1 << other

    return (0, *(own | sum(keep(number)) for number in NUMBERS))
