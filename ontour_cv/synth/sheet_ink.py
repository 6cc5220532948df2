"""What a player leaves on a sheet: digits, circles, Xs and crossed boxes, and what was written wrong first.

Everything is strokes in the sheet's frame (sheet widths, x right and y down), in the order of writing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ontour_cv.board import Kind, Mark
from ontour_cv.geometry import Points
from ontour_cv.synth.sheet_hand import FELT, SheetWriter
from ontour_cv.synth.sheet_room import Room, room_in
from ontour_cv.synth.signs import CROSSES
from ontour_cv.synth.strokes import Polyline, ring, smooth

INK, GHOST, RUB = "ink", "ghost", "rub"

BOX_FORMS = ("cross", "slash", "backslash", "scribble", "fill", "tick")
"""How a box is crossed off."""

PLAIN, ERASED, CROSSED_OUT, OVERWRITTEN = "plain", "erased", "crossed out", "overwritten"
"""What became of a cell: written once, or mended in one of three ways; the last writing counts."""

Line = list[tuple[float, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """One movement on the paper.

    Attributes:
        points: ``(N, 2)`` float64, sheet widths.
        width: of the stroke.
        kind: ``INK``; ``GHOST``: what a rubber left of it; ``RUB``: the rubber's own path.
        dark: 0-1, share of the tool's cover.
        counts: whether it is a stroke of the digit or X that counts in the end.
    """

    points: Polyline
    width: float
    kind: str = INK
    dark: float = 1.0
    counts: bool = False


def cell_traces(mark: Mark, outline: Points, writer: SheetWriter, rng: np.random.Generator) -> tuple[list[Trace], str]:
    """All that is drawn for one cell, and what became of it (``PLAIN`` and so on); a blank cell has no trace.

    Args:
        mark: what the cell says in the end.
        outline: ``(N, 2)`` the cell, sheet widths.
        writer: who writes.
        rng: chance.
    """
    room = room_in(outline, writer, rng)
    if mark.kind is Kind.EMPTY:
        if rng.random() < 0.25 * writer.mending * writer.rubber:  # something erased, nothing written instead
            return erased(_wrong(room, writer, rng, 0), writer, rng), ERASED
        return [], PLAIN
    if mark.kind is Kind.BLOCKED:
        before: list[Trace] = []
        mended = rng.random() < writer.mending * writer.rubber
        if mended:
            before = erased(_wrong(room, writer, rng, 0), writer, rng)
        return before + _counting(cross(room, writer, rng)), ERASED if mended else PLAIN
    if mark.number is None:
        raise ValueError(f"a sheet has no {mark.kind}")
    if rng.random() < writer.mending:
        traces, how = _mended(mark.number, room, writer, rng)
    else:
        traces, how = _counting(digit(mark.number, room, writer, rng)), PLAIN
    if mark.circled:
        traces += guard(traces, room, writer, rng)
    return traces, how


def digit(
    number: int, room: Room, writer: SheetWriter, rng: np.random.Generator, share: float = 1.0,
    shift: tuple[float, float] = (0.0, 0.0),
) -> list[Trace]:  # fmt: skip
    """A digit in a cell: as large as the writer likes, smaller where it must be.

    Args:
        number: 0-9.
        room: the cell.
        writer: who writes.
        rng: chance.
        share: of the size it would have.
        shift: of its middle, in digit heights.
    """
    height = min(writer.height * float(np.exp(rng.normal(0, 0.08))), 2 * room.clear * writer.snug)
    height *= share * float(np.exp(rng.normal(0, 0.06)))
    strokes = [s * [writer.aspect * height, height] for s in writer.hand.glyph(str(number), rng)]
    shear = np.array([[1.0, writer.slant + float(rng.normal(0, 0.04))], [0.0, 1.0]])
    place = room.middle + (rng.normal(0, writer.stray, 2) + shift) * height
    pen = min(writer.pen, 0.17 * height) * float(np.exp(rng.normal(0, 0.08)))
    return [Trace(s @ shear.T + place, pen) for s in strokes]


def guard(written: list[Trace], room: Room, writer: SheetWriter, rng: np.random.Generator) -> list[Trace]:
    """A circle round what is written: tight or wide, open, twice round, across the border; sometimes round the cell."""
    points = np.concatenate([trace.points for trace in written if trace.kind == INK])
    low, high = points.min(axis=0), points.max(axis=0)
    middle, tall = (low + high) / 2, float(max(high - low))
    wide = writer.ring * tall * float(np.exp(rng.normal(0, 0.09)))
    if rng.random() < 0.08:  # as large as the cell lets it
        wide = max(wide, 2 * room.clear * float(rng.uniform(0.8, 1.05)))
    shape = writer.hand.glyph("o", rng)[0] if rng.random() < 0.5 else ring(rng)
    span = np.ptp(shape, axis=0)
    if span.min() < 0.62 * span.max():  # a recorded ellipse too flat to go round
        shape = ring(rng)
    stretch = np.array([1.0, 1.0])
    if rng.random() < 0.4:  # round a narrow digit an oval
        stretch = np.array([float(rng.uniform(0.7, 0.95)), 1.0])
    centre = middle + rng.normal(0, 0.06, 2) * tall
    return [Trace(shape * wide * stretch + centre, written[-1].width * float(np.exp(rng.normal(0, 0.1))))]


def cross(room: Room, writer: SheetWriter, rng: np.random.Generator) -> list[Trace]:
    """An X: the hand's own, or from corner to corner of the cell, or gone over."""
    form = int(rng.choice(3, p=writer.cross_forms)) if writer.cross_form is None else 0
    pen = min(writer.pen * float(np.exp(rng.normal(0.05, 0.1))), 0.3 * room.clear)
    side = 2 * room.clear * writer.cross * float(np.exp(rng.normal(0, 0.1)))
    side = max(min(side, 1.6 * writer.height), 0.012)
    if form == 1:
        half = np.minimum((room.high - room.low) / 2, 2.2 * room.clear) * writer.cross
        arms = [np.array([[-1, -1], [1, 1.0]]), np.array([[1, -1], [-1, 1.0]])]
        strokes = [smooth(_bowed(arm * half * float(rng.uniform(0.85, 1.05)), rng), 6) for arm in arms]
    else:
        glyph = CROSSES[writer.cross_form](rng) if writer.cross_form else writer.hand.glyph("x", rng)
        strokes = [s * side * float(np.exp(rng.normal(0, 0.06))) for s in glyph]
    if form == 2:
        strokes += [s + rng.normal(0, 0.05, 2) * side for s in strokes]
    place = room.middle + rng.normal(0, 0.08, 2) * side
    return [Trace(s + place, pen) for s in strokes]


