"""Whose handwriting training boards are written in: recorded hands, traced ones, and our own shapes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ontour_cv.synth.palettes import hsv
from ontour_cv.synth.recorded import RecordedHand, load_recorded
from ontour_cv.synth.signs import CROSSES, SETTINGS, STARS
from ontour_cv.synth.strokes import FORMS, Hand, Polyline, Writer, parametric_hand, sample_writer
from ontour_cv.train.trace import load_traced

Samples = dict[str, list[list[Polyline]]]

TRACED = 0.5
"""Share of the real hands that are traced from pictures, when there are any: more of them, but digits only."""

MIXED = 0.25
"""Share of the real hands whose every digit is somebody else's: no pair of shapes can be learnt by heart."""

MOST_BEND = 0.045
"""How strongly glyphs are bent at most (see ``RecordedHand.bend``)."""

PENS = 0.4
"""Share of training boards written with a pen of any kind: more than at a table, for the colour of a ring is what tells
a drawn one from a printed one."""

TIPS = (0.065, 0.3)
"""Stroke widths of such pens, disc radii; the usual ones are 0.08 to 0.19."""

FINE = (0.045, 0.1)
"""Widths of ballpoints and fineliners, disc radii: 0.25 to 0.55 mm where a disc on a sheet of paper is 11 mm across."""

MOST_TIP = 0.26
"""Width of a stroke at most, in heights of a digit: what is fatter closes every loop."""

RING_TIPS = (0.35, 1.6)
"""Widths of such pens, in widths of the other one."""

STEADY, TRACED_AT = 0.3, (0.86, 1.1)
"""Share of those who use them that draw rings as round as the printed ones, and how large, disc radii."""

WIDE, WIDE_AT = 0.35, (1.2, 2.0)
"""Share of them that draw rings far round the discs, and how large, disc radii."""

ODD_FORMS = 0.25
"""Share of the others that draw no free-hand rings but one of ``synth.strokes.FORMS``."""

ODD_CROSSES, ODD_STARS, ODD_SETTINGS = 0.85, 0.4, 0.3
"""Shares of those who make odd marks that make Xs so, stars, and set numbers otherwise than in a row."""

LARGE, LARGE_ROOM = (1.15, 2.2), (1.0, 1.45)
"""How high those write who do not mind the printed rings, disc radii, and how wide, in the usual widths: right across
the rings and up to the edge of what is cut of a cell."""

BRIGHT, SHEER, BROAD, LIT_AT = (0.16, 0.28, 0.9, 0.08, 0.54), (0.25, 0.75), (0.3, 1.3), (0.55, 1.35)
"""Highlighters: yellow, green, pink, orange and blue in turns of the hue; how much of the ground they cover, how wide
their stroke is and how large the rings, disc radii. A wide stroke on a small ring fills the disc."""

MENDS = (0.08, 0.6)
"""Share of their numbers that those who strike out numbers wrote beside one: more than anybody, to learn from."""

ROOMY, MENDING_TIPS = 1.15, (0.08, 0.16)
"""How high they write at most, and widths of their pens, disc radii: finer than the usual, or nobody reads it."""

TRACING, LOOSELY = (0.84, 1.1), 0.5
"""How large those draw their rings who go over the printed ones, disc radii, and the share of them that do it free-hand
and not as round as print."""

TRACING_TIPS, TRACING_PENS = (0.6, 1.3), 0.35
"""Widths of their strokes then, in widths of the others, and the share of them that take a pen of another colour."""

RING_INKS = ((30, 26, 24), (160, 60, 30), (45, 40, 190), (50, 115, 35), (140, 45, 120), (30, 110, 220))
"""Half of them are the markers of any shop, BGR: black, blue, red, green, violet, orange."""


def with_pen(writer: Writer, share: float, rng: np.random.Generator) -> Writer:
    """The writer, with probability ``share`` with a pen of any kind, as bad as can still be read.

    Its colour is anything from dark to light, its tip from fine to fat, and it may be running dry; and who holds it may
    write small, circle tightly or widely, and not care where the middle of a disc is.
    """
    if share <= 0 or rng.random() >= share:
        return writer
    chance = rng.random(7)
    if chance[0] < 0.6:
        writer = replace(writer, ink_bgr=hsv(rng.random(), rng.uniform(0.4, 1.0), rng.uniform(0.25, 0.85)))
    if chance[5] < 0.3:
        writer = replace(writer, height=max(0.55, writer.height * float(rng.uniform(0.6, 1.1))))
    if chance[1] < 0.5:
        pen = min(float(np.exp(rng.uniform(*np.log(TIPS)))), MOST_TIP * writer.height)
        writer = replace(writer, pen=pen, ring_pen=pen * writer.ring_pen / writer.pen)
    if chance[2] < 0.35:
        writer = replace(writer, flow=float(rng.uniform(0.4, 1.0)))
    if chance[3] < 0.35:
        writer = replace(writer, streaks=float(rng.uniform(0.2, 0.9)))
    if chance[4] < 0.3:
        writer = replace(writer, stray=float(rng.uniform(1.0, 3.5)))
    if chance[6] < 0.25:
        writer = replace(writer, ring_radius=float(rng.uniform(0.8, 1.45)), care=float(rng.uniform(0.3, 1.0)))
    return writer


