"""The cards of a city: its boroughs, the soloist beside the one it plays in, and where they lie; and ferry cards."""

from __future__ import annotations

from ontour_cv.maps.city import INSTRUMENTS, City, CityCard
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.board import draw_land
from ontour_cv.press.cards import HEIGHT, INSET, WIDTH, card_frame, locate
from ontour_cv.press.design import BoardDesign
from ontour_cv.press.drawing import Circle, Drawing, Item, Pen, Shape, Text, rounded
from ontour_cv.press.letters import break_lines, text_width
from ontour_cv.press.palette import INK, WHITE, Colours, choose_colours
from ontour_cv.press.waterside import WATER, draw_boat

_BAND, _STEP = 11.5, 13.0
"""Height of a borough's band and from one to the next, mm."""


_MAP = (63.0, 27.0)
"""Where the middle of the small map lies below the upper edge, and how high it is, mm."""


def city_deck(template: MapTemplate, city: City, design: BoardDesign, lineart: bool) -> list[Drawing]:
    """One card for each card of the city's deck, in its order."""
    colours = choose_colours(template, lineart)
    ground = draw_land(template, design, lineart, colours)
    cards = []
    for card in city.cards:
        own = _ferry_card(city, lineart) if card.ferry else _borough_card(template, design, colours, card, lineart)
        regions = [r.id for r in template.regions if card.ferry or set(r.areas) & set(card.boroughs)]
        if card.ferry:
            regions = [region for region in regions if city.waters[region]]
        tone = {r.id: WATER if card.ferry else colours.areas[r.areas[0]] for r in template.regions}
        cards.append(Drawing(WIDTH, HEIGHT, (*own, locate(design, ground, {r: tone[r] for r in regions}, 0.9, *_MAP))))
    return cards


def _borough_card(
    template: MapTemplate, design: BoardDesign, colours: Colours, card: CityCard, lineart: bool
) -> tuple[Item, ...]:
    """A band for each borough; the soloist's letter stands on the band of its own."""
    colour = colours.areas[card.boroughs[0]]
    items: list[Item] = list(card_frame("", colour, lineart, band=False))
    for k, borough in enumerate(card.boroughs):
        top = INSET + 4.5 + _STEP * k
        tone = colours.areas[borough]
        band = rounded(INSET + 3, top, WIDTH - INSET - 3, top + _BAND, 2.5)
        items.append(Shape((band,), WHITE if lineart else tone, Pen(tone, 0.5)))
        size = min(4.6, 4.6 * 33 / text_width(borough, 4.6, 0.06))
        ink = tone if lineart else WHITE
        items.append(Text((INSET + 6, top + _BAND / 2 + size / 2), borough, size, ink, "left", 0.06))
        letter = card.soloist_at(borough)
        if letter:
            spot = (WIDTH - INSET - 9.2, top + _BAND / 2)
            items.append(Circle(spot, 4.7, WHITE, Pen(INK, 0.4)))
            items.append(Text((spot[0], spot[1] + 2.1), letter.upper(), 4.2, INK, weight=0.06))
    if card.soloist:
        words = f"{INSTRUMENTS[card.soloist]} in {card.soloist_in}"
        items.append(Text((WIDTH / 2, HEIGHT - 7.6), words, 2.5, INK))
    return tuple(items)


def _ferry_card(city: City, lineart: bool) -> tuple[Item, ...]:
    """A boat, and what it allows by the map's rulings."""
    items: list[Item] = list(card_frame("", WATER, lineart, band=False))
    items += draw_boat((WIDTH / 2, 18.0), 11.0)
    items.append(Text((WIDTH / 2, 34.5), "Ferry", 6.0, WATER, weight=0.06))
    words = "You may draw a ferry instead of writing." if city.ferries.with_card else ""
    words += " It opens every borough, without a soloist." if city.ferries.card_opens else " It opens no borough."
    for k, line in enumerate(break_lines(words.strip(), 2.3, WIDTH - 2 * INSET - 8)):
        items.append(Text((WIDTH / 2, 40.5 + 3.6 * k), line, 2.3, INK))
    return tuple(items)
