"""The rules of Rolling America, as far as a finished sheet shows them, and its score.

Every problem found is a real one: no course of dice ends with it. The rules checked, by their short names:

========== =======================================================================================================
unknown    a state that the map does not have
unread     a state that could not be read; nothing is claimed about it, and it may be whatever the others need
circle     a circle round an X or round nothing: only numbers are guarded
guards     more than three guarded numbers
neighbours bordering numbers that differ by more than 1, neither of them guarded; corners are no borders
x          Xs that no number can have forced: it would have fitted one of them, or a state that is still blank
dice       more states filled than there were dice and dupes, in all or in a colour
blank      too many blanks after the last round: a die is passed over only when its colour is full
boxes      boxes that do not agree with the map: guards and circles, the number of Xs
========== =======================================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ontour_cv.board import Kind, Mark
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules.base import Problem
from ontour_cv.rules.clashes import fewest_to_blame
from ontour_cv.sheet import POWERS, ROUNDS, SIDES, Sheet

DICE_PER_ROUND = 6
"""Six of the seven dice are rolled each round."""

DICE = DICE_PER_ROUND * ROUNDS
"""Dice of a whole game."""

_BLANK = Mark(Kind.EMPTY)


@dataclass(frozen=True, slots=True)
class SheetScore:
    """What a sheet scores; fewer are better, and of two alike the one with fewer powers used wins.

    Attributes:
        crossed: states with an X.
        blanks: states left blank, which count as X.
        mistakes: mistakes, one more X each.
        powers: colour changes, guards and dupes used: crossed off, or seen on the map.
    """

    crossed: int
    blanks: int
    mistakes: int
    powers: int

    @property
    def total(self) -> int:
        """The number of Xs."""
        return self.crossed + self.blanks + self.mistakes


def sheet_problems(template: MapTemplate, sheet: Sheet) -> tuple[Problem, ...]:
    """Every problem of ``sheet``, in the order of the table above; empty for a sheet that a correct game can give."""
    known = set(template.ids)
    unknown = tuple(state for state in sheet.marks if state not in known)
    view = View(template, sheet)
    return (
        *((Problem("unknown", unknown, f"The map has no {_listed(unknown)}."),) if unknown else ()),
        *_unread(view),
        *_circles(view),
        *_neighbours(view),
        *_crosses(view),
        *_dice(view),
        *_blanks(view),
        *_boxes(view),
    )


def sheet_score(template: MapTemplate, sheet: Sheet, mistakes: int | None = None) -> SheetScore:
    """The score of ``sheet``.

    Args:
        template: the map.
        sheet: what stands on it; an unread state counts as blank.
        mistakes: how many there are, when the game's log tells; None counts those that the sheet alone proves.
    """
    view = View(template, sheet)
    said = sheet.boxes
    powers = (said.change or 0) + max(said.guard or 0, len(view.circled)) + max(said.dupe or 0, view.filled - DICE)
    return SheetScore(
        crossed=len(view.of(Kind.BLOCKED)),
        blanks=len(view.of(Kind.EMPTY, Kind.UNREAD)),
        mistakes=sure_mistakes(view) if mistakes is None else mistakes,
        powers=powers,
    )


class View:
    """A sheet on its map: states the map does not have left out, those not named blank.

    Attributes:
        template: the map.
        sheet: the sheet.
        marks: state -> mark, in the map's order.
        links: state -> bordering states.
        circled: states with a guarded number.
        filled: states with a number or an X.
    """

    def __init__(self, template: MapTemplate, sheet: Sheet) -> None:
        self.template, self.sheet = template, sheet
        self.marks = {state: sheet.marks.get(state, _BLANK) for state in template.ids}
        self.links = {region.id: region.neighbours for region in template.regions}
        self.circled = tuple(state for state, mark in self.marks.items() if mark.circled and mark.number is not None)
        self.filled = len(self.of(Kind.NUMBER, Kind.BLOCKED))

    def of(self, *kinds: Kind) -> tuple[str, ...]:
        """States with a mark of one of ``kinds``."""
        return tuple(state for state, mark in self.marks.items() if mark.kind in kinds)

    def colour(self, name: str) -> tuple[str, ...]:
        """States of a colour."""
        return tuple(region.id for region in self.template.regions if name in region.areas)

    def name(self, state: str) -> str:
        """The state's full name."""
        return self.template.region(state).name

    def listed(self, states: tuple[str, ...]) -> str:
        """States in words: a few by name, many by their abbreviations."""
        return _listed(tuple(map(self.name, states)) if len(states) <= 4 else states)

    def clashes(self) -> tuple[tuple[str, str], ...]:
        """Bordering pairs of unguarded numbers that differ by more than 1."""
        free = {s: m.number for s, m in self.marks.items() if m.number is not None and not m.circled}
        return tuple((a, b) for a, b in self.template.edges() if a in free and b in free and abs(free[a] - free[b]) > 1)

    def keeps_out(self, state: str, number: int) -> bool:
        """True when a neighbour, as the sheet stands now, keeps ``number`` out of ``state``; an unread one may."""
        marks = (self.marks[other] for other in self.links[state])
        return any(
            mark.kind is Kind.UNREAD or (mark.number is not None and not mark.circled and abs(mark.number - number) > 1)
            for mark in marks
        )

    def forced(self, colour: str) -> int:
        """How many of the colour's Xs some number can have forced, at most.

        When the first of them was written, the others were blank, as were the states that are blank now; so one number
        was kept out of all of them.
        """
        crossed = [state for state in self.colour(colour) if self.marks[state].kind is Kind.BLOCKED]
        blank = [state for state in self.colour(colour) if self.marks[state].kind is Kind.EMPTY]
        return max(
            sum(self.keeps_out(state, number) for state in crossed)
            * all(self.keeps_out(state, number) for state in blank)
            for number in range(1, SIDES + 1)
        )


