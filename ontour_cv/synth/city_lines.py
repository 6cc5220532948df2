"""Ferry lines as players draw them: from disc to disc, round the discs between, straight, bent, wobbly or dashed.

The usual habits are what is measured (``bench.cities``); the free ones widen what the networks learn from, as
``synth.manners`` does for tours: lines far from the discs or from their middles, dots, twins, any pen, a ruler.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.city_board import Pair
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.design import BoardDesign
from ontour_cv.press.waterside import coast_signs
from ontour_cv.synth.strokes import Polyline, pieces, run_along

CLEAR = 1.3
"""How near a player lets a line come to the centre of another disc, disc radii, where there is room."""

STEPS = 64
"""Points of a line."""

DOT = 0.02
"""Length of a dash that is a dot, disc radii."""

HIGHLIGHTERS = ((70, 235, 250), (190, 120, 250), (120, 235, 130), (240, 200, 90), (70, 165, 250))
"""Broad pens that one sees through, BGR: yellow, pink, green, blue, orange."""

Ink = tuple[float, tuple[int, int, int]]
"""How dark a line is, 0-1, and its colour, BGR."""


@dataclass(frozen=True, slots=True)
class LineHabits:
    """How somebody draws ferries; lengths in disc radii.

    Attributes:
        reach: where a line begins and ends, from the discs' centres.
        signs: begins and ends at the printed boats, where those lie on the way.
        bulge: how far lines bend to a side, shares of their length (standard deviation).
        wobble: amplitude of a line's waves.
        dash: length of a dash and of the gap behind it; None for a solid line.
        gap: length of a spot rubbed out; 0 for none.
        twice: lines are gone over a second time.
        loose: standard deviation of ``reach`` from end to end.
        within: the least and the most that it may be.
        clear: how near a line comes to the centre of another disc, where there is room.
        twin: half the distance of two lines in place of one; 0 for one.
        pen: width of the lines, where they are not drawn with the pen of the marks.
        ink: a pencil's or a highlighter's, where they are drawn with one.
    """

    reach: float
    signs: bool
    bulge: float
    wobble: float
    dash: tuple[float, float] | None
    gap: float
    twice: bool
    loose: float = 0.12
    within: tuple[float, float] = (0.5, 1.45)
    clear: float = CLEAR
    twin: float = 0.0
    pen: float | None = None
    ink: Ink | None = None


def sample_line_habits(rng: np.random.Generator) -> LineHabits:
    """The manner of most players."""
    return LineHabits(
        reach=float(rng.uniform(0.65, 1.3)),
        signs=bool(rng.random() < 0.25),
        bulge=float(rng.choice([0.01, 0.04, 0.12])),
        wobble=float(rng.uniform(0, 0.15)),
        dash=(float(rng.uniform(0.5, 1.1)), float(rng.uniform(0.2, 0.45))) if rng.random() < 0.1 else None,
        gap=float(rng.uniform(0.2, 0.7)) if rng.random() < 0.08 else 0.0,
        twice=bool(rng.random() < 0.05),
    )


def free_line_habits(rng: np.random.Generator) -> LineHabits:
    """Any manner that a line can be told by."""
    kind = str(rng.choice(["solid", "dashes", "dots", "twin"], p=[0.58, 0.14, 0.18, 0.1]))
    pen = float(np.exp(rng.uniform(np.log(0.045), np.log(0.4))))
    dash = None
    if kind == "dashes":
        dash = (float(rng.uniform(0.15, 1.2)), float(rng.uniform(0.15, 0.6)))
    elif kind == "dots":
        dash, pen = (DOT, float(rng.uniform(0.25, 0.55))), float(rng.uniform(0.09, 0.3))
    other = _other_pen(rng)
    return LineHabits(
        reach=float(rng.uniform(0.0, 1.8)),
        signs=bool(rng.random() < 0.15),
        bulge=float(rng.choice([0.0, rng.uniform(0.0, 0.25)])),
        wobble=float(rng.choice([0.0, rng.uniform(0, 0.25)])),
        dash=dash,
        gap=0.0,
        twice=False,
        loose=float(rng.uniform(0.0, 0.25)),
        within=(0.0, 1.9),
        clear=float(rng.choice([0.0, 1.0, CLEAR], p=[0.12, 0.18, 0.7])),
        twin=float(rng.uniform(0.1, 0.28)) if kind == "twin" else 0.0,
        pen=other[0] if other else pen if kind == "dots" or rng.random() < 0.6 else None,
        ink=other[1] if other else None,
    )


def _other_pen(rng: np.random.Generator) -> tuple[float, Ink] | None:
    """Width and ink of a pencil or a highlighter, for one player in four."""
    kind, share = rng.random(), float(rng.random())
    if kind < 0.13:
        grey = int(rng.integers(40, 110))
        return 0.05 + 0.1 * share, (float(rng.uniform(0.4, 0.85)), (grey, grey, grey))
    if kind < 0.25:
        return 0.2 + 0.4 * share, (float(rng.uniform(0.45, 0.9)), HIGHLIGHTERS[int(rng.integers(len(HIGHLIGHTERS)))])
    return None


def ferry_line(
    pair: Pair, template: MapTemplate, design: BoardDesign, habits: LineHabits, rng: np.random.Generator
) -> list[Polyline]:
    """The pieces of a line between two discs, board widths: one, or several of a line dashed, twin or gone over."""
    start, stop = (np.array(design.discs[region]) for region in pair)
    radius = design.radius
    others = np.array([spot for region, spot in design.discs.items() if region not in pair])
    bulge = _bulge(start, stop, others, radius, habits, rng)
    curve = _curve(start, stop, bulge)
    curve = _ended(curve, pair, template, design, habits, rng)
    curve = _wobbly(curve, habits.wobble * radius, rng)
    pieces = [curve]
    if habits.dash is not None:
        pieces = _dashes(curve, habits.dash[0] * radius, habits.dash[1] * radius)
    elif habits.gap and rng.random() < 0.3:
        pieces = _rubbed(curve, habits.gap * radius, rng)
    elif habits.twin:
        pieces = [_beside(curve, side * habits.twin * radius) for side in (-1, 1)]
    if habits.twice:
        pieces += [_wobbly(piece, 0.12 * radius, rng) + rng.normal(0, 0.04 * radius, 2) for piece in pieces]
    return pieces


def _bulge(
    start: NDArray[np.float64], stop: NDArray[np.float64], others: NDArray[np.float64], radius: float,
    habits: LineHabits, rng: np.random.Generator,
) -> float:  # fmt: skip
    """How far the line bends, as a share of its length: by habit, or as little as keeps it clear of other discs."""
    wanted = float(rng.normal(0, habits.bulge))
    if len(others) == 0:
        return wanted
    tries = [wanted, *(side * step for step in np.arange(0.02, 0.52, 0.02) for side in (1, -1))]
    best, room = wanted, -1.0
    for bulge in tries:
        curve = _curve(start, stop, bulge)
        clear = float(np.linalg.norm(curve[:, None] - others[None], axis=2).min()) / radius
        if clear >= habits.clear:
            return bulge
        if clear > room:
            best, room = bulge, clear
    return best


def _curve(start: NDArray[np.float64], stop: NDArray[np.float64], bulge: float) -> Polyline:
    """A parabola from centre to centre whose middle lies ``bulge`` lengths aside."""
    t = np.linspace(0, 1, STEPS)[:, None]
    step = stop - start
    across = np.array([-step[1], step[0]])
    return np.asarray(start + t * step + 4 * bulge * t * (1 - t) * across, dtype=np.float64)


def _ended(
    curve: Polyline, pair: Pair, template: MapTemplate, design: BoardDesign, habits: LineHabits,
    rng: np.random.Generator,
) -> Polyline:  # fmt: skip
    """The curve cut off where the pen is set down and lifted: near the rims, or at the printed boats."""
    run = run_along(curve)
    reach = design.radius * np.clip(habits.reach + rng.normal(0, habits.loose, 2), *habits.within)
    room = 0.42 * run[-1]
    at = np.linspace(min(reach[0], room), run[-1] - min(reach[1], room), STEPS)
    cut = np.column_stack([np.interp(at, run, curve[:, k]) for k in (0, 1)])
    if not habits.signs:
        return cut
    signs = coast_signs(template, design)
    for end, region in enumerate(pair):
        if region not in signs:
            continue
        place = 0 if end == 0 else STEPS - 1
        move = np.array(signs[region]) + rng.normal(0, 0.15 * design.radius, 2) - cut[place]
        if np.hypot(*move) < 1.1 * design.radius:
            share = np.linspace(1, 0, STEPS) if end == 0 else np.linspace(0, 1, STEPS)
            cut = cut + np.clip(share * 3 - 2, 0, 1)[:, None] * move
    return cut


def _wobbly(curve: Polyline, amplitude: float, rng: np.random.Generator) -> Polyline:
    """The curve with slow waves across it; its ends stay."""
    t = np.linspace(0, 1, len(curve))
    step = curve[-1] - curve[0]
    across = np.array([-step[1], step[0]]) / max(float(np.hypot(*step)), 1e-9)
    wave = np.zeros(len(curve))
    for _ in range(2):
        wave += rng.normal(0, 0.7) * np.sin(2 * np.pi * rng.uniform(0.5, 4) * t + rng.uniform(0, 2 * np.pi))
    return np.asarray(curve + amplitude * (np.sin(np.pi * t) * wave)[:, None] * across, dtype=np.float64)


def _beside(curve: Polyline, aside: float) -> Polyline:
    """The curve moved to its side."""
    way = np.gradient(curve, axis=0)
    across = np.stack([-way[:, 1], way[:, 0]], axis=1) / np.maximum(np.hypot(*way.T), 1e-9)[:, None]
    return np.asarray(curve + aside * across, dtype=np.float64)


def _dashes(curve: Polyline, dash: float, gap: float) -> list[Polyline]:
    return pieces(curve, np.arange(0.0, max(run_along(curve)[-1] - 0.3 * dash, 1e-9), dash + gap), dash)


def _rubbed(curve: Polyline, gap: float, rng: np.random.Generator) -> list[Polyline]:
    """The curve with a short piece missing, away from its ends."""
    run = run_along(curve)
    if run[-1] < 5 * gap:
        return [curve]
    middle = float(rng.uniform(0.3, 0.7)) * run[-1]
    return [curve[run < middle - gap / 2], curve[run > middle + gap / 2]]
