"""A quick look at one frame for a sheet: is it there, where, how large, how sharp? About half a second."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ontour_cv.camera.gate import GateSettings
from ontour_cv.camera.look import Look
from ontour_cv.maps.edition import Edition
from ontour_cv.vision.cells import CellCrops
from ontour_cv.vision.clarity import edge_width
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.sheet_cells import cut_sheet
from ontour_cv.vision.sheet_model import SheetModel
from ontour_cv.vision.sheet_place import accepted, find_sheet

SHEETS = GateSettings(least_radius_px=10.0, what="the small states")
"""Bounds of a good frame of a sheet. Edges are as wide on sheets as on boards: 0.10 sharp, 0.22 blurred by an eighth of
a state (five fixture sheets)."""

SMALL = 0.1
"""The tenth part of the states that is smallest decides whether the sheet is near enough."""


def sheet_looker(model: SheetModel) -> Callable[[Photo, Sequence[Edition], bool], Look | None]:
    """How frames are looked at for a sheet; takes what ``camera.look.look_at`` takes, editions and search unused."""

    def look(photo: Photo, _: Sequence[Edition] = (), __: bool = False) -> Look | None:
        return look_at_sheet(photo, model)

    return look


def look_at_sheet(photo: Photo, model: SheetModel) -> Look | None:
    """The look at a frame; None when no sheet is seen. Paper does not shine: nothing is called glare.

    Args:
        photo: the frame.
        model: the sheet.
    """
    found = find_sheet(photo, model, looks=2)
    if found is None or not accepted(found):
        return None
    crops = cut_sheet(photo, found.warp, model)
    states = slice(0, model.cells)
    spans = np.array([np.ptp(outline, axis=0).max() for outline in model.outlines[states]])
    cells = CellCrops(model.ids[states], crops.images[states], crops.px_per_width[states])
    return Look(
        ids=model.ids[states],
        centres=found.warp.apply(model.middles[states]),
        radius_px=float(np.quantile(spans / 2 * crops.px_per_width[states], SMALL)),
        width=edge_width(cells),
        outside=tuple(i for i, inside in zip(cells.ids, crops.inside[states], strict=True) if not inside),
        glare=(),
    )
