"""A pen that runs dry leaves streaks: is this board written with one, and what would its strokes be, evenly inked?

A dry-erase marker on gloss skips and leaves less in the middle of its track, so a stroke falls into pieces. What is
written has the colour of the board's pen in every place, only less of it; so the missing rest can be put there, and
the networks look at the board once more. Where strokes are even anyway that takes print and noise for ink and is no
gain: it is done on boards only whose ink is mostly half there, and what it shows is heard if the networks are about as
sure of it as they were.

On 140 photos of boards written with a streaky pen, black or blue, by writers kept for validation, half of them on two
real boards, 315 marks of 5,740 are read wrongly (411 at one look), 2,010 are in doubt (2,373), and 47 boards come out
exactly (35). Of 149 photos with usual pens four are looked at again, 220 with coloured, fine, pale or hardly streaky
pens come out as they did, and so do 80 rendered by a program of another kind but for one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.pen import FROM_CENTRE, WRITTEN, ground_and_pen, shares

UNEVEN = 0.5
"""Share of a board's ink that is only half there (``unevenness``) from which it is looked at again. Boards with a
streaky pen have 0.56 to 0.69, nineteen in twenty of others less than this. With 0.45 boards written with a fine pen are
looked at, too, and a few of their numbers lost."""

AS_SURE = -0.05
"""How much less sure the networks may be of what they see then, log-probability of a cell's mark on the average."""

HALF, FULL = (0.2, 0.7), 1.6
"""Shares of the pen's colour that count as ink half there; more, up to the last, is ink."""

FAINT, PLAIN = 0.05, 0.3
"""Share of the pen's colour that is noise, and the one from which a place counts as fully inked."""

REACH = 1.4
"""Disc radii within which strokes are made even; farther out lies the map's print."""

OTHER = 0.35
"""What else a colour differs by from the ground, as a share of the pen's, in a place that is ink."""


def unevenness(images: NDArray[np.uint8]) -> float:
    """Share of a board's ink that is only half there, 0-1: the median over its cells.

    Args:
        images: all cells of the board, ``(N, CROP_PX, CROP_PX, 3)`` uint8 BGR.
    """
    flat = images.reshape(len(images), -1, 3).astype(np.float32)
    share, rest = shares(flat[:, FROM_CENTRE < WRITTEN], *ground_and_pen(flat))
    ink = rest < OTHER
    half = (ink & (share > HALF[0]) & (share <= HALF[1])).sum(axis=1)
    full = (ink & (share > HALF[1]) & (share <= FULL)).sum(axis=1)
    return float(np.median(half / np.maximum(half + full, 1)))


def evened(images: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The same cells with the board's pen laid on evenly wherever some of it is; no ink is taken away.

    Args:
        images: all cells of the board, ``(N, CROP_PX, CROP_PX, 3)`` uint8 BGR.
    """
    flat = images.reshape(len(images), -1, 3).astype(np.float32)
    ground, pen = ground_and_pen(flat)
    share, rest = shares(flat, ground, pen)
    step = np.clip((share - FAINT) / (PLAIN - FAINT), 0.0, 1.0)
    inked = np.maximum(share, step * step * (3.0 - 2.0 * step))
    pure = np.clip(1.5 - rest / (OTHER * np.maximum(share, 0.15)), 0.0, 1.0)
    more = (inked - share) * pure * (FROM_CENTRE < REACH)
    out = np.clip(flat + more[:, :, None] * (pen - ground)[:, None], 0, 255)
    return np.asarray(out.reshape(images.shape), dtype=np.uint8)
