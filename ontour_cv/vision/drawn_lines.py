"""Corridors -> what a pen line along each would look like: how much ink, how unbroken, in which colour.

A line of ink covers a share of the ground beside it, its *alpha* (Porter and Duff 1984, "Compositing digital images"):
``seen = alpha * ink + (1 - alpha) * ground``, solved for alpha with the ground taken from either side of the pixel, the
smaller answer counting. So patches, borders and shades of the art have none, and what all links have, their print, is
taken off. The best way through that from disc to disc is found by dynamic programming (as in Geman and Jedynak 1996,
"An active testing model for tracking roads"), and what lies along it are the features of the link.

Three inks are looked for: that of the marks; that of whatever dark lines most links agree on, since a tour is drawn
with one pen; and any that darkens its ground.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.drawn_strips import ACROSS, BETWEEN, HALF_WIDTH, STEP, WITHIN, LinkStrips

Array = NDArray[np.float32]

FLANKS = (6, 9)
"""How far beside a pixel its ground is looked for, samples across: beyond the widest pen, and beyond one that bends."""

FAINT = 0.12
"""Contrast (share of the paper) below which ink and ground are not told apart."""

OFF_COLOUR = 0.22
"""Distance from the mixture of ground and ink (share of the paper) at which a pixel is something else."""

LIFT, BESIDE, ENLARGED = 0.05, 15, 3.0
"""Local contrast: what blacks are lifted by, how wide a stretch is averaged (samples across), and the scale."""

SIDESTEP = 0.06
"""What a step to the side costs the way, in alpha."""

OFF_AXIS = 0.25
"""What it costs to begin or end one disc radius beside the axis, in alpha."""

SAME_PEN = 0.12
"""How far the colours of one pen's lines lie apart, shares of the paper."""

WINDOW = BETWEEN // 7
"""Samples of a line's weakest part."""

GAP = 0.3
"""Alpha below which a line is broken."""

PER_INK = 10
"""Features of a link for each ink."""

FEATURES = 3 * PER_INK + 6
"""Features of a link."""

PLANES = 10
"""Planes of the corridor network's input."""


@dataclass(frozen=True, slots=True, eq=False)
class LinkView:
    """What is seen of every link of a board.

    Attributes:
        planes: ``(N, PLANES, ALONG, ACROSS)`` float32, the corridor network's input: alpha of any ink, of the marks'
            and of the common pen's; the three colours, and how each differs from those beside it; and the length, since
            a short corridor shows a piece enlarged.
        features: ``(N, FEATURES)`` float32, what lies along the best way for each ink.
    """

    planes: Array
    features: Array


def view_links(strips: LinkStrips) -> LinkView:
    """The links of a board as its networks see them."""
    share = np.ascontiguousarray(np.moveaxis(strips.images, 3, 0), dtype=np.float32)
    share /= strips.paper.T.astype(np.float32)[:, :, None, None]
    grounds = [Ground(share, side) for side in _flanks(share)]
    any_ink = _plain(np.minimum(*(-ground.seen.min(axis=0) for ground in grounds)))
    way, _ = _ways(any_ink)
    colours = np.stack([_along(plane, way)[:, WITHIN:-WITHIN] for plane in share], axis=2)
    held = np.quantile(_along(any_ink, way)[:, WITHIN:-WITHIN], 0.25, axis=1)
    own = np.median(colours, axis=1)
    pen = _common_pen(own, held)
    marks = strips.ink.astype(np.float32)
    alphas = [any_ink, *(_plain(np.minimum(*(ground.alpha(ink) for ground in grounds))) for ink in (marks, pen))]
    columns = [_of_ink(alpha, strips.lengths) for alpha in alphas]
    lengths = (np.minimum(strips.lengths, 10.0)[:, None] / 5.0 - 1.0).astype(np.float32)
    to_pen, to_marks = (np.linalg.norm(own - ink, axis=1)[:, None] for ink in (pen, marks))
    spread = colours.std(axis=1).mean(axis=1)[:, None]
    between = np.broadcast_to(np.linalg.norm(pen - marks), (len(own), 1))
    grey = share.mean(axis=0)
    ground = np.median(grey, axis=(1, 2))[:, None]
    features = np.concatenate([*columns, lengths, to_pen, to_marks, spread, between, ground], axis=1)
    colour = np.clip(2 * share - 1, -1, 1.5)
    planes = np.stack([*alphas, *colour, *_contrast(share), np.broadcast_to(lengths[:, :, None], grey.shape)], axis=1)
    return LinkView(planes.astype(np.float32), features.astype(np.float32))


def _contrast(share: Array) -> Array:
    """How each colour differs from its mean across the corridor, log units enlarged, ``(3, N, A, C)``.

    Ink that hardly darkens its ground, as violet on magenta, stands out here; light drops out.
    """
    logs = np.log(share + np.float32(LIFT))
    around = cv2.blur(logs.reshape(-1, ACROSS), (BESIDE, 1), borderType=cv2.BORDER_REPLICATE).reshape(logs.shape)
    return np.asarray(np.clip((logs - around) * np.float32(ENLARGED), -1.5, 1.5), dtype=np.float32)


def _flanks(share: Array) -> Iterator[Array]:
    """The ground on either side of each pixel ``(3, N, A, C)``: of two places there the brighter."""
    for sign in (-1, 1):
        near, far = (share[..., np.clip(np.arange(ACROSS) + sign * by, 0, ACROSS - 1)] for by in FLANKS)
        yield np.where(near.sum(axis=0) > far.sum(axis=0), near, far)


