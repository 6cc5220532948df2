"""SheetScores + prior -> :class:`DecodedSheet`: the most probable sheet, with posteriors and doubts.

Cells read with certainty are taken as they are; the others are decoded together: a beam lists their most probable
joint readings, the prior weighs them, and their sum gives posteriors cell by cell, as for boards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.sheet import MOST, SIDES, Boxes, Sheet
from ontour_cv.vision.decode import DOUBT, LISTED, CellReading
from ontour_cv.vision.sheet_glyphs import BOX_GROUPS, SheetScores
from ontour_cv.vision.sheet_model import SheetModel

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

SURE, FLOOR, KEEP, BEAM = 0.9999, -14.0, 6, 1500
"""A cell more probable than this is not reconsidered; labels less probable (log) or further down are dropped; joint
readings kept."""

WIDEST = 99
"""Largest number that can be written."""


@dataclass(frozen=True, slots=True)
class SheetPrior:
    """What is known about sheets beforehand, as plain data: the camera does not know the rules. Costs are natural logs.

    Attributes:
        neighbours: pairs of cells between which numbers hardly ever differ by more than ``step``.
        step: that difference.
        clash_cost: of two uncircled neighbours that differ by more; a player's slip.
        circles: most circles there should be; each more costs ``circle_cost``.
        circle_cost: see there.
        guard_cost: of circles and crossed guard boxes that disagree in number.
        odd_circle_cost: of a circle round an X or round nothing.
        in_row: how probable the boxes of a token are crossed off from the first one on.
    """

    neighbours: tuple[tuple[str, str], ...] = ()
    step: int = 1
    clash_cost: float = 0.0
    circles: int = 50
    circle_cost: float = 0.0
    guard_cost: float = 0.0
    odd_circle_cost: float = 3.0
    in_row: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class BoxReading:
    """What a row of boxes says, or the written number: the value (None: nothing written), and how sure that is."""

    value: int | None
    confidence: float
    alternatives: tuple[tuple[int | None, float], ...]

    @property
    def doubtful(self) -> bool:
        """True when the value cannot be trusted by itself."""
        return self.confidence < DOUBT


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
    unary = label_scores(scores, prior)[: model.cells]
    for name, mark in (known or {}).items():
        if mark in MARKS:
            unary[ids.index(name)] = np.where(np.arange(len(MARKS)) == MARKS.index(mark), 0.0, -1000.0)
    hidden = ~inside[: model.cells] & np.array([name not in (known or {}) for name in ids])
    posterior = _joint(unary, ids, prior, hidden, boxes.get("guard"))
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
    return CellReading(MARKS[order[0]], best, others, best < DOUBT)


def _joint(
    unary: Array, ids: Sequence[str], prior: SheetPrior, hidden: NDArray[np.bool_], guard: BoxReading | None
) -> Array:
    """Posterior of each label in each cell, ``(N, 16)``, everything in doubt decoded together."""
    best = unary.argmax(axis=1)
    sure = np.exp(unary.max(axis=1)) > SURE
    links: dict[int, list[int]] = {k: [] for k in range(len(ids))}
    for one, other in prior.neighbours:
        a, b = ids.index(one), ids.index(other)
        links[a].append(b)
        links[b].append(a)
    # a cell that clashes with a neighbour is never taken for certain
    for k in range(len(ids)):
        if (
            any(_clash(best[k], best[n], prior.step) and not hidden[n] for n in links[k])
            and np.exp(unary[k].max()) < 1.0
        ):
            sure[k] = False
    open_cells = [k for k in range(len(ids)) if not sure[k] and not hidden[k]]
    fixed = {k: int(best[k]) for k in range(len(ids)) if sure[k] and not hidden[k]}
    rows, weights = _beam(unary, open_cells, fixed, links, prior, guard)
    posterior = np.zeros_like(unary)
    for k, label in fixed.items():
        posterior[k] = np.exp(unary[k])
        posterior[k, label] = max(posterior[k, label], SURE)
    for column, k in enumerate(open_cells):
        np.add.at(posterior[k], rows[:, column], weights)
    return posterior


def _beam(
    unary: Array, open_cells: Sequence[int], fixed: Mapping[int, int], links: Mapping[int, Sequence[int]],
    prior: SheetPrior, guard: BoxReading | None,
) -> tuple[NDArray[np.int64], Array]:  # fmt: skip
    """The most probable joint labels of the open cells ``(B, open)``, and their probabilities."""
    clash = prior.clash_cost * _clashes(prior.step)
    rows, costs = np.zeros((1, 0), dtype=np.int64), np.zeros(1)
    place = {k: column for column, k in enumerate(open_cells)}
    for column, k in enumerate(open_cells):
        labels = np.argsort(-unary[k], kind="stable")[:KEEP]
        labels = labels[unary[k, labels] > FLOOR]
        values = costs[:, None] + unary[k, labels]
        for n in links[k]:
            if n in fixed:
                values = values - clash[fixed[n], labels]
            elif n in place and place[n] < column:
                values = values - clash[rows[:, place[n]]][:, labels]
        best = np.argsort(-values, axis=None, kind="stable")[:BEAM]
        before, chosen = np.unravel_index(best, values.shape)
        rows = np.column_stack([rows[before], labels[chosen]])
        costs = values[before, chosen]
    ringed = np.array([mark.circled for mark in MARKS])
    counts = sum(ringed[v] for v in fixed.values()) + ringed[rows].sum(axis=1)
    costs = costs - np.array([_circle_cost(int(n), prior, guard) for n in range(len(unary) + 1)])[counts]
    weights = np.exp(costs - costs.max())
    return rows, weights / weights.sum()


def _clashes(step: int) -> Array:
    """``(16, 16)``: 1 where two neighbours' marks clash."""
    return np.array([[float(_clash(a, b, step)) for b in range(len(MARKS))] for a in range(len(MARKS))])


