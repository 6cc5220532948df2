"""A rough match made exact: every disc is looked for where it should be, and the board is bent to what is found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Homography, Points
from ontour_cv.maps.edition import Edition
from ontour_cv.vision.allot import allot, look, shared
from ontour_cv.vision.constellation import MatchSettings, judge
from ontour_cv.vision.field import Field
from ontour_cv.vision.fits import fit_robust
from ontour_cv.vision.grow import Grown, grow
from ontour_cv.vision.landmarks import Candidates
from ontour_cv.vision.measure import Measured, measure
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.regular import regularity
from ontour_cv.vision.strays import drawn_anew, find_strays, to_ask
from ontour_cv.vision.warp import Warp, bend

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

LOOKS = 8
"""Rounds of looking and fitting at most; two are enough unless many discs are hidden, or the board is bent: each round
then finds the next discs."""

SETTLED = 0.1
"""A round that moves no predicted disc further than this, in disc radii, is the last."""

USUAL_SIZES = (0.85, 1.2)
"""When the outlines are smaller or larger than this, in the edition's disc radii, the discs themselves are: they are
of another edition. Nearer to 1, an outline may be the inside or the outside of the ring of a known one.
"""

LEAST_SEEN = 8
"""Fewer discs than this fix no homography that could be trusted."""

NEAR = 0.25
"""A disc this near to where all others put it, in disc radii, is where it should be."""

SECOND_LOOK = {
    "fits": (0.45, 0.08),
    "astray": (0.05, 0.17),
    "may fit": (0.15, 0.065),
    "may be astray": (0.06, 0.155),
    "nothing": (0.29, 0.53),
}
"""Chances of what a second look finds at a cell, on a board of a poor photo and on other pictures: surely a disc where
all others put it or elsewhere, something like a disc here or there, or nothing. Measured on those pictures.
"""

ANOTHER_DESIGN = {
    "fits": (0.21, 0.08),
    "astray": (0.53, 0.17),
    "may fit": (0.03, 0.065),
    "may be astray": (0.10, 0.155),
    "nothing": (0.13, 0.53),
}
"""The same on a board whose map was drawn anew: its discs are as plain to see as ever, and most lie elsewhere. Measured
on 48 photos of two published boards and of this project's own print, by writers kept for validation, each laid with the
other design's positions.
"""

DRAWN_ANEW = MatchSettings(sigma=0.3, sigma_moved=0.6, moved=0.5, tolerance=1.4)
"""How far discs lie from where another design has them: half a disc is usual between the designs known."""

NEW_DESIGN = 12.0
"""What it costs to take a board for one of a new design: more fits by chance where discs may lie anywhere."""

PLAIN = 25.0
"""Evidence for a known design from which nobody asks whether it may be another."""


SCATTERED = 0.2
"""Share of a picture's candidates in rows and columns up to which a board of a new design may be in it: in a grid every
place has a disc nearby, and any map fits. As ``register.GRID``; 84 photos of boards, half of them hard, had 0.14 at
most. Without this one of 588 pictures, 160 discs in ten rows, was taken for a board."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A board laid over a photo, all its discs measured. Arrays are in the order of the edition's cells.

    Attributes:
        edition: whose discs they are.
        flat: the best homography, board to photo.
        centres: ``(N, 2)`` photo pixels, each on its own disc where that was found.
        axes: ``(N, 2, 2)`` as ``CellPlace.axes_photo``.
        seen: ``(N,)`` True where the disc itself was found.
        outlined: ``(N,)`` the same by its outline alone, which vouches for the board.
        off: ``(N,)`` how far each disc lies from where all others put it, disc radii; infinite where none was found.
        log_odds: evidence for this board against chance, natural log units.
        bent: whether the board is bent as a whole: where a disc was not found, it is not known well enough to be read.
    """

    edition: Edition
    flat: Homography
    centres: Points
    axes: Array
    seen: Flags
    outlined: Flags
    off: Array
    log_odds: float
    bent: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Where cells lie; attributes as of :class:`Fit`."""

    centres: Points
    axes: Array
    seen: Flags
    off: Array


