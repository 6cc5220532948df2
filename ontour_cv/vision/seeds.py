"""The setup circles some rolls as a whole, a number and its reverse: what that says of a board's circles.

So at least as many reversed pairs are circled on both sides as the setup has rolls, two on the published boards. Where
fewer seem to be, those whose circles are in doubt are likelier to have them; where enough are without doubt, nothing
changes. Each pair is taken to be circled apart from the others, so how many are follows the distribution of a sum of
unlike coin tosses (Poisson 1837), worked out exactly (Chen and Liu 1997, the recursion over the summands).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.left_over import NUMBERS, REVERSED

FORGOTTEN = 0.05
"""How probable boards are on which fewer pairs are circled than the setup has rolls, beside all others: players forget
circles, or leave them out."""

SURE = 1e-12
"""Nothing is surer than this."""

Array = NDArray[np.float64]

_FIRST = np.flatnonzero(np.arange(NUMBERS) < REVERSED[:NUMBERS])
"""The lesser number of each of the 45 pairs."""


def seeded(circled: Array, numbers: Array, rolls: int) -> Array:
    """How probable a circle is in each cell, the setup known, ``(N, 2)``: none, one.

    Args:
        circled: ``(N, 2)`` the same of each cell by itself.
        numbers: ``(N, 100)`` how probable each number is in it.
        rolls: so many rolls the setup has.
    """
    if rolls < 1 or len(circled) == 0:
        return circled
    chance = np.clip(circled[:, 1], SURE, 1 - SURE)
    not_here = np.clip(1.0 - numbers * chance[:, None], SURE, 1.0)
    nowhere = np.exp(np.log(not_here).sum(axis=0))
    rest = (nowhere / not_here)[:, None] * np.stack([np.ones_like(numbers), np.clip(1.0 - numbers, 0.0, 1.0)], axis=1)
    pairs = (1.0 - rest[..., _FIRST]) * (1.0 - rest[..., REVERSED[_FIRST]])
    lawful = at_least(rolls, pairs.reshape(-1, pairs.shape[-1])).reshape(circled.shape)
    told = np.stack([1.0 - chance, chance], axis=1) * (lawful + FORGOTTEN * (1.0 - lawful))
    return np.asarray(told / told.sum(axis=1, keepdims=True), dtype=np.float64)


def at_least(count: int, chances: Array) -> Array:
    """How probable it is that so many of several things happen, ``(N,)``; ``chances`` of each of them ``(N, M)``."""
    fewer = np.zeros((len(chances), count))
    fewer[:, 0] = 1.0
    for chance in np.clip(chances.T, 0.0, 1.0):
        before = np.concatenate([np.zeros((len(fewer), 1)), fewer[:, :-1]], axis=1)
        fewer = fewer * (1.0 - chance)[:, None] + before * chance[:, None]
    return np.asarray(np.clip(1.0 - fewer.sum(axis=1), 0.0, 1.0), dtype=np.float64)
