"""Where a sheet's own print is not seen, ink would not be, either: what seems blank there may hold something.

What paper reflects is added to what it shows: print and pen lose the same, and the paper is no darker for it. Under a
card, a cloth or a finger the outline of a cell is gone altogether, whatever colour is seen there.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.photo import Photo
from ontour_cv.vision.sheet_glyphs import SheetScores
from ontour_cv.vision.sheet_model import SheetModel
from ontour_cv.vision.sheet_warp import SheetWarp

Array = NDArray[np.float64]

FADED = 0.7
"""A cell is washed out when its outline has less of its usual contrast than this.

Of the marks on eight rendered sheets under one to three reflections 18 were taken for nothing: 17 lay in such cells,
one in the middle of a large one whose outline was clear. Of six of them without reflections, and of the fixtures, no
cell had less than 0.81.
"""

GONE, COVERED = 0.25, 1 / 3
"""A cell is covered when on so much of its outline a line has less of its usual contrast than the first.

Of cells that something lay on with four fifths of them or more, on 45 rendered photos, all had 0.38 and more, most
0.6 to 1; of 1,950 on photos without (ordinary and hard ones alike) 1 in 1,000 has a third.
"""

HIDDEN = 0.35
"""How probable something stands in such a cell that seems blank, before the whole sheet is asked how many blanks there
are: 17 of 31 marks in such cells seemed blank, as nothing always does."""

BELOW = 0.8
"""The same of a covered cell, where nothing is left to be seen: of 600 states on twelve played sheets 74 are blank."""

BRIGHTER, NEAR_CLIP = 0.25, 250.0
"""Paper lies in a reflection when it is brighter than the sheet's by so much of what is left to white, or so bright."""

ACROSS = np.arange(-0.009, 0.0035, 0.0005)
"""Where lines are looked at across, from inside the cell outwards, sheet widths from their middle."""

ON_PAPER, ON_LINE = ACROSS < -0.0025, ACROSS > -0.003
"""Which of these places show the cell's paper, and which the line wherever it may lie, a millimetre off at most."""

_BLACK, _USUAL = 4.0, 75

SEEMS = 0.5
"""What is less probably written than this seems blank."""

LOST = (0.0, 0.8, 0.2)
"""What stands in a washed-out cell that seems blank but is not, by ``SHEET_KINDS``."""


def unseen(photo: Photo, warp: SheetWarp, model: SheetModel) -> Array:
    """How probable something stands in each cell and box that seems blank, for all that is seen of it, ``(P,)``."""
    left, reflects = print_left(photo, warp, model)
    return np.where(covered(left, model), BELOW, np.where(washed_out(left, reflects, model), HIDDEN, 0.0))


def washed_out(left: Array, reflects: NDArray[np.bool_], model: SheetModel) -> NDArray[np.bool_]:
    """True for each cell and box that is washed out, ``(P,)``, from what :func:`print_left` gives."""
    return along(np.where(reflects, left, 1.0), model) < FADED


def covered(left: Array, model: SheetModel) -> NDArray[np.bool_]:
    """True for each cell and box that something lies on, ``(P,)``, from what is left of the outlines, ``(S,)``."""
    return along(left < GONE, model) > COVERED


def along(values: NDArray[np.generic], model: SheetModel) -> Array:
    """The mean over the outline of each cell and box, ``(P,)``, of what is known of every sample, ``(S,)``."""
    pieces, count = model.owner[model.line], len(model.ids)
    sums = np.bincount(pieces, values, count)
    return np.asarray(sums / np.maximum(np.bincount(pieces, minlength=count), 1))


def print_left(photo: Photo, warp: SheetWarp, model: SheetModel) -> tuple[Array, NDArray[np.bool_]]:
    """How much of the usual contrast each sample of the outlines has, and whether the paper reflects there, ``(S,)``.

    Contrast is the log of paper over line in the colour where it is most, and the usual one that of the upper quarter
    of all lines of that print colour on the sheet. Where the paper is not brighter than the sheet's nothing reflects,
    and lines that are a little pale are worn, blurred or laid wrong.
    """
    spots = model.samples[:, None] + ACROSS[None, :, None] * model.normals[:, None]
    bent = spots + warp.bend(model.samples)[:, None]  # paper bends over a third of its width, not across a line
    there = warp.flat.apply(bent.reshape(-1, 2)).astype(np.float32).reshape(spots.shape)
    seen = cv2.remap(photo.bgr, there[..., 0], there[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    levels = np.maximum(np.asarray(seen, dtype=np.float64), _BLACK)
    paper = np.percentile(levels[:, ON_PAPER], 75, axis=1)
    contrast = np.log(paper / levels[:, ON_LINE].min(axis=1)).max(axis=1)
    inks = model.inks[model.owner[model.line]]
    usual = np.array([np.percentile(contrast[inks == ink], _USUAL) for ink in range(int(inks.max()) + 1)])
    bright = paper.min(axis=1)
    sheet = float(np.median(bright))
    reflects = (bright > sheet + BRIGHTER * (255.0 - sheet)) | (bright >= NEAR_CLIP)
    return contrast / np.maximum(usual[inks], 1e-3), reflects


def doubted(scores: SheetScores, hidden: Array) -> SheetScores:
    """The scores with something written in cells that seem blank, as probable as ``hidden (P,)`` says."""
    seems = ((hidden > 0) & (np.exp(scores.kind[:, 0]) > SEEMS))[:, None]
    share = hidden[:, None]
    kind = np.log((1.0 - share) * np.exp(scores.kind) + share * np.array(LOST))
    digit = np.log((1.0 - share) * np.exp(scores.digit) + share / scores.digit.shape[1])
    return replace(scores, kind=np.where(seems, kind, scores.kind), digit=np.where(seems, digit, scores.digit))
