"""A quick look at one frame: is a board there, where, how large, how sharp, and where is glare? About 0.15 s.

Measured on the fixture photos, one core: median 0.15 s, at most 0.35 s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.errors import BoardNotFound
from ontour_cv.maps.edition import Edition
from ontour_cv.vision.cells import cut_cells
from ontour_cv.vision.clarity import disc_radius_px, edge_width, washed_out
from ontour_cv.vision.landmarks import DiscSettings, find_discs
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import register

QUICK = DiscSettings(long_side=800, min_radius=4.0)
"""A third of the pixels of a full read; smaller discs count, so that a board far away can be told to come nearer."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What a quick look at a frame shows.

    Attributes:
        ids: region ids, in the map's order.
        centres: ``(N, 2)`` disc centres, frame pixels.
        radius_px: median disc radius, frame pixels.
        width: width of steep edges in disc radii (:func:`ontour_cv.vision.clarity.edge_width`).
        outside: ids of cells outside the frame.
        glare: ids of cells that glare seems to cover.
    """

    ids: tuple[str, ...]
    centres: NDArray[np.float64]
    radius_px: float
    width: float
    outside: tuple[str, ...]
    glare: tuple[str, ...]


def look_at(photo: Photo, editions: Sequence[Edition], thorough: bool = False) -> Look | None:
    """The look at a frame; None when no board is seen.

    Args:
        photo: the frame.
        editions: every edition it may be.
        thorough: True to search as long as for a photo, up to a second.
    """
    try:
        placement = register(photo, find_discs(photo, QUICK), editions, thorough)
    except BoardNotFound:
        return None
    crops = cut_cells(photo, placement)
    glare = washed_out(crops)
    return Look(
        ids=crops.ids,
        centres=np.array([place.centre_photo for place in placement.cells.values()]),
        radius_px=disc_radius_px(placement),
        width=edge_width(crops),
        outside=tuple(region for region, place in placement.cells.items() if not place.inside),
        glare=tuple(region for region, hit in zip(crops.ids, glare, strict=True) if hit),
    )
