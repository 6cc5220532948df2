"""SheetScores + prior -> :class:`DecodedSheet`: the most probable sheet, with posteriors and doubts.

Neighbouring cells tell one another what they think (``sheet_belief``), weighed by the prior. Joint readings are not
listed as for boards: on a sheet in faint pencil forty cells are in doubt, and what the best few thousand readings agree
on would look certain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.sheet import SIDES, Boxes, Sheet
from ontour_cv.vision.decode import LISTED, CellReading
from ontour_cv.vision.sheet_belief import LEAST, Tally, beliefs
from ontour_cv.vision.sheet_boxes import (
    BoxReading,
    blanks_by,
    circle_costs,
    open_costs,
    read_boxes,
    thought_over,
    written_number,
)  # fmt: skip
from ontour_cv.vision.sheet_glyphs import SheetScores
from ontour_cv.vision.sheet_missed import with_missed
from ontour_cv.vision.sheet_model import SheetModel
from ontour_cv.vision.sheet_prior import SheetPrior

Array = NDArray[np.float64]

MARKS: tuple[Mark, ...] = (
    Mark(Kind.EMPTY),
    Mark(Kind.BLOCKED),
    *(Mark(Kind.NUMBER, number) for number in range(1, SIDES + 1)),
    *(Mark(Kind.NUMBER, number, True) for number in range(1, SIDES + 1)),
    Mark(Kind.EMPTY, None, True),
    Mark(Kind.BLOCKED, None, True),
)
"""What a cell can hold; the order of the columns here."""

_PLAIN = np.array([k for k, mark in enumerate(MARKS) if mark.number is not None and not mark.circled])
"""Columns of ``MARKS`` that can be a player's slip beside its neighbours."""

SURE = 0.995
"""A cell is doubtful when its reading is less probable than this; for boards less is enough. Of 200 rendered sheets of
writers kept for choosing 0.04 instead of 0.05 % of the cells were silent errors, for 6 instead of 4 doubts a sheet."""


@dataclass(frozen=True, slots=True, eq=False)
class DecodedSheet:
    """A whole sheet as read: cells by id and boxes by token of the notation."""

    cells: Mapping[str, CellReading]
    boxes: Mapping[str, BoxReading]

    @property
    def sheet(self) -> Sheet:
        """The sheet without the doubts."""
        return sheet_of(self.cells, self.boxes)


def sheet_of(cells: Mapping[str, CellReading], boxes: Mapping[str, BoxReading]) -> Sheet:
    """The sheet that readings say."""
    board = BoardState({name: cell.mark for name, cell in cells.items()})
    return Sheet(board, Boxes(**{name: box.value for name, box in boxes.items()}))


def decode_sheet(
    scores: SheetScores, model: SheetModel, prior: SheetPrior, inside: NDArray[np.bool_],
    known: Mapping[str, Mark] | None = None,
) -> DecodedSheet:  # fmt: skip
    """The sheet as read.

    Args:
        scores: what the network thinks of each cell and box.
        model: the sheet.
        prior: what is known beforehand.
        inside: ``(P,)`` cells that the picture shows; others are left unread and doubtful.
        known: marks somebody vouches for; their neighbours in doubt are thought over with them.
    """
    boxes = read_boxes(scores, model, prior, inside)
    ids = model.ids[: model.cells]
    unary = label_scores(with_missed(scores, inside & (np.arange(len(model.ids)) < model.cells)), prior)[: model.cells]
    for name, mark in (known or {}).items():
        if mark in MARKS:
            unary[ids.index(name)] = np.where(np.arange(len(MARKS)) == MARKS.index(mark), 0.0, -1000.0)
    hidden = ~inside[: model.cells] & np.array([name not in (known or {}) for name in ids])
    row = model.ids.index("numXs")
    digits = (scores.tens[row], scores.ones[row]) if inside[row] else None
    posterior, (circles, blanks, uncounted) = _joint(unary, ids, prior, hidden, boxes, digits)
    boxes = thought_over(boxes, prior, circles, blanks)
    if digits is not None:
        boxes["x"] = written_number(*digits, None if uncounted is None else prior.counted * uncounted)
    unread = CellReading(Mark(Kind.UNREAD), 0.0, (), True)
    cells = {name: unread if hidden[k] else reading_of(posterior[k]) for k, name in enumerate(ids)}
    return DecodedSheet(cells, boxes)