def _clash(one: int, other: int, step: int) -> bool:
    a, b = MARKS[one], MARKS[other]
    if a.number is None or b.number is None or a.circled or b.circled:
        return False
    return abs(a.number - b.number) > step


def _circle_cost(circles: int, prior: SheetPrior, guard: BoxReading | None) -> float:
    cost = prior.circle_cost * max(0, circles - prior.circles)
    if guard is None:
        return cost
    agreed = dict([(guard.value, guard.confidence), *guard.alternatives]).get(circles, 0.0)
    return cost - float(np.log(agreed + (1.0 - agreed) * np.exp(-prior.guard_cost)))


def read_boxes(
    scores: SheetScores, model: SheetModel, prior: SheetPrior, inside: NDArray[np.bool_]
) -> dict[str, BoxReading]:
    """What the boxes say, by token; rows that the picture does not show whole are left out."""
    out: dict[str, BoxReading] = {}
    for name, boxes in BOX_GROUPS.items():
        rows = [model.ids.index(box) for box in boxes]
        if inside[rows].all():
            out[name] = _count(scores.crossed[rows], (prior.in_row or {}).get(name, 0.0))
    row = model.ids.index("numXs")
    if inside[row]:
        out["x"] = _written(scores.tens[row], scores.ones[row])
    return out


def _count(crossed: Array, in_row: float) -> BoxReading:
    """How many boxes of a row are crossed off; every number of them is as probable beforehand."""
    boxes = len(crossed)
    chance = np.zeros(boxes + 1)
    patterns = np.array(list(product((0, 1), repeat=boxes)))
    counts = patterns.sum(axis=1)
    first = np.array([bool((np.diff(row) <= 0).all()) for row in patterns])
    many = np.bincount(counts, minlength=boxes + 1)[counts]
    weight = np.where(first, in_row + (1 - in_row) / many, (1 - in_row) / many)
    logs = crossed[np.arange(boxes)[None], patterns].sum(axis=1)
    np.add.at(chance, counts, weight * np.exp(logs - logs.max()))
    return _best({k: float(p) for k, p in enumerate(chance / chance.sum())})


def _written(tens: Array, ones: Array) -> BoxReading:
    """The written number; the last class of either head means that nothing stands there."""
    chance: dict[int | None, float] = {None: float(np.exp(tens[10] + ones[10]))}
    for number in range(min(WIDEST, MOST["x"]) + 1):
        ten, one = divmod(number, 10)
        p = float(np.exp(tens[ten] + ones[one]))
        if ten == 0:
            p += float(np.exp(tens[10] + ones[one]))
        chance[number] = p
    total = sum(chance.values())
    return _best({value: p / total for value, p in chance.items()})


def _best(chance: Mapping[int | None, float] | Mapping[int, float]) -> BoxReading:
    order = sorted(chance.items(), key=lambda item: -item[1])
    value, p = order[0]
    return BoxReading(value, min(p, 1.0), tuple((v, q) for v, q in order[1:] if q >= LISTED))
