"""Match candidate discs with a known constellation, as star-field astrometry does.

Two neighbouring candidates, with the tilt their ellipses show, fix a local similarity to two neighbouring regions of
the map. Each such hypothesis predicts the discs around it; the few best are grown, ring by ring, into a homography of
the whole board, and judged by the log-odds of *all* discs against chance (the idea of
astrometry.net, Lang et al. 2010).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Homography, Points
from ontour_cv.vision.field import Field, look_up
from ontour_cv.vision.fits import fit_all, fit_robust, laid
from ontour_cv.vision.hypotheses import PairSettings, hypotheses

Array = NDArray[np.float64]

_RINGS = ((0.16, 1.0), (0.22, 1.0), (0.3, 0.9), (0.4, 0.9), (0.55, 0.9), (0.8, 0.8), (1.5, 0.8), (1.5, 0.7))
"""Steps of growing: how far from the first pair regions are matched (board widths), and how loosely."""

_GUESSES = 4
"""Hypotheses made for each that is grown: most are alike."""

_LOT = 64
"""Hypotheses grown together at most."""

SHARE_FROM = 0.3
"""Reach of growing (board widths) from which ``MatchSettings.least_share`` is asked for."""

LEAST_SHARE = 0.35
"""A guess that explains less of what it has grown over is given up, once the first candidates showed no board: refusals
take two thirds of the time, and 20 photos on which hardly any discs are seen were laid as before."""


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """Settings of the constellation match. Distances in disc radii unless said otherwise.

    Attributes:
        tried: hypotheses grown at most.
        kept: matches of one constellation handed on at most.
        tolerance: how near a candidate must be to be matched at the end; discs of unknown editions move so far.
        visible: share of a board's discs expected among the candidates.
        sigma: spread of a disc about its predicted place.
        sigma_moved: the same for discs that sit elsewhere in print.
        moved: share of such discs.
        least_share: share of the discs reached that have to be matched, once growing is ``SHARE_FROM`` wide.
        least_inside: share of the discs that have to be inside the picture.
        outside: log-odds of a disc outside the picture; people take photos of whole boards.
        trials: log of the number of ways a match could have been found, which the evidence has to outweigh.
        enough: log-odds, after ``trials``, at which the search ends at once.
    """

    tried: int = 60
    kept: int = 3
    tolerance: float = 1.0
    visible: float = 0.6
    sigma: float = 0.16
    sigma_moved: float = 0.6
    moved: float = 0.15
    least_share: float = 0.0
    least_inside: float = 0.5
    outside: float = -0.4
    trials: float = 32.0
    enough: float = 60.0


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


def grow(
    field: Field, board: Points, radius: float, guesses: Sequence[tuple[Array, Array]], cfg: MatchSettings,
    stretch: float = 1.0,
) -> list[Match | None]:  # fmt: skip
    """The homography that each guess (affine map, board point it holds at) grows into, judged; None where it dies.

    The steps of growing are ``stretch`` times as wide as on a board as dense as the known ones (:func:`sparseness`).
    """
    matrices = np.tile(np.eye(3), (len(guesses), 1, 1))
    matrices[:, :2] = [affine for affine, _ in guesses]
    spread = np.linalg.norm(board - np.array([anchor for _, anchor in guesses])[:, None], axis=2)
    left = np.arange(len(guesses))
    for reach, slack in _RINGS:
        index, gap, scale = _assign(field, board, radius, matrices[left])
        within = spread[left] < reach * stretch
        use = (gap < slack * cfg.tolerance * scale) & within
        count = use.sum(axis=1)
        ample = count >= np.maximum(4, cfg.least_share * within.sum(axis=1) if reach >= SHARE_FROM else 0)
        weights = np.where(use, 1.0 / (1.0 + (gap / scale / 0.35) ** 2), 0.0)[ample]
        better, fine = fit_all(board, field.points[index[ample]], weights, count[ample] >= 8)
        left = left[ample][fine]
        matrices[left] = better[fine]
        if not len(left):
            break
    grown: list[Match | None] = [None] * len(guesses)
    for k in left:
        grown[k] = judge(field, board, radius, matrices[k], cfg)
    return grown


def sparseness(board: Points) -> float:
    """How much wider than usual the first step of growing must be to hold some regions on a sparse board, 1 or more."""
    gap = np.sort(np.hypot(*(board[:, None] - board[None]).transpose(2, 0, 1)), axis=1)
    fifth = np.median(gap[:, min(5, len(board) - 1)])
    return max(1.0, float(fifth) / _RINGS[0][0])


def polish(field: Field, board: Points, radius: float, found: Match, cfg: MatchSettings) -> Match | None:
    """A match fitted and judged anew for discs lying a little elsewhere, as those of another edition do."""
    matrix = found.homography
    for _ in range(2):
        index, gap, scale = (one[0] for one in _assign(field, board, radius, matrix[None]))
        use = gap < 0.8 * cfg.tolerance * scale
        weights = 1.0 / (1.0 + (gap[use] / scale[use] / 0.25) ** 2)
        better = fit_robust(board[use], field.points[index[use]], weights) if use.sum() >= 8 else None
        matrix = matrix if better is None else better
    return judge(field, board, radius, matrix, cfg)


def _assign(field: Field, board: Points, radius: float, matrices: Array) -> tuple[NDArray[np.int32], Array, Array]:
    """Nearest candidate of each region under ``(K, 3, 3)`` maps, its distance, the disc radius there: ``(K, N)`` each.

    Sizes must agree; the distance is infinite where they do not.
    """
    places, det = _seen(matrices, board)
    index, gap = look_up(field, places)
    scale = np.sqrt(np.abs(det)) * radius
    alike = np.abs(np.log(field.radii[index] / np.maximum(scale, 1e-6))) < 0.6
    gap = np.where(alike, gap, np.inf)
    # One candidate serves one region: the nearest.
    order = np.argsort(gap, axis=1, kind="stable")
    owners = np.take_along_axis(index, order, axis=1) + len(field.points) * np.arange(len(matrices))[:, None]
    _, first = np.unique(owners, return_index=True)
    keep = np.zeros(gap.shape, dtype=bool)
    keep[first // len(board), order.ravel()[first]] = True
    return index, np.where(keep, gap, np.inf), scale


def _seen(matrices: Array, board: Points) -> tuple[Array, Array]:
    """Where ``(K, 3, 3)`` maps lay the board, ``(K, N, 2)``, and what they do to areas there, ``(K, N)``."""
    weight = board @ matrices[:, 2, :2, None] + matrices[:, 2, 2, None, None]
    places = laid(matrices, board)
    return places, np.asarray(np.linalg.det(matrices)[:, None] / weight[..., 0] ** 3, dtype=np.float64)


def judge(field: Field, board: Points, radius: float, matrix: Array, cfg: MatchSettings) -> Match | None:
    """Evidence that the board lies where ``matrix`` says; None when no camera could see it so."""
    model = Homography(matrix, "board", "photo")
    jacobians = model.jacobians(board)
    det = np.linalg.det(jacobians)
    if not np.all(np.isfinite(det)) or det.min() <= 0 or det.max() > 25.0 * det.min():
        return None
    singular = np.linalg.svd(jacobians, compute_uv=False)
    if (singular[:, 0] / singular[:, 1]).max() > 3.2:
        return None
    index, gap, scale = (one[0] for one in _assign(field, board, radius, matrix[None]))
    places = model.apply(board)
    margin = 0.5 * scale[:, None]
    inside = (places > margin).all(axis=1) & (places < np.array(field.size) - margin).all(axis=1)
    if inside.mean() < cfg.least_inside:
        return None
    density = _density(field, places, scale)
    d = gap / scale
    chance = density * np.exp(-np.pi * density * np.minimum(d, 9) ** 2)
    normal = _normal(d, cfg.sigma) * (1 - cfg.moved) + _normal(d, cfg.sigma_moved) * cfg.moved
    seen = np.log((cfg.visible * normal + (1 - cfg.visible) * chance) / chance)
    missed = np.log(1 - cfg.visible) + np.pi * density * cfg.tolerance**2
    hit = d < cfg.tolerance
    odds = np.where(hit, np.where(hit, seen, 0.0), missed)
    total = float(odds[inside].sum()) + cfg.outside * float((~inside).sum()) - cfg.trials
    return Match(matrix, np.where(hit & inside, index, -1).astype(np.int64), total)


def _normal(d: Array, sigma: float) -> Array:
    """Density of a round normal distribution of spread ``sigma`` at distance ``d``."""
    return np.asarray(np.exp(-0.5 * np.minimum(d / sigma, 30) ** 2) / (2 * np.pi * sigma**2))


def _density(field: Field, places: Points, scale: Array) -> Array:
    """Candidates per square disc radius round each place: at least that of the densest plausible clutter there."""
    gap = np.hypot(*(places[:, None] - field.points[None]).transpose(2, 0, 1)) / scale[:, None]
    local = ((gap < 8) & (gap > 1)).sum(axis=1) / (np.pi * 63)
    return np.asarray(np.maximum(local, 0.01), dtype=np.float64)


def match(
    field: Field, board: Points, radius: float, cfg: MatchSettings, guesses: Sequence[tuple[Array, Array]] | None = None
) -> list[Match]:
    """The best matches of one constellation, best first, however weak; empty when no hypothesis grows.

    ``guesses``: the hypotheses to grow, from :func:`guess`; None to make them here.
    """
    found: list[Match] = []
    stretch = sparseness(board)
    every = guess(field, board, radius, cfg) if guesses is None else guesses
    lots = _in_growing_lots(_unlike(every[: _GUESSES * cfg.tried], radius, cfg.tried))
    for one in (one for some in lots for one in grow(field, board, radius, some, cfg, stretch)):
        if one is not None:
            found.append(one)
            if one.log_odds > cfg.enough:
                break
    found.sort(key=lambda one: -one.log_odds)
    best: list[Match] = []
    for one in found:
        if len(best) < cfg.kept and not any((one.index == other.index).mean() > 0.5 for other in best):
            best.append(one)
    return best


def guess(field: Field, board: Points, radius: float, cfg: MatchSettings) -> list[tuple[Array, Array]]:
    """Enough hypotheses for :func:`match` with these settings, or any that try less; best first."""
    return hypotheses(field, board, radius, _GUESSES * cfg.tried, PairSettings())


def _unlike(guesses: Sequence[tuple[Array, Array]], radius: float, most: int) -> Iterator[tuple[Array, Array]]:
    """Guesses of which none lays the board as one before it, at most so many."""
    grown, tried = np.empty((most, 2, 3)), 0
    for affine, anchor in guesses:
        if tried < most and not _same(affine, grown[:tried], anchor, radius).any():
            grown[tried], tried = affine, tried + 1
            yield affine, anchor


def _in_growing_lots(guesses: Iterator[tuple[Array, Array]]) -> Iterator[list[tuple[Array, Array]]]:
    """Guesses in lots of one, four, sixteen and so on: the first are the likeliest, and the last are seldom reached."""
    size = 1
    while lot := list(islice(guesses, size)):
        yield lot
        size = min(4 * size, _LOT)


def _same(one: Array, others: Array, anchor: Array, radius: float) -> NDArray[np.bool_]:
    """Which ``(N, 2, 3)`` affine maps agree with ``one`` to a disc radius round ``anchor``: to be grown once."""
    places = np.column_stack([anchor + np.array([[0.0, 0.0], [4 * radius, 0.0], [0.0, 4 * radius]]), np.ones(3)])
    gap = np.linalg.norm((one - others) @ places.T, axis=1).max(axis=1)
    return np.asarray(gap < radius * np.sqrt(abs(np.linalg.det(one[:, :2]))))
