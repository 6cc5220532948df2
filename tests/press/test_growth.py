"""Regions grown from points leave no gap, and own what is nearest to them."""

from __future__ import annotations

import math
import random

import pytest

from ontour_cv.press.drawing import rectangle
from ontour_cv.press.growth import grow_regions, soften

FRAME = rectangle(0, 0, 10, 7)


def area(outline: tuple[tuple[float, float], ...]) -> float:
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(outline, (*outline[1:], outline[0]), strict=True))) / 2


def inside(outlines: tuple[tuple[tuple[float, float], ...], ...], x: float, y: float) -> bool:
    """Even-odd rule."""
    crossings = 0
    for outline in outlines:
        for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
            crossings += (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax)
    return crossings % 2 == 1


@pytest.mark.parametrize("seed", range(6))
def test_every_place_belongs_to_the_region_with_the_nearest_point(seed: int) -> None:
    rng = random.Random(seed)
    points = [(f"R{k % 7}", (rng.uniform(0.5, 9.5), rng.uniform(0.5, 6.5))) for k in range(24)]
    grown = grow_regions(points, FRAME, rounds=0)
    for _ in range(200):
        x, y = rng.uniform(0.01, 9.99), rng.uniform(0.01, 6.99)
        gaps = sorted((math.dist((x, y), place), name) for name, place in points)
        if gaps[1][0] - gaps[0][0] > 1e-3 or gaps[0][1] == gaps[1][1]:
            assert [name for name, outlines in grown.areas.items() if inside(outlines, x, y)] == [gaps[0][1]]


@pytest.mark.parametrize("seed", range(4))
def test_softened_regions_still_fill_the_frame(seed: int) -> None:
    """Both neighbours get the same softened border, so that their areas add up."""
    rng = random.Random(seed)
    points = [(f"R{k}", (rng.uniform(0.5, 9.5), rng.uniform(0.5, 6.5))) for k in range(12)]
    grown = grow_regions(points, FRAME)
    assert sum(area(outline) for outlines in grown.areas.values() for outline in outlines) == pytest.approx(70, abs=0.3)


def test_borders_lie_between_two_regions() -> None:
    grown = grow_regions([("A", (2, 3.5)), ("B", (8, 3.5))], FRAME)
    assert [(one, other) for one, other, _ in grown.borders if one] == [("A", "B")]


def test_a_softened_square_keeps_its_place() -> None:
    square = soften(rectangle(0, 0, 4, 4), 2)
    assert all(0 <= x <= 4 and 0 <= y <= 4 for x, y in square)
    assert 12 < area(square) < 16
