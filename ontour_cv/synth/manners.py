"""How a player draws the legs of a tour: as most do, or in any other way that a line can be told by.

The usual manners are what is measured (``bench.drawn``); the free ones widen what the networks learn from: lines that
stop well before the discs or go round beside them, hair-thin and broad ones, bows, twins, dots, one thread.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ontour_cv.synth.ink import Stroke, leg, pen_stroke
from ontour_cv.synth.scene import Scene
from ontour_cv.synth.strokes import Polyline, Writer, pieces, run_along, smooth

INKS = ((30, 25, 25), (170, 60, 20), (40, 35, 190), (45, 110, 30), (150, 40, 130))
"""Pens at a table, BGR: black, blue, red, green, violet."""

GAUDY = ((30, 130, 240), (190, 150, 20), (60, 220, 250), (200, 110, 250), (120, 235, 130), (35, 60, 95))
"""Pens seldom at hand, BGR: orange, turquoise, yellow, pink, light green, brown."""

LEAST_LEG = 0.9
"""A leg's least length, disc radii: between discs that nearly touch, the line begins and ends inside them."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How most players draw; lengths in disc radii.

    Attributes:
        reach: where a leg begins and ends, from the discs' centres.
        wobble: amplitude of the line's waves.
        dash: length of a dash and of the gap behind it; None for a solid line.
        arrows: whether legs have heads.
        through: the line goes on through the discs.
        round_discs: the line goes round the discs.
    """

    reach: float
    wobble: float
    dash: tuple[float, float] | None
    arrows: bool
    through: bool
    round_discs: bool


@dataclass(frozen=True, slots=True)
class FreeManner:
    """How anybody may draw; lengths in disc radii.

    Attributes:
        reach: where legs begin and end on average, from the discs' centres.
        loose: standard deviation of that.
        aside: standard deviation of how far beside the disc's middle a leg aims.
        bow: standard deviation of a leg's bow, as a share of its length.
        wobble: amplitude of the line's waves.
        dash: length of a dash and of the gap behind it; None for a solid line. A dash of no length is a dot.
        twin: half the distance of two lines in place of one; 0 for one.
        head: length of an arrow's wings; 0 for none.
        head_at: where on the leg the head sits, 1 for its end.
        thread: the tour is one line, from disc to disc without a stop, legs and all.
    """

    reach: float
    loose: float
    aside: float
    bow: float
    wobble: float
    dash: tuple[float, float] | None
    twin: float
    head: float
    head_at: float
    thread: bool


def usual_manner(rng: np.random.Generator) -> Manner:
    """The manner of most players."""
    kind = str(rng.choice(["rims", "through", "round"], p=[0.6, 0.25, 0.15]))
    dash = (float(rng.uniform(0.4, 0.8)), float(rng.uniform(0.15, 0.35))) if rng.random() < 0.12 else None
    return Manner(
        reach={"rims": float(rng.uniform(0.55, 1.15)), "through": 0.0, "round": 1.2}[kind],
        wobble=float(rng.uniform(0, 0.12)),
        dash=dash,
        arrows=bool(rng.random() < 0.25),
        through=kind == "through",
        round_discs=kind == "round",
    )


def free_manner(rng: np.random.Generator) -> FreeManner:
    """Any manner."""
    kind = str(rng.choice(["solid", "dashes", "dots", "twin", "thread"], p=[0.5, 0.15, 0.1, 0.1, 0.15]))
    dash = None
    if kind == "dashes":
        dash = (float(rng.uniform(0.12, 0.9)), float(rng.uniform(0.12, 0.5)))
    elif kind == "dots":
        dash = (0.0, float(rng.uniform(0.28, 0.6)))
    return FreeManner(
        reach=float(rng.uniform(0.0, 1.7)),
        loose=float(rng.uniform(0.0, 0.25)),
        aside=float(rng.uniform(0.0, 0.35)),
        bow=float(rng.choice([0.0, rng.uniform(0.0, 0.16)])),
        wobble=float(rng.choice([0.0, rng.uniform(0, 0.2)])),
        dash=dash,
        twin=float(rng.uniform(0.12, 0.3)) if kind == "twin" else 0.0,
        head=float(rng.uniform(0.25, 0.8)) if kind == "solid" and rng.random() < 0.35 else 0.0,
        head_at=float(rng.choice([1.0, rng.uniform(0.5, 0.8)])),
        thread=kind == "thread",
    )


def free_pen(writer: Writer, rng: np.random.Generator) -> Writer:
    """Any pen: from a pencil's point to a marker's chisel, or a highlighter that one sees through."""
    ink = writer.ink_bgr
    if rng.random() < 0.45:
        ink = (INKS + GAUDY)[int(rng.integers(len(INKS) + len(GAUDY)))]
    width = float(np.exp(rng.uniform(np.log(0.045), np.log(0.4))))
    flow = writer.flow * float(rng.choice([1.0, rng.uniform(0.55, 1.0)]))
    if rng.random() < 0.06:
        ink, width, flow = GAUDY[int(rng.integers(2, 5))], float(rng.uniform(0.35, 0.7)), float(rng.uniform(0.35, 0.7))
    return replace(writer, ink_bgr=ink, pen=width, flow=flow)


def draw_leg(
    scene: Scene, here: str, there: str, manner: Manner, pen: Writer, rng: np.random.Generator
) -> list[Stroke]:
    """One leg: its line, wobbly or in dashes, and the head of its arrow."""
    start, stop = scene.cells[here], scene.cells[there]
    length = float(np.hypot(*(np.array(stop) - start))) / scene.radius
    reach = max(0.0, min(manner.reach, (length - LEAST_LEG) / 2))
    line, *head = leg(start, stop, scene.radius, reach, pen, rng, manner.arrows and not manner.through)
    wobbly = _wobbly(line.points_board, manner.wobble * scene.radius, rng)
    if manner.dash is None:
        return [replace(line, points_board=wobbly), *head]
    parts = _dashes(wobbly, manner.dash[0] * scene.radius, manner.dash[1] * scene.radius)
    return [*(replace(line, points_board=part) for part in parts), *head]


def draw_free_leg(
    scene: Scene, here: str, there: str, manner: FreeManner, pen: Writer, rng: np.random.Generator
) -> list[Stroke]:
    """One leg of a tour that is no thread."""
    radius = scene.radius
    a, b = (np.array(scene.cells[region], dtype=np.float64) for region in (here, there))
    length = float(np.hypot(*(b - a))) / radius
    along = (b - a) / max(length * radius, 1e-9)
    across = np.array([-along[1], along[0]])
    most = max(0.0, (length - LEAST_LEG) / 2)
    ends = np.clip(manner.reach + manner.loose * rng.normal(size=2), 0.0, most)
    aside = np.clip(manner.aside * rng.normal(size=2), -0.9, 0.9)
    a = a + radius * (ends[0] * along + aside[0] * across)
    b = b + radius * (aside[1] * across - ends[1] * along)
    bow = float(np.clip(manner.bow * length * rng.normal(), -1.0, 1.0)) * radius
    at = np.linspace(0, 1, 25)
    line = a + at[:, None] * (b - a) + (bow * 4 * at * (1 - at))[:, None] * across
    line = _wobbly(line, manner.wobble * radius, rng)
    lines = [line + side * manner.twin * radius * across for side in (-1, 1)] if manner.twin else [line]
    width = pen.pen * radius
    if manner.dash is not None:
        dot = manner.dash[0] == 0
        width = max(width, 0.1 * radius) if dot else width
        lines = _dashes(line, max(manner.dash[0], 0.02) * radius, manner.dash[1] * radius)
    if manner.head:
        tip = line[round(manner.head_at * (len(line) - 1))]
        wings = [tip + manner.head * radius * (0.6 * side * across - along) for side in (-1, 1)]
        lines = [*lines, np.stack([wings[0], tip, wings[1]])]
    return [pen_stroke(part, width, 1.0, pen) for part in lines]


def draw_thread(
    scene: Scene, places: tuple[str, ...], manner: FreeManner, pen: Writer, rng: np.random.Generator
) -> Stroke:
    """A whole tour as one line that passes each disc's middle at some distance."""
    spots = np.array([scene.cells[region] for region in places], dtype=np.float64)
    spots = spots + scene.radius * np.clip(manner.aside * rng.normal(size=spots.shape), -0.8, 0.8)
    return pen_stroke(smooth(spots, 10), pen.pen * scene.radius, 1.0, pen)


def _wobbly(points: Polyline, amplitude: float, rng: np.random.Generator) -> Polyline:
    """The line with slow waves across it; its ends stay."""
    along = np.linspace(0, 1, len(points))
    step = points[-1] - points[0]
    across = np.array([-step[1], step[0]]) / max(float(np.hypot(*step)), 1e-9)
    wave = np.sin(np.pi * along) * np.sin(2 * np.pi * rng.uniform(0.5, 2.5) * along + rng.uniform(0, 2 * np.pi))
    return np.asarray(points + amplitude * wave[:, None] * across, dtype=np.float64)


def _dashes(points: Polyline, dash: float, gap: float) -> list[Polyline]:
    """The line cut into dashes; lengths in the line's own unit."""
    return pieces(points, np.arange(0.0, run_along(points)[-1], dash + gap), dash)
