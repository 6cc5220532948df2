"""What was drawn on a board of New York, seen in several photos -> one :class:`CityInkReading`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.city_read import CityInkReading
from ontour_cv.vision.combine import PoolSettings

Choice = TypeVar("Choice", str, int)

LEAST = 1e-3
"""No photo speaks more strongly than this against anything: a line may be under glare, a box in a fold."""


def combine_ink(
    readings: Sequence[CityInkReading], settings: PoolSettings | None = None, washed: Sequence[Collection[str]] = ()
) -> CityInkReading:
    """What several photos of one board show together, whatever their order.

    Photos are pooled as those of discs are (``vision.combine``): the mean of their log-probabilities, made a little
    surer. A soloist's boxes, ferries or rows that some photos do not show are taken from the others.

    Args:
        readings: at least one, all of the same map; one gives itself.
        settings: how photos are weighed; ``gain`` alone is used.
        washed: for each reading the regions whose discs glare seems to cover; what stands beside them is asked of the
            other photos, where there is one that shows it.

    Raises:
        ValueError: no reading at all.
    """
    if not readings:
        raise ValueError("at least one reading is needed")
    if len(readings) == 1:
        return readings[0]
    gain = (settings or PoolSettings()).gain
    covered = [frozenset(regions) for regions in washed] or [frozenset[str]()] * len(readings)
    regions = [region for reading in readings for region in reading.soloists]
    pairs = dict.fromkeys(pair for reading in readings for pair in reading.ferries)
    letters = [letter for reading in readings for letter in reading.rows]
    return CityInkReading(
        soloists={region: _pooled(_shown(region, readings, covered), gain) for region in dict.fromkeys(regions)},
        ferries={pair: _drawn([r.ferries[pair] for r in readings if pair in r.ferries], gain) for pair in pairs},
        rows={
            letter: _pooled([r.rows[letter] for r in readings if letter in r.rows], gain)
            for letter in dict.fromkeys(letters)
        },
        unshown=tuple(pair for pair in readings[0].unshown if pair not in pairs),
    )


def _shown(
    region: str, readings: Sequence[CityInkReading], covered: Sequence[Collection[str]]
) -> list[Mapping[str, float]]:
    """What the photos show of a region's soloist: those without glare there, or all that have it in the picture."""
    inside = [(r.soloists[region], glare) for r, glare in zip(readings, covered, strict=True) if region in r.soloists]
    return [found for found, glare in inside if region not in glare] or [found for found, _ in inside]


def _pooled(tables: Sequence[Mapping[Choice, float]], gain: float) -> dict[Choice, float]:
    """Probabilities of the same choices from several photos as one."""
    choices = list(tables[0])
    seen = np.array([[table[choice] for choice in choices] for table in tables])
    together = np.exp(_surer(np.log(np.maximum(seen, LEAST)), gain))
    return {choice: float(p) for choice, p in zip(choices, together / together.sum(), strict=True)}


def _drawn(chances: Sequence[float], gain: float) -> float:
    """Probability that a ferry is drawn."""
    return _pooled([{1: chance, 0: 1 - chance} for chance in chances], gain)[1]


def _surer(logs: NDArray[np.float64], gain: float) -> NDArray[np.float64]:
    """Log-probabilities ``(P, K)`` of ``P`` photos -> ``(K,)``: ``P`` views are worth ``P ** gain`` of one."""
    return np.asarray(logs.mean(axis=0) * len(logs) ** gain)
