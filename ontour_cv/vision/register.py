"""Candidates + editions -> :class:`Placement`: which edition, where it lies, and the evidence for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.errors import BoardNotFound
from ontour_cv.geometry import Homography, Points
from ontour_cv.maps.edition import Edition
from ontour_cv.vision.constellation import Match, MatchSettings, judge, match, polish
from ontour_cv.vision.field import Field, make_field
from ontour_cv.vision.landmarks import Candidates
from ontour_cv.vision.measure import Measured, measure
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.symmetry import add_symmetric
from ontour_cv.vision.warp import Warp, bend, fit_robust

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class CellPlace:
    """Where one cell lies in the photo.

    Attributes:
        centre_photo: ``(x, y)`` photo pixels, after residual warp and snapping to the disc.
        axes_photo: ``(2, 2)`` float64: columns are the photo vectors (pixels) of one disc radius along board x
            and board y. So ``centre + axes @ (u, v)`` is the photo point at ``(u, v)`` disc radii from the centre.
        seen: True when the disc itself was found there, False when only the fit places it.
        inside: False when the cell lies (partly) outside the picture.
    """

    centre_photo: tuple[float, float]
    axes_photo: NDArray[np.float64]
    seen: bool
    inside: bool


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """A board found in a photo.

    Attributes:
        edition: the edition that explains the candidates best.
        board_to_photo: homography, frame ``"board"`` to frame ``"photo"``.
        cells: region id -> place, for every region of the map.
        log_odds: evidence for this board against chance, natural log units; accepted only when well above 0.
        matched: how many discs were found where the edition has one.
        error_px: median distance between found discs and the fit, photo pixels.
        candidates: how many candidate discs there were in the picture.
    """

    edition: Edition
    board_to_photo: Homography
    cells: Mapping[str, CellPlace]
    log_odds: float
    matched: int
    error_px: float
    candidates: int


ACCEPT_LOG_ODDS = 0.0
"""Evidence from which a board is believed, after the price of all the ways a match could have been found by chance.

