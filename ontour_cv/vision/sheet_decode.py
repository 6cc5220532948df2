"""SheetScores + prior -> :class:`DecodedSheet`: the most probable sheet, with posteriors and doubts.

Neighbouring cells tell one another what they think (``sheet_belief``), weighed by the prior. Joint readings are not
listed as for boards: on a sheet in faint pencil forty cells are in doubt, and what the best few thousand readings agree
on would look certain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.sheet import MOST, SIDES, Boxes, Sheet
from ontour_cv.vision.decode import DOUBT, LISTED, CellReading
from ontour_cv.vision.sheet_belief import LEAST, Tally, beliefs
from ontour_cv.vision.sheet_glyphs import BOX_GROUPS, SheetScores
from ontour_cv.vision.sheet_missed import with_missed
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

_PLAIN = np.array([k for k, mark in enumerate(MARKS) if mark.number is not None and not mark.circled])
"""Columns of ``MARKS`` that can be a player's slip beside its neighbours."""

SURE = 0.995
"""A cell is doubtful when its reading is less probable than this; for boards less is enough. Of 200 rendered sheets of
writers kept for choosing 0.04 instead of 0.05 % of the cells were silent errors, for 6 instead of 4 doubts a sheet."""

TOLD_BY = ("rounds", "dupe")
"""The boxes that tell how many cells are filled: how many dice were rolled, and which of them were written twice."""

WIDEST = 99
"""Largest number that can be written."""


BlanksOf = Callable[[Mapping[str, int]], Array]
"""Boxes crossed off, by token, to the probability of each number of blank cells, ``(cells + 1,)``."""


@dataclass(frozen=True, slots=True)
class SheetPrior:
    """What is known about sheets beforehand, told by who knows the rules: the camera does not. Costs are natural logs.

    Attributes:
        neighbours: pairs of cells between which numbers hardly ever differ by more than ``step``.
        step: that difference.
        clash_cost: of two uncircled neighbours that differ by more, none of them a slip.
        slip_cost: of a number that is a player's slip: it may clash with its neighbours, however many they are.
        circles: most circles there should be; each more costs ``circle_cost``.
        circle_cost: see there.
        guard_cost: of circles and crossed guard boxes that disagree in number.
        odd_circle_cost: of a circle round an X or round nothing.
        in_row: how probable the boxes of a token are crossed off from the first one on.
        counted: how probable a written number is that of the Xs and blanks on the sheet; else it is any.
        blanks: how probable each number of blanks is, from the crossed boxes; None: nothing is known of it.
    """

    neighbours: tuple[tuple[str, str], ...] = ()
    step: int = 1
    clash_cost: float = 0.0
    slip_cost: float = float("inf")
    circles: int = 50
    circle_cost: float = 0.0
    guard_cost: float = 0.0
    odd_circle_cost: float = 3.0
    in_row: Mapping[str, float] | None = None
    counted: float = 0.0
    blanks: BlanksOf | None = None


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
    unary = label_scores(with_missed(scores, inside & (np.arange(len(model.ids)) < model.cells)), prior)[: model.cells]
    for name, mark in (known or {}).items():
        if mark in MARKS:
            unary[ids.index(name)] = np.where(np.arange(len(MARKS)) == MARKS.index(mark), 0.0, -1000.0)
    hidden = ~inside[: model.cells] & np.array([name not in (known or {}) for name in ids])
    posterior = _joint(unary, ids, prior, hidden, boxes)
    row = model.ids.index("numXs")
    if inside[row]:
        expected = None if hidden.any() else prior.counted * open_cells(posterior)
        boxes["x"] = _written(scores.tens[row], scores.ones[row], expected)
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
    unary: Array, ids: Sequence[str], prior: SheetPrior, hidden: NDArray[np.bool_], boxes: Mapping[str, BoxReading]
) -> Array:
    """Posterior of each label in each cell that is not hidden, ``(N, 16)``, all cells thought over together."""
    shown = np.flatnonzero(~hidden)
    place = {ids[int(k)]: n for n, k in enumerate(shown)}
    pairs = [(place[one], place[other]) for one, other in prior.neighbours if one in place and other in place]
    labels = [*MARKS, *(MARKS[k] for k in _PLAIN)]
    circles = np.array([_circle_cost(n, prior, boxes.get("guard")) for n in range(len(shown) + 1)])
    tallies = [Tally(np.array([mark.circled for mark in labels]), circles)]
    if prior.blanks is not None and not hidden.any():
        chance = _blanks(prior.blanks, boxes)
        if chance is not None:
            blank = np.array([mark.kind is Kind.EMPTY for mark in labels])
            tallies.append(Tally(blank, -np.log(np.maximum(chance, LEAST))))
    with_slips = np.hstack([unary[shown], unary[shown][:, _PLAIN] - prior.slip_cost])
    believed = beliefs(with_slips, pairs, prior.clash_cost * _clashes(prior.step), tallies)
    posterior = np.zeros_like(unary)
    posterior[shown] = believed[:, : len(MARKS)]
    posterior[np.ix_(shown, _PLAIN)] += believed[:, len(MARKS) :]
    return posterior


