"""Photo -> candidate printed discs.

A printed disc is paler than what surrounds it: less saturated (on coloured art), or brighter (white paper inside a
thin ring). So a working copy is cut at many levels of *paleness* and of *whiteness*, as in maximally stable extremal
regions (Matas 2002), and every connected piece whose convex hull is an ellipse is a candidate. Hulls, because digits,
rings and crosses in black ink eat holes and bays into a disc but seldom all of its rim.

Many false candidates are no harm: :mod:`ontour_cv.vision.register` asks for the whole constellation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.photo import Photo

Image8 = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class DiscSettings:
    """Settings of :func:`find_discs`. Lengths in pixels of the working copy.

    Attributes:
        long_side: longer side of the working copy.
        min_radius: smaller blobs cannot be told from digits and dots.
        max_radius: a disc of a board that fills the picture has about 1/50 of its width; twice that is cut off.
        min_axis_ratio: flattest ellipse; a tilt of 55 degrees gives 0.57.
        max_misfit: largest rms deviation of the hull from its ellipse, in radii.
        max_candidates: the best are kept.
    """

    long_side: int = 1280
    min_radius: float = 6.0
    max_radius: float = 52.0
    min_axis_ratio: float = 0.45
    max_misfit: float = 0.085
    max_candidates: int = 160


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Places in a photo that look like a printed disc, best first.

    Attributes:
        centres_photo: ``(N, 2)`` float64, photo pixels, x right and y down.
        radii_px: ``(N,)`` float64, geometric mean of the fitted ellipse's half axes, photo pixels.
        quality: ``(N,)`` float64, 0-1, how well it looks like an ellipse of its own.
        shapes: ``(N, 3)`` float64, second moments ``xx, xy, yy`` of the unit-area-normalised ellipse (determinant 1):
            a circle is ``1, 0, 1``.
    """

    centres_photo: NDArray[np.float64]
    radii_px: NDArray[np.float64]
    quality: NDArray[np.float64]
    shapes: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.radii_px)


def find_discs(photo: Photo, settings: DiscSettings | None = None) -> Candidates:
    """Candidates for printed discs in ``photo``, best first; possibly none."""
    cfg = settings or DiscSettings()
    working, scale = working_copy(photo, cfg.long_side)
    pale, white = paleness(working), whiteness(working)
    found: list[tuple[float, ...]] = []
    for binary in _cuts(pale, white):
        found.extend(_ellipses(binary, cfg))
    rows = np.array(found, dtype=np.float64).reshape(-1, 7)
    rows = _thin_out(rows, cfg.max_candidates)
    centres = (rows[:, 0:2] + 0.5) / scale - 0.5
    return Candidates(centres, rows[:, 2] / scale, rows[:, 3], rows[:, 4:7])


def working_copy(photo: Photo, long_side: int) -> tuple[Image8, float]:
    """The photo at most ``long_side`` pixels long, blue-green-red, and its scale to the photo (at most 1)."""
    height, width = photo.bgr.shape[:2]
    scale = min(1.0, long_side / max(height, width))
    if scale == 1.0:
        return photo.bgr, 1.0
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(photo.bgr, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8), scale


def balanced(bgr: Image8) -> Image8:
    """The picture with its brightest tones made neutral, so that a warm lamp does not colour white paper."""
    sample = bgr[::4, ::4].reshape(-1, 3)
    bright = np.percentile(sample, 96, axis=0)
    gain = np.clip(bright.max() / np.maximum(bright, 1.0), 1.0, 2.2) * min(2.5, 240.0 / max(float(bright.max()), 1.0))
    table = np.clip(np.arange(256)[:, None] * gain[None, :], 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(bgr, table[None]), dtype=np.uint8)


def paleness(bgr: Image8) -> Image8:
    """255 minus chroma (largest minus smallest channel) after white balance; black ink is as pale as paper."""
    b, g, r = cv2.split(balanced(bgr))
    chroma = cv2.subtract(cv2.max(cv2.max(b, g), r), cv2.min(cv2.min(b, g), r))
    return np.asarray(cv2.blur(cv2.bitwise_not(chroma), (3, 3)), dtype=np.uint8)


def whiteness(bgr: Image8) -> Image8:
    """The smallest channel after white balance: low in colours, ink and shadow, high on pale discs and paper."""
    b, g, r = cv2.split(balanced(bgr))
    return np.asarray(cv2.blur(cv2.min(cv2.min(b, g), r), (3, 3)), dtype=np.uint8)