The best of 204 pictures without a board (desks, newspapers, go boards, coins, dots) had -14, the worst of 80 real blank
boards with ink, blurred, dark and tilted, +9.
"""

PURSUE_LOG_ODDS = -20.0
"""Evidence from which a match is worth looking at again."""

SETTLED_LOG_ODDS = 25.0
"""Evidence from which no other match needs a look."""

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


def register(photo: Photo, candidates: Candidates, editions: Sequence[Edition]) -> Placement:
    """Where which board lies in the photo.

    Args:
        photo: the picture the candidates were found in.
        candidates: from :func:`ontour_cv.vision.landmarks.find_discs`.
        editions: every edition it may be, of one map or several.

    Raises:
        BoardNotFound: the candidates are not the constellation of any of the editions.
    """
    best = _best_fit(photo, candidates, editions)
    if best is None or best.log_odds < ACCEPT_LOG_ODDS:
        more = add_symmetric(candidates)
        again = _best_fit(photo, more, editions)
        if again is not None and again.log_odds >= ACCEPT_LOG_ODDS:
            return _placement(photo, more, again)
        raise _not_found(photo, candidates, editions)
    return _placement(photo, candidates, best)


def _best_fit(photo: Photo, candidates: Candidates, editions: Sequence[Edition]) -> _Fit | None:
    """The likeliest board, however unlikely; None when nothing looks like one."""
    best: _Fit | None = None
    if len(candidates) < 4:
        return None
    size = (photo.bgr.shape[1], photo.bgr.shape[0])
    field = make_field(candidates.centres_photo, candidates.radii_px, candidates.shapes, size)
    for group in _by_map(editions):
        for found in match(field, _mean_board(group), _mean_radius(group), MatchSettings()):
            if found.log_odds < PURSUE_LOG_ODDS or (best is not None and best.log_odds > SETTLED_LOG_ODDS):
                break
            fit = _refine(photo, candidates, field, found, _likeliest(field, found, group))
            if fit is not None and (best is None or fit.log_odds > best.log_odds):
                best = fit
    return best


def _not_found(photo: Photo, candidates: Candidates, editions: Sequence[Edition]) -> BoardNotFound:
    """The refusal; a mirrored board, as some phones' front cameras make it, is told apart."""
    if len(candidates) >= 4:
        width, height = photo.bgr.shape[1], photo.bgr.shape[0]
        flipped = np.array([width - 1.0, 0.0]) + candidates.centres_photo * [-1.0, 1.0]
        field = make_field(flipped, candidates.radii_px, candidates.shapes * [1.0, -1.0, 1.0], (width, height))
        for group in _by_map(editions):
            found = match(field, _mean_board(group), _mean_radius(group), MatchSettings())
            if found and found[0].log_odds > ACCEPT_LOG_ODDS:
                return BoardNotFound(
                    f"{photo.name}: the picture is a mirror image of a board.",
                    "Flip it, or turn off the mirroring of the front camera.",
                )
    return BoardNotFound(
        f"{photo.name}: no known board in this picture.",
        "Take the photo from above with the whole board in it, sharp and without glare.",
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """A board laid over the photo with all its discs measured."""

    edition: Edition
    warp: Warp
    centres: Points
    axes: Array
    measured: Measured
    off: Array
    log_odds: float


def _by_map(editions: Sequence[Edition]) -> list[list[Edition]]:
    groups: dict[tuple[str, tuple[str, ...]], list[Edition]] = {}
    for edition in editions:
        groups.setdefault((edition.map, tuple(sorted(edition.cells))), []).append(edition)
    return list(groups.values())


def _mean_board(group: Sequence[Edition]) -> Points:
    """Cell centres that all editions of a map are near to, in the order of the first edition's cells."""
    boards = np.array([[edition.cells[region] for region in group[0].cells] for edition in group], dtype=np.float64)
    return np.asarray(boards.mean(axis=0))


def _mean_radius(group: Sequence[Edition]) -> float:
    return float(np.mean([edition.radius for edition in group]))


def _likeliest(field: Field, found: Match, group: Sequence[Edition]) -> Edition:
    """The edition whose discs the match explains best, each fitted on its own."""
    scores = []
    for edition in group:
        board = np.array([edition.cells[region] for region in group[0].cells], dtype=np.float64)
        fitted = polish(field, board, edition.radius, found, MatchSettings())
        scores.append(-np.inf if fitted is None else fitted.log_odds)
    return group[int(np.argmax(scores))]


def _refine(photo: Photo, candidates: Candidates, field: Field, found: Match, edition: Edition) -> _Fit | None:
    """Look again at every predicted place, fit, and look once more."""
    board = np.array(list(edition.cells.values()), dtype=np.float64)
    cfg = MatchSettings()
    warp = Warp(Homography(found.homography, "board", "photo"), np.empty((0, 2)), np.empty((0, 2)), edition.radius)
    for _ in range(2):
        centres, axes = warp.apply(board), warp.axes(board)
        measured = measure(photo, candidates, centres, axes)
        seen = measured.trust > 0
        if seen.sum() < 8:
            return None
        places = centres + np.einsum("nij,nj->ni", axes, measured.offsets)
        matrix = fit_robust(board[seen], places[seen], measured.spread[seen] ** -2, rounds=3)
        if matrix is None:
            return None
        flat = Homography(matrix, "board", "photo")
        flat_axes = flat.jacobians(board) * edition.radius
        residuals = np.einsum("nij,nj->ni", np.linalg.inv(flat_axes), places - flat.apply(board))
        warp, alone_seen = bend(flat, board[seen], residuals[seen], measured.spread[seen], edition.radius)
    alone = np.full((len(board), 2), np.nan)
    alone[seen] = alone_seen
    final = judge(field, board, edition.radius, warp.flat.matrix, cfg)
    if final is None:
        return None
    axes = warp.axes(board)
    snapped = places - np.einsum("nij,nj->ni", axes, _mistrust(measured, alone))
    centres = np.where(seen[:, None], snapped, warp.apply(board))
    off = np.hypot(*np.nan_to_num(alone, nan=np.inf).T)
    extent = np.array([photo.bgr.shape[1], photo.bgr.shape[0]]) - 1.0
    inside = np.asarray(((centres > 0) & (centres < extent)).all(axis=1))
    return _Fit(edition, warp, centres, axes, measured, off, final.log_odds + _second_look(measured, off, inside))


def _second_look(measured: Measured, off: Array, inside: NDArray[np.bool_]) -> float:
    """Evidence of the discs looked for where the board should have them, natural log units."""
    sure, likely = (measured.trust == 2) & inside, (measured.trust == 1) & inside
    counts = {
        "fits": sure & (off < NEAR),
        "astray": sure & (off >= NEAR),
        "may fit": likely & (off < NEAR),
        "may be astray": likely & (off >= NEAR),
        "nothing": (measured.trust == 0) & inside,
    }
    return float(sum(counts[what].sum() * np.log(here / by_chance) for what, (here, by_chance) in SECOND_LOOK.items()))


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


def _placement(photo: Photo, candidates: Candidates, fit: _Fit) -> Placement:
    height, width = photo.bgr.shape[:2]
    cells: dict[str, CellPlace] = {}
    seen = (fit.measured.trust == 2) | ((fit.measured.trust == 1) & (fit.off < NEAR))
    for k, region in enumerate(fit.edition.cells):
        centre, axes = fit.centres[k], fit.axes[k]
        reach = np.abs(axes).sum(axis=1)
        inside = bool(np.all(centre >= reach) and np.all(centre <= np.array([width, height]) - 1 - reach))
        cells[region] = CellPlace((float(centre[0]), float(centre[1])), axes, bool(seen[k]), inside)
    scale = np.sqrt(np.abs(np.linalg.det(fit.axes)))
    error = float(np.median((fit.off * scale)[seen])) if seen.any() else 0.0
    return Placement(fit.edition, fit.warp.flat, cells, fit.log_odds, int(seen.sum()), error, len(candidates))
