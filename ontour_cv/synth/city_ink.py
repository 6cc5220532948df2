"""What players draw on a board of New York beside its numbers: ticks for soloists, ferry lines, rows crossed off.

Everything is in the design's frame (board widths), and is drawn on the print before numbers are written and the camera
sees it. How marks and lines look is our own invention: broad on purpose, since no photo of a played board is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ontour_cv.city_board import CityBoard, Pair
from ontour_cv.maps.city import INSTRUMENTS
from ontour_cv.press.city_panel import row_boxes
from ontour_cv.press.tickboxes import Box, tick_boxes
from ontour_cv.synth.box_marks import FreeMark, sample_free_mark
from ontour_cv.synth.city_letters import LetterHabits, city_letters, letter_lines
from ontour_cv.synth.city_lines import LineHabits, ferry_line, free_line_habits, sample_line_habits
from ontour_cv.synth.ink import Stroke
from ontour_cv.synth.paint import paint_strokes
from ontour_cv.synth.printed import Print
from ontour_cv.synth.strokes import Polyline, Writer, ring, smooth

INKS = ((28, 24, 24), (165, 60, 25), (45, 40, 185), (50, 115, 35), (150, 45, 125), (30, 110, 215))
"""Pens at a table, BGR: black, blue, red, green, violet, orange."""

MANNERS = ("tick", "cross", "zigzag", "filled", "dot", "slash", "ring", "letter")
"""How a box is marked."""


@dataclass(frozen=True, slots=True, eq=False)
class CityInk:
    """The ink of a board, in the design's frame, in the order of drawing.

    Attributes:
        fresh: marks, lines and crossed boxes that count, and stumps of lines wiped away.
        faint: remains of wiped ink, which mean nothing.
    """

    fresh: list[Stroke]
    faint: list[Stroke]


@dataclass(frozen=True, slots=True)
class Habits:
    """How somebody marks boxes and draws ferries.

    Attributes:
        pen: width of the pen, disc radii, and its colour.
        bgr: the pen's colour.
        box: how a soloist's box is marked, one of ``MANNERS``.
        row: how a row's box is crossed off, one of ``MANNERS`` or ``"strike"``, one line through all of them.
        sloppy: how far a mark lies off its box, in sides of it (standard deviation).
        line: how ferries are drawn.
        free: how boxes are marked by a player with a manner of their own.
    """

    pen: float
    bgr: tuple[int, int, int]
    box: str
    row: str
    sloppy: float
    line: LineHabits
    free: FreeMark | None = None


def sample_habits(writer: Writer, rng: np.random.Generator) -> Habits:
    """A player's manners: the pen of the numbers, or another one."""
    other = rng.random() < 0.3
    return Habits(
        pen=float(np.clip(writer.pen * rng.uniform(0.6, 1.2) * (rng.uniform(0.6, 1.3) if other else 1), 0.05, 0.24)),
        bgr=INKS[int(rng.integers(len(INKS)))] if other else writer.ink_bgr,
        box=str(rng.choice(MANNERS, p=[0.26, 0.26, 0.1, 0.13, 0.08, 0.07, 0.05, 0.05])),
        row=str(rng.choice((*MANNERS[:7], "strike"), p=[0.1, 0.42, 0.08, 0.08, 0.02, 0.16, 0.04, 0.1])),
        sloppy=float(rng.choice([0.04, 0.08, 0.14])),
        line=sample_line_habits(rng),
    )


