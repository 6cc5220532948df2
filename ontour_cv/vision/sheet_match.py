"""Pieces of paper + a sheet -> homographies: which constellation of cells do they form?

The second moments of two areas and the way from one to the other fix an affine map up to nothing, and how they lie to
each other is the same under every affine map. So pairs of neighbouring pieces are compared with pairs of neighbouring
cells by four invariant numbers; pairs that agree give a map each, kept when further cells find pieces where it puts
them. The best few are grown, ring by ring, into homographies of the whole sheet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Homography, Points
from ontour_cv.vision.field import Field, gaps_at, make_field
from ontour_cv.vision.fits import fit_robust
from ontour_cv.vision.sheet_model import SheetModel
from ontour_cv.vision.sheet_pieces import Pieces

Array = NDArray[np.float64]
Index = NDArray[np.int64]

NEIGHBOURS_PHOTO, NEIGHBOURS_SHEET = 9, 7
"""Pieces paired with each piece, cells with each cell."""

ALIKE = np.array([0.28, 0.28, 0.32, 0.3])
"""How much the logs of the four invariants may differ: pieces lack the line's width, and tilt is no affine map."""

TESTED, GROWN, KEPT = 4000, 30, 4
"""Pairs tested, maps grown, and homographies handed on, at most."""

MORE_GROWN = 80
"""Maps grown in a longer look. A table of squares, a go board or a checked cloth, has many that look alike and witness
for each other: on one photo the sheet's best pair came 48th."""

WITNESSES = 8
"""Cells around a pair that are looked for."""

RINGS = ((0.14, 0.40), (0.22, 0.36), (0.3, 0.33), (0.45, 0.3), (0.7, 0.3), (1.5, 0.28), (1.5, 0.25))
"""Steps of growing: how far from the first pair (sheet widths), and how near a piece must be (sides of the cell)."""

LEAST = 7
"""Fewer cells with a piece of their own are no constellation."""


PIECE_HIT, PIECE_CHANCE = 0.6, 0.17
"""Share of cells with a piece of their own on a sheet, and where a map was grown on something else."""

LEAST_INSIDE, OUTSIDE = 0.6, -1.5
"""Share of the cells that has to be inside the picture, and the evidence of each that is not: people photograph the
sheet they mean whole, and a neighbouring one is cut off."""

LEAST_WIDTH = 0.22
"""Least width of a sheet, as a share of the photo's longer side; on smaller ones nobody could read."""


@dataclass(frozen=True, slots=True, eq=False)
class SheetMatch:
    """A sheet laid over the pieces.

    Attributes:
        homography: ``(3, 3)``, sheet to photo.
        index: ``(P,)`` the piece on each cell and box, -1 for none.
        log_odds: evidence of the pieces against chance, natural log.
    """

    homography: Array
    index: Index
    log_odds: float

    @property
    def matched(self) -> int:
        """How many cells and boxes have a piece."""
        return int((self.index >= 0).sum())


def match_sheet(pieces: Pieces, model: SheetModel, most: int = GROWN) -> list[SheetMatch]:
    """The homographies that explain most pieces, best first; empty when there is none. ``most`` maps are grown."""
    if len(pieces) < LEAST:
        return []
    shapes = np.column_stack([pieces.moments[:, 0, 0], pieces.moments[:, 0, 1], pieces.moments[:, 1, 1]])
    field = make_field(pieces.centres, np.sqrt(pieces.areas), shapes, pieces.size)
    found: list[SheetMatch] = []
    grown: list[Array] = []
    for affine, anchor in _guesses(pieces, model, field, 6 * most):
        if any(_same(affine, other, anchor) for other in grown):
            continue
        grown.append(affine)
        one = _grow(pieces, model, affine, anchor)
        if one is not None:
            found.append(one)
            if one.matched >= 0.6 * len(model.ids):
                break
        if len(grown) >= most:
            break
    best: list[SheetMatch] = []
    for one in sorted(found, key=lambda m: -m.matched):
        if len(best) < KEPT and not any(_alike(one, other) for other in best):
            best.append(one)
    return best


