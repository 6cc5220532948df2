"""From a seating to what the player did: every deed, and every slip with what would rule it out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ontour_cv.board import Kind
from ontour_cv.dealer.record import Phase, Roll
from ontour_cv.maps.model import MapTemplate, card_region
from ontour_cv.referee import words
from ontour_cv.referee.assignment import bits
from ontour_cv.referee.node import Bans, Blocked, Node, Problem, mark_full
from ontour_cv.referee.search import as_blocked
from ontour_cv.referee.verdict import Deed, Slip
from ontour_cv.rules.count import reverse


@dataclass(frozen=True, slots=True)
class Fault:
    """A slip, how surprising it is, and the bans that rule it out.

    Attributes:
        slip: the slip.
        odd: how unlikely such a slip is at a table, for choosing between sets of one size only.
        ban: what to forbid so that another explanation is found; None when it stands whatever is assumed.
        exchanged: the setup turn to take as it should be, to the same end.
    """

    slip: Slip
    odd: int
    ban: Bans | None
    exchanged: int | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """One explanation of a board.

    Attributes:
        problem: the board and the rolls; its tasks of exchanged setup turns are exchanged.
        node: the explanation.
        template: the map.
    """

    problem: Problem
    node: Node
    template: MapTemplate

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """The rolls that the board shows."""
        return tuple(turn.roll for turn in self.problem.turns)

    def region(self, task: int) -> str | None:
        """Where the task was written."""
        cell = self.node.cell(self.problem, task)
        return self.problem.cells.ids[cell.bit_length() - 1] if cell else None

    def usable(self, task: int) -> int:
        """The cards (bits) the task can have been written with."""
        if as_blocked(self.problem, self.node, task):
            return 0
        return self.problem.tasks[task].usable(self.node.cell(self.problem, task), self.node.cards[task])

    def cards(self, turn: int) -> tuple[str | None, ...]:
        """The card each task of the turn was written with; different ones where that is possible."""
        tasks = self.problem.turns[turn].tasks
        choices: list[list[int | None]] = [[*bits(self.usable(task))] or [None] for task in tasks]
        ways = [(a, b) for a in choices[0] for b in choices[-1]] if len(tasks) == 2 else [(a,) for a in choices[0]]
        best = max(ways, key=lambda way: len(set(way)))
        named = (None if p is None else self.problem.tasks[t].cards[p] for p, t in zip(best, tasks, strict=True))
        return tuple(card or None for card in named)

    def deeds(self) -> tuple[Deed, ...]:
        """Every task of every roll, in order."""
        return tuple(self._deeds())

    def _deeds(self) -> Iterator[Deed]:
        for index, turn in enumerate(self.problem.turns):
            for task, card in zip(turn.tasks, self.cards(index), strict=True):
                region = self.region(task)
                mark = None if region is None else self.problem.cells.marks[self.problem.cells.ids.index(region)]
                number = self.number(task)
                yield Deed(index, number, region, card, mark)

    def number(self, task: int) -> int | None:
        """What the task should have written; where the player may pick, what was picked, or the low one."""
        numbers = self.problem.tasks[task].numbers
        cell = self.node.cell(self.problem, task)
        there = self.problem.cells.marks[cell.bit_length() - 1].number if cell else None
        return there if there in numbers else numbers[0] if numbers else None

    def faults(self) -> tuple[Fault, ...]:
        """Every slip, in the order of the turns, then those without one."""
        return (*self._turn_faults(), *self._loose_faults())

    def _turn_faults(self) -> Iterator[Fault]:
        for index, turn in enumerate(self.problem.turns):
            if index in self.node.exchanged:
                text = words.exchanged(self.rolls, index)
                yield Fault(
                    Slip("exchanged", index, self._ordered(tuple(words.shown(turn.roll))), text), 1, Bans(), index
                )
            for task in turn.tasks:
                yield from self._task_fault(index, task)
            if index in self.node.same_card:
                regions = tuple(region for task in turn.tasks if (region := self.region(task)))
                text = words.same_card(self.template, self.rolls, index, regions, self.cards(index)[0])
                slip = Slip("same-card", index, self._ordered(regions), text)
                yield Fault(slip, 2, Bans(rolls=frozenset((index,))))

    def _task_fault(self, index: int, task: int) -> Iterator[Fault]:
        cell, number, region = self.node.cell(self.problem, task), self.number(task), self.region(task)
        if region is None:
            text = words.forgotten(self.rolls, index, number)
            yield Fault(Slip("forgotten", index, (), text), 5, Bans(tasks=frozenset((task,))))
        elif not self.node.zero[task] & cell:
            kind, odd, text = self._judge(index, task, number, region)
            yield Fault(Slip(kind, index, (region,), text), odd, Bans(cells=cell))

    def _judge(self, index: int, task: int, number: int | None, region: str) -> tuple[str, int, str]:
        """Kind, oddity and words of a task's one slip."""
        rolls = self.rolls
        mark = self.problem.cells.marks[self.problem.cells.ids.index(region)]
        opened = self.usable(task)
        right = mark.number in self.problem.tasks[task].numbers or (number is None and mark.kind is Kind.STAR)
        if mark.kind is Kind.BLOCKED:
            if mark.circled and self.node.blocked[task] is not Blocked.SLIP:
                return "circle-extra", 3, words.crossed_circle(rolls, index, region)
            return "x-needless", 2, words.needless(rolls, index, number, region, self._left(index, task))
        if right and opened:
            kind = "circle-extra" if mark.circled else "circle-missing"
            return kind, 1, words.wrong_circle(rolls, index, number, region, mark.circled)
        if right or mark.kind is Kind.UNREAD:
            return "region", 2, words.wrong_region(self.template, rolls, index, number, region)
        kind = "digits" if number is not None and mark.number is not None else "wrong-mark"
        return kind, _odd_digits(number, mark.number), words.wrong_content(rolls, index, number, region, mark)

    def _left(self, index: int, task: int) -> tuple[str, str] | None:
        """A region where the task could have stood, and the card; not the other number's card, if that has one."""
        turn = self.problem.turns[index]
        if turn.roll.phase is not Phase.TURN:
            return None
        filled = mark_full(self.problem, self.node)
        other = next((c for t, c in zip(turn.tasks, self.cards(index), strict=True) if t != task), None)
        for card in turn.roll.cards:
            if card != other:
                for cell in bits(self.problem.cells.opened(card)):
                    if filled.get(1 << cell, len(self.rolls)) > index:
                        return self.problem.cells.ids[cell], card_region(card)
        return None

    def _loose_faults(self) -> Iterator[Fault]:
        cells = self.problem.cells
        for row in range(len(self.problem.tasks), len(self.node.zero)):
            column = self.node.seating.column_of[row]
            if column < len(cells.ids) and self.node.one[row] >> column & 1:
                text = words.extra(cells.ids[column], cells.marks[column])
                yield Fault(Slip("extra", None, (cells.ids[column],), text), 6, Bans(cells=1 << column))
        for region in cells.names(cells.empty & cells.circled):
            yield Fault(Slip("circle-extra", None, (region,), words.idle_circle(region)), 0, None)

    def _ordered(self, regions: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(region for region in self.problem.cells.ids if region in regions)


def joined(bans: Bans, more: Bans) -> Bans:
    """Both bans together."""
    return replace(bans, cells=bans.cells | more.cells, tasks=bans.tasks | more.tasks, rolls=bans.rolls | more.rolls)


def _odd_digits(due: int | None, written: int | None) -> int:
    """How surprising it is to write one for the other: exchanged digits least, then one digit wrong."""
    if due is None or written is None:
        return 4
    if written == reverse(due):
        return 0
    return 1 if due // 10 == written // 10 or due % 10 == written % 10 else 3
