"""Sum-product messages between neighbouring cells: what each holds when too many are in doubt to list joint readings.

Loopy belief propagation (Pearl 1988, "Probabilistic reasoning in intelligent systems", section 4; Murphy, Weiss and
Jordan 1999, "Loopy belief propagation for approximate inference") over the pairs of neighbours, and one factor that
counts circles over the whole sheet, whose messages are exact.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ROUNDS, DAMPING, SETTLED = 40, 0.3, 1e-4
"""Rounds of messages at most; share of the old message that is kept; largest change at which they have settled."""

LEAST = 1e-30
"""No message is less probable."""


def beliefs(
    unary: Array, pairs: Sequence[tuple[int, int]], clash: Array, ringed: NDArray[np.bool_], costs: Array
) -> Array:
    """Approximate marginals of every cell, ``(N, L)``, rows summing to one.

    Args:
        unary: ``(N, L)`` log-probability of each label in each cell by itself.
        pairs: cells that are neighbours; a pair is named once.
        clash: ``(L, L)`` symmetric costs of two neighbours' labels, natural logs.
        ringed: ``(L,)`` labels with a circle.
        costs: ``(N + 1,)`` cost of each number of circles on the sheet.
    """
    alone = np.exp(unary - unary.max(axis=1, keepdims=True))
    ends = np.array([*pairs, *((b, a) for a, b in pairs)], dtype=np.int64).reshape(-1, 2)
    back = np.roll(np.arange(len(ends)), len(ends) // 2)
    factor = np.exp(-clash)
    messages = np.full((len(ends), unary.shape[1]), 1.0 / unary.shape[1])
    circle = np.ones((len(unary), 2))
    for _ in range(ROUNDS):
        heard = _heard(alone, ends, messages)
        circle = _circle_messages(heard, ringed, costs)
        every = heard + np.log(np.maximum(circle[:, ringed.astype(int)], LEAST))
        rest = every[ends[:, 0]] - np.log(messages[back])
        sent = np.exp(rest - rest.max(axis=1, keepdims=True)) @ factor
        sent = DAMPING * messages + (1 - DAMPING) * sent / sent.sum(axis=1, keepdims=True)
        change = float(np.abs(sent - messages).max()) if len(ends) else 0.0
        messages = np.maximum(sent, LEAST)
        if change < SETTLED:
            break
    heard = _heard(alone, ends, messages)
    every = heard + np.log(np.maximum(_circle_messages(heard, ringed, costs)[:, ringed.astype(int)], LEAST))
    posterior = np.exp(every - every.max(axis=1, keepdims=True))
    return np.asarray(posterior / posterior.sum(axis=1, keepdims=True))


def _heard(alone: Array, ends: NDArray[np.int64], messages: Array) -> Array:
    """Logs of what each cell thinks by itself and hears from its neighbours, ``(N, L)``."""
    out = np.log(np.maximum(alone, LEAST))
    np.add.at(out, ends[:, 1], np.log(messages))
    return out


def _circle_messages(heard: Array, ringed: NDArray[np.bool_], costs: Array) -> Array:
    """How probable each cell is without and with a circle by how many circles the others have, ``(N, 2)``."""
    p = np.exp(heard - heard.max(axis=1, keepdims=True))
    chance = p[:, ringed].sum(axis=1) / p.sum(axis=1)
    count = len(chance)
    others = np.zeros((count, count + 1))
    others[:, 0] = 1.0
    for k, q in enumerate(chance):
        mine = others[k].copy()
        others[:, 1:] = (1 - q) * others[:, 1:] + q * others[:, :-1]
        others[:, 0] *= 1 - q
        others[k] = mine
    weight = np.exp(costs.min() - costs)
    return np.column_stack([others @ weight, others[:, :-1] @ weight[1:]])
