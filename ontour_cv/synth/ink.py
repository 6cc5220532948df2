"""What a pen leaves on a board: marks in cells and the clutter round them, as strokes in the board frame."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.board import Kind, Mark
from ontour_cv.synth.mends import mended
from ontour_cv.synth.signs import set_otherwise, sign
from ontour_cv.synth.strokes import FORMS, Polyline, Writer, ring, rotated, smooth

Point = tuple[float, float]

LEAST_RING = 0.7
"""Least longer side of a recorded ring's first stroke; recordings have 1. What is smaller is a dot the pen left."""


@dataclass(frozen=True, slots=True, eq=False)
class Stroke:
    """One pen stroke on the board.

    Attributes:
        points_board: ``(N, 2)`` float64, board frame.
        width_board: stroke width, board frame.
        darkness: 0-1, how much ink it left (ghosts of wiped ink are faint).
        bgr: colour of the ink.
        streaks: 0-1, how much less it left in the worst stretches.
    """

    points_board: Polyline
    width_board: float
    darkness: float
    bgr: tuple[int, int, int]
    streaks: float = 0.0


def cell_strokes(
    mark: Mark, centre_board: Point, radius_board: float, writer: Writer, rng: np.random.Generator
) -> list[Stroke]:
    """Everything the writer puts down for one mark: the number, star or X, and the ring when it is circled."""
    local: list[tuple[list[Polyline], float, float]] = []
    if writer.second_bgr is not None and rng.random() < 0.5:
        writer = replace(writer, ink_bgr=writer.second_bgr)
    pen = writer.pen * float(np.exp(rng.normal(0, 0.07)))
    dark = float(np.clip(rng.normal(0.96, 0.06), 0.6, 1.0))
    if mark.kind is Kind.NUMBER and mark.number is not None:
        if rng.random() < 0.012:  # written over an earlier number that was wiped out
            local.append((number_strokes(int(rng.integers(0, 100)), writer, rng), pen, float(rng.uniform(0.1, 0.3))))
        strokes = number_strokes(mark.number, writer, rng)
        if writer.mends and rng.random() < writer.mends:
            old, strokes = mended(number_strokes(int(rng.integers(0, 100)), writer, rng), strokes, rng)
            local.append((old, pen, dark))
        local.append((strokes, pen, dark))
    elif mark.kind is Kind.STAR:
        local.append((_sign("*", writer.star_size, writer, rng), pen, dark))
    elif mark.kind is Kind.BLOCKED:
        strokes = _sign("x", writer.x_size, writer, rng)
        repeats = 2 if rng.random() < 0.08 else 1  # gone over twice
        for _ in range(repeats):
            local.append(([s + rng.normal(0, 0.03, 2) for s in strokes], pen * float(rng.uniform(1.0, 1.4)), dark))
    written = len(local)
    if mark.circled:
        local.append(([_ring(writer, _reach(local), rng)], writer.ring_pen * float(np.exp(rng.normal(0, 0.07))), dark))
    ringing = writer if writer.ring_bgr is None else replace(writer, ink_bgr=writer.ring_bgr)
    if writer.ring_flow is not None:
        ringing = replace(ringing, flow=writer.ring_flow, streaks=0.0)
    put = [
        pen_stroke(
            np.asarray(centre_board) + radius_board * s,
            radius_board * width,
            darkness,
            writer if k < written else ringing,
        )
        for k, (lines, width, darkness) in enumerate(local)
        for s in lines
    ]
    # what is written shows through a highlighter, as if it lay above it
    return put if writer.ring_flow is None or not mark.circled else [put[-1], *put[:-1]]


def pen_stroke(points_board: Polyline, width_board: float, darkness: float, writer: Writer) -> Stroke:
    """A stroke of a writer's pen, which may be running dry."""
    return Stroke(points_board, width_board, darkness * writer.flow, writer.ink_bgr, writer.streaks)


