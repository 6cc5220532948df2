"""All links of a board at once: what one corridor leaves open, the pen of the surely drawn ones may settle.

Who wonders whether a pale line is a leg looks at the legs that are plain to see: the same pen, the same manner? And at
the places it joins: does the tour go on there? So each link is judged again beside the mean of what the network
saw on links that seem drawn, the mean of those that seem bare, and how many lines come to its ends. A perceptron over
some ninety links is three small matrix products; numpy runs them in well under a millisecond.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

LAYERS = 3
"""Matrices of the perceptron."""

MOST_LOGIT = 8.0
"""First thoughts beyond this count as this: the network is no surer than that by itself."""

MOST_SPREAD = 4.0
"""Features further from their mean than this many spreads count as this."""


class BoardNet:
    """The trained perceptron (``train.drawn``), for reading.

    Args:
        path: ``.npz`` with the parameters, ``0.weight``, ``0.bias`` and so on, and the features' ``mean``
            and ``spread``.

    Raises:
        OSError, ValueError, KeyError: the file is missing or not such a network.
    """

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as store:
            self._layers = [
                (store[f"{k}.weight"].astype(np.float32), store[f"{k}.bias"].astype(np.float32)) for k in range(LAYERS)
            ]
            self._mean, self._spread = store["mean"].astype(np.float32), store["spread"].astype(np.float32)

    def think_over(self, hidden: Array, features: Array, logits: Array, ends: NDArray[np.intp]) -> Array:
        """Corrected logits ``(N,)``.

        Args:
            hidden: ``(N, F)`` what the network saw in each corridor.
            features: ``LinkView.features``.
            logits: ``(N,)`` the network's first thoughts.
            ends: ``(N, 2)`` rows of the discs each link joins.
        """
        known = np.clip((features - self._mean) / self._spread, -MOST_SPREAD, MOST_SPREAD)
        x = board_features(np.concatenate([hidden, known], axis=1), logits, ends)
        for k, (weight, bias) in enumerate(self._layers):
            x = x @ weight.T + bias
            if k + 1 < LAYERS:
                x = np.maximum(x, 0)
        return np.asarray(logits + x[:, 0], dtype=np.float32)


def board_features(hidden: Array, logits: Array, ends: NDArray[np.intp]) -> Array:
    """What a link is judged by when all are looked at, ``(N, 3 * F + 7)`` float32.

    Args:
        hidden: ``(N, F)`` what is known of each link by itself.
        logits: ``(N,)`` the first thoughts.
        ends: ``(N, 2)`` rows of the discs each link joins.
    """
    p = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
    bare = 1 - p
    of_drawn = (p[:, None] * hidden).sum(axis=0) / (p.sum() + 0.1)
    of_bare = (bare[:, None] * hidden).sum(axis=0) / (bare.sum() + 0.1)
    degree = np.bincount(ends.ravel(), weights=np.repeat(p, 2), minlength=int(ends.max()) + 1)
    others = degree[ends] - p[:, None]
    everywhere = np.broadcast_to([p.sum() / 20, (p * bare).sum()], (len(p), 2))
    return np.concatenate(
        [
            hidden,
            np.broadcast_to(of_drawn, hidden.shape),
            np.broadcast_to(of_bare, hidden.shape),
            np.clip(logits, -MOST_LOGIT, MOST_LOGIT)[:, None] / 4,
            p[:, None],
            others.max(axis=1, keepdims=True),
            others.min(axis=1, keepdims=True),
            np.square(others).sum(axis=1, keepdims=True),
            everywhere,
        ],
        axis=1,
    ).astype(np.float32)
