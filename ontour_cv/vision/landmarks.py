"""Photo -> candidate printed discs.

A printed disc is paler than what surrounds it: less saturated (on coloured art), or brighter (white paper inside a
thin ring). So a working copy is cut at many levels of *paleness* and of *whiteness*, as in maximally stable extremal
regions (Matas 2002), and every connected piece whose convex hull is an ellipse is a candidate. Hulls, because digits,
rings and crosses in black ink eat holes and bays into a disc but seldom all of its rim.

Many false candidates are no harm: :mod:`ontour_cv.vision.register` asks for the whole constellation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.photo import Photo

Image8 = NDArray[np.uint8]

_MOST_ROWS = 1200
"""Outlines compared with each other at most: patterns of dots would otherwise take minutes."""


_STRIP = 32
"""Rows of a working copy that are averaged at a time."""


@dataclass(frozen=True, slots=True)
class DiscSettings:
    """Settings of :func:`find_discs`. Lengths in pixels of the working copy.

    Attributes:
        long_side: longer side of the working copy.
        min_radius: smaller blobs cannot be told from digits and dots.
        max_radius: a disc of a board that fills the picture has about 1/50 of its width; twice that is cut off.
        min_axis_ratio: flattest ellipse; a tilt of 55 degrees gives 0.57.
        max_lack: how much of the area of an ellipse with its second moments a hull may lack.
        max_candidates: the best are kept.
        pale_levels: levels the paleness is cut at.
        white_parts: the same for whiteness, as shares of its range in this picture.
        white_windows: sides of windows; what is whiter than its window's mean is cut out.
        pale_windows: the same for paleness.
    """

    long_side: int = 1280
    min_radius: float = 6.0
    max_radius: float = 52.0
    min_axis_ratio: float = 0.45
    max_lack: float = 0.028
    max_candidates: int = 160
    pale_levels: tuple[int, ...] = (232, 215, 193, 165, 136)
    white_parts: tuple[float, ...] = (0.25, 0.40, 0.55, 0.72)
    white_windows: tuple[int, ...] = ()
    pale_windows: tuple[int, ...] = (41,)


THOROUGH = DiscSettings(
    pale_levels=(241, 232, 221, 208, 193, 176, 157, 136, 112),
    white_parts=(0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85),
    white_windows=(31, 71),
    pale_windows=(41,),
)
"""Twice as many cuts, for pictures in which the usual ones show no board.

Of 21 cuts on 48 photos, leaving out seven cost no disc; leaving out eleven cost one in fifty.
"""


@dataclass(frozen=True, slots=True, eq=False)
class WorkingCopy:
    """A photo made small and neutral for looking for discs.

    Attributes:
        neutral: ``(h, w, 3)`` uint8, blue-green-red, white balanced.
        scale: its size relative to the photo, at most 1.
    """

    neutral: Image8
    scale: float


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Places in a photo that look like a printed disc, best first.

    Attributes:
        centres_photo: ``(N, 2)`` float64, photo pixels, x right and y down.
        radii_px: ``(N,)`` float64, geometric mean of the fitted ellipse's half axes, photo pixels.
        quality: ``(N,)`` float64, 0-1, how well it looks like an ellipse of its own.
        shapes: ``(N, 3)`` float64, second moments ``xx, xy, yy`` of the unit-area-normalised ellipse (determinant 1):
            a circle is ``1, 0, 1``.
        working: the picture they were found in, for looking again.
    """

    centres_photo: NDArray[np.float64]
    radii_px: NDArray[np.float64]
    quality: NDArray[np.float64]
    shapes: NDArray[np.float64]
    working: WorkingCopy

    def __len__(self) -> int:
        return len(self.radii_px)


def find_discs(photo: Photo, settings: DiscSettings | None = None) -> Candidates:
    """Candidates for printed discs in ``photo``, best first; possibly none."""
    cfg = settings or DiscSettings()
    return find_in(working_copy(photo, cfg.long_side), cfg)


