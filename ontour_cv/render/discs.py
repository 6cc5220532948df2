"""Where the printed discs lie in a picture: ellipses, whatever the camera did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.render.frame import Frame
from ontour_cv.vision.register import Placement

_ROUND = 72


@dataclass(frozen=True, slots=True, eq=False)
class Disc:
    """One disc in the picture.

    Attributes:
        centre: ``(2,)`` float64, picture pixels.
        axes: ``(2, 2)`` float64, columns are one disc radius along board x and board y, picture pixels.
    """

    centre: NDArray[np.float64]
    axes: NDArray[np.float64]

    @property
    def radius_px(self) -> float:
        """Radius of the circle of equal area."""
        return float(np.sqrt(abs(np.linalg.det(self.axes))))

    def outline(self, radii: float = 1.0, start: float = 0.0, end: float = 1.0) -> NDArray[np.float64]:
        """Points ``(N, 2)`` on the ellipse of ``radii`` disc radii, from ``start`` to ``end`` turns, clockwise."""
        turn = 2 * np.pi * np.linspace(start, end, max(3, round(_ROUND * (end - start)) + 1))
        return np.asarray(self.centre + radii * np.column_stack([np.cos(turn), np.sin(turn)]) @ self.axes.T)

    def distance(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far points ``(N, 2)`` are from the centre, in disc radii, ``(N,)``."""
        return np.asarray(np.linalg.norm((points - self.centre) @ np.linalg.inv(self.axes).T, axis=1))


def find_discs(placement: Placement, frame: Frame) -> Mapping[str, Disc]:
    """Every disc of the placed board in the picture, region id -> disc."""
    places = placement.cells
    centres_photo = np.array([place.centre_photo for place in places.values()], dtype=np.float64)
    centres = frame.photo_to_picture.apply(centres_photo)
    linear = frame.photo_to_picture.matrix[:2, :2]
    return {
        region: Disc(centres[i], linear @ np.asarray(place.axes_photo, dtype=np.float64))
        for i, (region, place) in enumerate(places.items())
    }
