"""Letters S, M, D and G as somebody might write them: families of forms, for training.

A few drawn shapes are learnt by heart. Here the features that handwriting manuals and forensic handwriting examination
name (Huber and Headrick, *Handwriting Identification*, 1999: construction, proportions, terminal strokes, lead-ins)
are drawn by lot, so that hardly two hands are alike.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Point = tuple[float, float]

Form = tuple[tuple[Point, ...], ...]
"""The strokes of a letter of height 1 round the origin, x to the right, y down; a point given twice is a corner."""

SQUARE = 0.12
"""Share of letters with corners where others have curves."""


def form(letter: str, rng: np.random.Generator) -> Form:
    """One hand's form of ``letter``, one of ``s m d g``; ``rng`` settles it.

    Raises:
        KeyError: for any other letter.
    """
    return _FORMS[letter](rng)


def _s(rng: np.random.Generator) -> Form:
    """Two bowls; the ends short, hooked, curled or with a serif."""
    wide, low_wide, middle = rng.uniform(0.14, 0.42), rng.uniform(0.14, 0.42), rng.uniform(-0.12, 0.1)
    upper, lower = (-0.5 + middle) / 2 + rng.uniform(-0.06, 0.06), (0.5 + middle) / 2 + rng.uniform(-0.06, 0.06)
    lean = rng.uniform(-0.08, 0.16)
    top = [(wide * rng.uniform(-0.3, 0.3), -0.5), (-wide, upper)]
    end = [(low_wide, lower), (low_wide * rng.uniform(-0.3, 0.3), 0.5)]
    flat = (
        [(-0.5 * wide, middle - lean / 2), (0.5 * low_wide, middle + lean / 2)] if rng.random() < 0.4 else [(0, middle)]
    )
    head = _end(rng, top[0], wide * rng.uniform(0.7, 1.2), upper)
    tail = _end(rng, end[1], -low_wide * rng.uniform(0.7, 1.2), lower)
    points = [*reversed(head), *top, *flat, *end, *tail]
    return (_square(rng, points),)


def _end(rng: np.random.Generator, top: Point, reach: float, inward: float) -> list[Point]:
    """How a bowl of S goes on from its summit ``top`` to its free end: towards ``reach``, and on to ``inward``."""
    kind = rng.choice(5, p=[0.15, 0.35, 0.25, 0.15, 0.1])
    corner = (reach, top[1] + (inward - top[1]) * rng.uniform(0.0, 0.6))
    if kind == 0:
        return [(reach * rng.uniform(0.5, 1.0), top[1] * rng.uniform(0.9, 1.05))]
    if kind == 1:
        return [corner]
    if kind == 2:
        return [corner, (reach * rng.uniform(0.7, 1.1), inward * rng.uniform(0.9, 1.25))]
    if kind == 3:  # curled back into the bowl
        curl = (reach * rng.uniform(0.3, 0.8), inward * rng.uniform(0.85, 1.2))
        return [corner, curl, (reach * rng.uniform(-0.3, 0.2), inward * rng.uniform(1.0, 1.25))]
    return [corner, corner, (reach * rng.uniform(0.9, 1.1), inward * rng.uniform(0.9, 1.3))]


def _g(rng: np.random.Generator) -> Form:
    """An open bowl and what closes it; or a small g."""
    if rng.random() < 0.25:
        return _small_g(rng)
    wide, left = rng.uniform(0.22, 0.45), rng.uniform(0.28, 0.46)
    start = (wide * rng.uniform(0.6, 1.1), -0.5 + rng.uniform(0.02, 0.26))
    arc = [start, (rng.uniform(-0.1, 0.12), -0.5), (-left * 0.85, -0.28), (-left, rng.uniform(-0.05, 0.1))]
    arc += [
        (-left * rng.uniform(0.6, 0.9), 0.34),
        (rng.uniform(-0.1, 0.1), 0.5),
        (wide * rng.uniform(0.7, 1.0), rng.uniform(0.25, 0.42)),
    ]
    bar, inner = rng.uniform(-0.06, 0.2), rng.uniform(-0.12, 0.2)
    edge = wide * rng.uniform(0.85, 1.15)
    kind = rng.choice(6, p=[0.25, 0.2, 0.15, 0.15, 0.15, 0.1])
    if kind == 0:  # up, a corner, and in
        return (_square(rng, [*arc, (edge, bar), (edge, bar), (inner, bar + rng.uniform(-0.04, 0.04))]),)
    if kind == 1:  # the bar by itself
        bars = ((inner, bar), (edge, bar), (edge, bar), (edge * rng.uniform(0.9, 1.1), rng.uniform(0.3, 0.62)))
        return (_square(rng, arc), bars[: 2 if rng.random() < 0.4 else 4])
    if kind == 2:  # a bar across, the bowl ends at it
        return (_square(rng, [*arc, (edge, bar)]), ((inner, bar), (edge + rng.uniform(0.05, 0.25), bar)))
    if kind == 3:  # curled in, like a 6
        return ((*arc, (edge, rng.uniform(0.1, 0.25)), (edge * 0.6, bar), (inner, bar + rng.uniform(0.0, 0.15))),)
    if kind == 4:  # up, and down again
        return (_square(rng, [*arc, (edge, bar), (edge, bar), (edge * rng.uniform(0.9, 1.1), rng.uniform(0.45, 0.7))]),)
    return (_square(rng, [*arc, (edge, bar), (edge, bar), (inner, bar), (inner, bar), (edge + 0.1, bar)]),)


def _small_g(rng: np.random.Generator) -> Form:
    """A bowl and a hook below it."""
    wide, base = rng.uniform(0.18, 0.36), rng.uniform(-0.12, 0.12)
    bowl = [(wide, -0.4), (0.0, -0.5), (-wide, (base - 0.5) / 2), (0.0, base), (wide, (base - 0.5) / 2)]
    top = (wide, rng.uniform(-0.52, -0.38))
    hook = [
        (wide * rng.uniform(0.8, 1.1), 0.25),
        (rng.uniform(-0.1, 0.1), 0.5),
        (-wide * rng.uniform(0.7, 1.3), rng.uniform(0.25, 0.45)),
    ]
    if rng.random() < 0.3:
        hook.append((wide * rng.uniform(0.6, 1.4), rng.uniform(0.0, 0.2)))
    if rng.random() < 0.4:
        return ((*bowl, (wide * 0.9, -0.42)), (top, *hook))
    return ((*bowl, top, top, *hook),)


def _m(rng: np.random.Generator) -> Form:
    """Straight or rounded, one stroke or several, with or without strokes that lead in and out."""
    wide, foot = rng.uniform(0.28, 0.55), rng.uniform(0.9, 1.35)
    deep, peak = rng.uniform(-0.15, 0.5), rng.uniform(0.55, 1.0)
    if rng.random() < 0.4:
        return (_rounded_m(rng, wide),)
    left, right, dip = (-wide * peak, -0.5), (wide * peak, rng.uniform(-0.54, -0.44)), (rng.uniform(-0.08, 0.08), deep)
    feet = (-wide * foot, 0.5), (wide * foot, rng.uniform(0.42, 0.54))
    if rng.random() < 0.3:
        return (
            ((feet[0], left), (left, dip, dip, right), (right, feet[1]))
            if rng.random() < 0.5
            else ((left, feet[0]), (left, dip, dip, right, right, feet[1]))
        )
    points = [feet[0], left, left, dip, dip, right, right, feet[1]]
    if rng.random() < 0.3:  # the tops and the dip rounded
        points = [feet[0], left, dip, right, feet[1]]
    if rng.random() < 0.3:
        points = [(feet[0][0] - rng.uniform(0.05, 0.2), rng.uniform(0.3, 0.45)), *points]
    if rng.random() < 0.3:
        points = [*points, (feet[1][0] + rng.uniform(0.05, 0.2), rng.uniform(0.3, 0.45))]
    return (tuple(points),)


def _rounded_m(rng: np.random.Generator, wide: float) -> tuple[Point, ...]:
    """Two humps."""
    rise, top = rng.uniform(-0.4, 0.1), rng.uniform(-0.52, -0.42)
    start = [(-wide, rng.uniform(-0.5, -0.25)), (-wide, 0.5), (-wide, 0.5)]
    if rng.random() < 0.4:
        start = [(-wide, 0.5)]
    humps = [(-wide * 0.85, rise), (-wide * 0.45, top), (-wide * 0.08, rise), (0.0, 0.5), (0.0, 0.5)]
    humps += [(wide * 0.15, rise), (wide * 0.55, top), (wide * 0.92, rise), (wide, 0.5)]
    if rng.random() < 0.35:
        humps.append((wide * rng.uniform(1.1, 1.4), rng.uniform(0.36, 0.5)))
    return (*start, *humps)


def _d(rng: np.random.Generator) -> Form:
    """A stem and a bowl; or a small d."""
    if rng.random() < 0.25:
        return _small_d(rng)
    wide, left = rng.uniform(0.2, 0.42), -rng.uniform(0.15, 0.36)
    high, low = rng.uniform(-0.54, -0.44), rng.uniform(0.44, 0.54)
    over, under = left - rng.choice([0.0, rng.uniform(0.0, 0.16)]), left - rng.choice([0.0, rng.uniform(0.0, 0.16)])
    belly = [(wide * 0.75, high * 0.72), (wide, rng.uniform(-0.12, 0.12)), (wide * 0.75, low * 0.72)]
    if rng.random() < 0.2:
        belly = [(wide, rng.uniform(-0.1, 0.1))]
    top, bottom = (
        (left + (wide - left) * rng.uniform(0.3, 0.55), high),
        (left + (wide - left) * rng.uniform(0.25, 0.5), low),
    )
    bowl = _square(rng, [(over, high), top, *belly, bottom, (under, low)])
    if rng.random() < 0.15:  # the bowl goes on past the stem
        bowl = (*bowl, (under - 0.1, low - rng.uniform(0.02, 0.15)))
    slant = rng.uniform(-0.05, 0.05)
    stem: tuple[Point, ...] = ((left + slant, rng.uniform(-0.52, -0.4)), (left, rng.uniform(0.4, 0.55)))
    kind = rng.choice(3, p=[0.45, 0.3, 0.25])
    if kind == 0:
        return (stem, bowl)
    if kind == 1:  # down the stem, up again, and round
        return ((*stem, stem[1], *bowl[::-1]),) if rng.random() < 0.5 else ((stem[1], stem[0], stem[0], *bowl),)
    return ((stem[0], stem[1], stem[1], (left + 0.02, high), *bowl[1:]),)


def _small_d(rng: np.random.Generator) -> Form:
    """A bowl and a tall stem at its right."""
    wide, high = rng.uniform(0.2, 0.34), rng.uniform(-0.15, 0.08)
    bowl = [(wide, high + 0.1), (0.0, high), (-wide, (high + 0.5) / 2), (0.0, 0.5), (wide, rng.uniform(0.25, 0.4))]
    lean = rng.uniform(-0.12, 0.12)
    stem = [(wide + lean, -0.5), (wide, 0.4)]
    if rng.random() < 0.5:
        stem = [*stem, (wide + 0.15, 0.5)]
    if rng.random() < 0.5:
        return (tuple(bowl), tuple(stem))
    return ((*bowl, stem[0], stem[0], *stem[1:]),)


def _square(rng: np.random.Generator, points: list[Point]) -> tuple[Point, ...]:
    """The points; of a few hands every one is a corner."""
    if rng.random() >= SQUARE:
        return tuple(points)
    return tuple(point for point in points for _ in range(2))


_FORMS: dict[str, Callable[[np.random.Generator], Form]] = {"s": _s, "m": _m, "d": _d, "g": _g}
