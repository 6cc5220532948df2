"""Candidates + editions -> :class:`Placement`: which edition, where it lies, and the evidence for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ontour_cv.errors import BoardNotFound, MirrorImage, NotInPicture
from ontour_cv.geometry import Homography
from ontour_cv.maps.edition import Edition
from ontour_cv.vision.allot import agreement
from ontour_cv.vision.constellation import LEAST_SHARE, Match, MatchSettings, guess, match, polish
from ontour_cv.vision.designs import alike, mean_board, mean_radius
from ontour_cv.vision.evidence import (
    ACCEPT_LOG_ODDS,
    ROWS,
    VOUCHED_LOG_ODDS,
    a_grid,
    believed,
    may_be_vouched_for,
)
from ontour_cv.vision.field import Field, make_field
from ontour_cv.vision.ink_match import match_heaps
from ontour_cv.vision.landmarks import THOROUGH, Candidates, find_in
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.refine import PLAIN, Fit, refine
from ontour_cv.vision.regular import regularity
from ontour_cv.vision.strays import ELSEWHERE, SEVERAL
from ontour_cv.vision.symmetry import add_symmetric


@dataclass(frozen=True, slots=True, eq=False)
class CellPlace:
    """Where one cell lies in the photo.

    Attributes:
        centre_photo: ``(x, y)`` photo pixels, after residual warp and snapping to the disc.
        axes_photo: ``(2, 2)`` float64: columns are the photo vectors (pixels) of one disc radius along board x
            and board y. So ``centre + axes @ (u, v)`` is the photo point at ``(u, v)`` disc radii from the centre.
        seen: True when the disc itself was found there, False when only the fit places it.
        inside: False when too much of the cell lies outside of the picture for it to be read (``SEEN_RADII``), or where
            it lies is only guessed (``Fit.bent``).
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
        elsewhere: how many discs were seen away from where the edition has them (``strays.ELSEWHERE``).
        bent: whether the board is bent as a whole, so that where a disc was not found is not known (``Fit.bent``).
        agreement: log-odds that the discs lie as this map has them, and not anywhere (``allot.agreement``).
    """

    edition: Edition
    board_to_photo: Homography
    cells: Mapping[str, CellPlace]
    log_odds: float
    matched: int
    error_px: float
    candidates: int
    elsewhere: int = 0
    bent: bool = False
    agreement: float = np.inf

    @property
    def unmeasured(self) -> bool:
        """True when so many discs sit elsewhere that this must be an edition nobody measured."""
        return self.elsewhere >= SEVERAL


SEEN_RADII = 0.5
"""A cell is in the picture when so many disc radii round its centre are. Networks learn from discs cut off that far: of
39 such by writers kept for validation 34 were read rightly, none silently wrong; of 33 nearer to the edge 23.
"""

PURSUE_LOG_ODDS = -20.0
"""Evidence from which a match is worth looking at again."""

SETTLED_LOG_ODDS = PLAIN
"""Evidence from which no other match needs a look, and no more candidates."""


QUICK = MatchSettings(tried=8)
"""The first look: enough where most discs were found, and little time for the boards that are not there."""

THOROUGH_MATCH = MatchSettings()
"""The second look, when the first leaves doubt."""

WIDE_MATCH = MatchSettings(tried=200, tolerance=1.4, least_share=LEAST_SHARE)
"""The second look at candidates of a thorough search. With 60 hypotheses and a tolerance of 1 two of 59 hard photos of
line-art sheets were refused: two thirds of the discs were seen, among three times as many others.
"""

WIDE_LOG_ODDS = 8.0
"""Evidence from which such a match is believed: what is tried more often fits by chance more often. Of 44 pictures
without a board the maps that ``ROWS`` spares had less than 0; the least of seven hard photos found so had 16.
"""

INK_LEAD = 30.0
"""By how much the evidence of a board laid through what is written has to be the greater, so that the discs that are
seen are not followed: 24 at most where these lay it better, of 20 photos with hardly any; 53 on the one where not."""


_Guesses = dict[int, list[tuple[NDArray[np.float64], NDArray[np.float64]]]]
"""Hypotheses of each group, by its place."""


def register(
    photo: Photo,
    candidates: Candidates,
    editions: Sequence[Edition],
    thorough: bool = True,
    instead: Callable[[], bool] | None = None,
    vouch: Callable[[Placement], bool] | None = None,
) -> Placement:
    """Where which board lies in the photo.

    Args:
        photo: the picture the candidates were found in.
        candidates: from :func:`ontour_cv.vision.landmarks.find_discs`.
        editions: every edition it may be, of one map or several.
        thorough: False to be content with these candidates: several times as fast where no board is.
        instead: asked before the search goes on to more candidates, which takes seconds: whether the picture plainly
            shows something else.
        vouch: asked where the discs alone do not show that this is a board: whether it reads as one (``written``).

    Raises:
        BoardNotFound: the candidates are not the constellation of any of the editions.
    """
    best: tuple[Candidates, Fit] | None = None
    for some in _harder_and_harder(candidates) if thorough else (candidates,):
        fit = _best_fit(photo, some, editions, share=not thorough, wide=some is not candidates)
        if fit is not None and (best is None or fit.log_odds > best[1].log_odds):
            best = some, fit
        if best is not None and best[1].log_odds >= SETTLED_LOG_ODDS:
            break
        if some is candidates and _mirrored(photo, candidates, editions) >= SETTLED_LOG_ODDS:
            raise MirrorImage(photo.name, "board")
        if some is candidates and instead is not None and instead():
            raise BoardNotFound(f"{photo.name}: this is something else than a board.", "Name what it is with --map.")
    least = ACCEPT_LOG_ODDS if best is None or best[0] is candidates else WIDE_LOG_ODDS
    if best is not None and believed(best[1], photo, least) and not a_grid(*best):
        return _placement(photo, *best)
    if not thorough:
        raise BoardNotFound(f"{photo.name}: no board seen at a glance.", "Search thoroughly.")
    written = _by_ink(photo, candidates, editions)
    if written is not None:
        return _placement(photo, *written)
    vouched = _vouched(photo, *best, vouch) if best is not None and vouch is not None else None
    if vouched is None:
        raise _not_found(photo, candidates, editions)
    return vouched


def _vouched(photo: Photo, candidates: Candidates, fit: Fit, vouch: Callable[[Placement], bool]) -> Placement | None:
    """The board that what is written vouches for, its discs followed as where they speak for themselves; or None."""
    if not may_be_vouched_for(candidates, fit):
        return None
    again = refine(photo, candidates, _field(photo, candidates), fit.flat.matrix, fit.edition, VOUCHED_LOG_ODDS)
    found = None if again is None else _placement(photo, candidates, again)
    return found if found is not None and vouch(found) else None


def _by_ink(photo: Photo, candidates: Candidates, editions: Sequence[Edition]) -> tuple[Candidates, Fit] | None:
    """The board by what is written in its discs, the discs then looked for where they must be; None for none."""
    groups = [group for group in alike(editions) if regularity(mean_board(group)) <= ROWS]
    found = match_heaps(candidates, groups, (photo.bgr.shape[1], photo.bgr.shape[0]))
    if found is None:
        return None
    edition, rough = _likeliest(found.field, found.match, found.group), found.match.homography
    lots = [some for some in (candidates, found.heaps) if len(some)]
    fits = [(refine(photo, some, found.field, rough, edition), some) for some in lots]
    laid = [(fit.log_odds + INK_LEAD * (some is candidates), fit, some) for fit, some in fits if fit is not None]
    for _, fit, some in sorted(laid, key=lambda way: -way[0]):
        if believed(fit, photo):
            return some, fit
    return None


def _harder_and_harder(candidates: Candidates) -> Iterator[Candidates]:
    """The candidates there are, then those of a thorough search, then with those found by symmetry."""
    yield candidates
    thorough = find_in(candidates.working, THOROUGH)
    yield thorough
    yield add_symmetric(thorough)


def _best_fit(
    photo: Photo, candidates: Candidates, editions: Sequence[Edition], share: bool = False, wide: bool = False
) -> Fit | None:
    """The likeliest board, however unlikely; None for none at all. With ``share`` every group is tried less."""
    best: Fit | None = None
    if len(candidates) < 4:
        return None
    field = _field(photo, candidates)
    groups = alike(editions)
    cfg = WIDE_MATCH if wide else THOROUGH_MATCH
    cfg = replace(cfg, tried=cfg.tried // (len(groups) if share else 1))
    guesses: _Guesses = {}
    found = _search(field, groups, replace(QUICK, least_share=cfg.least_share), cfg, guesses)
    if not found or found[0][0].log_odds < SETTLED_LOG_ODDS:
        found = _search(field, groups, cfg, cfg, guesses)
    for one, group in found:
        if one.log_odds < PURSUE_LOG_ODDS or (best is not None and best.log_odds > SETTLED_LOG_ODDS):
            break
        fit = refine(photo, candidates, field, one.homography, _likeliest(field, one, group))
        if fit is not None and (best is None or fit.log_odds > best.log_odds):
            best = fit
    return best


def _field(photo: Photo, candidates: Candidates) -> Field:
    size = (photo.bgr.shape[1], photo.bgr.shape[0])
    return make_field(candidates.centres_photo, candidates.radii_px, candidates.shapes, size)


def _search(
    field: Field, groups: Sequence[Sequence[Edition]], cfg: MatchSettings, most: MatchSettings, guesses: _Guesses
) -> list[tuple[Match, Sequence[Edition]]]:
    """Matches of all groups, best first; groups after one that leaves no doubt are not tried.

    ``guesses`` keeps each group's hypotheses, made with the settings ``most`` of the last look.
    """
    found: list[tuple[Match, Sequence[Edition]]] = []
    for k, group in enumerate(groups):
        board, radius = mean_board(group), mean_radius(group)
        if k not in guesses:
            guesses[k] = guess(field, board, radius, most)
        matches = match(field, board, radius, cfg, guesses[k])
        found += [(one, group) for one in matches]
        if matches and matches[0].log_odds > cfg.enough:
            break
    return sorted(found, key=lambda one: -one[0].log_odds)


def _not_found(photo: Photo, candidates: Candidates, editions: Sequence[Edition]) -> BoardNotFound:
    """The refusal; a mirrored board is told apart."""
    if _mirrored(photo, candidates, editions) > ACCEPT_LOG_ODDS:
        return MirrorImage(photo.name, "board")
    return NotInPicture(
        f"{photo.name}: no known board in this picture.",
        "Take the photo from above with the whole board in it, sharp and without glare. Boards known: ontour-cv maps.",
    )


def _mirrored(photo: Photo, candidates: Candidates, editions: Sequence[Edition]) -> float:
    """Evidence for a board in a mirror, as some phones' front cameras show it, natural log units."""
    if len(candidates) < 4:
        return -np.inf
    width, height = photo.bgr.shape[1], photo.bgr.shape[0]
    flipped = np.array([width - 1.0, 0.0]) + candidates.centres_photo * [-1.0, 1.0]
    field = make_field(flipped, candidates.radii_px, candidates.shapes * [1.0, -1.0, 1.0], (width, height))
    found = (match(field, mean_board(group), mean_radius(group), QUICK) for group in alike(editions))
    return max((matches[0].log_odds for matches in found if matches), default=-np.inf)


