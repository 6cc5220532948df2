"""From the discs that were found to those beside them: a folded board has panels that no one homography lays.

Two panels of three may be found at once, and the discs of the third lie half a disc, then a whole one, then two away
from where the first two put them. But that grows from the fold on: beside the last disc found, the next is off by a
little. So discs are looked for a little further round the known ones, the board is bent to them, and on to the next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.vision.landmarks import Candidates
from ontour_cv.vision.measure import Measured
from ontour_cv.vision.rings import look_far
from ontour_cv.vision.strays import peak_at, to_others
from ontour_cv.vision.warp import Warp

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

LEAST_LOST = 8
"""With fewer discs missing in the picture there is no panel missing."""

ROUNDS = 8
"""Steps from disc to disc at most; a board is about ten discs wide."""

BESIDE = 8.0
"""A disc is beside another up to so far away, disc radii: neighbours and their neighbours."""

REACH = 0.9
"""How far from its place a disc is looked for, disc radii."""

FARTHER, LIKE = 2.5, 0.35
"""On a board bent as a whole an outline is looked for so far, disc radii, of a size so much larger or smaller (log)."""

FIRST = 1.3
"""Of those the nearest to a known disc first, and such as are at most so many times as far."""

ALONE = 0.35
"""Places nearer to each other than this, in disc radii, are the same disc."""

LEAST, LEAD, PULL = 0.4, 0.06, 0.12
"""What a disc has to answer (``rings.look_far``), by how much more than any other place within reach, and what a
square disc radius away from its place costs in answer.