def erased(traces: list[Trace], writer: SheetWriter, rng: np.random.Generator) -> list[Trace]:
    """What a rubber leaves of traces: a ghost of them, and the smudge of its path."""
    ghost = float(rng.uniform(0.06, 0.34))
    points = np.concatenate([trace.points for trace in traces])
    low, high = points.min(axis=0), points.max(axis=0)
    tall = float(max(high - low))
    count = int(rng.integers(3, 7))
    t = np.linspace(-0.6, 0.6, count)
    sides = np.where(np.arange(count) % 2, 0.55, -0.55)
    angle = float(rng.uniform(0, np.pi))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    path = (np.column_stack([t, sides]) + rng.normal(0, 0.05, (count, 2))) * tall @ turn.T + (low + high) / 2
    rub = Trace(smooth(path, 6), 0.3 * tall, RUB, float(rng.uniform(0.2, 1.0)))
    return [*(Trace(trace.points, trace.width * 1.15, GHOST, ghost) for trace in traces), rub]


def _wrong(room: Room, writer: SheetWriter, rng: np.random.Generator, number: int) -> list[Trace]:
    """Something else than ``number``: another digit, now and then an X."""
    if rng.random() < 0.12:
        return cross(room, writer, rng)
    return digit(int(rng.choice([n for n in range(1, 7) if n != number])), room, writer, rng)


def _mended(number: int, room: Room, writer: SheetWriter, rng: np.random.Generator) -> tuple[list[Trace], str]:
    """A wrong digit first, then the right one over or beside it."""
    if rng.random() < writer.rubber:
        before = erased(_wrong(room, writer, rng, number), writer, rng)
        return before + _counting(digit(number, room, writer, rng)), ERASED
    wide = float(room.high[0] - room.low[0])
    if rng.random() < 0.25:  # gone over heavily until the new digit wins
        old = [Trace(t.points, t.width, INK, 0.55) for t in _wrong(room, writer, rng, number)]
        new = digit(number, room, writer, rng, 1.1)
        heavy = [Trace(t.points + rng.normal(0, 0.03, 2) * room.clear, t.width * 1.5) for t in new]
        return old + _counting(new) + heavy, OVERWRITTEN
    aside = 0.75 if wide > 2.6 * room.clear or rng.random() < 0.5 else 0.55
    side = float(rng.choice([-1, 1]))
    size = 0.85 if wide > 2.6 * room.clear else 0.66
    old_number = int(rng.choice([n for n in range(1, 7) if n != number]))
    old = digit(old_number, room, writer, rng, 0.9 * size, (-side * aside, 0.0))
    new = digit(number, room, writer, rng, size, (side * aside, float(rng.normal(0, 0.15))))
    return old + strike(old, writer, rng) + _counting(new), CROSSED_OUT


