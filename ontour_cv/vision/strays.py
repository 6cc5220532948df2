"""Discs that sit elsewhere in print: an edition nobody measured has a few of them, up to two disc radii away.

The first and the newer edition of one board differ by a median of 2 pixels, and one state by 25 (a whole disc); the
publisher's own sheet has ten discs elsewhere. Cut where all others put it, such a cell shows half a number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.vision.measure import Measured
from ontour_cv.vision.rings import look_far

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

HERE = 0.45
"""Up to so far from where all others put it, in disc radii, a disc is about where it should be."""

PULL = 0.1
"""What a square disc radius away from there costs in response; the same for the places near to it."""

FARTHEST, BEYOND = 1.85, 0.3
"""A disc is looked for up to so far from there, disc radii; what each radius beyond the first costs in response: no
disc known of moved by more than 1.25 radii between editions.
"""

ROOM = 1.3
"""Discs are no nearer to each other than this, disc radii."""

ALONE = 0.35
"""Places nearer to each other than this, in disc radii, are the same disc."""

ELSEWHERE, SEVERAL = 0.35, 2
"""So many discs surely seen this far from where all others put them, in disc radii, show that nobody measured this
edition. Of 80 photos of known editions none had one; a single one is chance on the poorest photos. Of 80 photos read
with another edition's positions 79 had two or more.
"""


@dataclass(frozen=True, slots=True)
class Bar:
    """What a disc has to answer to be believed.

    Attributes:
        least: response of the ring search.
        over_here: by how much a place far away must beat the best one near.
        over_rival: by how much a place must beat the next best one.
    """

    least: float
    over_here: float
    over_rival: float


FAR_KNOWN, FAR_UNKNOWN, NEAR_UNKNOWN = Bar(0.6, 0.2, 0.1), Bar(0.4, 0.1, 0.02), Bar(0.35, 0.0, 0.1)
"""For discs far away on a board where all others are where they should be, on one of an edition nobody measured, and
for discs near their place on such a board. Photos of two real boards with ink: of 3,280 cells read with the positions
of the right edition 6 were placed wrongly (by 0.3 radii) without and with this; with those of another 5.9 and 2.9 %.
"""


def find_strays(measured: Measured, centres: Points, axes: Array, off: Array) -> tuple[Array, Flags]:
    """Discs found away from where all others put them, among the cells where nothing sure was found.

    Args:
        measured: what was found near those places.
        centres: ``(N, 2)`` where all others put each disc, photo pixels.
        axes: ``(N, 2, 2)`` as ``CellPlace.axes_photo``.
        off: ``(N,)`` how far from there a disc was measured, disc radii; infinite where none was.

    Returns:
        ``(N, 2)`` offsets in disc radii along the cell's axes, and ``(N,)`` whether one was found.
    """
    sure = measured.trust == 2
    unknown = int((sure & (off > ELSEWHERE)).sum()) >= SEVERAL
    offsets, found = np.zeros((len(centres), 2)), np.zeros(len(centres), dtype=bool)
    doubtful = np.flatnonzero(~sure)
    if not len(doubtful):
        return offsets, found
    answers, places = look_far(measured.working, *measured.in_view(centres[doubtful], axes[doubtful]), measured.view)
    for k, answer in zip(doubtful, answers, strict=True):
        at = _disc(answer, places, to_others(places, centres, axes[k], int(k)), unknown)
        if at is not None:
            offsets[k], found[k] = at, True
    return offsets, found


def _disc(answer: NDArray[np.float32], places: Array, gaps: Array, unknown: bool) -> Array | None:
    """Where in one window the disc is, ``(2,)`` disc radii; None where nothing is clear enough. ``gaps`` to others."""
    away = np.hypot(places[..., 0], places[..., 1])
    free = np.where((away < FARTHEST) & (gaps > ROOM), answer, -1.0)
    near = np.where(away <= HERE, answer - PULL * away**2, -1.0)
    far = np.where(away > HERE, free - BEYOND * np.maximum(away - 1.0, 0.0), -1.0)
    bar = FAR_UNKNOWN if unknown else FAR_KNOWN
    here, at = float(np.where(away <= HERE, answer, -1.0).max()), peak_at(far, places)
    peak = float(far.max())
    if peak > max(bar.least, here + bar.over_here, rival(far, places, at) + bar.over_rival):
        return at
    at = peak_at(near, places)
    if unknown and here > max(NEAR_UNKNOWN.least, rival(free, places, at) + NEAR_UNKNOWN.over_rival):
        return at
    return None


def to_others(places: Array, centres: Points, axes: Array, k: int) -> Array:
    """How far each place of the window round cell ``k`` is from all other cells' centres, ``(S, S)`` disc radii."""
    others = np.delete(np.linalg.solve(axes, (centres - centres[k]).T).T, k, axis=0)
    gaps = np.hypot(places[..., 0, None] - others[:, 0], places[..., 1, None] - others[:, 1])
    return np.asarray(gaps.min(axis=-1), dtype=np.float64)


def peak_at(answer: NDArray[np.floating], places: Array) -> Array:
    """The best place."""
    return np.asarray(places[np.unravel_index(int(answer.argmax()), answer.shape)])


def rival(answer: NDArray[np.floating], places: Array, at: Array) -> float:
    """The best answer at another disc than the one ``at`` a place."""
    return float(answer[np.hypot(*(places - at).transpose(2, 0, 1)) > ALONE].max())