def sure_mistakes(view: View) -> int:
    """How many wrong entries there are at least: of clashing neighbours the fewest that can be to blame."""
    wrong = len(fewest_to_blame(view.clashes())) + max(0, len(view.circled) - POWERS)
    for colour in view.template.areas:
        crossed = [state for state in view.colour(colour) if view.marks[state].kind is Kind.BLOCKED]
        circled = sum(view.marks[state].circled for state in crossed)
        wrong += max(circled, len(crossed) - view.forced(colour))
    return wrong


def _unread(view: View) -> Iterator[Problem]:
    unread = view.of(Kind.UNREAD)
    if unread:
        yield Problem("unread", unread, f"Not read, so not checked: {view.listed(unread)}.")


def _circles(view: View) -> Iterator[Problem]:
    for state, mark in view.marks.items():
        if mark.circled and mark.kind in (Kind.BLOCKED, Kind.EMPTY):
            what = "an X" if mark.kind is Kind.BLOCKED else "nothing"
            yield Problem("circle", (state,), f"{view.name(state)}: a circle round {what}; only numbers are guarded.")
    if len(view.circled) > POWERS:
        text = f"{len(view.circled)} numbers are guarded, but there are {POWERS} guards: {view.listed(view.circled)}."
        yield Problem("guards", view.circled, text)


def _neighbours(view: View) -> Iterator[Problem]:
    for a, b in view.clashes():
        first, second = (f"{view.name(state)} has {view.marks[state].number}" for state in (a, b))
        text = f"{first} and {second}: neighbours differ by 1 at most, and neither is guarded."
        yield Problem("neighbours", (a, b), text)


def _crosses(view: View) -> Iterator[Problem]:
    for colour in view.template.areas:
        states = view.colour(colour)
        crossed = tuple(state for state in states if view.marks[state].kind is Kind.BLOCKED)
        left = len(crossed) - view.forced(colour)
        if not left:
            continue
        free = tuple(s for s in crossed if not any(view.keeps_out(s, n) for n in range(1, SIDES + 1)))
        open_now = tuple(
            state
            for state in states
            if view.marks[state].kind is Kind.EMPTY and not any(view.keeps_out(state, n) for n in range(1, SIDES + 1))
        )
        if open_now:
            still = "is still blank" if len(open_now) == 1 else "are still blank"
            why = f"any number fits into {view.listed(open_now)}, which {still}"
        elif free:
            why = f"any number would have fitted into {view.listed(free)}"
        else:
            why = f"no one number is kept out of all {colour} states that were blank when the first X was written"
        what = "The X in" if len(crossed) == 1 else f"{left} or more of the Xs in"
        yield Problem("x", crossed, f"{what} {view.listed(crossed)} cannot have been forced: {why}.")


