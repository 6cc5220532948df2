"""How few and how many Xs and powers a sheet of Rolling America can count while some of its states are open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ontour_cv.board import Kind, Mark
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules.clashes import fewest_to_blame
from ontour_cv.rules.rolling import DICE
from ontour_cv.sheet import POWERS, SIDES

Choices = Mapping[str, Sequence[Mark]]
"""State -> what it may hold, one mark or more; for every state of the map."""

_FILLED = (Kind.NUMBER, Kind.BLOCKED)
_COUNTED = (Kind.BLOCKED, Kind.EMPTY, Kind.UNREAD)


def score_bounds(template: MapTemplate, choices: Choices) -> tuple[int, int]:
    """Xs that every sheet with these marks has at least and at most, the mistakes that it proves by itself included.

    Never too narrow. Too wide where marks that each cost an X do not go together on any one sheet.
    """
    counted = [[mark.kind in _COUNTED for mark in choices[state]] for state in template.ids]
    low = sum(map(all, counted)) + _mistakes(template, choices, all, any)
    high = sum(map(any, counted)) + _mistakes(template, choices, any, all)
    # An X costs two at most, anything else one.
    most = sum(1 + any(mark.kind is Kind.BLOCKED for mark in choices[state]) for state in template.ids)
    return low, min(high, most)


def power_bounds(template: MapTemplate, choices: Choices, boxes: Mapping[str, Sequence[int | None]]) -> tuple[int, int]:
    """Powers that every sheet with these marks and values of the boxes has used at least and at most."""

    def used(pick: Callable[[Iterable[int]], int], some: Callable[[Iterable[bool]], bool]) -> int:
        said = {name: pick(value or 0 for value in values) for name, values in boxes.items()}
        circled = sum(some(_guarded(mark) for mark in choices[state]) for state in template.ids)
        filled = sum(some(mark.kind in _FILLED for mark in choices[state]) for state in template.ids)
        return said.get("change", 0) + max(said.get("guard", 0), circled) + max(said.get("dupe", 0), filled - DICE)

    return used(min, all), used(max, any)


def _mistakes(
    template: MapTemplate,
    choices: Choices,
    some: Callable[[Iterable[bool]], bool],
    other: Callable[[Iterable[bool]], bool],
) -> int:
    """A bound of ``rolling.sure_mistakes``: what makes a mistake holds by ``some`` marks, what excuses it by ``other``.

    With ``any`` and ``all`` no sheet has more, with ``all`` and ``any`` none has fewer.
    """
    links = {region.id: region.neighbours for region in template.regions}

    def holds(state: str, test: Callable[[Mark], bool]) -> bool:
        return some(test(mark) for mark in choices[state])

    def kept_out(state: str, number: int) -> bool:
        return any(other(_keeps(mark, number) for mark in choices[near]) for near in links[state])

    pairs = [(a, b) for a, b in template.edges() if some(_clash(one, two) for one in choices[a] for two in choices[b])]
    guarded = sum(holds(state, _guarded) for state in template.ids)
    wrong = len(fewest_to_blame(pairs)) + max(0, guarded - POWERS)
    for colour in template.areas:
        states = [region.id for region in template.regions if colour in region.areas]
        crossed = [state for state in states if holds(state, lambda mark: mark.kind is Kind.BLOCKED)]
        blank = [state for state in states if holds(state, lambda mark: mark.kind is Kind.EMPTY)]
        circled = sum(holds(state, lambda mark: mark.kind is Kind.BLOCKED and mark.circled) for state in crossed)
        needless = min(
            len(crossed) - sum(kept_out(state, number) for state in crossed)
            * all(kept_out(state, number) for state in blank)
            for number in range(1, SIDES + 1)
        )  # fmt: skip
        wrong += max(circled, needless)
    return wrong


def _guarded(mark: Mark) -> bool:
    return mark.circled and mark.number is not None


def _clash(one: Mark, two: Mark) -> bool:
    if one.number is None or two.number is None or one.circled or two.circled:
        return False
    return abs(one.number - two.number) > 1


def _keeps(mark: Mark, number: int) -> bool:
    """True when a neighbour keeps ``number`` out; an unread one may."""
    return mark.kind is Kind.UNREAD or _clash(mark, Mark(Kind.NUMBER, number))
