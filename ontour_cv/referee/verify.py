"""``verify``: is this board a lawful outcome of this game, and if not, what are the fewest slips?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from ontour_cv.board import BoardState
from ontour_cv.dealer.record import GameRecord, Phase, Roll
from ontour_cv.errors import BadLog
from ontour_cv.maps.model import MapTemplate, card_region
from ontour_cv.referee.blocked import needs
from ontour_cv.referee.cells import Cells, cells_of
from ontour_cv.referee.node import Bans, Problem
from ontour_cv.referee.search import fewest
from ontour_cv.referee.story import Fault, Story, joined
from ontour_cv.referee.tasks import fills, turns_of
from ontour_cv.referee.verdict import Verdict
from ontour_cv.rules import Variant

MOST_SLIPS = 6
"""More are not listed: such a board is probably not from this game."""

EFFORT = 300
"""Nodes to look at for the fewest slips of one board, once it is proved that there is one: about a second at worst."""

LITTLE = 25
"""Nodes to look at for each other set of the same size."""

MOST_OTHERS = 12
"""So many other sets of the same size are looked for."""


@dataclass(frozen=True, slots=True)
class Case:
    """A board against the first rolls of a game."""

    template: MapTemplate
    variant: Variant
    cells: Cells
    rolls: tuple[Roll, ...]

    def story(self, most: int, bans: Bans, straight: frozenset[int], effort: int) -> tuple[Story | None, int]:
        """An explanation with the fewest slips, and the proved least number; no story above ``most`` slips.

        Args:
            most: the largest number of slips of interest.
            bans: what may not be a slip.
            straight: setup turns that may not be taken as exchanged.
            effort: nodes to look at.
        """
        found = fewest([*self._problems(bans, straight, 0)], most, effort)
        if found.at_least > 1:  # with two slips or more, one of them may have filled the place that made an X lawful
            extras = min(most, found.at_least - 1)
            cheaper = fewest([*self._problems(bans, straight, extras)], extras, effort)
            if cheaper.node is not None:
                found = cheaper
            elif cheaper.at_least <= extras:  # given up: what was found stands, but is not proved the least
                found = replace(found, at_least=cheaper.at_least)
        if found.problem is None or found.node is None:
            return None, found.at_least
        return Story(found.problem, found.node, self.template), found.at_least

    def _problems(self, bans: Bans, straight: frozenset[int], extras: int) -> Iterator[tuple[Problem, frozenset[int]]]:
        turns, tasks = turns_of(self.cells, self.variant, self.rolls)
        ways = tuple(needs(self.cells, turn, self.variant, extras) for turn in turns)
        turned = [index for index in self._exchangeable() if index not in straight]
        for count in range(len(turned) + 1):
            for some in combinations(turned, count):
                rolls = [_turned(roll) if index in some else roll for index, roll in enumerate(self.rolls)]
                mine = turns_of(self.cells, self.variant, rolls)[1] if some else tasks
                yield Problem(self.cells, turns, mine, ways, bans), frozenset(some)

    def _exchangeable(self) -> Iterator[int]:
        """Setup turns that look as if both numbers were exchanged; in others the exchange would explain nothing."""
        for index, roll in enumerate(self.rolls):
            if roll.phase is Phase.SETUP:
                there = [self.cells.marks[self.cells.ids.index(card_region(card))].number for card in roll.cards]
                if there == [roll.numbers[1], roll.numbers[0]]:
                    yield index


def verify(template: MapTemplate, variant: Variant, record: GameRecord, board: BoardState) -> Verdict:
    """Whether the board is a lawful outcome of the game, and the fewest slips that explain it when it is not.

    A board with empty regions is checked against as many rolls as it shows; an unread region may hold anything.

    Args:
        template: the map the game was played on.
        variant: the rules.
        record: every roll of the game.
        board: what stands on the board.

    Raises:
        BadLog: the record is of another map, or names cards that the map does not have.
    """
    _check(template, record)
    cells = cells_of(template, board)
    best: tuple[Case, Story, int] | None = None
    at_least = MOST_SLIPS + 1
    for gap, count in _lengths(cells, record.rolls):
        most = MOST_SLIPS if best is None else best[2] - 1
        if gap > min(most, at_least):
            break
        case = Case(template, variant, cells, record.rolls[:count])
        story, bound = case.story(most, Bans(), frozenset(), EFFORT if best is None else EFFORT // 3)
        at_least = min(at_least, bound)
        if story is not None:
            best = (case, story, story.node.bound)
    if best is None:
        return Verdict(False, False, (), (), at_least, (), frozenset(), len(record.rolls))
    return _verdict(*best, at_least)


def _verdict(case: Case, story: Story, slips: int, at_least: int) -> Verdict:
    stories = [story, *_others(case, story, slips)] if slips else [story]
    told = [(one.faults(), one) for one in stories]
    told.sort(key=lambda pair: sum(fault.odd for fault in pair[0]))
    (faults, first), rest = told[0], told[1:]
    return Verdict(
        legal=not faults,
        complete=True,
        slips=tuple(fault.slip for fault in faults),
        others=tuple(tuple(fault.slip for fault in others) for others, _ in rest),
        at_least=at_least + sum(fault.ban is None for fault in faults),
        explanation=first.deeds(),
        faulty=frozenset(region for fault in faults for region in fault.slip.regions),
        rolls=len(case.rolls),
    )


def _others(case: Case, story: Story, slips: int) -> Iterator[Story]:
    """Other explanations with as few slips: each does without a slip of the first one.

    With one slip the search goes on without all that were found, so that every region that can be the faulty one is
    named, up to ``MOST_OTHERS``.
    """
    bans, straight = Bans(), frozenset[int]()
    left = MOST_OTHERS
    pending: list[Fault] = [fault for fault in story.faults() if fault.ban is not None]
    while pending and left:
        fault = pending.pop(0)
        mine = joined(bans, fault.ban or Bans())
        upright = straight if fault.exchanged is None else straight | {fault.exchanged}
        other, _ = case.story(slips, mine, upright, LITTLE)
        left -= 1
        if other is not None:
            yield other
            if slips == 1:
                bans, straight = mine, upright
                pending = [fault for fault in other.faults() if fault.ban is not None]


def _lengths(cells: Cells, rolls: Sequence[Roll]) -> list[tuple[int, int]]:
    """``(gap, count)``: how many cells too few or too many the board shows for ``count`` rolls; best first."""
    full = len(cells.ids) - cells.empty.bit_count()
    sure = full - cells.unread.bit_count()
    filled = fills(cells, rolls)
    gaps = [(max(0, sure - filled[count], filled[count] - full), count) for count in range(len(rolls) + 1)]
    return sorted(gaps, key=lambda pair: (pair[0], -pair[1]))


def _turned(roll: Roll) -> Roll:
    """The setup roll with its two cards exchanged, which exchanges its numbers."""
    return replace(roll, cards=roll.cards[::-1])


def _check(template: MapTemplate, record: GameRecord) -> None:
    record.check_map(template.id)
    cards = {card.id for card in template.cards}
    strange = sorted({card for roll in record.rolls for card in roll.cards} - cards)
    if strange:
        raise BadLog(f"the game has cards that the map lacks: {', '.join(strange)}", "Name the log of this game.")
