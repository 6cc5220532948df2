"""Anti-aliased shapes laid over a picture."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""``(H, W, 3)`` uint8, BGR."""

Mask = NDArray[np.uint8]
"""``(H, W)`` uint8, 255 where the shape is."""

Colour = tuple[int, int, int]
"""Red, green, blue, 0-255, as on the web."""

_SHIFT = 4


def empty_mask(picture: Picture) -> Mask:
    """No shape at all."""
    return np.zeros(picture.shape[:2], np.uint8)


def stroke(mask: Mask, points: NDArray[np.float64], width_px: float, closed: bool = False) -> None:
    """A line through ``points``, ``(N, 2)``, with round ends, drawn into ``mask``."""
    thickness = max(1, round(width_px))
    cv2.polylines(mask, [_fixed(points)], closed, 255, thickness, cv2.LINE_AA, _SHIFT)


def fill(mask: Mask, points: NDArray[np.float64], value: int = 255) -> None:
    """A filled convex outline, ``(N, 2)``, drawn into ``mask``."""
    cv2.fillConvexPoly(mask, _fixed(points), value, cv2.LINE_AA, _SHIFT)


def blend(picture: Picture, mask: Mask, colour: Colour | Picture, opacity: float = 1.0) -> None:
    """``colour`` (one, or a BGR picture of the same size) laid over ``picture`` where ``mask`` is, in place."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return
    part = slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)
    weight = np.round(mask[part].astype(np.float32) * opacity).astype(np.uint16)[..., None]
    over = np.asarray(colour[::-1] if isinstance(colour, tuple) else colour[part], dtype=np.uint16)
    under = picture[part].astype(np.uint16)
    picture[part] = ((under * (255 - weight) + over * weight + 127) // 255).astype(np.uint8)


def soften(mask: Mask, sigma_px: float) -> Mask:
    """The shape out of focus, for shadows."""
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(sigma_px, 0.3)), dtype=np.uint8)


def paste(picture: Picture, rgba: NDArray[np.uint8], centre: tuple[float, float]) -> None:
    """A small RGBA image ``(h, w, 4)`` laid over ``picture`` about ``centre``, clipped at its edges."""
    height, width = rgba.shape[:2]
    left, top = round(centre[0] - width / 2), round(centre[1] - height / 2)
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + width, picture.shape[1]), min(top + height, picture.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    piece = rgba[y0 - top : y1 - top, x0 - left : x1 - left].astype(np.uint16)
    alpha = piece[..., 3:]
    under = picture[y0:y1, x0:x1].astype(np.uint16)
    picture[y0:y1, x0:x1] = ((under * (255 - alpha) + piece[..., 2::-1] * alpha + 127) // 255).astype(np.uint8)


def mix(colours: Iterable[Colour], t: float) -> Colour:
    """The colour at ``t`` (0-1) of a gradient through ``colours``."""
    stops = np.array(list(colours), dtype=np.float64)
    at = t * (len(stops) - 1)
    channels = [round(float(np.interp(at, np.arange(len(stops)), stops[:, i]))) for i in range(3)]
    return channels[0], channels[1], channels[2]


def _fixed(points: NDArray[np.float64]) -> NDArray[np.int32]:
    """Points in OpenCV's fixed-point pixels; far outside ones are kept in its range."""
    return np.asarray(np.round(np.clip(points, -8000, 8000) * 2**_SHIFT), dtype=np.int32)
