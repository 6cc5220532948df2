"""Match candidate discs with a known constellation, as star-field astrometry does.

Two neighbouring candidates, with the tilt their ellipses show, fix a local similarity to two neighbouring regions of
the map. Each such hypothesis predicts the discs around it; the few best are grown, ring by ring, into a homography of
the whole board, and judged by the log-odds of *all* discs against chance (the idea of
astrometry.net, Lang et al. 2010).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Homography, Points

Array = NDArray[np.float64]

_RINGS = ((0.16, 1.0), (0.22, 1.0), (0.3, 0.9), (0.4, 0.9), (0.55, 0.9), (0.8, 0.8), (1.5, 0.8), (1.5, 0.7))
"""Steps of growing: how far from the first pair regions are matched (board widths), and how loosely."""


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """Settings of the constellation match. Distances in disc radii unless said otherwise.

    Attributes:
        neighbours_photo: candidates paired with each candidate.
        neighbours_board: regions paired with each region.
        witnesses: regions around a pair that a hypothesis must predict.
        size_tolerance: largest log ratio between a disc's size and what the pair's distance implies.
        reach: how near a candidate must be to a predicted witness.
        tried: hypotheses grown at most.
        tolerance: how near a candidate must be to be matched at the end; discs of unknown editions move so far.
        visible: share of a board's discs expected among the candidates.
        sigma: spread of a disc about its predicted place.
        sigma_moved: the same for discs that sit elsewhere in print.
        moved: share of such discs.
        trials: log of the number of ways a match could have been found, which the evidence has to outweigh.
        enough: log-odds, after ``trials``, at which the search ends at once.
    """

    neighbours_photo: int = 8
    neighbours_board: int = 6
    witnesses: int = 10
    size_tolerance: float = 0.45
    reach: float = 0.95
    tried: int = 60
    tolerance: float = 1.0
    visible: float = 0.6
    sigma: float = 0.16
    sigma_moved: float = 0.6
    moved: float = 0.15
    trials: float = 32.0
    enough: float = 60.0


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """Candidates prepared for fast questions.

    Attributes:
        points: ``(N, 2)`` centres, pixels.
        radii: ``(N,)`` pixels.
        shapes: ``(N, 2, 2)`` unit-determinant second moments, smoothed over neighbours.
        size: width and height of the picture, pixels.
        cell: side of a cell of ``nearest``, pixels.
        nearest: index of the candidate nearest to each grid cell.
    """

    points: Points
    radii: Array
    shapes: Array
    size: tuple[int, int]
    cell: float
    nearest: NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """A constellation laid over the candidates.

    Attributes:
        homography: ``(3, 3)``, board to photo.
        index: ``(M,)`` candidate matched to each region, -1 where none.
        log_odds: evidence against chance, natural log, after ``trials``.
    """

    homography: Array
    index: NDArray[np.int64]
    log_odds: float

    @property
    def matched(self) -> int:
        """How many regions have a candidate."""
        return int((self.index >= 0).sum())


def make_field(points: Points, radii: Array, shapes: Array, size: tuple[int, int]) -> Field:
    """Candidates (``shapes`` as ``(N, 3)`` rows ``xx, xy, yy``) of a picture of ``size`` (width, height)."""
    count = len(points)
    matrices = np.empty((count, 2, 2))
    for i in range(count):
        gap = np.hypot(*(points - points[i]).T)
        alike = np.abs(np.log(radii / radii[i])) < 0.5
        near = [k for k in np.argsort(gap, kind="stable")[:12] if alike[k]][:7]
        xx, xy, yy = np.median(shapes[near], axis=0)
        scale = 1.0 / np.sqrt(max(xx * yy - xy * xy, 1e-9))
        matrices[i] = np.array([[xx, xy], [xy, yy]]) * scale
    cell = max(1.0, max(size) / 400.0)
    cols, rows = (int(v / cell) + 2 for v in size)
    seeds = np.full((rows, cols), 255, np.uint8)
    at = np.clip(np.rint(points / cell).astype(int), 0, (cols - 1, rows - 1))
    seeds[at[:, 1], at[:, 0]] = 0
    labels = cv2.distanceTransformWithLabels(seeds, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)[1]
    owner = np.zeros(int(labels.max()) + 1, np.int32)
    owner[labels[at[:, 1], at[:, 0]]] = np.arange(count)
    return Field(points, radii, matrices, size, cell, owner[labels])


def look_up(field: Field, places: Points) -> tuple[NDArray[np.int32], Array]:
    """Nearest candidate to each place ``(..., 2)`` and its distance in pixels; far outside the picture: infinite."""
    at = np.rint(places / field.cell)
    rows, cols = field.nearest.shape
    inside = (at[..., 0] >= 0) & (at[..., 0] < cols) & (at[..., 1] >= 0) & (at[..., 1] < rows)
    at = np.where(inside[..., None], at, 0).astype(np.int64)
    index = field.nearest[at[..., 1], at[..., 0]]
    gap = np.hypot(places[..., 0] - field.points[index, 0], places[..., 1] - field.points[index, 1])
    return index, np.where(inside, gap, np.inf)


def _pairs(points: Points, count: int, least: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Each point with its ``count`` nearest neighbours further than ``least`` of the point: two index arrays."""
    gap = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    gap[gap < least[:, None]] = np.inf
    order = np.argsort(gap, axis=1, kind="stable")[:, :count]
    first = np.repeat(np.arange(len(points)), order.shape[1])
    second = order.ravel()
    real = np.isfinite(gap[first, second])
    return first[real], second[real]


