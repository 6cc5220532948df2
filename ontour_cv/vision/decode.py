"""GlyphScores + prior -> :class:`Decoded`: the most probable board as a whole, with posteriors and doubts.

Without a game's log the reversed pairs decide together (:mod:`ontour_cv.vision.pairs`), with it what had to be written
does (:mod:`ontour_cv.vision.match`); where numbers stand on the map says something in either case.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.vision.caution import cautious
from ontour_cv.vision.glyphs import GlyphScores, log_softmax
from ontour_cv.vision.match import BLOCKED, EMPTY, LABELS, STAR, Match, likelihood, match
from ontour_cv.vision.pairs import joint_posterior
from ontour_cv.vision.prior import Prior
from ontour_cv.vision.script import Script
from ontour_cv.vision.seeds import seeded
from ontour_cv.vision.trend import NUMBERS, trend

MOST_INFERRED = 2
"""So many cells that are not in the picture are read from what everybody had to write and is nowhere else. Each may be
anything at first, which costs time; and a picture that shows less is better taken again."""

LEAST_INFERRED = 0.5
"""Without a script such a cell is read only as what is more probable than everything else together, circles aside."""

DOUBT, DOUBT_ALONE = 0.99, 0.991
"""A cell is doubtful when its reading (mark and circle) is less probable than this; the latter without a script.

That was 0.99, too, while the circle's calibration took 0.1 % off every cell: the same cells are doubtful.
"""

OVERRULED = 0.998
"""Where a script overrules the eyes, or they saw nothing, a cell is doubtful already below this: what a player wrote by
mistake looks as clear as anything. On 283 boards of validation writers with a planted slip and no lawful explanation
(ordinary photos) one slip was passed over in place of two, on 136 hard ones one in place of two; on 300 hard boards
without a slip 0.38 cells were doubted in place of 0.26, and no more were asked about.
"""

MANY, DOUBT_AMONG_MANY = 4, 0.994
"""On a board read alone with so many doubtful cells, cells are doubtful already when less probable than this.

A hand or a light that the network knows badly misleads it elsewhere on the board, too. On 450 rendered boards by
writers kept for validation, of editions it does not know, 20 numbers were silently wrong with 6.6 doubted a board, in
place of 29 with 5.7; the same limit for all boards leaves as many, but doubts 6.8. On 160 photos of real boards 6, in
place of 10.
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
        overruled: what the eyes alone read, where a script says otherwise.
    """

    mark: Mark
    confidence: float
    alternatives: tuple[tuple[Mark, float], ...]
    doubtful: bool
    overruled: Mark | None = None


_UNREAD = CellReading(Mark(Kind.UNREAD), 0.0, (), True)


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
        unseen: ids of cells the picture does not show. One or two of a finished board are inferred: from the script, or
            from which numbers lack a partner, and then doubtful; all others are left unread.

    With many doubts left the trend is taken once more, from what the whole board says by then.
    """
    if prior.script is not None:
        return _by_script(scores, prior, prior.script, unseen)
    hidden = np.array([i in unseen for i in scores.ids], dtype=bool)
    if hidden.any():
        scores = _blinded(scores, unseen)
    decoded, certain = _by_pairs(scores, prior, unseen, hidden)
    if prior.trend and _many_doubtful(decoded.cells, unseen):
        decoded, _ = _by_pairs(scores, prior, unseen, hidden, certain)
    return decoded


def _by_pairs(
    scores: GlyphScores,
    prior: Prior,
    unseen: Collection[str],
    hidden: NDArray[np.bool_],
    certain: NDArray[np.float64] | None = None,
) -> tuple[Decoded, NDArray[np.float64]]:
    """The board as read without a script, and how probable each number then is in each cell that is seen, ``(N, 100)``.

    Args:
        scores: those of hidden cells blinded.
        prior: as in :func:`decode`.
        unseen: ids of the hidden cells.
        hidden: ``(N,)`` the same.
        certain: what the trend is taken from; see :func:`_along_trend`.
    """
    unary = label_scores(_along_trend(scores, certain) if prior.trend else scores, prior)
    posterior = joint_posterior(unary, prior, hidden)
    if prior.reversed_pairs:
        posterior[~hidden] = cautious(posterior[~hidden], unary[~hidden])
    circled = np.exp(scores.circled)
    circled[hidden] = [1.0 - CIRCLED_SHARE, CIRCLED_SHARE]
    circled = seeded(circled, posterior[:, :NUMBERS], prior.setup_rolls)
    empty = int((posterior[~hidden].argmax(axis=1) == EMPTY).sum())
    full = prior.empty_cost > 0 and empty <= prior.few_empty  # where the rules leave no space empty, and none is
    inferred = prior.reversed_pairs and full and hidden.sum() <= MOST_INFERRED
    cells = {}
    for row, region in enumerate(scores.ids):
        joint = posterior[row][:, None] * circled[row]
        if not hidden[row]:
            cells[region] = _reading(joint, DOUBT_ALONE)
        else:
            cells[region] = _left_for(joint) if inferred else _UNREAD
    seen = np.where(hidden[:, None], 0.0, posterior[:, :NUMBERS])
    return Decoded(_doubted_together(cells, unseen)), seen


