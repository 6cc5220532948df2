"""Candidates + editions -> :class:`Placement`: which edition, where it lies, and the evidence for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Homography
from ontour_cv.maps.edition import Edition


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
