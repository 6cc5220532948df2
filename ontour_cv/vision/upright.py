"""Numbers that run uphill or downhill, turned level: who holds the board aslant writes all of them so.

The networks learnt from hands that lean but write level, and doubt what is turned by ten degrees or more. A line of
digits is lowest where it is level, however much the hand leans: so the turn is looked for that makes the board's
writing lowest, much as skew is found in scanned pages (Postl 1986). But who writes the second digit smaller, or below
the first, only seems to write downhill: so the board is looked at both ways, and the level look counts where it makes
the networks surer.

Photos by writers kept for validation, half on rendered and half on two real boards:

===============================  ======  ===========  =========  ============  =====
boards                           photos  marks wrong  (before)   in doubt      (before)
===============================  ======  ===========  =========  ============  =====
all numbers turned, up to 22        60           30      (51)          302      (407)
second digit 0.62 times as high     24           27      (24)          199      (205)
first digit half a radius up        24           19      (19)          185      (185)
level                               60           28      (28)          235      (235)
===============================  ======  ===========  =========  ============  =====
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.cells import CROP_PX, PX_PER_RADIUS
from ontour_cv.vision.pen import FROM_CENTRE
from ontour_cv.vision.rewritten import LEAST_INK, NEAR, OTHER, STROKE, Ink

TURNS = tuple(range(-28, 29, 4))
"""Turns tried, degrees, downhill above 0. Where the writing is lowest at the first or last it is not turned at all."""

LEAST_TURN, LOWER = 8, 0.015
"""Smaller turns are left alone, and those by which the writing becomes less than this lower, disc radii. Of the
level boards none became more than 0.013 lower, of 35 turned by 12 degrees or more all but seven did, by up to 0.14."""

SURER = 0.015
"""How much surer the networks have to be of level writing, log-probability of a cell's mark on the average."""

EDGE = 0.05
"""Share of the ink left out above and below when its height is measured."""


def turn_of(ink: Ink) -> int:
    """By how many degrees the board's writing is turned, downhill above 0; 0 where it is about level."""
    heights = heights_at(ink)
    best = int(heights.argmin())
    lower = heights[TURNS.index(0)] - heights[best]
    within = LEAST_TURN <= abs(TURNS[best]) < TURNS[-1]
    return TURNS[best] if within and lower >= LOWER else 0


def heights_at(ink: Ink) -> NDArray[np.float64]:
    """How high the board's writing is when turned back by each of ``TURNS``, disc radii, the mean over its cells."""
    near = _near()
    share = ink.share[:, near]
    black = np.where((share > STROKE) & (ink.rest[:, near] < OTHER), np.minimum(share, 1.0), 0.0)
    black = black[black.sum(axis=1) > LEAST_INK]
    if not len(black):
        return np.zeros(len(TURNS))
    heights = []
    for order, down in _downwards():
        above = np.cumsum(black[:, order], axis=1)
        above /= above[:, -1:]
        top, bottom = ((above < edge).sum(axis=1) for edge in (EDGE, 1 - EDGE))
        heights.append(float((down[bottom] - down[top]).mean()))
    return np.array(heights)


@lru_cache
def _near() -> NDArray[np.intp]:
    """The pixels of a crop whose ink is looked at."""
    return np.flatnonzero(FROM_CENTRE < NEAR)


@lru_cache
def _downwards() -> tuple[tuple[NDArray[np.intp], NDArray[np.float64]], ...]:
    """For each of ``TURNS`` these pixels from the highest to the lowest, and how far down each of them lies."""
    y, x = ((place - (CROP_PX - 1) / 2) / PX_PER_RADIUS for place in divmod(_near(), CROP_PX))
    downs = [y * np.cos(turn) - x * np.sin(turn) for turn in np.radians(TURNS)]
    return tuple((order, down[order]) for down in downs for order in [np.argsort(down)])


def turned(images: NDArray[np.uint8], turn: float) -> NDArray[np.uint8]:
    """The cells, ``(N, px, px, 3)`` uint8, turned back by so many degrees about their middles."""
    side = images.shape[1]
    matrix = cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), turn, 1.0)
    flags, border = cv2.INTER_LINEAR, cv2.BORDER_REPLICATE
    level = [cv2.warpAffine(image, matrix, (side, side), flags=flags, borderMode=border) for image in images]
    return np.asarray(np.stack(level), dtype=np.uint8)
