"""High numbers stand together: where on the map a number is read says something about what it is.

A tour rises, so players keep low numbers at one end of the map and high ones at the other, or round a bend. A digit
that may be a 1 or a 7 leaves 60 between the two readings of its number, and what stands around it tells them apart. It
is a witness of its own: the pen does not know where it writes.

The numbers read for sure are taken as a Gaussian process over the map (Rasmussen & Williams 2006, "Gaussian processes
for machine learning", chapter 2 and section 5.4.2 for leaving one out): a plain slope, a smooth landscape, and scatter,
in several mixtures weighed by how well each explains this very board. One of them is no trend at all, so a board
without one, by a player with other ideas, is read as it was. What a number may be besides makes it a measurement with a
spread of its own: a 14 that may be a 74 says little, one that may be a 16 nearly all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NUMBERS = 100
"""Numbers 0 to 99."""

TRUSTED = 0.9
"""Numbers read with this probability make the landscape."""

LEAST = 8
"""With fewer of them there is nothing to be seen."""

DISBELIEF = 0.1
"""Weight of a number that follows no trend at all, whatever the rest does."""

NO_TREND = 0.1
"""Prior weight of a board without any trend."""

MEAN, VARIANCE = 49.5, 833.25
"""Of a number 0-99 of which nothing is known."""


@dataclass(frozen=True, slots=True)
class Mixture:
    """One idea of how numbers lie on a map; shares of the variance sum to 1.

    Attributes:
        slope: share of a plain slope in some direction.
        smooth: share of a smooth landscape.
        scatter: share of what follows no law.
        reach: how far the landscape reaches, in standard deviations of the cells' places.
    """

    slope: float
    smooth: float
    scatter: float
    reach: float


MIXTURES = tuple(
    Mixture(slope * (1.0 - scatter), (1.0 - slope) * (1.0 - scatter), scatter, reach)
    for scatter in (0.12, 0.3, 0.55, 0.8)
    for slope, reach in ((0.7, 0.6), (0.3, 1.0), (0.3, 0.4))
)
"""Ideas of equal prior weight. On 150 played boards (``synth.play``) they tell 0.30 nats a number, on a quarter of the
boards nothing; half or twice as many ideas hardly differ."""


def trend(certain: NDArray[np.float64], places: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much likelier than usual each number is in each cell, by what stands in the others, ``(N, 100)`` logs.

    Args:
        certain: ``(N, 100)`` probability of each number in each cell.
        places: ``(N, 2)`` where the cells lie on the board, in any unit.
    """
    out = np.zeros((len(certain), NUMBERS))
    known = np.flatnonzero(certain.max(axis=1, initial=0.0) >= TRUSTED)
    if len(known) < LEAST or not np.ptp(places, axis=0).all():
        return out
    ground = (places - places.mean(axis=0)) / places.std()
    heights, doubts = _measured(certain[known])
    parts = [_landscape(mixture, ground, known, heights, doubts) for mixture in MIXTURES]
    logs = [evidence + np.log((1.0 - NO_TREND) / len(MIXTURES)) for evidence, _ in parts]
    logs.append(np.log(NO_TREND) - len(known) * np.log(NUMBERS))
    weights = np.exp(np.array(logs) - max(logs))
    weights /= weights.sum()
    told = sum(weight * density for weight, (_, density) in zip(weights, parts, strict=False)) + weights[-1] / NUMBERS
    return np.asarray(np.log(NUMBERS * (1.0 - DISBELIEF) * told + DISBELIEF), dtype=np.float64)


def _measured(chances: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean above ``MEAN`` and variance of numbers with these probabilities ``(K, 100)``; no number is anything."""
    some = chances.sum(axis=1)
    numbers, shares = np.arange(NUMBERS) - MEAN, chances / some[:, None]
    heights = shares @ numbers
    return heights, shares @ numbers**2 - heights**2 + VARIANCE * np.maximum(1.0 - some, 0.0)


def _landscape(
    mixture: Mixture,
    ground: NDArray[np.float64],
    known: NDArray[np.int_],
    heights: NDArray[np.float64],
    doubts: NDArray[np.float64],
) -> tuple[float, NDArray[np.float64]]:
    """Log-evidence of the known heights, and the probability of each number in each cell, itself left out."""
    apart = ((ground[:, None] - ground[None]) ** 2).sum(axis=-1)
    sloping = ground @ ground.T / (ground**2).sum(axis=1).mean()
    kernel = VARIANCE * (mixture.slope * sloping + mixture.smooth * np.exp(-apart / (2.0 * mixture.reach**2)))
    inverse = np.linalg.inv(kernel[np.ix_(known, known)] + np.diag(VARIANCE * mixture.scatter + doubts))
    pull = inverse @ heights
    evidence = 0.5 * (np.linalg.slogdet(inverse)[1] - heights @ pull - len(known) * np.log(2.0 * np.pi))
    towards = kernel[:, known]
    mean = towards @ pull
    spread = kernel.diagonal() + VARIANCE * mixture.scatter - np.einsum("ij,jk,ik->i", towards, inverse, towards)
    alone = inverse.diagonal()
    mean[known], spread[known] = heights - pull / alone, np.maximum(1.0 / alone - doubts, 1.0)
    numbers = np.arange(NUMBERS) - MEAN
    density = np.exp(-0.5 * (numbers - mean[:, None]) ** 2 / spread[:, None])
    return float(evidence), np.asarray(density / density.sum(axis=1, keepdims=True), dtype=np.float64)
