"""Ink map -> the likeliest line between two discs, and the ink along it, laid straight.

Between every two discs that a ferry may join, the way with the most ink is found by dynamic programming (as in Viterbi
1967): step by step along the straight line, free to stray to either side. What lies along that way is then judged by a
network, which needs not know how far the line bends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.city_flat import UNIT_PX, Box, CityLayout

INK_PX = UNIT_PX / 2
"""Pixels per disc radius of an ink map."""

ALONG, ACROSS = 48, 11
"""Samples of a strip along its line and across it."""

HALF_WIDTH = 1.0
"""Half a strip's width, disc radii."""

START = 0.9
"""Where a strip begins and ends, disc radii from the discs' centres."""

STEPS, SIDES = 64, 49
"""Steps of the search along the straight line, and places at each."""

BULGE, ROOM = 0.4, 1.6
"""How far a line may stray to a side: a share of its length, or so many disc radii if that is more."""

BASE = 0.08
"""Price of way on ink, against 1 off it: so that a line on broad ink runs straight."""

WRITTEN = 0.98
"""Within so many disc radii of its centre, ink is what is written in a disc."""

DISC = 1.5
"""Price of a step through another disc."""

MARKED = 0.2
"""How far a mark reaches beyond its box, in sides of the box."""

CREASE, CREASE_INK = 0.4, 0.2
"""Share of a column of the ink map that a crease inks, at least, and from which probability on that counts as ink."""

FAINT = 0.03
"""Ink probability below which there is as good as none."""


Ends = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Where lines begin and where they end, ``(N, 2)`` board widths each."""


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The likeliest line for each pair of discs.

    Attributes:
        paths: ``(N, STEPS, 2)`` board widths, from centre to centre.
        lengths: ``(N,)`` distance between the centres, disc radii.
        costs: ``(N,)`` share of the way between the discs without ink; more where it leads through other discs.
    """

    paths: NDArray[np.float64]
    lengths: NDArray[np.float64]
    costs: NDArray[np.float64]

    def some(self, rows: NDArray[np.intp]) -> Lines:
        """Some of them."""
        return Lines(self.paths[rows], self.lengths[rows], self.costs[rows])


def disc_ends(layout: CityLayout) -> Ends:
    """The middles of the discs of each of ``layout.pairs``."""
    first = np.array([layout.discs[a] for a, _ in layout.pairs])
    return first, np.array([layout.discs[b] for _, b in layout.pairs])


def trace_lines(ink: NDArray[np.float32], layout: CityLayout, ends: Ends | None = None) -> Lines:
    """The likeliest line between the discs of each of ``layout.pairs``, or between other places.

    Args:
        ink: ``(h, w)`` probability of a pen line, ``INK_PX`` pixels a radius, of the board laid flat.
        layout: the board.
        ends: the places.
    """
    first, last = disc_ends(layout) if ends is None else ends
    step = last - first
    lengths = np.hypot(*step.T) / layout.radius
    across = np.stack([-step[:, 1], step[:, 0]], axis=1) / (lengths * layout.radius)[:, None]
    half = np.maximum(ROOM, BULGE * lengths)
    t = (np.arange(STEPS) + 0.5) / STEPS
    offsets = np.linspace(-1, 1, SIDES)[None] * half[:, None]
    spots = first[:, None] + t[None, :, None] * step[:, None]
    points = spots[:, :, None] + (offsets[:, None, :, None] * across[:, None, None]) * layout.radius
    grain = np.maximum(2 * half / (SIDES - 1), lengths / STEPS)
    price = _prices(ink, layout, points, grain)
    near = np.minimum(t, 1 - t)[None] * lengths[:, None]
    price = np.where(near[..., None] < 1.0, 0.0, price)
    choice = _cheapest(price, lengths / STEPS, 2 * half / (SIDES - 1))
    straying = np.take_along_axis(offsets, choice, axis=1)
    paths = spots + straying[..., None] * across[:, None] * layout.radius
    bare = np.take_along_axis(price, choice[..., None], axis=2)[..., 0]
    costs = bare.sum(axis=1) / np.maximum((near >= 1.0).sum(axis=1), 1)
    return Lines(paths, lengths, np.asarray(costs, dtype=np.float64))


