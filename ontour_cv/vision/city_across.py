"""Ferries drawn straight across other discs, as with a ruler: one line, not one to each disc on its way.

Lines are traced on a map without what is written in the discs, where a line across a disc and two lines that end at it
look alike. What is inside tells them apart: there a line goes straight on, while of a number's strokes hardly one lies
in its way from rim to rim. Of 113 ferries on 84 simulated boards of writers kept for validation that were ruled, or
nearly so, across other discs 98 are known for sure by that and three doubted; of 198 boards with ferries drawn
otherwise none seems to have such a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.city_ferries import LEG, Legs
from ontour_cv.vision.city_flat import CityLayout
from ontour_cv.vision.city_paths import INK_PX, sample

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

ACROSS = 0.95
"""A line crosses a disc whose centre it comes nearer to than this; disc radii, as all lengths here."""

INSIDE, AROUND = 0.92, 1.45
"""So near to its centre is inside a disc; so near to its own two ends a line may be missing."""

SWAY, TURNS = 0.4, 7
"""How far aside of the discs' centres a line may begin and end, and how many places between are tried."""

BOWS, SHORT = (-0.06, -0.04, -0.02, 0.0, 0.02, 0.04, 0.06), 5.0
"""How far a line may bend aside, shares of its length; none that is shorter than this."""

INKED = 0.4
"""Ink probability from which there is ink."""

SURELY, PERHAPS = (0.93, 0.94), (0.85, 0.9)
"""How much of a line is inked between discs and in each of them, where there surely is one and where there may be. What
two ferries or a tour make of such a line by chance has 0.91 at most in one of the discs."""

PLAIN = 0.5
"""Between any two discs so much of a line has to be seen, beside marked boxes."""

ROUGHLY = 0.7
"""Pairs are not looked at when a broad straight line between them has less ink than this."""

SMOOTH_PX = 0.8
"""How much the ink map is smoothed (standard deviation), so that a line's middle answers most."""

TOURED = 3
"""With so many legs the player drew a tour, which goes on through discs as well."""

KNOWN, LIKELY, OPEN = (4.5, -3.0), (1.0, -1.0), (-2.0, 3.0)
"""Log-odds that such a line has at least, and that a line between two discs on its way has at most, which its ink
explains: where it is there for sure; where there is a tour; where it may be there, or lies on a longer one in part."""


class _Stop(NamedTuple):
    region: str
    along: float
    aside: float


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """The straight line between the discs of a pair, and those it comes near to, in order; lengths in disc radii."""

    row: int
    ends: tuple[str, str]
    start: Array
    along: Array
    aside: Array
    length: float
    stops: tuple[_Stop, ...]


class _Maps(NamedTuple):
    """The ink map, the same smoothed, and where boxes are marked."""

    ink: NDArray[np.float32]
    soft: NDArray[np.float32]
    marks: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Ruled:
    """A line across discs.

    Attributes:
        row: which of ``CityLayout.pairs`` it joins.
        stops: the regions on its way, its two ends among them, in order.
        length: disc radii.
        sure: whether it surely is there.
    """

    row: int
    stops: tuple[str, ...]
    length: float
    sure: bool


def believed_across(
    odds: Array, ink: NDArray[np.float32], marks: NDArray[np.float32], layout: CityLayout, legs: Legs
) -> Array:
    """Log-odds ``(N,)`` of lines being there, when those across discs have been looked for.

    Args:
        odds: ``(N,)`` the same without, for each of ``layout.pairs``.
        ink: ``(h, w)`` the ink map with what is written in the discs.
        marks: ``(h, w)`` where boxes are marked (``city_paths.mark_map``).
        layout: the board.
        legs: asked when there may be a line across discs.
    """
    found = ruled_lines(ink, marks, layout)
    if not found:
        return odds
    # Where a drawn tour's leg is part of a line across discs, the tour explains it.
    tours = {link for link, chance in legs().items() if chance > LEG}
    alone = [line for line in found if not any(frozenset(step) in tours for step in pairwise(line.stops))]
    out, rows = odds.copy(), {frozenset(pair): row for row, pair in enumerate(layout.pairs)}
    for line in sorted(alone, key=lambda line: line.sure):
        twofold = any(_longer(other, line) and len({*other.stops} & {*line.stops}) > 1 for other in alone)
        least, most = OPEN if twofold or not line.sure else LIKELY if len(tours) >= TOURED else KNOWN
        for part in combinations(line.stops, 2):
            row = rows.get(frozenset(part), line.row)
            if row != line.row:
                out[row] = min(out[row], most)
        out[line.row] = max(out[line.row], least)
    return out


