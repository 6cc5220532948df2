"""A slower search for discs whose outline stands at no level: glare, thick ink, blur.

Every place is asked how much of a circle round it is an edge that faces it or turns its back on it (fast radial
symmetry, Loy & Zelinsky 2003). Used only when the outlines of :mod:`ontour_cv.vision.landmarks` form no known board.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.landmarks import Candidates, WorkingCopy, paleness, whiteness

Spectrum = NDArray[np.complexfloating]

LONG_SIDE = 640
"""Longer side of the picture searched: discs are 4 to 25 pixels in radius there."""

RADII = tuple(4.2 * 1.21**k for k in range(10))
"""Circle radii tried, pixels."""

LEAST = 0.7
"""Least share of a circle that faces its centre, times the root of its radius."""

MOST = 110
"""Places kept, and candidates kept of those there were: too many would hide a board among chance matches."""


def add_symmetric(candidates: Candidates) -> Candidates:
    """The best candidates, then the places found by symmetry; those have no ellipse: their shape is NaN."""
    working = candidates.working
    scale = min(1.0, LONG_SIDE / max(working.neutral.shape[:2]))
    rows = _peaks(_shrunk(working, scale))
    total = working.scale * scale
    centres = (rows[:, 0:2] + 0.5) / total - 0.5
    radii = rows[:, 2] / total
    old = slice(0, MOST)
    if len(candidates):
        gap = np.hypot(*(centres[:, None] - candidates.centres_photo[None, old]).transpose(2, 0, 1))
        alike = np.abs(np.log(radii[:, None] / candidates.radii_px[None, old])) < 0.3
        fresh = ~((gap < 0.3 * radii[:, None]) & alike).any(axis=1)
        centres, radii, rows = centres[fresh], radii[fresh], rows[fresh]
    return Candidates(
        np.concatenate([candidates.centres_photo[old], centres]),
        np.concatenate([candidates.radii_px[old], radii]),
        np.concatenate([candidates.quality[old], np.minimum(0.2 * rows[:, 3], 1.0)]),
        np.concatenate([candidates.shapes[old], np.full((len(centres), 3), np.nan)]),
        working,
    )


def _shrunk(working: WorkingCopy, scale: float) -> NDArray[np.uint8]:
    if scale == 1.0:
        return working.neutral
    small = cv2.resize(working.neutral, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def _peaks(picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Rows ``x, y, radius, strength`` of the places that stand out, best first."""
    height, width = picture.shape[:2]
    shape = (-(-height // 64) * 64, -(-width // 64) * 64)
    spectra = _spectra(picture, shape)
    best = np.full((height, width), -1.0, np.float32)
    which = np.zeros((height, width), np.uint8)
    for k, radius in enumerate(RADII):
        kx, ky = _kernel(radius, shape)
        answer = np.abs(np.fft.irfft2(spectra[0] * kx + spectra[1] * ky, s=shape)[:height, :width]).astype(np.float32)
        answer *= np.float32(np.sqrt(radius))  # chance gives small circles larger shares
        better = answer > best
        best[better], which[better] = answer[better], k
    edge = int(RADII[0])
    best[:edge], best[-edge:], best[:, :edge], best[:, -edge:] = 0, 0, 0, 0
    top = cv2.dilate(best, np.ones((5, 5), np.uint8))
    y, x = np.nonzero((best == top) & (best > LEAST))
    order = np.argsort(-best[y, x], kind="stable")[:MOST]
    x, y = x[order], y[order]
    return np.column_stack([x, y, np.array(RADII)[which[y, x]], best[y, x]]).astype(np.float64)


def _spectra(picture: NDArray[np.uint8], shape: tuple[int, int]) -> tuple[Spectrum, Spectrum]:
    """Spectra of the edge directions' x and y parts, both channels together; clear edges are 1 long."""
    fields = []
    for channel in (paleness(picture), whiteness(picture)):
        gx = cv2.Scharr(channel, cv2.CV_32F, 1, 0, scale=1 / 32)
        gy = cv2.Scharr(channel, cv2.CV_32F, 0, 1, scale=1 / 32)
        size = np.sqrt(gx * gx + gy * gy)  # cv2.magnitude answers by where in memory its input lies
        doubt = np.float32(3.0 + 0.7 * float(np.median(size)))
        fields.append((gx / (size + doubt), gy / (size + doubt)))
    x, y = (0.6 * (fields[0][i] + fields[1][i]) for i in (0, 1))
    return np.fft.rfft2(x, s=shape), np.fft.rfft2(y, s=shape)


@lru_cache(maxsize=64)
def _kernel(radius: float, shape: tuple[int, int]) -> tuple[Spectrum, Spectrum]:
    """Spectra of the circle's unit vectors, ready for correlation; the circle is as wide as tilt makes it uncertain."""
    y = np.fft.fftfreq(shape[0], 1.0 / shape[0])[:, None]
    x = np.fft.fftfreq(shape[1], 1.0 / shape[1])[None, :]
    rho = np.hypot(x, y)
    weight = np.exp(-0.5 * ((rho - radius) / (0.6 + 0.09 * radius)) ** 2)
    weight /= weight.sum() * np.maximum(rho, 1e-9)
    one, other = np.conj(np.fft.rfft2(weight * x)), np.conj(np.fft.rfft2(weight * y))
    return one.astype(np.complex64), other.astype(np.complex64)
