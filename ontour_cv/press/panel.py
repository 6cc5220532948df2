"""What stands beside the map: title, legend of the areas, rules in short, boxes for the score."""

from __future__ import annotations

from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.design import ASPECT, BoardDesign
from ontour_cv.press.drawing import Circle, Item, Pen, Point, Shape, Text, rounded
from ontour_cv.press.letters import break_lines, text_width
from ontour_cv.press.palette import GREY, INK, WHITE, Colours

BOLD = 0.06


def draw_panel(template: MapTemplate, design: BoardDesign, colours: Colours, unit: float) -> tuple[Item, ...]:
    """The furniture of a board ``unit`` wide: in a column at the left, or in a strip along the bottom."""
    high = ASPECT * unit
    if design.panel == "left":
        left, width = 0.02 * unit, 0.19 * unit
        title = _title(template, (left, 0.026 * unit), width, unit)
        legend = _legend(template, colours, (left, 0.325 * unit), unit)
        rules = _rules(design, (left, 0.412 * unit), width, unit, size=0.0055)
        boxes = _boxes(design, (left, high - 0.088 * unit), width, unit)
        return (*title, *legend, *rules, *boxes)
    top = 0.604 * unit
    title = _title(template, (0.02 * unit, top), 0.2 * unit, unit)
    legend = _legend(template, colours, (0.235 * unit, top), unit)
    rules = _rules(design, (0.375 * unit, top), 0.375 * unit, unit, columns=2, size=0.0052)
    boxes = _boxes(design, (0.775 * unit, top + 0.004 * unit), 0.205 * unit, unit)
    return (*title, *legend, *rules, *boxes)


def _title(template: MapTemplate, at: Point, width: float, unit: float) -> tuple[Item, ...]:
    """The map's name, and in small letters whose design this is."""
    x, y = at
    name, _, edition = template.title.partition(" (")
    size = min(0.026 * unit, 0.026 * unit * 0.9 * width / text_width(name, 0.026 * unit, BOLD))
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
    x, y = at
    step, size, swatch = 0.0158 * unit, 0.0068 * unit, 0.0105 * unit
    wide = max((text_width(area, size, 0.05) for area in template.areas), default=0.0)
    items: list[Item] = []
    for row, area in enumerate(template.areas):
        middle = y + step * (row + 0.5)
        items.append(Circle((x + 0.45 * swatch, middle), 0.36 * swatch, colours.areas[area]))
        items.append(Text((x + 1.25 * swatch, middle + size / 2), area, size, INK, "left", 0.05))
        groups = [tones for group, tones in colours.groups.items() if area in group]
        for k, tones in enumerate(groups):
            left = x + 1.25 * swatch + wide + (0.9 + 1.25 * k) * swatch
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
    design: BoardDesign, at: Point, width: float, unit: float, columns: int = 1, size: float = 0.005
) -> tuple[Item, ...]:
    x, y = at
    size, leading, gap = size * unit, 1.86 * size * unit, 0.7 * size * unit
    wide = (width - 0.02 * unit * (columns - 1)) / columns
    blocks = [break_lines(line, size, wide) for line in rule_lines(design.place, design.places)]
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


def _boxes(design: BoardDesign, at: Point, width: float, unit: float) -> tuple[Item, ...]:
    """Visited places + visited circles = total score."""
    x, y = at
    gap, high, size = 0.017 * unit, 0.042 * unit, 0.0056 * unit
    wide = (width - 2 * gap) / 3
    items: list[Item] = []
    captions = (("visited", design.places), ("visited", "circles"), ("total", "score"))
    for k, words in enumerate(captions):
        left = x + k * (wide + gap)
        box = rounded(left, y, left + wide, y + high, 0.006 * unit)
        items.append(Shape((box,), WHITE, Pen(INK, (0.0016 if k < 2 else 0.003) * unit)))
        for row, word in enumerate(words):
            items.append(Text((left + wide / 2, y + high + (0.0105 + 0.0092 * row) * unit), word, size, INK))
        if k:
            sign = "+" if k == 1 else "="
            items.append(Text((left - gap / 2, y + high / 2 + 0.005 * unit), sign, 0.010 * unit, INK, weight=BOLD))
    return tuple(items)
