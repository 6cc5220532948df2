"""Several photos of one board -> one :class:`Reading`: log-likelihoods added cell by cell, with care.

Two photos of the same ink are no two witnesses: a 1 that looks like a 7 looks like one in both, and plain adding would
count it twice. So photos are pooled log-linearly (Genest & Zidek 1986, "Combining probability distributions"): a
weighted mean of their log-probabilities, made only a little surer than one photo is. What photos do differ in, glare,
blur and size, goes into the weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.clarity import disc_radius_px, washed_out
from ontour_cv.vision.decode import decode
from ontour_cv.vision.glyphs import KINDS, GlyphScores, certainty, log_softmax
from ontour_cv.vision.prior import Prior
from ontour_cv.vision.read import Reading

Weights = NDArray[np.float64]

_NUMBER = KINDS.index("number")
_BLANK = 100 + KINDS.index("empty")


@dataclass(frozen=True, slots=True)
class PoolSettings:
    """How photos are weighed. Tuned on writers kept for validation; ``docs/several.md`` has the measurement.

    Attributes:
        gain: ``n`` equally good views are worth ``n ** gain`` of one: 1 would add them as independent, 0 is their mean.
        washed: weight of a cell that glare seems to cover, beside one that is clear.
        clarity: power of a photo's mean confidence in its weight.
        same_view: photos whose discs lie within this many disc radii of each other are one view.
    """

    gain: float = 0.1
    washed: float = 0.1
    clarity: float = 4.0
    same_view: float = 1.0


def combine(readings: Sequence[Reading], prior: Prior, settings: PoolSettings | None = None) -> Reading:
    """One reading of a board from several photos of it, whatever their order.

    Photo, placement and crops are those of the clearest photo; a cell outside of it counts as inside when another
    photo shows it. One photo, or the same one many times, gives what it gives alone.

    Args:
        readings: at least one, all of the same map.
        prior: what the rules say about boards in general.
        settings: how photos are weighed.

    Raises:
        ValueError: no reading at all, or readings of different maps.
    """
    if not readings or len({reading.scores.ids for reading in readings}) > 1:
        raise ValueError("readings of one map are needed")
    order = sorted(readings, key=lambda reading: (-_clarity(reading), reading.photo.name))
    best = order[0]
    if len(order) == 1:
        return best
    scores = pool([reading.scores for reading in order], weigh(order, settings or PoolSettings()))
    cells = {
        region: replace(place, inside=any(reading.placement.cells[region].inside for reading in order))
        for region, place in best.placement.cells.items()
    }
    unseen = {region for region, place in cells.items() if not place.inside}
    timings: dict[str, float] = {}
    for stage in best.timings_ms:
        timings[stage] = sum(reading.timings_ms.get(stage, 0.0) for reading in readings)
    return replace(
        best,
        placement=replace(best.placement, cells=cells),
        scores=scores,
        decoded=decode(scores, prior, unseen),
        timings_ms=timings,
    )


def pool(scores: Sequence[GlyphScores], weights: Weights) -> GlyphScores:
    """The weighted sum of log-probabilities, normalised anew.

    Args:
        scores: of each photo, ``P`` of them.
        weights: ``(P, N)``, one for each photo and cell.
    """
    kind, number, circled = (
        log_softmax(np.einsum("pn,pnk->nk", weights, np.stack(parts)))
        for parts in (
            [s.kind for s in scores],
            [s.number for s in scores],
            [s.circled for s in scores],
        )
    )
    return GlyphScores(scores[0].ids, kind, number, circled, scores[0].places)


def weigh(readings: Sequence[Reading], settings: PoolSettings) -> Weights:
    """The weight of each photo in each cell, ``(P, N)``; a cell's weights sum to between 1 and ``views ** gain``."""
    groups = views(readings, settings.same_view)
    raw = []
    for k, reading in enumerate(readings):
        inside = np.array([place.inside for place in reading.placement.cells.values()], dtype=np.float64)
        clear = np.where(washed_out(reading.crops), settings.washed, 1.0)
        raw.append(_clarity(reading) ** settings.clarity * inside * clear / groups.count(groups[k]))
    return shared(np.array(raw), groups, settings.gain)


def shared(weights: Weights, groups: Sequence[int], gain: float) -> Weights:
    """Weights ``(P, N)`` brought to a sum of between 1 and ``views ** gain`` for each cell."""
    weights[:, weights.sum(axis=0) == 0] = 1.0
    by_view = np.array([weights[[g == view for g in groups]].sum(axis=0) for view in sorted(set(groups))])
    total = by_view.sum(axis=0)
    return np.asarray(weights / total * (total / by_view.max(axis=0)) ** gain)


def views(readings: Sequence[Reading], same_view: float) -> list[int]:
    """Number of the view each photo shows; photos that see every disc at the same place of the frame share one."""
    places = []
    for reading in readings:
        height, width = reading.photo.bgr.shape[:2]
        centres = np.array([place.centre_photo for place in reading.placement.cells.values()])
        side = float(np.hypot(height, width))
        places.append((centres / side, disc_radius_px(reading.placement) / side))
    return same_views(places, same_view)


def same_views(places: Sequence[tuple[NDArray[np.float64], float]], same_view: float) -> list[int]:
    """Number of the view of each photo, from the places of its cells ``(N, 2)`` and their size, of the frame's side."""
    groups = list(range(len(places)))
    for a, (spots, radius) in enumerate(places):
        for b in range(a):
            apart = float(np.median(np.linalg.norm(spots - places[b][0], axis=1)))
            if apart < same_view * min(radius, places[b][1]):
                old, new = groups[a], groups[b]
                groups = [new if group == old else group for group in groups]
    return groups


CLEAR = 0.8
"""Cells read with at least this probability in two photos tell whether both show the same board."""

MOST_DIFFERENT, LEAST_DIFFERENT = 0.25, 3
"""Two photos show different boards when more than this share of their clear cells differ, and at least so many.

Of 129 pairs of hard photos of one board the worst differed in 8 % of them, of 990 pairs of photos of different boards
the most alike in 81 %.
"""


def another_board(one: Reading, other: Reading) -> bool:
    """True when two photos contradict each other so much that they cannot show the same board."""
    here, there = _marks(one.scores), _marks(other.scores)
    clear = (certainty(one.scores) >= CLEAR) & (certainty(other.scores) >= CLEAR)
    written = (here != _BLANK) | (there != _BLANK)  # all blank boards are alike
    told = clear & written & ~_hidden(one) & ~_hidden(other)
    different = int((here != there)[told].sum())
    return different >= LEAST_DIFFERENT and different > MOST_DIFFERENT * int(told.sum())


def _marks(scores: GlyphScores) -> NDArray[np.int_]:
    """The likeliest mark of each cell by itself, ``(N,)``: a number, or 100 and the column of its kind."""
    kind = scores.kind.argmax(axis=1)
    return np.asarray(np.where(kind == _NUMBER, scores.number.argmax(axis=1), 100 + kind), dtype=np.int_)


def _hidden(reading: Reading) -> NDArray[np.bool_]:
    outside = np.array([not place.inside for place in reading.placement.cells.values()], dtype=np.bool_)
    return np.asarray(outside | washed_out(reading.crops))


def _clarity(reading: Reading) -> float:
    """Mean probability of the likeliest mark over the cells the photo shows, 0-1."""
    inside = np.array([place.inside for place in reading.placement.cells.values()], dtype=np.bool_)
    return float(certainty(reading.scores)[inside].mean()) if inside.any() else 0.0