def label_scores(scores: SheetScores, prior: SheetPrior) -> Array:
    """Log-probability of each of ``MARKS`` in each cell by itself, ``(P, 16)``, rows summing to one."""
    blank, number, cross = scores.kind.T
    free, ringed = scores.circled.T
    odd = ringed - prior.odd_circle_cost
    columns = [blank + free, cross + free]
    columns += [number + scores.digit[:, k] + free for k in range(SIDES)]
    columns += [number + scores.digit[:, k] + ringed for k in range(SIDES)]
    columns += [blank + odd, cross + odd]
    logs = np.stack(columns, axis=1)
    return np.asarray(logs - np.logaddexp.reduce(logs, axis=1, keepdims=True))


def reading_of(posterior: Array) -> CellReading:
    """A cell's reading from the probabilities of ``MARKS``."""
    order = np.argsort(-posterior, kind="stable")
    best = float(min(posterior[order[0]], 1.0))
    others = tuple((MARKS[k], float(posterior[k])) for k in order[1:] if posterior[k] >= LISTED)
    return CellReading(MARKS[order[0]], best, others, best < SURE)


def _joint(
    unary: Array, ids: Sequence[str], prior: SheetPrior, hidden: NDArray[np.bool_], boxes: Mapping[str, BoxReading],
    digits: tuple[Array, Array] | None,
) -> tuple[Array, list[Array | None]]:  # fmt: skip
    """Posterior of each label in each cell that is not hidden, ``(N, 16)``, all cells thought over together.

    And how many cells have a circle, how many are blank, and how many hold no number, as everything says but what is
    counted there; None where cells hide, or nothing is said of their number.
    """
    shown = np.flatnonzero(~hidden)
    place = {ids[int(k)]: n for n, k in enumerate(shown)}
    pairs = [(place[one], place[other]) for one, other in prior.neighbours if one in place and other in place]
    labels = [*MARKS, *(MARKS[k] for k in _PLAIN)]
    kinds = {
        "circled": [mark.circled for mark in labels],
        "blank": [mark.kind is Kind.EMPTY for mark in labels],
        "open": [mark.number is None for mark in labels],
    }
    costs = {"circled": circle_costs(len(shown), prior, boxes.get("guard"))}
    whole = not hidden.any()
    if whole and (chance := blanks_by(boxes, prior)) is not None:
        costs["blank"] = -np.log(np.maximum(chance, LEAST))
    if whole and digits is not None:
        costs["open"] = open_costs(len(shown), prior, *digits)
    tallies = [Tally(np.array(kinds[kind]), cost) for kind, cost in costs.items()]
    with_slips = np.hstack([unary[shown], unary[shown][:, _PLAIN] - prior.slip_cost])
    believed, told = beliefs(with_slips, pairs, prior.clash_cost * _clashes(prior.step), tallies)
    posterior = np.zeros_like(unary)
    posterior[shown] = believed[:, : len(MARKS)]
    posterior[np.ix_(shown, _PLAIN)] += believed[:, len(MARKS) :]
    counts = dict(zip(costs, told, strict=True)) if whole else {}
    return posterior, [counts.get(kind) for kind in kinds]


def _clashes(step: int) -> Array:
    """``(22, 22)``: 1 where two neighbours' marks clash; slips, behind ``MARKS``, clash with nothing."""
    labels = len(MARKS)
    out = np.zeros((labels + len(_PLAIN), labels + len(_PLAIN)))
    out[:labels, :labels] = [[float(_clash(a, b, step)) for b in range(labels)] for a in range(labels)]
    return out


def _clash(one: int, other: int, step: int) -> bool:
    a, b = MARKS[one], MARKS[other]
    if a.number is None or b.number is None or a.circled or b.circled:
        return False
    return abs(a.number - b.number) > step
