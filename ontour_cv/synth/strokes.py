"""Hands that write: where the pen goes for a digit, a star, an X or a ring.

A :class:`Hand` gives glyphs in a unit box; a :class:`Writer` is a hand with habits (size, slant, pen, rings).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ontour_cv.synth.allographs import ALLOGRAPHS

Polyline = NDArray[np.float64]
"""A pen stroke, ``(N, 2)`` float64, x right and y down."""

LABELS = (*"0123456789", "*", "x", "o")
"""What a hand can write: digits, a star, an X, a ring."""


HELD_OUT: dict[str, tuple[int, ...]] = {
    "0": (4,), "1": (5,), "2": (4,), "3": (3,), "4": (4,), "5": (3,), "6": (3,), "7": (4,), "8": (3,), "9": (3,),
    "*": (6, 7), "x": (2,),
}  # fmt: skip
"""Allographs that training never sees; benchmarks may."""


class Hand(Protocol):
    """Somebody's handwriting."""

    def glyph(self, label: str, rng: np.random.Generator) -> list[Polyline]:
        """Strokes of one glyph: height (for ``*``, ``x``, ``o``: the longer side) 1, centred on the origin."""
        ...


def smooth(points: Sequence[tuple[float, float]] | Polyline, per_span: int = 6) -> Polyline:
    """A centripetal-free Catmull-Rom curve through the points; a point given twice stays a corner."""
    p = np.asarray(points, dtype=np.float64)
    if len(p) < 3:
        return p
    padded = np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])
    t = np.linspace(0, 1, per_span, endpoint=False)[None, :, None]
    p0, p1, p2, p3 = (padded[k : len(padded) - 3 + k, None, :] for k in range(4))
    same_left = np.all(p0 == p1, axis=2, keepdims=True)
    same_right = np.all(p2 == p3, axis=2, keepdims=True)
    m1 = np.where(same_left, 0.0, (p2 - p0) / 2)
    m2 = np.where(same_right, 0.0, (p3 - p1) / 2)
    h00, h10 = 2 * t**3 - 3 * t**2 + 1, t**3 - 2 * t**2 + t
    h01, h11 = -2 * t**3 + 3 * t**2, t**3 - t**2
    curve = (h00 * p1 + h10 * m1 + h01 * p2 + h11 * m2).reshape(-1, 2)
    return np.vstack([curve, p[-1]])


def run_along(points: Polyline) -> NDArray[np.float64]:
    """How far along a line each of its points lies, ``(N,)``, in the line's own unit."""
    return np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])


def pieces(points: Polyline, starts: NDArray[np.float64], length: float) -> list[Polyline]:
    """The pieces of a line that begin so far along it, each of this length or to the line's end, of six points."""
    run = run_along(points)
    cut = [np.linspace(low, min(low + length, run[-1]), 6) for low in starts]
    return [np.column_stack([np.interp(at, run, points[:, k]) for k in (0, 1)]) for at in cut]


