"""The board as if written with a full black pen, large enough and in the middle: as the networks know it best.

A dry-erase marker that runs dry skips, and leaves less in the middle of its track: strokes fall into pieces. A coloured
one is hardly darker than what is printed. But all that is written has the colour of the board's own pen in every place
(``vision.pen``), more or less of it; so what is missing can be put there, and its colour made black. Numbers that are
small or stand beside the middle are enlarged and moved there. Then the networks look at the board once more, and what
they see counts as much as what they saw, circles aside, if they are about as sure of it.

What is even, black, large and in the middle is left alone: to make even strokes more even takes print and noise for
ink, and to look twice at what is as it should be only brings doubts. On photos by writers kept for validation, all but
the last two sorts half on rendered and half on two real boards (before):

==================================  ======  ===========  =============  ============
boards                              photos  marks wrong  in doubt       exactly read
==================================  ======  ===========  =============  ============
streaky pens                           140    303 (411)  2,008 (2,373)       50 (35)
red and orange pens                    100      75 (74)      584 (731)       75 (75)
pale, fine and hardly streaky pens     120      56 (63)      495 (541)       91 (87)
small, fat or beside the middle         90     90 (103)      661 (714)       67 (60)
rendered by another kind of program     80      52 (59)      445 (532)       58 (56)
usual, ordinary and hard photos        149      84 (81)      574 (571)     115 (115)
==================================  ======  ===========  =============  ============
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.cells import CROP_PX, PX_PER_RADIUS
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

SMALL, ASIDE = 0.95, 0.12
"""Height of what is written below which, and distance from the disc's middle from which it is moved, disc radii, each
the median over the board. Moved on all boards, usual ones come out as before with a sixth more doubts."""

USUAL, LARGEST = 1.1, 2.0
"""Height that small writing is enlarged to, disc radii, and how many times at most. On 40 photos with numbers half and
0.7 times as high as usual by writers kept for validation 69 marks are wrong, 83 enlarged 1.3 times at most; on
16 with numbers as neat as print, half a radius high, 53 and 102."""

NEAR, LEAST_INK = 0.9, 10.0
"""Disc radii within which, and pixels of ink from which on, writing is looked for."""

STROKE = 0.3
"""Share of the pen from which a place tells where the writing is."""

MOST = 1.2
"""More of a pen's colour than so much is something darker than the pen."""

REACH = 1.4
"""Disc radii within which strokes are written anew; farther out lies the map's print."""

OTHER = 0.35
"""What else a colour differs by from the ground, as a share of the pen's, in a place that is ink."""

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Ink:
    """The cells of a board and where its pen has been.

    Attributes:
        images: ``(N, CROP_PX, CROP_PX, 3)`` uint8 BGR.
        ground: of each disc, ``(N, 3)`` float32, and
        pen: what the pen looks like on it, ``(N, 3)``, as ``pen.ground_and_pen`` has them.
        share: how much of the pen is in each place, ``(N, CROP_PX * CROP_PX)``, and
        rest: what else its colour differs by, as ``pen.shares`` has them.
    """

    images: NDArray[np.uint8]
    ground: Array
    pen: Array
    share: Array
    rest: Array

    @classmethod
    def of(cls, images: NDArray[np.uint8]) -> Ink:
        """What is written on all cells of a board."""
        flat = images.reshape(len(images), -1, 3).astype(np.float32)
        ground, pen = ground_and_pen(flat)
        return cls(images, ground, pen, *shares(flat, ground, pen))

    def of_cells(self, which: NDArray[np.bool_]) -> Ink:
        """The same of some of the cells, ``which (N,)``."""
        return Ink(self.images[which], self.ground[which], self.pen[which], self.share[which], self.rest[which])

    def painted(self, change: Array) -> NDArray[np.uint8]:
        """The cells with some colour added where ink is, ``(N, CROP_PX * CROP_PX, 3)``, as surely as it is ink."""
        pure = np.clip(1.5 - self.rest / (OTHER * np.maximum(self.share, 0.15)), 0.0, 1.0)
        sure = pure * ((self.share > 0) & (FROM_CENTRE < REACH))
        out = self.images.reshape(change.shape) + change * sure[:, :, None]
        return np.asarray(np.clip(out, 0, 255).reshape(self.images.shape), dtype=np.uint8)