On 102 hard photos with discs missing, of writers kept for validation, misplaced cells fell from 109 to 99, photos with
three or more of them from 15 to 12; answers of 0.3 found more (96 and 10) but misplaced a disc on two more photos.
"""

APART = 1.2
"""Discs are no nearer to the places of others than this, disc radii."""

SPREAD = 0.1
"""Standard deviation of the offset of a disc found so, disc radii."""

STRAY = 1.0
"""A disc found so that all others then put further away than this, in disc radii, was none."""


@dataclass(frozen=True, slots=True, eq=False)
class Grown:
    """The discs known after growing; arrays in the order of the board's cells.

    Attributes:
        measured: as before, the discs added with little trust.
        places: ``(N, 2)`` photo pixels, of those found.
        found: ``(N,)``.
        warp: the board bent to them.
        alone: ``(N, 2)`` how far each lies from what all others say, disc radii; NaN where none was found.
    """

    measured: Measured
    places: Points
    found: Flags
    warp: Warp
    alone: Array


Bend = Callable[[Points, Measured, Flags], "tuple[Warp, Array] | None"]
"""Places, measurements and which of them count -> the warp through them, and ``Grown.alone``; None when too few."""


def grow(board: Points, known: Grown, candidates: Candidates, size: tuple[int, int], bend_to: Bend) -> Grown:
    """The discs known, and those found beside them.

    Args:
        board: ``(N, 2)`` disc centres, board frame.
        known: what is known so far.
        candidates: outlines found in the photo.
        size: width and height of the photo, pixels.
        bend_to: how the board is bent.
    """
    added = np.zeros(len(board), dtype=bool)
    for turn in range(ROUNDS):
        expected = known.warp.apply(board)
        inside = np.asarray(((expected > 0) & (expected < np.array(size) - 1.0)).all(axis=1))
        lost = np.flatnonzero(~known.found & inside)
        if len(lost) < (1 if turn or known.warp.wide else LEAST_LOST):
            break
        offsets, seen = _beside(board, known, expected, lost)
        if known.warp.wide and not seen.any():
            offsets, seen = _outlined(board, known, expected, lost, candidates)
        if not seen.any():
            break
        added |= seen
        axes = known.warp.axes(board)
        places = np.where(seen[:, None], expected + np.einsum("nij,nj->ni", axes, offsets), known.places)
        measured = replace(known.measured, spread=np.where(added, SPREAD, known.measured.spread))
        grown = _bent(measured, places, known.found | seen, added, bend_to)
        if grown is None:
            break
        known = grown
        added &= known.found
    return replace(known, measured=replace(known.measured, trust=np.where(added, 1, known.measured.trust)))


def _bent(measured: Measured, places: Points, found: Flags, added: Flags, bend_to: Bend) -> Grown | None:
    """The board bent to all of these, and once more without those added that do not fit in with the others."""
    bent = bend_to(places, measured, found)
    if bent is None:
        return None
    stray = added & (np.hypot(*np.nan_to_num(bent[1]).T) > STRAY)
    if stray.any():
        found = found & ~stray
        bent = bend_to(places, measured, found)
    return None if bent is None else Grown(measured, places, found, *bent)


def _beside(board: Points, known: Grown, expected: Points, lost: NDArray[np.int_]) -> tuple[Array, Flags]:
    """Offsets ``(N, 2)``, disc radii, of the lost discs seen near their places beside known ones, and which were."""
    axes = known.warp.axes(board)
    offsets, seen = np.zeros_like(board), np.zeros(len(board), dtype=bool)
    gaps = _to_known(board, known, lost)
    lost = lost[gaps <= BESIDE * known.warp.radius]
    if not len(lost):
        return offsets, seen
    measured = known.measured
    answers, places = look_far(measured.working, *measured.in_view(expected[lost], axes[lost]), measured.view)
    away = np.hypot(places[..., 0], places[..., 1])
    for k, answer in zip(lost, answers, strict=True):
        apart = to_others(places, expected, axes[k], int(k)) > APART
        free = np.where((away < REACH) & apart, answer - PULL * away**2, -1.0)
        at, best = peak_at(free, places), int(free.argmax())
        if answer.flat[best] > LEAST and free.flat[best] > _rival(free, places, at) + LEAD:
            offsets[k], seen[k] = at, True
    return offsets, seen


def _outlined(
    board: Points, known: Grown, expected: Points, lost: NDArray[np.int_], candidates: Candidates
) -> tuple[Array, Flags]:
    """The same by outlines, further away: each the only free one near a lost disc, which is the nearest to it."""
    offsets, seen = np.zeros_like(board), np.zeros(len(board), dtype=bool)
    axes = known.warp.axes(board)
    gaps = _to_known(board, known, lost)
    lost = lost[gaps <= FIRST * gaps.min()]
    size = np.sqrt(np.abs(np.linalg.det(axes)))
    taken = np.hypot(*(candidates.centres_photo[:, None] - known.places[known.found][None]).transpose(2, 0, 1))
    free = (taken > size[known.found]).all(axis=1)
    steps = candidates.centres_photo[None] - expected[lost][:, None]
    local = np.einsum("nij,nkj->nki", np.linalg.inv(axes[lost]), steps)
    away = np.hypot(local[..., 0], local[..., 1])
    fits = free & (away < FARTHER) & (np.abs(np.log(candidates.radii_px / size[lost][:, None])) < LIKE)
    nearest = np.where(fits, away, np.inf).argmin(axis=0)
    for row, k in enumerate(lost):
        mine = np.flatnonzero(fits[row])
        if len(mine) == 1 and nearest[mine[0]] == row:
            offsets[k], seen[k] = local[row, mine[0]], True
    return offsets, seen


def _to_known(board: Points, known: Grown, lost: NDArray[np.int_]) -> Array:
    """How far each lost disc is from the nearest known one, board widths."""
    return np.asarray(np.hypot(*(board[lost][:, None] - board[known.found][None]).transpose(2, 0, 1)).min(axis=1))


def _rival(answer: NDArray[np.floating], places: Array, at: Array) -> float:
    """The best answer at another disc than the one ``at`` a place."""
    return float(answer[np.hypot(*(places - at).transpose(2, 0, 1)) > ALONE].max())
