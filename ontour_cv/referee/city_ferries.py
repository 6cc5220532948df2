"""Which turns can have been spent on ferries: a board does not say so, but the numbers it lacks do.

Counting alone gives a lower bound on the slips of every choice (which numbers stand there, not where), so only few
choices are left to be looked at cell by cell. With ``D`` numbers or stars rolled that stand nowhere, ``E`` written that
nothing asked for, ``K`` X and ``U`` unread cells: each of ``E`` is a slip, each X too many for ``D``, and each of ``D``
that neither an X nor an unread cell can be. What the pairs still to come take at least is known from the start, for any
number of ferries, so hardly a choice is begun that cannot be ended; and each step is paid for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from ontour_cv.board import Kind
from ontour_cv.referee.city_case import CityCase
from ontour_cv.referee.city_search import Effort
from ontour_cv.rules.count import reverse


@dataclass(frozen=True, slots=True)
class FerryTurns:
    """One choice of turns.

    Attributes:
        turns: the turns spent on ferries.
        paid: slips it takes by itself: turns without the right, ferries without a turn, or turns without a ferry.
        at_least: slips that it takes in all, by counting.
    """

    turns: frozenset[int]
    paid: int
    at_least: int


@dataclass(frozen=True, slots=True)
class _Choice:
    """How the turns of one pair of digits were used: those spent on ferries, and what the counts say then."""

    turns: tuple[int, ...]
    undue: int
    missing: int
    extra: int


def ferry_choices(case: CityCase, bonus: bool, most: int, steps: Effort) -> Iterator[FerryTurns]:
    """Every choice that can be explained by ``most`` slips as far as counting tells.

    The roll that filled a map ended the game, so the last roll of a full map was no ferry.

    Raises:
        OutOfEffort: ``steps`` are used up; there may be more choices.
    """
    writing = len(case.rolls) - 1 if case.full else None
    marks = case.board.marks.values()
    there: Counter[int | None] = Counter(mark.number for mark in marks if mark.kind in (Kind.NUMBER, Kind.STAR))
    blocked = case.cells.blocked.bit_count()
    unread = case.cells.unread.bit_count()
    slack = 1 if case.full else 0  # the last empty cell takes one number of the two
    groups = _groups(case)
    rolled = {number for low in groups for number in ({None} if low is None else {low, reverse(low)})}
    strange = sum(count for number, count in there.items() if number not in rolled)
    if None not in groups:
        strange -= there[None]
        groups[None] = []
    options = [_choices(case, low, turns, there, bonus, steps) for low, turns in groups.items()]
    ferries = len(case.board.ferries)
    least_extra = _least(options, ferries, lambda choice: choice.undue + choice.extra)
    least_missing = _least(options, ferries, lambda choice: choice.undue + choice.missing)

    def walk(place: int, chosen: tuple[int, ...], undue: int, missing: int, extra: int) -> Iterator[FerryTurns]:
        steps.spend()
        if extra + undue + least_extra[place][len(chosen)] > most:
            return
        if missing - slack - blocked - unread + undue + least_missing[place][len(chosen)] > most:
            return
        if writing is not None and writing in chosen:
            return
        if place == len(options):
            paid = undue + abs(len(chosen) - ferries)
            count = max(extra + max(0, blocked - missing), missing - slack - blocked - unread)
            if paid + count <= most:
                yield FerryTurns(frozenset(chosen), paid, paid + count)
            return
        for choice in options[place]:
            yield from walk(
                place + 1,
                chosen + choice.turns,
                undue + choice.undue,
                missing + choice.missing,
                extra + choice.extra,
            )

    yield from walk(0, (), 0, 0, strange)


def _least(options: list[list[_Choice]], ferries: int, cost: Callable[[_Choice], int]) -> list[list[int]]:
    """For each place in ``options`` and each count of turns chosen before: what the rest takes at least.

    That is the cost of its choices, and a slip for each turn more or less than there are ferries.
    """
    rest = [0]  # the cost of what is still to come, by how many turns of it are spent on ferries
    rests = [rest]
    for choices in reversed(options):
        cheapest: dict[int, int] = {}
        for choice in choices:
            count = len(choice.turns)
            cheapest[count] = min(cheapest.get(count, cost(choice)), cost(choice))
        rest = [
            min(rest[count - few] + paid for few, paid in cheapest.items() if 0 <= count - few < len(rest))
            for count in range(len(rest) + max(cheapest))
        ]
        rests.append(rest)
    turns = len(rest) - 1
    return [
        [
            min(paid + abs(chosen + count - ferries) for count, paid in enumerate(rest))
            for chosen in range(turns - len(rest) + 2)
        ]
        for rest in reversed(rests)
    ]


def _groups(case: CityCase) -> dict[int | None, list[int]]:
    """The turns of each pair of digits, by the low number; those of all doubles by None."""
    groups: dict[int | None, list[int]] = {}
    for index, roll in enumerate(case.rolls):
        groups.setdefault(None if roll.double else roll.numbers[0], []).append(index)
    return groups


def _choices(
    case: CityCase, low: int | None, turns: list[int], there: Counter[int | None], bonus: bool, steps: Effort
) -> list[_Choice]:
    found = []
    numbers = (None,) if low is None else (low, reverse(low))
    for count in range(len(turns) + 1):
        due = len(turns) - count + (bonus and low is None)
        missing = sum(max(0, due - there[number]) for number in numbers)
        extra = sum(max(0, there[number] - due) for number in numbers)
        for some in combinations(turns, count):
            steps.spend()
            found.append(_Choice(some, sum(not case.due(index) for index in some), missing, extra))
    return sorted(found, key=lambda choice: (choice.undue + choice.extra + choice.missing, choice.turns))
