"""Things that lie about on a game table: pens, cards, dice, coins, tokens, paper, mugs."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.synth.icons import ICONS, draw_icon
from ontour_cv.synth.noise import Image
from ontour_cv.synth.palettes import hsv

Colour = tuple[int, int, int]
THINGS = ("pen", "card", "die", "coin", "tokens", "paper", "mug", "strip")
"""Names :func:`draw_thing` knows."""


def strew(picture: Image, rng: np.random.Generator, count: int) -> None:
    """Put ``count`` random things on a table picture, in place."""
    height, width = picture.shape[:2]
    for _ in range(count):
        size = max(height, width) * float(np.exp(rng.uniform(np.log(0.04), np.log(0.22))))
        draw_thing(picture, str(rng.choice(THINGS)), rng.uniform([0, 0], [width, height]), size, rng)


def draw_thing(picture: Image, kind: str, at: NDArray[np.float64], size: float, rng: np.random.Generator) -> None:
    """One of ``THINGS``, about ``size`` pixels long, at any angle, with its shadow; changes ``picture`` in place."""
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    colour = hsv(rng.uniform(0, 1), rng.choice([0.0, 0.3, 0.9]), rng.uniform(0.1, 1.0))

    def poly(points: NDArray[np.float64], tone: Colour, shadow: bool = False) -> None:
        placed = points @ turn * size + at
        if shadow:
            _shadow(picture, placed, size)
        cv2.fillPoly(picture, [np.round(placed * 8).astype(np.int32)], tone, cv2.LINE_AA, 3)

    if kind == "pen":
        width = rng.uniform(0.035, 0.07)
        poly(_box(-0.5, -width, 0.45, width), colour, shadow=True)
        poly(_box(-0.5, -width, -0.15, width), hsv(rng.uniform(0, 1), 0.8, 0.5))
        poly(_box(0.45, -width / 3, 0.52, width / 3), (20, 20, 20))
    elif kind in ("card", "paper"):
        tone = hsv(rng.uniform(0, 1), rng.uniform(0, 0.15), rng.uniform(0.8, 1)) if kind == "paper" else colour
        poly(_box(-0.36, -0.5, 0.36, 0.5), tone, shadow=True)
        if kind == "paper":
            for y in np.arange(-0.42, 0.42, rng.uniform(0.025, 0.06)):
                poly(_box(-0.3, y, rng.uniform(0.0, 0.3), y + 0.012), (110, 100, 90))
        else:
            poly(_box(-0.31, -0.45, 0.31, 0.45), hsv(rng.uniform(0, 1), 0.5, 0.9))
            draw_icon(picture, str(rng.choice(ICONS)), (float(at[0]), float(at[1])), 0.4 * size, angle, colour, rng)
    elif kind == "die":
        t = np.linspace(0, 2 * np.pi, 7)
        poly(0.22 * np.column_stack([np.cos(t), np.sin(t)]), colour, shadow=True)
        face = str(int(rng.integers(10)))
        spot = (int(at[0] - 0.06 * size), int(at[1] + 0.06 * size))
        cv2.putText(picture, face, spot, cv2.FONT_HERSHEY_SIMPLEX, 0.006 * size, (240, 240, 240), 2, cv2.LINE_AA)
    elif kind in ("coin", "mug"):
        radius = 0.1 if kind == "coin" else 0.4
        for share in (1.0, 0.86, 0.8):
            poly(radius * share * _round(), tuple(int(v * share) for v in colour), shadow=share == 1.0)  # type: ignore[arg-type]
    elif kind == "tokens":
        for dx, dy in rng.uniform(-0.5, 0.5, (int(rng.integers(3, 14)), 2)):
            poly(0.05 * _round() + [dx, dy], hsv(rng.uniform(0, 1), rng.choice([0, 0.8]), rng.uniform(0.3, 1)), shadow=True)
    else:
        poly(_box(-3, -0.05, 3, 0.05), colour, shadow=True)


def _shadow(picture: Image, outline: NDArray[np.float64], size: float) -> None:
    """Darken under an outline, a little off it."""
    low = np.maximum(np.floor(outline.min(axis=0) - 0.1 * size), 0).astype(int)
    high = np.minimum(np.ceil(outline.max(axis=0) + 0.1 * size), [picture.shape[1], picture.shape[0]]).astype(int)
    if np.any(high - low < 2):
        return
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
    cv2.fillPoly(mask, [np.round((outline + 0.02 * size - low) * 8).astype(np.int32)], 1.0, cv2.LINE_AA, 3)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.5, 0.025 * size)))
    patch = picture[low[1] : high[1], low[0] : high[0]]
    patch[:] = (patch * (1 - 0.5 * mask[..., None])).astype(np.uint8)


def _box(x0: float, y0: float, x1: float, y1: float) -> NDArray[np.float64]:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def _round() -> NDArray[np.float64]:
    t = np.linspace(0, 2 * np.pi, 40)
    return np.column_stack([np.cos(t), np.sin(t)])
