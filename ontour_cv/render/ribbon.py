"""The route as a ribbon from disc to disc, with a ring round each stop."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.render import palette
from ontour_cv.render.discs import Disc
from ontour_cv.render.paint import Colour, Picture, blend, empty_mask, mix, soften, stroke

WIDTH = 0.36
"""Width of the ribbon in disc radii."""

RING = 1.28
"""Radius of the rings in disc radii: outside most circles that players draw."""

STEPS = 24
"""Points of the curve between two stops."""

PERIOD, DASH = 2.0, 0.64
"""Distance of two dashes of a leg by water, in disc radii, and the share of it that a dash fills."""

EDGE = 0.2
"""How much wider than the ribbon it is with its white edge, in disc radii."""


@dataclass(frozen=True, slots=True, eq=False)
class Ribbon:
    """The curve of a route.

    Attributes:
        stops: region ids in order.
        curve: ``(N, 2)`` float64 picture pixels; stop ``i`` is at index ``i * STEPS``.
        by_water: indices of the stops that are left by ferry or boat.
    """

    stops: tuple[str, ...]
    curve: NDArray[np.float64]
    by_water: frozenset[int] = frozenset()

    def colour(self, region: str) -> Colour:
        """The ribbon's colour at one of its stops."""
        return route_colour(self.stops.index(region), len(self.stops))


def route_colour(index: float, count: int) -> Colour:
    """Colour of stop ``index`` of ``count``."""
    return mix(palette.ROUTE, index / max(count - 1, 1))


def lay_ribbon(route: Sequence[str], discs: Mapping[str, Disc], by_water: Collection[tuple[str, str]] = ()) -> Ribbon:
    """The curve through the discs of the route: a Catmull-Rom spline, softened so that it hardly leaves the links.

    ``by_water`` are the legs, as the route goes, that are drawn in dashes.
    """
    stops = np.array([discs[region].centre for region in route], dtype=np.float64).reshape(-1, 2)
    if len(stops) < 2:
        return Ribbon(tuple(route), stops)
    padded = np.vstack([2 * stops[0] - stops[1], stops, 2 * stops[-1] - stops[-2]])
    tangents = 0.28 * (padded[2:] - padded[:-2])
    t = np.linspace(0, 1, STEPS, endpoint=False)[:, None]
    pieces = [
        (2 * t**3 - 3 * t**2 + 1) * a + (t**3 - 2 * t**2 + t) * ta + (3 * t**2 - 2 * t**3) * b + (t**3 - t**2) * tb
        for a, b, ta, tb in zip(stops[:-1], stops[1:], tangents[:-1], tangents[1:], strict=True)
    ]
    water = frozenset(i for i, leg in enumerate(pairwise(route)) if leg in by_water)
    return Ribbon(tuple(route), np.vstack([*pieces, stops[-1:]]), water)


def draw_ribbon(picture: Picture, ribbon: Ribbon, discs: Mapping[str, Disc], radius_px: float) -> None:
    """The ribbon with a shadow, a white edge, arrows and a ring round each stop, onto ``picture``."""
    if not ribbon.stops:
        return
    rings = [discs[region].outline(RING) for region in ribbon.stops]
    lines = _lines(ribbon, discs, radius_px)
    outer = _shape(picture, lines, rings, (WIDTH + EDGE) * radius_px, 0.3 * radius_px)
    inner = _shape(picture, lines, rings, WIDTH * radius_px, 0.16 * radius_px)
    shadow = soften(np.roll(outer, round(0.08 * radius_px), axis=0), 0.16 * radius_px)
    blend(picture, shadow, palette.BLACK, 0.6)
    blend(picture, outer, palette.WHITE, 0.95)
    blend(picture, inner, _gradient(picture, ribbon, discs, radius_px), 0.97)
    blend(picture, _arrows(picture, ribbon, discs, radius_px), palette.WHITE, 0.95)