def hypotheses(field: Field, board: Points, radius: float, cfg: MatchSettings) -> list[tuple[float, Array]]:
    """Local similarities worth growing, best first: score and ``(2, 3)`` affine map from board to photo."""
    i, j = _pairs(field.points, cfg.neighbours_photo, 1.5 * field.radii)
    alike = np.abs(np.log(field.radii[i] / field.radii[j])) < cfg.size_tolerance
    i, j = i[alike], j[alike]
    a, b = _pairs(board, cfg.neighbours_board, np.full(len(board), radius))
    if not len(i):
        return []
    root = _root((field.shapes[i] + field.shapes[j]) / 2)
    step_photo = np.einsum("nij,nj->ni", np.linalg.inv(root), field.points[j] - field.points[i])
    step_board = board[b] - board[a]
    zp, zb = step_photo @ np.array([1, 1j]), step_board @ np.array([1, 1j])
    size = np.sqrt(field.radii[i] * field.radii[j])
    turn = zp[:, None] / zb[None, :]
    fits = np.abs(np.log(np.abs(turn) * radius / size[:, None])) < cfg.size_tolerance
    p, q = np.nonzero(fits)
    z = turn[p, q]
    rotation = np.stack([np.stack([z.real, -z.imag], -1), np.stack([z.imag, z.real], -1)], -2)
    linear = root[p] @ rotation
    around = _witnesses(board, a, b, cfg.witnesses)[q]
    offset = board[around] - board[a[q]][:, None]
    places = np.einsum("nij,nkj->nki", linear, offset) + field.points[i[p]][:, None]
    index, gap = look_up(field, places)
    scale = np.abs(z)[:, None] * radius
    hit = (gap < cfg.reach * scale) & (np.abs(np.log(field.radii[index] / scale)) < cfg.size_tolerance)
    score = _soft(hit, gap, scale, cfg)
    order = np.argsort(-score, kind="stable")[: 4 * cfg.tried]
    out = []
    for k in order:
        shift = field.points[i[p[k]]] - linear[k] @ board[a[q[k]]]
        out.append((float(score[k]), np.column_stack([linear[k], shift])))
    return out


def _soft(hit: NDArray[np.bool_], gap: Array, scale: Array, cfg: MatchSettings) -> Array:
    """Witnesses seen, near ones counting more."""
    near = 1.0 - 0.5 * np.square(np.minimum(gap / (cfg.reach * scale), 1.0))
    return np.asarray((hit * near).sum(axis=1), dtype=np.float64)


def _root(shapes: Array) -> Array:
    """Symmetric square roots of ``(N, 2, 2)`` positive matrices."""
    values, vectors = np.linalg.eigh(shapes)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 1e-9))[:, None, :]) @ vectors.transpose(0, 2, 1))


