"""Sums over all ways to match cells and writings, one cell at a time.

Cells are gone through in a fixed order. What matters of the past is which writings are used up and, for a turn half
written, by which means; ways that agree in that are added up. Where a board is clear there is one such state after each
cell, and where it is not there are a few, so the sum is exact except for states less probable than ``DROP``. The
forward sums, run backwards again, give the posterior of every option of every cell (forward-backward, Rabiner 1989).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DROP = 1e-7
"""A state less probable than this share of the best one after the same cell is dropped."""

WIDTH = 1500
"""States kept after each cell, the most probable ones."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing a cell may hold, and what that uses up.

    Attributes:
        column: where it belongs in the cell's posterior.
        weight: its weight by itself: likelihood times prior.
        slip: True when no faultless hand writes it there.
        bit: the writing it uses up, a bit of the state; 0 for none.
        partners: the bits of the turn's other writings.
        shift: where in the state the turn's means are noted.
        means: bit set of the means; 0 when any will do.
        step: added to the state: counts X marks and empty cells.
    """

    column: int
    weight: float
    slip: bool
    bit: int = 0
    partners: int = 0
    shift: int = 0
    means: int = 0
    step: int = 0


@dataclass(frozen=True, slots=True)
class Sums:
    """What the lattice adds up to.

    Attributes:
        chances: for each cell the posterior of each of its options, in their order.
        slipped: for each cell the probability that it was written by a slip.
        lawful: posterior probability that nothing slipped.
        slips: expected number of slips.
    """

    chances: tuple[NDArray[np.float64], ...]
    slipped: tuple[float, ...]
    lawful: float
    slips: float


Final = Callable[[int], tuple[float, float, int]]
"""State at the end -> its weight, the share of it without a slip, and how many slips the rest holds."""


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    """The moves over one cell: from which state by which option to which state, with what weight."""

    source: NDArray[np.int_]
    option: NDArray[np.int_]
    target: NDArray[np.int_]
    weight: NDArray[np.float64]
    slip: NDArray[np.bool_]


def add_up(cells: Sequence[Sequence[Option]], full: int, slipped: int, means_slip: float, final: Final) -> Sums:
    """The sum over every way to give each cell one of its options.

    Args:
        cells: the options of each cell, the weightiest first; the cells in the order to go through them.
        full: mask of as many bits as there are means.
        slipped: the bit of the state that says that something slipped.
        means_slip: weight of writing both numbers of a turn by the same means.
        final: what the states at the end are worth.
    """
    states, share = [0], np.ones(1)
    layers, shares = [], []
    for options in cells:
        layer, states, share = _step(states, share, options, full, slipped, means_slip)
        layers.append(layer)
        shares.append(share)
    ends = [final(state) for state in states]
    worth = np.array([end[0] for end in ends])
    total = float(share @ worth)
    clean = np.array([end[1] * (not state & slipped) for state, end in zip(states, ends, strict=True)])
    late = np.array([(1.0 - end[1]) * end[2] for end in ends])
    chances, slips = _backwards(layers, shares, worth, [len(options) for options in cells])
    extra = float(share @ (worth * late)) / total
    return Sums(tuple(chances), tuple(slips), float(share @ (worth * clean)) / total, sum(slips) + extra)


def _step(
    states: list[int], share: NDArray[np.float64], options: Sequence[Option], full: int, slipped: int, means_slip: float
) -> tuple[_Layer, list[int], NDArray[np.float64]]:
    """All moves over one cell, and the states they lead to with their shares (the best one 1)."""
    reached: dict[int, int] = {}
    moves: list[tuple[int, int, int, float, bool]] = []
    least = DROP * options[0].weight
    for start, (state, part) in enumerate(zip(states, share.tolist(), strict=True)):
        for number, option in enumerate(options):
            if part * option.weight < least:
                break
            if state & option.bit:
                continue
            goal, alike = _moved(state, option, full)
            slip = option.slip or alike
            worth = option.weight * (means_slip if alike else 1.0)
            place = reached.setdefault(goal | slipped if slip else goal, len(reached))
            moves.append((start, number, place, worth, slip))
    columns = list(zip(*moves, strict=True))
    source, picked, target = (np.array(column, dtype=np.int_) for column in columns[:3])
    layer = _Layer(source, picked, target, np.array(columns[3], np.float64), np.array(columns[4], np.bool_))
    return _pruned(layer, list(reached), share)


def _pruned(
    layer: _Layer, names: list[int], share: NDArray[np.float64]
) -> tuple[_Layer, list[int], NDArray[np.float64]]:
    """The same without the states that hardly count, the best state first with the share 1."""
    sums = _summed(layer.target, share[layer.source] * layer.weight, len(names))
    keep = np.argsort(-sums, kind="stable")[:WIDTH]
    keep = keep[sums[keep] >= DROP * sums[keep[0]]]
    place = np.full(len(names), -1)
    place[keep] = np.arange(len(keep))
    kept = place[layer.target] >= 0
    scale = sums[keep[0]]
    left = _Layer(
        layer.source[kept], layer.option[kept], place[layer.target[kept]], layer.weight[kept] / scale, layer.slip[kept]
    )
    return left, [names[i] for i in keep], sums[keep] / scale


def _moved(state: int, option: Option, full: int) -> tuple[int, bool]:
    """The state after an option, and whether it repeats the means of the turn's other writing."""
    target = (state | option.bit) + option.step
    if not option.bit or not option.partners:
        return target, False
    if not state & option.partners:
        return target | option.means << option.shift, False
    noted = (state >> option.shift) & full
    single = option.means & (option.means - 1) == 0
    return target & ~(full << option.shift), single and noted == option.means != 0


def _backwards(
    layers: Sequence[_Layer], shares: Sequence[NDArray[np.float64]], worth: NDArray[np.float64], sizes: Sequence[int]
) -> tuple[list[NDArray[np.float64]], list[float]]:
    """Of each cell the posterior of each option, and the probability that the cell was written by a slip."""
    chances: list[NDArray[np.float64]] = []
    slips: list[float] = []
    ahead = worth
    for k in range(len(layers) - 1, -1, -1):
        layer = layers[k]
        before = shares[k - 1] if k else np.ones(1)
        flow = before[layer.source] * layer.weight * ahead[layer.target]
        flow /= flow.sum()
        chances.append(_summed(layer.option, flow, sizes[k]))
        slips.append(float(flow[layer.slip].sum()))
        ahead = _summed(layer.source, layer.weight * ahead[layer.target], len(before))
        ahead /= ahead.max()
    return chances[::-1], slips[::-1]


def _summed(place: NDArray[np.int_], values: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Values added up by place, ``(size,)``."""
    return np.asarray(np.bincount(place, weights=values, minlength=size), dtype=np.float64)
