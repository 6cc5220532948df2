"""Plain boards for tests of the camera side: drawn here from positions, by none of the project's own painters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A flat board drawn at ``width`` pixels; ``disc`` and ``ring`` are BGR, ``art`` paints coloured fields.

    ``labels`` (region id -> text) are printed on the discs; ``marks`` writes numbers on them.
    """

    cells: Mapping[str, tuple[float, float]]
    radius: float = 0.02
    width: int = 1400
    disc: tuple[int, int, int] = (215, 235, 240)
    ring: tuple[int, int, int] = (40, 60, 190)
    art: bool = True
    marks: bool = True
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def height(self) -> int:
        return int(self.width * 0.64)

    def draw(self, seed: int = 0) -> Image:
        rng = np.random.default_rng(seed)
        picture = np.full((self.height, self.width, 3), 30 if self.art else 250, np.uint8)
        points = np.array(list(self.cells.values())) * self.width
        if self.art:
            for x, y in points:
                hue = int(x / self.width * 179)
                colour = cv2.cvtColor(np.array([[[hue, 210, 200]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
                cv2.circle(picture, (round(x), round(y)), round(0.052 * self.width), [int(v) for v in colour], -1)
        radius = self.radius * self.width
        for region, centre in zip(self.cells, points, strict=True):
            fixed = tuple(int(v) for v in np.rint(centre * 16))
            cv2.circle(picture, fixed, round(radius * 16), self.disc, -1, cv2.LINE_AA, 4)
            cv2.circle(picture, fixed, round(radius * 16), self.ring, max(2, round(0.13 * radius)), cv2.LINE_AA, 4)
            if region in self.labels:
                _write(picture, self.labels[region], centre, 0.75 * radius)
            if self.marks and rng.random() < 0.9:
                _write(picture, f"{rng.integers(1, 99):02d}", centre, radius)
        return np.asarray(picture)


def _write(picture: Image, text: str, centre: Array, radius: float) -> None:
    """Black text about as wide as a disc of ``radius`` pixels, its middle at ``centre``."""
    thick = max(2, round(0.15 * radius))
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, radius / 26.0, thick)
    corner = (round(centre[0] - width / 2), round(centre[1] + height / 2))
    cv2.putText(picture, text, corner, cv2.FONT_HERSHEY_SIMPLEX, radius / 26.0, (25, 25, 25), thick, cv2.LINE_AA)


def pose(sheet: Sheet, size: tuple[int, int], tilt: float, turn: float, roll: float, fill: float = 0.9) -> Array:
    """Homography, sheet pixels to photo pixels, of a camera tilted by ``tilt`` towards ``turn`` and rolled, degrees."""
    t, a, r = np.radians([tilt, turn, roll])

    def about_z(angle: float) -> Array:
        return np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])

    lean = np.array([[1, 0, 0], [0, np.cos(t), -np.sin(t)], [0, np.sin(t), np.cos(t)]])
    rotation = about_z(r - a) @ lean @ about_z(a)
    corners = np.array([[0, 0], [sheet.width, 0], [sheet.width, sheet.height], [0, sheet.height]], np.float64)
    flat = (corners - corners.mean(axis=0)) / sheet.width
    space = np.column_stack([flat, np.zeros(4)]) @ rotation.T + [0, 0, 1.3]
    seen = space[:, :2] / space[:, 2:]
    extent = seen.max(axis=0) - seen.min(axis=0)
    scale = fill * min(size[0] / extent[0], size[1] / extent[1])
    photo = (seen - (seen.max(axis=0) + seen.min(axis=0)) / 2) * scale + np.array(size) / 2
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), photo.astype(np.float32))
    return np.asarray(matrix, dtype=np.float64)


def shoot(
    sheet: Sheet, matrix: Array, size: tuple[int, int], seed: int = 0, table: int = 120
) -> tuple[Image, Array, Array]:
    """A photo of the sheet, the true disc centres in it ``(N, 2)``, and the true disc radii ``(N,)`` in pixels."""
    rng = np.random.default_rng(seed)
    flat = sheet.draw(seed)
    photo = cv2.warpPerspective(flat, matrix, size, flags=cv2.INTER_AREA, borderValue=(table, table, table))
    photo = cv2.GaussianBlur(photo, (0, 0), 0.8).astype(np.float32) + rng.normal(0, 4, (size[1], size[0], 1))
    board = np.array(list(sheet.cells.values())) * sheet.width
    centres = project(matrix, board)
    step = sheet.radius * sheet.width
    across, down = (project(matrix, board + np.array(side)) - centres for side in ((step, 0.0), (0.0, step)))
    radii = np.sqrt(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]))
    return np.clip(photo, 0, 255).astype(np.uint8), centres, radii


def project(matrix: Array, points: Array) -> Array:
    """Points through a homography."""
    moved = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(moved[:, :2] / moved[:, 2:])
