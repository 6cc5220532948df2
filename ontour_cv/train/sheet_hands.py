"""Hands for training sheets: everybody of ``train.hands``, 1s with a foot, and people who write everything twice."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ontour_cv.synth.sheet_hand import PENCIL, SheetWriter, pencil_colour, sample_sheet_writer
from ontour_cv.synth.signs import CROSSES
from ontour_cv.synth.strokes import Hand, Polyline
from ontour_cv.train.hands import Hands

FOOTED = 0.06
"""Share of the hands whose 1s end in a hook to the right instead of beginning with a flag: the same 1 upside down. Of
the digits a sheet knows no other looks so, and without them such 1s were read as 2 or 6."""

MENDING, RUBBED = (0.3, 0.6), (0.0, 0.7)
"""How often a :class:`Menders` mender writes something wrong first, and the share of that which is erased with pencils:
players mend one state in fifty, and what is seen so seldom is not learnt."""

ODD_CROSSES = 0.25
"""Share of the training writers whose Xs are scribbles, blackened cells and the like. What temperatures are fitted on
has none: with them the network doubted what is clear."""


FAINT_GREY, FAINT_COVER, FAINT_COLOURED = 115.0, (0.3, 0.7), 0.25
"""Of pencils hardly pressed on: how pale at most, how much of the paper they cover, and the share of coloured ones."""


@dataclass(frozen=True, slots=True)
class Menders:
    """Writers of sheets of whom many mend much of what they write, and some write as few people do.

    Attributes:
        share: how many mend.
        odd: how many make Xs as few do (``synth.signs.CROSSES``).
        faint: how many hold a pencil that hardly marks the paper, besides those who do anyhow.
    """

    share: float
    odd: float = 0.0
    faint: float = 0.0

    def __call__(self, rng: np.random.Generator, hand: Hand | None, hard: bool) -> SheetWriter:
        """See :func:`ontour_cv.synth.sheet_hand.sample_sheet_writer`."""
        writer = sample_sheet_writer(rng, hand, hard)
        (own,) = rng.spawn(1)
        if own.random() < self.odd:
            writer = replace(writer, cross_form=str(own.choice(list(CROSSES))))
        if own.random() < self.faint:
            writer = _faint(writer, own)
        if rng.random() >= self.share:
            return writer
        rubber = writer.rubber and float(rng.uniform(*RUBBED))
        return replace(writer, mending=float(rng.uniform(*MENDING)), rubber=rubber)


def _faint(writer: SheetWriter, rng: np.random.Generator) -> SheetWriter:
    """The same person with a pencil that hardly marks the paper."""
    bgr = pencil_colour(rng, FAINT_GREY, FAINT_COLOURED)
    return replace(writer, tool=PENCIL, bgr=bgr, dark=float(rng.uniform(*FAINT_COVER)))


@dataclass(frozen=True, slots=True, eq=False)
class FootedOnes:
    """A hand whose 1s stand upside down; everything else is as that hand writes it."""

    hand: Hand

    def glyph(self, label: str, rng: np.random.Generator) -> list[Polyline]:
        """See :meth:`ontour_cv.synth.strokes.Hand.glyph`."""
        strokes = self.hand.glyph(label, rng)
        return [-stroke[::-1] for stroke in strokes[::-1]] if label == "1" else strokes


@dataclass(frozen=True, slots=True, eq=False)
class SheetHands:
    """Who may write on sheets; see ``synth.sheet_hand.Hands``."""

    hands: Hands

    def pick(self, rng: np.random.Generator, own: float) -> Hand:
        """Somebody's hand; with ``own`` 0 (held out) as recorded, nothing turned."""
        hand = self.hands.pick(rng, own)
        return FootedOnes(hand) if own > 0 and rng.random() < FOOTED else hand
