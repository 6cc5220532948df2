"""Sums over all ways to match cells and writings, one cell at a time.

Cells are gone through in a fixed order. What matters of the past is which writings are used up and, for a turn half
written, by which means; ways that agree in that are added up. Where a board is clear there is one such state after each
cell, and where it is not there are a few, so the sum is exact except for states less probable than ``DROP``. The
forward sums, run backwards again, give the posterior of every option of every cell (forward-backward, Rabiner 1989).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

DROP = 1e-7
"""A state less probable than this share of the best one after the same cell is dropped."""

WIDTH = 1500
"""States kept after each cell, the most probable ones."""

LIKELY = 1e-4
"""Ways through all cells less probable than this are not listed one by one."""

MOST_LOOKS = 12_000
"""Steps spent on listing them, some 10 microseconds each; a board without equal rolls takes as many as it has cells."""


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
        declined: the means given up for them; 0 for none.
        step: added to the state: counts X marks and empty cells.
        needs: bits of the writings that must be used up already.
    """

    column: int
    weight: float
    slip: bool
    bit: int = 0
    partners: int = 0
    shift: int = 0
    means: int = 0
    declined: int = 0
    step: int = 0
    needs: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    """The moves over one cell: from which state by which option to which state, with what weight."""

    source: NDArray[np.int_]
    option: NDArray[np.int_]
    target: NDArray[np.int_]
    weight: NDArray[np.float64]
    slip: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Way:
    """One way through all cells.

    Attributes:
        chance: its posterior probability.
        options: number of the option of each cell.
        state: the state it ends in.
        clean: share of it without a slip.
    """

    chance: float
    options: tuple[int, ...]
    state: int
    clean: float


@dataclass(frozen=True, slots=True, eq=False)
class Trellis:
    """Everything the sums were made of.

    Attributes:
        layers: the moves over each cell.
        shares: the share of each state after each cell.
        worth: what each state at the end is worth.
        clean: the share of it without a slip.
        names: the states at the end.
    """

    layers: tuple[_Layer, ...]
    shares: tuple[NDArray[np.float64], ...]
    worth: NDArray[np.float64]
    clean: NDArray[np.float64]
    names: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sums:
    """What the lattice adds up to.

    Attributes:
        chances: for each cell the posterior of each of its options, in their order.
        slipped: for each cell the probability that it was written by a slip.
        lawful: posterior probability that nothing slipped.
        slips: expected number of slips.
        trellis: what was added up.
    """

    chances: tuple[NDArray[np.float64], ...]
    slipped: tuple[float, ...]
    lawful: float
    slips: float
    trellis: Trellis


Final = Callable[[int], tuple[float, float, int]]
"""State at the end -> its weight, the share of it without a slip, and how many slips the rest holds."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How the two writings of a turn go together.

    Attributes:
        width: how many means there are; a turn notes as many bits of means, then as many of means declined.
        slipped: the bit of the state that says that something slipped.
        alike: weight of writing both by the same means.
        declined: weight of giving up a means that the turn's other writing had no need of.
    """

    width: int
    slipped: int
    alike: float
    declined: float


def add_up(cells: Sequence[Sequence[Option]], rules: Rules, final: Final) -> Sums:
    """The sum over every way to give each cell one of its options.

    Args:
        cells: the options of each cell, the weightiest first; the cells in the order to go through them.
        rules: how the writings of a turn go together.
        final: what the states at the end are worth.
    """
    states, share = [0], np.ones(1)
    layers, shares = [], []
    for options in cells:
        layer, states, share = _step(states, share, options, rules)
        layers.append(layer)
        shares.append(share)
    ends = [final(state) for state in states]
    worth = np.array([end[0] for end in ends])
    total = float(share @ worth)
    clean = np.array([end[1] * (not state & rules.slipped) for state, end in zip(states, ends, strict=True)])
    late = np.array([(1.0 - end[1]) * end[2] for end in ends])
    chances, slips = _backwards(layers, shares, worth, [len(options) for options in cells])
    extra = float(share @ (worth * late)) / total
    trellis = Trellis(tuple(layers), tuple(shares), worth, clean, tuple(states))
    return Sums(tuple(chances), tuple(slips), float(share @ (worth * clean)) / total, sum(slips) + extra, trellis)


def likely_ways(trellis: Trellis, least: float = LIKELY, most: int = MOST_LOOKS) -> list[Way]:
    """The ways through all cells that are at least so probable, the most probable first.

    Searched from the end, best first: the forward sums say exactly how probable all ways with the same end are
    together, so nothing under ``least`` is ever followed.

    Args:
        trellis: of :func:`add_up`.
        least: a probability.
        most: steps after which the search stops with what it has.
    """
    last = trellis.shares[-1] * trellis.worth
    heap: list[tuple[float, int, int, int, int, float, tuple[int, ...]]] = []
    for state, mass in enumerate((last / last.sum()).tolist()):
        if mass >= least:
            ahead = float(trellis.worth[state] / last.sum())
            heappush(heap, (-mass, len(heap), len(trellis.layers), state, state, ahead, ()))
    found: list[Way] = []
    count = len(heap)
    while heap and most > 0:
        mass, _, k, state, end, ahead, picked = heappop(heap)
        if not k:
            found.append(Way(-mass, picked, trellis.names[end], float(trellis.clean[end])))
            continue
        most -= 1
        layer = trellis.layers[k - 1]
        before = trellis.shares[k - 2] if k > 1 else np.ones(1)
        for move in np.flatnonzero(layer.target == state).tolist():
            source, here = int(layer.source[move]), ahead * float(layer.weight[move])
            part = here * float(before[source])
            if part >= least:
                count += 1
                heappush(heap, (-part, count, k - 1, source, end, here, (int(layer.option[move]), *picked)))
    return found


def _step(
    states: list[int], share: NDArray[np.float64], options: Sequence[Option], rules: Rules
) -> tuple[_Layer, list[int], NDArray[np.float64]]:
    """All moves over one cell, and the states they lead to with their shares (the best one 1)."""
    reached: dict[int, int] = {}
    moves: list[tuple[int, int, int, float, bool]] = []
    least = DROP * options[0].weight
    for start, (state, part) in enumerate(zip(states, share.tolist(), strict=True)):
        for number, option in enumerate(options):
            if part * option.weight < least:
                break
            if state & option.bit or option.needs & ~state:
                continue
            goal, factor, alike = _moved(state, option, rules)
            slip, worth = option.slip or alike, option.weight * factor
            place = reached.setdefault(goal | rules.slipped if slip else goal, len(reached))
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


def _moved(state: int, option: Option, rules: Rules) -> tuple[int, float, bool]:
    """The state after an option, its factor, and whether it repeats the means of the turn's other writing."""
    target = (state | option.bit) + option.step
    factor = rules.declined if option.declined else 1.0
    if not option.bit or not option.partners:
        return target, factor, False
    if not state & option.partners:
        return target | (option.means | option.declined << rules.width) << option.shift, factor, False
    full = (1 << rules.width) - 1
    noted = state >> option.shift & full
    given_up = state >> option.shift + rules.width & full
    if not (option.declined and given_up) and (_needed(option.declined, noted) or _needed(given_up, option.means)):
        factor /= rules.declined  # two that gave up a circle each could have had both
    single = option.means & (option.means - 1) == 0
    alike = single and noted == option.means != 0
    target &= ~((full << rules.width | full) << option.shift)
    return target, factor * (rules.alike if alike else 1.0), alike


def _needed(declined: int, means: int) -> bool:
    """True when means were given up because the turn's other writing could do with no other."""
    return bool(declined and means and not means & ~declined)


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