def _blanks(blanks: BlanksOf, boxes: Mapping[str, BoxReading]) -> Array | None:
    """How probable each number of blanks is, over all that the boxes may say; None where some are not to be seen."""
    if any(name not in boxes for name in TOLD_BY):
        return None
    chance = np.zeros(1)
    rows = [[(boxes[name].value, boxes[name].confidence), *boxes[name].alternatives] for name in TOLD_BY]
    for found in product(*rows):
        crossed = {name: int(value or 0) for name, (value, _) in zip(TOLD_BY, found, strict=True)}
        chance = chance + prod(p for _, p in found) * blanks(crossed)
    return chance


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


def _circle_cost(circles: int, prior: SheetPrior, guard: BoxReading | None) -> float:
    cost = prior.circle_cost * max(0, circles - prior.circles)
    if guard is None:
        return cost
    agreed = dict([(guard.value, guard.confidence), *guard.alternatives]).get(circles, 0.0)
    return cost - float(np.log(agreed + (1.0 - agreed) * np.exp(-prior.guard_cost)))


def read_boxes(
    scores: SheetScores, model: SheetModel, prior: SheetPrior, inside: NDArray[np.bool_]
) -> dict[str, BoxReading]:
    """What the rows of boxes say, by token; those that the picture does not show whole are left out."""
    out: dict[str, BoxReading] = {}
    for name, boxes in BOX_GROUPS.items():
        rows = [model.ids.index(box) for box in boxes]
        if inside[rows].all():
            out[name] = _count(scores.crossed[rows], (prior.in_row or {}).get(name, 0.0))
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


def open_cells(posterior: Array) -> Array:
    """How probable each number of Xs and blanks is, ``(N + 1,)``, from the posterior ``(N, 16)`` of the cells."""
    numbered = np.array([mark.number is not None for mark in MARKS])
    chance = np.ones(1)
    for p in posterior[:, ~numbered].sum(axis=1).clip(0.0, 1.0):
        chance = np.append(chance * (1 - p), 0.0) + np.append(0.0, chance * p)
    return chance


def _written(tens: Array, ones: Array, expected: Array | None = None) -> BoxReading:
    """The written number; the last class of either head means that nothing stands there.

    Args:
        tens: ``(11,)`` log-probabilities.
        ones: the same.
        expected: how probable each number is because it is the one that was to be written; what is missing to 1 is
            shared by all numbers.
    """
    most = min(WIDEST, MOST["x"])
    prior = np.zeros(most + 1)
    if expected is not None:
        prior[: len(expected)] = expected[: most + 1]
    prior += (1.0 - prior.sum()) / len(prior)
    prior *= len(prior)  # beside nothing written, numbers as a whole are as probable as they look
    chance: dict[int | None, float] = {None: float(np.exp(tens[10] + ones[10]))}
    for number in range(most + 1):
        ten, one = divmod(number, 10)
        p = float(np.exp(tens[ten] + ones[one]))
        if ten == 0:
            p += float(np.exp(tens[10] + ones[one]))
        chance[number] = p * float(prior[number])
    total = sum(chance.values())
    return _best({value: p / total for value, p in chance.items()})


def _best(chance: Mapping[int | None, float] | Mapping[int, float]) -> BoxReading:
    order = sorted(chance.items(), key=lambda item: -item[1])
    value, p = order[0]
    return BoxReading(value, min(p, 1.0), tuple((v, q) for v, q in order[1:] if q >= LISTED))
