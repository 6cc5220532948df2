"""Hands that write: where the pen goes for a digit, a star, an X or a ring.

A :class:`Hand` gives glyphs in a unit box; a :class:`Writer` is a hand with habits (size, slant, pen, rings).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ontour_cv.synth import misrecorded
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

MOST_STROKES = {"0": 2, "1": 3, "2": 1, "3": 1, "4": 3, "5": 2, "6": 1, "7": 3, "8": 2, "9": 2}
"""Strokes a digit is written in at most; recordings with more have gaps."""


GAPS = 0.12
"""Share of 2s, 3s and 6s in several pieces from which on a writer's tablet is not trusted."""

LEAST_LENGTH = 700.0
"""Path length below which a recording is a dot (its longer side is 1000)."""


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
class RecordedHand:
    """A hand that repeats recorded pen strokes (a data folder given by the user; never shipped).

    Attributes:
        samples: label -> that writer's samples, each a list of strokes; a missing label falls back to ``spare``.
        spare: a hand for what this writer never wrote.
        bend: how strongly each glyph is bent out of shape (standard deviation, glyph heights), for training: a few
            dozen samples a writer become many.
    """

    samples: dict[str, list[list[Polyline]]]
    spare: Hand
    bend: float = 0.0

    def glyph(self, label: str, rng: np.random.Generator) -> list[Polyline]:
        """See :meth:`Hand.glyph`."""
        pool = self.samples.get(label)
        if not pool:
            return self.spare.glyph(label, rng)
        strokes = pool[int(rng.integers(len(pool)))]
        if not self.bend:
            return strokes
        waves = rng.normal(0, self.bend, (4, 2))
        phase = rng.uniform(0, 2 * np.pi, 4)
        turn = rng.normal(0, 1.2 * self.bend)
        return [_waved(s, waves, phase, turn) for s in strokes]


def _waved(points: Polyline, waves: NDArray[np.float64], phase: NDArray[np.float64], turn: float) -> Polyline:
    """Points of a glyph under a smooth distortion (the stroke form of elastic distortion, Simard et al. 2003)."""
    x, y = points[:, 0], points[:, 1]
    inner = np.stack([3 * x, 3 * y, 5 * (x + y), 5 * (x - y)], axis=1)
    turned = points + turn * np.stack([-y, x], axis=1)
    return np.asarray(turned + np.sin(inner + phase) @ waves, dtype=np.float64)


def load_recorded(folder: Path, split: str = "train") -> list[dict[str, list[list[Polyline]]]]:
    """Recorded writers of one split from ``digits.npz`` and ``symbols.npz`` in a folder.

    Writers are split by id, the same in both files: ``id % 10`` of 8 is ``"valid"``, of 9 is ``"test"``, the rest
    ``"train"``; writers of a split never show in another. Samples of quality 2 (broken) are left out, and digits in
    more pieces than anybody writes them (``MOST_STROKES``): some tablets lost parts of strokes, and what is left of a
    6 is an honest C. Writers whose tablet did so often (a 2, 3 or 6 in several pieces more than ``GAPS`` of the time)
    are left out altogether, and so are dots and what ``misrecorded`` lists.

    Returns:
        one dictionary per writer with at least six different digits: label (see ``LABELS``) -> samples.
    """
    wanted = {"train": range(8), "valid": (8,), "test": (9,)}[split]
    names = {"asterisk": "*", "star5": "*", "star6": "*", "X": "x", "circle": "o"}
    writers: dict[int, dict[str, list[list[Polyline]]]] = {}
    pieces: dict[int, list[bool]] = {}
    for file in ("digits.npz", "symbols.npz"):
        with np.load(folder / file) as store:
            data = {key: store[key] for key in store.files}
        for i in np.flatnonzero((data["quality"] < 2) & np.isin(data["writer"] % 10, list(wanted))):
            label = str(data["label"][i])
            label = names.get(label, label)
            if label not in LABELS or (file == "digits.npz" and int(i) in misrecorded.DIGITS):
                continue
            spans = range(data["sample_start"][i], data["sample_start"][i + 1])
            raw = [data["pts"][data["stroke_start"][j] : data["stroke_start"][j + 1]].astype(np.float64) for j in spans]
            strokes = [_cleaned(s, float(data["native"][i])) for s in raw if len(s)]
            writer = int(data["writer"][i])
            if label in ("2", "3", "6"):
                pieces.setdefault(writer, []).append(len(strokes) > 1)
            few = data["label"][i] == "asterisk" and len(strokes) < 3  # two crossed strokes read as an X
            if strokes and not few and len(strokes) <= MOST_STROKES.get(label, 99) and _length(strokes) > LEAST_LENGTH:
                writers.setdefault(writer, {}).setdefault(label, []).append(normalised(strokes, label))
    broken = {writer for writer, several in pieces.items() if sum(several) > GAPS * len(several)}
    kept = [w for writer, w in sorted(writers.items()) if writer not in broken]
    return [w for w in kept if sum(d in w for d in "0123456789") >= 6]


def _length(strokes: list[Polyline]) -> float:
    """Length of the pen's path in the recording's units (the longer side of a sample is 1000)."""
    return float(sum(np.linalg.norm(np.diff(s, axis=0), axis=1).sum() for s in strokes))


def _cleaned(stroke: Polyline, native: float) -> Polyline:
    """Thinned to steps of at least 1.5 % of the glyph; coarse recordings are smoothed (native size under 40 units)."""
    keep = [0]
    for k in range(1, len(stroke)):
        if np.abs(stroke[k] - stroke[keep[-1]]).sum() >= 15:
            keep.append(k)
    thin = stroke[keep]
    if 1.0 < native < 40 and len(thin) > 4:
        inner = (thin[:-2] + 2 * thin[1:-1] + thin[2:]) / 4
        thin = np.vstack([thin[:1], inner, thin[-1:]])
    return thin


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
