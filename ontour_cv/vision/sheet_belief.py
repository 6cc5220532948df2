"""Sum-product messages between neighbouring cells: what each holds when too many are in doubt to list joint readings.

Loopy belief propagation (Pearl 1988, "Probabilistic reasoning in intelligent systems", section 4; Murphy, Weiss and
Jordan 1999, "Loopy belief propagation for approximate inference") over the pairs of neighbours, and factors that count
something over the whole sheet, circles or blanks, whose messages are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ROUNDS, DAMPING, SETTLED = 40, 0.3, 1e-4
"""Rounds of messages at most; share of the old message that is kept; largest change at which they have settled."""

LEAST = 1e-30
"""No message is less probable."""


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """How many cells of a sheet hold some kind of mark.

    Attributes:
        counted: ``(L,)`` the labels that count.
        costs: ``(N + 1,)`` cost of each number of such cells, natural logs.
    """

    counted: NDArray[np.bool_]
    costs: Array


def beliefs(
    unary: Array, pairs: Sequence[tuple[int, int]], clash: Array, tallies: Sequence[Tally]
) -> tuple[Array, list[Array]]:
    """Approximate marginals of every cell, ``(N, L)``, rows summing to one.

    And for each tally how probable each number of its marks is, ``(N + 1,)``, by everything but the tally itself.

    Args:
        unary: ``(N, L)`` log-probability of each label in each cell by itself.
        pairs: cells that are neighbours; a pair is named once.
        clash: ``(L, L)`` symmetric costs of two neighbours' labels, natural logs.
        tallies: what is known of numbers of marks on the whole sheet.
    """
    alone = np.exp(unary - unary.max(axis=1, keepdims=True))
    ends = np.array([*pairs, *((b, a) for a, b in pairs)], dtype=np.int64).reshape(-1, 2)
    back = np.roll(np.arange(len(ends)), len(ends) // 2)
    factor = np.exp(-clash)
    messages = np.full((len(ends), unary.shape[1]), 1.0 / unary.shape[1])
    told = [np.zeros_like(alone) for _ in tallies]
    for _ in range(ROUNDS):
        every = _tallied(_heard(alone, ends, messages), tallies, told)
        rest = every[ends[:, 0]] - np.log(messages[back])
        sent = np.exp(rest - rest.max(axis=1, keepdims=True)) @ factor
        sent = DAMPING * messages + (1 - DAMPING) * sent / sent.sum(axis=1, keepdims=True)
        change = float(np.abs(sent - messages).max()) if len(ends) else 0.0
        messages = np.maximum(sent, LEAST)
        if change < SETTLED:
            break
    every = _tallied(_heard(alone, ends, messages), tallies, told)
    counts = [
        number_of(_shares(every - own)[:, tally.counted].sum(axis=1)) for tally, own in zip(tallies, told, strict=True)
    ]
    return _shares(every), counts


def number_of(chance: Array) -> Array:
    """How probable each number of cells is, ``(N + 1,)``, when each counts with a probability of its own, ``(N,)``."""
    out = np.ones(1)
    for p in chance:
        out = np.append(out * (1 - p), 0.0) + np.append(0.0, out * p)
    return out


def _shares(logs: Array) -> Array:
    """Logs ``(N, L)`` as probabilities, rows summing to one."""
    out = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(out / out.sum(axis=1, keepdims=True))


def _heard(alone: Array, ends: NDArray[np.int64], messages: Array) -> Array:
    """Logs of what each cell thinks by itself and hears from its neighbours, ``(N, L)``."""
    out = np.log(np.maximum(alone, LEAST))
    np.add.at(out, ends[:, 1], np.log(messages))
    return out


def _tallied(heard: Array, tallies: Sequence[Tally], told: list[Array]) -> Array:
    """Logs ``(N, L)`` of all that each cell thinks and hears; ``told`` by the tallies is brought up to date."""
    for k, tally in enumerate(tallies):
        others = [part for j, part in enumerate(told) if j != k]
        told[k] = _of_tally(np.sum([heard, *others], axis=0), tally)
    return np.asarray(np.sum([heard, *told], axis=0))


def _of_tally(every: Array, tally: Tally) -> Array:
    """Logs of what each label of each cell hears from how many of the others count, ``(N, L)``."""
    chance = _shares(every)[:, tally.counted].sum(axis=1)
    count = len(chance)
    others = np.zeros((count, count + 1))
    others[:, 0] = 1.0
    for k, q in enumerate(chance):
        mine = others[k].copy()
        others[:, 1:] = (1 - q) * others[:, 1:] + q * others[:, :-1]
        others[:, 0] *= 1 - q
        others[k] = mine
    weight = np.exp(tally.costs.min() - tally.costs)
    without, counting = others @ weight, others[:, :-1] @ weight[1:]
    heard = np.where(tally.counted, counting[:, None], without[:, None])
    return np.asarray(np.log(np.maximum(heard, LEAST)), dtype=np.float64)
