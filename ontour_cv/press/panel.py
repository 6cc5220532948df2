"""What stands beside the map: title, legend of the areas, rules in short, boxes for the score."""

from __future__ import annotations

from ontour_cv.maps.city import City
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.city_panel import city_rules, draw_city_boxes, draw_rows, draw_waters
from ontour_cv.press.design import ASPECT, BoardDesign
from ontour_cv.press.drawing import Circle, Item, Pen, Point, Shape, Text, rounded
from ontour_cv.press.letters import break_lines, shorten, text_width
from ontour_cv.press.palette import GREY, INK, WHITE, Colours

BOLD = 0.06

PANEL_TOP = 0.598
"""Where the strip along the bottom begins, board widths."""

LEAST_TITLE = 0.011
"""Height of a title's capitals at least, board widths: a longer one is shortened."""

LEAST_AREA = 0.0034
"""The same for the name of an area."""

LEGEND_ROWS, LEGEND_WIDTH = 6, 0.125
"""Areas for which the legend has room (more stand in two columns, smaller), and its width, board widths."""

GAP, HIGH = 0.017, 0.042
"""Between the score boxes, and their height, board widths."""

_BOXES_LEFT, _BOXES_BELOW = ((0.02, ASPECT - 0.088), 0.19), ((0.775, PANEL_TOP + 0.01), 0.205)
"""Top left corner and width of all three, in a column at the left and in a strip along the bottom."""


def draw_panel(template: MapTemplate, design: BoardDesign, colours: Colours, unit: float) -> tuple[Item, ...]:
    """The furniture of a board ``unit`` wide: in a column at the left, or in a strip along the bottom."""
    if template.city is not None:
        return _city_panel(template, template.city, design, colours, unit)
    if design.panel == "left":
        left, width = 0.02 * unit, 0.19 * unit
        title = _title(template, (left, 0.026 * unit), width, unit)
        legend = _legend(template, colours, (left, 0.325 * unit), unit)
        rules = _rules(_lines(template), (left, 0.412 * unit), width, unit, size=0.0055)
        return (*title, *legend, *rules, *_boxes(design, unit))
    top = (PANEL_TOP + 0.006) * unit
    title = _title(template, (0.02 * unit, top), 0.2 * unit, unit)
    legend = _legend(template, colours, (0.235 * unit, top), unit)
    lines = _lines(template)
    left, size = (0.365 * unit, 0.0045) if template.boats else (0.375 * unit, 0.0052)
    rules = _rules(lines, (left, top), 0.75 * unit - left, unit, columns=2, size=size)
    return (*title, *legend, *rules, *_boxes(design, unit))


def _city_panel(
    template: MapTemplate, city: City, design: BoardDesign, colours: Colours, unit: float
) -> tuple[Item, ...]:
    """A city's furniture: a column at the left; rows and score boxes where the design has room for them."""
    left, width = 0.02 * unit, 0.2 * unit
    rows = design.rows or (0.02, 0.1)
    rules = _rules(city_rules(template, city), (left, 0.186 * unit), width, unit, size=0.0055)
    below = max(item.at[1] for item in rules if isinstance(item, Text)) + 0.008 * unit
    return (
        *_title(template, (left, 0.02 * unit), width, unit),
        *_legend(template, colours, (left, 0.094 * unit), unit),
        *rules,
        *draw_waters(template, city, (left, below), width, unit),
        *draw_rows(city, rows, unit),
        *draw_city_boxes(template, city, (rows[0], rows[1] + 0.13), unit),
    )


def _lines(template: MapTemplate) -> tuple[str, ...]:
    """The rules in short; with boats, what they do."""
    lines = rule_lines(template.space, template.space_plural)
    if template.boats is None:
        return lines
    far = "any other" if not template.boats.most_stops else f"one at most {template.boats.most_stops} stops away"
    return (*lines, f"Boats: the way may go from any boat stop to {far}, the number rule kept.")


def _title(template: MapTemplate, at: Point, width: float, unit: float) -> tuple[Item, ...]:
    """The map's name, and in small letters whose design this is."""
    x, y = at
    name, _, edition = template.title.partition(" (")
    size = min(0.026 * unit, 0.026 * unit * 0.9 * width / text_width(name, 0.026 * unit, BOLD))
    size = max(size, LEAST_TITLE * unit)
    name = shorten(name, size, width, BOLD)
    items: list[Item] = [Text((x, y + size), name, size, INK, "left", BOLD)]
    y += size + 0.0125 * unit
    if edition:
        items.append(Text((x, y + 0.004 * unit), edition.rstrip(")"), 0.0085 * unit, INK, "left", 0.05))
        y += 0.015 * unit
    own = "A board for playing On Tour, drawn by ontour-cv: its own design, not the publisher's."
    if not template.published:
        own = "A home edition for playing On Tour, drawn by ontour-cv; it is not the publisher's map."
    for line in break_lines(own, 0.0047 * unit, width):
        items.append(Text((x, y + 0.003 * unit), line, 0.0047 * unit, GREY, "left"))
        y += 0.0088 * unit
    return tuple(items)


