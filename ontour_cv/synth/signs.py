"""Marks as a few people make them: an X scribbled or blackened, a star with an outline, digits one above the other.

Most write a cross of two strokes, a star of three or of one line, and numbers in a row; hands do that
(``synth.strokes.Hand``). A reader that has seen nothing else takes a scribble for a star.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ontour_cv.synth.strokes import Polyline, Writer, normalised, rotated, smooth

Strokes = list[Polyline]

_CORNERS = np.array([[-0.5, -0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, 0.5]])


def line(rng: np.random.Generator, *points: tuple[float, float], loose: float = 0.04) -> Polyline:
    """A line through points that nobody hits exactly, a little bent between them."""
    at = np.asarray(points, dtype=np.float64)
    if len(at) == 2:
        at = np.array([at[0], at.mean(axis=0) + rng.normal(0, 0.02, 2), at[1]])
    return smooth(at + rng.normal(0, loose, at.shape), 5)


def _turned(strokes: Strokes, degrees: float) -> Strokes:
    return [rotated(s, np.radians(degrees)) for s in strokes]


def scribble(rng: np.random.Generator) -> Strokes:
    """There and back several times: lines lie apart."""
    return hatched(int(rng.integers(4, 9)), rng)


def blackened(rng: np.random.Generator) -> Strokes:
    """There and back until hardly any white is left; as often in rounds."""
    if rng.random() < 0.5:
        return hatched(int(rng.integers(10, 18)), rng)
    turns = float(rng.uniform(3, 6))
    angle = np.linspace(0, 2 * np.pi * turns, int(24 * turns)) + rng.uniform(0, 2 * np.pi)
    radius = np.linspace(0.5, rng.uniform(0.03, 0.12), len(angle)) + rng.normal(0, 0.015, len(angle))
    return [np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])]


def hatched(lines: int, rng: np.random.Generator) -> Strokes:
    """A zigzag in an oval, most often along the rising diagonal."""
    y = np.linspace(-0.5, 0.5, 2 * lines) + rng.normal(0, 0.012, 2 * lines)
    half = 0.5 * np.sqrt(np.maximum(0.12, 1 - (1.9 * y) ** 2 * float(rng.uniform(0.6, 1.0))))
    x = np.where(np.arange(2 * lines) % 2, half, -half) * np.exp(rng.normal(0, 0.08, 2 * lines))
    drawn = smooth(np.column_stack([x, y]), 4)
    tilt = float(rng.choice([rng.normal(-35, 15), rng.normal(0, 12), rng.normal(40, 15)], p=[0.55, 0.3, 0.15]))
    return _turned([drawn], tilt)


def plus(rng: np.random.Generator) -> Strokes:
    """A cross that stands upright."""
    return _turned([line(rng, (-0.5, 0), (0.5, 0)), line(rng, (0, -0.5), (0, 0.5))], float(rng.normal(0, 7)))


def lattice(rng: np.random.Generator) -> Strokes:
    """Two lines one way, two or three the other."""
    other = np.linspace(-0.25, 0.25, int(rng.integers(2, 4)))
    flat = [line(rng, (-0.5, y), (0.5, y)) for y in (-0.2, 0.2)]
    steep = [line(rng, (x, -0.5), (x, 0.5)) for x in other]
    return _turned(flat + steep, float(rng.choice([rng.normal(0, 8), rng.normal(45, 8)])))


def doubled(rng: np.random.Generator) -> Strokes:
    """An X each of whose strokes is two."""
    a, b, c, d = _CORNERS
    aside = float(rng.uniform(0.1, 0.2))
    pairs = ((a, b, np.array([aside, -aside]) / 2), (c, d, np.array([aside, aside]) / 2))
    return [line(rng, tuple(p + s * by), tuple(q + s * by), loose=0.03) for p, q, by in pairs for s in (-1, 1)]


def slash(rng: np.random.Generator) -> Strokes:
    """One stroke from corner to corner, rising more often than falling."""
    a, b, c, d = (tuple(corner) for corner in _CORNERS)
    return [line(rng, d, c)] if rng.random() < 0.7 else [line(rng, a, b)]


def hooked(rng: np.random.Generator) -> Strokes:
    """An X without lifting the pen: two crossing diagonals and the side between them."""
    a, b, c, d = _CORNERS
    way = smooth(np.array([a, b, b, c, c, d]) + rng.normal(0, 0.04, (6, 2)), 5)
    return _turned([way if rng.random() < 0.5 else way * [-1, 1]], 90.0 * int(rng.integers(2)))


CROSSES: dict[str, Callable[[np.random.Generator], Strokes]] = {
    "scribble": scribble,
    "blackened": blackened,
    "plus": plus,
    "lattice": lattice,
    "doubled": doubled,
    "slash": slash,
    "hooked": hooked,
}
"""What else is made in place of an X of two strokes; longer side 1 before it is sized."""


def _outline(points: int, inner: float, rng: np.random.Generator) -> NDArray[np.float64]:
    angle = np.radians(-90 + 180 / points * np.arange(2 * points + 1) + rng.normal(0, 6))
    radius = np.where(np.arange(2 * points + 1) % 2, inner, 0.5) * np.exp(rng.normal(0, 0.05, 2 * points + 1))
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def outlined(rng: np.random.Generator) -> Strokes:
    """A star's outline of four to six points."""
    return [_outline(int(rng.choice([4, 5, 6], p=[0.2, 0.6, 0.2])), float(rng.uniform(0.17, 0.26)), rng)]