def _guesses(pieces: Pieces, model: SheetModel, field: Field, most: int) -> Iterator[tuple[Array, Array]]:
    """Affine maps ``(2, 3)``, sheet to photo, and the sheet point each holds at, the ``most`` best supported first."""
    p, q, seen = _pairs(pieces.centres, pieces.moments, pieces.areas, NEIGHBOURS_PHOTO)
    a, b, known = _pairs(model.centres, model.moments, model.areas, NEIGHBOURS_SHEET)
    # in blocks, so that thousands of pairs need no gigabyte
    rows = []
    for start in range(0, len(p), 512):
        off = np.abs(seen[start : start + 512, None] - known[None]) / ALIKE
        cost = off.max(axis=2)
        first, second = np.nonzero(cost < 1.0)
        rows.append(np.column_stack([cost[first, second], first + start, second]))
    if not rows:  # rings about one middle have no neighbours
        return
    every = np.concatenate(rows)
    every = every[np.argsort(every[:, 0], kind="stable")[:TESTED]]
    if not len(every):
        return
    i, j = every[:, 1].astype(int), every[:, 2].astype(int)
    affine = _affine(pieces, model, (p[i], q[i]), (a[j], b[j]))
    middles = (model.centres[a[j]] + model.centres[b[j]]) / 2
    score = _witnessed(affine, middles, model, field)
    for k in np.argsort(-score, kind="stable")[:most]:
        if score[k] < 2.0:
            return
        yield affine[k], middles[k]


def _pairs(centres: Points, moments: Array, areas: Array, count: int) -> tuple[Index, Index, Array]:
    """Neighbouring areas as two index arrays, and what no affine map changes about each pair, ``(pairs, 4)``.

    The squared distance in units of either's moments, the ratio of the areas, and the trace of one's moments in units
    of the other's; logs of all.
    """
    inverse = np.linalg.inv(moments)
    steps = centres[None] - centres[:, None]
    away = np.einsum("ijk,ikl,ijl->ij", steps, inverse, steps)
    np.fill_diagonal(away, np.inf)
    # an area inside another one, or the same one found twice, is no neighbour
    away[away < 1.5] = np.inf
    order = np.argsort(away, axis=1, kind="stable")[:, : min(count, len(centres) - 1)]
    first, second = np.repeat(np.arange(len(centres)), order.shape[1]), order.ravel()
    real = np.isfinite(away[first, second]) & np.isfinite(away[second, first])
    first, second = first[real], second[real]
    trace = np.einsum("nij,nji->n", inverse[first], moments[second])
    invariants = [away[first, second], away[second, first], areas[second] / areas[first], trace]
    return first, second, np.log(np.stack(invariants, axis=1))


def _affine(pieces: Pieces, model: SheetModel, photo: tuple[Index, Index], sheet: tuple[Index, Index]) -> Array:
    """``(N, 2, 3)`` maps that lay cell ``a`` on piece ``p`` by its moments, turned so that ``b`` lies towards ``q``."""
    (p, q), (a, b) = photo, sheet
    root_p, root_a = np.linalg.cholesky(pieces.moments[p]), np.linalg.cholesky(model.moments[a])
    u = np.linalg.solve(root_p, (pieces.centres[q] - pieces.centres[p])[..., None])[..., 0]
    v = np.linalg.solve(root_a, (model.centres[b] - model.centres[a])[..., None])[..., 0]
    turn = (u[:, 0] + 1j * u[:, 1]) / (v[:, 0] + 1j * v[:, 1])
    turn /= np.abs(turn)
    spin = np.stack([turn.real, -turn.imag, turn.imag, turn.real], axis=-1).reshape(-1, 2, 2)
    linear = root_p @ spin @ np.linalg.inv(root_a)
    offset = pieces.centres[p] - np.einsum("nij,nj->ni", linear, model.centres[a])
    return np.concatenate([linear, offset[..., None]], axis=2)


def _witnessed(affine: Array, middles: Points, model: SheetModel, field: Field) -> Array:
    """How many of the cells around each pair have a piece where the map puts them; near ones count more."""
    gap = np.hypot(*(middles[:, None] - model.centres[None]).transpose(2, 0, 1))
    around = np.argsort(gap, axis=1, kind="stable")[:, : WITNESSES + 2]
    places = np.einsum("nij,nkj->nki", affine[:, :, :2], model.centres[around]) + affine[:, None, :, 2]
    near = gaps_at(field, places[..., 0].astype(np.float32), places[..., 1].astype(np.float32))
    scale = np.sqrt(np.abs(np.linalg.det(affine[:, :, :2])))
    side = scale[:, None] * np.sqrt(model.areas[around])
    off = near / (0.4 * side)
    return np.asarray(np.where(off < 1, 1 - 0.5 * off * off, 0.0).sum(axis=1) - 1.5)


