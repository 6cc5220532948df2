"""The board of a map: sea, land in the colours of its areas, dotted links, discs, names, furniture."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.design import ASPECT, BoardDesign
from ontour_cv.press.drawing import Circle, Drawing, Group, Item, Pen, Point, Shape, Text, blend, rectangle
from ontour_cv.press.growth import Grown, grow_regions, soften
from ontour_cv.press.letters import text_width
from ontour_cv.press.names import place_names
from ontour_cv.press.palette import GREY, INK, WHITE, Colours, choose_colours
from ontour_cv.press.panel import PANEL_TOP, draw_panel
from ontour_cv.press.tickboxes import block_box, tick_boxes
from ontour_cv.press.waterside import (
    SIGN,
    coast_signs,
    draw_coast_signs,
    draw_green,
    draw_piers,
    draw_ticks,
    draw_words,
    pier_boxes,
)

UNIT = 100.0
"""Width of a board in its own coordinates; :func:`draw_board` scales it to the paper."""


@dataclass(frozen=True, slots=True)
class BoardLook:
    """How a board is printed: in full colour, or as line art that saves ink."""

    lineart: bool = False


def draw_board(template: MapTemplate, design: BoardDesign, look: BoardLook, width_mm: float) -> Drawing:
    """The whole board, ``width_mm`` wide and ``ASPECT`` times as high, everything true to scale."""
    colours = choose_colours(template, look.lineart)
    items = (*draw_map(template, design, look, colours), *draw_panel(template, design, colours, UNIT))
    frame = rectangle(0, 0, UNIT, ASPECT * UNIT)
    scale = width_mm / UNIT
    return Drawing(width_mm, ASPECT * width_mm, (Group(items, scale, (0.0, 0.0), (frame,)),))


def draw_map(template: MapTemplate, design: BoardDesign, look: BoardLook, colours: Colours) -> tuple[Item, ...]:
    """Everything but the furniture, in a frame ``UNIT`` wide."""
    links = link_lines(template, design)
    return (
        *_ground(template, design, look, colours),
        *draw_green(design, look.lineart, UNIT),
        *draw_piers(design, UNIT),
        *draw_words(design, UNIT),
        *_links(links, design),
        *_names(template, design, colours, links),
        *draw_coast_signs(template, design, UNIT),
        *_discs(template, design, colours),
        *draw_ticks(template, design, UNIT),
    )


def unit(point: Point) -> Point:
    """A point of the design in the board's own coordinates."""
    return point[0] * UNIT, point[1] * UNIT


def _outline(points: tuple[Point, ...], rounds: int = 2) -> tuple[Point, ...]:
    return soften(tuple(unit(point) for point in points), rounds)


def _ground(template: MapTemplate, design: BoardDesign, look: BoardLook, colours: Colours) -> tuple[Item, ...]:
    sea = Shape((rectangle(0, 0, UNIT, ASPECT * UNIT),), colours.sea)
    land = draw_land(template, design, look.lineart, colours)
    strip = Shape((rectangle(0, PANEL_TOP * UNIT, UNIT, ASPECT * UNIT),), colours.sea)
    river = (strip,) if design.piers else ()  # a river runs off the board below the furniture, not over it
    if look.lineart:
        return (sea, *land, *river)
    coasts = tuple(_outline(points, 0 if name == "board" else 2) for name, points in design.land.items())
    plain = tuple(
        Shape((_outline(points, 0 if name == "board" else 2),), colours.plain) for name, points in design.plain.items()
    )
    if design.piers:  # a river's land has no coast
        return (sea, *plain, *land, *river)
    shallow = tuple(Shape((coast,), None, Pen(blend(colours.sea, colours.shore, share), width))
                    for share, width in ((0.5, 2.0), (1.0, 1.0)) for coast in coasts)  # fmt: skip
    return (sea, *plain, *shallow, *land)


def draw_land(template: MapTemplate, design: BoardDesign, lineart: bool, colours: Colours) -> tuple[Item, ...]:
    """The regions in the colours of their areas, with borders, coasts and lakes."""
    coasts = tuple(_outline(points, 0 if name == "board" else 2) for name, points in design.land.items())
    lakes = tuple(_outline(points) for points in design.water.values())
    seeds = [(region, unit(spot)) for region, spot in design.discs.items()]
    seeds += [(region, unit(spot)) for region, spots in design.seeds.items() for spot in spots]
    frame = rectangle(-0.2 * UNIT, -0.2 * UNIT, 1.2 * UNIT, 1.2 * UNIT)
    land = Group(_regions(template, grow_regions(seeds, frame), colours, lineart), window=coasts)
    shore = tuple(Shape((coast,), None, Pen(colours.coast, 0.14)) for coast in coasts)
    water = tuple(Shape((lake,), colours.sea, Pen(colours.coast, 0.14)) for lake in lakes)
    return (land, *shore, *water)