def city_ink(
    sheet: Print, board: CityBoard, writer: Writer, rng: np.random.Generator, remains: float = 0.3,
    letters: LetterHabits | None = None, free: bool = False, free_boxes: bool = False,
) -> CityInk:  # fmt: skip
    """The ink for a board's soloists, ferries and rows.

    Args:
        sheet: what it is drawn on.
        board: what was played.
        writer: whose pen it is.
        rng: chance.
        remains: how likely wiped ink is left, of each kind.
        letters: how the player writes soloists beside the numbers; None for one who ticks the boxes.
        free: ferries are drawn in any manner, not as most players do.
        free_boxes: so are the marks in boxes.
    """
    habits, design = sample_habits(writer, rng), sheet.design
    if free:
        habits = replace(habits, line=free_line_habits(rng))
    if free_boxes:
        habits = replace(habits, free=sample_free_mark(rng))
    blocks = tick_boxes(sheet.template, design)
    fresh: list[Stroke] = []
    faint: list[Stroke] = []
    for pair in board.ferries:
        fresh += _inked(ferry_line(pair, sheet.template, design, habits.line, rng), habits, design.radius, rng)
    if letters is not None:
        fresh += city_letters(sheet, board, writer, letters, rng)
    else:
        for region, letter in board.soloists.items():
            if region in blocks and letter in blocks[region]:
                fresh += _marked(blocks[region][letter], letter, habits.box, habits, design.radius, rng)
    fresh += _rows(sheet, board, habits, rng)
    if rng.random() < remains:
        faint += _wiped_boxes(blocks, habits, design.radius, rng)
    if rng.random() < remains:
        gone, stumps = _wiped_lines(sheet, board.ferries, habits, rng)
        faint += gone
        fresh += stumps
    return CityInk(fresh, faint)


def with_city_ink(
    sheet: Print, board: CityBoard, writer: Writer, rng: np.random.Generator, remains: float = 0.3,
    letters: LetterHabits | None = None,
) -> Print:  # fmt: skip
    """The print with soloists ticked or written, ferries drawn and rows crossed off; see :func:`city_ink`."""
    return inked(sheet, city_ink(sheet, board, writer, rng, remains, letters), rng)


def inked(sheet: Print, ink: CityInk, rng: np.random.Generator) -> Print:
    """The print with this ink on it."""
    picture = sheet.picture.copy()
    paint_strokes(picture, [*ink.faint, *ink.fresh], picture.shape[1], (0.0, 0.0), rng)
    return replace(sheet, picture=picture)


def _inked(lines: list[Polyline], habits: Habits, radius: float, rng: np.random.Generator) -> list[Stroke]:
    width = (habits.line.pen or habits.pen) * radius * float(np.exp(rng.normal(0, 0.1)))
    dark, bgr = habits.line.ink or (float(rng.uniform(0.82, 1.0)), habits.bgr)
    return [Stroke(line, width, dark, bgr) for line in lines]


def _marked(
    box: Box, letter: str, manner: str, habits: Habits, radius: float, rng: np.random.Generator
) -> list[Stroke]:
    """A mark in a box."""
    left, top, right, bottom = box
    side = right - left
    turn, grow = rng.normal(0, 0.12), float(rng.uniform(0.75, 1.25))
    matrix = grow * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    centre = np.array([(left + right) / 2, (top + bottom) / 2]) + side * rng.normal(0, habits.sloppy, 2)
    pen = min(habits.pen * radius, 0.4 * side) * (1.6 if manner == "dot" else 1.0)
    if habits.free is not None:
        wide, dark, bgr = habits.free.pen or (pen / side, float(rng.uniform(0.85, 1.0)), habits.bgr)
        return [Stroke(centre + side * shape, wide * side, dark, bgr) for shape in habits.free.drawn(rng)]
    return [
        Stroke(centre + side * (shape @ matrix.T), pen, float(rng.uniform(0.85, 1.0)), habits.bgr)
        for shape in _shapes(manner, letter, rng)
    ]


def _shapes(manner: str, letter: str, rng: np.random.Generator) -> list[Polyline]:
    """The strokes of a mark in a box of side 1 round the origin."""

    def jittered(points: tuple[tuple[float, float], ...]) -> Polyline:
        return np.asarray(np.array(points) + rng.normal(0, 0.05, (len(points), 2)), dtype=np.float64)

    if manner == "tick":
        high, far = float(rng.uniform(0.35, 0.8)), float(rng.uniform(0.35, 0.7))
        return [jittered(((-0.35, 0.0), (-0.08, 0.35), (far, -high)))]
    if manner == "cross":
        return [jittered(((-0.42, -0.42), (0.42, 0.42))), jittered(((0.42, -0.42), (-0.42, 0.42)))]
    if manner == "slash":
        return [jittered(((-0.45, 0.5), (0.45, -0.5)))]
    if manner == "dot":
        return [jittered(((-0.08, 0.0), (0.08, 0.03)))]
    if manner == "ring":
        return [ring(rng) * float(rng.uniform(1.15, 1.6))]
    if manner == "letter":
        return letter_lines(letter, 0, rng)
    rows = np.linspace(-0.38, 0.38, 4 if manner == "zigzag" else 7)
    zig = [(side * 0.4, float(y)) for k, y in enumerate(rows) for side in ((-1, 1) if k % 2 == 0 else (1, -1))]
    return [jittered(tuple(zig))]


