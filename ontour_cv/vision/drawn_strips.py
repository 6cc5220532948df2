"""The corridor of every link of a map, cut out of the photo and laid straight: what a drawn line is looked for in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import Placement

ALONG = 32
"""Samples along a corridor, from rim to rim."""

ACROSS = 31
"""Samples across it."""

HALF_WIDTH = 1.5
"""Half a corridor's width, disc radii: lines bulge, and the ground beside them is what they are compared with."""

RIM = 0.92
"""Where a corridor begins and ends, disc radii from the disc's centre: lines reach the rim, or nearly."""

SPAN = 1.2
"""A corridor's least length, disc radii: between discs that nearly touch, it begins inside them."""

RADIUS_PX = 14.0
"""Disc radius in the picture sampled from: fine pens are then 1.5 pixels wide. Larger photos are averaged first."""


@dataclass(frozen=True, slots=True, eq=False)
class LinkStrips:
    """The corridors of a board's links.

    Attributes:
        links: the two region ids of each link.
        images: ``(N, ALONG, ACROSS, 3)`` uint8 BGR; the first axis runs from the first region's disc to the second's.
        lengths: ``(N,)`` distance between the discs' centres, disc radii.
    """

    links: tuple[tuple[str, str], ...]
    images: NDArray[np.uint8]
    lengths: NDArray[np.float64]


def cut_links(photo: Photo, placement: Placement, links: Sequence[tuple[str, str]]) -> LinkStrips:
    """The corridors of ``links`` on a placed board; there must be a link."""
    first = np.array([placement.cells[a].centre_photo for a, _ in links])
    last = np.array([placement.cells[b].centre_photo for _, b in links])
    axes = np.array([(placement.cells[a].axes_photo + placement.cells[b].axes_photo) / 2 for a, b in links])
    return LinkStrips(tuple(links), *cut_corridors(photo.bgr, first, last, axes))


def cut_corridors(
    bgr: NDArray[np.uint8], first: NDArray[np.float64], last: NDArray[np.float64], axes: NDArray[np.float64]
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Corridors between points, each sampled once from the picture brought to a fixed scale.

    Args:
        bgr: ``(H, W, 3)`` uint8.
        first: ``(N, 2)`` pixels, centre of the disc each corridor starts from.
        last: the same of the disc it ends at.
        axes: ``(N, 2, 2)`` as ``CellPlace.axes_photo``, for each corridor.

    Returns:
        ``images`` and ``lengths`` as in :class:`LinkStrips`.
    """
    local = np.linalg.solve(axes, (last - first)[..., None])[..., 0]
    lengths = np.hypot(*local.T)
    normal = np.stack([-local[:, 1], local[:, 0]], axis=1) / lengths[:, None]
    sideways = np.einsum("nij,nj->ni", axes, normal)
    edge = np.minimum(RIM, (lengths - SPAN) / 2) / lengths
    t = edge[:, None] + (1 - 2 * edge[:, None]) * np.linspace(0, 1, ALONG)[None]
    middle = first[:, None] + t[..., None] * (last - first)[:, None]
    across = np.linspace(-HALF_WIDTH, HALF_WIDTH, ACROSS)
    points = middle[:, :, None] + across[None, None, :, None] * sideways[:, None, None]
    picture, scale, origin = _reduced(bgr, axes, points)
    places = ((points - origin + 0.5) * scale - 0.5).astype(np.float32)
    xs, ys = (np.ascontiguousarray(places[..., k].reshape(-1, ACROSS)) for k in (0, 1))
    cut = cv2.remap(picture, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, dtype=np.uint8).reshape(len(first), ALONG, ACROSS, 3), lengths


def _reduced(
    bgr: NDArray[np.uint8], axes: NDArray[np.float64], points: NDArray[np.float64]
) -> tuple[NDArray[np.uint8], float, NDArray[np.float64]]:
    """The part of the photo with the corridors, reduced; its scale, and the photo pixel it starts at."""
    height, width = bgr.shape[:2]
    flat = points.reshape(-1, 2)
    low = np.clip(np.floor(flat.min(axis=0)) - 4, 0, [width - 2, height - 2]).astype(int)
    high = np.clip(np.ceil(flat.max(axis=0)) + 5, low + 2, [width, height]).astype(int)
    part = bgr[low[1] : high[1], low[0] : high[0]]
    scale = min(1.0, RADIUS_PX / float(np.sqrt(np.median(np.abs(np.linalg.det(axes))))))
    if scale < 1.0:
        part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return part, scale, low.astype(np.float64)