def without_folds(ink: NDArray[np.float32]) -> NDArray[np.float32]:
    """An ink map without the creases of a folded sheet, which run from top to bottom; lines across them stay.

    A crease is a column that is inked over a good part of its height, and far more than the columns near it.
    """
    inked = (ink > CREASE_INK).mean(axis=0)
    padded = np.pad(inked, 5, mode="edge")
    beside = np.maximum(padded[: len(inked)], padded[10 : 10 + len(inked)])
    out = ink.copy()
    spread = np.asarray(cv2.dilate(ink, np.ones((5, 1), np.uint8)), dtype=np.float32)
    for column in np.flatnonzero((inked > CREASE) & (inked > beside + CREASE / 2)).tolist():
        low, high = max(0, column - 3), min(ink.shape[1] - 1, column + 3)
        across = np.minimum(spread[:, low], spread[:, high])
        for near in range(max(0, column - 1), min(ink.shape[1], column + 2)):
            out[:, near] = np.minimum(out[:, near], across)
    return out


def without_writing(ink: NDArray[np.float32], layout: CityLayout, marked: Sequence[Box] = ()) -> NDArray[np.float32]:
    """An ink map without what is written in the discs, and without the marks in these boxes."""
    gone = np.maximum(_disc_map(ink.shape, layout, WRITTEN), mark_map(ink.shape, layout, marked))
    return np.asarray(ink * (1 - gone), dtype=np.float32)


def mark_map(shape: tuple[int, ...], layout: CityLayout, marked: Sequence[Box]) -> NDArray[np.float32]:
    """1 where the marks in these boxes are, 0 elsewhere; a map of the size of an ink map, ``(h, w)``."""
    field = np.zeros(shape[:2], np.float32)
    for left, top, right, bottom in marked:
        room = MARKED * (right - left)
        x0, y0, x1, y1 = (
            round(v / layout.radius * INK_PX) for v in (left - room, top - room, right + room, bottom + room)
        )
        field[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)] = 1
    return field