def _rows(sheet: Print, board: CityBoard, habits: Habits, rng: np.random.Generator) -> list[Stroke]:
    """The first boxes of each row crossed off, as many as the board says."""
    at, city = sheet.design.rows, sheet.template.city
    if at is None or city is None:
        return []
    boxes = row_boxes(city, at)
    strokes: list[Stroke] = []
    for letter in INSTRUMENTS:
        crossed = [boxes[letter, k] for k in range(min(board.tracks.get(letter, 0), len(city.tracks[letter])))]
        if crossed and habits.row == "strike":
            strokes += _strike(crossed[0], crossed[-1], habits, sheet.design.radius, rng)
            continue
        for box in crossed:
            strokes += _marked(box, letter, habits.row, habits, sheet.design.radius, rng)
    return strokes


def _strike(first: Box, last: Box, habits: Habits, radius: float, rng: np.random.Generator) -> list[Stroke]:
    """One line through boxes of a row."""
    middle, side = (first[1] + first[3]) / 2, first[2] - first[0]
    left, right = first[0] + 0.1 * side, last[2] - 0.1 * side
    line = np.array([(left, middle), ((left + right) / 2, middle), (right, middle)])
    line += rng.normal(0, 0.06 * side, line.shape)
    return [Stroke(smooth(line, 8), habits.pen * radius, float(rng.uniform(0.85, 1.0)), habits.bgr)]


def _wiped_boxes(
    blocks: Mapping[str, Mapping[str, Box]], habits: Habits, radius: float, rng: np.random.Generator
) -> list[Stroke]:
    """Remains of marks in some boxes, hardly to be seen."""
    strokes: list[Stroke] = []
    regions = list(blocks)
    for _ in range(int(rng.integers(1, 5)) if regions else 0):
        region, letter = regions[int(rng.integers(len(regions)))], list(INSTRUMENTS)[int(rng.integers(4))]
        faint = float(rng.uniform(0.04, 0.2))
        drawn = _marked(blocks[region][letter], letter, habits.box, habits, radius, rng)
        strokes += [replace(stroke, darkness=faint) for stroke in drawn]
    return strokes


def _wiped_lines(
    sheet: Print, ferries: tuple[Pair, ...], habits: Habits, rng: np.random.Generator
) -> tuple[list[Stroke], list[Stroke]]:
    """A line wiped away: pale all along, or a stump of at most a third left standing."""
    pairs = [pair for pair in lawful_pairs(sheet) if pair not in ferries]
    if not pairs:
        return [], []
    pair = pairs[int(rng.integers(len(pairs)))]
    lines = ferry_line(pair, sheet.template, sheet.design, replace(habits.line, dash=None, gap=0.0), rng)
    faint = [
        replace(stroke, darkness=float(rng.uniform(0.04, 0.18)))
        for stroke in _inked(lines, habits, sheet.design.radius, rng)
    ]
    if rng.random() < 0.7:
        return faint, []
    line: NDArray[np.float64] = lines[0] if rng.random() < 0.5 else lines[0][::-1]
    kept = line[: max(2, int(len(line) * rng.uniform(0.1, 0.33)))]
    return faint, _inked([kept], habits, sheet.design.radius, rng)


def lawful_pairs(sheet: Print) -> list[Pair]:
    """The pairs of neighbourhoods between which the map's rules let a ferry go, in the map's order."""
    template, city = sheet.template, sheet.template.city
    if city is None:
        return []
    coast = [region.id for region in template.regions if city.waters[region.id]]
    return [
        (a, b)
        for k, a in enumerate(coast)
        for b in coast[k + 1 :]
        if template.region(a).areas != template.region(b).areas and city.may_cross(a, b)
    ]