class Ground:
    """The ground beside every pixel ``(3, N, A, C)``, as shares of the paper, and how the pixel differs from it."""

    def __init__(self, share: Array, ground: Array) -> None:
        self.seen = share - ground
        self._ground = ground
        self._squared = np.einsum("knac,knac->nac", self.seen, self.seen)

    def alpha(self, ink: Array) -> Array:
        """How much of this ink covers the ground, ``(N, A, C)``, 0 where something else is seen."""
        span = ink[:, None, None, None] - self._ground
        across = np.einsum("knac,knac->nac", span, span)
        both = np.einsum("knac,knac->nac", self.seen, span)
        alpha = np.clip(both / (across + np.float32(FAINT**2)), 0, 1.2)
        off = self._squared + alpha * (alpha * across - 2 * both)
        return np.asarray(alpha * np.exp(np.maximum(off, 0) * np.float32(-0.5 / OFF_COLOUR**2)), dtype=np.float32)


def _plain(alpha: Array) -> Array:
    """Without what most links have there: the print."""
    usual = np.median(alpha, axis=0)
    usual = np.maximum(usual, usual[:, ::-1])
    return np.maximum(alpha - np.maximum(usual, usual[::-1]), 0)


def _ways(alpha: Array) -> tuple[NDArray[np.intp], Array]:
    """The best way along each corridor, column by row ``(N, ALONG)``, and what it gathers ``(N,)``."""
    count, along, across = alpha.shape
    start, stop = WITHIN, along - WITHIN
    offside = np.square(np.linspace(-HALF_WIDTH, HALF_WIDTH, across, dtype=np.float32)) * np.float32(OFF_AXIS * 4)
    gathered = alpha[:, start] - offside
    came = np.zeros((count, along, across), dtype=np.int8)
    wide = np.full((count, across + 2), -1e9, dtype=np.float32)
    for row in range(start + 1, stop):
        wide[:, 1:-1] = gathered
        steps = np.stack([wide[:, 1:-1], wide[:, :-2] - SIDESTEP, wide[:, 2:] - SIDESTEP])
        choice = steps.argmax(axis=0)
        came[:, row] = np.array([0, -1, 1], dtype=np.int8)[choice]
        gathered = steps.max(axis=0) + alpha[:, row]
    gathered = gathered - offside
    column = gathered.argmax(axis=1)
    best = np.take_along_axis(gathered, column[:, None], axis=1)[:, 0] / (stop - start)
    way = np.empty((count, along), dtype=np.intp)
    way[:, stop - 1 :] = column[:, None]
    every = np.arange(count)
    for row in range(stop - 1, start, -1):
        column = column + came[every, row, column]
        way[:, row - 1] = column
    way[:, :start] = column[:, None]
    return way, best


def _along(field: Array, way: NDArray[np.intp]) -> Array:
    """A field ``(N, A, C)`` along the ways, ``(N, A)``."""
    return np.asarray(field[np.arange(len(way))[:, None], np.arange(way.shape[1])[None], way], dtype=np.float32)


def _of_ink(alpha: Array, lengths: NDArray[np.float64]) -> Array:
    """What is seen along the best way through this alpha, ``(N, PER_INK)``."""
    way, best = _ways(alpha)
    thick = np.maximum(alpha, np.maximum(np.roll(alpha, 1, axis=2), np.roll(alpha, -1, axis=2)))
    seen = _along(thick, way)
    between = seen[:, WITHIN:-WITHIN]
    step = np.maximum(lengths - 1.84, 1.0) / (BETWEEN - 1)
    windows = np.lib.stride_tricks.sliding_window_view(between, WINDOW, axis=1).mean(axis=2)
    low, quarter, half = np.quantile(between, (0.1, 0.25, 0.5), axis=1)
    inside = seen[:, [*range(WITHIN - round(0.3 / STEP), WITHIN), *range(-WITHIN, round(0.3 / STEP) - WITHIN)]]
    turns = np.abs(np.diff(way[:, WITHIN:-WITHIN], axis=1)).sum(axis=1) / BETWEEN
    ends = np.abs(way[:, [WITHIN, -WITHIN - 1]] - ACROSS // 2).max(axis=1) / ACROSS
    parts = [best, between.mean(axis=1), low, quarter, half, windows.min(axis=1), _longest_gap(between) * step,
             inside.mean(axis=1), turns, ends]  # fmt: skip
    return np.stack(parts, axis=1).astype(np.float32)


def _longest_gap(alpha: Array) -> NDArray[np.intp]:
    """Length of the longest run below ``GAP``, samples."""
    run = np.zeros(len(alpha), dtype=np.intp)
    longest = run.copy()
    for row in range(alpha.shape[1]):
        run = np.where(alpha[:, row] < GAP, run + 1, 0)
        longest = np.maximum(longest, run)
    return longest


def _common_pen(colours: Array, held: Array) -> Array:
    """The colour that most of the unbroken dark lines share, ``(3,)``.

    Args:
        colours: ``(N, 3)`` of each link's darkest way, shares of the paper.
        held: ``(N,)`` how dark its paler parts still are.
    """
    weight = np.maximum(held, 0) ** 2 + 1e-6
    near = np.exp(np.square(colours[:, None] - colours[None]).sum(axis=2) * np.float32(-0.5 / SAME_PEN**2))
    middle = int((near * weight[None]).sum(axis=1).argmax())
    share = near[middle] * weight
    return np.asarray((share[:, None] * colours).sum(axis=0) / share.sum(), dtype=np.float32)