def refine(
    photo: Photo, candidates: Candidates, field: Field, rough: Array, edition: Edition, least: float = 0.0
) -> Fit | None:
    """The board of ``edition`` laid exactly, starting from the homography ``rough``; None when its discs are not there.

    Args:
        photo: the picture.
        candidates: the discs found in it.
        field: the same, prepared.
        rough: ``(3, 3)``, board to photo, good to about a disc radius.
        edition: whose discs to look for.
        least: evidence from which discs that show no outline are looked for as well, natural log units.
    """
    board = np.array(list(edition.cells.values()), dtype=np.float64)
    radius = edition.radius
    warp = Warp(Homography(rough, "board", "photo"), np.empty((0, 2)), np.empty((0, 2)), radius)
    for _ in range(LOOKS):
        centres, axes = warp.apply(board), warp.axes(board)
        measured = measure(photo, candidates, centres, axes)
        if not USUAL_SIZES[0] < measured.size < USUAL_SIZES[1]:
            radius, axes = radius * measured.size, axes * measured.size
            measured = measure(photo, candidates, centres, axes)
        found = measured.trust > 0
        places = centres + np.einsum("nij,nj->ni", axes, measured.offsets)
        bent = _bend_to(board, places, measured, found, radius)
        if bent is None:
            return None
        warp, alone = bent
        step = np.hypot(*(warp.apply(board) - centres).T) / np.sqrt(np.abs(np.linalg.det(axes)))
        if step.max() < SETTLED:
            break
    known = Grown(measured, places, found, warp, alone)
    grown = grow(board, known, candidates, field.size, lambda at, what, which: _bend_to(board, at, what, which, radius))
    measured, places, found, warp, alone = grown.measured, grown.places, grown.found, grown.warp, grown.alone
    final = judge(field, board, radius, warp.flat.matrix, MatchSettings())
    if final is None:
        return None
    axes = warp.axes(board)
    snapped = places - np.einsum("nij,nj->ni", axes, _mistrust(measured, alone))
    expected = warp.apply(board)
    centres = np.where(found[:, None], snapped, expected)
    off = np.hypot(*np.nan_to_num(alone, nan=np.inf).T)
    seen = outlined = (measured.trust == 2) | ((measured.trust == 1) & (off < NEAR))
    inside = np.asarray(((centres > 0) & (centres < np.array(field.size) - 1.0)).all(axis=1))
    evidence = final.log_odds + _second_look(measured, off, inside, SECOND_LOOK)
    may_be_new = evidence < PLAIN and regularity(candidates.centres_photo) <= SCATTERED
    loose = judge(field, board, radius, warp.flat.matrix, DRAWN_ANEW) if may_be_new else None
    if loose is not None:
        evidence = max(evidence, loose.log_odds + _second_look(measured, off, inside, ANOTHER_DESIGN) - NEW_DESIGN)
    if evidence > least:
        own = _followed(measured, Cells(centres, axes, seen, off), expected, inside, field.size)
        centres, seen, off = own.centres, own.seen, own.off
    return Fit(edition, warp.flat, centres, axes, seen, outlined, off, evidence, warp.wide)


def _followed(measured: Measured, cells: Cells, expected: Points, inside: Flags, size: tuple[int, int]) -> Cells:
    """The cells with discs found that showed no outline, each disc given to its own cell."""
    asked = to_ask(measured.trust, cells.off, cells.seen) & inside
    strays, strayed = find_strays(measured, expected, cells.axes, asked)
    centres = np.where(strayed[:, None], expected + np.einsum("nij,nj->ni", cells.axes, strays), cells.centres)
    seen, off = cells.seen | strayed, np.where(strayed, np.hypot(*strays.T), cells.off)
    if drawn_anew(measured.trust, cells.off) or shared(centres, cells.axes, seen):
        before = centres
        centres, seen = allot(centres, cells.axes, expected, seen, look(measured, expected, cells.axes, size))
        moved = np.hypot(*np.einsum("nij,nj->ni", np.linalg.inv(cells.axes), centres - expected).T)
        off = np.where((centres != before).any(axis=1), moved, off)
    return Cells(centres, cells.axes, seen, off)


def _bend_to(
    board: Points, places: Points, measured: Measured, found: Flags, radius: float
) -> tuple[Warp, Array] | None:
    """The warp through the discs found, and how far each lies from what all others say ``(N, 2)``, NaN where none."""
    if found.sum() < LEAST_SEEN:
        return None
    spread = measured.spread[found]
    matrix = fit_robust(board[found], places[found], spread**-2, rounds=3)
    if matrix is None:
        return None
    flat = Homography(matrix, "board", "photo")
    axes = flat.jacobians(board[found]) * radius
    residuals = np.einsum("nij,nj->ni", np.linalg.inv(axes), places[found] - flat.apply(board[found]))
    alone = np.full((len(board), 2), np.nan)
    warp, alone[found] = bend(flat, board[found], residuals, spread, radius)
    return warp, alone


def _second_look(measured: Measured, off: Array, inside: Flags, chances: Mapping[str, tuple[float, float]]) -> float:
    """Evidence of the discs looked for where the board should have them, natural log units; ``SECOND_LOOK`` or such."""
    sure, likely = (measured.trust == 2) & inside, (measured.trust == 1) & inside
    counts = {
        "fits": sure & (off < NEAR),
        "astray": sure & (off >= NEAR),
        "may fit": likely & (off < NEAR),
        "may be astray": likely & (off >= NEAR),
        "nothing": (measured.trust == 0) & inside,
    }
    return float(sum(counts[what].sum() * np.log(here / by_chance) for what, (here, by_chance) in chances.items()))


def _mistrust(measured: Measured, alone: Array) -> Array:
    """How far each measured disc is moved back towards where all others put it, disc radii ``(N, 2)``.

    The weight of a measurement against its prediction is that of two normal distributions. The prediction's spread is
    what this print's discs scatter by; a disc surely seen further away sits elsewhere in print, and is followed.
    """
    off = np.hypot(*np.nan_to_num(alone).T)
    sure = measured.trust == 2
    usual = float(np.median(off[sure])) / 1.18 if sure.any() else 0.1
    scatter = np.full(len(off), max(float(np.sqrt(max(usual**2 - 0.03**2, 0.0))), 0.015))
    scatter[sure] = np.maximum(scatter[sure], off[sure] / 2)
    weight = scatter**2 / (scatter**2 + measured.spread**2)
    return np.asarray(np.nan_to_num(alone) * (1.0 - weight)[:, None])
