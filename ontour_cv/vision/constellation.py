"""Match candidate discs with a known constellation, as star-field astrometry does.

Two neighbouring candidates, with the tilt their ellipses show, fix a local similarity to two neighbouring regions of
the map. Each such hypothesis predicts the discs around it; the few best are grown, ring by ring, into a homography of
the whole board, and judged by the log-odds of *all* discs against chance (the idea of
astrometry.net, Lang et al. 2010).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Homography, Points
from ontour_cv.vision.field import Field, look_up
from ontour_cv.vision.hypotheses import PairSettings, hypotheses
from ontour_cv.vision.warp import fit_robust

Array = NDArray[np.float64]

_RINGS = ((0.16, 1.0), (0.22, 1.0), (0.3, 0.9), (0.4, 0.9), (0.55, 0.9), (0.8, 0.8), (1.5, 0.8), (1.5, 0.7))
"""Steps of growing: how far from the first pair regions are matched (board widths), and how loosely."""

_GUESSES = 4
"""Hypotheses made for each that is grown: most are alike."""

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
    field: Field, board: Points, radius: float, guess: tuple[Array, Array], cfg: MatchSettings, stretch: float = 1.0
) -> Match | None:
    """The homography that a guess (affine map, board point it holds at) grows into, judged; None when it dies.

    The steps of growing are ``stretch`` times as wide as on a board as dense as the known ones (:func:`sparseness`).
    """
    affine, anchor = guess
    matrix = np.vstack([affine, [0.0, 0.0, 1.0]])
    spread = np.hypot(*(board - anchor).T)
    for reach, slack in _RINGS:
        index, gap, scale = _assign(field, board, radius, matrix)
        within = spread < reach * stretch
        use = (gap < slack * cfg.tolerance * scale) & within
        count = int(use.sum())
        if count < 4 or (reach >= SHARE_FROM and count < cfg.least_share * within.sum()):
            return None
        weights = 1.0 / (1.0 + (gap[use] / scale[use] / 0.35) ** 2)
        better = fit_robust(board[use], field.points[index[use]], weights, projective=count >= 8)
        if better is None:
            return None
        matrix = better
    return judge(field, board, radius, matrix, cfg)


def sparseness(board: Points) -> float:
    """How much wider than usual the first step of growing must be to hold some regions on a sparse board, 1 or more."""
    gap = np.sort(np.hypot(*(board[:, None] - board[None]).transpose(2, 0, 1)), axis=1)
    fifth = np.median(gap[:, min(5, len(board) - 1)])
    return max(1.0, float(fifth) / _RINGS[0][0])


def polish(field: Field, board: Points, radius: float, found: Match, cfg: MatchSettings) -> Match | None:
    """A match fitted and judged anew for discs lying a little elsewhere, as those of another edition do."""
    matrix = found.homography
    for _ in range(2):
        index, gap, scale = _assign(field, board, radius, matrix)
        use = gap < 0.8 * cfg.tolerance * scale
        weights = 1.0 / (1.0 + (gap[use] / scale[use] / 0.25) ** 2)
        better = fit_robust(board[use], field.points[index[use]], weights) if use.sum() >= 8 else None
        matrix = matrix if better is None else better
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
    index, gap, scale = _assign(field, board, radius, matrix)
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
    grown, tried = np.empty((cfg.tried, 2, 3)), 0
    stretch = sparseness(board)
    for affine, anchor in (guess(field, board, radius, cfg) if guesses is None else guesses)[: _GUESSES * cfg.tried]:
        if _same(affine, grown[:tried], anchor, radius).any():
            continue
        grown[tried], tried = affine, tried + 1
        match = grow(field, board, radius, (affine, anchor), cfg, stretch)
        if match is not None:
            found.append(match)
            if match.log_odds > cfg.enough:
                break
        if tried >= cfg.tried:
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


def _same(one: Array, others: Array, anchor: Array, radius: float) -> NDArray[np.bool_]:
    """Which ``(N, 2, 3)`` affine maps agree with ``one`` to a disc radius round ``anchor``: to be grown once."""
    places = np.column_stack([anchor + np.array([[0.0, 0.0], [4 * radius, 0.0], [0.0, 4 * radius]]), np.ones(3)])
    gap = np.linalg.norm((one - others) @ places.T, axis=1).max(axis=1)
    return np.asarray(gap < radius * np.sqrt(abs(np.linalg.det(one[:, :2]))))
