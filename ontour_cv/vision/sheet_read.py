"""The recipe of reading a sheet on one screen; :class:`SheetReading` keeps every intermediate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from ontour_cv.vision.others import OtherBoard
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.read import Stopwatch
from ontour_cv.vision.sheet_cells import SheetCrops, cut_close, cut_sheet
from ontour_cv.vision.sheet_decode import DecodedSheet, decode_sheet
from ontour_cv.vision.sheet_glare import doubted, unseen
from ontour_cv.vision.sheet_glyphs import SheetNetwork, SheetScores, unsure
from ontour_cv.vision.sheet_others import sheet_outline, sheets_beside
from ontour_cv.vision.sheet_place import SheetPlacement, locate_sheet, shaky
from ontour_cv.vision.sheet_prior import SheetPrior


@dataclass(frozen=True, slots=True, eq=False)
class SheetReading:
    """Everything seen and thought about one photo.

    Attributes:
        timings_ms: stage name -> milliseconds.
        others: sheets that lie beside this one.
    """

    photo: Photo
    placement: SheetPlacement
    crops: SheetCrops
    scores: SheetScores
    decoded: DecodedSheet
    timings_ms: Mapping[str, float]
    others: tuple[OtherBoard, ...] = ()


def read_sheet(
    photo: Photo, network: SheetNetwork, prior: SheetPrior, found: SheetPlacement | None = None
) -> SheetReading:
    """What a photo shows: where the sheet lies and what stands in every cell and box.

    Args:
        photo: the picture.
        network: the loaded sheet network; it knows the sheet to look for.
        prior: what the rules say about sheets in general.
        found: where the sheet lies, if that is known; it is not looked for then.

    Raises:
        BoardNotFound: no such sheet is in the picture.
    """
    watch = Stopwatch()
    model = network.model
    placement = found or locate_sheet(photo, model)
    watch.lap("locate")
    crops = cut_sheet(photo, placement.warp, model)
    watch.lap("cells")
    closer = partial(cut_close, photo, placement.warp, model)
    scores = unsure(network.read(crops.images, closer), shaky(placement))
    scores = doubted(scores, unseen(photo, placement.warp, model))
    watch.lap("glyphs")
    decoded = decode_sheet(scores, model, prior, crops.inside)
    watch.lap("decode")
    others = tuple(sheets_beside(photo, model, sheet_outline(placement)))
    watch.lap("others")
    return SheetReading(photo, placement, crops, scores, decoded, watch.timings_ms, others)
