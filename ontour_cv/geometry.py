"""Plane geometry shared by the camera side: homographies between named frames.

Pixel rule, stated once: the centre of the top left pixel is ``(0.0, 0.0)``, as in ``cv2.warpPerspective`` and
``cv2.remap``; so scaling an image by ``s`` maps a point ``p`` to ``s * (p + 0.5) - 0.5``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""Points, shape ``(N, 2)``, float64, columns ``(x, y)``."""


@dataclass(frozen=True, slots=True, eq=False)
class Homography:
    """A projective map between two named frames.

    Attributes:
        matrix: ``(3, 3)`` float64, acting on column vectors ``(x, y, 1)``.
        source: name of the frame points come from, for example ``"board"``.
        target: name of the frame points go to, for example ``"photo"``.
    """

    matrix: NDArray[np.float64]
    source: str
    target: str

    def apply(self, points: Points) -> Points:
        """Points of the target frame, ``(N, 2)``, for points ``(N, 2)`` of the source frame."""
        homogeneous = points @ self.matrix[:, :2].T + self.matrix[:, 2]
        return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:3], dtype=np.float64)

    def inverse(self) -> Homography:
        """The map back, target to source; ``np.linalg.LinAlgError`` when the matrix is singular."""
        matrix = np.linalg.inv(self.matrix)
        return Homography(matrix / matrix[2, 2], self.target, self.source)

    def then(self, after: Homography) -> Homography:
        """This map followed by ``after``; ``ValueError`` when the frames do not meet."""
        if self.target != after.source:
            raise ValueError(f"cannot chain {self.source}->{self.target} with {after.source}->{after.target}")
        return Homography(after.matrix @ self.matrix, self.source, after.target)

    def jacobians(self, points: Points) -> NDArray[np.float64]:
        """Local linear map at each point, ``(N, 2, 2)``: how a small step in the source moves the target."""
        h = self.matrix
        xyw = points @ h[:, :2].T + h[:, 2]
        w = xyw[:, 2, None, None]
        at = xyw[:, :2, None] / w
        return np.asarray((h[:2, :2] - at * h[2, :2]) / w, dtype=np.float64)


def radii(steps: Points, axes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lengths of photo vectors ``(N, 2)`` in disc radii."""
    return np.asarray(np.hypot(*np.linalg.solve(axes, steps.T)))