def with_fine_pen(writer: Writer, share: float, rng: np.random.Generator) -> Writer:
    """The writer, with probability ``share`` with a ballpoint or fineliner, for numbers and circles."""
    if share <= 0 or rng.random() >= share:
        return writer
    pen = float(rng.uniform(*FINE))
    return replace(writer, pen=pen, ring_pen=pen * writer.ring_pen / writer.pen)


def with_ring_pen(writer: Writer, share: float, rng: np.random.Generator) -> Writer:
    """The writer, with probability ``share`` with another pen for circles: of another colour, finer or fatter.

    Some of them trace the printed rings, or nearly; some draw theirs far round, and some boxes, arcs or coils.
    """
    if share <= 0 or rng.random() >= share:
        return writer
    chance = rng.random(4)
    traced, wide = chance[3] < STEADY, chance[3] >= 1 - WIDE
    if traced:
        writer = replace(writer, ring_radius=float(rng.uniform(*TRACED_AT)), form="steady")
    else:
        if wide:
            writer = replace(writer, ring_radius=float(rng.uniform(*WIDE_AT)))
        if rng.random() < ODD_FORMS:
            writer = replace(writer, form=str(rng.choice([form for form in FORMS if form != "steady"])))
    if chance[0] < (0.6 if traced or wide else 0.85):
        other = hsv(rng.random(), rng.uniform(0.4, 1.0), rng.uniform(0.25, 0.9))
        writer = replace(writer, ring_bgr=RING_INKS[int(rng.integers(len(RING_INKS)))] if chance[1] < 0.5 else other)
    if chance[2] < 0.7:
        width = writer.pen * float(np.exp(rng.uniform(*np.log(RING_TIPS))))
        writer = replace(writer, ring_pen=float(np.clip(width, TIPS[0] * 0.8, TIPS[1])))
    return writer


def with_traced_rings(writer: Writer, share: float, rng: np.random.Generator) -> Writer:
    """The writer, with probability ``share`` going over the printed rings for circles, mostly with the one pen."""
    if share <= 0 or rng.random() >= share:
        return writer
    loose = bool(rng.random() < LOOSELY)
    writer = replace(
        writer, ring_radius=float(rng.uniform(*TRACING)), form=None if loose else "steady",
        care=0.0, ring_pen=writer.pen * float(np.exp(rng.uniform(*np.log(TRACING_TIPS)))),
    )  # fmt: skip
    if rng.random() < TRACING_PENS:
        other = hsv(rng.random(), rng.uniform(0.4, 1.0), rng.uniform(0.25, 0.9))
        writer = replace(writer, ring_bgr=RING_INKS[int(rng.integers(len(RING_INKS)))] if rng.random() < 0.5 else other)
    return writer


def with_large_hand(writer: Writer, share: float, rng: np.random.Generator) -> Writer:
    """The writer, with probability ``share`` writing larger than the discs: digits cross the printed rings."""
    if share <= 0 or rng.random() >= share:
        return writer
    larger = float(rng.uniform(*LARGE)) / writer.height
    return replace(
        writer,
        height=writer.height * larger,
        pen=min(writer.pen * float(np.exp(rng.uniform(0.0, 0.5 * np.log(max(larger, 1.0))))), TIPS[1]),
        room=float(rng.uniform(*LARGE_ROOM)),
        ring_radius=writer.ring_radius * float(rng.uniform(1.0, 1.35)),
        star_size=min(writer.star_size * larger, 2.6),
        x_size=min(writer.x_size * larger, 2.6),
    )


def with_highlighter(writer: Writer, share: float, rng: np.random.Generator) -> Writer:
    """The writer, with probability ``share`` circling with a highlighter: broad, bright, and one sees through it."""
    if share <= 0 or rng.random() >= share:
        return writer
    hue = BRIGHT[int(rng.integers(len(BRIGHT)))] + float(rng.normal(0, 0.02))
    return replace(
        writer,
        ring_bgr=hsv(hue, float(rng.uniform(0.4, 1.0)), float(rng.uniform(0.85, 1.0))),
        ring_flow=float(rng.uniform(*SHEER)),
        ring_pen=float(rng.uniform(*BROAD)),
        ring_radius=float(rng.uniform(*LIT_AT)),
        form="steady",
        care=0.0,
    )