def _likeliest(field: Field, found: Match, group: Sequence[Edition]) -> Edition:
    """The edition whose discs the match explains best, each fitted on its own."""
    scores = []
    for edition in group:
        board = np.array([edition.cells[region] for region in group[0].cells], dtype=np.float64)
        fitted = polish(field, board, edition.radius, found, MatchSettings())
        scores.append(-np.inf if fitted is None else fitted.log_odds)
    return group[int(np.argmax(scores))]


def _placement(photo: Photo, candidates: Candidates, fit: Fit) -> Placement:
    height, width = photo.bgr.shape[:2]
    cells: dict[str, CellPlace] = {}
    seen = fit.seen
    for k, region in enumerate(fit.edition.cells):
        centre, axes = fit.centres[k], fit.axes[k]
        reach = SEEN_RADII * np.hypot(axes[:, 0], axes[:, 1])  # how far an ellipse goes in x and in y
        inside = bool(np.all(centre >= reach) and np.all(centre <= np.array([width, height]) - 1 - reach))
        known = bool(seen[k]) or not fit.bent
        cells[region] = CellPlace((float(centre[0]), float(centre[1])), axes, bool(seen[k]), inside and known)
    scale = np.sqrt(np.abs(np.linalg.det(fit.axes)))
    error = float(np.median((fit.off * scale)[seen])) if seen.any() else 0.0
    elsewhere = int((seen & (fit.off > ELSEWHERE)).sum())
    matched, found = int(seen.sum()), len(candidates)
    within = np.array([place.inside for place in cells.values()])
    agreed = agreement(fit.off[within], seen[within])
    return Placement(fit.edition, fit.flat, cells, fit.log_odds, matched, error, found, elsewhere, fit.bent, agreed)
