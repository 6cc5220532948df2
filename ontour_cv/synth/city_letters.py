"""The letter of a soloist written by hand beside a number on a board of New York, instead of a ticked box.

Every letter has a few shapes (allographs) of our own; the last of each is for measuring only, so that what is measured
was not learnt by heart. Where players write it is not known: mostly to the right of the number or above it, outside
the disc or over its edge, now and then anywhere else round it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.city_board import CityBoard
from ontour_cv.press.tickboxes import Block, distance, tick_boxes
from ontour_cv.synth.ink import Stroke
from ontour_cv.synth.letter_forms import Form, form
from ontour_cv.synth.printed import Print
from ontour_cv.synth.strokes import Polyline, Writer, smooth

Pen = tuple[float, tuple[int, int, int]]
"""Its width in disc radii, and its colour, BGR."""


def _shape(text: str) -> Form:
    """The strokes of a letter from its points ``x,y`` in hundredths, strokes parted by ``/``."""
    pairs = [[point.split(",") for point in part.split()] for part in text.split("/")]
    return tuple(tuple((int(x) / 100, int(y) / 100) for x, y in part) for part in pairs)


SHAPES: Mapping[str, tuple[Form, ...]] = {
    "s": (
        _shape("32,-38 0,-50 -30,-27 0,0 32,25 0,50 -32,38"),
        _shape("25,-42 -15,-45 -20,-15 15,10 20,40 -25,47"),
        _shape("30,-50 -25,-45 -25,-10 25,5 25,45 -30,50"),
        _shape("15,-42 0,-50 -15,-35 -10,-12 10,12 15,35 0,50 -15,42"),
        _shape("45,-45 0,-50 -40,-42 -42,-15 -30,0 30,2 42,18 40,42 0,50 -45,45"),
        _shape("28,-22 28,-46 28,-46 0,-50 -28,-35 -20,-8 20,8 28,35 0,50 -28,46 -28,46 -28,22"),
        _shape("30,-45 5,-50 -15,-30 0,-5 15,20 -5,48 -35,45"),
        _shape("25,-50 -20,-15 20,10 -25,50"),
        _shape("20,-25 5,-50 -25,-30 25,20 0,50 -35,30 -10,20"),
    ),
    "m": (
        _shape("-45,50 -40,-50 -40,-50 0,20 0,20 40,-50 40,-50 45,50"),
        _shape("-42,50 -42,-50 / -42,-50 0,10 0,10 42,-50 / 42,-50 42,50"),
        _shape("-50,-35 -48,50 -48,50 -30,-35 -5,-30 -2,50 -2,50 15,-35 42,-30 48,50"),
        _shape("-45,50 -45,-50 -45,-50 0,50 0,50 45,-50 45,-50 45,50"),
        _shape("-52,50 -25,-50 -25,-50 0,25 0,25 25,-50 25,-50 52,50"),
        _shape("-45,50 -45,-20 -28,-50 -8,-30 -3,50 -3,50 3,-30 25,-50 42,-30 45,50"),
        _shape("-42,50 -42,-50 -42,-50 0,-12 0,-12 42,-50 42,-50 42,50"),
        _shape("-55,42 -42,48 -30,0 -25,-50 -25,-50 0,15 0,15 25,-50 25,-50 30,0 40,48 55,42"),
        _shape("-50,50 -30,-45 -15,30 10,-45 25,30 45,45"),
    ),
    "d": (
        _shape("-30,-50 -30,50 -30,50 20,40 40,0 20,-40 -32,-50"),
        _shape("-28,-48 -28,50 / -38,-46 15,-42 40,0 15,42 -38,48"),
        _shape("25,-5 -10,-10 -30,20 -5,48 25,20 27,-50 27,-50 30,50"),
        _shape("-20,-50 -20,50 / -20,-50 10,-40 24,0 10,40 -20,50"),
        _shape("-40,-50 -40,50 / -40,-50 10,-48 42,-20 42,20 10,48 -40,50"),
        _shape("-30,50 -30,-50 -30,-50 38,0 38,0 -30,50"),
        _shape("15,2 -10,-5 -32,20 -15,48 10,35 25,-10 35,-50 35,-50 26,5 30,42 45,46"),
        _shape("26,-50 26,50 / 26,8 0,-8 -28,20 -5,50 26,36"),
        _shape("-20,50 -25,-45 -10,-50 35,-20 35,25 -10,45 -35,35"),
    ),
    "g": (
        _shape("35,-35 0,-50 -38,0 0,50 35,30 35,5 35,5 5,5"),
        _shape("33,-38 -10,-48 -38,5 -5,48 30,35 / 5,10 36,8 36,8 33,52"),
        _shape("22,-40 -10,-50 -25,-20 0,-2 22,-25 24,-45 24,-45 24,30 0,50 -25,38"),
        _shape("35,-35 5,-50 -35,-20 -35,20 0,50 35,35 / 0,5 40,5"),
        _shape("32,-38 0,-50 -35,-5 -10,45 28,36 28,5 28,5 28,50"),
        _shape("35,-45 -30,-45 -30,-45 -30,45 -30,45 35,45 35,45 35,5 35,5 5,5"),
        _shape("25,-30 0,-50 -25,-28 0,-5 25,-28 25,-50 25,-50 20,20 -5,50 -28,44"),
        _shape("30,-52 12,-44 -12,-50 -26,-30 -6,-12 16,-28 12,-44 / -6,-12 -22,4 12,12 28,30 0,50 -28,36 -8,14"),
        _shape("30,-30 5,-50 -30,-20 -25,35 10,50 32,10 5,8"),
    ),
}

HEIGHTS = (0.42, 0.85)
"""How tall letters are, disc radii."""

NEAREST, FARTHEST = 0.95, 1.65
"""Where their centres lie, disc radii from the disc's."""


