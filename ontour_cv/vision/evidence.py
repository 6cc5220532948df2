"""How much evidence makes a board of a fit: more where more fits by chance, less where what is written vouches."""

from __future__ import annotations

import numpy as np

from ontour_cv.vision.landmarks import Candidates
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.refine import SCATTERED, Fit
from ontour_cv.vision.regular import regularity

ACCEPT_LOG_ODDS = 0.0
"""Evidence from which a board is believed, after the price of all the ways a match could have been found by chance.

The best of 204 pictures without a board (desks, newspapers, go boards, coins, dots) had -14, the worst of 80 real blank
boards with ink, blurred, dark and tilted, +9.
"""

CUT_OFF, CUT_SEEN, CUT_LOG_ODDS = 0.25, 0.7, 25.0
"""A board more of which than this share lies outside the picture has to show more of its discs inside than that share,
or more evidence. The two of 359 photos of boards cut off that were laid in a wrong place showed 52 and 67 % of the
discs and had 7 and 13; of 20 laid rightly with less than 25, all but one showed 70 % and more (``bench.auto``).
"""

ROWS, ROWS_LOG_ODDS = 0.1, 35.0
"""An edition more of whose discs than this share stand in rows and columns has to show so much evidence.

New York's do (0.35; all others 0.03 at most), so pictures of grids of discs gave it up to 47, those with more than 35
all full of rows (``GRID``). Of its own photos, 64 hard ones, all had 39 and more.
"""

GRID, GRID_LOG_ODDS = SCATTERED, 60.0
"""And so much where more of the picture's candidates than this share do; on 24 hard photos of New York 0.13 at most."""

VOUCHED_LOG_ODDS = -30.0
"""Evidence from which a board is believed that reads as one (``written``). On 260 hard photos of published boards read
as a map drawn anew, by writers kept for validation, those laid rightly though refused had -27 and more."""


def believed(fit: Fit, photo: Photo, least: float = ACCEPT_LOG_ODDS) -> bool:
    """Whether the evidence is enough; a board cut off has to show that it is one."""
    height, width = photo.bgr.shape[:2]
    inside = np.asarray(((fit.centres > 0) & (fit.centres < [width - 1, height - 1])).all(axis=1))
    if fit.log_odds < CUT_LOG_ODDS and inside.mean() < 1.0 - CUT_OFF and inside.any():
        return fit.log_odds >= least and bool(fit.outlined[inside].mean() >= CUT_SEEN)
    return fit.log_odds >= least


def a_grid(candidates: Candidates, fit: Fit) -> bool:
    """Whether this is rather a regular grid of discs, in which a board's can be found that nearly stand in rows."""
    if fit.log_odds >= GRID_LOG_ODDS or regularity(np.array(list(fit.edition.cells.values()))) <= ROWS:
        return False
    return fit.log_odds < ROWS_LOG_ODDS or regularity(candidates.centres_photo) > GRID


def may_be_vouched_for(candidates: Candidates, fit: Fit) -> bool:
    """Whether what is written may speak for this board: in a table of numbers it would speak for any."""
    board = np.array(list(fit.edition.cells.values()))
    return (
        fit.log_odds >= VOUCHED_LOG_ODDS
        and regularity(board) <= ROWS
        and regularity(candidates.centres_photo) <= SCATTERED
    )