def with_mends(writer: Writer, share: float, rng: np.random.Generator) -> Writer:
    """The writer, with probability ``share`` striking out some numbers and writing others beside them.

    Whoever writes larger than the discs has no room for that, and needs a tip that is fine enough.
    """
    if share <= 0 or rng.random() >= share or writer.height > ROOMY:
        return writer
    pen = min(writer.pen, float(rng.uniform(*MENDING_TIPS)))
    return replace(writer, mends=float(rng.uniform(*MENDS)), pen=pen, ring_pen=writer.ring_pen * pen / writer.pen)


def with_second_pen(writer: Writer, share: float, rng: np.random.Generator) -> Writer:
    """The writer, with probability ``share`` with two pens for everything, taken as they come."""
    if share <= 0 or rng.random() >= share:
        return writer
    return replace(writer, second_bgr=RING_INKS[int(rng.integers(len(RING_INKS)))])


def with_odd_marks(writer: Writer, share: float, rng: np.random.Generator) -> Writer:
    """The writer, with probability ``share`` with marks as few people make them (``synth.signs``)."""
    if share <= 0 or rng.random() >= share:
        return writer
    chance = rng.random(3)
    if chance[0] < ODD_CROSSES:
        writer = replace(writer, cross=str(rng.choice(list(CROSSES))))
    if chance[1] < ODD_STARS:
        writer = replace(writer, star=str(rng.choice(list(STARS))))
    if chance[2] < ODD_SETTINGS:
        writer = replace(writer, setting=str(rng.choice(SETTINGS, p=(0.6, 0.25, 0.15))))
    return writer


@dataclass(frozen=True, slots=True)
class Habits:
    """How often those who write training boards do what few people do, 0-1.

    Attributes:
        own: hands of our own shapes.
        pens: a pen of any kind (``with_pen``).
        rings: another pen for circles (``with_ring_pen``).
        odd: odd marks (``with_odd_marks``), and more Xs and stars.
        large: numbers larger than the discs (``with_large_hand``).
        lit: circles by a highlighter (``with_highlighter``).
        mended: numbers struck out (``with_mends``).
        second: two pens for everything (``with_second_pen``).
        traced: rings that go over the printed ones (``with_traced_rings``).
        keen: most of a board is circled (``as_read.with_circles``).
        fine: a ballpoint or fineliner (``with_fine_pen``).
    """

    own: float = 0.0
    pens: float = 0.0
    rings: float = 0.0
    odd: float = 0.0
    large: float = 0.0
    lit: float = 0.0
    mended: float = 0.0
    second: float = 0.0
    traced: float = 0.0
    keen: float = 0.0
    fine: float = 0.0

    def writer(self, hands: Hands, rng: np.random.Generator) -> Writer:
        """Somebody with such habits."""
        writer = with_pen(sample_writer(rng, hands.pick(rng, self.own)), self.pens, rng)
        writer = with_fine_pen(writer, self.fine, rng)
        writer = with_odd_marks(with_ring_pen(writer, self.rings, rng), self.odd, rng)
        writer = with_highlighter(with_large_hand(writer, self.large, rng), self.lit, rng)
        writer = with_second_pen(with_mends(writer, self.mended, rng), self.second, rng)
        return with_traced_rings(writer, self.traced, rng)


@dataclass(frozen=True, slots=True, eq=False)
class Hands:
    """Everybody who may write; without recordings our own shapes only.

    Attributes:
        recorded: writers known by their pen strokes (``synth.recorded.load_recorded``).
        traced: writers known by pictures of their digits (``train.trace.load_traced``).
    """

    recorded: list[Samples]
    traced: list[Samples]

    @classmethod
    def load(cls, folder: Path | None, split: str) -> Hands:
        """The writers of one split in a folder; held-out splits are recorded writers only, as in the benchmarks."""
        if folder is None:
            return cls([], [])
        pictures = folder / "mnist.npz"
        traced = load_traced(pictures) if split == "train" and pictures.exists() else []
        return cls(load_recorded(folder, split), traced)

    def pick(self, rng: np.random.Generator, own: float) -> Hand:
        """Somebody's hand, one of our own shapes with probability ``own``; 0 (held out): as recorded, nothing bent."""
        spare = parametric_hand(rng)
        if not self.recorded or rng.random() < own:
            return spare
        samples = self._somebody(rng)
        if own > 0 and rng.random() < MIXED:
            samples = {label: self._somebody(rng).get(label, pool) for label, pool in samples.items()}
        return RecordedHand(samples, spare, bend=float(rng.uniform(0.0, MOST_BEND)) if own > 0 else 0.0)

    def _somebody(self, rng: np.random.Generator) -> Samples:
        """One writer's samples; who is known by digits only makes the signs of somebody recorded."""
        recorded = self.recorded[int(rng.integers(len(self.recorded)))]
        if not self.traced or rng.random() >= TRACED:
            return recorded
        signs = {label: pool for label, pool in recorded.items() if not label.isdigit()}
        return signs | self.traced[int(rng.integers(len(self.traced)))]
