"""Smooth random fields: the raw material of art, textures, light and wood."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float32]
Image = NDArray[np.uint8]


def smooth_field(shape: tuple[int, int], cells: float, rng: np.random.Generator, octaves: int = 1) -> Field:
    """A smooth field of about unit variance, ``shape`` float32.

    Args:
        shape: ``(height, width)``.
        cells: how many bumps across the width.
        rng: chance.
        octaves: each further one is twice as fine and half as strong.
    """
    height, width = shape
    out = np.zeros(shape, np.float32)
    for k in range(octaves):
        nx = max(2, round(cells * 2**k)) + 3
        ny = max(2, round(cells * 2**k * height / width)) + 3
        grid = rng.standard_normal((ny, nx), dtype=np.float32) * 0.5**k
        out += np.asarray(cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC))
    return out * np.float32(1.25)


def grow(field: NDArray[np.float32], size: tuple[int, int]) -> Field:
    """A low-resolution field (one or three channels) at ``size`` ``(width, height)``, bilinear."""
    return np.asarray(cv2.resize(field, size, interpolation=cv2.INTER_LINEAR), dtype=np.float32)


def grain(shape: tuple[int, int], rng: np.random.Generator, tile: int = 700) -> Field:
    """White noise of unit variance, ``shape`` float32.

    A random tile repeated with flips and shifts, because drawing twelve million normals costs more than the camera.
    """
    base = rng.standard_normal((tile, tile), dtype=np.float32)
    height, width = shape
    rows = []
    for _ in range(-(-height // tile)):
        row = [base[:: int(rng.choice([-1, 1])), :: int(rng.choice([-1, 1]))] for _ in range(-(-width // tile))]
        rows.append(np.hstack([np.roll(t, int(rng.integers(tile)), axis=int(rng.integers(2))) for t in row]))
    return np.vstack(rows)[:height, :width]


def mix(image: Image, colour: tuple[float, float, float], alpha: NDArray[np.float32]) -> None:
    """Lay ``colour`` over ``image`` (BGR, changed in place) with ``alpha`` ``(H, W)`` 0-1."""
    a = alpha[..., None]
    image[:] = np.clip(image * (1.0 - a) + np.asarray(colour, np.float32) * a + 0.5, 0, 255).astype(np.uint8)
