"""Small pictures of our own for board art and tables: notes, guitars, drums, vans, stars, towers, clouds."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.synth.noise import Image
from ontour_cv.synth.palettes import Colour

ICONS = ("note", "guitar", "drum", "van", "star", "tower", "cloud", "blob", "zigzag", "bars", "rings", "speaker")
"""Names :func:`draw_icon` knows."""


def draw_icon(
    picture: Image,
    kind: str,
    centre: tuple[float, float],
    size: float,
    angle: float,
    colour: Colour,
    rng: np.random.Generator,
) -> None:
    """Draw one of ``ICONS``, about ``size`` pixels across, turned by ``angle``; changes ``picture`` in place."""
    for points, fill in _shape(kind, rng):
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        fixed = np.round((points @ turn * size + np.array(centre)) * 8).astype(np.int32)
        if fill:
            cv2.fillPoly(picture, [fixed], colour, cv2.LINE_AA, 3)
        else:
            cv2.polylines(picture, [fixed], False, colour, max(1, round(0.06 * size)), cv2.LINE_AA, 3)


def _disc(x: float, y: float, rx: float, ry: float, count: int = 18) -> NDArray[np.float64]:
    t = np.linspace(0, 2 * np.pi, count)
    return np.column_stack([x + rx * np.cos(t), y + ry * np.sin(t)])


def _box(x0: float, y0: float, x1: float, y1: float) -> NDArray[np.float64]:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]])


def _line(*points: tuple[float, float]) -> NDArray[np.float64]:
    return np.array(points, dtype=np.float64)


def _shape(kind: str, rng: np.random.Generator) -> list[tuple[NDArray[np.float64], bool]]:
    """Outlines in a unit box round the origin, each filled (True) or drawn as a line."""
    fixed: dict[str, list[tuple[NDArray[np.float64], bool]]] = {
        "note": [
            (_disc(-0.25, 0.3, 0.18, 0.13), True),
            (_line((-0.1, 0.3), (-0.1, -0.4), (0.3, -0.5), (0.3, 0.2)), False),
            (_disc(0.16, 0.2, 0.18, 0.13), True),
        ],
        "guitar": [
            (_disc(0, 0.25, 0.26, 0.22), True),
            (_disc(0, -0.02, 0.18, 0.16), True),
            (_box(-0.04, -0.55, 0.04, 0.0), True),
            (_box(-0.09, -0.7, 0.09, -0.55), True),
        ],
        "drum": [
            (_box(-0.4, -0.1, 0.4, 0.35), False),
            (_disc(0, -0.1, 0.4, 0.12), True),
            (_line((-0.5, -0.5), (0.1, -0.1)), False),
            (_line((0.5, -0.5), (-0.1, -0.1)), False),
        ],
        "van": [
            (_box(-0.5, -0.25, 0.5, 0.2), True),
            (_disc(-0.3, 0.25, 0.11, 0.11), True),
            (_disc(0.3, 0.25, 0.11, 0.11), True),
        ],
        "tower": [
            (_line((-0.3, 0.6), (-0.05, -0.6), (0.05, -0.6), (0.3, 0.6)), False),
            (_line((-0.25, 0.4), (0.15, 0.05), (-0.12, -0.25), (0.06, -0.5)), False),
            (_line((0.25, 0.4), (-0.15, 0.05), (0.12, -0.25)), False),
        ],
        "cloud": [(_disc(x, y, 0.24, 0.18), True) for x, y in ((-0.25, 0), (0.05, -0.12), (0.28, 0.02))],
        "bars": [(_box(-0.5 + 0.2 * k, -(k % 3) * 0.2, -0.38 + 0.2 * k, 0.4), True) for k in range(5)],
        "rings": [(_disc(0, 0, r, r, 26), False) for r in (0.2, 0.35, 0.5)],
        "speaker": [
            (_box(-0.3, -0.5, 0.3, 0.5), False),
            (_disc(0, 0.2, 0.2, 0.2), False),
            (_disc(0, -0.25, 0.1, 0.1), True),
        ],
    }
    if kind in fixed:
        return fixed[kind]
    if kind == "star":
        t = np.linspace(0, 2 * np.pi, 11)
        radius = np.where(np.arange(11) % 2 == 0, 0.5, 0.2)
        return [(np.column_stack([radius * np.cos(t), radius * np.sin(t)]), True)]
    if kind == "zigzag":
        return [(np.column_stack([np.linspace(-0.6, 0.6, 9), 0.18 * (-1.0) ** np.arange(9)]), False)]
    t = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    radius = 0.4 + 0.12 * np.sin(2 * t + rng.uniform(0, 6)) + 0.1 * np.sin(3 * t + rng.uniform(0, 6))
    return [(np.column_stack([radius * np.cos(t), radius * np.sin(t)]), True)]
