"""Two cells on one disc: on a board drawn anew one of them is elsewhere, on a disc that is nobody's yet.

Where two neighbours' places changed much between two designs, both may end on the disc of one of them. But discs do not
lie on each other, and every cell has its own: so one of the two gets the disc nearby that no cell has, and of all ways
to give them out the one that moves both least.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.vision.landmarks import THOROUGH, Candidates, find_in
from ontour_cv.vision.symmetry import add_symmetric

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

SAME = 0.9
"""Cells nearer to each other than this, in disc radii, lie on one disc; the discs of no board known are so near."""

FREE = 1.2
"""A disc this far from every cell, in disc radii, is nobody's."""

MOST_STRETCHED = 2.0
"""How much longer a disc may look one way than its size, in a photo at a slant."""

REACH = 3.6
"""How far from where its cell is expected such a disc may lie, disc radii: between the designs known three cells in 41
lie 1.6 to 1.9 elsewhere, none farther, and so far again a board may be laid amiss."""

ALIKE = 0.35
"""How much its size may differ from the cell's (log): a circle may be drawn round it."""


def part(centres: Points, axes: Array, expected: Points, seen: Flags, candidates: Candidates) -> tuple[Points, Flags]:
    """The places with cells that share a disc parted, and which of them are seen.

    Args:
        centres: ``(N, 2)`` photo pixels, where each cell lies.
        axes: ``(N, 2, 2)`` as ``CellPlace.axes_photo``.
        expected: ``(N, 2)`` photo pixels, where all others put each.
        seen: ``(N,)`` whether its disc was found.
        candidates: all discs of the picture.
    """
    centres, seen = centres.copy(), seen.copy()
    for pair in _doubled(centres, axes, seen):
        free = _free(centres, axes, expected, pair, candidates)
        if not len(free):
            candidates = add_symmetric(find_in(candidates.working, THOROUGH))
            free = _free(centres, axes, expected, pair, candidates)
        spots = np.vstack([centres[pair[0]], free])
        away = np.array([radii(spots - expected[cell], axes[cell]) for cell in pair])
        ways = [way for way in permutations(range(len(spots)), 2) if 0 in way]
        if ways:
            best = min(ways, key=lambda way: (away[0, way[0]] ** 2 + away[1, way[1]] ** 2, way))
            centres[list(pair)] = spots[list(best)]
        else:
            loser = pair[int(away[:, 0].argmax())]
            centres[loser], seen[loser] = expected[loser], False
    return centres, seen


def _doubled(centres: Points, axes: Array, seen: Flags) -> list[tuple[int, int]]:
    """Pairs of cells on one disc, both seen there."""
    steps = centres[:, None] - centres[None]
    sizes = np.sqrt(np.abs(np.linalg.det(axes)))
    close = np.hypot(steps[..., 0], steps[..., 1]) < MOST_STRETCHED * SAME * sizes[:, None]
    firsts, seconds = np.nonzero(np.triu(close & seen[:, None] & seen[None], 1))
    found = [
        (int(a), int(b)) for a, b in zip(firsts, seconds, strict=True) if radii(steps[a, b][None], axes[a])[0] < SAME
    ]
    used: set[int] = set()
    apart = []
    for pair in found:
        if used.isdisjoint(pair):
            apart.append(pair)
            used.update(pair)
    return apart


def _free(centres: Points, axes: Array, expected: Points, pair: tuple[int, int], candidates: Candidates) -> Points:
    """Discs that no cell has and one of the pair may, ``(M, 2)`` photo pixels."""
    spots = candidates.centres_photo
    if not len(spots):
        return np.empty((0, 2))
    sizes = np.sqrt(np.abs(np.linalg.det(axes[list(pair)])))
    alike = np.abs(np.log(candidates.radii_px[:, None] / sizes)).min(axis=1) < ALIKE
    near = np.min([radii(spots - expected[cell], axes[cell]) for cell in pair], axis=0) < REACH
    taken = np.min([radii(spots - place, axis) for place, axis in zip(centres, axes, strict=True)], axis=0) < FREE
    return np.asarray(spots[alike & near & ~taken])


def radii(steps: Array, axes: Array) -> Array:
    """Lengths of photo vectors ``(N, 2)`` in disc radii."""
    return np.asarray(np.hypot(*np.linalg.solve(axes, steps.T)))
