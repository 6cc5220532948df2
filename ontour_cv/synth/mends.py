"""A number struck out, and the one that counts written above, below or beside it, where there is room."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ontour_cv.synth.signs import extent, hatched, line
from ontour_cv.synth.strokes import Polyline

Strokes = list[Polyline]

ABOVE, BELOW, BESIDE = "above", "below", "beside"

PLACES = {ABOVE: 0.55, BELOW: 0.15, BESIDE: 0.3}
"""Where the new number stands, and how often: there is more room above a disc's middle than people need."""


def _dash(rng: np.random.Generator) -> Strokes:
    return [line(rng, (-0.6, 0.05), (0.6, -0.05))]


def _dashes(rng: np.random.Generator) -> Strokes:
    return [line(rng, (-0.6, y), (0.6, y)) for y in (-0.16, 0.16)]


def _slash(rng: np.random.Generator) -> Strokes:
    return [line(rng, (-0.55, 0.5), (0.55, -0.5))]


def _cross(rng: np.random.Generator) -> Strokes:
    return [line(rng, (-0.55, -0.5), (0.55, 0.5)), line(rng, (0.55, -0.5), (-0.55, 0.5))]


def _scribble(rng: np.random.Generator) -> Strokes:
    return hatched(int(rng.integers(3, 8)), rng)


STRIKES: dict[str, Callable[[np.random.Generator], Strokes]] = {
    "dash": _dash,
    "dashes": _dashes,
    "slash": _slash,
    "cross": _cross,
    "scribble": _scribble,
}
"""How a number is struck out, in a box 1 wide and 1 high."""


def mended(old: Strokes, new: Strokes, rng: np.random.Generator) -> tuple[Strokes, Strokes]:
    """A number that was struck out and the one that counts, where the two stand.

    Args:
        old: strokes of the former, disc radii round the disc's centre.
        new: strokes of the latter, as if it were alone there.
        rng: chance.

    Returns:
        what was written first with the lines through it, and the new number.
    """
    place = str(rng.choice(list(PLACES), p=list(PLACES.values())))
    smaller = float(rng.uniform(0.6, 0.95))
    if place == BESIDE:
        side = float(rng.choice([-1.0, 1.0], p=[0.2, 0.8]))
        shrunk = float(rng.uniform(0.6, 0.85))
        old = _moved(old, shrunk, -side * float(rng.uniform(0.3, 0.6)), float(rng.normal(0, 0.06)))
        smaller = min(smaller, 0.8)
        new = _moved(new, smaller, side * float(rng.uniform(0.65, 0.95)), float(rng.normal(0, 0.12)))
    else:
        side = -1.0 if place == ABOVE else 1.0
        old = _moved(old, float(rng.uniform(0.75, 1.0)), 0.0, -side * float(rng.uniform(0.0, 0.35)))
        new = _moved(new, smaller, float(rng.normal(0, 0.25)), side * float(rng.uniform(0.75, 1.1)))
    low, high = extent(old)
    size = np.maximum(high - low, 0.5 * float((high - low).max())) * float(rng.uniform(0.95, 1.2))
    form = STRIKES[str(rng.choice(list(STRIKES)))]
    return [*old, *(s * size + (low + high) / 2 for s in form(rng))], new


def _moved(strokes: Strokes, scale: float, right: float, down: float) -> Strokes:
    return [s * scale + [right, down] for s in strokes]
