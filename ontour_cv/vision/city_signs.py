"""What speaks for and against a line beside its look: gaps in it, and other lines that explain its ink."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.city_flat import CityLayout
from ontour_cv.vision.city_paths import ACROSS, ALONG, INK_PX, START, Lines, sample

ENDS, OVERLAP_PX = 1.3, 5
"""Where lines may meet at their discs, disc radii; and how wide a line is for another to lie on it, ink map pixels."""

GAP_INK, RAGGED = 0.35, 1.6
"""Ink below which a line is interrupted, and how near to the discs' centres that means nothing, disc radii."""


def gaps(strips: NDArray[np.float32], lines: Lines) -> NDArray[np.float64]:
    """The longest piece without ink of each line, away from its discs, ``(N,)`` disc radii."""
    middle = ACROSS // 2
    inked = strips[:, 0, :, middle - 2 : middle + 3].max(axis=2) > GAP_INK
    spacing = np.maximum(lines.lengths - 2 * START, 0.1) / (ALONG - 1)
    out = np.zeros(len(strips))
    for k, line in enumerate(inked):
        edge = min(int(np.ceil((RAGGED - START) / spacing[k])), ALONG // 2 - 2)
        run = longest = 0
        for there in line[edge : ALONG - edge]:
            run = 0 if there else run + 1
            longest = max(longest, run)
        out[k] = longest * spacing[k]
    return out


def overlaps(
    lines: Lines, log_odds: NDArray[np.float64], layout: CityLayout, least: float = -4.0
) -> NDArray[np.float64]:
    """How much of each line other lines explain, ``(N, 2)`` 0-1 each.

    The first: the share of it that lies on likelier lines, for two that cross make others out of their halves. The
    second: how much it looks like a piece of another line that goes on where it ends, and passes its disc by.

    Args:
        lines: of one board.
        log_odds: ``(N,)`` of each line being drawn, by itself.
        layout: the board.
        least: lines less likely than this count neither way.
    """
    out = np.zeros((len(lines.paths), 2))
    some = np.array([int(k) for k in np.argsort(-log_odds) if log_odds[k] > least], dtype=int)
    if len(some) < 2:
        return out
    paths = lines.paths[some]
    shape = tuple(int(np.ceil(v / layout.radius * INK_PX)) + 1 for v in (layout.aspect, 1.0))
    ends = np.linalg.norm(paths[:, :, None] - paths[:, None, [0, -1]], axis=3).min(axis=2) / layout.radius
    free = (ends > ENDS).astype(np.float32)
    room = np.maximum(free.sum(axis=1), 1)
    shares = np.zeros((len(some), len(some)))
    taken = np.zeros(shape, np.float32)
    for k in range(len(some)):
        out[some[k], 0] = float((sample(taken, paths[k][None], layout.radius)[0] * free[k]).sum() / room[k])
        own = np.zeros(shape, np.float32)
        for field in (own, taken):
            spots = np.round((paths[k] / layout.radius * INK_PX - 0.5) * 16).astype(np.int32)
            cv2.polylines(field, [spots], False, 1.0, OVERLAP_PX, cv2.LINE_8, 4)
        shares[:, k] = (sample(own, paths, layout.radius) * free).sum(axis=1) / room
    more = np.maximum(shares - shares.T, 0.0) / (1 + np.exp(-log_odds[some]))[None]
    out[some, 1] = more.max(axis=1)
    return out
