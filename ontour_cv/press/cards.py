"""Sheets of nine cards, 63 x 88 mm: the deck of a map with small maps to find the place, or blank cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.board import UNIT, draw_land
from ontour_cv.press.design import BoardDesign
from ontour_cv.press.drawing import Circle, Colour, Drawing, Group, Item, Pen, Shape, Text, blend, rectangle, rounded
from ontour_cv.press.letters import fitted_lines, text_width
from ontour_cv.press.palette import GREY, INK, WHITE, Colours, choose_colours
from ontour_cv.press.paper import Paper, foot

WIDTH, HEIGHT = 63.0, 88.0
"""Of a card, mm: the common size, for which there are sleeves."""

INSET = 3.5
"""From a card's edge to its frame, mm."""


def deck(template: MapTemplate, design: BoardDesign, lineart: bool) -> list[Drawing]:
    """One card for each card of the map's deck, in its order."""
    colours = choose_colours(template, lineart)
    ground = draw_land(template, design, lineart, colours)
    return [_card(template, design, colours, ground, card.region, card.area, lineart) for card in template.cards]


def blank_cards(template: MapTemplate, lineart: bool, count: int = 9) -> list[Drawing]:
    """``count`` cards without a place, to write on: the areas in turn."""
    colours = choose_colours(template, lineart)
    areas = [template.areas[k % len(template.areas)] if template.areas else "" for k in range(count)]
    return [Drawing(WIDTH, HEIGHT, card_frame(area, colours.areas.get(area, GREY), lineart)) for area in areas]


def card_sheets(cards: Sequence[Drawing], paper: Paper, note: str) -> list[Drawing]:
    """The cards nine to an upright sheet, edge to edge, so that one cut parts two; with marks for the cuts."""
    left, top = (paper.width - 3 * WIDTH) / 2, (paper.height - 3 * HEIGHT) / 2
    sheets = []
    for start in range(0, len(cards), 9):
        items: list[Item] = []
        for k, card in enumerate(cards[start : start + 9]):
            spot = (left + (k % 3) * WIDTH, top + (k // 3) * HEIGHT)
            items.append(Group(card.items, 1.0, spot, (((0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)),)))
        for k in range(4):
            x, y = left + k * WIDTH, top + k * HEIGHT
            for low, high in ((top - 5, top - 1), (top + 3 * HEIGHT + 1, top + 3 * HEIGHT + 5)):
                items.append(Shape((((x, low), (x, high)),), None, Pen(GREY, 0.2), False))
            for low, high in ((left - 5, left - 1), (left + 3 * WIDTH + 1, left + 3 * WIDTH + 5)):
                items.append(Shape((((low, y), (high, y)),), None, Pen(GREY, 0.2), False))
        number = f"{note}; sheet {start // 9 + 1} of {-(-len(cards) // 9)}"
        items.append(foot(number, paper.width, paper.height, WIDTH))
        sheets.append(Drawing(paper.width, paper.height, tuple(items)))
    return sheets


def card_frame(area: str, colour: Colour, lineart: bool, band: bool = True) -> tuple[Item, ...]:
    """A card's ground: a coloured border and the area in a band, if it has one; line art has outlines only."""
    inner = rounded(INSET, INSET, WIDTH - INSET, HEIGHT - INSET, 3.0)
    strip = rounded(INSET + 3, HEIGHT - 19.5, WIDTH - INSET - 3, HEIGHT - INSET - 3.5, 3.0)
    edge = ((-1.0, -1.0), (WIDTH + 1, -1.0), (WIDTH + 1, HEIGHT + 1), (-1.0, HEIGHT + 1))
    items: list[Item] = []
    if lineart:
        items += [Shape((inner,), WHITE, Pen(colour, 0.7)), *[Shape((strip,), WHITE, Pen(colour, 0.5))] * band]
    else:
        items += [Shape((edge,), colour), Shape((inner,), WHITE), *[Shape((strip,), colour)] * band]
    if not band:
        return tuple(items)
    size = min(5.0, 5.0 * 40 / text_width(area, 5.0, 0.06)) if area else 5.0
    tone = colour if lineart else WHITE
    items.append(Text((WIDTH / 2, HEIGHT - 13.2 + size / 2), area, size, tone, weight=0.06))
    return tuple(items)


def _card(
    template: MapTemplate, design: BoardDesign, colours: Colours, ground: tuple[Item, ...], region_id: str, area: str,
    lineart: bool,
) -> Drawing:  # fmt: skip
    region = template.region(region_id)
    colour = colours.areas[area]
    items: list[Item] = list(card_frame(area, colour, lineart))
    size = min(12.0, 12.0 * 46 / text_width(region.label, 12.0, 0.05))
    items.append(Text((WIDTH / 2, 10.5 + size), region.label, size, colour, weight=0.05))
    lines = fitted_lines(region.name, 3.4, WIDTH - 2 * INSET - 4, 2)
    small, step, y = (3.4, 0.0, 6.8) if len(lines) == 1 else (3.1, 3.8, 5.4)  # two lines stay off the small map
    for k, line in enumerate(lines):
        items.append(Text((WIDTH / 2, 10.5 + size + y + k * step), line, small, INK))
    items.append(locate(design, ground, {region_id: colour}))
    return Drawing(WIDTH, HEIGHT, tuple(items))


def locate(
    design: BoardDesign, ground: tuple[Item, ...], shown: Mapping[str, Colour], size: float = 1.5,
    middle: float = HEIGHT - 38.5, high_mm: float = 33.0,
) -> Group:  # fmt: skip
    """The land in small with a dot for each place and a larger one, ``size`` disc radii, for those shown.

    It is at most ``high_mm`` high, its middle ``middle`` mm below the card's upper edge.
    """
    spots = {region: (x * UNIT, y * UNIT) for region, (x, y) in design.discs.items()}
    xs = [x for outline in (*design.land.values(), tuple(design.discs.values())) for x, _ in outline]
    ys = [y for outline in (*design.land.values(), tuple(design.discs.values())) for _, y in outline]
    low, high = (min(xs) * UNIT, min(ys) * UNIT), (max(xs) * UNIT, max(ys) * UNIT)
    scale = min((WIDTH - 2 * INSET - 4) / (high[0] - low[0]), high_mm / (high[1] - low[1]))
    shift = (WIDTH / 2 - scale * (low[0] + high[0]) / 2, middle - scale * (low[1] + high[1]) / 2)
    radius = design.radius * UNIT
    dots: list[Item] = [Circle(spot, 0.3 * radius, blend(INK, WHITE, 0.45)) for spot in spots.values()]
    rim = 0.4 * size * radius
    dots += [Circle(spots[region], size * radius, tone, Pen(WHITE, rim)) for region, tone in shown.items()]
    edge = 2.0
    window = rectangle(low[0] - edge, low[1] - edge, high[0] + edge, high[1] + edge)
    return Group((*ground, *dots), scale, shift, (window,))
