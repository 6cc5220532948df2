"""Made-up readings of sheets: what a photo shows is told, everything behind it is real."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ontour_cv.board import Kind, Mark
from ontour_cv.geometry import Homography
from ontour_cv.maps.load import load_map
from ontour_cv.sheet import Sheet, parse_sheet
from ontour_cv.vision.cells import CROP_PX
from ontour_cv.vision.decode import CellReading
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.sheet_boxes import BoxReading
from ontour_cv.vision.sheet_cells import SheetCrops
from ontour_cv.vision.sheet_decode import DecodedSheet
from ontour_cv.vision.sheet_glyphs import SHEET_HEADS, SheetScores
from ontour_cv.vision.sheet_model import sheet_model
from ontour_cv.vision.sheet_place import SheetPlacement
from ontour_cv.vision.sheet_read import SheetReading
from ontour_cv.vision.sheet_warp import SheetWarp

TEMPLATE = load_map("rolling-america")
MODEL = sheet_model(TEMPLATE)

LEGAL = (
    "AK=1 AL=3 AR=3 AZ=2 CA=2 CO=3 CT=4 DE=4 FL=3 GA=3 HI=6 IA=3 ID=2 IL=3 IN=3 KS=3 KY=3 LA=3 MA=4 MD=4 ME=4 MI=3 "
    "MN=3 MO=3 MS=3 MT=3 NC=3 ND=3 NE=3 NH=4 NJ=4 NM=3 NV=2 NY=4 OH=3 OK=3 OR=2 PA=4 RI=4 SC=3 SD=3 TN=3 TX=3 UT=2 "
    "VA=3 VT=4 WA=2 WI=3 WV=3 WY=3"
)
"""A sheet on which no neighbours clash."""


def sheet_of(text: str) -> Sheet:
    """A sheet from notation; states that are not named are blank."""
    return parse_sheet(text, TEMPLATE.ids)


def make_sheet_reading(
    text: str, doubts: Mapping[str, Mapping[str, float]] | None = None, width: int = 600
) -> SheetReading:
    """A reading of ``text``; ``doubts`` gives states what else they may be, mark (``"3o"``) -> probability."""
    sheet = sheet_of(text)
    cells = {}
    for state, mark in sheet.marks.items():
        others = {parse_sheet(f"{state}={other}").marks[state]: p for other, p in (doubts or {}).get(state, {}).items()}
        left = 1.0 - sum(others.values())
        unread = mark.kind is Kind.UNREAD
        cells[state] = CellReading(mark, 0.0 if unread else left, tuple(others.items()), unread or left < 0.99)
    boxes = {name: BoxReading(value, 0.9999, ()) for name, value in sheet.boxes.said().items()}
    flat = Homography(np.diag([float(width), float(width), 1.0]), "sheet", "photo")
    warp = SheetWarp(flat, np.empty((0, 2)), np.empty((0, 2)))
    count = len(MODEL.ids)
    crops = SheetCrops(
        np.zeros((count, CROP_PX, CROP_PX, 3), np.uint8), np.ones(count, dtype=bool), np.full(count, float(width))
    )
    scores = SheetScores(**{name: np.full((count, size), -np.log(size)) for name, size in SHEET_HEADS})
    photo = Photo("made up", np.full((round(0.72 * width), width, 3), 200, np.uint8))
    placement = SheetPlacement(MODEL, warp, 200.0, count, 0.95)
    return SheetReading(photo, placement, crops, scores, DecodedSheet(cells, boxes), {"locate": 1.0})


def blank() -> Mark:
    """Nothing written."""
    return Mark(Kind.EMPTY)
