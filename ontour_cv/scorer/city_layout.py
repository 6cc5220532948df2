"""What is printed on this project's board of a city, for the eyes: discs, boxes, rows, pairs for ferries, the print."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.board import BoardLook, draw_board
from ontour_cv.press.city_panel import row_boxes
from ontour_cv.press.design import ASPECT, load_design
from ontour_cv.press.drawing import Drawing
from ontour_cv.press.editions import own_frame
from ontour_cv.press.raster import paint
from ontour_cv.press.tickboxes import tick_boxes
from ontour_cv.press.waterside import coast_signs
from ontour_cv.rules.city import ferry_reason
from ontour_cv.vision.city_flat import Box, CityLayout

LOOKS = (False, True)
"""A board is printed in colour or as line art: whether it is line art, for each look."""

PRINT_PX, SMALL_PX = 1500, 334
"""Width of the print that photos are compared with: a tick box is then 13 pixels wide; and of the small prints that
tell which look a photo shows."""


_known: dict[str, tuple[MapTemplate, CityLayout]] = {}
"""Layouts drawn so far, by the map's id, with the map they were drawn for."""


def city_layout(template: MapTemplate) -> CityLayout:
    """The layout of a city's own board; drawn once for each map, which takes half a second."""
    kept = _known.get(template.id)
    if kept is None or kept[0] != template:
        kept = _known[template.id] = template, _drawn(template)
    return kept[1]


def _drawn(template: MapTemplate) -> CityLayout:
    assert template.city is not None, template.id
    design = load_design(template)
    frame = own_frame(template, design)
    rows: dict[str, tuple[Box, ...]] = {}
    if design.rows is not None:
        boxes = row_boxes(template.city, design.rows)
        rows = {
            letter: tuple(boxes[letter, k] for k in range(len(row))) for letter, row in template.city.tracks.items()
        }
    coast = [region for region in template.ids if template.city.waters[region]]
    pairs = tuple((a, b) for a, b in combinations(coast, 2) if template.region(a).areas != template.region(b).areas)

    @cache
    def drawing(look: int) -> Drawing:
        return draw_board(template, design, BoardLook(LOOKS[look]), 100.0)

    @cache
    def printed(look: int, width: int = PRINT_PX) -> NDArray[np.uint8]:
        return paint(drawing(look), width / 100)

    return CityLayout(
        aspect=ASPECT,
        radius=design.radius,
        discs=dict(design.discs),
        boxes=tick_boxes(template, design),
        rows=rows,
        pairs=pairs,
        lawful=tuple(not ferry_reason(template, pair) for pair in pairs),
        linked=tuple(b in template.region(a).neighbours for a, b in pairs),
        scale=frame.scale,
        shift=frame.shift,
        looks=tuple(printed(look, SMALL_PX) for look in range(len(LOOKS))),
        printed=printed,
        boats=coast_signs(template, design),
    )
