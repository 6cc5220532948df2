"""The corridor of every link of a map, cut out of the photo and laid straight: what a drawn line is looked for in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.landmarks import WorkingCopy
from ontour_cv.vision.register import Placement

WITHIN = 10
"""Samples along a corridor inside each disc: lines go on there, or bend round the disc."""

STEP = 0.09
"""Their distance, disc radii."""

BETWEEN = 44
"""Samples from rim to rim, however far the discs lie apart."""

ALONG = BETWEEN + 2 * WITHIN
"""Samples along a corridor."""

ACROSS = 41
"""Samples across it: of a fine pen's line, a tenth of a disc radius wide, none falls between two."""

HALF_WIDTH = 1.5
"""Half a corridor's width, disc radii: lines bulge, and the ground beside them is what they are compared with."""

RIM = 0.92
"""Where the part between the discs begins and ends, disc radii from the disc's centre: lines reach it, or nearly."""

SPAN = 1.0
"""That part's least length, disc radii: between discs that nearly touch, it begins inside them."""

TONES = 11
"""Samples to a side of the square of which a disc's colours are taken."""

TONES_REACH = 0.75
"""Half that square's side, disc radii: all but its corners lies within the printed ring."""


@dataclass(frozen=True, slots=True, eq=False)
class LinkStrips:
    """The corridors of a board's links.

    Attributes:
        links: the two region ids of each link.
        images: ``(N, ALONG, ACROSS, 3)`` uint8 BGR; the first axis runs from the first region's disc to the second's.
        steps: ``(N, 2)`` from the first disc's centre to the second's, disc radii along board x and y.
        paper: ``(N, 3)`` BGR, how bright the discs at a link's ends are: what its colours are compared with.
        ink: ``(3,)`` the ink of the marks, as a share of the paper.
    """

    links: tuple[tuple[str, str], ...]
    images: NDArray[np.uint8]
    steps: NDArray[np.float64]
    paper: NDArray[np.float64]
    ink: NDArray[np.float64]

    @property
    def lengths(self) -> NDArray[np.float64]:
        """``(N,)`` distance between the discs' centres, disc radii."""
        return np.asarray(np.hypot(*self.steps.T), dtype=np.float64)


def cut_links(working: WorkingCopy, placement: Placement, links: Sequence[tuple[str, str]]) -> LinkStrips:
    """The corridors of ``links`` on a placed board; there must be a link.

    They are cut from the working copy, in which a disc is some twenty pixels wide and a fine pen's line two.
    """
    places = list(placement.cells.values())
    centres = (np.array([place.centre_photo for place in places]) + 0.5) * working.scale - 0.5
    axes = np.array([place.axes_photo for place in places]) * working.scale
    rows = {region: row for row, region in enumerate(placement.cells)}
    ends = np.array([(rows[a], rows[b]) for a, b in links])
    return strips_of(working.neutral, centres, axes, ends, tuple(links))


def strips_of(
    bgr: NDArray[np.uint8],
    centres: NDArray[np.float64],
    axes: NDArray[np.float64],
    ends: NDArray[np.intp],
    links: tuple[tuple[str, str], ...],
) -> LinkStrips:
    """The corridors between discs that are known in a picture.

    Args:
        bgr: ``(H, W, 3)`` uint8.
        centres: ``(V, 2)`` pixels, the discs' centres.
        axes: ``(V, 2, 2)`` as ``CellPlace.axes_photo``.
        ends: ``(N, 2)`` rows of the discs each link joins.
        links: their names.
    """
    paper, ink = disc_tones(bgr, centres, axes)
    first, last = ends.T
    images, steps = cut_corridors(bgr, centres[first], centres[last], (axes[first] + axes[last]) / 2)
    return LinkStrips(links, images, steps, (paper[first] + paper[last]) / 2, np.median(ink / paper, axis=0))


def disc_tones(
    bgr: NDArray[np.uint8], centres: NDArray[np.float64], axes: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The paper's colour in each disc and its darkest, ``(V, 3)`` each; parameters as in :func:`strips_of`.

    The darkest is the ink where something is written. Marks cover less than half of a disc, so its brighter pixels are
    paper; the very brightest may be glare.
    """
    side = np.linspace(-TONES_REACH, TONES_REACH, TONES)
    square = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    seen = _sampled(bgr, centres[:, None] + np.einsum("nij,kj->nki", axes, square)).astype(np.float64)
    order = np.argsort(seen.sum(axis=2), axis=1)
    count = order.shape[1]
    ranked = np.take_along_axis(seen, order[..., None], axis=1)
    paper = ranked[:, int(0.7 * count) : int(0.92 * count)].mean(axis=1)
    return np.maximum(paper, 12.0), ranked[:, : max(1, int(0.06 * count))].mean(axis=1)


def cut_corridors(
    bgr: NDArray[np.uint8], first: NDArray[np.float64], last: NDArray[np.float64], axes: NDArray[np.float64]
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Corridors between points.

    Args:
        bgr: ``(H, W, 3)`` uint8.
        first: ``(N, 2)`` pixels, centre of the disc each corridor starts from.
        last: the same of the disc it ends at.
        axes: ``(N, 2, 2)`` as ``CellPlace.axes_photo``, for each corridor.

    Returns:
        ``images`` and ``steps`` as in :class:`LinkStrips`.
    """
    local = np.asarray(np.linalg.solve(axes, (last - first)[..., None])[..., 0], dtype=np.float64)
    lengths = np.hypot(*local.T)
    normal = np.stack([-local[:, 1], local[:, 0]], axis=1) / lengths[:, None]
    sideways = np.einsum("nij,nj->ni", axes, normal)
    rim = np.minimum(RIM, (lengths - SPAN) / 2)[:, None]
    within = np.arange(WITHIN, 0, -1) * STEP
    far = lengths[:, None] - rim
    between = rim + (far - rim) * np.linspace(0, 1, BETWEEN)
    t = np.concatenate([rim - within, between, far + within[::-1]], axis=1) / lengths[:, None]
    middle = first[:, None] + t[..., None] * (last - first)[:, None]
    across = np.linspace(-HALF_WIDTH, HALF_WIDTH, ACROSS)
    return _sampled(bgr, middle[:, :, None] + across[None, None, :, None] * sideways[:, None, None]), local


def _sampled(bgr: NDArray[np.uint8], points: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The picture at ``(..., 2)`` pixels, ``(..., 3)`` uint8; beyond its edge the edge goes on."""
    flat = points.astype(np.float32).reshape(-1, points.shape[-2], 2)
    xs, ys = (np.ascontiguousarray(flat[..., k]) for k in (0, 1))
    cut = cv2.remap(bgr, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, dtype=np.uint8).reshape(*points.shape[:-1], 3)
