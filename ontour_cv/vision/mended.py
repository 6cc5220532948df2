"""Numbers struck out, with the one that counts above, below or beside them: both are heard, and the rules tell which.

Whoever has nothing to wipe with strikes a number out. What the networks see of the cell is the old number, or the lines
through it as a star. So where the board's pen has been beside what is written, the networks look there, closer; a
number that is clear there may be the cell's. Which of the two it is the law of reversed pairs mostly tells
(``vision.decode``), and where it does not the cell is asked about.

At first only cells in doubt are looked at, for most of those are, and others must not pay; and only places that no
other disc is near, whose numbers would be heard (``CAREFUL``). Where two such numbers were found somebody strikes
numbers out, and every cell is looked at, more daringly (``DARING``): what was struck out may be read without a doubt.
On 36 photos of boards by writers kept for validation, one number in four of which stands beside one struck out, 151 of
1,476 marks are wrong so, three of them without a doubt, and 461 in doubt, in place of 319, 20 and 497 without any such
look, and of 231, 12 and 446 with careful ones; 72 photos of usual boards are read exactly as without, for on none of
them two numbers were found.

New York's boards are left alone: ticked boxes beside a disc look like numbers. On three ordinary photos in 23 two or
three were found; up to seven more discs were in doubt, and one was misread.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import radii
from ontour_cv.vision.beside import clearness, either
from ontour_cv.vision.cells import CELL, CellCrops, recut
from ontour_cv.vision.glyphs import KINDS, GlyphScores, MarkReader
from ontour_cv.vision.pen import ground_and_pen, shares
from ontour_cv.vision.register import Placement

ASIDE = ((0.0, -0.95), (0.0, 0.95), (0.85, 0.0), (-0.85, 0.0))
"""Middles of the places that are looked at, disc radii right of the disc's middle and below it."""

CLOSER = 0.72
"""Size of what is looked at there, in that of a cell: the new number is smaller than others."""

BEYOND, ACROSS = 0.95, 0.9
"""So far from the middle of the disc, and so near to the line from it to the place, the pen has to have been there."""

SHARE, PURE = 0.6, 0.35
"""How much of the pen there is at least where it has been, and how much else at most (``pen.shares``)."""


@dataclass(frozen=True, slots=True)
class Looks:
    """Where is looked, and what becomes of what is seen there.

    Attributes:
        inked: share of a place the pen has to have been in. On boards of usual hands few cells have 0.08 in one.
        others: so far from the place, disc radii, is the middle of every other disc: what is nearer may be written on
            that one.
        ringed: cells more probably circled than that are left alone: their ring is ink beside the number, too.
        clear: how probable one number has to be there.
        its_own: how probable it is taken to be that such a number is the cell's, before the rules are asked.
    """

    inked: float
    others: float
    ringed: float
    clear: float
    its_own: float


CAREFUL = Looks(inked=0.08, others=2.0, ringed=0.5, clear=0.8, its_own=0.5)
"""At cells in doubt. Looking at circled ones as well mends a sixth more and costs three times as many looks."""

DARING = Looks(inked=0.05, others=1.5, ringed=1.0, clear=0.6, its_own=0.6)
"""At every cell of a board on which numbers are struck out: 90 looks. On 24 of the boards above, others from 1.3 to 1.7
and its_own from 0.5 to 0.8 leave 79 to 86 wrong, two or three of them without a doubt."""

SEVERAL = 2
"""So many cells with a number beside them, found carefully, show such a board."""

_EMPTY = KINDS.index("empty")

_RIGHT, _DOWN = (np.mgrid[: CELL.px, : CELL.px][::-1] - (CELL.px - 1) / 2).reshape(2, -1) / CELL.px_per_radius

_PLACES = np.stack(
    [(np.sign(x + y) * (_RIGHT if x else _DOWN) > BEYOND) & (np.abs(_DOWN if x else _RIGHT) < ACROSS) for x, y in ASIDE]
)
"""Pixels of a cell in each of the places, ``(4, CELL.px ** 2)``."""