def _witnesses(board: Points, a: NDArray[np.int64], b: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """For each pair of regions the ``count`` regions nearest to its middle, the pair left out: ``(pairs, count)``."""
    middle = (board[a] + board[b]) / 2
    gap = np.hypot(*(middle[:, None] - board[None]).transpose(2, 0, 1))
    rows = np.arange(len(a))
    gap[rows, a] = gap[rows, b] = np.inf
    return np.argsort(gap, axis=1, kind="stable")[:, :count]


def grow(field: Field, board: Points, radius: float, affine: Array, cfg: MatchSettings) -> Match | None:
    """The homography that a local affine map grows into, matched to all of the board; None when it dies."""
    matrix = np.vstack([affine, [0.0, 0.0, 1.0]])
    centre = np.linalg.solve(affine[:, :2], np.median(field.points, axis=0) - affine[:, 2])
    anchor = board[np.argmin(np.hypot(*(board - centre).T))]
    index, gap, scale = _assign(field, board, radius, matrix)
    near = gap < 0.6 * scale
    if near.sum() < 4:
        return None
    anchor = board[near].mean(axis=0) if near.sum() < 8 else anchor
    spread = np.hypot(*(board - anchor).T)
    for reach, slack in _RINGS:
        index, gap, scale = _assign(field, board, radius, matrix)
        use = (gap < slack * cfg.tolerance * scale) & (spread < reach)
        count = int(use.sum())
        if count < 4:
            return None
        matrix_new = _fit(board[use], field.points[index[use]], gap[use] / scale[use], projective=count >= 8)
        if matrix_new is None:
            return None
        matrix = matrix_new
    return judge(field, board, radius, matrix, cfg)


def _assign(field: Field, board: Points, radius: float, matrix: Array) -> tuple[NDArray[np.int32], Array, Array]:
    """Nearest candidate of each region under ``matrix``, its distance, and the disc radius there; sizes must agree."""
    model = Homography(matrix, "board", "photo")
    index, gap = look_up(field, model.apply(board))
    scale = np.sqrt(np.abs(np.linalg.det(model.jacobians(board)))) * radius
    alike = np.abs(np.log(field.radii[index] / np.maximum(scale, 1e-6))) < 0.6
    gap = np.where(alike, gap, np.inf)
    # One candidate serves one region: the nearest.
    order = np.argsort(gap, kind="stable")
    _, first = np.unique(index[order], return_index=True)
    keep = np.zeros(len(board), dtype=bool)
    keep[order[first]] = True
    return index, np.where(keep, gap, np.inf), scale


def _fit(board: Points, photo: Points, gaps: Array, *, projective: bool) -> Array | None:
    """Homography (or affine map) through matched points, by iteratively re-weighted least squares."""
    weights = 1.0 / (1.0 + (gaps / 0.35) ** 2)
    matrix: Array | None = None
    for _ in range(2):
        matrix = fit_homography(board, photo, weights) if projective else _fit_affine(board, photo, weights)
        if matrix is None:
            return None
        error = np.hypot(*(Homography(matrix, "board", "photo").apply(board) - photo).T)
        middle = max(float(np.median(error)), 1e-6)
        weights = 1.0 / (1.0 + (error / (2.5 * middle)) ** 2)
    return matrix


def _fit_affine(board: Points, photo: Points, weights: Array) -> Array | None:
    w = np.sqrt(weights)[:, None]
    rows = np.column_stack([board, np.ones(len(board))]) * w
    solution, _, rank, _ = np.linalg.lstsq(rows, photo * w, rcond=None)
    return np.vstack([solution.T, [0.0, 0.0, 1.0]]) if rank == 3 else None


def fit_homography(board: Points, photo: Points, weights: Array) -> Array | None:
    """Weighted homography by the normalised direct linear transform (Hartley 1997); None when degenerate."""
    tb, tp = _normaliser(board), _normaliser(photo)
    x, y = (board @ tb[:2, :2].T + tb[:2, 2]).T
    u, v = (photo @ tp[:2, :2].T + tp[:2, 2]).T
    zero, one = np.zeros_like(x), np.ones_like(x)
    top = np.column_stack([x, y, one, zero, zero, zero, -u * x, -u * y, -u])
    low = np.column_stack([zero, zero, zero, x, y, one, -v * x, -v * y, -v])
    w = np.sqrt(weights)[:, None]
    rows = np.concatenate([top * w, low * w])
    values, vectors = np.linalg.eigh(rows.T @ rows)
    if values[1] < 1e-9:
        return None
    matrix = np.linalg.inv(tp) @ vectors[:, 0].reshape(3, 3) @ tb
    return np.asarray(matrix / matrix[2, 2]) if abs(matrix[2, 2]) > 1e-12 else None


def _normaliser(points: Points) -> Array:
    centre = points.mean(axis=0)
    spread = max(float(np.hypot(*(points - centre).T).mean()), 1e-9)
    s = np.sqrt(2) / spread
    return np.array([[s, 0, -s * centre[0]], [0, s, -s * centre[1]], [0, 0, 1.0]])


def judge(field: Field, board: Points, radius: float, matrix: Array, cfg: MatchSettings) -> Match | None:
    """Evidence that the board lies where ``matrix`` says; None when no camera could see it so."""
    model = Homography(matrix, "board", "photo")
    jacobians = model.jacobians(board)
    det = np.linalg.det(jacobians)
    if not np.all(np.isfinite(det)) or det.min() <= 0 or det.max() > 9.0 * det.min():
        return None
    singular = np.linalg.svd(jacobians, compute_uv=False)
    if (singular[:, 0] / singular[:, 1]).max() > 2.6:
        return None
    index, gap, scale = _assign(field, board, radius, matrix)
    places = model.apply(board)
    margin = 0.5 * scale[:, None]
    inside = (places > margin).all(axis=1) & (places < np.array(field.size) - margin).all(axis=1)
    density = _density(field, places, scale)
    d = gap / scale
    chance = density * np.exp(-np.pi * density * np.minimum(d, 9) ** 2)
    normal = _normal(d, cfg.sigma) * (1 - cfg.moved) + _normal(d, cfg.sigma_moved) * cfg.moved
    seen = np.log((cfg.visible * normal + (1 - cfg.visible) * chance) / chance)
    missed = np.log(1 - cfg.visible) + np.pi * density * cfg.tolerance**2
    hit = d < cfg.tolerance
    odds = np.where(hit, np.where(hit, seen, 0.0), missed)
    total = float(odds[inside].sum()) - cfg.trials
    return Match(matrix, np.where(hit & inside, index, -1).astype(np.int64), total)


def _normal(d: Array, sigma: float) -> Array:
    """Density of a round normal distribution of spread ``sigma`` at distance ``d``."""
    return np.asarray(np.exp(-0.5 * np.minimum(d / sigma, 30) ** 2) / (2 * np.pi * sigma**2))


def _density(field: Field, places: Points, scale: Array) -> Array:
    """Candidates per square disc radius round each place: at least that of the densest plausible clutter there."""
    gap = np.hypot(*(places[:, None] - field.points[None]).transpose(2, 0, 1)) / scale[:, None]
    local = ((gap < 8) & (gap > 1)).sum(axis=1) / (np.pi * 63)
    return np.asarray(np.maximum(local, 0.01), dtype=np.float64)


def match(field: Field, board: Points, radius: float, cfg: MatchSettings) -> Match | None:
    """The best match of one constellation, however weak; None when no hypothesis grows."""
    best: Match | None = None
    grown: list[Array] = []
    for _, affine in hypotheses(field, board, radius, cfg):
        if any(_same(affine, other, board, radius) for other in grown):
            continue
        grown.append(affine)
        found = grow(field, board, radius, affine, cfg)
        if found is not None and (best is None or found.log_odds > best.log_odds):
            best = found
        if len(grown) >= cfg.tried or (best is not None and best.log_odds > cfg.enough):
            break
    return best


def _same(one: Array, other: Array, board: Points, radius: float) -> bool:
    """True when two affine maps put the middle of the board within a disc of each other and agree on direction."""
    corners = np.array([[0.4, 0.3], [0.5, 0.3], [0.45, 0.4]])
    gap = np.hypot(*((corners @ (one - other)[:, :2].T) + (one - other)[:, 2]).T)
    scale = np.sqrt(abs(np.linalg.det(one[:, :2]))) * radius
    return bool(gap.max() < 1.0 * scale)