def number_strokes(number: int, writer: Writer, rng: np.random.Generator) -> list[Polyline]:
    """The digits of a number in disc radii round the disc's centre, squeezed when they would not fit."""
    text = f"{number:02d}" if number >= 10 or writer.leading_zero else str(number)
    height = writer.height * float(np.exp(rng.normal(0, 0.07))) * (1.1 if len(text) == 1 else 1.0)
    parts: list[list[Polyline]] = []
    left = 0.0
    for digit in text:
        size = height * float(np.exp(rng.normal(0, 0.06)))
        glyph = [s * [writer.aspect * size, size] for s in writer.hand.glyph(digit, rng)]
        low = min(float(s[:, 0].min()) for s in glyph)
        high = max(float(s[:, 0].max()) for s in glyph)
        shift = [left - low, float(rng.normal(0, 0.05)) * height]
        parts.append([s + shift for s in glyph])
        left += high - low + writer.pen * 0.5 + max(-0.02, writer.gap + float(rng.normal(0, 0.06)))
    strokes = set_otherwise(parts, writer, rng)
    every = np.concatenate(strokes)
    low_x, high_x = float(every[:, 0].min()), float(every[:, 0].max())
    fit = min(1.0, writer.room * float(rng.uniform(1.55, 2.05)) / max(high_x - low_x, 1e-6))
    centre = np.array([(low_x + high_x) / 2, 0.0])
    move = writer.stray * rng.normal(0, 0.07, 2)
    strokes = [_turned((s - centre) * [fit, max(fit, 0.8)], writer.slant, rng) for s in strokes]
    return [rotated(s, np.radians(writer.downhill)) + move for s in strokes]


def _sign(label: str, size: float, writer: Writer, rng: np.random.Generator) -> list[Polyline]:
    scale = size * float(np.exp(rng.normal(0, 0.1)))
    stretch = np.exp(rng.normal(0, 0.08))
    move = writer.stray * rng.normal(0, 0.08, 2)
    glyph = sign(label, writer, rng)
    return [_turned(s * [scale * stretch, scale / stretch], writer.slant, rng) + move for s in glyph]


def _reach(local: list[tuple[list[Polyline], float, float]]) -> float:
    """How far what is written reaches from the disc's centre, disc radii; the outermost tenth does not count."""
    points = [s for strokes, _, _ in local for s in strokes]
    return float(np.quantile(np.linalg.norm(np.concatenate(points), axis=1), 0.9)) if points else 0.0


def _ring(writer: Writer, reach: float, rng: np.random.Generator) -> Polyline:
    """A ring on or near the printed one; careful writers draw it round what they wrote, others across it."""
    if writer.form is not None:
        loose = 0.01 if writer.form == "steady" else 0.06
        radius = writer.ring_radius * float(np.exp(rng.normal(0, loose)))
        return np.asarray(FORMS[writer.form](rng) * (2 * radius) + rng.normal(0, loose + 0.01, 2), dtype=np.float64)
    radius = writer.ring_radius * float(np.exp(rng.normal(0, 0.06)))
    careful = rng.random() < writer.care
    if careful:
        radius = max(radius, min(reach + writer.ring_pen, 1.4 * writer.room))
    shape = writer.hand.glyph("o", rng)[0] if rng.random() < 0.5 else ring(rng)
    span = shape.max(axis=0) - shape.min(axis=0)
    flat = span.min() < (0.8 if careful else 0.62) * span.max()
    if flat or span.max() < LEAST_RING:  # a recorded ellipse too flat to go round, or no more than a dot
        shape = ring(rng)
    return np.asarray(shape * (2 * radius) + rng.normal(0, 0.07, 2), dtype=np.float64)


def _turned(points: Polyline, slant: float, rng: np.random.Generator) -> Polyline:
    shear = np.array([[1.0, slant + float(rng.normal(0, 0.03))], [0.0, 1.0]])
    return np.asarray(points @ shear.T, dtype=np.float64)


