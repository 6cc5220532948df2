"""What the doubts of a sheet mean for its score: the range, and the cells worth asking about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.scorer.questions import COVERED
from ontour_cv.sheet import SIDES, Boxes, Sheet
from ontour_cv.vision.decode import CellReading

BUDGET = 600
"""Sheets scored at most; about two milliseconds each."""

ENOUGH = 0.99
"""Marks of a doubtful cell are considered, most probable first, until they are together this probable. On 230 rendered
sheets of writers kept for choosing one had another number of Xs when every question was answered, as with 0.995, which
asked for a quarter more; with 0.98 three had."""

ANYTHING = (
    Mark(Kind.BLOCKED),
    Mark(Kind.EMPTY),
    *(Mark(Kind.NUMBER, number, circled) for number in range(1, SIDES + 1) for circled in (False, True)),
)
"""What may stand in a cell nobody could read."""

ScoreOf = Callable[[Sheet], int]


@dataclass(frozen=True, slots=True)
class SheetQuestions:
    """What the doubts mean.

    Attributes:
        score_range: lowest and highest number of Xs over everything the doubtful cells may hold.
        ask: the doubtful cells whose answer can change it, in the map's order.
        more: True when doubts that are not asked about may matter once these are answered.
    """

    score_range: tuple[int, int]
    ask: tuple[str, ...]
    more: bool = False


def find_questions(cells: Mapping[str, CellReading], score_of: ScoreOf, boxes: Boxes) -> SheetQuestions:
    """The range of the score and the cells to ask about.

    With few doubts every sheet they allow is scored, and both are exact. With more, each doubt is tried alone and the
    changes are added up: the range can then only be too wide for Xs and blanks, and asked are the cells that change
    the score by themselves, or all when there is none. Their answers leave fewer doubts, and may bring up others; so
    nothing is asked only where the score is certain.
    """
    marks = {state: cell.mark for state, cell in cells.items()}
    choices = {state: plausible_marks(cell) for state, cell in cells.items() if cell.doubtful}
    choices = {state: found for state, found in choices.items() if len(found) > 1}

    def score(changed: Mapping[str, Mark]) -> int:
        return score_of(Sheet(BoardState({**marks, **changed}), boxes))

    if not choices:
        only = score({})
        return SheetQuestions((only, only), ())
    if prod(len(found) for found in choices.values()) <= BUDGET:
        return _exact(choices, score)
    return _bounded(choices, score)


def plausible_marks(cell: CellReading) -> tuple[Mark, ...]:
    """What a doubtful cell may hold, most probable first, until they are together ``ENOUGH``."""
    if cell.mark.kind is Kind.UNREAD:
        return ANYTHING
    known = [(cell.mark, cell.confidence), *cell.alternatives]
    if sum(p for _, p in known) < COVERED:
        return ANYTHING
    found: list[Mark] = []
    total = 0.0
    for mark, p in known:
        if total >= ENOUGH:
            break
        found.append(mark)
        total += p
    return tuple(found)


def _exact(choices: Mapping[str, tuple[Mark, ...]], score: Callable[[Mapping[str, Mark]], int]) -> SheetQuestions:
    states = list(choices)
    scores = {combo: score(dict(zip(states, combo, strict=True))) for combo in product(*choices.values())}
    ask = []
    for k, state in enumerate(states):
        others: dict[tuple[Mark, ...], set[int]] = {}
        for combo, total in scores.items():
            others.setdefault((*combo[:k], *combo[k + 1 :]), set()).add(total)
        if any(len(totals) > 1 for totals in others.values()):
            ask.append(state)
    return SheetQuestions((min(scores.values()), max(scores.values())), tuple(ask))


def _bounded(choices: Mapping[str, tuple[Mark, ...]], score: Callable[[Mapping[str, Mark]], int]) -> SheetQuestions:
    base = score({})
    low = high = base
    alone = []
    for state, found in choices.items():
        totals = [score({state: mark}) for mark in found]
        low += min(0, min(totals) - base)
        high += max(0, max(totals) - base)
        if min(totals) != max(totals):
            alone.append(state)
    ask = tuple(alone or choices)
    return SheetQuestions((max(0, low), high), ask, len(ask) < len(choices))