def blackened_star(rng: np.random.Generator) -> Strokes:
    """A star's outline, filled in."""
    star = _outline(5, float(rng.uniform(0.19, 0.26)), rng)
    return [star * share + rng.normal(0, 0.015, 2) for share in (1.0, 0.75, 0.5, 0.25)]


def rays(rng: np.random.Generator) -> Strokes:
    """Five to seven arms that meet in the middle, or leave it free."""
    count, free = int(rng.integers(5, 8)), float(rng.choice([0.0, rng.uniform(0.0, 0.15)]))
    start = float(rng.uniform(0, 360))
    way = [np.radians(start + 360 / count * k + rng.normal(0, 5)) for k in range(count)]
    reach = 0.5 * np.exp(rng.normal(0, 0.08, count))
    return [
        line(rng, (free * np.cos(a), free * np.sin(a)), (r * np.cos(a), r * np.sin(a)), loose=0.02)
        for a, r in zip(way, reach, strict=True)
    ]


STARS: dict[str, Callable[[np.random.Generator], Strokes]] = {
    "outlined": outlined,
    "blackened": blackened_star,
    "rays": rays,
}
"""What else is made in place of the stars that hands know."""


def sign(label: str, writer: Writer, rng: np.random.Generator) -> Strokes:
    """A writer's star (``*``) or X (``x``), longer side 1."""
    forms, form = (STARS, writer.star) if label == "*" else (CROSSES, writer.cross)
    return writer.hand.glyph(label, rng) if form is None else normalised(forms[form](rng), label)


STACKED, OVERLINED, UNDERLINED = "stacked", "overlined", "underlined"

SETTINGS = (STACKED, OVERLINED, UNDERLINED)
"""How else a number is set than as a row of digits: one above the other, with a line over it or under it."""


def set_otherwise(digits: Sequence[Strokes], writer: Writer, rng: np.random.Generator) -> Strokes:
    """The digits of a number, which stand in a row, as the writer sets them.

    Args:
        digits: strokes of each, left to right, disc radii.
        writer: whose ``setting``, one of ``SETTINGS``; with None the row stays.
        rng: chance.
    """
    if writer.setting == STACKED and len(digits) > 1:
        digits = _stack(digits, writer, rng)
    strokes = [s for digit in digits for s in digit]
    if writer.setting in (OVERLINED, UNDERLINED):
        low, high = extent(strokes)
        away = writer.pen * 0.5 + float(rng.uniform(0.06, 0.2))
        y = low[1] - away if writer.setting == OVERLINED else high[1] + away
        strokes = [*strokes, line(rng, (low[0], y), (high[0], y), loose=0.03)]
    return strokes


def _stack(digits: Sequence[Strokes], writer: Writer, rng: np.random.Generator) -> list[Strokes]:
    """Tens above ones, as small as there is room for."""
    scale = float(rng.uniform(0.65, 0.9))
    out, top = [], 0.0
    for digit in digits:
        low, high = extent(digit)
        middle = (low[0] + high[0]) / 2 + float(rng.normal(0, 0.06))
        out.append([(s - [middle, low[1]]) * scale + [0.0, top] for s in digit])
        top += (high[1] - low[1]) * scale + writer.pen * 0.5 + max(0.03, 0.4 * writer.gap)
    return [[s - [0.0, top / 2] for s in digit] for digit in out]


def extent(strokes: Strokes) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The top left and bottom right corners of the box round strokes, ``(2,)`` each."""
    every = np.concatenate(strokes)
    return every.min(axis=0), every.max(axis=0)