def _grow(pieces: Pieces, model: SheetModel, affine: Array, anchor: Array) -> SheetMatch | None:
    """The homography an affine map grows into; None when it dies or no camera could see it so."""
    matrix = np.vstack([affine, [0.0, 0.0, 1.0]])
    spread = np.hypot(*(model.centres - anchor).T)
    count = 0
    for reach, slack in RINGS:
        index, gap = _assign(pieces, model, matrix)
        use = (gap < slack) & (spread < reach)
        count = int(use.sum())
        if count < 4:
            return None
        weights = 1.0 / (1.0 + (gap[use] / 0.12) ** 2)
        better = fit_robust(model.centres[use], pieces.centres[index[use]], weights, projective=count >= 8)
        if better is None or not plausible(better, model, pieces.size):
            return None
        matrix = better
    if count < LEAST:
        return None
    index, gap = _assign(pieces, model, matrix)
    places = Homography(matrix, "sheet", "photo").apply(model.centres)
    inside = ((places > 0) & (places < np.array(pieces.size))).all(axis=1)
    if inside.mean() < LEAST_INSIDE:
        return None
    hit = gap < RINGS[-1][1]
    yes, no = np.log(PIECE_HIT / PIECE_CHANCE), np.log((1 - PIECE_HIT) / (1 - PIECE_CHANCE))
    odds = np.asarray(np.where(hit, yes, no), dtype=np.float64)
    return SheetMatch(matrix, np.where(hit, index, -1), float(np.where(inside, odds, OUTSIDE).sum()))


def plausible(matrix: Array, model: SheetModel, size: tuple[int, int]) -> bool:
    """True when a camera before the sheet's face can see it so: not mirrored, not edge-on, not folded over."""
    left, top, right, bottom = model.extent
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    weight = np.column_stack([corners, np.ones(4)]) @ matrix[2]
    if weight.min() <= 0 and weight.max() >= 0:
        return False
    jacobians = Homography(matrix, "sheet", "photo").jacobians(corners)
    det = np.linalg.det(jacobians)
    if not np.all(np.isfinite(det)) or det.min() <= 0 or det.max() > 30 * det.min():
        return False
    if np.sqrt(np.median(det)) < LEAST_WIDTH * max(size):
        return False
    singular = np.linalg.svd(jacobians, compute_uv=False)
    return bool((singular[:, 0] / singular[:, 1]).max() < 4.0)


def assign(pieces: Pieces, model: SheetModel, places: Points, jacobians: Array) -> tuple[Index, Array]:
    """The piece nearest to each cell that is about as large, and its distance in sides of the cell; infinite for none.

    Args:
        pieces: the pieces.
        model: the sheet.
        places: ``(P, 2)`` where its cells and boxes should have their centroids, photo pixels.
        jacobians: ``(P, 2, 2)`` photo pixels per sheet width there.
    """
    area = np.abs(np.linalg.det(jacobians)) * model.areas
    gap = np.hypot(*(places[:, None] - pieces.centres[None]).transpose(2, 0, 1)) / np.sqrt(area)[:, None]
    ratio = np.abs(np.log(pieces.areas[None] / area[:, None]))
    cost = gap + 0.3 * ratio
    cost[(ratio > 0.5) | (gap > 0.6)] = np.inf
    index = cost.argmin(axis=1)
    rows = np.arange(len(index))
    gap = np.where(np.isfinite(cost[rows, index]), gap[rows, index], np.inf)
    # one piece serves one cell: the nearest
    order = np.argsort(gap, kind="stable")
    first = np.unique(index[order], return_index=True)[1]
    keep = np.zeros(len(index), dtype=bool)
    keep[order[first]] = True
    return index, np.where(keep, gap, np.inf)


def _assign(pieces: Pieces, model: SheetModel, matrix: Array) -> tuple[Index, Array]:
    view = Homography(matrix, "sheet", "photo")
    return assign(pieces, model, view.apply(model.centres), view.jacobians(model.centres))


def _same(one: Array, other: Array, anchor: Array) -> bool:
    places = anchor + np.array([[0.0, 0.0], [0.08, 0.0], [0.0, 0.08]])
    change = one - other
    gap = np.hypot(*(places @ change[:, :2].T + change[:, 2]).T)
    return bool(gap.max() < 0.02 * np.sqrt(abs(np.linalg.det(one[:, :2]))))


def _alike(one: SheetMatch, other: SheetMatch) -> bool:
    corners = np.array([[0.1, 0.1], [0.9, 0.1], [0.9, 0.6], [0.1, 0.6]])
    a, b = (Homography(m.homography, "sheet", "photo").apply(corners) for m in (one, other))
    return bool(np.hypot(*(a - b).T).max() < 0.05 * np.hypot(*(a[2] - a[0])))
