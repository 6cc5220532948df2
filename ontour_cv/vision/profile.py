"""How large a printed disc is, from how the board looks at every distance from the discs' centres."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.vision.landmarks import balanced, paleness, whiteness
from ontour_cv.vision.photo import Photo

RAYS = 48
"""Directions looked at."""

RING_WIDTH = 0.12
"""Usual width of the printed ring, disc radii, where its outside cannot be told from the art."""


def disc_radius(photo: Photo, centres: Points, jacobians: NDArray[np.float64], usual: float = 0.02) -> float:
    """Radius of the printed discs, board widths: to the middle of the printed ring.

    The median picture along the radius over all discs and directions leaves the ring standing and drops labels, links
    and art. Its steepest step is the disc's inner edge; a step back just outside it is the ring's outer edge.

    Args:
        photo: a blank board.
        centres: ``(N, 2)`` disc centres, photo pixels.
        jacobians: ``(N, 2, 2)``, photo pixels per board width there.
        usual: radius expected, board widths; 0.6 to 1.5 times that is looked at.
    """
    at = np.arange(0.55, 1.55, 0.01)
    angle = np.arange(RAYS) * (2 * np.pi / RAYS)
    ray = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    steps = (usual * at)[:, None, None] * ray[None]
    places = (centres[:, None, None] + np.einsum("nij,rkj->nrki", jacobians, steps)).astype(np.float32)
    neutral = balanced(photo.bgr)
    best, radius = 0.0, usual
    for channel in (paleness(neutral), whiteness(neutral)):
        flat = places.reshape(-1, len(at) * RAYS, 2)
        values = cv2.remap(channel, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        profile = np.median(values.reshape(-1, len(at), RAYS).astype(np.float64), axis=(0, 2))
        slope = np.convolve(np.gradient(profile), np.hanning(9) / np.hanning(9).sum(), mode="same")
        slope[:5] = slope[-5:] = 0.0
        strength = float(np.abs(slope).max())
        if strength > best:
            best, radius = strength, usual * _ring_middle(at, slope)
    return radius


def _ring_middle(at: NDArray[np.float64], slope: NDArray[np.float64]) -> float:
    """Middle of the ring: between a step and the step back just outside it, or half a usual ring outside one step."""
    strength = np.abs(slope)
    peaks = [i for i in range(1, len(at) - 1) if strength[i] >= strength[i - 1 : i + 2].max() > 0.3 * strength.max()]
    pairs = [(i, k) for i in peaks for k in peaks if 3 <= k - i <= 30 and slope[i] * slope[k] < 0]
    if pairs:
        inner, outer = max(pairs, key=lambda pair: min(strength[pair[0]], strength[pair[1]]))
        return float(at[inner] + at[outer]) / 2
    return float(at[int(strength.argmax())]) * (1.0 + RING_WIDTH / 2)