def look_for_mended(
    placement: Placement, crops: CellCrops, scores: GlyphScores, reader: MarkReader, doubtful: Collection[str]
) -> GlyphScores:
    """The scores, with a number beside what is written in a cell as another that it may be.

    Args:
        placement: where the board lies.
        crops: the cells; without ``around`` nothing is looked for.
        scores: what the networks think of each cell.
        reader: the loaded networks.
        doubtful: ids of the cells to look at, and to go by whether all are to be looked at.

    Returns:
        the same object where nothing was found, and on boards with boxes beside their discs.
    """
    if placement.edition.boxed:
        return scores
    heard, found = _looked(placement, crops, scores, reader, doubtful, CAREFUL)
    if found < SEVERAL:
        return heard
    return _looked(placement, crops, scores, reader, scores.ids, DARING)[0]


def _looked(
    placement: Placement,
    crops: CellCrops,
    scores: GlyphScores,
    reader: MarkReader,
    asked: Collection[str],
    how: Looks,
) -> tuple[GlyphScores, int]:
    """The scores when the cells ``asked`` were looked at, and in how many of them a number was found."""
    rows, ways = _places(placement, crops, scores, asked, how)
    if not len(rows):
        return scores, 0
    assert crops.around is not None
    looks = [recut(crops.around[row], ASIDE[way], CLOSER) for row, way in zip(rows, ways, strict=True)]
    seen = reader.read_alone(np.stack(looks))
    sure, kind, number = clearness(seen), scores.kind.copy(), scores.number.copy()
    found = np.unique(rows[sure > how.clear])
    for row in found:
        best = max(np.flatnonzero(rows == row), key=lambda look: float(sure[look]))
        kind[row], number[row], _ = either(scores, int(row), seen, int(best), how.its_own)
    return (replace(scores, kind=kind, number=number) if len(found) else scores), len(found)


def _places(
    placement: Placement, crops: CellCrops, scores: GlyphScores, among: Collection[str], how: Looks
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows of the cells to look at, and in which of the places ``ASIDE`` of each, ``(L,)`` both."""
    asked = np.array([region in among for region in scores.ids]) & (scores.kind[:, _EMPTY] < np.log(0.5))
    asked &= scores.circled[:, 1] < np.log(how.ringed)
    cells = np.flatnonzero(asked)
    if crops.around is None or not len(cells):
        return np.empty(0, np.intp), np.empty(0, np.intp)
    free = _its_own(placement, crops.ids, cells, how.others)
    rows, ways = np.nonzero(inked(crops.images, cells, how.inked) & free)
    return cells[rows], ways


def _its_own(placement: Placement, ids: tuple[str, ...], cells: NDArray[np.intp], others: float) -> NDArray[np.bool_]:
    """Which of the places ``ASIDE`` of some cells ``(C,)`` lie far enough from every other disc, ``(C, 4)``."""
    places = [placement.cells[region] for region in ids]
    centres = np.array([place.centre_photo for place in places])
    free = np.empty((len(cells), len(ASIDE)), np.bool_)
    for k, cell in enumerate(cells):
        axes, rest = places[cell].axes_photo, np.delete(centres, cell, axis=0)
        for way, aside in enumerate(ASIDE):
            away = radii(rest - (centres[cell] + axes @ np.array(aside)), axes)
            free[k, way] = away.min(initial=np.inf) >= others
    return free


def inked(images: NDArray[np.uint8], cells: NDArray[np.intp], share: float = CAREFUL.inked) -> NDArray[np.bool_]:
    """In which of the places ``ASIDE`` of some cells ``(C,)`` the board's pen has been, ``(C, 4)``.

    Args:
        images: all cells of a board, ``(N, CELL.px, CELL.px, 3)`` uint8 BGR.
        cells: rows of them.
        share: of the place that it has to have been in.
    """
    flat = images.reshape(len(images), -1, 3).astype(np.float32)
    ground, pen = ground_and_pen(flat)
    of_pen, rest = shares(flat[cells], ground[cells], pen[cells])
    on = (of_pen > SHARE) & (rest < PURE)
    return np.stack([on[:, place].mean(axis=1) > share for place in _PLACES], axis=1)
