"""Marks in small printed boxes as anybody may make them: what widens the usual manners that ``city_ink`` draws.

How players tick a box is not known, and a network that has learnt eight manners sees nothing in a ninth. So here a
player's mark is made up: strokes of any kind, at any angle, in, over, under or round the box, with any pen from a
pencil to a highlighter. The same player then repeats it, a little different every time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.synth.strokes import Polyline, smooth

Pen = tuple[float, float, tuple[int, int, int]]
"""Its width in sides of the box, how much ink it leaves, 0-1, and its colour, BGR."""

PALE = ((60, 235, 250), (190, 130, 250), (120, 240, 150), (245, 200, 110), (70, 170, 250))
"""Highlighters, BGR: yellow, pink, green, blue, orange."""

GREYS = ((70, 70, 70), (95, 92, 90), (120, 118, 115))
"""Pencils, BGR."""

LONG = 2.8
"""How long a stroke through a box may be, sides."""

ANEW = 0.12
"""Share of players who mark every box in another way."""


@dataclass(frozen=True, slots=True, eq=False)
class FreeMark:
    """How somebody marks boxes.

    Attributes:
        shapes: strokes round the middle of a box of side 1, y down.
        pen: what they are drawn with; None for the pen of everything else.
        anew: another shape every time.
        shake: how far points lie off from time to time (standard deviation, sides).
    """

    shapes: tuple[Polyline, ...]
    pen: Pen | None
    anew: bool
    shake: float

    def drawn(self, rng: np.random.Generator) -> list[Polyline]:
        """The strokes of one mark."""
        shapes = _strokes(rng) if self.anew else self.shapes
        turn, grow = rng.normal(0, 0.08), float(np.exp(rng.normal(0, 0.08)))
        matrix = grow * np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        return [_shaken(shape, self.shake, rng) @ matrix for shape in shapes]


def sample_free_mark(rng: np.random.Generator) -> FreeMark:
    """A player's own way of marking boxes."""
    kind = rng.random()
    pen: Pen | None = None
    shapes = _strokes(rng)
    if kind < 0.12:
        pen = (float(rng.uniform(0.5, 1.2)), float(rng.uniform(0.35, 0.8)), PALE[int(rng.integers(len(PALE)))])
        shapes = (_line(rng, float(rng.normal(0, 0.25)) + (np.pi / 2 if rng.random() < 0.15 else 0), 0.1),)
    elif kind < 0.22:
        pen = (float(rng.uniform(0.07, 0.14)), float(rng.uniform(0.5, 0.95)), GREYS[int(rng.integers(len(GREYS)))])
    return FreeMark(shapes, pen, bool(rng.random() < ANEW), float(rng.uniform(0.015, 0.06)))


def _strokes(rng: np.random.Generator) -> tuple[Polyline, ...]:
    """A mark that somebody may make."""
    families = (_through, _beside, _corner, _crossed, _bow, _scribble, _dots, _curl, _part, _rays)
    weights = (0.2, 0.1, 0.14, 0.1, 0.1, 0.1, 0.08, 0.08, 0.06, 0.04)
    return families[int(rng.choice(len(families), p=weights))](rng)


def _line(rng: np.random.Generator, angle: float, aside: float, least: float = 0.7, most: float = 1.6) -> Polyline:
    """A stroke at an angle through a point within ``aside`` of the middle."""
    along = np.array([np.cos(angle), np.sin(angle)])
    middle = rng.uniform(-aside, aside, 2)
    bend = rng.normal(0, 0.04) * np.array([-along[1], along[0]])
    reach = float(rng.uniform(least, most)) / 2
    return smooth(np.array([middle - reach * along, middle + bend, middle + reach * along]), 8)


def _through(rng: np.random.Generator) -> tuple[Polyline, ...]:
    """One or two strokes through the box, at any angle, some of them long."""
    angle = float(rng.choice([0.0, np.pi / 2, np.pi / 4, -np.pi / 4])) + rng.normal(0, 0.2)
    if rng.random() < 0.3:
        angle = float(rng.uniform(0, np.pi))
    first = _line(rng, angle, 0.12) if rng.random() < 0.65 else _line(rng, angle, 0.2, 1.4, LONG)
    if rng.random() < 0.8:
        return (first,)
    return (first, first + float(rng.uniform(0.2, 0.35)) * np.array([-np.sin(angle), np.cos(angle)]))


def _beside(rng: np.random.Generator) -> tuple[Polyline, ...]:
    """A stroke along one of its sides, just outside or on it, mostly below."""
    turn = float(rng.choice([0, np.pi, np.pi / 2, -np.pi / 2], p=[0.65, 0.15, 0.1, 0.1]))
    line = _line(rng, float(rng.normal(0, 0.08)), 0.06, 0.8, 1.4) + np.array([0.0, float(rng.uniform(0.4, 0.66))])
    cos, sin = np.cos(turn), np.sin(turn)
    return (line @ np.array([[cos, sin], [-sin, cos]]),)