def _regions(template: MapTemplate, grown: Grown, colours: Colours, lineart: bool) -> tuple[Item, ...]:
    areas = {region.id: region.areas for region in template.regions}
    tones = {region: colours.groups[group] for region, group in areas.items()}
    fills = tuple(Shape(outlines, tones[region].land) for region, outlines in grown.areas.items())
    thin, fat = [], []
    for one, other, line in grown.borders:
        if not other:
            continue
        if areas[one] == areas[other]:
            colour = blend(tones[one].ring, WHITE, 0.35) if lineart else WHITE
            thin.append(Shape((line,), None, Pen(colour, 0.1 if lineart else 0.16), False))
        else:
            colour = GREY if lineart else WHITE
            fat.append(Shape((line,), None, Pen(colour, 0.22 if lineart else 0.5), False))
            if not lineart:
                fat.append(Shape((line,), None, Pen(colours.coast, 0.1), False))
    return (*fills, *thin, *fat)


def link_lines(template: MapTemplate, design: BoardDesign) -> dict[tuple[str, str], tuple[Point, ...]]:
    """Each link as a line from centre to centre, bent where the design says so, in the board's coordinates."""
    lines = {}
    for one, other in template.edges():
        (ax, ay), (bx, by) = unit(design.discs[one]), unit(design.discs[other])
        bend = design.bends.get(f"{one}-{other}", 0.0)
        knee = ((ax + bx) / 2 + 2 * bend * (by - ay), (ay + by) / 2 - 2 * bend * (bx - ax))
        steps = 24 if bend else 1
        lines[one, other] = tuple(_on_curve((ax, ay), knee, (bx, by), k / steps) for k in range(steps + 1))
    return lines


def _on_curve(start: Point, knee: Point, stop: Point, t: float) -> Point:
    x, y = ((1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c for a, b, c in zip(start, knee, stop, strict=True))
    return x, y


def _links(lines: dict[tuple[str, str], tuple[Point, ...]], design: BoardDesign) -> tuple[Item, ...]:
    """Dots along each link, evenly between the two rims."""
    radius = design.radius * UNIT
    dots: list[Item] = []
    for line in lines.values():
        length = sum(math.dist(a, b) for a, b in itertools.pairwise(line))
        free = length - 2 * 1.22 * radius
        count = max(2, round(free / (0.3 * radius)) + 1)
        for k in range(count):
            spot = _along(line, 1.22 * radius + free * k / (count - 1))
            dots.append(Circle(spot, 0.082 * radius, INK))
    return tuple(dots)


def _along(line: tuple[Point, ...], way: float) -> Point:
    """The point ``way`` along a line."""
    for (ax, ay), (bx, by) in itertools.pairwise(line):
        length = math.dist((ax, ay), (bx, by))
        if way <= length:
            return ax + (bx - ax) * way / length, ay + (by - ay) * way / length
        way -= length
    return line[-1]


def _discs(template: MapTemplate, design: BoardDesign, colours: Colours) -> tuple[Item, ...]:
    radius = design.radius * UNIT
    items: list[Item] = []
    for region in template.regions:
        centre = unit(design.discs[region.id])
        tones = colours.groups[region.areas]
        ring = 0.1 * radius
        items.append(Circle(centre, radius - ring / 2, WHITE, Pen(tones.ring, ring)))
        size = (0.5 if len(region.label) <= 2 else 0.4) * radius
        size *= min(1.0, 1.36 * radius / text_width(region.label, size, 0.05))
        below = (centre[0], centre[1] + size / 2)
        items.append(Text(below, region.label, size, tones.label, weight=0.05))
    return tuple(items)


def _names(
    template: MapTemplate, design: BoardDesign, colours: Colours, links: dict[tuple[str, str], tuple[Point, ...]]
) -> tuple[Item, ...]:
    """Full names in small letters near their discs, where nothing is in the way."""
    size = 0.23 * design.radius * UNIT
    discs = {region: unit(spot) for region, spot in design.discs.items()}
    taken = [block_box(block, UNIT) for block in tick_boxes(template, design).values()]
    taken += [box for region in design.piers for box in pier_boxes(region, design, UNIT)]
    reach = SIGN * design.radius
    for x, y in coast_signs(template, design).values():
        taken.append(((x - reach) * UNIT, (y - reach) * UNIT, (x + reach) * UNIT, (y + reach) * UNIT))
    city = template.city or template.boats  # other maps have too little land for that: islands, narrow coasts
    coasts = [(*coast, coast[0]) for coast in map(_outline, design.land.values())] if city else []
    spots = place_names(template, discs, design.radius * UNIT, list(links.values()), size, taken, coasts)
    items = []
    for region in template.regions:
        halo = colours.groups[region.areas].land
        for spot, words in spots.get(region.id, ()):
            items.append(Text(spot, words, size, INK, halo=halo))
    return tuple(items)
