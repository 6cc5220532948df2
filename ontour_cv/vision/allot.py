"""Which disc is which cell's on a board whose map was drawn anew: of all ways to give them out, the likeliest.

There a cell's disc may lie two radii from where all others put it, and a neighbour's nearer: taken alone, the nearer is
the likelier one, and the neighbour is left without, or both are given the same. But discs are seen wherever they lie
(``disc_net``), discs do not lie on each other, and every cell has one. So all discs round the cells are looked for, and
given out at once: a matching of greatest weight (Edmonds' blossoms, by networkx), in which a cell and a disc weigh by
how much likelier than chance it is to see that disc so far from the cell's place.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points, radii
from ontour_cv.vision.disc_net import places
from ontour_cv.vision.measure import Measured
from ontour_cv.vision.strays import answers_round

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

LEAST = 5.0
"""What the network answers (``log_likelihood``) where there may be a disc. On 30 photos of two published boards, half
of them hard, by writers kept for validation, it was 6.0 and more on their 1,230 discs, 10 in the median."""

CHANCE, LEAST_CHANCE, STEEPNESS = 0.02, 1e-4, 2.0
"""How many places in a square disc radius answer ``LEAST`` without being a disc, in units of how many discs do, how few
the plainest do at least, and how fast they grow fewer with the answer. On those photos seven in thirty boards
did, of some 540 square radii each: the number is larger, since ink on a hidden disc looks like one beside it."""

SAME, ITS_OWN = 1.2, 0.4
"""Places nearer to each other than the first, in disc radii, are one disc, as the network sees it. A cell measured
within the second of a disc has it."""

ONE_DISC = 0.9
"""Cells nearer to each other than this, in disc radii, lie on one disc; the discs of no board known are so near."""

ROUND = 0.3
"""How far about a place its neighbours' answers tell exactly where the disc is, disc radii."""

REACH = 4.0
"""How far from where all others put a cell its disc may lie, disc radii; a neighbour's window shows it then."""

SPREADS = ((0.6, 0.2), (0.3, 0.6), (0.1, 1.3))
"""How far discs of a map drawn anew lie from there: shares of normal distributions and their spreads, disc radii. Of
the 41 of this project's own print and of the published boards three lie 1.5 to 2.1 apart."""

HIDDEN = 0.02
"""How probable it is that a disc is not seen."""

UNPROVEN = 0.05
"""Places in a square disc radius that were measured as a disc though the network sees none there, and are none; a large
circle may cover one that is."""

SPACE = 13.0
"""Square disc radii to a disc on a board: the 41 of the published ones have 12.6 and 13.4."""


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """Places that look like discs: ``(M, 2)`` photo pixels, and ``(M,)`` the network's answers there."""

    centres: Points
    answers: Array


def shared(centres: Points, axes: Array, seen: Flags) -> bool:
    """Whether two cells were seen on one disc."""
    cells = np.flatnonzero(seen)
    return any(
        radii(centres[cells[:k]] - centres[cell], axes[cell]).min(initial=np.inf) < ONE_DISC
        for k, cell in enumerate(cells)
    )


def look(measured: Measured, expected: Points, axes: Array, size: tuple[int, int]) -> Spots:
    """All places round the cells that look like a disc.

    Args:
        measured: holds the picture.
        expected: ``(N, 2)`` photo pixels, where all others put each cell.
        axes: ``(N, 2, 2)`` as ``CellPlace.axes_photo``.
        size: width and height of the photo, pixels.
    """
    answers, at = answers_round(measured, expected, axes), places()
    cells, rows, columns = np.nonzero(answers >= LEAST)
    order = np.argsort(-answers[cells, rows, columns], kind="stable")
    kept, found = np.empty((0, 2)), []
    for cell, row, column in zip(cells[order], rows[order], columns[order], strict=True):
        spot = expected[cell] + axes[cell] @ at[row, column]
        if len(kept) and radii(kept - spot, axes[cell]).min() < SAME:
            continue
        kept = np.vstack([kept, spot])
        near = np.hypot(*(at - at[row, column]).transpose(2, 0, 1)) < ROUND
        share = np.exp(answers[cell][near] - answers[cell, row, column])
        found.append((expected[cell] + axes[cell] @ (share @ at[near] / share.sum()), answers[cell, row, column]))
    centres = np.array([spot for spot, _ in found]).reshape(-1, 2)
    inside = ((centres > 0) & (centres < np.array(size) - 1.0)).all(axis=1)
    return Spots(centres[inside], np.array([answer for _, answer in found])[inside])