def find_in(working: WorkingCopy, cfg: DiscSettings) -> Candidates:
    """The same in a working copy that is there already."""
    found: list[tuple[float, ...]] = []
    for binary in _cuts(paleness(working.neutral), whiteness(working.neutral), cfg):
        found.extend(_ellipses(binary, cfg))
    rows = np.array(found, dtype=np.float64).reshape(-1, 7)
    rows = _thin_out(rows, cfg.max_candidates)
    centres = (rows[:, 0:2] + 0.5) / working.scale - 0.5
    return Candidates(centres, rows[:, 2] / working.scale, rows[:, 3], rows[:, 4:7], working)


def working_copy(photo: Photo, long_side: int) -> WorkingCopy:
    """The photo about ``long_side`` pixels long, its white balanced.

    Whole factors are averaged, which is several times as fast as any other; a rest is interpolated.
    """
    bgr = photo.bgr
    full = max(bgr.shape[:2])
    factor = int(full / long_side + 0.15)
    if factor > 1:
        bgr = _averaged(bgr, factor)
    rest = long_side / max(bgr.shape[:2])
    if rest < 0.87:
        bgr = np.asarray(cv2.resize(bgr, None, fx=rest, fy=rest, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    return WorkingCopy(balanced(bgr), max(bgr.shape[:2]) / (full - full % factor if factor > 1 else full))


def _averaged(bgr: Image8, factor: int) -> Image8:
    """Each block of ``factor`` by ``factor`` pixels as one; what is left over at the right and below is cut off."""
    height, width = (v // factor for v in bgr.shape[:2])
    if factor in (2, 4):  # OpenCV's own are the fastest
        bgr = bgr[: height * factor, : width * factor]
        return np.asarray(cv2.resize(bgr, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    out = np.empty((height, width, 3), dtype=np.uint8)
    for top in range(0, height, _STRIP):  # a strip stays in the processor's cache
        strip = bgr[top * factor : (top + _STRIP) * factor, : width * factor]
        rows = min(_STRIP, height - top)
        means = cv2.blur(strip[: rows * factor], (factor, factor), anchor=(0, 0))
        out[top : top + rows] = cv2.resize(means, (width, rows), interpolation=cv2.INTER_NEAREST)
    return out


def balanced(bgr: Image8) -> Image8:
    """The picture with its brightest tones made neutral, so that a warm lamp does not colour white paper."""
    return np.asarray(cv2.LUT(bgr, balance_table(bgr)), dtype=np.uint8)


def balance_table(bgr: Image8) -> Image8:
    """The look-up table ``(1, 256, 3)`` that does so."""
    bright = np.percentile(bgr[::4, ::4].reshape(-1, 3), 96, axis=0)
    gain = np.clip(bright.max() / np.maximum(bright, 1.0), 1.0, 2.2) * min(2.5, 240.0 / max(float(bright.max()), 1.0))
    table = np.clip(np.arange(256)[:, None] * gain[None, :], 0, 255).astype(np.uint8)
    return np.asarray(table[None], dtype=np.uint8)


def paleness(neutral: Image8) -> Image8:
    """255 minus chroma (largest minus smallest channel) of a white-balanced picture; black ink is as pale as paper."""
    b, g, r = cv2.split(neutral)
    chroma = cv2.subtract(cv2.max(cv2.max(b, g), r), cv2.min(cv2.min(b, g), r))
    return np.asarray(cv2.blur(cv2.bitwise_not(chroma), (3, 3)), dtype=np.uint8)


def whiteness(neutral: Image8) -> Image8:
    """The smallest channel of a white-balanced picture: low in colours, ink and shadow, high on paper and discs."""
    b, g, r = cv2.split(neutral)
    return np.asarray(cv2.blur(cv2.min(cv2.min(b, g), r), (3, 3)), dtype=np.uint8)


def _cuts(pale: Image8, white: Image8, cfg: DiscSettings) -> Iterator[Image8]:
    """Binary pictures in which discs may stand alone: levels of paleness and whiteness, and local ones."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    for level in cfg.pale_levels:
        binary = cv2.threshold(pale, level, 255, cv2.THRESH_BINARY)[1]
        # Opening cuts the dotted links and the route, which are as pale as the discs they join.
        yield np.asarray(cv2.morphologyEx(binary, cv2.MORPH_OPEN, kernel), dtype=np.uint8)
    low, high = np.percentile(white[::4, ::4], (4, 99))
    for part in cfg.white_parts:
        yield np.asarray(cv2.threshold(white, low + part * (high - low), 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)
    windows = [(white, size) for size in cfg.white_windows] + [(pale, size) for size in cfg.pale_windows]
    for picture, size in windows:
        above = cv2.subtract(cv2.add(picture, np.full_like(picture, 4)), cv2.blur(picture, (size, size)))
        yield np.asarray(cv2.threshold(above, 0, 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)


def _ellipses(binary: Image8, cfg: DiscSettings) -> Iterator[tuple[float, ...]]:
    """Outlines of a binary picture, of light pieces and of dark ones, with an elliptic hull: see :func:`_ellipse`."""
    contours: Sequence[NDArray[np.int32]] = cv2.findContours(binary, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0]  # type: ignore[assignment]
    shortest, longest = 4.5 * cfg.min_radius, 25.0 * cfg.max_radius
    rows, cols = binary.shape
    for contour in contours:
        if not shortest < len(contour) < longest:
            continue
        x, y, w, h = cv2.boundingRect(contour)
        if x == 0 or y == 0 or x + w == cols or y + h == rows or max(w, h) > 2.4 * cfg.max_radius:
            continue
        row = _ellipse(contour, cfg)
        if row is not None:
            yield row


def _ellipse(contour: NDArray[np.int32], cfg: DiscSettings) -> tuple[float, ...] | None:
    """``x, y, radius, quality, xx, xy, yy`` of the ellipse that the contour's convex hull is, or None.

    An ellipse is the shape of largest area for its second moments, ``4 pi sqrt(det)``; a square reaches 0.955 of it.
    """
    hull = cv2.convexHull(contour)
    m = cv2.moments(hull)
    area = m["m00"]
    if area < 30:
        return None
    xx, xy, yy = m["mu20"] / area, m["mu11"] / area, m["mu02"] / area
    det = xx * yy - xy * xy
    if det <= 0:
        return None
    # Vertices are pixel centres: the true outline lies half a pixel further out.
    radius = 2.0 * det**0.25 + 0.5
    half, gap = (xx + yy) / 2, math.sqrt(max((xx - yy) ** 2 / 4 + xy * xy, 0.0))
    if not cfg.min_radius <= radius <= cfg.max_radius or half - gap < cfg.min_axis_ratio**2 * (half + gap):
        return None
    root = math.sqrt(det)
    lack = 1.0 - area / (4.0 * math.pi * root)
    if lack > cfg.max_lack or cv2.contourArea(contour) < 0.3 * area:
        return None
    quality = 1.0 - 0.8 * max(lack, 0.0) / cfg.max_lack
    return m["m10"] / area, m["m01"] / area, radius, quality, xx / root, xy / root, yy / root


def _thin_out(rows: NDArray[np.float64], keep: int) -> NDArray[np.float64]:
    """One row for each place: candidates of many levels support each other; the best of each group stays."""
    if not len(rows):
        return rows
    rows = rows[np.argsort(-rows[:, 3], kind="stable")[:_MOST_ROWS]]
    x, y, radius, size = (column.astype(np.float32) for column in (*rows[:, :3].T, np.log(rows[:, 2])))
    gap = np.sqrt(np.square(x[:, None] - x) + np.square(y[:, None] - y))
    same = (gap < np.float32(0.35) * radius) & (np.abs(size[:, None] - size) < np.float32(0.25))
    support = same.sum(axis=1)
    # Small blobs are mostly digits, dots and noise; a blob that stands at many levels is mostly print.
    score = rows[:, 3] * np.log1p(support) * np.minimum(1.0, rows[:, 2] / 12.0) ** 0.5
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
    out[:, 3] = score[taken] / max(float(score.max()), 1e-9)
    return out
