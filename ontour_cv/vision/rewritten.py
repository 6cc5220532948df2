"""The board as if it had been written with a full black pen: that is what the networks know best.

A dry-erase marker that runs dry skips, and leaves less in the middle of its track: strokes fall into pieces. A coloured
one is hardly darker than what is printed. But all that is written has the colour of the board's own pen in every place
(``vision.pen``), more or less of it; so what is missing can be put there, and its colour made black, and the networks
look at the board once more. What they see then counts as much as what they saw, if they are about as sure of it.

Even strokes are not made any more even, for that takes print and noise for ink, and a pen that is dark is not made any
darker. On photos of boards by writers kept for validation, half of them on two real boards: with streaky pens (140) 301
marks are read wrongly that had been 411, 1,996 are in doubt (2,373), 47 boards come out exactly (35); with red and
orange pens (100) the networks misread 135 numbers before pairs are settled (156), 613 marks are in doubt (731), one is silently wrong
(4), 76 boards come out exactly (75); with other pens (269) everything is as it was, to a mark.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.pen import FROM_CENTRE, WRITTEN, ground_and_pen, shares

UNEVEN = 0.5
"""Share of a board's ink that is only half there (``unevenness``) from which it is made even. Boards with a streaky pen
have 0.56 to 0.69, nineteen in twenty of others less than this. With 0.45 boards written with a fine pen are looked at,
too, and a few of their numbers lost."""

COLOURED = 0.5
"""Share of the light that a pen leaves in the colour it takes least of, from which it is made black; with less there is
no gain."""

BLACK = 0.12
"""Share of the light that a black pen leaves. 0.22 gains a fifth less."""

AS_SURE = -0.05
"""How much less sure the networks may be of what they see then, log-probability of a cell's mark on the average."""

HALF, FULL = (0.2, 0.7), 1.6
"""Shares of the pen's colour that count as ink half there; more, up to the last, is ink."""

FAINT, PLAIN = 0.05, 0.3
"""Share of the pen's colour that is noise, and the one from which a place counts as fully inked."""

MOST = 1.2
"""More of a pen's colour than so much is something darker than the pen."""

REACH = 1.4
"""Disc radii within which strokes are written anew; farther out lies the map's print."""

OTHER = 0.35
"""What else a colour differs by from the ground, as a share of the pen's, in a place that is ink."""

Array = NDArray[np.float32]


def rewritten(images: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
    """The cells as a full black pen would have written them; None where the board's pen was about that.

    Args:
        images: all cells of the board, ``(N, CROP_PX, CROP_PX, 3)`` uint8 BGR.
    """
    uneven, coloured = unevenness(images) >= UNEVEN, colourful(images) >= COLOURED
    if not uneven and not coloured:
        return None
    even = evened(images) if uneven else images
    return blackened(even) if coloured else even


def unevenness(images: NDArray[np.uint8]) -> float:
    """Share of a board's ink that is only half there, 0-1: the median over its cells; ``images`` as always here."""
    flat = _flat(images)
    share, rest = shares(flat[:, FROM_CENTRE < WRITTEN], *ground_and_pen(flat))
    ink = rest < OTHER
    half = (ink & (share > HALF[0]) & (share <= HALF[1])).sum(axis=1)
    full = (ink & (share > HALF[1]) & (share <= FULL)).sum(axis=1)
    return float(np.median(half / np.maximum(half + full, 1)))


def colourful(images: NDArray[np.uint8]) -> float:
    """Share of the light that the board's pen leaves in the colour (blue, green or red) it takes least of."""
    ground, pen = ground_and_pen(_flat(images))
    return float((pen / np.maximum(ground, 1.0)).mean(axis=0).max())


def evened(images: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The same cells with the board's pen laid on evenly wherever some of it is; no ink is taken away."""
    flat = _flat(images)
    ground, pen = ground_and_pen(flat)
    share, rest = shares(flat, ground, pen)
    step = np.clip((share - FAINT) / (PLAIN - FAINT), 0.0, 1.0)
    inked = np.maximum(share, step * step * (3.0 - 2.0 * step))
    more = (inked - share) * _written(share, rest)
    return _as_images(flat + more[:, :, None] * (pen - ground)[:, None], images)


def blackened(images: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The same cells with a black pen wherever the board's pen is, and as much of it."""
    flat = _flat(images)
    ground, pen = ground_and_pen(flat)
    share, rest = shares(flat, ground, pen)
    black = np.minimum(share, MOST)[:, :, None] * ((BLACK - 1.0) * ground)[:, None]
    change = black - share[:, :, None] * (pen - ground)[:, None]
    return _as_images(flat + change * _written(share, rest)[:, :, None], images)


def _written(share: Array, rest: Array) -> Array:
    """How surely each place is ink of the board's pen, ``(N, P)``, 0-1."""
    pure = np.clip(1.5 - rest / (OTHER * np.maximum(share, 0.15)), 0.0, 1.0)
    return np.asarray(pure * ((share > 0) & (FROM_CENTRE < REACH)), dtype=np.float32)


def _flat(images: NDArray[np.uint8]) -> Array:
    return images.reshape(len(images), -1, 3).astype(np.float32)


def _as_images(flat: Array, images: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(np.clip(flat, 0, 255).reshape(images.shape), dtype=np.uint8)
