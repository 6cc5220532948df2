"""What city boards print beside discs and links: parks, boat stops, signs of the coast, names of waters, tick boxes."""

from __future__ import annotations

import math

from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.design import BoardDesign
from ontour_cv.press.drawing import Circle, Colour, Item, Pen, Point, Shape, Text, blend, rectangle
from ontour_cv.press.growth import soften
from ontour_cv.press.palette import GREY, WHITE
from ontour_cv.press.tickboxes import block_box, distance, tick_boxes

WATER: Colour = (36, 104, 168)
"""Of what belongs to the water: ferries, boat stops, names of rivers."""

SIGN, AWAY = 0.27, 1.42
"""Radius of a coast sign, and how far its middle lies from that of its disc, disc radii."""

TICK: Colour = (128, 138, 146)
"""Lines of tick boxes: paler than any pen."""

PIER = 0.42
"""Radius of the sign of a boat stop, disc radii."""

_GREEN: Colour = (104, 158, 92)


def draw_green(design: BoardDesign, lineart: bool, unit: float) -> tuple[Item, ...]:
    """Parks: green, in line art an outline."""
    items = []
    for outline in design.green.values():
        points = soften(tuple((x * unit, y * unit) for x, y in outline), 2)
        items.append(Shape((points,), None if lineart else blend(_GREEN, WHITE, 0.35), Pen(_GREEN, 0.14)))
    return tuple(items)


def draw_piers(design: BoardDesign, unit: float) -> tuple[Item, ...]:
    """Boat stops: a boat in a circle at the water, and a thin line to the disc whose stop it is."""
    radius = PIER * design.radius * unit
    items: list[Item] = []
    for region, (x, y) in design.piers.items():
        spot, disc = (x * unit, y * unit), tuple(value * unit for value in design.discs[region])
        way = math.dist(spot, disc)
        share = 1 - 1.02 * design.radius * unit / way
        rim = (spot[0] + (disc[0] - spot[0]) * share, spot[1] + (disc[1] - spot[1]) * share)
        items.append(Shape(((spot, rim),), None, Pen(WATER, 0.1 * radius * 2, ()), False))
        items += [Circle(spot, radius, WHITE, Pen(WATER, 0.16 * radius)), *draw_boat(spot, radius)]
    return tuple(items)


def pier_boxes(region: str, design: BoardDesign, unit: float) -> tuple[tuple[float, float, float, float], ...]:
    """Squares round the sign of a boat stop and along its line, which names keep clear of."""
    (x, y), (u, v) = design.piers[region], design.discs[region]
    boxes = []
    for share, size in ((0.0, PIER), (0.2, 0.1), (0.4, 0.1), (0.6, 0.1)):
        middle = (x + (u - x) * share) * unit, (y + (v - y) * share) * unit
        reach = size * design.radius * unit
        boxes.append((middle[0] - reach, middle[1] - reach, middle[0] + reach, middle[1] + reach))
    return tuple(boxes)


def draw_boat(at: Point, radius: float) -> tuple[Item, ...]:
    """A hull, a mast and a sail within a circle."""
    x, y = at
    hull = ((-0.62, 0.18), (0.62, 0.18), (0.36, 0.52), (-0.36, 0.52))
    sail = ((-0.02, 0.06), (-0.02, -0.64), (0.46, 0.06))
    parts = tuple(tuple((x + radius * a, y + radius * b) for a, b in part) for part in (hull, sail))
    return tuple(Shape((part,), WATER) for part in parts)


def draw_words(design: BoardDesign, unit: float) -> tuple[Item, ...]:
    """Names of waters."""
    size = 0.0062 * unit
    return tuple(
        Text((x * unit, y * unit), name, size, WATER) for name, spots in design.words.items() for x, y in spots
    )


def draw_coast_signs(template: MapTemplate, design: BoardDesign, unit: float) -> tuple[Item, ...]:
    """A small boat beside each disc from which a ferry may leave.

    No second rim round the disc: who looks for discs in a photo would take it for the disc.
    """
    radius = SIGN * design.radius * unit
    items: list[Item] = []
    for x, y in coast_signs(template, design).values():
        spot = (x * unit, y * unit)
        items += [Circle(spot, radius, WHITE, Pen(WATER, 0.16 * radius)), *draw_boat(spot, radius)]
    return tuple(items)


def coast_signs(template: MapTemplate, design: BoardDesign) -> dict[str, Point]:
    """Where the boat of each disc at the water stands: beside it, farthest from links, tick boxes and other discs."""
    if template.city is None:
        return {}
    blocks = [block_box(block) for block in tick_boxes(template, design).values()]
    signs = {}
    for region in template.ids:
        if not template.city.waters[region]:
            continue
        x, y = design.discs[region]
        others = [spot for spot in design.discs.values() if spot != (x, y)]
        ways = [math.atan2(design.discs[n][1] - y, design.discs[n][0] - x) for n in template.region(region).neighbours]
        best = (-math.inf, (x, y))
        for k in range(36):
            angle = 2 * math.pi * k / 36
            spot = (x + AWAY * design.radius * math.cos(angle), y + AWAY * design.radius * math.sin(angle))
            gaps = [0.9 * AWAY * abs(math.sin(min(abs(_turn(angle - way)), math.pi / 2))) for way in ways]
            gaps += [distance(block, spot) / design.radius for block in blocks]
            gaps += [math.dist(spot, other) / design.radius - 1.0 for other in others]
            best = max(best, (min(gaps), spot))
        signs[region] = best[1]
    return signs


def _turn(angle: float) -> float:
    """The angle between -pi and pi."""
    return (angle + math.pi) % (2 * math.pi) - math.pi


def draw_ticks(template: MapTemplate, design: BoardDesign, unit: float) -> tuple[Item, ...]:
    """The four boxes beside each disc, each with the letter of its soloist, pale."""
    items: list[Item] = []
    size = 0.26 * design.radius * unit
    for block in tick_boxes(template, design).values():
        for letter, (left, top, right, bottom) in block.items():
            box = rectangle(left * unit, top * unit, right * unit, bottom * unit)
            items.append(Shape((box,), WHITE, Pen(TICK, 0.045 * design.radius * unit)))
            middle = (left + right) / 2 * unit, (top + bottom) / 2 * unit + 0.5 * size
            items.append(Text(middle, letter.upper(), size, blend(GREY, WHITE, 0.35)))
    return tuple(items)
