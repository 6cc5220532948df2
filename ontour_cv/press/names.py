"""Where the full names stand: at the side of each disc where the least is in the way."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence

from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.drawing import Point
from ontour_cv.press.letters import text_width

Box = tuple[float, float, float, float]
Lines = tuple[tuple[Point, str], ...]

LEADING = 1.45
"""From one base line to the next, in heights of a capital."""

BOARD = (100.0, 70.0)
"""Width and height of a board in its own coordinates; names stay within."""

SIDES = ((0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0), (0.75, 0.75), (-0.75, 0.75), (0.75, -0.75), (-0.75, -0.75))
"""Below, above, right, left, and between, best first."""


def place_names(
    template: MapTemplate, discs: Mapping[str, Point], radius: float, links: Sequence[tuple[Point, ...]], size: float,
    boxes: Sequence[Box] = (), coasts: Sequence[tuple[Point, ...]] = (),
) -> dict[str, Lines]:  # fmt: skip
    """Where each line of each name is written: the middle of its base line, and its words.

    Args:
        template: the map; regions whose name is their label get none.
        discs: region id -> centre.
        radius: of a disc.
        links: lines that names should not cover.
        size: height of a capital.
        boxes: other things that names should keep clear of.
        coasts: lines that names should rather not touch; crossing one is as bad as running along it.
    """
    taken: list[Box] = list(boxes)
    dots = [spot for line in links for spot in _dots(line, radius / 3)]
    shore = [spot for line in coasts for spot in _dots(line, size / 2)]
    found: dict[str, Lines] = {}
    for region in template.regions:
        if region.name == region.label:
            continue
        options = []
        tries = list(_options(region.name, discs[region.id], radius, size))
        around = _union([box for _, box in tries])
        dots_here, shore_here = ([s for s in spots if _near(around, s, size)] for spots in (dots, shore))
        for rank, (lines, box) in enumerate(tries):
            cost = 0.12 * rank + sum(_near(box, spot, 0.5 * size) for spot in dots_here)
            cost += 2.5 * any(_near(box, spot, 0.3 * size) for spot in shore_here)
            cost += 12 * sum(_near(box, spot, 1.02 * radius) for name, spot in discs.items() if name != region.id)
            cost += 1.5 * sum(_near(box, spot, 1.5 * radius) for name, spot in discs.items() if name != region.id)
            cost += 30 * sum(_overlap(_wider(box, size), other) for other in taken)
            cost += 60 * (box[0] < size or box[2] > BOARD[0] - size or box[1] < size or box[3] > BOARD[1] - size)
            options.append((cost, rank, lines, box))
        _, _, lines, box = min(options)
        found[region.id] = lines
        taken.append(box)
    return found


def _options(name: str, centre: Point, radius: float, size: float) -> Iterator[tuple[Lines, Box]]:
    """Every way to write a name near its disc, in one line or two."""
    for words in _splits(name):
        width = max(text_width(line, size) for line in words)
        height = size * (1 + LEADING * (len(words) - 1))
        for x, y in SIDES:
            far = radius + 0.75 * size
            middle_x = centre[0] + (far * x + math.copysign(width / 2, x) if x else 0.0)
            middle_y = centre[1] + (far + height / 2) * y if abs(x) < 0.5 else centre[1] + 0.9 * far * y
            top = middle_y - height / 2
            lines = tuple(((middle_x, top + size * (1 + LEADING * k)), line) for k, line in enumerate(words))
            yield lines, (middle_x - width / 2, top, middle_x + width / 2, top + height)


def _splits(name: str) -> Iterator[tuple[str, ...]]:
    yield (name,)
    words = name.split()
    if len(words) > 1:
        cuts = [(" ".join(words[:k]), " ".join(words[k:])) for k in range(1, len(words))]
        yield min(cuts, key=lambda cut: max(map(len, cut)))


def _dots(line: tuple[Point, ...], step: float) -> Iterator[Point]:
    for (ax, ay), (bx, by) in itertools.pairwise(line):
        count = max(1, round(math.dist((ax, ay), (bx, by)) / step))
        for k in range(count):
            yield ax + (bx - ax) * k / count, ay + (by - ay) * k / count


def _near(box: Box, spot: Point, reach: float) -> bool:
    """True when a disc of radius ``reach`` round ``spot`` touches the box."""
    dx = max(box[0] - spot[0], 0.0, spot[0] - box[2])
    dy = max(box[1] - spot[1], 0.0, spot[1] - box[3])
    return math.hypot(dx, dy) < reach


def _union(boxes: Sequence[Box]) -> Box:
    """The box round some boxes."""
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def _wider(box: Box, size: float) -> Box:
    return box[0] - 1.2 * size, box[1] - 0.3 * size, box[2] + 1.2 * size, box[3] + 0.3 * size


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
