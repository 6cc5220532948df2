"""Discs that sit elsewhere in print: an edition nobody measured has a few of them, up to two disc radii away.

The first and the newer edition of one board differ by a median of 2 pixels, and one state by 25 (a whole disc); the
publisher's own sheet has ten discs elsewhere. Cut where all others put it, such a cell shows half a number.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.vision.disc_net import SIDE, disc_net, places
from ontour_cv.vision.measure import Measured
from ontour_cv.vision.rings import cut_tiles

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

FARTHEST = 1.85
"""A disc is looked for up to so far from there, disc radii; between published editions none known of moved
by more than 1.1."""

ROOM = 1.3
"""Discs are no nearer to each other than this, disc radii."""

ELSEWHERE, SEVERAL = 0.35, 2
"""So many discs surely seen this far from where all others put them, in disc radii, show that nobody measured this
edition. Of 80 photos of known editions none had one; a single one is chance on the poorest photos. Of 80 photos read
with another edition's positions 79 had two or more.
"""

SPREADS = ((0.8, 0.12), (0.2, 0.6))
"""How far discs of an edition nobody measured lie from where all others put them: shares of two normal distributions
and their spreads, disc radii. Of the 41 discs of two published boards 28 lie within 0.2 and three further than 0.7.
"""

SURE, SEEN, ROUND = 0.6, 0.3, 0.3
"""How probable it has to be that a disc lies near the likeliest place, with and without what is known of where discs
lie, and what is near, disc radii. The second tells a disc that is seen from one that glare hides."""


def to_ask(trust: NDArray[np.int64], off: Array, seen: Flags) -> Flags:
    """Cells whose disc has to be looked for, ``(N,)``: not seen, or on a board nobody measured not surely.

    Args:
        trust: ``(N,)`` as ``Measured.trust``.
        off: ``(N,)`` how far from where all others put it each disc was measured, disc radii; infinite where none was.
        seen: ``(N,)`` whether that was the disc.
    """
    return np.asarray(trust != 2 if drawn_anew(trust, off) else ~seen)


def drawn_anew(trust: NDArray[np.int64], off: Array) -> bool:
    """Whether discs surely seen lie elsewhere: this is a board nobody measured. Arguments as for :func:`to_ask`."""
    return int(((trust == 2) & (off > ELSEWHERE)).sum()) >= SEVERAL


def find_strays(measured: Measured, centres: Points, axes: Array, asked: Flags) -> tuple[Array, Flags]:
    """Discs found by the network where no outline was.

    Args:
        measured: what was found near those places.
        centres: ``(N, 2)`` where all others put each disc, photo pixels.
        axes: ``(N, 2, 2)`` as ``CellPlace.axes_photo``.
        asked: ``(N,)`` the cells to look for (:func:`to_ask`).

    Returns:
        ``(N, 2)`` offsets in disc radii along the cell's axes, and ``(N,)`` whether one was found.
    """
    rows = np.flatnonzero(asked)
    offsets, found = np.zeros((len(centres), 2)), np.zeros(len(centres), dtype=bool)
    if not len(rows):
        return offsets, found
    for k, answer in zip(rows, answers_round(measured, centres[rows], axes[rows]), strict=True):
        at = _likeliest(answer, to_others(places(), centres, axes[k], int(k)))
        if at is not None:
            offsets[k], found[k] = at, True
    return offsets, found


def answers_round(measured: Measured, centres: Points, axes: Array) -> Array:
    """What the network answers round these places, ``(N, S, S)`` as :func:`ontour_cv.vision.disc_net.places` tells."""
    windows = cut_tiles(measured.working, *measured.in_view(centres, axes), SIDE)
    return disc_net().log_likelihood(windows.reshape(-1, SIDE, SIDE, 3))


def _likeliest(answer: Array, gaps: Array) -> Array | None:
    """Where in one window the disc is, ``(2,)`` disc radii; None when that is not clear enough.

    Args:
        answer: ``(S, S)`` log-likelihood of each place.
        gaps: ``(S, S)`` how far each is from other discs.
    """
    at = places()
    away = np.hypot(at[..., 0], at[..., 1])
    usual = np.sum([share / spread**2 * np.exp(-0.5 * (away / spread) ** 2) for share, spread in SPREADS], axis=0)
    alone = np.where((away < FARTHEST) & (gaps > ROOM), np.exp(answer - answer.max()), 0.0)
    chance = alone * usual
    near = np.hypot(*(at - peak_at(chance, at)).transpose(2, 0, 1)) < ROUND
    if chance[near].sum() < SURE * chance.sum() or alone[near].sum() < SEEN * alone.sum() or not chance.any():
        return None
    return np.asarray((chance[near, None] * at[near]).sum(axis=0) / chance[near].sum())


def to_others(places: Array, centres: Points, axes: Array, k: int) -> Array:
    """How far each place of the window round cell ``k`` is from all other cells' centres, ``(S, S)`` disc radii."""
    others = np.delete(np.linalg.solve(axes, (centres - centres[k]).T).T, k, axis=0)
    gaps = np.hypot(places[..., 0, None] - others[:, 0], places[..., 1, None] - others[:, 1])
    return np.asarray(gaps.min(axis=-1), dtype=np.float64)


def peak_at(answer: NDArray[np.floating], places: Array) -> Array:
    """The best place."""
    return np.asarray(places[np.unravel_index(int(answer.argmax()), answer.shape)])
