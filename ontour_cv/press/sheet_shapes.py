"""Outlines of a printed sheet made fit to draw: level and upright lines, and one line where two cells meet.

A template's outlines are edges of printed cells, found pixel by pixel: neighbours stand a printed line apart, and each
is a pixel or two off. Drawn cells share their borders exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.drawing import Point, rectangle

Outlines = Mapping[str, tuple[Point, ...]]

LINE = 0.0026
"""Width of the line between two cells of a template: how far apart their outlines stand, sheet widths."""

SAME = 0.0062
"""Edges at most so far apart that run side by side are one line; the narrowest cell is 0.03 wide."""


@dataclass(slots=True)
class _Edge:
    """A side of an outline: level or upright, at ``at``, from ``low`` to ``high``; ``group`` names its line."""

    level: bool
    at: float
    low: float
    high: float
    group: int


@lru_cache(maxsize=8)
def tidy_outlines(template: MapTemplate) -> tuple[Outlines, Outlines]:
    """The middle lines of all cells and boxes, by id; sheet widths.

    Returns:
        cells, by region, and boxes, by the box's name.

    Raises:
        ValueError: an outline is not made of level and upright sides.
    """
    cells = {region.id: region.outline for region in template.regions}
    boxes = {box.id: rectangle(box.left, box.top, box.right, box.bottom) for box in template.boxes}
    return _tidied(cells), _tidied(boxes)


def _tidied(outlines: Mapping[str, Sequence[Point]]) -> dict[str, tuple[Point, ...]]:
    rings = {name: _edges(name, points) for name, points in outlines.items()}
    edges = [edge for ring in rings.values() for edge in ring]
    for k, edge in enumerate(edges):
        edge.group = k
    for one, other in combinations(edges, 2):
        if one.group != other.group and _one_line(one, other):
            old, new = one.group, other.group
            for edge in edges:
                edge.group = new if edge.group == old else edge.group
    places: dict[int, list[float]] = {}
    for edge in edges:
        places.setdefault(edge.group, []).append(edge.at)
    lines = {group: sum(found) / len(found) for group, found in places.items()}
    return {name: _corners(ring, lines) for name, ring in rings.items()}


def _edges(name: str, points: Sequence[Point]) -> list[_Edge]:
    """The sides in turn, moved out by half a line's width; sides that go on in the same direction are one."""
    ring = tuple(points) if _area(points) > 0 else tuple(reversed(points))
    sides = list(zip(ring, (*ring[1:], ring[0]), strict=True))
    start = next(k for k in range(len(sides)) if _level(sides[k]) != _level(sides[k - 1]))
    edges: list[_Edge] = []
    for (ax, ay), (bx, by) in sides[start:] + sides[:start]:
        level = _level(((ax, ay), (bx, by)))
        out = LINE / 2 * ((-1 if bx > ax else 1) if level else (1 if by > ay else -1))
        at, ends = ((ay + by) / 2 + out, (ax, bx)) if level else ((ax + bx) / 2 + out, (ay, by))
        if edges and edges[-1].level == level:
            last = edges[-1]
            last.at, last.low, last.high = (last.at + at) / 2, min(last.low, *ends), max(last.high, *ends)
        else:
            edges.append(_Edge(level, at, min(ends), max(ends), 0))
    if len(edges) % 2 or len(edges) < 4:
        raise ValueError(f"the outline of {name} is not made of level and upright sides")
    return edges


def _level(side: tuple[Point, Point]) -> bool:
    (ax, ay), (bx, by) = side
    return abs(bx - ax) > abs(by - ay)


def _one_line(one: _Edge, other: _Edge) -> bool:
    """Whether two sides are printed as one line: the same direction, close by, side by side."""
    beside = min(one.high, other.high) - max(one.low, other.low) > -SAME - LINE
    return one.level == other.level and abs(one.at - other.at) < SAME and beside


def _corners(ring: Sequence[_Edge], lines: Mapping[int, float]) -> tuple[Point, ...]:
    corners = []
    for here, after in zip(ring, (*ring[1:], ring[0]), strict=True):
        level, upright = (here, after) if here.level else (after, here)
        corners.append((lines[upright.group], lines[level.group]))
    return tuple(corners)


def _area(points: Sequence[Point]) -> float:
    """Signed area, positive when the points turn clockwise on paper (x right, y down)."""
    pairs = zip(points, (*points[1:], points[0]), strict=True)
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs) / 2