def allot(centres: Points, axes: Array, expected: Points, seen: Flags, spots: Spots) -> tuple[Points, Flags]:
    """Where each cell lies when every disc is one cell's, and which are seen.

    Args:
        centres: ``(N, 2)`` photo pixels, where each was measured.
        axes: ``(N, 2, 2)`` as ``CellPlace.axes_photo``.
        expected: ``(N, 2)`` photo pixels, where all others put each.
        seen: ``(N,)`` whether a disc was measured there.
        spots: from :func:`look`.

    Returns:
        Both anew. A cell keeps what was measured there unless it gets another disc; one that gets none is not seen.
    """
    import networkx as nx

    cells = range(len(centres))
    away = np.array([radii(spots.centres - expected[k], axes[k]) for k in cells])
    gaps = np.array([radii(spots.centres - centres[k], axes[k]) for k in cells])
    owned = seen[:, None] & (gaps < ITS_OWN) & (gaps == gaps.min(axis=1, initial=np.inf, keepdims=True))
    gain = _density(away) - np.log(HIDDEN) - np.log(_by_chance(spots.answers))
    off = np.array([radii((centres[k] - expected[k])[None], axes[k])[0] for k in cells])
    alone = _density(off) - np.log(HIDDEN) - np.log(UNPROVEN)
    graph = nx.Graph()
    for k, spot in zip(*np.nonzero((away < REACH) & (gain > 0)), strict=True):
        graph.add_edge(("cell", int(k)), ("spot", int(spot)), weight=float(gain[k, spot]))
    for k in np.flatnonzero(seen & ~owned.any(axis=1) & (alone > 0)):
        graph.add_edge(("cell", int(k)), ("here", int(k)), weight=float(alone[k]))
    then, found = np.where(seen[:, None], expected, centres), np.zeros_like(seen)
    for (_, k), (kind, at) in (sorted(pair) for pair in nx.max_weight_matching(graph)):
        found[k] = True
        if kind == "here" or owned[k, at]:
            then[k] = centres[k]
        else:
            owners = np.flatnonzero(owned[:, at])
            then[k] = centres[owners[0]] if len(owners) else spots.centres[at]
    return then, found


def agreement(off: Array, seen: Flags) -> float:
    """Log-odds that discs lie as a map has them, drawn anew or not, not just anywhere; hidden ones count against it.

    On 82 photos of published boards read as our own print, or with positions moved at random (by 0.8 radii in the mean
    square), nearly all laid rightly, all but two had 5 and more, those read as our own print 44. Eight boards of other
    maps, over whose discs the USA was laid, had -5 at most.

    Args:
        off: ``(N,)`` how far each lies from where all others put it, disc radii, of the cells inside the picture.
        seen: ``(N,)`` which were seen.
    """
    return float((_density(off[seen]) + np.log(SPACE)).sum() + np.log(HIDDEN) * (~seen).sum())


def _density(away: Array) -> Array:
    """Log-density, per square disc radius, of discs so far from where all others put them."""
    parts = [share / (2 * np.pi * s**2) * np.exp(-0.5 * (away / s) ** 2) for share, s in SPREADS]
    return np.asarray(np.log(np.sum(parts, axis=0) + 1e-300))


def _by_chance(answers: Array) -> Array:
    """How many other places in a square disc radius answer so, for one disc that does."""
    return np.clip(CHANCE * np.exp(-STEEPNESS * (answers - LEAST)), LEAST_CHANCE, 1.0)
