"""GlyphScores + prior -> :class:`Decoded`: the most probable board as a whole, with posteriors and doubts.

The game is an error-correcting code: the numbers of a board fall into reversed pairs. Cells the network is sure of are
taken as they are; the rest (and every cell of a pair that does not come out even) are decoded together: the most
probable joint readings are enumerated by a beam, weighed by the prior, and summed up to posteriors cell by cell.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.vision.caution import cautious
from ontour_cv.vision.glyphs import GlyphScores, log_softmax
from ontour_cv.vision.match import BLOCKED, EMPTY, LABELS, STAR, Match, match
from ontour_cv.vision.prior import Prior
from ontour_cv.vision.script import Script
from ontour_cv.vision.trend import trend

SURE = 0.9995
"""A cell read with at least this probability is not reconsidered unless its pair does not come out even."""

BEAM = 3000
"""Joint readings kept; boards with a dozen doubtful cells still fit."""

MARGIN = 40.0
"""Joint readings less probable than the best one by more than this (natural log) are dropped on the way."""

KEEP = 8
"""Labels kept per open cell, the most probable ones."""

FLOOR = -16.0
"""Log-probability below which a label is not considered at all."""

MOST_INFERRED = 2
"""So many cells that are not in the picture are read from what everybody had to write and is nowhere else. Each may be
anything at first, which costs time; and a picture that shows less is better taken again."""

DOUBT, DOUBT_ALONE = 0.99, 0.991
"""A cell is doubtful when its reading (mark and circle) is less probable than this; the latter without a script.

That was 0.99, too, while the circle's calibration took 0.1 % off every cell: the same cells are doubtful.
"""

CIRCLED_SHARE = 0.285
"""Share of circled cells on boards as the network was calibrated on. Where a script says which cells are circled, its
probabilities are taken without that share: on 380 lawful boards of validation writers the log-loss of the true marks
fell from 90.2 to 85.6, and to 83.5 with the trend taken a second time."""

LISTED = 0.002
"""Alternatives less probable than this are not listed."""


@dataclass(frozen=True, slots=True)
class CellReading:
    """One cell as read.

    Attributes:
        mark: the decoded mark, with its circle.
        confidence: posterior probability of mark and circle together, 0-1.
        alternatives: other marks (with circle) and their posterior, most probable first, tiny ones left out.
        doubtful: True when the reading cannot be trusted by itself.
    """

    mark: Mark
    confidence: float
    alternatives: tuple[tuple[Mark, float], ...]
    doubtful: bool


@dataclass(frozen=True, slots=True, eq=False)
class Decoded:
    """A whole board as read.

    Attributes:
        cells: region id -> reading, in the map's order.
        lawful: probability that the player made no slip; None when it was not known what had to be written.
        slips: expected number of slips; None likewise.
    """

    cells: Mapping[str, CellReading]
    lawful: float | None = None
    slips: float | None = None

    @property
    def board(self) -> BoardState:
        """The board without the doubts."""
        return BoardState({region: cell.mark for region, cell in self.cells.items()})

    @property
    def uncertain(self) -> tuple[str, ...]:
        """Ids of the doubtful cells, in the map's order."""
        return tuple(region for region, cell in self.cells.items() if cell.doubtful)


def decode(scores: GlyphScores, prior: Prior, unseen: Collection[str] = ()) -> Decoded:
    """The board as read.

    Args:
        scores: what the network thinks of each cell.
        prior: what is known of boards beforehand.
        unseen: ids of cells the picture does not show; they are left unread and doubtful, but for one or two of a board
            whose script is known.
    """
    if prior.script is not None:
        return _by_script(scores, prior, prior.script, unseen)
    hidden = np.array([i in unseen for i in scores.ids], dtype=bool)
    unary = label_scores(_along_trend(scores) if prior.trend else scores, prior)
    posterior = joint_posterior(unary, prior, hidden)
    if prior.reversed_pairs:
        posterior = cautious(posterior, unary)
    circled = np.exp(scores.circled)
    cells = {}
    for row, region in enumerate(scores.ids):
        if hidden[row]:
            cells[region] = CellReading(Mark(Kind.UNREAD), 0.0, (), True)
        else:
            cells[region] = _reading(posterior[row][:, None] * circled[row], DOUBT_ALONE)
    return Decoded(cells)


def _along_trend(scores: GlyphScores, certain: NDArray[np.float64] | None = None) -> GlyphScores:
    """The same with each number weighed by what stands around it; what kind of mark a cell holds is left alone.

    Args:
        scores: what the network thinks of each cell.
        certain: ``(N, 100)`` probability of each number in each cell; by default as seen by itself.
    """
    if scores.places is None:
        return scores
    certain = np.exp(scores.kind[:, 1:2] + scores.number) if certain is None else certain
    return replace(scores, number=log_softmax(scores.number + trend(certain, scores.places)))


