"""A rough sheet made exact by its printed lines, and the evidence they give.

Across every line of the sheet the picture is looked at along a short profile: a printed line is darker than the paper
on both sides. How far the line lies from where it should be moves the sheet: first a homography, then a smooth bend
(curl, folds, lens). What lies where a line should be, against what lies beside it, says whether there is a sheet.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Homography, Points
from ontour_cv.vision.gaussian import robust_pull
from ontour_cv.vision.sheet_follow import STRIDES, follow
from ontour_cv.vision.sheet_match import SheetMatch, assign
from ontour_cv.vision.sheet_model import SheetModel, per_line
from ontour_cv.vision.sheet_pieces import Pieces
from ontour_cv.vision.sheet_profiles import measure, responses
from ontour_cv.vision.sheet_warp import SheetWarp, bend_kernel

Array = NDArray[np.float64]

_NONE = np.empty((0, 2))

LINE_NOISE, PIECE_NOISE = 0.0022, 0.0035
"""How exactly a line and the middle of a piece of paper are placed, sheet widths: print, tracing and ink together."""

NEAR = 0.3
"""Pieces so near to their cell, in sides of the cell, tell how the sheet is bent."""

FEWEST = 8
"""From fewer things seen no bend is told."""

REACHES = (*((0.0, 0.0),) * 5, (0.0096, 0.0012), (0.0084, 0.0012), (0.006, 0.0012))
"""Rounds of looking: how far to both sides of a line, and in what steps; the first ones look at
pieces alone, and reach further across a fold each time."""

SUPPORTED, SURE, VICINITY = 0.6, 0.85, 0.05
"""A sheet is laid again, cell by cell, when so few of the lines of some cell are where they should be, from cells with
so many; lines so far away (sheet widths) speak for a cell."""

ATTEMPTS, WORTH = 2, 60.0
"""Times that it is laid again at most, and the evidence of its lines from which that is worth it: sheets laid wrong in
parts had over 100, and what is no sheet must not gain by being looked at for longer."""

WELL, STRICTER = 0.98, 0.95
"""With fewer lines in their place than that, it is laid again from cells that are filled and so well supported."""

APART, STILL = 0.1, 0.004
"""A cell with no other so near (sheet widths) is held by none; while it is laid nothing else may move so far."""

HIT, CHANCE = 0.72, 0.36
"""Share of a sheet's lines that are darkest where they should be, and of lines laid at random and then fitted."""


@dataclass(frozen=True, slots=True, eq=False)
class LineFit:
    """A sheet laid along its lines.

    Attributes:
        warp: where it lies.
        log_odds: evidence against chance, natural log; strokes of a line count together.
        hits: share of the lines inside the picture that are where they should be.
        error: median distance of the lines from the fit, sheet widths.
        support: ``(P,)`` share of the lines round each cell and box, and near it, that are where they should be.
        filled: ``(P,)`` cells and boxes with a piece of paper of their size in their place.
    """

    warp: SheetWarp
    log_odds: float
    hits: float
    error: float
    support: Array
    filled: NDArray[np.bool_] | None = None


def fit_lines(plane: NDArray[np.uint8], scale: float, rough: SheetMatch, pieces: Pieces, model: SheetModel) -> LineFit:
    """The sheet laid exactly, starting from ``rough``.

    Args:
        plane: ``(h, w)`` picture in which lines are darker than paper.
        scale: its size relative to the photo.
        rough: the sheet as its pieces of paper lie.
        pieces: the pieces of paper.
        model: the sheet.
    """
    warp = SheetWarp(Homography(rough.homography / rough.homography[2, 2], "sheet", "photo"), _NONE, _NONE)
    fit = _laid(plane, scale, warp, rough.index, pieces, model)
    for _ in range(ATTEMPTS):
        if fit.support.min() >= SUPPORTED or fit.log_odds < WORTH:
            break
        other = _laid_from(plane, scale, fit, fit.support >= SURE, pieces, model)
        if other.log_odds <= fit.log_odds:
            break
        fit = other
    fit = replace(fit, filled=_filled(fit.warp, pieces, model))
    return _islands_laid(plane, scale, _laid_more_strictly(plane, scale, fit, pieces, model), pieces, model)


def _filled(warp: SheetWarp, pieces: Pieces, model: SheetModel) -> NDArray[np.bool_]:
    _, gap = assign(pieces, model, warp.apply(model.centres), warp.axes(model.centres))
    return np.asarray(gap < NEAR)


def _laid_more_strictly(
    plane: NDArray[np.uint8], scale: float, fit: LineFit, pieces: Pieces, model: SheetModel
) -> LineFit:
    """The sheet laid again from filled cells of much support, as long as that brings more lines to their place."""
    for _ in range(ATTEMPTS):
        if fit.filled is None or fit.hits >= WELL or fit.log_odds < WORTH:
            break
        other = _laid_from(plane, scale, fit, fit.filled & (fit.support >= STRICTER), pieces, model)
        if other.log_odds <= fit.log_odds:
            break
        fit = replace(other, filled=_filled(other.warp, pieces, model))
    return fit


