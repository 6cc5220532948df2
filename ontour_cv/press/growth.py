"""Regions grown from points: every place belongs to the region whose point is nearest, with softened borders."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ontour_cv.press.drawing import Point

Side = tuple[Point, Point, int]
"""One side of a cell and the index of the cell beyond it, -1 for the frame."""

GRID = 1e-5
"""Corners nearer than this are one corner."""


@dataclass(frozen=True, slots=True)
class Grown:
    """What grew.

    Attributes:
        areas: region -> closed outlines, which leave no gap between neighbours.
        borders: the lines between two different regions: their two names and the points.
    """

    areas: Mapping[str, tuple[tuple[Point, ...], ...]]
    borders: tuple[tuple[str, str, tuple[Point, ...]], ...]


def grow_regions(points: Sequence[tuple[str, Point]], frame: tuple[Point, ...], rounds: int = 2) -> Grown:
    """The regions that ``points`` (name, place) own inside ``frame``.

    Args:
        points: any number for each region.
        frame: a convex polygon round all points.
        rounds: how often corners of borders are cut (Chaikin 1974), which rounds them.
    """
    places = [place for _, place in points]
    names = [name for name, _ in points]
    corners = _Corners()
    sides: list[tuple[Point, Point, int, int]] = []
    for index in range(len(places)):
        for start, stop, beyond in _cell(index, places, frame):
            if beyond < 0 or names[beyond] != names[index]:
                here, there = corners.at(start), corners.at(stop)
                if here != there:
                    sides.append((here, there, index, beyond))
    joints = _joints([(a, b) for a, b, _, _ in sides])
    areas: dict[str, list[tuple[Point, ...]]] = defaultdict(list)
    borders = []
    by_name: dict[str, list[tuple[Point, Point, str]]] = defaultdict(list)
    for start, stop, index, beyond in sides:
        by_name[names[index]].append((start, stop, names[beyond] if beyond >= 0 else ""))
    for name, own in by_name.items():
        for loop in _loops(own):
            outline: list[Point] = []
            for run, other in _runs(loop, joints):
                soft = _softened(run, rounds if other else 0)  # the frame keeps its corners
                outline += soft[:-1]
                if other and name < other:
                    borders.append((name, other, tuple(soft)))
            areas[name].append(tuple(outline))
    return Grown({name: tuple(outlines) for name, outlines in areas.items()}, tuple(borders))


def _cell(index: int, places: Sequence[Point], frame: tuple[Point, ...]) -> list[Side]:
    """The sides of one cell: the frame cut by the line half way to every other point."""
    x, y = places[index]
    corners = [(corner, -1) for corner in frame]  # each with what lies beyond the side that starts there
    for other, (u, v) in enumerate(places):
        if other == index or (u, v) == (x, y):
            continue
        along, across = u - x, v - y
        limit = (u * u + v * v - x * x - y * y) / 2
        over = [along * px + across * py - limit for (px, py), _ in corners]
        if max(over) <= 0:
            continue
        kept: list[tuple[Point, int]] = []
        for k, (corner, beyond) in enumerate(corners):
            following = (k + 1) % len(corners)
            if over[k] <= 0:
                kept.append((corner, beyond))
            if (over[k] <= 0) != (over[following] <= 0):
                share = over[k] / (over[k] - over[following])
                (ax, ay), (bx, by) = corner, corners[following][0]
                cut = (ax + share * (bx - ax), ay + share * (by - ay))
                kept.append((cut, other if over[k] <= 0 else beyond))
        corners = kept
    return [(corner, corners[(k + 1) % len(corners)][0], beyond) for k, (corner, beyond) in enumerate(corners)]


class _Corners:
    """Corners that several cells computed, each of them made one point."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], Point] = {}

    def at(self, point: Point) -> Point:
        """The corner at ``point``: one found before, if it is near enough."""
        column, row = math.floor(point[0] / GRID), math.floor(point[1] / GRID)
        for dx in (0, -1, 1):
            for dy in (0, -1, 1):
                known = self._known.get((column + dx, row + dy))
                if known is not None:
                    return known
        self._known[column, row] = point
        return point


def _joints(sides: Sequence[tuple[Point, Point]]) -> frozenset[Point]:
    """Corners where more than two borders meet."""
    met: dict[Point, set[Point]] = defaultdict(set)
    for start, stop in sides:
        met[start].add(stop)
        met[stop].add(start)
    return frozenset(corner for corner, others in met.items() if len(others) != 2)


def _loops(sides: Sequence[tuple[Point, Point, str]]) -> list[list[tuple[Point, Point, str]]]:
    """The sides of one region, put end to end into closed loops."""
    leaving: dict[Point, list[tuple[Point, Point, str]]] = defaultdict(list)
    for side in sides:
        leaving[side[0]].append(side)
    loops = []
    while leaving:
        start = next(iter(leaving))
        loop, here = [], start
        while leaving.get(here):
            side = leaving[here].pop()
            if not leaving[here]:
                del leaving[here]
            loop.append(side)
            here = side[1]
        if loop:
            loops.append(loop)
    return loops


def _runs(loop: Sequence[tuple[Point, Point, str]], joints: frozenset[Point]) -> list[tuple[tuple[Point, ...], str]]:
    """A loop cut at joints and where the neighbour changes: runs of points, each with the neighbour's name."""
    breaks = [k for k, side in enumerate(loop) if side[0] in joints or loop[k - 1][2] != side[2]]
    if not breaks:
        return [((*(side[0] for side in loop), loop[0][0]), loop[0][2])]
    turned = [*loop[breaks[0] :], *loop[: breaks[0]]]
    starts = [(k - breaks[0]) % len(loop) for k in breaks] + [len(loop)]
    runs = []
    for low, high in itertools.pairwise(starts):
        part = turned[low:high]
        runs.append(((*(side[0] for side in part), part[-1][1]), part[0][2]))
    return runs


def _softened(run: tuple[Point, ...], rounds: int) -> list[Point]:
    """A run with its corners cut; its two ends stay."""
    points = list(run)
    for _ in range(rounds):
        if len(points) < 3:
            break
        cut = [points[0]]
        for (ax, ay), (bx, by) in itertools.pairwise(points):
            cut += [(0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by), (0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by)]
        points = [*cut, points[-1]]
    return points


def soften(outline: tuple[Point, ...], rounds: int) -> tuple[Point, ...]:
    """A closed outline with all its corners cut."""
    points = list(outline)
    for _ in range(rounds):
        cut = []
        for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True):
            cut += [(0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by), (0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by)]
        points = cut
    return tuple(points)
