"""A sheet of coloured cells and boxes to cross off: the project's own drawing, cells as on the published one.

Frame: ``UNIT`` wide. How it looks is data (:class:`SheetLook`), so that the camera's test pictures can vary all of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.drawing import Circle, Colour, Drawing, Group, Item, Pen, Point, Shape, Text, blend, rectangle
from ontour_cv.press.palette import GREY, INK, WHITE
from ontour_cv.press.sheet_shapes import tidy_outlines

ASPECT = 0.716
"""Height of a sheet over its width; the published one is 800 by 573."""

UNIT = 100.0
"""Width of a sheet in its own coordinates."""

GROUNDS = ("plain", "dots", "grid", "waves", "stripes")
"""What the ground round the cells may be patterned with."""

_TONES: Mapping[str, Colour] = {
    "orange": (214, 118, 36), "blue": (44, 118, 190), "green": (58, 138, 70), "yellow": (216, 176, 8),
    "red": (200, 62, 66), "purple": (122, 86, 176),
}  # fmt: skip
_OTHERS: tuple[Colour, ...] = ((24, 132, 130), (150, 96, 60), (176, 64, 128), (96, 96, 40))

_GROUPS = ("round", "color", "guard", "dupe", "numXs")


@dataclass(frozen=True, slots=True)
class Tone:
    """The colours of a cell: its ground, and its border."""

    fill: Colour
    line: Colour


@dataclass(frozen=True, slots=True, eq=False)
class SheetLook:
    """How a sheet is printed; lengths in ``UNIT``.

    Attributes:
        tones: colour of cells as the template names it -> tones.
        ground: the paper round the cells.
        pattern: one of ``GROUNDS``.
        pattern_tone: colour of the pattern.
        halo: colour of the edge round the land, and its width.
        ink: of words and boxes.
        line: width of a cell's border.
        inside: whether each cell has its border inside (both colours show where two meet) or on the common line.
        corner: radius of the cells' corners.
        box_line: width of a box's border.
        title: printed on top.
        words: printed at the boxes: rounds, colour changes, guards, dupes, the number of Xs.
        weight: boldness of the words.
        numbers: colour of the numbers in the round boxes.
        notes: small lines of rules at the foot, and names beside the islands.
    """

    tones: Mapping[str, Tone]
    ground: Colour
    pattern: str
    pattern_tone: Colour
    halo: tuple[Colour, float]
    ink: Colour
    line: float
    inside: bool
    corner: float
    box_line: float
    title: str
    words: tuple[str, str, str, str, str]
    weight: float
    numbers: Colour
    notes: bool


def own_look(template: MapTemplate, lineart: bool = False) -> SheetLook:
    """The look that is printed: soft colours on a pale ground, or lines only, to save ink."""
    strong = {area: _TONES.get(area, _OTHERS[k % len(_OTHERS)]) for k, area in enumerate(template.areas)}
    tones = {a: Tone(WHITE if lineart else blend(c, WHITE, 0.68), c) for a, c in strong.items()}
    ground, dots = ((255, 255, 255), (255, 255, 255)) if lineart else ((232, 239, 243), (214, 225, 232))
    return SheetLook(
        tones=tones, ground=ground, pattern="plain" if lineart else "dots", pattern_tone=dots, halo=(WHITE, 1.5),
        ink=INK, line=0.24, inside=True, corner=0.55, box_line=0.22, title=template.title,
        words=("Round", "Colour change", "Guard", "Dupe", "Number of Xs"), weight=0.05, numbers=blend(INK, WHITE, 0.45),
        notes=True,
    )  # fmt: skip


def draw_sheet(template: MapTemplate, look: SheetLook, width_mm: float) -> Drawing:
    """The whole sheet, ``width_mm`` wide and ``ASPECT`` times as high; ``ValueError`` when its cells are discs."""
    cells, boxes = tidy_outlines(template)
    frame = rectangle(0, 0, UNIT, ASPECT * UNIT)
    items = (
        Shape((frame,), look.ground),
        *_pattern(look),
        *_halo(cells, boxes, look),
        *_cells(template, cells, look),
        *_boxes(boxes, look),
        Text((50.0, 6.1), look.title, 2.5, look.ink, weight=2 * look.weight),
        *_notes(template, cells, look),
    )
    return Drawing(width_mm, ASPECT * width_mm, (Group(items, width_mm / UNIT, (0.0, 0.0), (frame,)),))


def _unit(points: tuple[Point, ...]) -> tuple[Point, ...]:
    return tuple((x * UNIT, y * UNIT) for x, y in points)


def _pattern(look: SheetLook) -> tuple[Item, ...]:
    """The patterned ground, pale: it says where nothing is written."""
    high = ASPECT * UNIT
    pen = Pen(look.pattern_tone, 0.3)
    if look.pattern == "dots":
        spots = [
            (x + 1.0 * (row % 2), 1.0 + 1.6 * row) for row in range(45) for x in (1.0 + 2.0 * k for k in range(50))
        ]
        return tuple(Circle(spot, 0.2, look.pattern_tone) for spot in spots if spot[1] < high)
    if look.pattern == "grid":
        upright = [((x, 0.0), (x, high)) for x in (2.0 + 4 * k for k in range(25))]
        level = [((0.0, y), (UNIT, y)) for y in (2.0 + 4 * k for k in range(18))]
        return tuple(Shape((line,), None, pen, False) for line in (*upright, *level))
    if look.pattern == "stripes":
        return tuple(Shape((((x, 0.0), (x - high, high)),), None, pen, False) for x in range(2, 175, 3))
    if look.pattern == "waves":
        rows = [
            [(0.5 * k, 1.5 + 3.2 * row + 0.5 * math.sin(0.9 * k + 1.7 * row)) for k in range(201)] for row in range(23)
        ]
        return tuple(Shape((tuple(row),), None, Pen(look.pattern_tone, 0.35), False) for row in rows)
    return ()


def _halo(
    cells: Mapping[str, tuple[Point, ...]], boxes: Mapping[str, tuple[Point, ...]], look: SheetLook
) -> tuple[Item, ...]:
    """A clear edge round everything that is played on."""
    colour, width = look.halo
    if width <= 0:
        return ()
    shapes = (*cells.values(), *boxes.values())
    return tuple(Shape((_unit(points),), colour, Pen(colour, width)) for points in shapes)


def _cells(template: MapTemplate, cells: Mapping[str, tuple[Point, ...]], look: SheetLook) -> tuple[Item, ...]:
    tones = {region.id: look.tones[region.areas[0]] for region in template.regions}
    inset = look.line / 2 if look.inside else 0.0
    shapes = {name: _rounded(_inset(_unit(points), inset), look.corner) for name, points in cells.items()}
    fills = [Shape((shapes[name],), tones[name].fill) for name in cells]
    lines = [Shape((shapes[name],), None, Pen(tones[name].line, look.line)) for name in cells]
    return (*fills, *lines)


def _inset(points: tuple[Point, ...], by: float) -> tuple[Point, ...]:
    """A rectilinear outline, clockwise, moved inwards by ``by``."""
    moved = []
    for before, here, after in zip((points[-1], *points[:-1]), points, (*points[1:], points[0]), strict=True):
        x = y = 0.0
        for (ax, ay), (bx, by_) in ((before, here), (here, after)):
            if abs(bx - ax) > abs(by_ - ay):
                y = by if bx > ax else -by
            else:
                x = -by if by_ > ay else by
        moved.append((here[0] + x, here[1] + y))
    return tuple(moved)


def _rounded(points: tuple[Point, ...], radius: float) -> tuple[Point, ...]:
    """An outline whose corners are rounded."""
    if radius <= 0:
        return points
    smooth: list[Point] = []
    for before, here, after in zip((points[-1], *points[:-1]), points, (*points[1:], points[0]), strict=True):
        reach = min(radius, 0.45 * math.dist(before, here), 0.45 * math.dist(here, after))
        start, stop = (_towards(here, end, reach) for end in (before, after))
        for t in (0.0, 0.25, 0.5, 0.75, 1.0):
            x, y = (
                (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c for a, b, c in zip(start, here, stop, strict=True)
            )
            smooth.append((x, y))
    return tuple(smooth)


def _towards(start: Point, end: Point, way: float) -> Point:
    share = way / math.dist(start, end)
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _boxes(boxes: Mapping[str, tuple[Point, ...]], look: SheetLook) -> tuple[Item, ...]:
    items: list[Item] = []
    words = dict(zip(_GROUPS, look.words, strict=True))
    for group in _GROUPS:
        mine = {name: _unit(points) for name, points in boxes.items() if name.rstrip("0123456789") == group}
        for name, points in mine.items():
            items.append(Shape((points,), WHITE, Pen(look.ink, look.box_line)))
            if group == "round":
                middle = (sum(x for x, _ in points) / 4, sum(y for _, y in points) / 4 + 0.65)
                items.append(Text(middle, name[len(group) :], 1.3, look.numbers, weight=look.weight))
        if mine:
            items.append(_word(group, words[group], [point for points in mine.values() for point in points], look))
    return tuple(items)


def _word(group: str, text: str, points: list[Point], look: SheetLook) -> Text:
    """What a row of boxes is called: before the rounds, above the others."""
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    if group == "round":
        return Text((left - 1.2, (top + bottom) / 2 + 0.6), text, 1.2, look.ink, "right", look.weight)
    return Text(((left + right) / 2, top - 1.1), text, 1.2, look.ink, weight=look.weight)


def _notes(template: MapTemplate, cells: Mapping[str, tuple[Point, ...]], look: SheetLook) -> tuple[Item, ...]:
    """Rules nobody should have to look up, small, where nothing is written."""
    if not look.notes:
        return ()
    tone = blend(look.ink, look.ground, 0.25)
    items: list[Item] = []
    for name in template.islands:
        points = _unit(cells[name])
        middle = sum(x for x, _ in points) / len(points)
        items.append(Text((middle, max(y for _, y in points) + 1.7), template.region(name).name, 0.85, tone))
    alone = " and ".join(template.region(name).name for name in template.islands)
    free = f"{alone} border{'s' * (len(template.islands) == 1)} nothing. " if alone else ""
    lines = (
        f"Numbers in {template.space_plural} that share a border differ by 1 at most; a circled one is guarded.",
        f"{free}Nothing fits: X in the die's colour. Fewest Xs win.",
    )
    items += [Text((54.8, 66.1 + 1.9 * k), line, 0.8, tone) for k, line in enumerate(lines)]
    items.append(Text((98.6, 70.6), "ontour-cv", 0.7, blend(GREY, look.ground, 0.2), "right"))
    return tuple(items)
