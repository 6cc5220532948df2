"""The pen a board is written with: what it looks like on each disc's ground, and how much of it lies in each place."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.cells import CELL, Window

Array = NDArray[np.float32]

GROUND, WRITTEN = 0.85, 0.75
"""Disc radii within which a disc's ground and what is written in it are looked for."""

LEAST_CONTRAST = 12.0
"""Grey levels a pen differs from its ground by at least; less is noise."""


def from_centre(window: Window) -> Array:
    """How far each pixel of a crop lies from its centre, disc radii, ``(px * px,)``."""
    side = np.mgrid[: window.px, : window.px] - (window.px - 1) / 2
    return np.asarray(np.hypot(*side).ravel() / window.px_per_radius)


FROM_CENTRE = from_centre(CELL)
"""Of the crops that marks are read from."""


@lru_cache
def _near(window: Window) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The pixels of a disc's ground, and those that are written in."""
    away = from_centre(window)
    return np.flatnonzero(away < GROUND), np.flatnonzero(away < WRITTEN)


def ground_and_pen(flat: Array, window: Window = CELL) -> tuple[Array, Array]:
    """The ground of each disc and what the board's pen looks like on it, ``(N, 3)`` each.

    A pen takes the same share of the light everywhere; the median over the board is not misled by a cell that is empty
    or in glare.

    Args:
        flat: all crops of a board, ``(N, px * px, 3)`` float32 BGR.
        window: what the crops show.
    """
    ground_at, core_at = _near(window)
    inner, core = flat[:, ground_at], flat[:, core_at]
    light = inner.sum(axis=2)
    order = np.partition(light, (light.shape[1] // 2, 9 * light.shape[1] // 10), axis=1)
    low, high = (order[:, [k * light.shape[1] // 10]] for k in (5, 9))
    pale = ((light >= low) & (light <= high)).astype(np.float32)
    ground = np.einsum("npc,np->nc", inner, pale) / pale.sum(axis=1)[:, None]
    gap = ((core - ground[:, None]) ** 2).sum(axis=2)
    limit = np.partition(gap, 9 * gap.shape[1] // 10, axis=1)[:, [9 * gap.shape[1] // 10]]
    far = (gap >= limit).astype(np.float32)
    ink = np.einsum("npc,np->nc", core, far) / far.sum(axis=1)[:, None]
    left = np.median(ink / np.maximum(ground, 1.0), axis=0)
    return ground.astype(np.float32), (ground * left).astype(np.float32)


def shares(seen: Array, ground: Array, pen: Array) -> tuple[Array, Array]:
    """How much of the pen lies in each place, and what else its colour differs by from the ground.

    Args:
        seen: colours of some places of each cell, ``(N, P, 3)`` float32 BGR.
        ground: of each cell, ``(N, 3)``, as :func:`ground_and_pen` says.
        pen: of each cell, ``(N, 3)``.

    Returns:
        ``(N, P)`` each: 0 where the ground is bare, 1 where the pen covers it (less and more where a place is paler or
        darker than either); and the distance from the line between the two. Both are shares of the distance from ground
        to pen, which counts as ``LEAST_CONTRAST`` where it is less.
    """
    way = pen - ground
    length = np.maximum(np.linalg.norm(way, axis=1), LEAST_CONTRAST)[:, None]
    off = seen - ground[:, None]
    along = np.einsum("npc,nc->np", off, way)
    share = along / length**2
    square = np.einsum("npc,npc->np", off, off) - share * (2 * along - share * (way**2).sum(axis=1)[:, None])
    return share, np.sqrt(np.maximum(square, 0.0)) / length