def _by_script(scores: GlyphScores, prior: Prior, script: Script, unseen: Collection[str]) -> Decoded:
    """The board as read by somebody who knows what had to be written; a cell or two outside the picture follow.

    With doubts left the trend is taken once more, from what then is certain.
    """
    inferred = len(unseen) <= MOST_INFERRED
    left = () if inferred else unseen
    seen = _without_share(_blinded(scores, unseen) if inferred else scores)
    decoded, found = _matched(_along_trend(seen) if prior.trend else seen, script, left)
    if prior.trend and any(cell.doubtful for cell in decoded.cells.values()):
        certain = found.posterior.sum(axis=2)[:, :EMPTY]
        decoded, _ = _matched(_along_trend(seen, certain), script, left)
    return decoded


def _matched(scores: GlyphScores, script: Script, left: Collection[str]) -> tuple[Decoded, Match]:
    """Cells and script brought together, those ``left`` out unread."""
    found = match(scores, script, left)
    cells = {
        region: _reading(found.posterior[row], DOUBT) for row, region in enumerate(scores.ids) if region not in left
    }
    unread = CellReading(Mark(Kind.UNREAD), 0.0, (), True)
    return Decoded({region: cells.get(region, unread) for region in scores.ids}, found.lawful, found.slips), found


def _without_share(scores: GlyphScores) -> GlyphScores:
    """The same with the probability of a circle as if half of all cells were circled: what its ink alone says."""
    return replace(scores, circled=log_softmax(scores.circled - np.log([1.0 - CIRCLED_SHARE, CIRCLED_SHARE])))


def _blinded(scores: GlyphScores, unseen: Collection[str]) -> GlyphScores:
    """The same scores, those of cells nothing is seen of alike for every label, with and without circle."""
    rows = [row for row, region in enumerate(scores.ids) if region in unseen]
    kind, number, circled = scores.kind.copy(), scores.number.copy(), scores.circled.copy()
    kind[rows] = np.log(np.array([0.5, 100.0, 1.0, 0.5]) / 102.0)  # empty and X have no circle
    number[rows], circled[rows] = np.log(0.01), np.log(0.5)
    return replace(scores, kind=kind, number=number, circled=circled)


def label_scores(scores: GlyphScores, prior: Prior) -> NDArray[np.float64]:
    """Log-probability of each label in each cell by itself, ``(N, LABELS)``, the prior of single cells included."""
    kind = scores.kind + np.asarray(prior.kind)
    out = np.empty((len(scores.ids), LABELS))
    out[:, :100] = kind[:, 1:2] + scores.number
    out[:, 0:100:11] -= prior.double_cost
    out[:, list(prior.unlikely)] -= prior.double_cost
    full = int((kind.argmax(axis=1) == 0).sum()) <= prior.few_empty
    out[:, EMPTY] = kind[:, 0] - (prior.empty_cost if full else 0.0)
    out[:, STAR], out[:, BLOCKED] = kind[:, 2], kind[:, 3]
    top = out.max(axis=1, keepdims=True)
    return np.asarray(out - top - np.log(np.exp(out - top).sum(axis=1, keepdims=True)), dtype=np.float64)


def joint_posterior(
    unary: NDArray[np.float64], prior: Prior, hidden: NDArray[np.bool_] | None = None
) -> NDArray[np.float64]:
    """Posterior of each label in each cell, ``(N, LABELS)``, from all cells together.

    Args:
        unary: ``(N, LABELS)`` log-probabilities of the cells by themselves.
        prior: which joint readings are probable.
        hidden: ``(N,)`` True for cells nothing is known of; each may be anybody's missing partner.
    """
    if not prior.reversed_pairs or not len(unary):
        return np.exp(unary)
    hidden = np.zeros(len(unary), dtype=bool) if hidden is None else hidden
    best = np.where(hidden, EMPTY, unary.argmax(axis=1))
    open_cells = np.flatnonzero((unary.max(axis=1) < np.log(SURE)) & ~hidden)
    odd = [row for row in range(len(unary)) if not hidden[row] and _unbalanced(best)[_pair_class(best[row])] != 0]
    rows = np.array(sorted({*open_cells.tolist(), *odd}), dtype=int)
    out = np.exp(unary)
    if not len(rows):
        return out
    order = rows[np.argsort(unary[rows].max(axis=1))][:24]  # the least sure first; two dozen is a hopeless photo anyway
    states, weights = _beam(unary, best, order, prior, int(hidden.sum()))
    for column, row in enumerate(order):
        out[row] = 0.0
        np.add.at(out[row], states[:, column], weights)
    return out


