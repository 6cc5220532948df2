"""Who fills in a sheet: a hand with habits for small cells, and a pencil or a pen. Lengths are sheet widths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ontour_cv.synth.strokes import Hand, parametric_hand

Colour = tuple[int, int, int]

PENCIL, PEN, FELT = "pencil", "pen", "felt"

TOOLS = (PENCIL, PEN, FELT)
"""What people write with on paper pads: most games come with pencils."""

_PENS: tuple[Colour, ...] = (
    (30, 26, 24), (24, 22, 30), (60, 40, 34), (140, 56, 24), (165, 70, 30), (120, 40, 60), (45, 35, 175), (40, 40, 130),
    (60, 110, 30), (40, 130, 60), (150, 40, 130), (20, 90, 220), (130, 120, 20),
)  # fmt: skip
"""Blue, green, red: colours of pens, nearly black ones first."""


class Hands(Protocol):
    """People to choose a hand from, as ``train.hands.Hands`` are."""

    def pick(self, rng: np.random.Generator, own: float) -> Hand:
        """Somebody's hand, one of our own shapes with probability ``own``."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class SheetWriter:
    """A hand with habits.

    Attributes:
        hand: where the pen goes.
        tool: one of ``TOOLS``.
        bgr: colour of what it leaves.
        pen: stroke width.
        dark: 0-1, how strongly the tool covers the paper.
        height: height of digits where there is room.
        snug: height of digits in cells too small for that, in heights of the cell.
        aspect: width of digits relative to the hand's own.
        slant: shear (x per y).
        stray: how far from the middle of the cell people write, in digit heights.
        ring: diameter of guard circles in heights of their digit.
        cross: size of an X relative to its cell, 0.4 (small) to 1.1 (over the border).
        cross_forms: chances of the forms of an X: as the hand's own, corner to corner, gone over twice.
        box_form: how boxes are crossed off, an index into ``sheet_ink.BOX_FORMS``.
        mending: how often something was written wrong first.
        rubber: share of that which was erased (with pens: it is crossed out or written over).
        roams: share of the cells in which it is written anywhere there is room, not where there is most.
        cross_form: what an X looks like, one of ``synth.signs.CROSSES``; None for ``cross_forms``.
    """

    hand: Hand
    tool: str
    bgr: Colour
    pen: float
    dark: float
    height: float
    snug: float
    aspect: float
    slant: float
    stray: float
    ring: float
    cross: float
    cross_forms: tuple[float, float, float]
    box_form: int
    mending: float
    rubber: float
    roams: float = 0.0
    cross_form: str | None = None


def sample_sheet_writer(rng: np.random.Generator, hand: Hand | None = None, hard: bool = False) -> SheetWriter:
    """Somebody at the table; ``hard``: fainter pencils, odder habits, more mistakes."""
    tool = str(rng.choice(TOOLS, p=[0.55, 0.33, 0.12]))
    wide = 1.0 if hard else 0.6
    bgr, pen, dark = _tool(tool, rng, hard)
    crosses = rng.dirichlet([2.0, 1.0, 0.3])
    return SheetWriter(
        hand=hand if hand is not None else parametric_hand(rng),
        tool=tool,
        bgr=bgr,
        pen=pen,
        dark=dark,
        height=float(np.clip(rng.normal(0.034, 0.008 * wide), 0.02, 0.055)),
        snug=float(np.clip(rng.normal(0.78, 0.14 * wide), 0.5, 1.15)),
        aspect=float(np.clip(np.exp(rng.normal(0, 0.16 * wide)), 0.65, 1.5)),
        slant=float(rng.normal(-0.06, 0.13)),
        stray=float(np.abs(rng.normal(0, 0.16 * wide))),
        ring=float(np.clip(rng.normal(1.55, 0.22 * wide), 1.1, 2.3)),
        cross=float(np.clip(rng.normal(0.72, 0.2 * wide), 0.4, 1.15)),
        cross_forms=(float(crosses[0]), float(crosses[1]), float(crosses[2])),
        box_form=int(rng.choice(6, p=[0.45, 0.2, 0.08, 0.12, 0.08, 0.07])),
        mending=float(rng.choice([0.0, 0.02, 0.06], p=[0.3, 0.45, 0.25])) * (1.8 if hard else 1.0),
        rubber=float(rng.uniform(0.6, 0.95)) if tool == PENCIL else 0.0,
        roams=float(rng.spawn(1)[0].choice([0.0, 0.4, 1.0], p=[0.4, 0.35, 0.25])),
    )


def pencil_colour(rng: np.random.Generator, palest: float, coloured: float = 0.06) -> Colour:
    """Some pencil's grey, ``palest`` at most; any colour with probability ``coloured``."""
    grey = float(rng.uniform(45, palest))
    if rng.random() < coloured:
        blue, green, red = (int(value) for value in rng.integers(40, 190, 3))
        return blue, green, red
    return round(grey * 1.04), round(grey), round(grey * 0.97)


def _tool(tool: str, rng: np.random.Generator, hard: bool) -> tuple[Colour, float, float]:
    """Colour, stroke width and cover of a tool."""
    if tool == PENCIL:
        bgr = pencil_colour(rng, 105 if hard else 85)
        pen = 0.0021 * float(np.exp(rng.normal(0, 0.3)))
        return bgr, pen, float(rng.uniform(0.42 if hard else 0.6, 0.95))
    chances = np.array([6, 5, 2, 5, 4, 1, 2, 1, 1, 1, 0.7, 0.3, 0.5])
    bgr = _PENS[int(rng.choice(len(_PENS), p=chances / chances.sum()))]
    if tool == PEN:
        return bgr, 0.0021 * float(np.exp(rng.normal(0, 0.28))), float(rng.uniform(0.75, 1.0))
    return bgr, 0.0052 * float(np.exp(rng.normal(0, 0.3))), float(rng.uniform(0.7, 1.0))