def _doubted_together(cells: dict[str, CellReading], unseen: Collection[str]) -> dict[str, CellReading]:
    """The same, with more of them doubtful where many are (``MANY``); what the picture does not show is not counted."""
    if not _many_doubtful(cells, unseen):
        return cells
    return {region: replace(cell, doubtful=cell.confidence < DOUBT_AMONG_MANY) for region, cell in cells.items()}


def _many_doubtful(cells: Mapping[str, CellReading], unseen: Collection[str]) -> bool:
    """Whether ``MANY`` cells that the picture shows are in doubt."""
    return sum(cell.doubtful for region, cell in cells.items() if region not in unseen) >= MANY


def _left_for(posterior: NDArray[np.float64]) -> CellReading:
    """The reading of a cell out of sight: always a doubt, and none where no mark is more probable than all others."""
    reading = _reading(posterior, DOUBT_ALONE)
    if posterior.sum(axis=1).max() < LEAST_INFERRED:
        others = ((reading.mark, reading.confidence), *reading.alternatives)
        return replace(_UNREAD, alternatives=others)
    return replace(reading, doubtful=True)


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
    seen = likelihood(scores, script.blunders).reshape(len(scores.ids), -1).argmax(axis=1)
    cells = {
        region: _reading(found.posterior[row], DOUBT, int(seen[row]))
        for row, region in enumerate(scores.ids)
        if region not in left
    }
    return Decoded({region: cells.get(region, _UNREAD) for region in scores.ids}, found.lawful, found.slips), found


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


def mark_of(label: int, circled: bool) -> Mark:
    """The mark behind a label; a blocked cell is never called circled."""
    if label < 100:
        return Mark(Kind.NUMBER, label, circled)
    kind = {EMPTY: Kind.EMPTY, STAR: Kind.STAR, BLOCKED: Kind.BLOCKED}[label]
    return Mark(kind, None, circled and kind is Kind.STAR)


_MARKS = tuple(mark_of(label, circled) for label in range(LABELS) for circled in (False, True))
"""Every label without and with a circle; made once, as some thousand are ranked on a board."""

_SAME, _WRITTEN = tuple(_MARKS.index(mark) for mark in _MARKS), tuple(map(str, _MARKS))
"""For each the first that is the same mark; and how each is written."""


def _reading(posterior: NDArray[np.float64], doubt: float, seen: int | None = None) -> CellReading:
    """One cell's reading from its posterior ``(LABELS, 2)``, of each label without and with a circle.

    Args:
        posterior: of the cell.
        doubt: less probable than this it is doubtful.
        seen: column of what the eyes alone would read; anything else is doubtful when less probable than ``OVERRULED``.
    """
    chances: dict[int, float] = {}
    for label in np.argsort(-posterior.sum(axis=1), kind="stable")[:12]:
        for state in (0, 1):
            which = _SAME[2 * label + state]
            chances[which] = chances.get(which, 0.0) + float(posterior[label, state])
    by_chance = sorted(chances.items(), key=lambda item: (-item[1], _WRITTEN[item[0]]))
    ranked = [(_MARKS[which], chance) for which, chance in by_chance]
    mark, confidence = ranked[0]
    others = tuple((m, p) for m, p in ranked[1:] if p >= LISTED)
    eyes = None if seen is None else mark_of(seen // 2, bool(seen % 2))
    if eyes in (None, mark):
        return CellReading(mark, min(confidence, 1.0), others, confidence < doubt)
    return CellReading(mark, min(confidence, 1.0), others, confidence < max(doubt, OVERRULED), eyes)