def _legend(template: MapTemplate, colours: Colours, at: Point, unit: float) -> tuple[Item, ...]:
    """Each area a card may call, with the grounds that belong to it."""
    y = at[1]
    columns = 1 if len(template.areas) <= LEGEND_ROWS else 2
    rows = -(-len(template.areas) // columns) or 1
    scale = min(1.0, LEGEND_ROWS / rows) / (1.0 if columns == 1 else 1.35)
    step, size, swatch = (scale * share * unit for share in (0.0158, 0.0068, 0.0105))
    grounds = max((sum(area in group for group in colours.groups) for area in template.areas), default=0)
    room = LEGEND_WIDTH * unit / columns - (2.15 + 1.25 * grounds) * swatch
    widest = max((text_width(area, size, 0.05) for area in template.areas), default=room)
    size = max(min(size, size * room / widest), LEAST_AREA * unit)
    areas = [shorten(area, size, room, 0.05) for area in template.areas]
    wide = max((text_width(area, size, 0.05) for area in areas), default=0.0)
    items: list[Item] = []
    for k, (area, shown) in enumerate(zip(template.areas, areas, strict=True)):
        x, middle = at[0] + k // rows * LEGEND_WIDTH * unit / columns, y + step * (k % rows + 0.5)
        items.append(Circle((x + 0.45 * swatch, middle), 0.36 * swatch, colours.areas[area]))
        items.append(Text((x + 1.25 * swatch, middle + size / 2), shown, size, INK, "left", 0.05))
        groups = [tones for group, tones in colours.groups.items() if area in group]
        for place, tones in enumerate(groups):
            left = x + 1.25 * swatch + wide + (0.9 + 1.25 * place) * swatch
            box = rounded(left, middle - swatch / 2, left + swatch, middle + swatch / 2, 0.2 * swatch)
            items.append(Shape((box,), tones.land, Pen(tones.ring, 0.0012 * unit)))
    return tuple(items)


def rule_lines(one: str, places: str) -> tuple[str, ...]:
    """The rules in short, with what one region and several are called."""
    return (
        f"Start: turn up four cards and roll twice. Both numbers of each roll, circled, into these {places}: "
        "low, high, low, high.",
        "Turn: two dice, three cards. A 3 and a 6 give 36 and 63; write both.",
        f"Each number goes into any {one} of an area shown, by a different card; in the very {one} of its card it is "
        "circled.",
        "A double, or three cards of one area: a star there. It fits any number.",
        f"No place for a number: an X in any empty {one}.",
        f"Score: the best way along the dots, numbers never falling. 1 for each {one}, 1 more for each circle.",
    )


def _rules(
    lines: tuple[str, ...], at: Point, width: float, unit: float, columns: int = 1, size: float = 0.005
) -> tuple[Item, ...]:
    x, y = at
    size, leading, gap = size * unit, 1.86 * size * unit, 0.7 * size * unit
    wide = (width - 0.02 * unit * (columns - 1)) / columns
    blocks = [break_lines(line, size, wide) for line in lines]
    total = sum(len(block) * leading + gap for block in blocks)
    items: list[Item] = []
    down, column = 0.0, 0
    for block in blocks:
        if column < columns - 1 and down >= total / columns - 0.001:
            column, down = column + 1, 0.0
        for k, line in enumerate(block):
            spot = (x + column * (wide + 0.02 * unit), y + down + leading * k + 1.2 * size)
            items.append(Text(spot, line, size, INK, "left"))
        down += len(block) * leading + gap
    return tuple(items)


def score_boxes(design: BoardDesign) -> tuple[tuple[float, float, float, float], ...]:
    """The boxes for visited places, visited circles and total: middle, width and height, board widths."""
    at, width = _BOXES_LEFT if design.panel == "left" else _BOXES_BELOW
    wide = (width - 2 * GAP) / 3
    return tuple((at[0] + k * (wide + GAP) + wide / 2, at[1] + HIGH / 2, wide, HIGH) for k in range(3))


def _boxes(design: BoardDesign, unit: float) -> tuple[Item, ...]:
    """Visited places + visited circles = total score."""
    gap, size = GAP * unit, 0.0056 * unit
    items: list[Item] = []
    captions = (("visited", design.places), ("visited", "circles"), ("total", "score"))
    for k, (words, found) in enumerate(zip(captions, score_boxes(design), strict=True)):
        middle, centre, wide, high = (unit * value for value in found)
        left, y = middle - wide / 2, centre - high / 2
        box = rounded(left, y, left + wide, y + high, 0.006 * unit)
        items.append(Shape((box,), WHITE, Pen(INK, (0.0016 if k < 2 else 0.003) * unit)))
        for row, word in enumerate(words):
            items.append(Text((left + wide / 2, y + high + (0.0105 + 0.0092 * row) * unit), word, size, INK))
        if k:
            sign = "+" if k == 1 else "="
            items.append(Text((left - gap / 2, y + high / 2 + 0.005 * unit), sign, 0.010 * unit, INK, weight=BOLD))
    return tuple(items)
