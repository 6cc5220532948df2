"""Other boards in the picture: a table has several, and whoever holds the phone must learn which one was read.

A neighbour's board is of the same print, most likely, so the discs that are left over beside the board are matched with
that board's own constellation, quickly, and only then with those of other prints: somebody may have printed a few more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.maps.edition import Edition
from ontour_cv.vision.constellation import LEAST_SHARE, Match, match
from ontour_cv.vision.designs import alike, mean_board, mean_radius
from ontour_cv.vision.field import make_field
from ontour_cv.vision.landmarks import Candidates
from ontour_cv.vision.register import QUICK, SETTLED_LOG_ODDS, Placement

MOST = 7
"""Boards looked for beside the first."""

LEAST_LEFT = 0.5
"""Share of a board's discs that must be left over outside of those found for another to be looked for."""

LIKE = 2.2
"""Discs of another board are at most so many times larger or smaller: it lies on the same table."""

MARGIN = 1.5
"""What lies so near to a board, disc radii, belongs to it."""

LEAST_INSIDE = 0.8
"""Share of another board's discs that must be in the picture: one cut off more is no board to be scored."""

ROOM = 0.5
"""A board beside another takes at least so much of its lesser side."""


@dataclass(frozen=True, slots=True, eq=False)
class OtherBoard:
    """A board beside the one that was read.

    Attributes:
        where: as seen from the board that was read: ``"left"``, ``"right"``, ``"above"``, ``"below"``.
        outline: ``(4, 2)`` photo pixels: corners of the box round its discs' centres, or a sheet's print, as it lies.
        log_odds: evidence against chance, natural log.
        what: ``"board"``, of discs, or ``"sheet"``.
    """

    where: str
    outline: Points
    log_odds: float
    what: str = "board"


def other_boards(
    size: tuple[int, int], candidates: Candidates, placement: Placement, editions: Sequence[Edition] = ()
) -> tuple[OtherBoard, ...]:
    """Boards beside the one that was found, the most evident first.

    Args:
        size: width and height of the photo, pixels.
        candidates: all discs seen in it.
        placement: the board that was found.
        editions: of other prints it may be.
    """
    centres = np.array([cell.centre_photo for cell in placement.cells.values()])
    radius = float(np.median([np.sqrt(abs(np.linalg.det(c.axes_photo))) for c in placement.cells.values()]))
    board = placement.board_to_photo.inverse().apply(centres)
    prints = [(board, placement.edition.radius)]
    others = (group for group in alike(editions) if placement.unmeasured or placement.edition not in group)
    prints += [(mean_board(group), mean_radius(group)) for group in others]
    taken = _hull(centres)
    like = np.abs(np.log(candidates.radii_px / radius)) < np.log(LIKE)
    rows = np.flatnonzero(like & _outside(candidates.centres_photo, taken, MARGIN * radius))
    found: list[OtherBoard] = []
    while prints and len(found) < MOST:
        board, disc = prints[0]
        one = _matched(candidates, rows, board, disc, size)
        if one is None:
            prints.pop(0)
            continue
        there = _through(one, board)
        rim = _hull(there)
        rows = rows[_outside(candidates.centres_photo[rows], rim, MARGIN * radius)]
        inside = np.mean(((there > 0) & (there < np.array(size))).all(axis=1))
        if inside >= LEAST_INSIDE and _outside(centres, rim, 0.0).all():
            outline = _through(one, _corners(board))
            found.append(OtherBoard(where_from(outline.mean(axis=0) - centres.mean(axis=0)), outline, one.log_odds))
    return tuple(found)


def room_beside(outline: Points, size: tuple[int, int]) -> bool:
    """Whether a photo of this width and height has room for another board on some side of an outline ``(N, 2)``."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    return bool(max(low.max(), (np.array(size) - high).max()) >= ROOM * (high - low).min())


def _matched(
    candidates: Candidates, rows: NDArray[np.intp], board: Points, radius: float, size: tuple[int, int]
) -> Match | None:
    """The board among some of the candidates, when it is there beyond doubt."""
    if len(rows) < LEAST_LEFT * len(board):
        return None
    field = make_field(candidates.centres_photo[rows], candidates.radii_px[rows], candidates.shapes[rows], size)
    found = match(field, board, radius, replace(QUICK, least_share=LEAST_SHARE))
    return found[0] if found and found[0].log_odds >= SETTLED_LOG_ODDS else None


def _corners(board: Points) -> Points:
    """Of the box round a board's discs, as it lies."""
    low, high = board.min(axis=0), board.max(axis=0)
    return np.array([low, (high[0], low[1]), high, (low[0], high[1])])


def where_from(away: NDArray[np.float64]) -> str:
    """On which side of a board another lies that is ``(2,)`` photo pixels away."""
    x, y = away
    if abs(x) >= abs(y):
        return "right" if x > 0 else "left"
    return "below" if y > 0 else "above"


def _through(found: Match, points: Points) -> Points:
    return np.asarray(cv2.perspectiveTransform(points[None].astype(np.float64), found.homography)[0])


def _hull(points: Points) -> NDArray[np.float32]:
    return np.asarray(cv2.convexHull(points.astype(np.float32)), dtype=np.float32)


def _outside(points: Points, rim: NDArray[np.float32], margin: float) -> NDArray[np.bool_]:
    """``(N,)`` which points lie farther outside of a hull than a margin, pixels."""
    away = [cv2.pointPolygonTest(rim, (float(x), float(y)), True) for x, y in points]
    return np.array(away, dtype=np.float64).reshape(-1) < -margin
