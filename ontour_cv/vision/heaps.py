"""Photo -> places where something is written: they form the constellation, too, where discs can hardly be seen.

Discs as bright as the art round them, or washed out, have no outline. But whoever played wrote into every one of them,
and little beside. So small dark strokes are gathered at several sizes, and every heap of them of that size is a
candidate. :mod:`ontour_cv.vision.register` asks for these last, for pens are less exact than print.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.landmarks import Candidates, WorkingCopy

Ink = NDArray[np.float32]

STROKE = 9
"""Dark lines narrower than this are ink, pixels of the working copy of 1,280."""

FULL, LEAST_CONTRAST = 99.0, 12.0
"""Percentile of the darkness of lines that counts as full ink, and the least grey levels that do."""

SIZES = tuple(11 * 1.3**k for k in range(6))
"""Radii of heaps, pixels of the working copy: those discs have there."""

INNER, OUTER = 0.5, 1.0
"""Spreads of the two Gaussians whose difference answers to a heap (Lindeberg 1998), in its radius."""

LEAST = 0.02
"""Answer from which a heap is one; full ink all over would answer with about 0.5."""

MOST = 100
"""Heaps kept of one size."""

CENTRED = 2
"""Rounds in which a heap's middle moves to that of the ink within its radius."""

TILT_FROM, LIKE_SIZE = 7, 0.6
"""A heap is tilted as so many of the nearest outlines are, of like size (log)."""

SLANT = 0.77
"""Short axis of a circle seen at 40 degrees, in its long one."""


def find_heaps(outlines: Candidates) -> Iterator[Candidates]:
    """Heaps of ink of one size after the other, each lot best first.

    Args:
        outlines: what was found in the same picture. Ink tells no tilt: the shapes are those of the ellipses near,
            which are few where discs can hardly be seen, but enough; circles where there are none.
    """
    working = outlines.working
    ink = inked(working)
    for radius in SIZES:
        middles, answers = _heaps(ink, radius / 2)
        centres = (middles + 0.5) * 2 / working.scale - 0.5
        radii = np.full(len(centres), radius / working.scale)
        quality = answers / max(float(answers.max(initial=0.0)), 1e-9)
        yield Candidates(centres, radii, quality, _tilted(centres, radii, outlines), working)


def leaning(heaps: Candidates) -> Iterator[Candidates]:
    """The same heaps as if the board were seen at a slant of 40 degrees, from each of four sides or their opposites."""
    for angle in np.arange(4) * np.pi / 4:
        along = np.array([np.cos(angle), np.sin(angle)])
        shape = SLANT * np.eye(2) + (1.0 / SLANT - SLANT) * np.outer(along, along)
        shapes = np.tile([shape[0, 0], shape[0, 1], shape[1, 1]], (len(heaps), 1))
        yield replace(heaps, shapes=shapes)


def inked(working: WorkingCopy) -> Ink:
    """How much ink there is, 0-1, at half the size of the working copy ``(h // 2, w // 2)``: what closing fills."""
    grey = cv2.cvtColor(working.neutral, cv2.COLOR_BGR2GRAY)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (STROKE, STROKE))
    dark = cv2.morphologyEx(grey, cv2.MORPH_BLACKHAT, kernel).astype(np.float32)
    ink = np.clip(dark / max(float(np.percentile(dark, FULL)), LEAST_CONTRAST), 0.0, 1.0)
    half = (max(1, ink.shape[1] // 2), max(1, ink.shape[0] // 2))
    return np.asarray(cv2.resize(ink, half, interpolation=cv2.INTER_AREA), dtype=np.float32)


def _heaps(ink: Ink, radius: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Middles ``(N, 2)`` and answers ``(N,)`` of the heaps of one size, pixels of ``ink``, the clearest first."""
    answer = cv2.GaussianBlur(ink, (0, 0), INNER * radius) - cv2.GaussianBlur(ink, (0, 0), OUTER * radius)
    side = int(2 * radius) | 1
    around = cv2.dilate(answer, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))
    rows, columns = np.nonzero((answer == around) & (answer > LEAST))
    answers = answer[rows, columns].astype(np.float64)
    order = np.argsort(-answers, kind="stable")[:MOST]
    middles = np.column_stack([columns[order], rows[order]]).astype(np.float64)
    return _centred(ink, middles, int(radius)), answers[order]


def _centred(ink: Ink, middles: NDArray[np.float64], reach: int) -> NDArray[np.float64]:
    """The middles of the ink within ``reach`` pixels of each of ``middles``."""
    padded = cv2.copyMakeBorder(ink, reach, reach, reach, reach, cv2.BORDER_CONSTANT)
    steps = np.mgrid[-reach : reach + 1, -reach : reach + 1][::-1]
    disc = (steps**2).sum(axis=0) <= reach**2
    out = middles.copy()
    for k, middle in enumerate(out):
        for _ in range(CENTRED):
            x, y = np.rint(middle).astype(int).clip(0, (ink.shape[1] - 1, ink.shape[0] - 1))
            part = padded[y : y + 2 * reach + 1, x : x + 2 * reach + 1] * disc
            if part.sum() > 0:
                middle = np.array([x, y]) + (steps * part).sum(axis=(1, 2)) / part.sum()
        out[k] = middle
    return out


def _tilted(centres: NDArray[np.float64], radii: NDArray[np.float64], outlines: Candidates) -> NDArray[np.float64]:
    """Shapes ``(N, 3)`` of heaps: the median of those of outlines near."""
    known = ~np.isnan(outlines.shapes).any(axis=1)
    shapes = np.tile([1.0, 0.0, 1.0], (len(centres), 1))
    if not known.any():
        return shapes
    far = np.hypot(*(centres[:, None] - outlines.centres_photo[None, known]).transpose(2, 0, 1))
    far[np.abs(np.log(radii[:, None] / outlines.radii_px[None, known])) > LIKE_SIZE] = np.inf
    for k, order in enumerate(np.argsort(far, axis=1, kind="stable")[:, :TILT_FROM]):
        near = order[np.isfinite(far[k, order])]
        if len(near):
            shapes[k] = np.median(outlines.shapes[known][near], axis=0)
    return shapes