def _prices(
    ink: NDArray[np.float32], layout: CityLayout, points: NDArray[np.float64], grain: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Price of a step at each point, ``(N, STEPS, SIDES)``: 0 on ink, 1 off it, more on other discs."""
    sized = grown(ink)
    discs = _disc_map(ink.shape, layout)
    out = np.empty(points.shape[:3], np.float32)
    level = grain_level(grain)
    floor = np.log(FAINT)
    for k in range(len(sized)):
        rows = np.flatnonzero(level == k)
        if not len(rows):
            continue
        seen = sample(sized[k], points[rows], layout.radius)
        bare = np.log(np.clip(seen, FAINT, 1.0)) / floor
        out[rows] = bare + DISC * sample(discs, points[rows], layout.radius)
    return out


def grown(ink: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """The ink map, and spread by one and two pixels, for coarser looks at it."""
    kernels = [np.ones((n, n), np.uint8) for n in (3, 5)]
    return [ink, *(np.asarray(cv2.dilate(ink, kernel), dtype=np.float32) for kernel in kernels)]


def grain_level(grain: NDArray[np.float64]) -> NDArray[np.int_]:
    """Which of the maps of :func:`grown` suits samples this far apart (disc radii)."""
    return np.asarray(np.digitize(grain * INK_PX, (1.3, 3.2)))


def sample(field: NDArray[np.float32], points: NDArray[np.float64], radius: float) -> NDArray[np.float32]:
    """Values of a map of ``INK_PX`` pixels a radius at points ``(..., 2)`` in board widths; 0 outside."""
    places = (points * (INK_PX / radius) - 0.5).astype(np.float32).reshape(-1, points.shape[-2], 2)
    xs, ys = (np.ascontiguousarray(places[..., k]) for k in (0, 1))
    parts = []
    for start in range(0, len(xs), 30000):  # cv2.remap takes no more rows than a short counts
        end = start + 30000
        parts.append(cv2.remap(field, xs[start:end], ys[start:end], cv2.INTER_LINEAR, borderValue=0.0))
    return np.asarray(np.concatenate(parts), dtype=np.float32).reshape(points.shape[:-1])


def _disc_map(shape: tuple[int, ...], layout: CityLayout, reach: float = 0.95) -> NDArray[np.float32]:
    """1 on discs, 0 elsewhere."""
    field = np.zeros(shape[:2], np.uint8)
    for x, y in layout.discs.values():
        spot = tuple(round((v / layout.radius * INK_PX - 0.5) * 16) for v in (x, y))
        cv2.circle(field, spot, round(reach * INK_PX * 16), 255, -1, cv2.LINE_AA, 4)
    return field.astype(np.float32) / np.float32(255)


def _cheapest(
    price: NDArray[np.float32], onward: NDArray[np.float64], sideways: NDArray[np.float64]
) -> NDArray[np.int_]:
    """The cheapest way from the middle to the middle, its place at each step, ``(N, STEPS)``.

    Args:
        price: ``(N, STEPS, SIDES)``, of a disc radius of way.
        onward: ``(N,)`` length of a step, disc radii.
        sideways: ``(N,)`` from one place of a step to the next, disc radii.
    """
    count, steps, sides = price.shape
    moves = range(-3, 4)
    way = [np.hypot(onward, move * sideways)[:, None] for move in moves]
    best = np.full((count, sides), np.inf)
    best[:, sides // 2] = 0.0
    back = np.zeros((count, steps, sides), np.int8)
    for k in range(steps):
        tries = np.full((len(way), count, sides), np.inf)
        for row, move in enumerate(moves):
            low, high = max(0, move), min(sides, sides + move)
            tries[row, :, low:high] = best[:, low - move : high - move] + (price[:, k, low:high] + BASE) * way[row]
        chosen = np.argmin(tries, axis=0)
        back[:, k] = chosen + moves[0]
        best = np.take_along_axis(tries, chosen[None], axis=0)[0]
    # The last steps lead to the other disc, however they get there.
    at = np.argmin(best + np.abs(np.arange(sides) - sides // 2)[None] * sideways[:, None], axis=1)
    choice = np.empty((count, steps), np.int_)
    for k in range(steps - 1, -1, -1):
        choice[:, k] = at
        at = at - back[np.arange(count), k, at]
    return choice


def cut_strips(
    ink: NDArray[np.float32], dark: NDArray[np.float32], lines: Lines, layout: CityLayout
) -> NDArray[np.float32]:
    """What lies along each line, ``(N, 6, ALONG, ACROSS)`` float32, for the network.

    Channels: ink probability; how the photo differs from the print; discs other than the two; how the line turns; its
    length; how far it strays from the straight one.

    Args:
        ink: the ink map.
        dark: ``(h, w)``, how much darker the photo is than the print, log units, of the same size.
        lines: from :func:`trace_lines`.
        layout: the board.
    """
    radius = layout.radius
    paths = smoothed(lines.paths)
    run = np.concatenate(
        [np.zeros((len(paths), 1)), np.cumsum(np.hypot(*np.diff(paths, axis=1).transpose(2, 0, 1)), axis=1)], axis=1
    )
    spots = np.empty((len(paths), ALONG, 2))
    for k in range(len(paths)):
        reach = START * radius
        at = np.linspace(reach, max(run[k, -1] - reach, reach + 1e-6), ALONG)
        spots[k] = np.stack([np.interp(at, run[k], paths[k, :, axis]) for axis in (0, 1)], axis=1)
    ways = np.asarray(np.gradient(spots, axis=1), dtype=np.float64)
    ways /= np.maximum(np.hypot(ways[..., 0], ways[..., 1]), 1e-9)[..., None]
    normals = np.stack([-ways[..., 1], ways[..., 0]], axis=-1)
    offsets = np.linspace(-HALF_WIDTH, HALF_WIDTH, ACROSS) * radius
    points = spots[:, :, None] + offsets[None, None, :, None] * normals[:, :, None]
    spacing = run[:, -1] / radius / ALONG
    strips = np.zeros((len(paths), 6, ALONG, ACROSS), np.float32)
    levels, maps = grain_level(spacing), grown(ink)
    others = _disc_map(ink.shape, layout)
    for level in range(len(maps)):
        rows = np.flatnonzero(levels == level)
        if len(rows):
            strips[rows, 0] = sample(maps[level], points[rows], radius)
    strips[:, 1] = np.clip(sample(dark, points, radius), -1, 1)
    strips[:, 2] = sample(others, points, radius)
    before, after = ways[:, :-4], ways[:, 4:]
    turning = before[..., 0] * after[..., 1] - before[..., 1] * after[..., 0]
    strips[:, 3] = np.pad(turning, ((0, 0), (2, 2)), mode="edge")[..., None] * 2
    strips[:, 4] = (np.minimum(lines.lengths, 25.0) / 8.0 - 1.0)[:, None, None]
    straight = np.hypot(*(paths[:, -1] - paths[:, 0]).T)
    strips[:, 5] = ((run[:, -1] / np.maximum(straight, 1e-9) - 1.0) * 3)[:, None, None]
    return strips


def smoothed(paths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Paths without the stairs of the search; their ends stay."""
    kernel = np.array([1, 2, 3, 2, 1]) / 9
    padded = np.concatenate([paths[:, :1]] * 2 + [paths] + [paths[:, -1:]] * 2, axis=1)
    out = sum(weight * padded[:, k : k + paths.shape[1]] for k, weight in enumerate(kernel))
    return np.asarray(out, dtype=np.float64)
