"""Families of board colours: dark and glossy, pastel, neon, night, muted, line art on white paper."""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours and manner of one board's art, all BGR.

    Attributes:
        name: key of ``PALETTES``.
        paper: True for line art on plain paper.
        field: the ground round the map.
        accent: outline, badge and pattern of the ground.
        areas: six colours, handed out to the groups of regions.
        spread: how much regions of one area differ, grey levels.
        busy: strength of bands, stripes and icons in the art, 0-1.
        border: colour of the borders between regions.
        border_width: in disc radii.
        gloss: how shiny the surface is, 0-1.
    """

    name: str
    paper: bool
    field: Colour
    accent: Colour
    areas: tuple[Colour, ...]
    spread: float
    busy: float
    border: Colour
    border_width: float
    gloss: float


def sample_palette(rng: np.random.Generator) -> Palette:
    """A palette by chance, the dark glossy ones most often, as most boards are."""
    name = str(rng.choice(list(PALETTES), p=[0.42, 0.12, 0.1, 0.1, 0.12, 0.14]))
    return PALETTES[name](rng)


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """BGR of a colour; hue in turns, the rest 0-1 (clipped)."""
    r, g, b = colorsys.hsv_to_rgb(hue % 1.0, float(np.clip(saturation, 0, 1)), float(np.clip(value, 0, 1)))
    return round(255 * b), round(255 * g), round(255 * r)


def _hues(rng: np.random.Generator) -> list[float]:
    """Six hues: a run through part of the wheel (one in three the warm one of fire to grass), or any six."""
    if rng.random() < 0.75:
        start, span = rng.uniform(0, 1), rng.choice([0.2, 0.33, 0.6, 0.9]) * rng.choice([-1, 1])
        if rng.random() < 0.33:
            start, span = rng.uniform(-0.04, 0.03), rng.uniform(0.28, 0.42)
        return [float(start + span * k / 5 + rng.normal(0, 0.015)) for k in range(6)]
    return [float(h) for h in rng.uniform(0, 1, 6)]


def _areas(rng: np.random.Generator, s: tuple[float, float], v: tuple[float, float]) -> tuple[Colour, ...]:
    return tuple(hsv(h, rng.uniform(*s), rng.uniform(*v)) for h in _hues(rng))


def _glossy(rng: np.random.Generator) -> Palette:
    dark = float(rng.uniform(0.04, 0.14))
    accent = hsv(rng.uniform(0, 1), rng.uniform(0.2, 0.7), rng.uniform(0.25, 0.5))
    areas = _areas(rng, (0.5, 1.0), (0.5, 1.0))
    return Palette("glossy", False, hsv(rng.uniform(0, 1), 0.2, dark), accent, areas, 14, rng.uniform(0.4, 1),
                   hsv(rng.uniform(0, 1), 0.7, 0.3), 0.06, rng.uniform(0.6, 1))  # fmt: skip


def _pastel(rng: np.random.Generator) -> Palette:
    field = hsv(rng.uniform(0, 1), rng.uniform(0.05, 0.3), rng.uniform(0.8, 1))
    areas = _areas(rng, (0.15, 0.45), (0.8, 1.0))
    return Palette("pastel", False, field, hsv(rng.uniform(0, 1), 0.4, 0.6), areas, 10, rng.uniform(0.2, 0.8),
                   (245, 245, 245), 0.08, rng.uniform(0.3, 1))  # fmt: skip


def _neon(rng: np.random.Generator) -> Palette:
    field = hsv(rng.uniform(0.6, 0.9), rng.uniform(0.5, 1), rng.uniform(0.05, 0.3))
    areas = _areas(rng, (0.85, 1.0), (0.85, 1.0))
    return Palette("neon", False, field, hsv(rng.uniform(0, 1), 1, 1), areas, 22, rng.uniform(0.5, 1),
                   hsv(rng.uniform(0, 1), 0.3, 1), 0.09, rng.uniform(0.5, 1))  # fmt: skip


def _night(rng: np.random.Generator) -> Palette:
    field = hsv(rng.uniform(0.5, 0.75), 0.6, rng.uniform(0.04, 0.12))
    areas = _areas(rng, (0.35, 0.8), (0.42, 0.62))  # no darker: a black circle drawn on it has to show
    return Palette("night", False, field, hsv(rng.uniform(0, 1), 0.4, 0.5), areas, 10, rng.uniform(0.3, 1),
                   hsv(rng.uniform(0, 1), 0.3, 0.6), 0.05, rng.uniform(0.6, 1))  # fmt: skip


def _muted(rng: np.random.Generator) -> Palette:
    field = hsv(rng.uniform(0, 1), rng.uniform(0.05, 0.35), rng.uniform(0.2, 0.75))
    areas = _areas(rng, (0.12, 0.42), (0.45, 0.85))
    return Palette("muted", False, field, hsv(rng.uniform(0, 1), 0.2, 0.4), areas, 12, rng.uniform(0.2, 0.9),
                   hsv(rng.uniform(0, 1), 0.3, 0.35), 0.06, rng.uniform(0.3, 1))  # fmt: skip


def _line_art(rng: np.random.Generator) -> Palette:
    white = int(rng.integers(240, 256))
    areas = _areas(rng, (0.6, 1.0), (0.5, 0.95))
    return Palette("line-art", True, (white, white, white), (205, 205, 205), areas, 6, 0.0,
                   (60, 60, 60), rng.uniform(0.06, 0.16), rng.uniform(0, 0.5))  # fmt: skip


PALETTES: dict[str, Callable[[np.random.Generator], Palette]] = {
    "glossy": _glossy,
    "pastel": _pastel,
    "neon": _neon,
    "night": _night,
    "muted": _muted,
    "line-art": _line_art,
}
"""Families by name; each makes one palette by chance."""