def ruled_lines(ink: NDArray[np.float32], marks: NDArray[np.float32], layout: CityLayout) -> list[Ruled]:
    """Lines across other discs, none of them a part of another.

    Args:
        ink: ``(h, w)`` probability of a pen line, ``INK_PX`` pixels a radius, with what is written in the discs.
        marks: ``(h, w)`` 1 where boxes are marked: whether a line goes on there nobody sees.
        layout: the board.
    """
    maps = _Maps(ink, np.asarray(cv2.GaussianBlur(ink, (0, 0), SMOOTH_PX), dtype=np.float32), marks)
    broad = np.asarray(cv2.dilate(ink, np.ones((5, 5), np.uint8)), dtype=np.float32)
    found = []
    for way in _ways(layout):
        steps = np.arange(AROUND, way.length - AROUND, 1 / INK_PX)
        if len(steps) and (_seen(broad, way, steps, np.zeros((1, len(steps))), layout) > INKED).mean() < ROUGHLY:
            continue
        line = _laid(maps, way, layout)
        if line is not None:
            found.append(line)
    return [one for one in found if not any(_longer(other, one) and _goes_on(one, other) for other in found)]


def _longer(one: Ruled, other: Ruled) -> bool:
    """Whether a line is longer than another, and as sure."""
    return one.length > other.length and one.sure >= other.sure


def _goes_on(one: Ruled, other: Ruled) -> bool:
    """Whether a line joins two discs on another's way."""
    return {one.stops[0], one.stops[-1]} <= set(other.stops)


def _laid(maps: _Maps, way: _Way, layout: CityLayout) -> Ruled | None:
    """The line of ``way`` across discs; None where there is none."""
    steps = np.arange(0.05, way.length - 0.05, 0.5 / INK_PX)
    offsets = _offsets(way, steps)
    inside = np.stack([np.hypot(steps - stop.along, offsets - stop.aside) < INSIDE for stop in way.stops])
    near = (steps < AROUND) | (steps > way.length - AROUND)
    outside = ~near & ~inside.any(axis=0)
    count = outside.sum(axis=1)
    fit = (_seen(maps.soft, way, steps, offsets, layout) * outside).sum(axis=1) / np.maximum(count, 1)
    best = int(fit.argmax())
    drawn, marked = (_seen(m, way, steps, offsets[best : best + 1], layout)[0] > INKED for m in (maps.ink, maps.marks))
    met = [(stop, drawn[there[best]]) for stop, there in zip(way.stops, inside, strict=True)]
    crossed = [(stop, float(there.mean())) for stop, there in met if len(there) > 3]
    plain = outside[best] & ~marked
    stretch = np.searchsorted([stop.along for stop, _ in crossed], steps)
    if (
        not crossed
        or not plain.any()
        or any(plain[there].sum() < PLAIN * there.sum() for there in _each(stretch, outside[best]))
    ):
        return None
    shares = (float(drawn[plain].mean()), min(share for _, share in crossed))
    levels = [all(share >= least for share, least in zip(shares, wanted, strict=True)) for wanted in (SURELY, PERHAPS)]
    stops = (way.ends[0], *(stop.region for stop, _ in crossed), way.ends[1])
    return Ruled(way.row, stops, way.length, levels[0]) if any(levels) else None


def _each(stretch: NDArray[np.int_], there: Flags) -> list[Flags]:
    """The steps of ``there`` between each two discs."""
    return [there & (stretch == k) for k in range(int(stretch.max()) + 1) if (there & (stretch == k)).any()]


def _offsets(way: _Way, steps: Array) -> Array:
    """The curves tried, ``(K, S)``: how far aside of the straight line each lies at each step, disc radii."""
    at = steps / way.length
    ends = np.linspace(-SWAY, SWAY, TURNS)
    bows: Sequence[float] = BOWS if way.length >= SHORT else (0.0,)
    curves = [a + (b - a) * at + 4 * bow * way.length * at * (1 - at) for a in ends for b in ends for bow in bows]
    return np.array(curves)


def _seen(field: NDArray[np.float32], way: _Way, steps: Array, offsets: Array, layout: CityLayout) -> Array:
    """What a map holds along curves beside a straight line, ``(K, S)``."""
    points = way.start + steps[None, :, None] * way.along + offsets[:, :, None] * way.aside
    return np.asarray(sample(field, points * layout.radius, layout.radius), dtype=np.float64)


@lru_cache(maxsize=8)
def _ways(layout: CityLayout) -> tuple[_Way, ...]:
    """The straight lines of lawful ferries that cross discs other than their own two."""
    middles = {region: np.array(spot) / layout.radius for region, spot in layout.discs.items()}
    ways = []
    for row, (a, b) in enumerate(layout.pairs):
        start, step = middles[a], middles[b] - middles[a]
        length = float(np.hypot(*step))
        along = step / length
        aside = np.array([-along[1], along[0]])
        places = [(region, (middle - start) @ along, (middle - start) @ aside) for region, middle in middles.items()]
        stops = [
            _Stop(region, float(at), float(off))
            for region, at, off in places
            if region not in (a, b) and 0 < at < length and abs(off) < ACROSS
        ]
        if stops and layout.lawful[row] and not layout.linked[row]:
            ways.append(
                _Way(row, (a, b), start, along, aside, length, tuple(sorted(stops, key=lambda stop: stop.along)))
            )
    return tuple(ways)
