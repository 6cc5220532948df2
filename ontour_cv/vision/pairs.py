"""The joint decode of a board by its reversed pairs.

The game is an error-correcting code: the numbers of a board fall into reversed pairs. Cells the network is sure of are
taken as they are; the rest (and every cell of a pair that does not come out even) are decoded together: the most
probable joint readings are enumerated by a beam that looks ahead (``pairs_ahead``), weighed by the prior, and summed up
to posteriors cell by cell.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.left_over import NUMBERS, REVERSED, left_over
from ontour_cv.vision.match import BLOCKED, EMPTY, LABELS
from ontour_cv.vision.pairs_ahead import Choice, cost_changes, cost_of, costs_ahead
from ontour_cv.vision.prior import Prior

SURE = 0.9995
"""A cell read with at least this probability is not reconsidered unless its pair does not come out even."""

MOST = 60
"""Open cells decoded together at most, the least sure ones: all of a map of today."""

BEAM = 1000
"""Joint readings kept. On 800 boards in wild pens by writers kept for validation 3,000 left one more exact and the
log-loss of marks 0.5 % less, in more than twice the time."""

MARGIN = 40.0
"""Joint readings less probable than the best one by more than this (natural log) are dropped on the way."""

KEEP = 8
"""Labels kept per open cell: the most probable ones, and at most as many that would be somebody's partner."""

FLOOR = -16.0
"""Log-probability below which a label is not considered at all."""


def joint_posterior(
    unary: NDArray[np.float64], prior: Prior, hidden: NDArray[np.bool_] | None = None
) -> NDArray[np.float64]:
    """Posterior of each label in each cell, ``(N, LABELS)``, from all cells together.

    Args:
        unary: ``(N, LABELS)`` log-probabilities of the cells by themselves.
        prior: which joint readings are probable.
        hidden: ``(N,)`` True for cells nothing is seen of; each may be anybody's missing partner.
    """
    if not prior.reversed_pairs or not len(unary):
        return np.exp(unary)
    hidden = np.zeros(len(unary), dtype=bool) if hidden is None else hidden
    best = np.where(hidden, EMPTY, unary.argmax(axis=1))
    open_cells = np.flatnonzero((unary.max(axis=1) < np.log(SURE)) & ~hidden)
    odd = np.flatnonzero((_unbalanced(best)[_CLASSES[best]] != 0) & ~hidden).tolist()
    rows = np.array(sorted({*open_cells.tolist(), *odd}), dtype=int)
    out = np.exp(unary)
    # the surest first: what glare hides is settled last, by what the others leave
    order = rows[np.argsort(unary[rows].max(axis=1))][:MOST][::-1]
    if len(rows):
        states, weights = _beam(unary, best, order, prior, int(hidden.sum()))
    else:
        states, weights = np.empty((1, 0), dtype=int), np.ones(1)
    for column, row in enumerate(order):
        seen = np.bincount(states[:, column], weights, LABELS + 1)
        others = np.where((seen[:LABELS] > 0) | (np.arange(LABELS) >= NUMBERS), 0.0, np.exp(unary[row]))
        out[row] = seen[:LABELS] + seen[_OTHER] * others / max(others.sum(), 1e-300)
    if hidden.any():
        every = np.repeat(best[None], len(states), axis=0)
        every[:, order] = states
        out[hidden] = left_over(every[:, ~hidden], weights, unary[hidden, :NUMBERS])
    return out


def _beam(
    unary: NDArray[np.float64], best: NDArray[np.int_], order: NDArray[np.int_], prior: Prior, spare: int
) -> tuple[NDArray[np.int_], NDArray[np.float64]]:
    """The most probable joint readings of the cells in ``order``, ``(B, len(order))``, and their weights (sum 1)."""
    fixed = best.copy()
    fixed[order] = EMPTY
    options = _options(unary[order], _unbalanced(best))
    # only pairs that an open cell may be part of need a column; what the others lack stays as it is
    unbalanced = _unbalanced(fixed)
    used = np.unique(np.concatenate([_CLASSES[some] for some, _ in options] + [[_NO_PAIR]]))
    column = np.zeros(_NO_PAIR + 2, dtype=int)
    column[used] = np.arange(len(used))
    choices = [Choice(column[_CLASSES[some]], _SIGNS[some], chances) for some, chances in options]
    costs = costs_ahead(choices, len(used), len(unary), prior.unpaired_cost)
    balance = unbalanced[used, None]
    lacking = np.abs(unbalanced).sum() - np.abs(balance).sum()
    score, ahead = np.zeros(1), cost_of(costs[0], balance) + prior.unpaired_cost * lacking
    trail: list[tuple[NDArray[np.int_], NDArray[np.int_]]] = []
    for choice, (some, _), before, after in zip(choices, options, costs, costs[1:], strict=False):
        total = choice.chances[:, None] + score
        further = ahead + cost_changes(choice, balance, before, after)
        keep = _promising(total - np.maximum(further - spare * prior.unpaired_cost, 0.0))
        pick, parent = np.divmod(keep, len(score))
        balance = balance[:, parent]
        balance[choice.columns[pick], np.arange(len(keep))] += choice.signs[pick]
        score, ahead = total.ravel()[keep], further.ravel()[keep]
        trail.append((parent, some[pick]))
    states = _followed_back(trail, len(score))
    blocked = (fixed == BLOCKED).sum() + (states == BLOCKED).sum(axis=1)
    final = score - _pair_cost(np.abs(balance).sum(axis=0) + lacking, blocked, prior, spare)
    weights = np.exp(final - final.max())
    return states, weights / weights.sum()


