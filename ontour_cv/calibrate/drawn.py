"""The calibration of a board this project draws itself: no photo is needed, the drawing knows."""

from __future__ import annotations

import math
from statistics import median

from ontour_cv.calibrate.edition import Residuals
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.design import BoardDesign
from ontour_cv.press.editions import own_edition


def drawn_edition(template: MapTemplate, design: BoardDesign) -> tuple[Edition, Residuals]:
    """The edition a drawing prints, and how far its discs lie from the map's rough layout."""
    edition = own_edition(template, design)
    off = {
        region.id: math.dist(edition.cells[region.id], region.layout) / edition.radius for region in template.regions
    }
    return edition, Residuals(off, median(off.values()), max(off.values()))