def rotated(points: Polyline, angle: float) -> Polyline:
    """Points turned about the origin by an angle, radians, from x towards y."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]), dtype=np.float64)


def normalised(strokes: list[Polyline], label: str) -> list[Polyline]:
    """Strokes centred on the origin, scaled to height 1 (signs: longer side 1)."""
    every = np.concatenate(strokes)
    low, high = every.min(axis=0), every.max(axis=0)
    size = high - low
    extent = size[1] if label.isdigit() else size.max()
    extent = max(float(extent), 0.35 * float(size.max()), 1e-6)
    return [(s - (low + high) / 2) / extent for s in strokes]


@dataclass(frozen=True, slots=True, eq=False)
class ParametricHand:
    """A hand made of our own allographs, bent in a way that stays the same for this hand.

    Attributes:
        choices: label -> index of the allograph this hand uses.
        bend: ``(4, 4)`` amplitudes of a smooth distortion of the unit box, the hand's own.
        wobble: standard deviation of each control point's jitter, in units of the glyph's height.
    """

    choices: dict[str, int]
    bend: NDArray[np.float64]
    wobble: float

    def glyph(self, label: str, rng: np.random.Generator) -> list[Polyline]:
        """See :meth:`Hand.glyph`."""
        if label == "o":
            return [ring(rng)]
        shape = ALLOGRAPHS[label][self.choices[label]]
        return normalised([self._bent(smooth(_jittered(s, self.wobble, rng))) for s in shape], label)

    def _bent(self, points: Polyline) -> Polyline:
        x, y = points[:, 0], points[:, 1]
        waves = np.stack([np.sin(np.pi * y), np.sin(np.pi * x), np.sin(2 * np.pi * y), x * y], axis=1)
        return np.asarray(points + (waves @ self.bend)[:, :2], dtype=np.float64)


def _jittered(stroke: Sequence[tuple[float, float]], wobble: float, rng: np.random.Generator) -> Polyline:
    """Control points moved a little; the two copies of a corner move together."""
    points = np.asarray(stroke, dtype=np.float64)
    moves = rng.normal(0, wobble, points.shape)
    same = np.flatnonzero(np.all(points[1:] == points[:-1], axis=1)) + 1
    moves[same] = moves[same - 1]
    return points + moves


def ring(rng: np.random.Generator) -> Polyline:
    """A free-hand ring, longer side about 1: open, closed or overlapping, oval or egg-shaped, sometimes twice round."""
    turns = rng.choice([rng.uniform(0.9, 0.98), rng.uniform(0.98, 1.15), rng.uniform(1.9, 2.2)], p=[0.25, 0.65, 0.1])
    start = rng.uniform(0, 2 * np.pi)
    angle = start + rng.choice([-1, 1]) * np.linspace(0, 2 * np.pi * turns, int(28 * turns) + 6)
    drift = np.linspace(0, rng.normal(0, 0.05), len(angle))
    radius = 0.5 + drift
    for k in (1, 2, 3, 5):
        radius = radius + rng.normal(0, 0.045 / k) * np.cos(k * angle + rng.uniform(0, 2 * np.pi))
    aspect = np.exp(rng.normal(0, 0.09))
    return np.column_stack([radius * np.cos(angle) * aspect, radius * np.sin(angle) / aspect])


def steady_ring(rng: np.random.Generator) -> Polyline:
    """A ring 1 across as somebody draws it who follows a printed one: hardly a wave, its ends met or nearly."""
    turns = float(rng.uniform(0.95, 1.1))
    angle = rng.uniform(0, 2 * np.pi) + rng.choice([-1, 1]) * np.linspace(0, 2 * np.pi * turns, 48)
    return _round(angle, np.full(len(angle), 0.5), 0.006, rng)


def arc(rng: np.random.Generator) -> Polyline:
    """A ring 1 across that lacks a tenth to three tenths of the way."""
    angle = rng.uniform(0, 2 * np.pi) + np.linspace(0, 2 * np.pi * float(rng.uniform(0.7, 0.9)), 36)
    return _round(angle, np.full(len(angle), 0.5), 0.02, rng)


def coil(rng: np.random.Generator) -> Polyline:
    """A ring about 1 across, two to four times round without lifting the pen."""
    turns = float(rng.uniform(1.9, 4.1))
    angle = rng.uniform(0, 2 * np.pi) + rng.choice([-1, 1]) * np.linspace(0, 2 * np.pi * turns, int(30 * turns))
    radius = 0.5 + rng.normal(0, 0.05) * np.linspace(-1, 1, len(angle))
    radius = radius + 0.02 * np.cos(0.8 * angle + rng.uniform(0, 2 * np.pi))
    return _round(angle, radius, 0.02, rng)


def box(rng: np.random.Generator) -> Polyline:
    """A box about 1 wide in place of a ring, its corners sharp to round, now and then stood on one of them."""
    angle = np.linspace(0, 2 * np.pi * float(rng.uniform(0.97, 1.05)), 72) + rng.uniform(0, 2 * np.pi)
    power = float(np.exp(rng.uniform(np.log(3.0), np.log(14.0))))
    radius = 0.5 * (np.abs(np.cos(angle)) ** power + np.abs(np.sin(angle)) ** power) ** (-1 / power)
    turn = np.pi / 4 if rng.random() < 0.15 else float(rng.normal(0, 0.08))
    drawn = _round(angle, radius, 0.008, rng) * [float(np.exp(rng.normal(0, 0.12))), 1.0]
    return rotated(drawn, turn)


def _round(angle: NDArray[np.float64], radius: NDArray[np.float64], wave: float, rng: np.random.Generator) -> Polyline:
    """Points about the origin, in slow waves of about that height."""
    for k in (1, 2, 3, 5):
        radius = radius + rng.normal(0, wave) * np.cos(k * angle + rng.uniform(0, 2 * np.pi))
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


FORMS: dict[str, Callable[[np.random.Generator], Polyline]] = {
    "steady": steady_ring,
    "arc": arc,
    "coil": coil,
    "box": box,
}
"""What else is drawn in place of a free-hand ring."""


def parametric_hand(rng: np.random.Generator, held_out: bool = False) -> ParametricHand:
    """A new hand of our own shapes; ``held_out`` prefers the allographs that training never sees."""
    choices = {}
    for label, shapes in ALLOGRAPHS.items():
        kept = HELD_OUT[label]
        free = [k for k in range(len(shapes)) if k not in kept]
        pool = list(kept) if held_out and rng.random() < 0.5 else free
        choices[label] = int(rng.choice(pool))
    bend = rng.normal(0, 0.035, (4, 4))
    return ParametricHand(choices, bend, float(rng.uniform(0.008, 0.035)))


@dataclass(frozen=True, slots=True, eq=False)
class Writer:
    """A hand with habits; sizes are in disc radii.

    Attributes:
        hand: where the pen goes.
        height: height of digits.
        aspect: width of a digit relative to the hand's own.
        gap: space between the two digits.
        slant: shear of everything written (x per y).
        pen: stroke width.
        leading_zero: writes 05, not 5.
        ring_radius: radius of a drawn circle.
        ring_pen: width of a drawn circle's stroke.
        care: how often a circle is drawn round the number instead of across it.
        star_size, x_size: longer side of a star, an X.
        ink_bgr: colour of the pen.
        flow: 0-1, how much ink the pen leaves; less than 1 where it runs dry.
        streaks: 0-1, how much less it leaves in the worst stretches of a stroke.
        stray: how far off a disc's middle marks are written, as a multiple of the usual.
        downhill: by how many degrees the line of a number's digits falls.
        ring_bgr: colour of the pen for circles; None where it is the pen for everything.
        form: what circles look like, one of ``FORMS``; None for free-hand rings.
        cross, star: what an X and a star look like, one of ``synth.signs.CROSSES`` and ``STARS``; None for the hand's.
        setting: how numbers are set, one of ``synth.signs.SETTINGS``; None for digits in a row.
        room: how wide numbers may get, and how large the rings round them, as a multiple of the usual.
        ring_flow: 0-1, how much ink a highlighter for circles leaves, drawn before what is in them; None where it is no
            highlighter.
        mends: 0-1, how often a number stands beside another that was struck out.
        second_bgr: colour of another pen that half of all marks are made with; None where there is one pen.
    """

    hand: Hand
    height: float
    aspect: float
    gap: float
    slant: float
    pen: float
    leading_zero: bool
    ring_radius: float
    ring_pen: float
    care: float
    star_size: float
    x_size: float
    ink_bgr: tuple[int, int, int]
    flow: float = 1.0
    streaks: float = 0.0
    stray: float = 1.0
    downhill: float = 0.0
    ring_bgr: tuple[int, int, int] | None = None
    form: str | None = None
    cross: str | None = None
    star: str | None = None
    setting: str | None = None
    room: float = 1.0
    ring_flow: float | None = None
    mends: float = 0.0
    second_bgr: tuple[int, int, int] | None = None


_INKS = ((28, 24, 22), (20, 20, 25), (45, 35, 30), (120, 50, 25), (40, 30, 150), (60, 95, 30), (60, 60, 60))


def sample_writer(rng: np.random.Generator, hand: Hand | None = None, wild: bool = False) -> Writer:
    """A writer with random habits; pen width about 1/12 of a disc's diameter, as on photographed boards.

    Args:
        rng: chance.
        hand: whose hand; None for a new one of our own shapes.
        wild: habits spread wider than people's at a table (fat pens, coloured inks, crowded digits), for training.
    """
    spread = 1.0 if wild else 0.6
    height = float(np.clip(rng.normal(1.02, 0.17 * spread), 0.6, 1.5))
    pen = min(float(np.clip(0.165 * np.exp(rng.normal(0, 0.3 * spread)), 0.08, 0.3)), (0.22 if wild else 0.19) * height)
    chances = [0.34, 0.28, 0.12, 0.1, 0.06, 0.05, 0.05] if wild else [0.46, 0.34, 0.08, 0.05, 0.02, 0.02, 0.03]
    ink = _INKS[int(rng.choice(len(_INKS), p=chances))]
    return Writer(
        hand=hand if hand is not None else parametric_hand(rng),
        height=height,
        aspect=float(np.clip(np.exp(rng.normal(0, 0.13 * spread)), 0.7, 1.4)),
        gap=float(rng.normal(0.17, 0.06 * spread)),
        slant=float(rng.normal(-0.05, 0.12)),
        pen=pen,
        leading_zero=bool(rng.random() < 0.7),
        ring_radius=float(np.clip(rng.normal(1.04, 0.1 * spread), 0.82, 1.32)),
        ring_pen=pen * float(rng.choice([1.0, rng.uniform(1.0, 1.8)])),
        care=0.5 if wild else 0.85,
        star_size=float(np.clip(rng.normal(1.35, 0.25 * spread), 0.75, 2.0)),
        x_size=float(np.clip(rng.normal(1.65, 0.28 * spread), 1.1, 2.3)),
        ink_bgr=ink,
    )