def _dice(view: View) -> Iterator[Problem]:
    boxes = view.sheet.boxes
    dupes = POWERS if boxes.dupe is None else boxes.dupe
    changes = POWERS if boxes.change is None else boxes.change
    # A round's box is crossed after its last die, so one round more may be on the map.
    rounds = ROUNDS if boxes.rounds is None else min(ROUNDS, boxes.rounds + 1)
    dice = DICE_PER_ROUND * rounds
    if view.filled > dice + dupes:
        text = f"{view.filled} states are filled, but there were {dice} dice at most, and {_count(dupes, 'dupe')}."
        yield Problem("dice", view.of(Kind.NUMBER, Kind.BLOCKED), text)
        return
    over = {colour: _filled(view, colour) - rounds for colour in view.template.areas}
    most = rounds + changes + dupes
    if sum(max(0, more) for more in over.values()) > most:
        full = tuple(colour for colour, more in over.items() if more > 0)
        states = tuple(s for c in full for s in view.colour(c) if view.marks[s].kind in (Kind.NUMBER, Kind.BLOCKED))
        text = (
            f"In {_count(rounds, 'round')} no more than {_count(rounds, 'die', 'dice')} of a colour and as many wild "
            f"dice were rolled; with {_count(changes, 'colour change')} and {_count(dupes, 'dupe')} the states filled "
            f"in {_listed(full)} are too many."
        )
        yield Problem("dice", states, text)


def _blanks(view: View) -> Iterator[Problem]:
    blank = view.of(Kind.EMPTY)
    if view.sheet.boxes.rounds != ROUNDS or not blank:
        return
    boxes = view.sheet.boxes
    changes = POWERS if boxes.change is None else boxes.change
    dupes = POWERS if boxes.dupe is None else boxes.dupe
    full = [c for c in view.template.areas if not any(s in blank for s in view.colour(c))]
    # Dice of a full colour that were passed over: all there were, less those its states needed.
    helped = ROUNDS + changes + dupes
    needed = max(0, sum(len(view.colour(colour)) for colour in full) - helped)
    passed = max(0, ROUNDS * len(full) - needed) if full else 0
    there = len(view.marks) - len(blank)
    if there < DICE - passed:
        text = (
            f"{len(blank)} states are blank after {ROUNDS} rounds, but a die is passed over only when its colour is "
            f"full; {DICE - passed} states or more must be filled."
        )
        yield Problem("blank", blank, text)


def _boxes(view: View) -> Iterator[Problem]:
    boxes = view.sheet.boxes
    unread = bool(view.of(Kind.UNREAD))
    if boxes.guard is not None and boxes.guard != len(view.circled) and not unread:
        text = f"{_count(boxes.guard, 'guard')} crossed off, but {_count(len(view.circled), 'number')} guarded."
        yield Problem("boxes", view.circled, text)
    counted = len(view.of(Kind.BLOCKED)) + len(view.of(Kind.EMPTY))
    mistakes = sure_mistakes(view)
    if boxes.x is not None and not unread and boxes.x not in (counted, counted + mistakes):
        more = f", {counted + mistakes} with the mistakes" if mistakes else ""
        yield Problem("boxes", (), f"The sheet says {_count(boxes.x, 'X')}, but X and blanks make {counted}{more}.")


def _filled(view: View, colour: str) -> int:
    return sum(view.marks[state].kind in (Kind.NUMBER, Kind.BLOCKED) for state in view.colour(colour))


def _count(number: int, noun: str, plural: str = "") -> str:
    many = plural or ("Xs" if noun == "X" else f"{noun}s")
    return f"{number} {noun if number == 1 else many}"


def _listed(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
