"""Candidates + editions -> :class:`Placement`: which edition, where it lies, and the evidence for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.errors import BoardNotFound
from ontour_cv.geometry import Homography
from ontour_cv.maps.edition import Edition
from ontour_cv.vision.constellation import Match, MatchSettings, match
from ontour_cv.vision.field import make_field
from ontour_cv.vision.landmarks import Candidates
from ontour_cv.vision.photo import Photo


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


ACCEPT_LOG_ODDS = 5.0
"""Evidence from which a board is believed, after the price of all the ways a match could have been found by chance."""


def register(photo: Photo, candidates: Candidates, editions: Sequence[Edition]) -> Placement:
    """Where which board lies in the photo.

    Args:
        photo: the picture the candidates were found in.
        candidates: from :func:`ontour_cv.vision.landmarks.find_discs`.
        editions: every edition it may be, of one map or several.

    Raises:
        BoardNotFound: the candidates are not the constellation of any of the editions.
    """
    best: tuple[Match, Edition] | None = None
    if len(candidates) >= 4:
        size = (photo.bgr.shape[1], photo.bgr.shape[0])
        field = make_field(candidates.centres_photo, candidates.radii_px, candidates.shapes, size)
        for edition in editions:
            found = match(field, np.array(list(edition.cells.values())), edition.radius, MatchSettings())
            if found is not None and (best is None or found.log_odds > best[0].log_odds):
                best = found, edition
    if best is None or best[0].log_odds < ACCEPT_LOG_ODDS:
        raise BoardNotFound(
            f"{photo.name}: no known board in this picture.",
            "Take the photo from above with the whole board in it, sharp and without glare.",
        )
    return _placement(photo, candidates, *best)


def _placement(photo: Photo, candidates: Candidates, found: Match, edition: Edition) -> Placement:
    board = np.array(list(edition.cells.values()), dtype=np.float64)
    model = Homography(found.homography, "board", "photo")
    fitted, jacobians = model.apply(board), model.jacobians(board)
    height, width = photo.bgr.shape[:2]
    cells: dict[str, CellPlace] = {}
    errors = []
    for k, region in enumerate(edition.cells):
        seen = found.index[k] >= 0
        centre = candidates.centres_photo[found.index[k]] if seen else fitted[k]
        axes = jacobians[k] * edition.radius
        if seen:
            errors.append(float(np.hypot(*(centre - fitted[k]))))
        reach = np.abs(axes).sum(axis=1)
        inside = bool(np.all(centre >= reach) and np.all(centre <= np.array([width, height]) - 1 - reach))
        cells[region] = CellPlace((float(centre[0]), float(centre[1])), axes, bool(seen), inside)
    error = float(np.median(errors)) if errors else 0.0
    return Placement(edition, model, cells, found.log_odds, found.matched, error, len(candidates))
