"""The small boxes beside each disc that a player of New York ticks for a soloist: where they stand, from the design."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

from ontour_cv.maps.city import INSTRUMENTS
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.design import BoardDesign
from ontour_cv.press.drawing import Point

SIDE = 0.5
"""Side of a tick box, disc radii."""

GAP = 0.12
"""Between two of them, disc radii."""

CLEAR = 1.3
"""Nearest any of them comes to the centre of a disc, disc radii: what is read of a disc ends before."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

Block = Mapping[str, Box]
"""Letter of a soloist -> its box, board widths."""


def tick_boxes(template: MapTemplate, design: BoardDesign) -> dict[str, Block]:
    """The boxes of every region that has some, in the design's frame; empty for maps without soloists."""
    if template.city is None:
        return {}
    return {region: block_at((x, y), columns, design.radius) for region, (x, y, columns) in design.ticks.items()}


def block_at(corner: Point, columns: int, radius: float) -> Block:
    """The boxes of one disc of this radius in rows of ``columns``, from the block's top left corner."""
    side, step = SIDE * radius, (SIDE + GAP) * radius
    spots = itertools.product(range(-(-len(INSTRUMENTS) // columns)), range(columns))
    boxes = {}
    for letter, (row, column) in zip(INSTRUMENTS, spots, strict=True):
        left, top = corner[0] + column * step, corner[1] + row * step
        boxes[letter] = (left, top, left + side, top + side)
    return boxes


def block_box(block: Block, unit: float = 1.0) -> Box:
    """The rectangle round all boxes of a block, in board widths times ``unit``."""
    lefts, tops, rights, bottoms = zip(*block.values(), strict=True)
    return min(lefts) * unit, min(tops) * unit, max(rights) * unit, max(bottoms) * unit


def distance(box: Box, spot: Point) -> float:
    """From a point to a rectangle; 0 inside."""
    dx = max(box[0] - spot[0], 0.0, spot[0] - box[2])
    dy = max(box[1] - spot[1], 0.0, spot[1] - box[3])
    return math.hypot(dx, dy)
