"""Rows of boxes and the written number of a sheet: what they say alone, and with what the cells say of them.

How many circles there are and how many guard boxes are crossed off go together, and so do blanks, rounds and dupes
(``SheetPrior``), and the Xs and blanks and the number written of them. The cells hear it as tallies (``sheet_belief``);
the boxes hear the other half of the same sums here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from ontour_cv.sheet import MOST
from ontour_cv.vision.decode import DOUBT, LISTED
from ontour_cv.vision.sheet_belief import LEAST
from ontour_cv.vision.sheet_glyphs import BOX_GROUPS, SheetScores
from ontour_cv.vision.sheet_model import SheetModel
from ontour_cv.vision.sheet_prior import BlanksOf, SheetPrior

Array = NDArray[np.float64]

TOLD_BY = ("rounds", "dupe")
"""The boxes that tell how many cells are filled: how many dice were rolled, and which of them were written twice."""

WIDEST = 99
"""Largest number that can be written."""


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
    return _best({k: float(p) for k, p in enumerate(chance)})


def circle_costs(cells: int, prior: SheetPrior, guard: BoxReading | None) -> Array:
    """What each number of circles costs, ``(cells + 1,)``, over all that the guard boxes may say."""
    costs = prior.circle_cost * np.maximum(0.0, np.arange(cells + 1) - prior.circles)
    if guard is not None:
        agreed = np.array([dict(_chances(guard)).get(n, 0.0) for n in range(cells + 1)])
        costs -= np.log(agreed + (1.0 - agreed) * np.exp(-prior.guard_cost))
    return np.asarray(costs)


def blanks_by(boxes: Mapping[str, BoxReading], prior: SheetPrior) -> Array | None:
    """How probable each number of blanks is, ``(cells + 1,)``, over all that the boxes may say.

    None where some of these boxes are not to be seen, or nothing is known.
    """
    if prior.blanks is None or any(name not in boxes for name in TOLD_BY):
        return None
    return np.asarray(sum(share * chance for _, share, chance in _stories(boxes, prior.blanks)))


def _stories(boxes: Mapping[str, BoxReading], blanks: BlanksOf) -> Iterator[tuple[tuple[int, ...], float, Array]]:
    """What the boxes of ``TOLD_BY`` may say: values, how probable together, and what follows for the blanks."""
    for values in product(*(_chances(boxes[name]) for name in TOLD_BY)):
        said = dict(zip(TOLD_BY, (int(value or 0) for value, _ in values), strict=True))
        yield tuple(said.values()), prod(p for _, p in values), blanks(said)


def _chances(box: BoxReading) -> list[tuple[int | None, float]]:
    return [(box.value, box.confidence), *box.alternatives]


def thought_over(
    boxes: Mapping[str, BoxReading], prior: SheetPrior, circles: Array | None, blanks: Array | None
) -> dict[str, BoxReading]:
    """The boxes once more, with what the cells say of them: a row in doubt is rather the one that fits the sheet.

    Args:
        boxes: the rows by themselves.
        prior: what is known beforehand.
        circles: ``(cells + 1,)`` how probable each number of circles is by the cells alone; None: not known.
        blanks: the same of blanks.
    """
    out = dict(boxes)
    if circles is not None and "guard" in boxes:
        free = circles * np.exp(-circle_costs(len(circles) - 1, prior, None))
        odd = float(np.exp(-prior.guard_cost))
        out["guard"] = _best(
            {v: p * float(odd * free.sum() + (1 - odd) * free[int(v or 0)]) for v, p in _chances(boxes["guard"])}
        )
    if blanks is not None and prior.blanks is not None:
        weights = [(values, p * float(chance @ blanks)) for values, p, chance in _stories(boxes, prior.blanks)]
        for k, name in enumerate(TOLD_BY):
            chance = dict.fromkeys((values[k] for values, _ in weights), 0.0)
            for values, p in weights:
                chance[values[k]] += p
            out[name] = _best(chance)
    return out


def open_costs(cells: int, prior: SheetPrior, tens: Array, ones: Array) -> Array:
    """What each number of Xs and blanks costs, ``(cells + 1,)``, over all that may be written as their number.

    Whoever counted right wrote that number; anybody may have written any, or none.

    Args:
        cells: how many there are.
        prior: what is known beforehand.
        tens: ``(11,)`` log-probabilities of the first digit written, as the network has them.
        ones: of the second.
    """
    nothing, chance = _spelt(tens, ones)
    counted = np.zeros(cells + 1)
    counted[: len(chance)] = chance[: cells + 1]
    any_or_none = nothing + (1.0 - prior.counted) * chance.sum()
    return np.asarray(-np.log(np.maximum(any_or_none + prior.counted * len(chance) * counted, LEAST)))


def written_number(tens: Array, ones: Array, expected: Array | None = None) -> BoxReading:
    """The written number; the last class of either head means that nothing stands there.

    Args:
        tens: ``(11,)`` log-probabilities.
        ones: the same.
        expected: how probable each number is because it is the one that was to be written; what is missing to 1 is
            shared by all numbers.
    """
    nothing, chance = _spelt(tens, ones)
    prior = np.zeros(len(chance))
    if expected is not None:
        prior[: len(expected)] = expected[: len(chance)]
    prior += (1.0 - prior.sum()) / len(prior)
    prior *= len(prior)  # beside nothing written, numbers as a whole are as probable as they look
    worth: dict[int | None, float] = {None: nothing}
    worth.update(enumerate((chance * prior).tolist()))
    return _best(worth)


def _spelt(tens: Array, ones: Array) -> tuple[float, Array]:
    """How probable it looks that nothing is written, and each number."""
    numbers = np.arange(min(WIDEST, MOST["x"]) + 1)
    chance = np.exp(tens[numbers // 10] + ones[numbers % 10])
    chance[:10] += np.exp(tens[10] + ones[:10])
    return float(np.exp(tens[10] + ones[10])), chance


def _best(chance: Mapping[int | None, float] | Mapping[int, float]) -> BoxReading:
    """The reading from what each value is worth."""
    total = sum(chance.values())
    (value, p), *others = sorted(((v, q / total) for v, q in chance.items()), key=lambda item: -item[1])
    return BoxReading(value, min(p, 1.0), tuple((v, q) for v, q in others if q >= LISTED))
