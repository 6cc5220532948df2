"""From the steps of the search to what the player did: which state each die was written in, and every mistake."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ontour_cv.board import Mark
from ontour_cv.dealer.bag import WILD
from ontour_cv.dealer.tell_dice import dice_title
from ontour_cv.maps.model import MapTemplate
from ontour_cv.referee.assignment import bits
from ontour_cv.referee.sheet_case import CROSSED, UNREAD, Case, Die
from ontour_cv.referee.sheet_moves import Step
from ontour_cv.referee.sheet_verdict import DieDeed, SheetSlip
from ontour_cv.sheet import Sheet, format_cell

_NEVER = 10**6


@dataclass(slots=True)
class Story:
    """One explanation of a sheet, told step by step.

    Attributes:
        template: the map.
        sheet: the sheet.
        case: both with the dice, as the search saw them.
        steps: what was done with each die, in order.
        cells: by step, the states written to.
    """

    template: MapTemplate
    sheet: Sheet
    case: Case
    steps: Sequence[Step]
    cells: dict[int, list[int]] = field(default_factory=dict)
    _left: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Give every die its states: of a group those first that an X needed first."""
        due = self._due()
        slipped = self.steps[-1][0].slipped if self.steps else 0
        for index, group in enumerate(self.case.groups):
            free = sorted(bits(group.mask & ~slipped), key=lambda place: due.get(place, _NEVER))
            for step, (_, move) in enumerate(self.steps):
                for target in move.groups:
                    if target == index:
                        self.cells.setdefault(step, []).append(free.pop(0))
            self._left += [] if group.value == UNREAD else free
        self._left += list(bits(slipped))
        self._pair(due)

    def deeds(self) -> tuple[DieDeed, ...]:
        """What was done with each die, in order."""
        return tuple(self._deed(step) for step in range(len(self.steps)))

    def slips(self) -> tuple[SheetSlip, ...]:
        """Every mistake, in the order of the dice, then those that no die belongs to."""
        return (*self._die_slips(), *self._extras())

    def _due(self) -> dict[int, int]:
        """By state, the step before which it was filled, where that is known."""
        due: dict[int, int] = {}
        for step, (state, _) in enumerate(self.steps):
            for place in bits(state.committed | state.slipped):
                due.setdefault(place, step)
        return due

    def _pair(self, due: dict[int, int]) -> None:
        """Lost dice take the states that no die filled, the most alike first; what is left has no die."""
        lost = [step for step, (_, move) in enumerate(self.steps) if move.kind == "lose"]
        for place in sorted(self._left, key=lambda place: due.get(place, _NEVER)):
            fitting = [step for step in lost if step < due.get(place, _NEVER)]
            if fitting and not self.case.groups[self.case.group_of[place]].alone:
                best = max(fitting, key=lambda step: self._alike(self.steps[step][1].die, place))
                self.cells[best] = [place]
                lost.remove(best)
        taken = {place for places in self.cells.values() for place in places}
        self._left = [place for place in self._left if place not in taken]

    def _alike(self, die: Die, place: int) -> int:
        group = self.case.groups[self.case.group_of[place]]
        return 2 * (die.colour in (-1, group.colour)) + (group.value in (die.number, CROSSED))

    def _mark(self, place: int) -> Mark:
        return self.sheet.marks[self.case.ids[place]]

    def _name(self, place: int) -> str:
        return self.template.region(self.case.ids[place]).name

    def _colour(self, die: Die) -> str:
        return WILD if die.colour < 0 else self.case.colours[die.colour]

    def _head(self, die: Die) -> str:
        return f"{dice_title(die.roll)}, {self._colour(die)} {die.number}"

    def _deed(self, step: int) -> DieDeed:
        move = self.steps[step][1]
        places = self.cells.get(step, [])
        kind = {"write": "write", "cross": "x", "pass": "pass", "lose": "lost"}[move.kind]
        told = {"write": "", "x": "X in ", "pass": "passed over, its colour is full", "lost": "not written rightly"}[
            kind
        ]
        told += " and ".join(map(self._name, places)) if kind != "lost" else ""
        told += ", guarded" if any(self._mark(place).circled for place in places) else ""
        told += ", dupe" if len(places) > 1 else ""
        told += ", colour changed" if move.changed else ""
        ids = tuple(self.case.ids[place] for place in places)
        return DieDeed(move.die.roll, self._colour(move.die), move.die.number, kind, ids, move.changed, told)

    def _die_slips(self) -> Iterator[SheetSlip]:
        marked = 0
        for step, (state, move) in enumerate(self.steps):
            fresh, marked = state.marked & ~marked, state.marked
            places = self.cells.get(step, [])
            if move.kind == "lose":
                yield self._lost(move.die, places)
            for place in places:
                index = self.case.group_of[place]
                if fresh >> index & 1:
                    text = f"{self._head(move.die)}: {self._name(place)} was guarded, but the circle is missing."
                    yield self._slip("circle-missing", move.die.roll, (place,), text)
                elif move.wrong >> index & 1:
                    astray = move.die.colour not in (-1, self.case.groups[index].colour) and not move.changed
                    yield self._lost(move.die, [place]) if astray else self._wrong(move.die, place, move.kind)

    def _wrong(self, die: Die, place: int, kind: str) -> SheetSlip:
        """A mistake in a state where order matters."""
        mark, head = self._mark(place), self._head(die)
        if kind == "cross" or mark.number is None:
            return self._slip("circle-extra", die.roll, (place,), f"{head}: the X in {self._name(place)} is circled.")
        if mark.number != die.number:
            return self._lost(die, [place])
        if mark.circled:
            text = f"{head}: {self._name(place)} is guarded, but three guards had been used before."
            return self._slip("guards", die.roll, (place,), text)
        others = self._clashing(place)
        near = " or ".join(f"{self._name(other)} ({format_cell(self._mark(other))})" for other in others)
        text = f"{head}: {mark.number} in {self._name(place)} does not go with {near}."
        return self._slip("neighbours", die.roll, (place, *others), text)

    def _clashing(self, place: int) -> list[int]:
        groups = self.case.groups[self.case.group_of[place]].clashes
        return [other for index in groups for other in bits(self.case.groups[index].mask)]

    def _lost(self, die: Die, places: Sequence[int]) -> SheetSlip:
        """A die that was not written rightly."""
        head = self._head(die)
        if not places:
            return self._slip("forgotten", die.roll, (), f"{head}: not written, though there was a place for it.")
        place = places[0]
        group, name = self.case.groups[self.case.group_of[place]], self._name(place)
        home, shown = die.colour in (-1, group.colour), format_cell(self._mark(place))
        if group.value == CROSSED and home:
            return self._slip("x-needless", die.roll, (place,), f"{head}: {name} has an X, but the number fitted in.")
        if group.value == CROSSED or (not home and group.value != die.number):
            text = f"{head}: not written as it had to be; {name} says {shown}, which no die accounts for."
            return self._slip("astray", die.roll, (place,), text)
        if home:
            return self._slip("number", die.roll, (place,), f"{head}: {name} says {shown}.")
        colour = self.case.colours[group.colour]
        text = f"{head}: {name} is {colour}, and no colour change that is crossed off is left for it."
        return self._slip("colour", die.roll, (place,), text)

    def _extras(self) -> Iterator[SheetSlip]:
        for place in sorted(self._left):
            shown = "an X" if self._mark(place).number is None else format_cell(self._mark(place))
            yield self._slip("extra", None, (place,), f"{self._name(place)} has {shown} that no die accounts for.")

    def _slip(self, kind: str, roll: int | None, places: Sequence[int], text: str) -> SheetSlip:
        return SheetSlip(kind, roll, tuple(self.case.ids[place] for place in places), text)
