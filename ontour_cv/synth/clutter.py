"""Things that lie about on a game table: pens, cards, dice, coins, tokens, paper, mugs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.synth.icons import ICONS, draw_icon
from ontour_cv.synth.noise import Image
from ontour_cv.synth.palettes import Colour, hsv


def strew(picture: Image, rng: np.random.Generator, count: int) -> None:
    """Put ``count`` random things on a table picture, in place."""
    height, width = picture.shape[:2]
    kinds = list(THINGS)
    for _ in range(count):
        size = max(height, width) * float(np.exp(rng.uniform(np.log(0.04), np.log(0.22))))
        draw_thing(picture, kinds[int(rng.integers(len(kinds)))], rng.uniform([0, 0], [width, height]), size, rng)


def draw_thing(picture: Image, kind: str, at: NDArray[np.float64], size: float, rng: np.random.Generator) -> None:
    """One of ``THINGS``, about ``size`` pixels long, at any angle, with its shadow; changes ``picture`` in place."""
    colour = hsv(rng.uniform(0, 1), float(rng.choice([0.0, 0.3, 0.8])), rng.uniform(0.1, 1.0))
    THINGS[kind](_Spot(picture, at, size, float(rng.uniform(0, 2 * np.pi))), colour, rng)


@dataclass(frozen=True, slots=True, eq=False)
class _Spot:
    """A place on the table to draw at, in units of the thing's size."""

    picture: Image
    at: NDArray[np.float64]
    size: float
    angle: float

    def poly(self, points: NDArray[np.float64], tone: Colour, shadow: bool = False) -> None:
        """Fill an outline given in the thing's own frame."""
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        placed = points @ np.array([[cos, sin], [-sin, cos]]) * self.size + self.at
        if shadow:
            _shadow(self.picture, placed, self.size)
        cv2.fillPoly(self.picture, [np.round(placed * 8).astype(np.int32)], tone, cv2.LINE_AA, 3)


def _pen(spot: _Spot, colour: Colour, rng: np.random.Generator) -> None:
    width = rng.uniform(0.035, 0.07)
    spot.poly(_box(-0.5, -width, 0.45, width), colour, shadow=True)
    spot.poly(_box(-0.5, -width, -0.15, width), hsv(rng.uniform(0, 1), 0.8, 0.5))
    spot.poly(_box(-0.5, -width * 0.7, 0.44, -width * 0.4), _lighter(colour))
    spot.poly(_box(0.45, -width / 3, 0.52, width / 3), (20, 20, 20))


def _card(spot: _Spot, colour: Colour, rng: np.random.Generator) -> None:
    spot.poly(_box(-0.36, -0.5, 0.36, 0.5), colour, shadow=True)
    spot.poly(_box(-0.31, -0.45, 0.31, 0.45), hsv(rng.uniform(0, 1), 0.5, 0.9))
    centre = (float(spot.at[0]), float(spot.at[1]))
    draw_icon(spot.picture, str(rng.choice(ICONS)), centre, 0.4 * spot.size, spot.angle, colour, rng)


def _paper(spot: _Spot, _: Colour, rng: np.random.Generator) -> None:
    spot.poly(
        _box(-0.36, -0.5, 0.36, 0.5), hsv(rng.uniform(0, 1), rng.uniform(0, 0.1), rng.uniform(0.8, 1)), shadow=True
    )
    for y in np.arange(-0.42, 0.42, rng.uniform(0.025, 0.06)):
        spot.poly(_box(-0.3, y, rng.uniform(0.0, 0.3), y + 0.012), (110, 100, 90))


def _die(spot: _Spot, colour: Colour, rng: np.random.Generator) -> None:
    t = np.linspace(0, 2 * np.pi, 7)
    hexagon = np.column_stack([np.cos(t), np.sin(t)])
    spot.poly(0.22 * hexagon, colour, shadow=True)
    spot.poly(0.15 * hexagon, _lighter(colour))
    at = (int(spot.at[0] - 0.06 * spot.size), int(spot.at[1] + 0.06 * spot.size))
    ink = (20, 20, 20) if sum(colour) > 300 else (240, 240, 240)
    face = str(int(rng.integers(10)))
    cv2.putText(spot.picture, face, at, cv2.FONT_HERSHEY_SIMPLEX, 0.006 * spot.size, ink, 2, cv2.LINE_AA)


def _coin(spot: _Spot, colour: Colour, rng: np.random.Generator) -> None:
    _rounds(spot, colour, 0.1)


def _mug(spot: _Spot, colour: Colour, rng: np.random.Generator) -> None:
    _rounds(spot, colour, 0.4)


def _rounds(spot: _Spot, colour: Colour, radius: float) -> None:
    for share in (1.0, 0.86, 0.8):
        b, g, r = (int(v * share) for v in colour)
        spot.poly(radius * share * _round(), (b, g, r), shadow=share == 1.0)


def _tokens(spot: _Spot, _: Colour, rng: np.random.Generator) -> None:
    for move in rng.uniform(-0.5, 0.5, (int(rng.integers(3, 14)), 2)):
        tone = hsv(rng.uniform(0, 1), float(rng.choice([0, 0.8])), rng.uniform(0.3, 1))
        spot.poly(0.05 * _round() + move, tone, shadow=True)


def _finger(spot: _Spot, _: Colour, rng: np.random.Generator) -> None:
    tone = hsv(rng.uniform(0.03, 0.08), rng.uniform(0.3, 0.6), rng.uniform(0.35, 0.95))
    t = np.linspace(-np.pi / 2, np.pi / 2, 14)
    tip = np.column_stack([0.25 + 0.13 * np.cos(t), 0.12 * np.sin(t)])
    spot.poly(np.vstack([tip, [[-0.6, 0.15], [-0.6, -0.15]]]), tone, shadow=True)
    spot.poly(np.column_stack([0.27 + 0.07 * np.cos(2 * t), 0.07 * np.sin(2 * t)]), _lighter(tone))


def _strip(spot: _Spot, colour: Colour, rng: np.random.Generator) -> None:
    spot.poly(_box(-3, -0.05, 3, 0.05), colour, shadow=True)


THINGS: dict[str, Callable[[_Spot, Colour, np.random.Generator], None]] = {
    "pen": _pen,
    "card": _card,
    "die": _die,
    "coin": _coin,
    "tokens": _tokens,
    "paper": _paper,
    "mug": _mug,
    "strip": _strip,
    "finger": _finger,
}
"""What can lie on a table, by name."""


def _shadow(picture: Image, outline: NDArray[np.float64], size: float) -> None:
    """Darken under an outline, a little off it."""
    low = np.maximum(np.floor(outline.min(axis=0) - 0.1 * size), 0).astype(int)
    high = np.minimum(np.ceil(outline.max(axis=0) + 0.1 * size), [picture.shape[1], picture.shape[0]]).astype(int)
    if np.any(high - low < 2):
        return
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
    cv2.fillPoly(mask, [np.round((outline + 0.02 * size - low) * 8).astype(np.int32)], 1.0, cv2.LINE_AA, 3)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.5, 0.025 * size)), np.float32)
    patch = picture[low[1] : high[1], low[0] : high[0]]
    patch[:] = (patch * (1 - 0.5 * mask[..., None])).astype(np.uint8)


def _lighter(colour: Colour) -> Colour:
    b, g, r = (min(255, v + 30) for v in colour)
    return b, g, r


def _box(x0: float, y0: float, x1: float, y1: float) -> NDArray[np.float64]:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def _round() -> NDArray[np.float64]:
    t = np.linspace(0, 2 * np.pi, 40)
    return np.column_stack([np.cos(t), np.sin(t)])