def _beam(
    unary: NDArray[np.float64], best: NDArray[np.int_], order: NDArray[np.int_], prior: Prior, spare: int
) -> tuple[NDArray[np.int_], NDArray[np.float64]]:
    """The most probable joint readings of the cells in ``order``, ``(B, len(order))``, and their weights (sum 1)."""
    fixed = best.copy()
    fixed[order] = EMPTY
    options = [np.argsort(-unary[row], kind="stable")[:KEEP] for row in order]
    options = [some[unary[row, some] > FLOOR] for row, some in zip(order, options, strict=True)]
    # only pairs that an open cell may be part of need a column; the last column is for what belongs to no pair
    used = np.unique(np.concatenate([_CLASSES[some] for some in options] + [[_NO_PAIR]]))
    column = np.zeros(_NO_PAIR + 1, dtype=int)
    column[used] = np.arange(len(used))
    balance = _unbalanced(fixed)[None, used].astype(np.int8)
    unpaired = np.abs(_unbalanced(fixed)).sum(keepdims=True)
    blocked = (fixed == BLOCKED).sum(keepdims=True)
    score = np.zeros(1)
    trail: list[tuple[NDArray[np.int_], NDArray[np.int_]]] = []
    for left, row, some in zip(range(len(order) - 1, -1, -1), order, options, strict=True):
        where, sign = column[_CLASSES[some]], _SIGNS[some].astype(np.int8)
        change = np.abs(balance[:, where] + sign) - np.abs(balance[:, where])
        loose = (unpaired[:, None] + change).ravel()
        crossed = (blocked[:, None] + (some == BLOCKED)).ravel()
        total = (score[:, None] + unary[row, some]).ravel()
        keep = _promising(total - _pair_cost(loose, crossed, prior, spare + left))
        parent, pick = np.divmod(keep, len(some))
        balance = balance[parent]
        balance[np.arange(len(keep)), where[pick]] += sign[pick]
        unpaired, blocked, score = loose[keep], crossed[keep], total[keep]
        trail.append((parent, some[pick]))
    final = score - _pair_cost(unpaired, blocked, prior, spare)
    weights = np.exp(final - final.max())
    return _followed_back(trail, len(score)), weights / weights.sum()


def _promising(guess: NDArray[np.float64]) -> NDArray[np.int_]:
    """Which joint readings to follow: those within ``MARGIN`` of the best, the best ``BEAM`` of them, best first."""
    keep = np.flatnonzero(guess > guess.max() - MARGIN)
    if len(keep) > BEAM:
        keep = keep[np.argpartition(-guess[keep], BEAM)[:BEAM]]
    return keep[np.argsort(-guess[keep], kind="stable")]


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
    """Cost of the numbers without a partner; ``free`` cells not yet read may each be one of the partners."""
    unpaired = np.maximum(unpaired - free, 0)
    excused = np.minimum(unpaired, blocked + 1)
    return np.asarray(excused * prior.unpaired_cost + (unpaired - excused) * prior.broken_cost, dtype=np.float64)


_NO_PAIR = 45
"""Class of doubles and signs, which belong to no reversed pair; the pairs come before it."""


def _pair_tables() -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    classes, signs = np.full(LABELS, _NO_PAIR), np.zeros(LABELS, dtype=int)
    for k, (low, high) in enumerate((a, b) for a in range(10) for b in range(a + 1, 10)):
        classes[[10 * low + high, 10 * high + low]] = k
        signs[[10 * low + high, 10 * high + low]] = 1, -1
    return classes, signs


_CLASSES, _SIGNS = _pair_tables()


def _pair_class(label: int | np.int_) -> int:
    """Which of the 45 reversed pairs a label belongs to, or ``_NO_PAIR``."""
    return int(_CLASSES[label])


def _unbalanced(labels: NDArray[np.int_]) -> NDArray[np.int_]:
    """For each pair class how many more ab than ba there are, ``(46,)``; the last entry is always 0."""
    return np.bincount(_CLASSES[labels], weights=_SIGNS[labels], minlength=46).astype(int)


def mark_of(label: int, circled: bool) -> Mark:
    """The mark behind a label; a blocked cell is never called circled."""
    if label < 100:
        return Mark(Kind.NUMBER, label, circled)
    kind = {EMPTY: Kind.EMPTY, STAR: Kind.STAR, BLOCKED: Kind.BLOCKED}[label]
    return Mark(kind, None, circled and kind is Kind.STAR)


def _reading(posterior: NDArray[np.float64], doubt: float) -> CellReading:
    """One cell's reading from its posterior ``(LABELS, 2)``, of each label without and with a circle."""
    chances: dict[Mark, float] = {}
    for label in np.argsort(-posterior.sum(axis=1), kind="stable")[:12]:
        for state in (0, 1):
            mark = mark_of(int(label), bool(state))
            chances[mark] = chances.get(mark, 0.0) + float(posterior[label, state])
    ranked = sorted(chances.items(), key=lambda item: (-item[1], str(item[0])))
    mark, confidence = ranked[0]
    others = tuple((m, p) for m, p in ranked[1:] if p >= LISTED)
    return CellReading(mark, min(confidence, 1.0), others, confidence < doubt)
