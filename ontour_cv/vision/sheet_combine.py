"""Several photos of one sheet -> one :class:`SheetReading`: pooled as photos of boards are (``vision.combine``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.combine import (
    CLEAR,
    LEAST_DIFFERENT,
    MOST_DIFFERENT,
    PoolSettings,
    Weights,
    same_views,
    shared,
)
from ontour_cv.vision.glyphs import log_softmax
from ontour_cv.vision.sheet_decode import decode_sheet
from ontour_cv.vision.sheet_glyphs import SHEET_KINDS, SheetScores
from ontour_cv.vision.sheet_prior import SheetPrior
from ontour_cv.vision.sheet_read import SheetReading

_BLANK, _NUMBER = SHEET_KINDS.index("blank"), SHEET_KINDS.index("number")


def combine_sheets(
    readings: Sequence[SheetReading], prior: SheetPrior, settings: PoolSettings | None = None
) -> SheetReading:
    """One reading of a sheet from several photos of it, whatever their order.

    Photo, placement and crops are those of the clearest photo; a cell outside of it counts as inside when another
    photo shows it. One photo, or the same one many times, gives what it gives alone.

    Args:
        readings: at least one, all of the same sheet.
        prior: what the rules say about sheets in general.
        settings: how photos are weighed; as for boards when None.

    Raises:
        ValueError: no reading at all, or readings of different sheets.
    """
    if not readings or len({reading.placement.model.map for reading in readings}) > 1:
        raise ValueError("readings of one sheet are needed")
    order = sorted(readings, key=lambda reading: (-_clarity(reading), reading.photo.name))
    best = order[0]
    if len(order) == 1:
        return best
    scores = pool_sheets([reading.scores for reading in order], _weigh(order, settings or PoolSettings()))
    inside = np.any([reading.crops.inside for reading in order], axis=0)
    stages = best.timings_ms
    return replace(
        best,
        crops=replace(best.crops, inside=inside),
        scores=scores,
        decoded=decode_sheet(scores, best.placement.model, prior, inside),
        timings_ms={stage: sum(r.timings_ms.get(stage, 0.0) for r in readings) for stage in stages},
    )


def pool_sheets(scores: Sequence[SheetScores], weights: Weights) -> SheetScores:
    """The weighted sum of log-probabilities, normalised anew; ``weights`` is ``(P, N)``, for each photo and cell."""
    heads = {
        head.name: log_softmax(np.einsum("pn,pnk->nk", weights, np.stack([getattr(s, head.name) for s in scores])))
        for head in fields(SheetScores)
    }
    return SheetScores(**heads)


def another_sheet(one: SheetReading, other: SheetReading) -> bool:
    """True when two photos contradict each other so much that they cannot show the same sheet; bounds as for boards."""
    here, there = _marks(one), _marks(other)
    clear = (_sure(one) >= CLEAR) & (_sure(other) >= CLEAR) & _inside(one) & _inside(other)
    told = clear & ((here != 0) | (there != 0))  # all blank sheets are alike
    different = int((here != there)[told].sum())
    return different >= LEAST_DIFFERENT and different > MOST_DIFFERENT * int(told.sum())


def _weigh(readings: Sequence[SheetReading], settings: PoolSettings) -> Weights:
    """The weight of each photo in each cell and box, ``(P, N)``."""
    places = []
    for reading in readings:
        side = float(np.hypot(*reading.photo.bgr.shape[:2]))
        model = reading.placement.model
        spots = reading.placement.warp.apply(model.middles)
        size = float(np.median(reading.crops.px_per_width[: model.cells] * model.reach[: model.cells]))
        places.append((spots / side, size / side))
    groups = same_views(places, settings.same_view)
    raw = [
        _clarity(reading) ** settings.clarity * reading.crops.inside.astype(np.float64) / groups.count(group)
        for reading, group in zip(readings, groups, strict=True)
    ]
    return shared(np.array(raw), groups, settings.gain)


def _cells(reading: SheetReading) -> slice:
    return slice(0, reading.placement.model.cells)


def _inside(reading: SheetReading) -> NDArray[np.bool_]:
    return np.asarray(reading.crops.inside[_cells(reading)], dtype=np.bool_)


def _marks(reading: SheetReading) -> NDArray[np.int_]:
    """The likeliest mark of each state by itself, ``(cells,)``: 0 blank, 1-6, 7 for an X."""
    kind = reading.scores.kind[_cells(reading)].argmax(axis=1)
    digit = reading.scores.digit[_cells(reading)].argmax(axis=1) + 1
    return np.asarray(np.where(kind == _NUMBER, digit, np.where(kind == _BLANK, 0, 7)), dtype=np.int_)


def _sure(reading: SheetReading) -> NDArray[np.float64]:
    """Probability of the likeliest mark of each state by itself, ``(cells,)``."""
    kind, digit = reading.scores.kind[_cells(reading)], reading.scores.digit[_cells(reading)]
    number = np.where(kind.argmax(axis=1) == _NUMBER, digit.max(axis=1), 0.0)
    return np.asarray(np.exp(kind.max(axis=1) + number))


def _clarity(reading: SheetReading) -> float:
    """Mean probability of the likeliest mark over the states the photo shows, 0-1."""
    inside = _inside(reading)
    return float(_sure(reading)[inside].mean()) if inside.any() else 0.0