def clutter_strokes(
    centres: Mapping[str, Point],
    radius_board: float,
    route: Sequence[str],
    unvisited: Sequence[str],
    writer: Writer,
    rng: np.random.Generator,
) -> list[Stroke]:
    """The player's notes: the route drawn from disc to disc, and small x ticks beside discs that are not on it.

    Args:
        centres: region id -> disc centre, board frame.
        radius_board: disc radius, board frame.
        route: ids along the drawn route; empty when none is drawn.
        unvisited: ids that may carry a small x beside the disc (up to fifteen on a real board).
        writer: who draws.
        rng: chance.
    """
    strokes = []
    arrows = rng.random() < 0.3
    reach = float(rng.uniform(0.7, 1.15))
    for here, there in itertools.pairwise(route):
        strokes += leg(centres[here], centres[there], radius_board, reach, writer, rng, bool(arrows))
    for region in unvisited:
        strokes += tick(centres[region], radius_board, writer, rng)
    return strokes


def leg(
    start: Point, stop: Point, radius_board: float, reach: float, writer: Writer, rng: np.random.Generator, arrow: bool
) -> list[Stroke]:
    """One leg of a drawn route, from rim to rim (``reach`` disc radii from each centre), slightly bent."""
    a, b = np.asarray(start, dtype=np.float64), np.asarray(stop, dtype=np.float64)
    along = (b - a) / max(float(np.linalg.norm(b - a)), 1e-9)
    across = np.array([-along[1], along[0]])
    ends = reach + rng.normal(0, 0.12, 2)
    a, b = a + along * radius_board * ends[0], b - along * radius_board * ends[1]
    a, b = a + across * rng.normal(0, 0.15) * radius_board, b + across * rng.normal(0, 0.15) * radius_board
    middle = (a + b) / 2 + across * rng.normal(0, 0.3) * radius_board
    width = writer.pen * float(np.exp(rng.normal(0, 0.15))) * radius_board
    line = pen_stroke(smooth(np.stack([a, middle, b]), 8), width, 0.95, writer)
    if not arrow:
        return [line]
    wings = [-along * 0.45 + side * across * 0.3 for side in (-1, 1)]
    head = np.stack([b + wings[0] * radius_board, b, b + wings[1] * radius_board])
    return [line, pen_stroke(head, width, 0.95, writer)]


def tick(centre: Point, radius_board: float, writer: Writer, rng: np.random.Generator) -> list[Stroke]:
    """A small x beside a disc or half over its edge: the note "not on my route", never a blocked state."""
    angle = rng.uniform(0, 2 * np.pi)
    away = rng.uniform(0.92, 1.5)
    size = radius_board * rng.uniform(0.22, 0.5)
    middle = np.asarray(centre) + radius_board * away * np.array([np.cos(angle), np.sin(angle)])
    arms = np.array([[[-1, -1], [1, 1]], [[1, -1], [-1, 1]]]) * 0.5 * size
    width = writer.pen * radius_board * float(rng.uniform(0.7, 1.1))
    return [pen_stroke(middle + arm + rng.normal(0, 0.08 * size, (2, 2)), width, 0.95, writer) for arm in arms]


def coverage(strokes: Sequence[Stroke], matrix: NDArray[np.float64], shape: tuple[int, int]) -> NDArray[np.float32]:
    """How much ink covers each pixel, ``(H, W)`` float32 0-1, antialiased.

    Args:
        strokes: in the board frame.
        matrix: ``(2, 3)`` or ``(3, 3)`` map from the board frame to pixels (the affine part gives the pen's width).
        shape: ``(height, width)`` of the picture.
    """
    affine = np.asarray(matrix, dtype=np.float64)[:2]
    scale = float(np.sqrt(abs(np.linalg.det(affine[:, :2]))))
    ink = np.zeros(shape, np.uint8)
    layer = np.zeros(shape, np.uint8) if any(s.darkness < 0.999 for s in strokes) else ink
    for stroke in strokes:
        points = stroke.points_board @ affine[:, :2].T + affine[:, 2]
        low, high = points.min(axis=0), points.max(axis=0)
        if high.min() < -50 or low[0] > shape[1] + 50 or low[1] > shape[0] + 50:
            continue
        fixed = np.round(points * 16).astype(np.int32)
        width = max(1, round(stroke.width_board * scale))
        if layer is not ink:
            layer[:] = 0
        cv2.polylines(layer, [fixed], False, round(255 * stroke.darkness), width, cv2.LINE_AA, 4)
        if layer is not ink:
            np.maximum(ink, layer, out=ink)
    return ink.astype(np.float32) / 255.0