def _islands_laid(plane: NDArray[np.uint8], scale: float, fit: LineFit, pieces: Pieces, model: SheetModel) -> LineFit:
    """Each cell that lies apart laid from all others, where that brings it to its piece of paper and moves no other."""
    gap = np.hypot(*(model.centres[:, None] - model.centres[None]).transpose(2, 0, 1)) + np.eye(len(model.ids))
    for k in np.flatnonzero(gap[: model.cells].min(axis=1) > APART):
        if fit.filled is None or fit.filled[k] or fit.log_odds < WORTH:
            continue
        rest = np.arange(len(model.ids)) != k
        other = _laid_from(plane, scale, fit, rest, pieces, model, STRIDES[:1])
        filled = _filled(other.warp, pieces, model)
        step = fit.warp.flat.inverse().apply(other.warp.apply(model.centres)) - model.centres
        step = (step - fit.warp.bend(model.centres))[rest]
        if filled[k] and other.log_odds >= fit.log_odds and np.abs(step).max() < STILL:
            fit = replace(other, filled=filled)
    return fit


def _laid_from(
    plane: NDArray[np.uint8], scale: float, fit: LineFit, sure: NDArray[np.bool_], pieces: Pieces, model: SheetModel,
    ways: tuple[tuple[float, ...], ...] = STRIDES,
) -> LineFit:  # fmt: skip
    """The sheet laid from the cells that are ``sure``, the others followed from these in the best of these ways."""
    if sure.sum() < FEWEST:
        return fit
    fits = []
    for strides in ways:
        warp = fit.warp
        seen, known = follow(plane, scale, pieces, model, warp, sure, strides)
        for reach, step in REACHES[-4:]:
            sights = _of_pieces(warp, model, known, seen[known])
            if reach:
                sights = sights.joined(_of_lines(plane, scale, warp, model, reach, step))
            warp = _bent(warp, _level(warp, sights, model), sights, model)
        fits.append(_judged(plane, scale, warp, model))
    return max(fits, key=lambda one: one.log_odds)


def _laid(
    plane: NDArray[np.uint8], scale: float, warp: SheetWarp, index: NDArray[np.int64], pieces: Pieces,
    model: SheetModel,
) -> LineFit:  # fmt: skip
    """The sheet laid from ``warp`` and the pieces of ``index``."""
    for number, (reach, step) in enumerate(REACHES):
        if number:
            index, gap = assign(pieces, model, warp.apply(model.centres), warp.axes(model.centres))
            index = np.where(gap < NEAR, index, -1)
        of_pieces = _of_pieces(warp, model, index >= 0, pieces.centres[index[index >= 0]])
        of_lines = _of_lines(plane, scale, warp, model, reach, step) if reach else None
        every = of_pieces if of_lines is None else of_pieces.joined(of_lines)
        warp = _bent(warp, _level(warp, every, model), every, model)
    return _judged(plane, scale, warp, model)


@dataclass(frozen=True, slots=True, eq=False)
class _Sights:
    """What was seen of the sheet: places of it, how far off along a direction, and how exactly.

    Attributes:
        knots: ``(N,)`` places of it, as numbers of ``SheetModel.knots``.
        along: ``(N, 2)`` unit vectors.
        offset: ``(N,)`` further along the direction than the warp puts it, sheet widths.
        spread: ``(N,)`` standard deviation, sheet widths.
    """

    knots: NDArray[np.intp]
    along: Array
    offset: Array
    spread: Array

    def joined(self, other: _Sights) -> _Sights:
        """Both."""
        return _Sights(
            np.concatenate([self.knots, other.knots]),
            np.concatenate([self.along, other.along]),
            np.concatenate([self.offset, other.offset]),
            np.concatenate([self.spread, other.spread]),
        )


def _of_pieces(warp: SheetWarp, model: SheetModel, known: NDArray[np.bool_], seen: Points) -> _Sights:
    """The pieces of paper that are known, each seen along x and along y."""
    off = warp.flat.inverse().apply(seen) - (model.centres + warp.bend(model.centres))[known]
    count = int(known.sum())
    along = np.concatenate([np.tile([1.0, 0.0], (count, 1)), np.tile([0.0, 1.0], (count, 1))])
    return _Sights(np.tile(np.flatnonzero(known), 2), along, off.T.ravel(), np.full(2 * count, PIECE_NOISE))


def _of_lines(
    plane: NDArray[np.uint8], scale: float, warp: SheetWarp, model: SheetModel, reach: float, step: float
) -> _Sights:
    """Lines that are seen, each across itself."""
    offset, weight = measure(plane, scale, warp, model, reach, step)
    use = np.flatnonzero(weight > 0.05)
    normals = per_line(model.normals, model.line)[use]
    return _Sights(len(model.ids) + use, normals, offset[use], LINE_NOISE / np.sqrt(np.maximum(weight[use], 0.1)))


