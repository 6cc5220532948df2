"""All links of a board at once: what one corridor leaves open, the pen of the surely drawn ones may settle.

Who wonders whether a pale line is a leg looks at the legs that are plain to see: the same pen, the same manner? And at
the places it joins: does the tour go on there? Is the line rather that of a link beside it, which leaves at nearly the
same angle? So each link is judged again beside the mean of what the network saw on links that seem drawn, the mean of
those that seem bare, and how many lines come to its ends; then links that share an end tell each other what they are,
twice (messages along a graph's edges as in Gilmer et al. 2017, "Neural message passing for quantum chemistry"). Of
some ninety links these are small matrix products; numpy runs them in a millisecond or two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

LAYERS = ("enter", "tell0", "hear0", "tell1", "hear1", "leave")
"""Layers of the network: what a link is, then twice what neighbours tell each other and what they make of it."""

MOST_LOGIT = 8.0
"""First thoughts beyond this count as this: the network is no surer than that by itself."""

MOST_SPREAD = 4.0
"""Features further from their mean than this many spreads count as this."""

MESSAGES = 0.25
"""What a message counts among the sum of all: a link has some six neighbours."""

PASSING = 1.3
"""How near to a link's axis a disc lies that is on its way, disc radii: where a line there covers the disc's rim."""

BETWEEN = 5
"""What is said of two links that share an end, beside themselves."""


class BoardNet:
    """The trained network (``train.drawn``), for reading.

    Args:
        path: ``.npz`` with the parameters, ``enter.weight``, ``enter.bias`` and so on, and the features' ``mean``
            and ``spread``.

    Raises:
        OSError, ValueError, KeyError: the file is missing or not such a network.
    """

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as store:
            self._layers = layers_in(store, LAYERS)
            self._mean, self._spread = store["mean"].astype(np.float32), store["spread"].astype(np.float32)

    def think_over(
        self, hidden: Array, features: Array, logits: Array, ends: NDArray[np.intp], steps: NDArray[np.float64]
    ) -> Array:
        """Corrected logits ``(N,)``.

        Args:
            hidden: ``(N, F)`` what the network saw in each corridor.
            features: ``LinkView.features``.
            logits: ``(N,)`` the network's first thoughts.
            ends: ``(N, 2)`` numbers of the discs each link joins.
            steps: ``LinkStrips.steps``.
        """
        known = np.clip((features - self._mean) / self._spread, -MOST_SPREAD, MOST_SPREAD)
        x = self._through("enter", board_features(np.concatenate([hidden, known], axis=1), logits, ends))
        pairs, between = neighbours(ends, steps)
        teller, hearer = pairs.T
        for k in range(2):
            told = self._through(f"tell{k}", np.concatenate([x[teller], x[hearer], between], axis=1))
            heard = np.zeros((len(x), told.shape[1]), dtype=np.float32)
            np.add.at(heard, hearer, told)
            x = x + self._through(f"hear{k}", np.concatenate([x, MESSAGES * heard], axis=1))
        weight, bias = self._layers["leave"]
        return np.asarray(logits + (x @ weight.T + bias)[:, 0], dtype=np.float32)

    def _through(self, name: str, x: Array) -> Array:
        weight, bias = self._layers[name]
        return np.asarray(np.maximum(x @ weight.T + bias, 0), dtype=np.float32)


def layers_in(store: Mapping[str, NDArray[Any]], names: Sequence[str]) -> dict[str, tuple[Array, Array]]:
    """Weight and bias of layers, by name; ``KeyError`` where one is missing."""
    return {
        name: (store[f"{name}.weight"].astype(np.float32), store[f"{name}.bias"].astype(np.float32)) for name in names
    }


def neighbours(ends: NDArray[np.intp], steps: NDArray[np.float64]) -> tuple[NDArray[np.intp], Array]:
    """Pairs of links that share an end, each pair both ways round.

    Args:
        ends: ``(N, 2)`` numbers of the discs each link joins.
        steps: ``(N, 2)`` from the first to the second, disc radii along board x and y.

    Returns:
        ``(P, 2)`` rows of the two links; ``(P, BETWEEN)`` float32: cosine of the angle between them, how nearly they
        lie on each other, how nearly they go straight on, and both lengths.
    """
    count = len(ends)
    row, place = np.tile(np.arange(count), 2), ends.T.ravel()
    away = np.concatenate([steps, -steps])
    first, second = np.nonzero((place[:, None] == place[None]) & (row[:, None] != row[None]))
    length = np.maximum(np.hypot(*away.T), 1e-6)
    cosine = (away[first] * away[second]).sum(axis=1) / (length[first] * length[second])
    fold, straight = (np.maximum(sign * cosine - 0.7, 0) / 0.3 for sign in (1, -1))
    said = [cosine, fold, straight, np.minimum(length[first], 10) / 5 - 1, np.minimum(length[second], 10) / 5 - 1]
    return np.column_stack([row[first], row[second]]), np.stack(said, axis=1).astype(np.float32)


def passing(ends: NDArray[np.intp], steps: NDArray[np.float64]) -> NDArray[np.bool_]:
    """``(N,)``: links of a triangle one of whose discs lies on the way between the other two.

    Arguments as for :func:`neighbours`. The leg past that disc and the legs to it are judged by the same ink.
    """
    rows = {frozenset(pair): row for row, pair in enumerate(ends.tolist())}
    way = {}
    for (one, other), step in zip(ends.tolist(), steps, strict=True):
        way[one, other], way[other, one] = step, -step
    near: dict[int, list[int]] = {}
    for one, other in way:
        near.setdefault(one, []).append(other)
    found = np.zeros(len(ends), dtype=np.bool_)
    for row, (one, other) in enumerate(ends.tolist()):
        length = max(float(np.hypot(*steps[row])), 1e-6)
        for third in set(near[one]) & set(near[other]):
            x, y = way[one, third]
            along = float(x * steps[row, 0] + y * steps[row, 1]) / length
            aside = abs(float(x * steps[row, 1] - y * steps[row, 0])) / length
            if 0 < along < length and aside < PASSING:
                found[[row, rows[frozenset((one, third))], rows[frozenset((third, other))]]] = True
    return found


def board_features(hidden: Array, logits: Array, ends: NDArray[np.intp]) -> Array:
    """What a link is judged by when all are looked at, ``(N, 3 * F + 7)`` float32.

    Args:
        hidden: ``(N, F)`` what is known of each link by itself.
        logits: ``(N,)`` the first thoughts.
        ends: ``(N, 2)`` numbers of the discs each link joins.
    """
    p, others, company = in_company(hidden, logits, ends)
    busy = np.square(others).sum(axis=1, keepdims=True)
    return np.concatenate([*company, busy, everywhere(p, 20)], axis=1).astype(np.float32)


def in_company(
    hidden: Array, logits: Array, ends: NDArray[np.integer[Any]]
) -> tuple[Array, NDArray[np.float64], list[NDArray[Any]]]:
    """What a line is beside those it was drawn with, whatever it joins.

    Args:
        hidden: ``(N, F)`` what is known of each line by itself.
        logits: ``(N,)`` the first thoughts.
        ends: ``(N, 2)`` numbers of the discs each line joins.

    Returns:
        ``(N,)`` probability of each line; ``(N, 2)`` how many others come to its ends; and, ``3 * F + 4`` columns: what
        is known of it, the means of what seems drawn and of what seems bare, its logit and probability, its busier end
        and the other.
    """
    p = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
    bare = 1 - p
    of_drawn = (p[:, None] * hidden).sum(axis=0) / (p.sum() + 0.1)
    of_bare = (bare[:, None] * hidden).sum(axis=0) / (bare.sum() + 0.1)
    degree = np.bincount(ends.ravel(), weights=np.repeat(p, 2), minlength=int(ends.max()) + 1)
    others = degree[ends] - p[:, None]
    company = [
        hidden,
        np.broadcast_to(of_drawn, hidden.shape),
        np.broadcast_to(of_bare, hidden.shape),
        np.clip(logits, -MOST_LOGIT, MOST_LOGIT)[:, None] / 4,
        p[:, None],
        others.max(axis=1, keepdims=True),
        others.min(axis=1, keepdims=True),
    ]
    return np.asarray(p, dtype=np.float32), others, company


def everywhere(p: Array, usual: float) -> NDArray[Any]:
    """How much seems drawn on the whole board, in what is usual, and how much of it is open: ``(N, 2)``, all alike."""
    return np.broadcast_to([p.sum() / usual, (p * (1 - p)).sum()], (len(p), 2))
