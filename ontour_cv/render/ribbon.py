"""The route as a ribbon from disc to disc, with a ring round each stop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True, eq=False)
class Ribbon:
    """The curve of a route.

    Attributes:
        stops: region ids in order.
        curve: ``(N, 2)`` float64 picture pixels; stop ``i`` is at index ``i * STEPS``.
    """

    stops: tuple[str, ...]
    curve: NDArray[np.float64]

    def colour(self, region: str) -> Colour:
        """The ribbon's colour at one of its stops."""
        return route_colour(self.stops.index(region), len(self.stops))


def route_colour(index: float, count: int) -> Colour:
    """Colour of stop ``index`` of ``count``."""
    return mix(palette.ROUTE, index / max(count - 1, 1))


def lay_ribbon(route: Sequence[str], discs: Mapping[str, Disc]) -> Ribbon:
    """The curve through the discs of the route: a Catmull-Rom spline, softened so that it hardly leaves the links."""
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
    return Ribbon(tuple(route), np.vstack([*pieces, stops[-1:]]))


def draw_ribbon(picture: Picture, ribbon: Ribbon, discs: Mapping[str, Disc], radius_px: float) -> None:
    """The ribbon with a shadow, a white edge, arrows and a ring round each stop, onto ``picture``."""
    if not ribbon.stops:
        return
    rings = [discs[region].outline(RING) for region in ribbon.stops]
    outer = _shape(picture, ribbon.curve, rings, WIDTH * radius_px + 0.2 * radius_px, 0.3 * radius_px)
    inner = _shape(picture, ribbon.curve, rings, WIDTH * radius_px, 0.16 * radius_px)
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


def _shape(
    picture: Picture, curve: NDArray[np.float64], rings: list[NDArray[np.float64]], band_px: float, ring_px: float
) -> NDArray[np.uint8]:
    mask = empty_mask(picture)
    if len(curve) > 1:
        stroke(mask, curve, band_px)
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
    for i, (here, there) in enumerate(zip(ribbon.stops, ribbon.stops[1:], strict=False)):
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