def _level(warp: SheetWarp, seen: _Sights, model: SheetModel) -> Homography:
    """The homography that brings everything to where it was seen, robustly; what bends is left over."""
    if not len(seen.knots):
        return warp.flat
    target = seen.offset + np.einsum("nk,nk->n", warp.bend(model.knots)[seen.knots], seen.along)
    rows = _basis(model.knots[seen.knots], seen.along)
    weight = (LINE_NOISE / seen.spread) ** 2
    robust = weight.copy()
    solution = np.zeros(8)
    for _ in range(6):
        w = np.sqrt(robust)[:, None]
        system, right = np.vstack([rows * w, 1e-3 * np.eye(8)]), np.append(target * w[:, 0], np.zeros(8))
        solution = np.linalg.lstsq(system, right, rcond=None)[0]
        error = np.abs(rows @ solution - target)
        robust = weight / (1.0 + (error / (2.0 * max(float(np.median(error)), 4e-4))) ** 2)
    # four places moved so fix the homography
    places = np.array([[0.05, 0.05], [0.95, 0.05], [0.95, 0.65], [0.05, 0.65]])
    steps = [np.tile(axis, (4, 1)) for axis in ([1.0, 0.0], [0.0, 1.0])]
    moved = places + np.column_stack([_basis(places, axis) @ solution for axis in steps])
    matrix = cv2.getPerspectiveTransform(places.astype(np.float32), warp.flat.apply(moved).astype(np.float32))
    return Homography(np.asarray(matrix, dtype=np.float64), "sheet", "photo")


def _basis(places: Points, along: Array) -> Array:
    """``(N, 8)``: how far each place moves along its direction under the eight small homographies."""
    x, y = (places - 0.5).T
    one, zero = np.ones_like(x), np.zeros_like(x)
    east = np.column_stack([one, x, y, zero, zero, zero, x * x, x * y])
    south = np.column_stack([zero, zero, zero, one, x, y, x * y, y * y])
    return np.asarray(east * along[:, :1] + south * along[:, 1:])


def _bent(warp: SheetWarp, flat: Homography, seen: _Sights, model: SheetModel) -> SheetWarp:
    """The bend seen beside the homography ``flat``: what was seen tells of one direction, and nothing of the other."""
    if len(seen.offset) < FEWEST:
        return SheetWarp(flat, _NONE, _NONE)
    places, bend = model.knots[seen.knots], warp.bend(model.knots)[seen.knots]
    photo = warp.flat.apply(places + bend + seen.offset[:, None] * seen.along)
    residual = np.einsum("nk,nk->n", flat.inverse().apply(photo) - places, seen.along)
    cover = bend_kernel(model.knots, model.knots)[np.ix_(seen.knots, seen.knots)] * (seen.along @ seen.along.T)
    # A line that ink hides must not bend the sheet.
    pull, _ = robust_pull(cover, residual[:, None], seen.spread, tolerated=3.0, rounds=3)
    every = np.zeros_like(model.knots)
    np.add.at(every, seen.knots, pull * seen.along)
    return SheetWarp(flat, model.knots, every)


def _judged(plane: NDArray[np.uint8], scale: float, warp: SheetWarp, model: SheetModel) -> LineFit:
    reach, step = 0.0108, 0.0012
    at, dark = responses(plane, scale, warp, model, reach, step)
    lines = int(model.line[-1]) + 1
    mean = np.zeros((lines, len(at)))
    np.add.at(mean, model.line, dark)
    mean /= np.bincount(model.line)[:, None]
    places = (warp.apply(model.samples) + 0.5) * scale - 0.5
    inside = (places > 2).all(axis=1) & (places < np.array([plane.shape[1], plane.shape[0]]) - 3).all(axis=1)
    known = np.bincount(model.line, inside) > 0.5 * np.bincount(model.line)
    if known.sum() < 0.4 * lines:
        return LineFit(warp, -1000.0, 0.0, 1.0, np.zeros(len(model.ids)))
    best = at[mean.argmax(axis=1)]
    unrest = max(float(np.median(mean)), 0.6)
    hit = (np.abs(best) < 2.6 * step) & (mean.max(axis=1) > unrest)
    odds = np.where(hit, np.log(HIT / CHANCE), np.log((1 - HIT) / (1 - CHANCE)))
    error = float(np.median(np.abs(best[known & hit]))) if (known & hit).any() else 1.0
    return LineFit(warp, float(odds[known].sum()), float(hit[known].mean()), error, _support(hit & known, model))


def _support(hit: NDArray[np.bool_], model: SheetModel) -> Array:
    """How many of the lines near each cell and box are where they should be, ``(P,)``."""
    count = len(model.ids)
    found, lines = np.bincount(model.owner, hit, count), np.bincount(model.owner, minlength=count)
    gap = np.hypot(*(model.centres[:, None] - model.centres[None]).transpose(2, 0, 1))
    weight = np.exp(-((gap / VICINITY) ** 2))
    return np.asarray(weight @ found / (weight @ lines))
