"""What the doubts of a sheet mean for its score: the range, and the states worth asking about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import TypeVar

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules.rolling import sheet_score
from ontour_cv.rules.rolling_open import power_bounds, score_bounds
from ontour_cv.scorer.questions import COVERED
from ontour_cv.scorer.sheet_log import MOST_MISTAKES, MOST_SHEETS, SheetLog
from ontour_cv.sheet import MOST, SIDES, Boxes, Sheet
from ontour_cv.vision.decode import CellReading
from ontour_cv.vision.sheet_boxes import BoxReading

BUDGET = 600
"""Sheets scored at most without a log; about two milliseconds each."""

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

JUDGED_BY = ("rounds", "change", "dupe")
"""The boxes that the log is compared with: how many dice were rolled, and what was done with them."""

Read = TypeVar("Read", Mark, int | None)


@dataclass(frozen=True, slots=True)
class SheetQuestions:
    """What the doubts mean.

    Attributes:
        score_range: lowest and highest number of Xs over everything the doubtful cells may hold; with a log over the
            doubtful boxes, too, and over what the log leaves open.
        ask: the doubtful cells whose answer can change it, in the map's order.
        powers_range: fewest and most powers used, over the same doubts and those of all boxes.
        more: True when doubts that are not asked about may matter once these are answered.
    """

    score_range: tuple[int, int]
    ask: tuple[str, ...]
    powers_range: tuple[int, int]
    more: bool = False


@dataclass(frozen=True, slots=True)
class _Doubts:
    """A sheet as read, and what its doubtful cells and boxes may hold besides: two choices or more each."""

    template: MapTemplate
    sheet: Sheet
    cells: Mapping[str, tuple[Mark, ...]]
    boxes: Mapping[str, tuple[int | None, ...]]

    def with_marks(self, marks: Mapping[str, Mark]) -> Sheet:
        """The sheet with other marks."""
        return Sheet(BoardState({**self.sheet.marks, **marks}), self.sheet.boxes)

    def alone(self, sheet: Sheet) -> int:
        """The Xs of a sheet without a log."""
        return sheet_score(self.template, sheet).total


def find_questions(
    template: MapTemplate,
    cells: Mapping[str, CellReading],
    boxes: Mapping[str, BoxReading],
    log: SheetLog | None = None,
) -> SheetQuestions:
    """The range of the score and the cells to ask about.

    With few doubts every sheet they allow is scored, and both are exact; with a log as far as it decides. With more,
    the range can only be too wide, and asked are the cells that change the score by themselves and those that the log
    finds wrong, or all when there is none. Their answers leave fewer doubts, and may bring up others; so nothing is
    asked only where no answer would settle anything. Doubtful boxes leave the range open, but are not asked about.
    """
    marks = BoardState({state: cell.mark for state, cell in cells.items()})
    held = {state: plausible_marks(cell) if cell.doubtful else (cell.mark,) for state, cell in cells.items()}
    said = {name: plausible_values(name, box) if box.doubtful else (box.value,) for name, box in boxes.items()}
    sheet = Sheet(marks, Boxes(**{name: box.value for name, box in boxes.items()}))
    judged_by = JUDGED_BY if log is not None else ()
    doubts = _Doubts(
        template,
        sheet,
        {state: found for state, found in held.items() if len(found) > 1},
        {name: found for name, found in said.items() if len(found) > 1 and name in judged_by},
    )
    sheets = prod(len(found) for found in (*doubts.cells.values(), *doubts.boxes.values()))
    few = sheets <= (BUDGET if log is None else MOST_SHEETS)
    found = _exact(doubts, log) if few else _bounded(doubts, held, log)
    return replace(found, powers_range=power_bounds(template, held, said))


def plausible_marks(cell: CellReading) -> tuple[Mark, ...]:
    """What a doubtful cell may hold, most probable first, until they are together ``ENOUGH``."""
    known = [(cell.mark, cell.confidence), *cell.alternatives]
    if cell.mark.kind is Kind.UNREAD or sum(p for _, p in known) < COVERED:
        return ANYTHING
    return _likeliest(known)


def plausible_values(name: str, box: BoxReading) -> tuple[int | None, ...]:
    """What the doubtful box of the token ``name`` may say, as for cells."""
    known = [(box.value, box.confidence), *box.alternatives]
    return tuple(range(MOST[name] + 1)) if sum(p for _, p in known) < COVERED else _likeliest(known)


def _likeliest(known: Sequence[tuple[Read, float]]) -> tuple[Read, ...]:
    found: list[Read] = []
    total = 0.0
    for one, p in known:
        if total >= ENOUGH:
            break
        found.append(one)
        total += p
    return tuple(found)


def _exact(doubts: _Doubts, log: SheetLog | None) -> SheetQuestions:
    """Every sheet that the doubts allow, scored; a doubt that the log cannot decide about may matter."""

    def worth(sheet: Sheet) -> tuple[int, int]:
        if log is None:
            return (doubts.alone(sheet),) * 2
        counted = sheet_score(doubts.template, sheet, 0).total
        low, high = log.mistakes(sheet)
        return counted + low, counted + high

    scores: dict[tuple[object, ...], tuple[int, int]] = {}
    for marks in product(*doubts.cells.values()):
        sheet = doubts.with_marks(dict(zip(doubts.cells, marks, strict=True)))
        for values in product(*doubts.boxes.values()):
            boxes = replace(sheet.boxes, **dict(zip(doubts.boxes, values, strict=True)))
            scores[*marks, *values] = worth(Sheet(sheet.board, boxes))
    matter = []
    for k, name in enumerate((*doubts.cells, *doubts.boxes)):
        others: dict[tuple[object, ...], set[int]] = {}
        for combo, found in scores.items():
            others.setdefault((*combo[:k], *combo[k + 1 :]), set()).update(found)
        if any(len(totals) > 1 for totals in others.values()):
            matter.append(name)
    ask = tuple(name for name in matter if name in doubts.cells)
    # A state nobody could read counts as blank, and excuses what no mark in it might.
    every = [*scores.values(), worth(doubts.sheet)]
    low, high = min(low for low, _ in every), max(high for _, high in every)
    return SheetQuestions((low, high), ask, (0, 0), len(ask) < len(matter))


def _bounded(doubts: _Doubts, held: Mapping[str, tuple[Mark, ...]], log: SheetLog | None) -> SheetQuestions:
    """Bounds of what the doubts allow, and what changes the score by itself."""
    low, high = score_bounds(doubts.template, held)
    base = doubts.alone(doubts.sheet)
    first = {
        state
        for state, found in doubts.cells.items()
        if any(doubts.alone(doubts.with_marks({state: mark})) != base for mark in found)
    }
    if log is not None:
        high += MOST_MISTAKES
        first |= log.blamed & set(doubts.cells)
    ask = tuple(state for state in doubts.cells if state in first or not first)
    return SheetQuestions((low, high), ask, (0, 0), len(ask) < len(doubts.cells) + len(doubts.boxes))
