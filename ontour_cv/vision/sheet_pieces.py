"""Photo -> candidate pieces of paper: areas that printed lines enclose.

Printed lines are darker than the paper on both sides, and coloured ones have less of some colour. So a small, neutral
copy of the picture is cut where it is darker (or more colourful) than its neighbourhood, and every connected area
between the cuts is a piece. Ink that crosses a cell splits it, and a pale line joins two: many pieces are wrong, and
:mod:`ontour_cv.vision.sheet_match` asks for the whole constellation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.vision.landmarks import WorkingCopy, paleness, whiteness

Array = NDArray[np.float64]
Image8 = NDArray[np.uint8]

CUTS = (("white", 13, 5), ("white", 31, 10), ("white", 61, 22), ("pale", 25, 7))
"""Pictures that are cut, sides of the windows they are compared with, and by how many levels a line differs."""

MORE_CUTS = (*CUTS, ("white", 21, 3), ("white", 31, 20), ("grey", 21, 4), ("pale", 41, 14), ("white", 91, 35))
"""The same for a second, thorough look."""

FAINT_CUTS = (
    ("white", 13, 2), ("white", 21, 3), ("red", 13, 2), ("red", 9, 1), ("red", 21, 3), ("soft", 9, 1), ("soft", 13, 2),
    ("white", 31, 10), ("white", 61, 22), ("pale", 25, 7),
)  # fmt: skip
"""The same for a third look: hairlines in the colour of the cell are hardly darker than it."""

LOOKS = (CUTS, MORE_CUTS, FAINT_CUTS)
"""Ever longer looks."""

AREAS = (2.5e-4, 0.05)
"""Smallest and largest piece, shares of the picture: a sheet over half a picture's width has cells of 0.0003."""

FEWEST_PX = 45.0
"""Pieces with fewer pixels have no shape."""

MOST = 420
"""Pieces kept at most; those found by most cuts first."""

BOXY = (0.55, 1.12)
"""Area of a piece over that of the parallelogram with its second moments; that of an ellipse is 1.05."""


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Enclosed areas of a photo, in photo pixels.

    Attributes:
        centres: ``(N, 2)`` centroids.
        moments: ``(N, 2, 2)`` covariances of the area.
        areas: ``(N,)``.
        size: width and height of the photo.
    """

    centres: Points
    moments: Array
    areas: Array
    size: tuple[int, int]

    def __len__(self) -> int:
        return len(self.areas)


def find_pieces(working: WorkingCopy, size: tuple[int, int], look: int = 0) -> Pieces:
    """The pieces in a working copy of a photo of ``size`` (width, height), by one of the ``LOOKS``."""
    found: list[tuple[float, ...]] = []
    planes: dict[str, Image8] = {}
    for name, window, levels in LOOKS[look]:
        if name not in planes:
            planes[name] = _plane(working.neutral, name)
        found.extend(_areas(_cut(planes[name], window, levels)))
    rows = _thin_out(np.array(found, dtype=np.float64).reshape(-1, 6))
    zoom = 1.0 / working.scale
    centres = (rows[:, 1:3] + 0.5) * zoom - 0.5
    xx, xy, yy = rows[:, 3:6].T * zoom * zoom
    return Pieces(centres, np.stack([xx, xy, xy, yy], axis=-1).reshape(-1, 2, 2), rows[:, 0] * zoom * zoom, size)


def outside(pieces: Pieces, taken: Sequence[Points]) -> Pieces:
    """The pieces whose centres lie in none of the areas round ``taken``, ``(N, 2)`` photo pixels each."""
    keep = np.ones(len(pieces), dtype=bool)
    for outline in taken:
        rim = cv2.convexHull(outline.astype(np.float32))
        inside = [cv2.pointPolygonTest(rim, (float(x), float(y)), False) >= 0 for x, y in pieces.centres]
        keep &= ~np.array(inside, dtype=bool)
    return Pieces(pieces.centres[keep], pieces.moments[keep], pieces.areas[keep], pieces.size)


def _plane(neutral: Image8, name: str) -> Image8:
    """What of the picture is cut; noise is smoothed away where the cuts are finest."""
    if name in ("white", "pale"):
        return {"white": whiteness, "pale": paleness}[name](neutral)
    if name == "red":
        return np.asarray(cv2.GaussianBlur(np.ascontiguousarray(neutral[..., 2]), (0, 0), 0.8), dtype=np.uint8)
    grey = cv2.cvtColor(neutral, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.0) if name == "soft" else grey, dtype=np.uint8)


def _cut(plane: Image8, window: int, levels: int) -> Image8:
    """255 where the picture is not darker than its neighbourhood by ``levels`` or more."""
    above = cv2.subtract(cv2.add(plane, np.full_like(plane, levels)), cv2.blur(plane, (window, window)))
    return np.asarray(cv2.threshold(above, 0, 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)


def _areas(binary: Image8) -> Iterator[tuple[float, ...]]:
    """Area, centroid and covariance of every connected light area, holes filled."""
    contours: Sequence[NDArray[np.int32]]
    contours, tree = cv2.findContours(binary, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)  # type: ignore[assignment]
    if not contours:
        return
    rows, cols = binary.shape
    least, most = max(FEWEST_PX, AREAS[0] * rows * cols), AREAS[1] * rows * cols
    for contour, links in zip(contours, tree[0], strict=True):
        if links[3] >= 0 or len(contour) < 20:
            continue
        x, y, w, h = cv2.boundingRect(contour)
        if w * h < least or x == 0 or y == 0 or x + w == cols or y + h == rows:
            continue
        m = cv2.moments(contour)
        area = m["m00"]
        if not least < area < most:
            continue
        xx, xy, yy = m["mu20"] / area, m["mu11"] / area, m["mu02"] / area
        root = np.sqrt(max(xx * yy - xy * xy, 1e-9))
        if BOXY[0] < area / (12.0 * root) < BOXY[1]:
            yield area, m["m10"] / area, m["m01"] / area, xx, xy, yy


def _thin_out(rows: Array) -> Array:
    """One row for each area, that of the middle size; areas that several cuts agree on first."""
    if not len(rows):
        return rows
    rows = rows[np.argsort(-rows[:, 0], kind="stable")[:2500]]
    size = np.sqrt(rows[:, 0]).astype(np.float32)
    x, y = rows[:, 1].astype(np.float32), rows[:, 2].astype(np.float32)
    near = np.square(x[:, None] - x) + np.square(y[:, None] - y) < np.square(np.float32(0.15) * size)[:, None]
    same = near & (np.abs(np.log(size[:, None] / size)) < 0.15)
    support = same.sum(axis=1)
    taken: list[int] = []
    gone = np.zeros(len(rows), dtype=bool)
    for i in np.argsort(-support, kind="stable"):
        if not gone[i]:
            taken.append(int(i))
            gone |= same[i]
            if len(taken) == MOST:
                break
    return rows[taken]