def _corner(rng: np.random.Generator) -> tuple[Polyline, ...]:
    """A tick of any form: down and up, mirrored, upside down, with a long or a short leg."""
    low = np.array([rng.uniform(-0.2, 0.2), rng.uniform(0.1, 0.45)])
    left = low + np.array([-rng.uniform(0.15, 0.5), -rng.uniform(0.15, 0.6)])
    right = low + np.array([rng.uniform(0.2, 0.9), -rng.uniform(0.3, 1.2)])
    points = np.array([left, low, right])
    if rng.random() < 0.25:
        points[:, 0] *= -1
    if rng.random() < 0.12:
        points[:, 1] *= -1
    if rng.random() < 0.5:
        return (points,)
    return (smooth(points, 8),)


def _crossed(rng: np.random.Generator) -> tuple[Polyline, ...]:
    """Two strokes across each other, upright or not."""
    angle = float(rng.choice([0.0, np.pi / 4])) + rng.normal(0, 0.15)
    return (_line(rng, angle, 0.1, 0.6, 1.5), _line(rng, angle + np.pi / 2 + rng.normal(0, 0.15), 0.1, 0.6, 1.5))


def _bow(rng: np.random.Generator) -> tuple[Polyline, ...]:
    """A ring or a part of one, round the box or in it."""
    start, size = rng.uniform(0, 2 * np.pi), float(rng.uniform(0.25, 0.85))
    turns = float(rng.choice([0.5, 0.75, 1.0, 1.1, 2.0], p=[0.1, 0.15, 0.4, 0.2, 0.15]))
    t = start + np.linspace(0, 2 * np.pi * turns, 24)
    points = size * np.stack([np.cos(t), float(rng.uniform(0.75, 1.1)) * np.sin(t)], axis=1)
    return (points + rng.normal(0, 0.06, 2),)


def _scribble(rng: np.random.Generator) -> tuple[Polyline, ...]:
    """To and fro at any angle."""
    count = int(rng.integers(3, 12))
    sides = np.where(np.arange(count) % 2 == 0, -1.0, 1.0) * rng.uniform(0.3, 0.6) + rng.normal(0, 0.06, count)
    rows = np.linspace(-0.4, 0.4, count) * float(rng.uniform(0.5, 1.2))
    angle = rng.uniform(0, 2 * np.pi)
    points = np.stack([sides, rows], axis=1)
    return (points @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]),)


def _dots(rng: np.random.Generator) -> tuple[Polyline, ...]:
    """One dot or a few, anywhere in the box."""
    count = int(rng.choice([1, 2, 3], p=[0.7, 0.2, 0.1]))
    spots = rng.uniform(-0.28, 0.28, (count, 2))
    small = float(rng.uniform(0.03, 0.2))
    return tuple(np.array([spot, spot + rng.normal(0, small, 2), spot]) for spot in spots)


def _curl(rng: np.random.Generator) -> tuple[Polyline, ...]:
    """A curve of no name: letters, hooks, loops."""
    points = rng.uniform(-0.55, 0.55, (int(rng.integers(3, 7)), 2))
    return (smooth(points, 8),)


def _part(rng: np.random.Generator) -> tuple[Polyline, ...]:
    """A half or a corner of the box filled."""
    edge = float(rng.uniform(-0.2, 0.3))
    rows = np.linspace(-0.42, 0.42, 10)
    ends = edge + (rows * float(rng.uniform(-1, 1)) if rng.random() < 0.5 else 0 * rows)
    points = np.array([(x, y) for y, far in zip(rows, ends, strict=True) for x in (-0.42, far)])
    angle = float(rng.choice([0, np.pi / 2, np.pi, -np.pi / 2]))
    return (points @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]),)


def _rays(rng: np.random.Generator) -> tuple[Polyline, ...]:
    """A star of three or four strokes."""
    count, size = int(rng.integers(3, 5)), float(rng.uniform(0.3, 0.6))
    start = rng.uniform(0, np.pi)
    tips = [
        size * np.array([np.cos(start + np.pi * k / count), np.sin(start + np.pi * k / count)]) for k in range(count)
    ]
    return tuple(np.array([tip, -tip]) for tip in tips)


def _shaken(shape: Polyline, shake: float, rng: np.random.Generator) -> Polyline:
    """The stroke with its points moved, near ones alike."""
    steps = np.linspace(0, 1, len(shape))[:, None]
    first, last, wave = rng.normal(0, shake, 2), rng.normal(0, shake, 2), rng.normal(0, shake, 2)
    moved: NDArray[np.float64] = shape + (1 - steps) * first + steps * last + np.sin(np.pi * steps) * wave
    return moved
