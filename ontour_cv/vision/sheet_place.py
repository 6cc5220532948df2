"""Photo + sheet -> :class:`SheetPlacement`: where the sheet lies, and the evidence for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.errors import MirrorImage, NotInPicture
from ontour_cv.geometry import Homography, Points
from ontour_cv.vision.landmarks import WorkingCopy, working_copy
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.sheet_lines import fit_lines
from ontour_cv.vision.sheet_match import GROWN, MORE_GROWN, match_sheet
from ontour_cv.vision.sheet_model import SheetModel
from ontour_cv.vision.sheet_pieces import LOOKS, find_pieces, outside
from ontour_cv.vision.sheet_profiles import line_plane
from ontour_cv.vision.sheet_warp import SheetWarp

LONG_SIDE = 1280
"""Longer side of the copy that is searched, pixels."""

ACCEPT_LOG_ODDS = 100.0
"""Evidence of pieces and lines together from which a sheet is believed.

The best of two hundred pictures without one (desks, sudokus, go boards, boards of other maps) had 71, a desk; of a
hundred rendered hard sheets one had less than this, the others 138 and more (``bench.sheets_refusal``, ``bench.auto``).
"""

SETTLED_LOG_ODDS, SETTLED_HITS = 120.0, 0.85
"""Evidence, and share of the lines in their place, from which no other place and no further piece needs a look; a sheet
with fewer lines in their place lies wrong in parts."""

SHAKY, SOUND, MANY = 0.6, 0.95, 6
"""A cell without its piece of paper is doubted when fewer of the lines near it are in their place than the first; when
so many are, the sheet is laid wrong in parts, and all with fewer than the second are doubted. Sheets laid well had up
to two such cells, one laid wrong in the east 14 (60 rendered photos in the hands of writers kept for choosing)."""

PROMISING = 0.0
"""Evidence of the pieces alone from which the lines of one more sheet are looked for, which takes longest."""

LEAST_LINES = -30.0
"""Lines that are not seen, thin or washed out, take no more than this from the evidence of the pieces of paper."""


@dataclass(frozen=True, slots=True, eq=False)
class SheetPlacement:
    """A sheet found in a photo.

    Attributes:
        model: the sheet.
        warp: where its places lie.
        log_odds: evidence against chance, natural log.
        matched: cells and boxes whose paper was found.
        hits: share of the printed lines found where they should be.
        support: ``(P,)`` the same of the lines round each cell and box; None for all.
        filled: ``(P,)`` cells and boxes whose piece of paper was found in its place; None for none.
    """

    model: SheetModel
    warp: SheetWarp
    log_odds: float
    matched: int
    hits: float
    support: NDArray[np.float64] | None = None
    filled: NDArray[np.bool_] | None = None


def locate_sheet(photo: Photo, model: SheetModel, working: WorkingCopy | None = None) -> SheetPlacement:
    """Where the sheet lies in the photo.

    Args:
        photo: the picture.
        model: the sheet.
        working: a neutral copy about ``LONG_SIDE`` pixels long, when there is one already.

    Raises:
        MirrorImage: the picture plainly shows the sheet in a mirror.
        NotInPicture: it shows no such sheet.
    """
    best = find_sheet(photo, model, working)
    if best is None or not accepted(best):
        if obvious(Photo(photo.name, np.ascontiguousarray(photo.bgr[:, ::-1])), model) is not None:
            raise MirrorImage(photo.name, "sheet")
        raise NotInPicture(
            f"{photo.name}: no sheet of this game in this picture.",
            "Take the photo from above with the whole sheet in it, sharp and evenly lit.",
        )
    return best


def find_sheet(
    photo: Photo,
    model: SheetModel,
    working: WorkingCopy | None = None,
    looks: int = len(LOOKS),
    taken: Sequence[Points] = (),
) -> SheetPlacement | None:
    """The likeliest place of the sheet, however unlikely; None for none at all.

    Arguments as above; ``looks`` is how often to look, ever longer, while nothing is certain, and what lies in one of
    the outlines ``taken``, ``(N, 2)`` photo pixels each, is of something else.
    """
    working = working or working_copy(photo, LONG_SIDE)
    best: SheetPlacement | None = None
    for look in range(looks):
        found = _search(photo, model, working, look, taken)
        if found is not None and (best is None or found.log_odds > best.log_odds):
            best = found
        if best is not None and settled(best):
            break
    return best


def obvious(photo: Photo, model: SheetModel) -> SheetPlacement | None:
    """The sheet that one look, half a second or so, leaves no doubt about; None where it leaves any.

    It lies where :func:`locate_sheet`, which begins with the same look, has it.
    """
    found = find_sheet(photo, model, looks=1)
    return found if found is not None and settled(found) else None


def settled(found: SheetPlacement) -> bool:
    """Whether the evidence leaves no doubt, so that no other place needs a look."""
    return found.log_odds >= SETTLED_LOG_ODDS and found.hits >= SETTLED_HITS


def accepted(found: SheetPlacement) -> bool:
    """Whether the evidence is enough to believe in the sheet."""
    return found.log_odds >= ACCEPT_LOG_ODDS


def shaky(found: SheetPlacement) -> NDArray[np.bool_]:
    """Cells and boxes ``(P,)`` that may lie elsewhere: their lines, or those of many others, were not found."""
    if found.support is None:
        return np.zeros(len(found.model.ids), dtype=bool)
    bare = np.ones(len(found.support), dtype=bool) if found.filled is None else ~found.filled
    lost = (found.support < SHAKY) & bare
    return np.asarray(found.support < SOUND) if lost[: found.model.cells].sum() >= MANY else lost


def _search(
    photo: Photo, model: SheetModel, working: WorkingCopy, look: int, taken: Sequence[Points]
) -> SheetPlacement | None:
    size = (photo.bgr.shape[1], photo.bgr.shape[0])
    pieces = outside(find_pieces(working, size, look), taken)
    best: SheetPlacement | None = None
    left, top, right, _ = model.extent
    for rough in match_sheet(pieces, model, MORE_GROWN if look else GROWN):
        if taken and rough.log_odds < PROMISING:
            continue
        ends = Homography(rough.homography, "sheet", "photo").apply(np.array([[left, top], [right, top]]))
        plane, scale = line_plane(photo, ends)
        fit = fit_lines(plane, scale, rough, pieces, model)
        evidence = rough.log_odds + max(fit.log_odds, LEAST_LINES)
        one = SheetPlacement(model, fit.warp, evidence, rough.matched, fit.hits, fit.support, fit.filled)
        if best is None or one.log_odds > best.log_odds:
            best = one
        if settled(best):
            break
    return best
