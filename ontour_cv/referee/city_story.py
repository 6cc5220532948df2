"""From a seating to what the player of New York did: every deed, and every slip in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ontour_cv.board import Kind
from ontour_cv.city_board import CityBoard
from ontour_cv.dealer.record import Roll
from ontour_cv.dealer.tell_city import card_words
from ontour_cv.maps.city import INSTRUMENTS
from ontour_cv.maps.model import MapTemplate
from ontour_cv.referee.assignment import bits
from ontour_cv.referee.city_case import NO_TURN, CityCase
from ontour_cv.referee.city_search import Explanation
from ontour_cv.referee.city_verdict import CityDeed
from ontour_cv.referee.node import mark_full
from ontour_cv.referee.search import as_blocked, lawful
from ontour_cv.referee.verdict import Slip
from ontour_cv.referee.words import content, extra, forgotten, listed, turn_name, wrong_content
from ontour_cv.rules.city import ferry_problems


@dataclass(frozen=True, slots=True)
class CityStory:
    """One explanation of a board.

    Attributes:
        case: the board and the rolls.
        found: the explanation.
    """

    case: CityCase
    found: Explanation

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """The rolls that the board shows."""
        return self.case.rolls

    def cell(self, task: int) -> int:
        """The cell of a task as a bit; 0 when it was forgotten."""
        return self.found.node.cell(self.found.setting.problem, task)

    def region(self, task: int) -> str | None:
        """Where the task was written."""
        cell = self.cell(task)
        return self.case.cells.ids[cell.bit_length() - 1] if cell else None

    def cards(self, turn: int) -> tuple[str | None, ...]:
        """The card each task of the turn was written with; different ones where that is possible."""
        problem, node = self.found.setting.problem, self.found.node
        tasks = problem.turns[turn].tasks
        choices: list[list[int | None]] = []
        for task in tasks:
            crossed = as_blocked(problem, node, task)
            usable = 0 if crossed else problem.tasks[task].usable(self.cell(task), node.cards[task])
            choices.append([*bits(usable)] or [None])
        ways = [(a, b) for a in choices[0] for b in choices[-1]] if len(tasks) == 2 else [(a,) for a in choices[0]]
        best = max(ways, key=lambda way: len(set(way)))
        named = (None if p is None else problem.tasks[t].cards[p] for p, t in zip(best, tasks, strict=True))
        return tuple(card or None for card in named)

    def number(self, task: int) -> int | None:
        """What the task should have written; where the player may pick, what was picked, or the low one."""
        numbers = self.found.setting.problem.tasks[task].numbers
        region = self.region(task)
        there = self.case.board.marks[region].number if region else None
        return there if there in numbers else numbers[0] if numbers else None

    def deeds(self) -> tuple[CityDeed, ...]:
        """Every deed, in the order of the rolls; the star of Central Park last."""
        return tuple(self._deeds())

    def _deeds(self) -> Iterator[CityDeed]:
        problem = self.found.setting.problem
        for index, turn in enumerate(problem.turns):
            if not turn.tasks:
                yield CityDeed(index, "ferry")
                continue
            for task, card in zip(turn.tasks, self.cards(index), strict=True):
                yield self._deed(index, task, card)
        if self.found.setting.bonus:
            yield self._deed(None, len(problem.tasks) - 1, None)

    def _deed(self, index: int | None, task: int, card: str | None) -> CityDeed:
        number, region = self.number(task), self.region(task)
        mark = self.case.board.marks[region] if region else None
        return CityDeed(index, "*" if number is None else f"{number:02d}", region, card, mark)

    def slips(self) -> tuple[Slip, ...]:
        """Every slip of the explanation, in the order of the turns, then those without one."""
        return (*self._turn_slips(), *self._star_slip(), *self._extras(), *self._spare_ferries())

    def _turn_slips(self) -> Iterator[Slip]:
        problem, node = self.found.setting.problem, self.found.node
        for index, turn in enumerate(problem.turns):
            if not turn.tasks and not self.case.due(index):
                shown = listed([card_words(self.case.city.card(card)) for card in self.rolls[index].cards])
                text = f"{turn_name(self.rolls, index)} was spent on a ferry, but none was due with {shown}."
                yield Slip("ferry-undue", index, (), text)
            for task in turn.tasks:
                yield from self._task_slip(index, task)
            if index in node.same_card:
                regions = tuple(region for task in turn.tasks if (region := self.region(task)))
                numbers = listed([f"{number:02d}" for number in self.rolls[index].numbers])
                text = (
                    f"{turn_name(self.rolls, index)}: {numbers} in {listed(regions)} can only have been written with "
                    "one card, but each needs a card of its own."
                )
                yield Slip("same-card", index, self._ordered(regions), text)

    def _star_slip(self) -> Iterator[Slip]:
        if not self.found.setting.bonus:
            return
        task = len(self.found.setting.problem.tasks) - 1
        cell, region = self.cell(task), self.region(task)
        if region is None:
            park = listed(self.case.city.park)
            text = f"{park} are filled, which gives a star at once, but that star was not written."
            yield Slip("forgotten", None, (), text)
        elif not self.found.node.zero[task] & cell:
            text = f"The star of Central Park was due, but {region} has {_there(self.case.board, region)}."
            yield Slip("wrong-mark", None, (region,), text)

    def _task_slip(self, index: int, task: int) -> Iterator[Slip]:
        cell, number, region = self.cell(task), self.number(task), self.region(task)
        if region is None:
            yield Slip("forgotten", index, (), forgotten(self.rolls, index, number))
        elif not self.found.node.zero[task] & cell:
            kind, text = self._judge(index, task, number, region)
            yield Slip(kind, index, (region,), text)

    def _judge(self, index: int, task: int, number: int | None, region: str) -> tuple[str, str]:
        """Kind and words of a task's one slip."""
        mark = self.case.board.marks[region]
        head = f"{turn_name(self.rolls, index)}, {content(number)}:"
        some = self.found.setting.problem.tasks[task]
        if mark.kind is Kind.BLOCKED:
            left = self._left(index, task)
            example = f", for example {left}" if left else ""
            return "x-needless", f"{head} {region} has an X, but there was a legal place{example}."
        if self.cell(task) & some.out:
            borough = self.case.template.region(region).areas[0]
            shown = listed([card_words(self.case.city.card(card)) for card in self.rolls[index].cards])
            return "region", f"{head} {region} is in {borough}, but the cards showed {shown}."
        if mark.number in some.numbers:
            return (
                "soloist",
                f"{head} {region} has {_soloist(self.case.board, region)}; {self._due_soloist(index, region)}.",
            )
        kind = "digits" if number is not None and mark.number is not None else "wrong-mark"
        return kind, wrong_content(self.rolls, index, number, region, mark)

    def _due_soloist(self, index: int, region: str) -> str:
        """What the cards that open the region's borough show there."""
        borough = self.case.template.region(region).areas[0]
        cards = [self.case.city.card(card) for card in self.rolls[index].cards]
        shown = [card.soloist_at(borough) for card in cards if borough in self.case.city.opens(card, (borough,))]
        words = [_instrument(letter) if letter else "none" for letter in dict.fromkeys(shown)]
        return f"the cards show {listed(words, 'or')} in {borough}"

    def _left(self, index: int, task: int) -> str | None:
        """A region where the task could have stood."""
        problem = self.found.setting.problem
        filled = mark_full(problem, self.found.node)
        other = next((c for t, c in zip(problem.turns[index].tasks, self.cards(index), strict=True) if t != task), None)
        for card in self.rolls[index].cards:
            if card != other:
                for cell in bits(self.case.cells.opened(card)):
                    if filled.get(1 << cell, len(self.rolls)) > index:
                        return self.case.cells.ids[cell]
        return None

    def _extras(self) -> Iterator[Slip]:
        cells, node, problem = self.case.cells, self.found.node, self.found.setting.problem
        for row in range(len(problem.tasks), len(node.zero)):
            column = node.seating.column_of[row]
            if column < len(cells.ids) and node.one[row] >> column & 1:
                yield Slip("extra", None, (cells.ids[column],), extra(cells.ids[column], cells.marks[column]))

    def _spare_ferries(self) -> Iterator[Slip]:
        turns, drawn = len(self.found.setting.skipped), len(self.case.board.ferries)
        lines = "ferry is" if drawn == 1 else "ferries are"
        for _ in range(drawn - turns):
            text = f"{drawn} {lines} drawn, but {'no turn' if turns == 0 else turns} can have been spent on them."
            yield Slip("ferry-extra", None, (), text)
        for _ in range(turns - drawn):
            text = f"Nothing was written in {turns} turns, but {drawn or 'no'} {lines} drawn."
            yield Slip("ferry-missing", None, (), text)

    def _ordered(self, regions: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(region for region in self.case.cells.ids if region in regions)

    def star_in_time(self) -> bool:
        """True when every X that needs the star of Central Park written can have come after it.

        The search takes that star for written from the start, which only an X can notice. Within a turn the player
        chooses the order; but an X beside the park itself comes before the star.
        """
        setting, node = self.found.setting, self.found.node
        if not setting.bonus or setting.timed:
            return True
        problem = setting.problem
        filled = mark_full(problem, node)
        written = max((filled.get(1 << cell, NO_TURN) for cell in bits(self.case.park)), default=NO_TURN)
        crossed = (
            [self.cell(task) & self.case.cells.blocked for task in problem.turns[written].tasks] if written >= 0 else []
        )
        early = written if any(cell & self.case.park for cell in crossed) else written - 1
        filled[self.cell(len(problem.tasks) - 1)] = early
        return all(lawful(problem, node, index, filled) for index in range(len(problem.turns)))


def loose_slips(template: MapTemplate, board: CityBoard) -> tuple[Slip, ...]:
    """Slips that stand on the board whatever the rolls were: circles, soloists, and ferries that may not go there."""
    found = []
    for region in template.ids:
        mark = board.marks.get(region)
        if mark is not None and mark.circled:
            found.append(Slip("circle-extra", None, (region,), f"{region}: there are no circles in New York."))
        if mark is not None and region in board.soloists and mark.kind not in (Kind.NUMBER, Kind.UNREAD):
            found.append(Slip("soloist", None, (region,), f"{region}: only a number has a soloist."))
    for problem in ferry_problems(template, board.ferries):
        found.append(Slip("ferry", None, problem.regions, problem.text))
    return tuple(found)


def _there(board: CityBoard, region: str) -> str:
    mark = board.marks[region]
    if mark.number is not None:
        return f"{mark.number:02d}"
    return "an X" if mark.kind is Kind.BLOCKED else "a star beside the park itself"


def _soloist(board: CityBoard, region: str) -> str:
    letter = board.soloists.get(region, "")
    return _instrument(letter) if letter in INSTRUMENTS else "no soloist"


def _instrument(letter: str) -> str:
    """``a guitar``, ``drums``."""
    name = INSTRUMENTS[letter]
    return name if name.endswith("s") else f"a {name}"
