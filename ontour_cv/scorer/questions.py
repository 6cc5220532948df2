"""What the doubts of a reading mean for the score: its range, and the cells worth asking about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ontour_cv.board import Kind, Mark
from ontour_cv.scorer.diagram import BUDGET, GONE, Choices, ScoreOf, by_themselves, explore
from ontour_cv.vision.decode import CellReading

COVERED = 0.95
"""A doubtful cell whose known marks are together less probable than this may hold anything."""

ENOUGH = 0.98
"""Marks of a doubtful cell are considered, most probable first, until they are together this probable. What is left is
doubted all the same and said so, but not asked about: most of it cannot change the score.

On 950 photos of boards by writers kept for validation 0.985 asked for 0.89 cells (hard: 1.35), 0.98 for 0.78 (1.14) and
0.97 for 0.70 (0.98); a score was wrong with nothing asked on one photo, on one and on three. So it is the least that
lets no more wrong scores pass.
"""


@dataclass(frozen=True, slots=True)
class Questions:
    """What the doubts mean for the score.

    Attributes:
        score_range: lowest and highest best-route score over what the doubtful cells may hold, see ``ENOUGH``.
        ask: the doubtful cells whose answer can change the score, in the map's order.
        more: True when doubts that are not asked about may matter once these are answered.
    """

    score_range: tuple[int, int]
    ask: tuple[str, ...]
    more: bool = False


def find_questions(cells: Mapping[str, CellReading], score_of: ScoreOf, budget: int = BUDGET) -> Questions:
    """The range of the score and the cells to ask about, for all the cells of a board in the map's order.

    Both are exact over the plausible marks while the budget lasts and every doubtful cell has its list of them. Beyond
    that the range can only be too wide; and asked are the cells that can change the score by
    themselves, or all when there is none. Their answers leave fewer doubts, and may bring up others. So nothing is
    asked only where the score is the same whichever of them is there.
    """
    board = {region: cell.mark for region, cell in cells.items()}
    choices: Choices = {}
    for region, cell in cells.items():
        marks = plausible_marks(cell)
        if marks is not None and len(marks) == 1:
            board[region] = marks[0]
        else:
            choices[region] = marks
    found = explore(board, choices, score_of, budget)
    first = frozenset[str]() if found.settled else found.cells & by_themselves(board, choices, score_of, budget)
    ask = tuple(region for region in cells if region in (first or found.cells))
    return Questions((found.low, found.high), ask, len(ask) < len(found.cells))


def plausible_marks(cell: CellReading) -> tuple[Mark, ...] | None:
    """What the cell may hold, the reading first, marks of equal effect once; None when it may hold anything."""
    if cell.mark.kind is Kind.UNREAD:
        return None
    if not cell.doubtful:
        return (cell.mark,)
    marks, covered = [cell.mark], cell.confidence
    for mark, p in cell.alternatives:
        if covered < ENOUGH:
            marks.append(mark)
            covered += p
    if covered < COVERED or any(mark.kind is Kind.UNREAD for mark in marks):
        return None
    return tuple(dict.fromkeys(GONE if mark.kind in (Kind.EMPTY, Kind.BLOCKED) else mark for mark in marks))
