"""A rough sheet made exact by its printed lines, and the evidence they give.

Across every line of the sheet the picture is looked at along a short profile: a printed line is darker than the paper
on both sides. How far the line lies from where it should be moves the sheet: first a homography, then a smooth bend
(curl, folds, lens). What lies where a line should be, against what lies beside it, says whether there is a sheet.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Homography, Points
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.sheet_match import SheetMatch, assign
from ontour_cv.vision.sheet_model import SheetModel
from ontour_cv.vision.sheet_pieces import Pieces
from ontour_cv.vision.sheet_warp import SheetWarp, bend_kernel

Array = NDArray[np.float64]

_NONE = np.empty((0, 2))

LINE_NOISE, PIECE_NOISE = 0.0022, 0.0035
"""How exactly a line and the middle of a piece of paper are placed, sheet widths: print, tracing and ink together."""

NEAR = 0.3
"""Pieces so near to their cell, in sides of the cell, tell how the sheet is bent."""

FEWEST = 8
"""From fewer things seen no bend is told."""

FLANKS = (0.0044, 0.0078)
"""Distances from a line's middle to clear paper, sheet widths: for thin lines and for thick ones."""

REACHES = (*((0.0, 0.0),) * 5, (0.0096, 0.0012), (0.0084, 0.0012), (0.006, 0.0012))
"""Rounds of looking: how far to both sides of a line, and in what steps; the first ones look at
pieces alone, and reach further across a fold each time."""

