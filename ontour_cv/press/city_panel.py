"""What stands beside a city's map: its rules in short, soloists' rows to cross off, boxes for the score, waters."""

from __future__ import annotations

from ontour_cv.maps.city import INSTRUMENTS, City
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.drawing import Item, Pen, Point, Shape, Text, rounded
from ontour_cv.press.letters import break_lines
from ontour_cv.press.palette import INK, WHITE
from ontour_cv.press.waterside import WATER

BOX = 0.0235
"""Side of a box of a row, board widths."""

NAME = 0.0185
"""From a row's letter to the name behind it, board widths: clear of an M, the widest."""

WIDTH = 0.225
"""Of rows and score boxes, board widths."""


def city_rules(template: MapTemplate, city: City) -> tuple[str, ...]:
    """The rules of New York in short, as the map's rulings have them."""
    one, many = template.space, template.space_plural
    park = ", ".join(template.region(region).label for region in city.park)
    least = "numbers, stars or X" if city.park_counts_x else "numbers or stars"
    when = [
        *["a ferry card lies open"] * city.ferries.with_card,
        *["the three cards have a borough in common"] * city.ferries.common_borough,
    ]
    at = "two of one water" if city.ferries.same_water else "two at the water"
    lines = [
        "Start: nothing. Turn: two dice, three cards. A 3 and a 6 give 36 and 63; write both, each in a borough of "
        "another card. Double: a star anywhere.",
        "A card's soloist in the borough you write in: tick it beside the number.",
        f"No place for a number: an X in any empty {one}.",
        f"Central Park, {park}: all full ({least}): a star anywhere else.",
        f"Score: the best way, numbers never falling: 1 for each {one}; each soloist on it crosses off a box of its "
        f"row, which counts its highest number; {city.bonus} for all boroughs.",
    ]
    if when:
        lines.insert(3, f"When {' or '.join(when)} you may draw a ferry instead of writing: between {at} (a boat), "
                        "in different boroughs.")  # fmt: skip
    return (*lines, f"The first full map ends the game for all. The {many} at each water:")


def waters_lines(template: MapTemplate, city: City) -> tuple[tuple[str, str], ...]:
    """Each water with the labels of the neighbourhoods that lie at it."""
    waters = dict.fromkeys(water for region in template.ids for water in city.waters[region])
    return tuple(
        (water, " ".join(template.region(region).label for region in template.ids if water in city.waters[region]))
        for water in waters
    )


def draw_waters(template: MapTemplate, city: City, at: Point, width: float, unit: float) -> tuple[Item, ...]:
    """The list of waters, top left at ``at``."""
    x, y = at
    size = 0.0047 * unit
    items: list[Item] = []
    for water, labels in waters_lines(template, city):
        items.append(Text((x, y + size), water, size, WATER, "left", 0.05))
        for line in break_lines(labels, size, width - 0.075 * unit):
            items.append(Text((x + 0.075 * unit, y + size), line, size, INK, "left"))
            y += 1.72 * size
        y += 0.35 * size
    return tuple(items)


def row_boxes(city: City, at: Point) -> dict[tuple[str, int], tuple[float, float, float, float]]:
    """The boxes of the soloists' rows: (letter, place from the left) -> left, top, right, bottom, board widths."""
    x, y = at
    boxes = {}
    for row, (letter, numbers) in enumerate(city.tracks.items()):
        for k in range(len(numbers)):
            left, top = x + 0.077 + k * (BOX + 0.0015), y + row * (BOX + 0.006)
            boxes[letter, k] = (left, top, left + BOX, top + BOX)
    return boxes


def draw_rows(city: City, at: Point, unit: float) -> tuple[Item, ...]:
    """The soloists' rows with their numbers."""
    items: list[Item] = []
    for (letter, k), box in row_boxes(city, at).items():
        left, top, right, bottom = (value * unit for value in box)
        middle = (top + bottom) / 2
        if not k:
            named = INSTRUMENTS[letter]
            start = at[0] * unit
            items.append(Text((start, middle + 0.0038 * unit), letter.upper(), 0.0115 * unit, INK, "left", 0.05))
            items.append(Text((start + NAME * unit, middle + 0.0036 * unit), named, 0.0062 * unit, INK, "left"))
        items.append(Shape((rounded(left, top, right, bottom, 0.003 * unit),), WHITE, Pen(INK, 0.0012 * unit)))
        number = str(city.tracks[letter][k])
        items.append(Text(((left + right) / 2, middle + 0.0046 * unit), number, 0.0092 * unit, INK))
    return tuple(items)


def draw_city_boxes(template: MapTemplate, city: City, at: Point, unit: float) -> tuple[Item, ...]:
    """Places + each soloist + bonus = total."""
    captions = (template.space_plural, *(letter.upper() for letter in city.tracks), f"boroughs {city.bonus}", "total")
    signs = ("", *["+"] * (len(captions) - 2), "=")
    gap = 0.009
    shares = [1.0 if len(caption) == 1 else 1.5 for caption in captions]
    items: list[Item] = []
    x = at[0]
    for k, (caption, sign, share) in enumerate(zip(captions, signs, shares, strict=True)):
        wide = (WIDTH - gap * (len(captions) - 1)) * share / sum(shares)
        left, top = x * unit, at[1] * unit
        x += wide + gap
        right, bottom = left + wide * unit, top + 0.036 * unit
        last = k == len(captions) - 1
        pen = Pen(INK, (0.003 if last else 0.0014) * unit)
        items.append(Shape((rounded(left, top, right, bottom, 0.004 * unit),), WHITE, pen))
        items.append(Text(((left + right) / 2, bottom + 0.0085 * unit), caption, 0.0042 * unit, INK))
        if sign:
            items.append(
                Text((left - gap * unit / 2, (top + bottom) / 2 + 0.003 * unit), sign, 0.007 * unit, INK, weight=0.06)
            )
    return tuple(items)
