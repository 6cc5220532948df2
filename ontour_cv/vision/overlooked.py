"""Numbers as small and neat as print, taken for print.

On every board known an abbreviation is printed in each disc, and a number of its size and regular shape looks like one:
of a board full of those the networks see nothing, and are sure of it. Enlarged, they see the numbers. Letters they take
for numbers too when these are enlarged so far, but less surely. So where half of a board seems empty it is looked at
once more, enlarged; what is sure then is believed, what is half sure a doubt where hardly a number had been seen.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.rewritten import LARGEST, USUAL, Ink, centred, where_written

HOLLOW = 0.5
"""Share of empty cells from which a board is looked at again."""

FEW = 0.1
"""Share of numbers up to which what is half sure is a doubt: a board played in part has more after two turns."""

MOST_OF_THEM = 0.5
"""Share of the empty cells that have to show something then: who writes small does so everywhere."""

SURE, HALF_SURE = -0.25, -0.8
"""Mean log-probability of what is seen there then from which it is believed, or a doubt. On 320 boards of two maps with
nothing on them, hardly anything, or up to half of their marks, in as many letterings, it was -0.37 at most, and over
-0.8 on five of the 161 with next to nothing. On the published board of 2019 written on in five typefaces, numbers 0.4
to 0.55 disc radii high, it was -0.17 or more on 24 of 30, and -0.43 in the median on the line-art sheet, whose letters
are bolder."""

LARGE, SEVERAL = 0.6, 3
"""So many numbers seen at once, as high as this (``where_written``), show a hand that writes no small ones: numbers of
half a disc radius have 0.34, such of a whole one 0.73, usual ones 0.95 and more."""

Flags = NDArray[np.bool_]


def enlarged(images: NDArray[np.uint8], empty: Flags) -> NDArray[np.uint8] | None:
    """The cells enlarged as far as small writing ever is; None where that would show nothing new.

    Enlarged 1.6 or 2.5 times, letters are told from numbers less well.

    Args:
        images: all cells of the board, ``(N, CROP_PX, CROP_PX, 3)`` uint8 BGR.
        empty: ``(N,)`` which of them seem to be.
    """
    if empty.mean() < HOLLOW:
        return None
    return centred(images, np.zeros((len(images), 2)), USUAL / LARGEST)


def writes_large(ink: Ink, number: Flags) -> bool:
    """Whether the numbers seen at once are too large for a hand whose others could be taken for print.

    Args:
        ink: of the board.
        number: ``(N,)`` which cells seem to hold a number.
    """
    return int(number.sum()) >= SEVERAL and where_written(ink.of_cells(number))[1] >= LARGE


def overlooked(empty: Flags, number: Flags, then: Flags, sure: NDArray[np.float64]) -> tuple[Flags, float]:
    """Which cells may not be empty after all, ``(N,)``, and how far what they show enlarged is to be believed, 0-1.

    Args:
        empty: ``(N,)`` which seemed to be.
        number: ``(N,)`` which seemed to hold a number.
        then: ``(N,)`` which of all still do, enlarged.
        sure: ``(N,)`` probability of what they show then.
    """
    shown = empty & ~then
    if shown.sum() < max(MOST_OF_THEM * empty.sum(), 1):
        return shown, 0.0
    how = float(np.log(sure[shown]).mean())
    if how > SURE:
        return shown, 1.0
    return shown, 0.5 if how > HALF_SURE and number.mean() <= FEW else 0.0
