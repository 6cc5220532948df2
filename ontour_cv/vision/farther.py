"""Numbers larger than the discs, seen from farther away.

Who does not mind the printed rings writes right across them. The networks know numbers that fit, as nearly all do; of
larger ones they took every eighth for another. Seen from farther away the numbers are of the usual size again. On 100
boards by writers kept for validation, digits 1.15 to 2.2 disc radii high, 259 of 3,621 numbers are wrong then, by
themselves, and 1,762 in doubt, in place of 431 and 2,193; on 200 boards of other writers it is 319 in place of 320.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.cells import recut
from ontour_cv.vision.rewritten import Ink, where_written

TALL = 1.3
"""Height of what is written within the printed rings (``where_written``) from which a board is looked at from farther
away, disc radii."""

STEEP, FARTHEST = 1.6, 1.4
"""How much farther it is looked at from for each disc radius more, and the farthest: as far as ``AROUND`` reaches."""

SURER = 0.02
"""How much surer the networks have to be then, log-probability of a cell's mark on the average, to be heard alone.
Never heard alone they leave 277 numbers wrong of those, always 263 and a few more on other boards."""


def farther(around: NDArray[np.uint8], ink: Ink) -> NDArray[np.uint8] | None:
    """All cells of a board from farther away; None where what is written is of a usual size.

    Args:
        around: the cells as ``AROUND`` shows them, ``(N, AROUND.px, AROUND.px, 3)`` uint8 BGR.
        ink: of the same cells as ``CELL`` shows them.

    Returns:
        As ``CELL`` would show them if their discs were smaller, ``(N, CELL.px, CELL.px, 3)`` uint8.
    """
    _, height = where_written(ink)
    if height < TALL:
        return None
    away = min(1.0 + STEEP * (height - TALL + 0.1), FARTHEST)
    return np.stack([recut(image, (0.0, 0.0), away) for image in around])
