"""Whose handwriting training boards are written in: recorded hands, traced ones, and our own shapes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ontour_cv.synth.palettes import hsv
from ontour_cv.synth.strokes import Hand, Polyline, RecordedHand, Writer, load_recorded, parametric_hand
from ontour_cv.train.trace import load_traced

Samples = dict[str, list[list[Polyline]]]

TRACED = 0.5
"""Share of the real hands that are traced from pictures, when there are any: more of them, but digits only."""

MIXED = 0.25
"""Share of the real hands whose every digit is somebody else's: no pair of shapes can be learnt by heart."""

MOST_BEND = 0.045
"""How strongly glyphs are bent at most (see ``RecordedHand.bend``)."""

PENS = 0.4
"""Share of training boards written with a pen of any colour: more than at a table, for the colour of a ring is what
tells a drawn one from a printed one."""


def with_pen(writer: Writer, share: float, rng: np.random.Generator) -> Writer:
    """The writer, with probability ``share`` with a pen of any colour, from dark to as light as can be read."""
    if share <= 0 or rng.random() >= share:
        return writer
    return replace(writer, ink_bgr=hsv(rng.random(), rng.uniform(0.4, 1.0), rng.uniform(0.25, 0.85)))


@dataclass(frozen=True, slots=True, eq=False)
class Hands:
    """Everybody who may write; without recordings our own shapes only.

    Attributes:
        recorded: writers known by their pen strokes (``synth.strokes.load_recorded``).
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