SEEN = 2.0
"""A line darker than its flanks by so many times the usual unrest is seen."""

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
    """

    warp: SheetWarp
    log_odds: float
    hits: float
    error: float


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
    index = rough.index
    for number, (reach, step) in enumerate(REACHES):
        if number:
            index, gap = assign(pieces, model, warp.apply(model.centres), warp.axes(model.centres))
            index = np.where(gap < NEAR, index, -1)
        of_pieces = _of_pieces(warp, model.centres[index >= 0], pieces.centres[index[index >= 0]])
        of_lines = _of_lines(plane, scale, warp, model, reach, step) if reach else None
        every = of_pieces if of_lines is None else of_pieces.joined(of_lines)
        flat = _level(warp, every)
        warp = _bent(warp, flat, every)
    return _judged(plane, scale, warp, model)


@dataclass(frozen=True, slots=True, eq=False)
class _Sights:
    """What was seen of the sheet: places of it, how far off along a direction, and how exactly.

    Attributes:
        places: ``(N, 2)`` sheet.
        along: ``(N, 2)`` unit vectors.
        offset: ``(N,)`` further along the direction than the warp puts it, sheet widths.
        spread: ``(N,)`` standard deviation, sheet widths.
    """

    places: Points
    along: Array
    offset: Array
    spread: Array

    def joined(self, other: _Sights) -> _Sights:
        """Both."""
        return _Sights(
            np.concatenate([self.places, other.places]),
            np.concatenate([self.along, other.along]),
            np.concatenate([self.offset, other.offset]),
            np.concatenate([self.spread, other.spread]),
        )


def _of_pieces(warp: SheetWarp, centres: Points, seen: Points) -> _Sights:
    """Pieces of paper, each seen along x and along y."""
    bend = warp.bend(centres)
    off = warp.flat.inverse().apply(seen) - centres - bend
    count = len(centres)
    along = np.concatenate([np.tile([1.0, 0.0], (count, 1)), np.tile([0.0, 1.0], (count, 1))])
    return _Sights(np.tile(centres, (2, 1)), along, off.T.ravel(), np.full(2 * count, PIECE_NOISE))


def _of_lines(
    plane: NDArray[np.uint8], scale: float, warp: SheetWarp, model: SheetModel, reach: float, step: float
) -> _Sights:
    """Lines that are seen, each across itself."""
    offset, weight = _measure(plane, scale, warp, model, reach, step)
    middles, normals = _middles(model)
    use = weight > 0.05
    return _Sights(middles[use], normals[use], offset[use], LINE_NOISE / np.sqrt(np.maximum(weight[use], 0.1)))


def line_plane(photo: Photo, corners: Points, long_side: int = 1600) -> tuple[NDArray[np.uint8], float]:
    """The darkest colour of every pixel of a copy of the photo; the sheet is at most ``long_side`` wide there."""
    width = float(np.hypot(*(corners[1] - corners[0])))
    scale = min(1.0, long_side / max(width, 1.0))
    bgr = photo.bgr if scale > 0.87 else cv2.resize(photo.bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    b, g, r = cv2.split(np.asarray(bgr, dtype=np.uint8))
    return np.asarray(cv2.min(cv2.min(b, g), r), dtype=np.uint8), bgr.shape[1] / photo.bgr.shape[1]


def _profiles(plane: NDArray[np.uint8], scale: float, warp: SheetWarp, model: SheetModel, at: Array) -> Array:
    """Levels at ``at`` (sheet widths across each line) for every sample, ``(S, len(at))``; NaN outside the picture."""
    start = model.samples + warp.bend(model.samples)
    places = warp.flat.apply((start[:, None] + at[None, :, None] * model.normals[:, None]).reshape(-1, 2))
    places = ((places + 0.5) * scale - 0.5).reshape(len(start), len(at), 2).astype(np.float32)
    levels = cv2.remap(plane, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    height, width = plane.shape
    inside = (places > 1).all(axis=2) & (places[..., 0] < width - 2) & (places[..., 1] < height - 2)
    return np.where(inside, np.asarray(levels, dtype=np.float64), np.nan)


def _responses(
    plane: NDArray[np.uint8], scale: float, warp: SheetWarp, model: SheetModel, reach: float, step: float
) -> tuple[Array, Array]:
    """Places across a line ``(K,)`` and how much darker than both its sides each sample is there, ``(S, K)``."""
    flanks = [round(flank / step) for flank in FLANKS]
    count, wide = round(reach / step), max(flanks)
    at = np.arange(-count - wide, count + wide + 1, dtype=np.float64) * step
    levels = _profiles(plane, scale, warp, model, at)
    middle = levels[:, wide:-wide]
    found = np.full(middle.shape, -np.inf)
    for flank in flanks:
        left = levels[:, wide - flank : wide - flank + middle.shape[1]]
        right = levels[:, wide + flank : wide + flank + middle.shape[1]]
        found = np.maximum(found, np.minimum(left, right) - middle)
    return at[wide:-wide], np.nan_to_num(np.clip(found, 0, 40), nan=0.0)


def _measure(
    plane: NDArray[np.uint8], scale: float, warp: SheetWarp, model: SheetModel, reach: float, step: float
) -> tuple[Array, Array]:
    """How far each line lies from its place, ``(E,)`` sheet widths, and how clearly it was seen there, ``(E,)`` 0-1."""
    at, dark = _responses(plane, scale, warp, model, reach, step)
    lines = int(model.line[-1]) + 1
    mean = np.zeros((lines, len(at)))
    np.add.at(mean, model.line, dark)
    mean /= np.bincount(model.line)[:, None]
    mean = (
        np.pad(mean, ((0, 0), (1, 1)), mode="edge")[:, :-2]
        + 2 * mean
        + np.pad(mean, ((0, 0), (1, 1)), mode="edge")[:, 2:]
    ) / 4
    best = mean.argmax(axis=1)
    rows = np.arange(lines)
    peak = mean[rows, best]
    unrest = max(float(np.median(mean)), 0.6)
    left, right = mean[rows, np.maximum(best - 1, 0)], mean[rows, np.minimum(best + 1, len(at) - 1)]
    curve = left - 2 * peak + right
    shift = np.where(
        curve < -1e-6, np.clip(0.5 * (left - right) / np.where(curve < -1e-6, curve, -1.0), -0.5, 0.5), 0.0
    )
    offset = at[best] + shift * step
    weight = np.clip((peak - SEEN * unrest) / (4 * unrest), 0.0, 1.0)
    weight[(best == 0) | (best == len(at) - 1)] = 0.0
    return offset, weight


def _middles(model: SheetModel) -> tuple[Points, Array]:
    """The middle of every line and its normal."""
    count = np.bincount(model.line)[:, None]
    middles = np.column_stack([np.bincount(model.line, model.samples[:, k]) for k in (0, 1)]) / count
    normals = np.column_stack([np.bincount(model.line, model.normals[:, k]) for k in (0, 1)]) / count
    return middles, normals


def _level(warp: SheetWarp, seen: _Sights) -> Homography:
    """The homography that brings everything to where it was seen, robustly; what bends is left over."""
    target = seen.offset + np.einsum("nk,nk->n", warp.bend(seen.places), seen.along)
    rows = _basis(seen.places, seen.along)
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


def _bent(warp: SheetWarp, flat: Homography, seen: _Sights) -> SheetWarp:
    """The bend seen beside the homography ``flat``: what was seen tells of one direction, and nothing of the other."""
    if len(seen.offset) < FEWEST:
        return SheetWarp(flat, _NONE, _NONE)
    photo = warp.flat.apply(seen.places + warp.bend(seen.places) + seen.offset[:, None] * seen.along)
    residual = np.einsum("nk,nk->n", flat.inverse().apply(photo) - seen.places, seen.along)
    cover = bend_kernel(seen.places, seen.places) * (seen.along @ seen.along.T)
    spread = seen.spread**2
    noise = spread
    pull = np.zeros(len(residual))
    for _ in range(3):
        inverse = np.linalg.inv(cover + np.diag(noise))
        pull = inverse @ residual
        # leave-one-out residuals (Rasmussen & Williams, 5.12): a line that ink hides must not bend the sheet
        alone, variance = pull / np.diag(inverse), 1.0 / np.diag(inverse) + spread - noise
        surprise = alone**2 / np.maximum(variance, spread)
        noise = spread * (1.0 + np.maximum(surprise - 3.0, 0.0))
    return SheetWarp(flat, seen.places, pull[:, None] * seen.along)


def _judged(plane: NDArray[np.uint8], scale: float, warp: SheetWarp, model: SheetModel) -> LineFit:
    reach, step = 0.0108, 0.0012
    at, dark = _responses(plane, scale, warp, model, reach, step)
    lines = int(model.line[-1]) + 1
    mean = np.zeros((lines, len(at)))
    np.add.at(mean, model.line, dark)
    mean /= np.bincount(model.line)[:, None]
    places = (warp.apply(model.samples) + 0.5) * scale - 0.5
    inside = (places > 2).all(axis=1) & (places < np.array([plane.shape[1], plane.shape[0]]) - 3).all(axis=1)
    known = np.bincount(model.line, inside) > 0.5 * np.bincount(model.line)
    if known.sum() < 0.4 * lines:
        return LineFit(warp, -1000.0, 0.0, 1.0)
    best = at[mean.argmax(axis=1)]
    unrest = max(float(np.median(mean)), 0.6)
    hit = (np.abs(best) < 2.6 * step) & (mean.max(axis=1) > unrest)
    odds = np.where(hit, np.log(HIT / CHANCE), np.log((1 - HIT) / (1 - CHANCE)))
    error = float(np.median(np.abs(best[known & hit]))) if (known & hit).any() else 1.0
    return LineFit(warp, float(odds[known].sum()), float(hit[known].mean()), error)