def rewritten(ink: Ink) -> NDArray[np.uint8] | None:
    """All cells of a board as they would have been written best; None where they about are.

    The cells are ``(N, CROP_PX, CROP_PX, 3)`` uint8 BGR.
    """
    images = ink.images
    uneven, coloured = unevenness(ink) >= UNEVEN, colourful(ink) >= COLOURED
    middles, height = where_written(ink)
    moved = height < SMALL or float(np.median(np.hypot(*middles.T))) > ASIDE
    if not (uneven or coloured or moved):
        return None
    out = evened(ink) if uneven else images
    out = blackened(Ink.of(out) if uneven else ink) if coloured else out
    return centred(out, middles, height) if moved else out


def unevenness(ink: Ink) -> float:
    """Share of a board's ink that is only half there, 0-1: the median over its cells."""
    share = np.where((ink.rest < OTHER) & (FROM_CENTRE < WRITTEN), ink.share, 0.0)
    half = ((share > HALF[0]) & (share <= HALF[1])).sum(axis=1)
    full = ((share > HALF[1]) & (share <= FULL)).sum(axis=1)
    return float(np.median(half / np.maximum(half + full, 1)))


def colourful(ink: Ink) -> float:
    """Share of the light that the board's pen leaves in the colour (blue, green or red) it takes least of."""
    return float((ink.pen / np.maximum(ink.ground, 1.0)).mean(axis=0).max())


@lru_cache(maxsize=1)  # asked twice of each board: whether it is written small, and whether large
def where_written(ink: Ink) -> tuple[NDArray[np.float64], float]:
    """Where each cell's writing has its middle, ``(N, 2)`` disc radii right and down of the crop's, and how high it is.

    The height is the median over the board, disc radii, of what a twentieth of the ink lies above and another below.
    Cells without writing have their middle in the middle.
    """
    plain = (ink.share > STROKE) & (ink.rest < OTHER) & (FROM_CENTRE < NEAR)
    black = np.where(plain, np.minimum(ink.share, 1.0), 0.0).reshape(ink.images.shape[:3])
    whole = black.sum(axis=(1, 2))
    bare = whole <= LEAST_INK
    away = (np.arange(CROP_PX) - (CROP_PX - 1) / 2) / PX_PER_RADIUS
    sums = np.stack([black.sum(axis=1) @ away, black.sum(axis=2) @ away], axis=1)
    middles = np.where(bare[:, None], 0.0, sums / np.maximum(whole, 1.0)[:, None])
    if bare.all():
        return middles, USUAL
    above = np.cumsum(black[~bare].sum(axis=2), axis=1) / whole[~bare, None]
    rows = (above < 0.95).sum(axis=1) - (above < 0.05).sum(axis=1)
    return middles, float(np.median(rows)) / PX_PER_RADIUS


def evened(ink: Ink) -> NDArray[np.uint8]:
    """The cells with the board's pen laid on evenly wherever some of it is; no ink is taken away."""
    step = np.clip((ink.share - FAINT) / (PLAIN - FAINT), 0.0, 1.0)
    more = np.maximum(ink.share, step * step * (3.0 - 2.0 * step)) - ink.share
    return ink.painted(more[:, :, None] * (ink.pen - ink.ground)[:, None])


def blackened(ink: Ink) -> NDArray[np.uint8]:
    """The cells with a black pen wherever the board's pen is, and as much of it."""
    black = np.minimum(ink.share, MOST)[:, :, None] * ((BLACK - 1.0) * ink.ground)[:, None]
    return ink.painted(black - ink.share[:, :, None] * (ink.pen - ink.ground)[:, None])


def centred(images: NDArray[np.uint8], middles: NDArray[np.float64], height: float) -> NDArray[np.uint8]:
    """The cells with what is written in the middle, small writing enlarged; ``middles``, ``height``: where it was."""
    zoom = float(np.clip(USUAL / max(height, 1e-6), 1.0, LARGEST))
    half = (CROP_PX - 1) / 2
    out = np.empty_like(images)
    for image, middle, target in zip(images, middles * PX_PER_RADIUS, out, strict=True):
        shift = half - zoom * (half + middle)
        matrix = np.array([[zoom, 0.0, shift[0]], [0.0, zoom, shift[1]]])
        flags = cv2.INTER_CUBIC if zoom > 1.0 else cv2.INTER_LINEAR
        cv2.warpAffine(image, matrix, (CROP_PX, CROP_PX), target, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return out