def _cuts(pale: Image8, white: Image8) -> Iterator[Image8]:
    """Binary pictures in which discs may stand alone: levels of paleness and whiteness, and local ones."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    for level in (241, 232, 221, 208, 193, 176, 157, 136, 112):
        binary = cv2.threshold(pale, level, 255, cv2.THRESH_BINARY)[1]
        # Opening cuts the dotted links and the route, which are as pale as the discs they join.
        yield np.asarray(cv2.morphologyEx(binary, cv2.MORPH_OPEN, kernel), dtype=np.uint8)
    low, high = np.percentile(white[::4, ::4], (4, 99))
    for part in np.linspace(0.15, 0.95, 9):
        yield np.asarray(cv2.threshold(white, low + part * (high - low), 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)
    for picture, size in ((white, 31), (white, 71), (pale, 41)):
        above = cv2.subtract(cv2.add(picture, np.full_like(picture, 4)), cv2.blur(picture, (size, size)))
        yield np.asarray(cv2.threshold(above, 0, 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)


def _ellipses(binary: Image8, cfg: DiscSettings) -> Iterator[tuple[float, ...]]:
    """Pieces of a binary picture with an elliptic hull: ``x, y, radius, quality, xx, xy, yy``."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(binary, connectivity=4, ltype=cv2.CV_32S)
    x, y, w, h, area = stats.T
    longer, shorter = np.maximum(w, h), np.minimum(w, h)
    good = (shorter >= 2 * cfg.min_radius * 0.8) & (longer <= 2 * cfg.max_radius)
    good &= (shorter >= cfg.min_axis_ratio * longer) & (area >= 0.3 * w * h)
    rows, cols = binary.shape
    good &= (x > 0) & (y > 0) & (x + w < cols) & (y + h < rows)
    good[0] = False
    for i in np.flatnonzero(good):
        mask = (labels[y[i] : y[i] + h[i], x[i] : x[i] + w[i]] == i).view(np.uint8)
        row = _hull_ellipse(mask, cfg)
        if row is not None:
            yield (row[0] + x[i], row[1] + y[i], *row[2:])


def _hull_ellipse(mask: Image8, cfg: DiscSettings) -> tuple[float, ...] | None:
    """Ellipse of the convex hull of a mask when the hull is one, else None."""
    first, last = mask.argmax(axis=1), mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
    rows = np.arange(len(mask))
    points = np.concatenate([np.column_stack([first, rows]), np.column_stack([last, rows])]).astype(np.int32)
    hull = cv2.convexHull(points)
    m = cv2.moments(hull)
    if m["m00"] < 30:
        return None
    cx, cy = m["m10"] / m["m00"], m["m01"] / m["m00"]
    # Vertices are pixel centres: the true outline lies half a pixel further out.
    xx, xy, yy = m["mu20"] / m["m00"], m["mu11"] / m["m00"], m["mu02"] / m["m00"]
    det = xx * yy - xy * xy
    if det <= 0:
        return None
    radius = 2.0 * det**0.25 + 0.5
    trace = xx + yy
    gap = float(np.sqrt(max(trace * trace / 4 - det, 0.0)))
    ratio = float(np.sqrt((trace / 2 - gap) / (trace / 2 + gap)))
    if not (cfg.min_radius <= radius <= cfg.max_radius) or ratio < cfg.min_axis_ratio:
        return None
    p = hull[:, 0, :].astype(np.float64) - (cx, cy)
    p = np.concatenate([p, (p + np.roll(p, 1, axis=0)) / 2])
    rho = np.sqrt((yy * p[:, 0] ** 2 - 2 * xy * p[:, 0] * p[:, 1] + xx * p[:, 1] ** 2) / det) / 2.0
    misfit = float(np.sqrt(np.mean((rho - 1.0) ** 2)))
    if misfit > cfg.max_misfit:
        return None
    norm = 1.0 / np.sqrt(det)
    return cx, cy, radius, 1.0 - misfit / cfg.max_misfit * 0.8, xx * norm, xy * norm, yy * norm


def _thin_out(rows: NDArray[np.float64], keep: int) -> NDArray[np.float64]:
    """One row for each place: candidates of many levels support each other; the best of each group stays."""
    if not len(rows):
        return rows
    gap = np.hypot(rows[:, None, 0] - rows[None, :, 0], rows[:, None, 1] - rows[None, :, 1])
    size = rows[:, None, 2] / rows[None, :, 2]
    same = (gap < 0.35 * rows[None, :, 2]) & (np.abs(np.log(size)) < 0.25)
    support = same.sum(axis=1)
    score = rows[:, 3] * np.minimum(1.0, 0.55 + 0.15 * support)
    order = np.argsort(-score, kind="stable")
    taken: list[int] = []
    gone = np.zeros(len(rows), dtype=bool)
    for i in order:
        if gone[i]:
            continue
        taken.append(int(i))
        gone |= gap[i] < 0.6 * rows[i, 2]
        if len(taken) == keep:
            break
    out = rows[taken].copy()
    out[:, 3] = score[taken]
    return out
