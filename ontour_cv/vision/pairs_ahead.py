"""What the cells still to be read can do for numbers without a partner: how the beam of ``pairs`` looks ahead.

A joint reading of some cells is worth following only by what the others can make of it. A number without a partner
costs nothing when a cell to come is its partner anyway, little when one may well be, and the full price when none can;
and where a cell took another number than it seems to hold, the one to come that was its partner will be alone.

The cost ahead is a lower bound: each pair is taken by itself, as if the cells to come could serve every pair at once (a
relaxation, as in A* search; Hart, Nilsson and Raphael 1968). It is worked out backwards, cell by cell, for every
imbalance a pair may have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LEAVING = 0.5
"""Share of its price that is booked on the pair of the label a cell seems to hold, when it takes another label; the
rest is booked on the pair of that label. Any share from 0 to 1 keeps the bound; the beam finds as much with each."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The labels one cell may take.

    Attributes:
        columns: ``(options,)`` which pair each label belongs to.
        signs: ``(options,)`` 1 for ab, -1 for ba, 0 for what belongs to no pair.
        chances: ``(options,)`` log-probabilities.
    """

    columns: NDArray[np.int_]
    signs: NDArray[np.int_]
    chances: NDArray[np.float64]


def costs_ahead(choices: Sequence[Choice], pairs: int, most: int, lone: float) -> list[NDArray[np.float64]]:
    """The least that each imbalance of each pair will cost, before each choice and after the last.

    Args:
        choices: the cells to be read, in order.
        pairs: how many columns there are.
        most: the greatest imbalance; the middle of the tables stands for none.
        lone: cost of a number that stays without a partner.

    Returns:
        ``len(choices) + 1`` tables ``(pairs, 2 * most + 1)``, in natural logs; beyond what the most probable label of
        each cell costs.
    """
    table = np.repeat(lone * np.abs(np.arange(-most, most + 1.0))[None], pairs, axis=0)
    tables = [table]
    for choice in reversed(choices):
        table = _before(choice, table)
        tables.append(table)
    return tables[::-1]


def _before(choice: Choice, after: NDArray[np.float64]) -> NDArray[np.float64]:
    """The table before a choice from that after it."""
    best = int(choice.chances.argmax())
    dearer = choice.chances[best] - choice.chances
    home = choice.columns == choice.columns[best]
    leaving = LEAVING * dearer.min(where=~home, initial=np.inf)  # infinite when the cell has no other pair
    price = np.where(home, dearer, dearer - leaving)
    out = after.copy()
    out[choice.columns[best]] += leaving
    beyond = _wider(after)
    for sign in (-1, 0, 1):
        of_sign = np.flatnonzero(choice.signs == sign)
        taken = price[of_sign, None] + beyond[choice.columns[of_sign], 1 + sign : beyond.shape[1] - 1 + sign]
        np.minimum.at(out, choice.columns[of_sign], taken)
    return out


def _wider(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """The table with its first and last column once more."""
    return np.concatenate([table[:, :1], table, table[:, -1:]], axis=1)


def cost_of(table: NDArray[np.float64], balance: NDArray[np.int_]) -> NDArray[np.float64]:
    """The cost ahead of joint readings with these imbalances ``(pairs, B)``: ``(B,)``."""
    return np.asarray(table[np.arange(len(table))[:, None], balance + table.shape[1] // 2].sum(axis=0))


def cost_changes(
    choice: Choice, balance: NDArray[np.int_], before: NDArray[np.float64], after: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What each option changes of each joint reading's cost ahead, ``(options, B)``.

    Args:
        choice: the cell to be read.
        balance: ``(pairs, B)`` of the joint readings without it.
        before: table before the choice.
        after: and after it; they differ in the columns of the choice alone.
    """
    width = after.shape[1]
    # for each option: what its label changes of its own pair, by the imbalance there
    beyond = _wider(after).ravel()
    starts = (width + 2) * choice.columns + 1 + choice.signs
    moved = beyond[starts[:, None] + np.arange(width)] - after[choice.columns]
    first = np.unique(choice.columns, return_index=True)[1]
    passed = np.zeros_like(moved)
    passed[first] = (after - before)[choice.columns[first]]
    places = balance[choice.columns]
    places += (width * np.arange(len(starts)) + width // 2)[:, None]
    changes = moved.take(places)
    changes += passed.take(places[first]).sum(axis=0)
    return np.asarray(changes)