def _counting(traces: list[Trace]) -> list[Trace]:
    return [replace(trace, counts=True) for trace in traces]


def strike(traces: list[Trace], writer: SheetWriter, rng: np.random.Generator) -> list[Trace]:
    """Lines through what was written: one, two, crossed, or a scribble over all of it."""
    points = np.concatenate([trace.points for trace in traces])
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = (low + high) / 2, np.maximum((high - low) / 2, 0.25 * float(max(high - low))) * 1.25
    form = str(rng.choice(["slash", "two", "cross", "scribble"], p=[0.25, 0.2, 0.15, 0.4]))
    lines: dict[str, list[Line]] = {
        "slash": [[(-1, 1), (1, -1)]],
        "two": [[(-1, -0.3), (1, -0.4)], [(-1, 0.35), (1, 0.25)]],
        "cross": [[(-1, -1), (1, 1)], [(1, -1), (-1, 1)]],
        "scribble": [_zigzag(9)],
    }
    pen = traces[0].width
    return [Trace(smooth(_bowed(np.array(line) * half, rng), 6) + middle, pen) for line in lines[form]]


def box_traces(box: Points, writer: SheetWriter, rng: np.random.Generator) -> list[Trace]:
    """One box crossed off, in the writer's way (one box in twenty in another).

    Args:
        box: ``(4, 2)`` corners, sheet widths.
        writer: who crosses it off.
        rng: chance.
    """
    form = BOX_FORMS[writer.box_form if rng.random() < 0.95 else int(rng.integers(len(BOX_FORMS)))]
    middle, half = box.mean(axis=0), np.ptp(box, axis=0) / 2
    half = half * writer.cross * 1.15 * float(np.exp(rng.normal(0, 0.1)))
    lines: dict[str, list[Line]] = {
        "cross": [[(-1, -1), (1, 1)], [(1, -1), (-1, 1)]],
        "slash": [[(-1, 1), (1, -1)]],
        "backslash": [[(-1, -1), (1, 1)]],
        "scribble": [_zigzag(int(rng.integers(6, 10)))],
        "fill": [_zigzag(18)],
        "tick": [[(-0.8, 0.0), (-0.2, 0.8), (-0.2, 0.8), (1.0, -1.0)]],
    }
    pen = writer.pen * (1.3 if form == "fill" else 1.0) * (0.8 if writer.tool == FELT else 1.0)
    place = middle + rng.normal(0, 0.08, 2) * half
    return [Trace(smooth(_bowed(np.array(line) * half, rng), 6) + place, pen) for line in lines[form]]


def count_traces(number: int, box: Points, writer: SheetWriter, rng: np.random.Generator) -> list[Trace]:
    """A number in the large box: one digit or two, about half as high as the box."""
    low, high = box.min(axis=0), box.max(axis=0)
    height = float(high[1] - low[1]) * float(np.clip(rng.normal(0.55, 0.12), 0.28, 0.85))
    left, parts = 0.0, list[Polyline]()
    for sign in str(number):
        strokes = [s * [writer.aspect * height, height] for s in writer.hand.glyph(sign, rng)]
        start = min(float(s[:, 0].min()) for s in strokes)
        stop = max(float(s[:, 0].max()) for s in strokes)
        shift = np.array([left - start, float(rng.normal(0, 0.03)) * height])
        parts += [s + shift for s in strokes]
        left += stop - start + height * float(np.clip(rng.normal(0.16, 0.06), 0.03, 0.4))
    every = np.concatenate(parts)
    fit = min(1.0, 0.92 * float(high[0] - low[0]) / max(float(np.ptp(every[:, 0])), 1e-9))
    middle = (every.min(axis=0) + every.max(axis=0)) / 2
    place = (low + high) / 2 + rng.normal(0, 0.09, 2) * (high - low) * (0.4, 0.6)
    shear = np.array([[1.0, writer.slant], [0.0, 1.0]])
    pen = writer.pen * float(np.exp(rng.normal(0.1, 0.1)))
    return [Trace((s - middle) * fit @ shear.T + place, pen) for s in parts]


def _zigzag(count: int) -> Line:
    """Up and down from left to right in a unit box."""
    return [(x, (-1.0, 1.0)[k % 2]) for k, x in enumerate(np.linspace(-1, 1, count).tolist())]


def _bowed(points: Polyline, rng: np.random.Generator) -> Polyline:
    """Points moved a little, and a bend in the middle of a straight stroke."""
    size = float(np.abs(points).max())
    moved = points + rng.normal(0, 0.07, points.shape) * size
    if len(moved) == 2:
        moved = np.stack([moved[0], moved.mean(axis=0) + rng.normal(0, 0.06, 2) * size, moved[1]])
    return np.asarray(moved, dtype=np.float64)