def _options(
    unary: NDArray[np.float64], unbalanced: NDArray[np.int_]
) -> list[tuple[NDArray[np.int_], NDArray[np.float64]]]:
    """The labels to try in each open cell and their log-probabilities.

    Args:
        unary: the open cells' rows only.
        unbalanced: of all cells, each as it is read by itself.

    Beside those probable by themselves, partners of numbers that lack one or may stand in another open cell, and all
    other numbers as one, ``_OTHER``: where glare leaves nothing of a number, each is as improbable as the next, but
    that it is one of them is not.
    """
    ranked = np.argsort(-unary, axis=1, kind="stable")
    lacking = unbalanced[_CLASSES[:LABELS]] * _SIGNS[:LABELS] < 0
    first = unary.argmax(axis=0)
    most, second = unary.max(axis=0), np.sort(unary, axis=0)[-2] if len(unary) > 1 else np.full(LABELS, -np.inf)
    out = []
    for row, labels in enumerate(ranked):
        partner = np.where(first == row, second, most)[REVERSED]
        tried = np.zeros(LABELS, dtype=bool)
        tried[labels[:KEEP]] = True
        rest = labels[KEEP:]
        rest = rest[(rest < NUMBERS) & (partner[rest] > FLOOR)]
        answers = rest[np.argsort(-unary[row, rest] - partner[rest], kind="stable")][:KEEP]
        signs = _NO_NUMBERS[~tried[NUMBERS:]]
        labels = np.concatenate([labels[:KEEP], signs, rest[lacking[rest]], answers[~lacking[answers]]])
        labels = labels[unary[row, labels] > FLOOR]
        tried[:] = False
        tried[labels] = True
        other = np.log(np.maximum(np.exp(unary[row, :NUMBERS][~tried[:NUMBERS]]).sum(), 1e-300))
        chances = np.append(unary[row, labels], other)
        out.append((np.append(labels, _OTHER)[chances > FLOOR], chances[chances > FLOOR]))
    return out


def _promising(guess: NDArray[np.float64]) -> NDArray[np.int_]:
    """Which joint readings to follow: those within ``MARGIN`` of the best, the best ``BEAM`` of them, best first.

    Args:
        guess: ``(options, B)`` what each option makes of each joint reading.

    Returns:
        Their places in ``guess.ravel()``.
    """
    # options that hold BEAM readings between them: what is below all of these is not among the best BEAM
    several, flat = -(-BEAM // guess.shape[1]), guess.ravel()
    least = np.sort(guess.min(axis=1))[-several] if several <= len(guess) else -np.inf
    keep = np.flatnonzero((flat > flat.max() - MARGIN) & (flat >= least))
    if len(keep) > BEAM:
        keep = keep[np.argpartition(-flat[keep], BEAM)[:BEAM]]
    return keep[np.argsort(-flat[keep], kind="stable")]


def _followed_back(trail: list[tuple[NDArray[np.int_], NDArray[np.int_]]], count: int) -> NDArray[np.int_]:
    """The labels chosen on the way to each of ``count`` joint readings, ``(count, len(trail))``."""
    labels = np.empty((count, len(trail)), dtype=int)
    at = np.arange(count)
    for step in range(len(trail) - 1, -1, -1):
        parent, chosen = trail[step]
        labels[:, step] = chosen[at]
        at = parent[at]
    return labels


def _pair_cost(unpaired: NDArray[np.int_], blocked: NDArray[np.int_], prior: Prior, free: int) -> NDArray[np.float64]:
    """Cost of the numbers without a partner; ``free`` cells that are not read may each be one of the partners."""
    unpaired = np.maximum(unpaired - free, 0)
    excused = np.minimum(unpaired, blocked + 1)
    return np.asarray(excused * prior.unpaired_cost + (unpaired - excused) * prior.broken_cost, dtype=np.float64)


_NO_PAIR = 45
"""Class of doubles and signs, which belong to no reversed pair; the pairs come before it."""


_OTHER = LABELS
"""Stands for all numbers that are not tried by themselves: one without a partner."""


def _pair_tables() -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    classes, signs = np.full(LABELS + 1, _NO_PAIR), np.zeros(LABELS + 1, dtype=int)
    classes[_OTHER], signs[_OTHER] = _NO_PAIR + 1, 1
    for k, (low, high) in enumerate((a, b) for a in range(10) for b in range(a + 1, 10)):
        classes[[10 * low + high, 10 * high + low]] = k
        signs[[10 * low + high, 10 * high + low]] = 1, -1
    return classes, signs


_CLASSES, _SIGNS = _pair_tables()

_NO_NUMBERS = np.arange(NUMBERS, LABELS)


def _unbalanced(labels: NDArray[np.int_]) -> NDArray[np.int_]:
    """For each pair class how many more ab than ba there are, ``(47,)``; that of ``_NO_PAIR`` is always 0."""
    return np.bincount(_CLASSES[labels], weights=_SIGNS[labels], minlength=_NO_PAIR + 2).astype(int)