@dataclass(frozen=True, slots=True)
class LetterHabits:
    """How somebody writes letters.

    Attributes:
        shapes: letter -> number of its allograph.
        height: disc radii.
        angle: where they stand round the disc, radians from the right, clockwise; and how much that changes.
        spread: the same letter's place and turn change by so much (standard deviation, radians).
        away: from the disc's centre, disc radii.
        lean: how far the writing leans, radians.
        whim: the letters have forms of the player's own, which this number settles; none when None.
    """

    shapes: Mapping[str, int]
    height: float
    angle: float
    spread: float
    away: float
    lean: float
    whim: int | None = None


SHAKY = 0.045
"""How far the points of a letter lie elsewhere each time it is written (standard deviation, heights)."""

BENT, SLANTED = 0.07, 0.2
"""How far a whim moves the points of a letter (standard deviation, heights), and how much it slants it."""

FORMED = 0.6
"""Share of a whim's letters that have a form drawn by lot (``letter_forms``); the others are allographs, bent."""


def sample_letters(rng: np.random.Generator, held_out: bool = False, wild: bool = False) -> LetterHabits:
    """A player's letters.

    Args:
        rng: chance.
        held_out: half of the shapes are those that training never sees.
        wild: the forms are as nobody else has them, for training: few shapes are known, and hands are many.
    """
    last = len(SHAPES["s"]) - 1
    shapes = {letter: last if held_out and rng.random() < 0.5 else int(rng.integers(last)) for letter in SHAPES}
    right = rng.random() < 0.75
    return LetterHabits(
        shapes=shapes,
        height=float(rng.uniform(*HEIGHTS)),
        angle=float(rng.uniform(-1.3, 0.7) if right else rng.uniform(0, 2 * np.pi)),
        spread=float(rng.choice([0.1, 0.25, 0.6])),
        away=float(rng.uniform(NEAREST, FARTHEST)),
        lean=float(rng.normal(0.05, 0.15)),
        whim=int(rng.integers(2**32)) if wild else None,
    )


def city_letters(
    sheet: Print, board: CityBoard, writer: Writer, habits: LetterHabits, rng: np.random.Generator
) -> list[Stroke]:
    """The ink of all soloists' letters, in the design's frame."""
    blocks = tick_boxes(sheet.template, sheet.design)
    discs = sheet.design.discs
    strokes: list[Stroke] = []
    for region, letter in board.soloists.items():
        if letter in SHAPES and region in blocks:
            place = letter_place(np.array(discs[region]), blocks[region], habits, sheet.design.radius, rng)
            pen = (writer.pen, writer.ink_bgr)
            strokes += written_letter(letter, place, sheet.design.radius, pen, habits, rng)
    return strokes


def written_letter(
    letter: str, centre: NDArray[np.float64], radius: float, pen: Pen, habits: LetterHabits, rng: np.random.Generator
) -> list[Stroke]:
    """One letter at ``centre``, in the units of ``radius``, the disc's."""
    turn, height = habits.lean + rng.normal(0, 0.06), habits.height * radius * float(np.exp(rng.normal(0, 0.1)))
    wide = float(np.exp(rng.normal(0, 0.12)))
    matrix = height * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ np.diag([wide, 1.0])
    width = min(pen[0], 0.22 * habits.height) * radius
    dark = float(rng.uniform(0.85, 1.0))
    lines = letter_lines(letter, habits.shapes[letter], rng, habits.whim)
    return [Stroke(centre + line @ matrix.T, width, dark, pen[1]) for line in lines]


def letter_lines(letter: str, shape: int, rng: np.random.Generator, whim: int | None = None) -> list[Polyline]:
    """The strokes of one allograph of a letter of height 1 round the origin, as a hand makes them."""
    strokes = SHAPES[letter][shape]
    if whim is not None:
        own = np.random.default_rng([whim, ord(letter)])
        strokes = _bent(form(letter, own) if own.random() < FORMED else strokes, own)
    return [smooth(_moved(part, SHAKY, rng)) for part in strokes]


def _bent(strokes: Form, rng: np.random.Generator) -> Form:
    """An allograph as one hand has it: its points elsewhere, the whole slanted."""
    slant = rng.normal(0, SLANTED)
    moved = (_moved(part, BENT, rng) for part in strokes)
    return tuple(tuple((float(x - slant * y), float(y)) for x, y in part) for part in moved)


def _moved(part: tuple[tuple[float, float], ...], by: float, rng: np.random.Generator) -> Polyline:
    """The points of a stroke moved a little; a corner's two alike."""
    known: dict[tuple[float, float], NDArray[np.float64]] = {}
    for point in part:
        known.setdefault(point, np.array(point) + rng.normal(0, by, 2))
    return np.array([known[point] for point in part])


def letter_place(
    disc: NDArray[np.float64], block: Block, habits: LetterHabits, radius: float, rng: np.random.Generator
) -> NDArray[np.float64]:
    """A letter's centre: where this player writes them, turned on round the disc if printed boxes are in its way."""
    angle = habits.angle + rng.normal(0, habits.spread)
    away = habits.away * radius * float(np.exp(rng.normal(0, 0.06)))
    for turn in (0.0, 0.5, -0.5, 1.0, -1.0, 1.6, -1.6, 2.4, -2.4, np.pi):
        spot = disc + away * np.array([np.cos(angle + turn), np.sin(angle + turn)])
        if (
            min(distance(box, (float(spot[0]), float(spot[1]))) for box in block.values())
            > 0.4 * habits.height * radius
        ):
            break
    return np.asarray(spot, dtype=np.float64)