def draw_rings(
    picture: Picture, discs: Iterable[Disc], colour: Colour, radius_px: float, radii: float = RING, dashes: int = 0
) -> None:
    """Rings round discs with a dark halo, onto ``picture``; dashed when ``dashes`` is the number of dashes."""
    line, halo = empty_mask(picture), empty_mask(picture)
    for disc in discs:
        for i in range(max(dashes, 1)):
            arc = disc.outline(radii, i / dashes, (i + 0.6) / dashes) if dashes else disc.outline(radii)
            stroke(line, arc, 0.17 * radius_px)
            stroke(halo, arc, 0.3 * radius_px)
    blend(picture, soften(halo, 0.05 * radius_px), palette.BLACK, 0.55)
    blend(picture, line, colour)


def _lines(ribbon: Ribbon, discs: Mapping[str, Disc], radius_px: float) -> list[NDArray[np.float64]]:
    """What is drawn of the curve: the legs by land as they are, of those by water the dashes."""
    lines = []
    for i, ends in enumerate(pairwise(ribbon.stops)):
        leg = ribbon.curve[i * STEPS : (i + 1) * STEPS + 1]
        lines += _dashes(leg, [discs[end] for end in ends], radius_px) if i in ribbon.by_water else [leg]
    return lines


def _dashes(leg: NDArray[np.float64], ends: Iterable[Disc], radius_px: float) -> list[NDArray[np.float64]]:
    """Dashes between the rings at the ends of a leg, one in the middle, where the arrow is."""
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(leg, axis=0), axis=1))])
    outside = np.logical_and.reduce([disc.distance(leg) > RING for disc in ends])
    if not outside.any():
        return [leg]
    start, end = along[outside][[0, -1]]
    count = 2 * max(0, round(((end - start) / (PERIOD * radius_px) - 1) / 2)) + 1
    period = (end - start) / count
    straight = max(DASH * period - (WIDTH + EDGE) * radius_px, 0.1 * radius_px)  # its ends are round
    lines = []
    for k in range(count):
        at = start + period * (k + 0.5) + straight * np.linspace(-0.5, 0.5, 8)
        lines.append(np.column_stack([np.interp(at, along, leg[:, axis]) for axis in (0, 1)]))
    return lines


def _shape(
    picture: Picture,
    lines: list[NDArray[np.float64]],
    rings: list[NDArray[np.float64]],
    band_px: float,
    ring_px: float,
) -> NDArray[np.uint8]:
    mask = empty_mask(picture)
    for line in lines:
        stroke(mask, line, band_px)
    for ring in rings:
        stroke(mask, ring, ring_px, closed=True)
    return mask


def _gradient(picture: Picture, ribbon: Ribbon, discs: Mapping[str, Disc], radius_px: float) -> Picture:
    """A picture that has the right colour wherever the ribbon and its rings lie."""
    paint = np.zeros_like(picture)
    count = len(ribbon.stops)
    wide = max(2, round(WIDTH * radius_px + 4))
    for i in range(len(ribbon.curve) - 1):
        a, b = (tuple(np.round(p).astype(int).tolist()) for p in ribbon.curve[i : i + 2])
        cv2.line(paint, a, b, route_colour(i / STEPS, count)[::-1], wide)
    for i, region in enumerate(ribbon.stops):
        outline = np.round(discs[region].outline(RING)).astype(np.int32)
        cv2.polylines(paint, [outline], True, route_colour(i, count)[::-1], max(2, round(0.16 * radius_px + 4)))
    return paint


def _arrows(picture: Picture, ribbon: Ribbon, discs: Mapping[str, Disc], radius_px: float) -> NDArray[np.uint8]:
    """A chevron in the middle of every stretch that is long enough to be seen."""
    mask = empty_mask(picture)
    size = 0.1 * radius_px
    for i, (here, there) in enumerate(pairwise(ribbon.stops)):
        piece = ribbon.curve[i * STEPS : (i + 1) * STEPS + 1]
        free = (discs[here].distance(piece) > RING + 0.3) & (discs[there].distance(piece) > RING + 0.3)
        at = np.flatnonzero(free)
        if not len(at):
            continue
        middle = int(at[len(at) // 2])
        ahead = piece[min(middle + 1, STEPS)] - piece[middle - 1]
        ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-9) * size
        side = np.array([-ahead[1], ahead[0]])
        tip = piece[middle] + ahead
        stroke(mask, np.array([tip - 1.6 * ahead + 1.1 * side, tip, tip - 1.6 * ahead - 1.1 * side]), 0.09 * radius_px)
    return mask
