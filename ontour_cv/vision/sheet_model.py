"""A printed sheet of cells as the camera looks for it: pieces of paper between lines, and the lines themselves.

Everything is in widths of the sheet, x right and y down, as in the map's template.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.maps.model import Box, MapTemplate

Array = NDArray[np.float64]

STEP = 0.006
"""Distance between the places at which a line is looked at, sheet widths."""

CORNER = 0.005
"""Ends of a line that are left out: another line starts there."""

OUTWARD = 0.0014
"""An outline is the paper's edge; the middle of the printed line lies this much further out."""

REACH = (0.034, 0.062)
"""Bounds of half a reading window's side: writing on the smallest cell needs so much, on a larger one no more, unless
the cell would not fit."""

LEFT_OUT = 0.006
"""As much of a cell may lie outside its window: nobody writes there."""

BOX_REACH = 0.56
"""Half a reading window's side over the longer side of a box, when that is more than the least."""

_RASTER = 1200
"""Pixels per sheet width for finding the middle of a cell."""


@dataclass(frozen=True, slots=True, eq=False)
class SheetModel:
    """A sheet to look for. ``P`` pieces: the cells in the map's order, then the boxes; ``E`` printed lines.

    Attributes:
        map: id of the map.
        ids: ``P`` names.
        cells: how many of them are cells.
        outlines: ``P`` polygons, ``(N, 2)`` each.
        centres: ``(P, 2)`` centroids.
        moments: ``(P, 2, 2)`` covariances of the pieces' area.
        areas: ``(P,)``.
        middles: ``(P, 2)`` where there is most room to write.
        windows: ``(P, 2)`` middles of the windows to read.
        reach: ``(P,)`` half the side of such a window.
        samples: ``(S, 2)`` places on the middle of printed lines.
        normals: ``(S, 2)`` unit vectors across the line.
        line: ``(S,)`` which line (0 to E - 1) a sample lies on.
        owner: ``(E,)`` the piece whose outline a line is of.
        knots: ``(P + E, 2)`` where a bend of the paper may be seen: the pieces' centres, then the lines' middles.
        inks: ``(P,)`` pieces whose outlines are printed in one colour have one number.
        extent: left, top, right and bottom of everything printed.
    """

    map: str
    ids: tuple[str, ...]
    cells: int
    outlines: tuple[Points, ...]
    centres: Points
    moments: Array
    areas: Array
    middles: Points
    windows: Points
    reach: Array
    samples: Points
    normals: Array
    line: NDArray[np.int64]
    owner: NDArray[np.int64]
    knots: Points
    inks: NDArray[np.int64]
    extent: tuple[float, float, float, float]


def sheet_model(template: MapTemplate) -> SheetModel:
    """The model of a map whose cells have outlines; ``ValueError`` for one of discs."""
    if not all(region.outline for region in template.regions):
        raise ValueError(f"the cells of {template.id} have no outlines")
    outlines = [np.array(region.outline, dtype=np.float64) for region in template.regions]
    outlines += [_corners(box) for box in template.boxes]
    outlines = [shape if _area(shape) > 0 else shape[::-1].copy() for shape in outlines]
    figures = [_figures(shape) for shape in outlines]
    middles = [_middle(shape) for shape in outlines]
    samples, normals, line, owner = _lines(outlines)
    cells = len(template.regions)
    centres = np.array([centre for _, centre, _ in figures])
    knots = np.concatenate([centres, per_line(samples, line)])
    for lasting in (centres, samples, knots):  # so what is worked out of them is kept (``sheet_warp.bend_kernel``)
        lasting.setflags(write=False)
    looks = [_window(shape, middle) for shape, middle in zip(outlines[:cells], middles, strict=False)]
    looks += [(middle, _box_reach(shape)) for shape, middle in zip(outlines[cells:], middles[cells:], strict=True)]
    every = np.concatenate(outlines)
    low, high = every.min(axis=0), every.max(axis=0)
    return SheetModel(
        map=template.id,
        ids=(*template.ids, *(box.id for box in template.boxes)),
        cells=cells,
        outlines=tuple(outlines),
        centres=centres,
        moments=np.array([moments for _, _, moments in figures]),
        areas=np.array([area for area, _, _ in figures]),
        middles=np.array(middles),
        windows=np.array([window for window, _ in looks]),
        reach=np.array([reach for _, reach in looks]),
        samples=samples,
        normals=normals,
        line=line,
        owner=owner,
        knots=knots,
        inks=_inks(template),
        extent=(float(low[0]), float(low[1]), float(high[0]), float(high[1])),
    )


def per_line(values: Array, line: NDArray[np.int64]) -> Array:
    """Means ``(E, 2)`` over the samples of each line, ``values`` ``(S, 2)`` of each sample."""
    return np.column_stack([np.bincount(line, values[:, k]) for k in (0, 1)]) / np.bincount(line)[:, None]


def _inks(template: MapTemplate) -> NDArray[np.int64]:
    """Cells are printed in the colour of their area, all boxes alike."""
    areas = [region.areas for region in template.regions]
    colours = list(dict.fromkeys(areas))
    return np.array([*(colours.index(area) for area in areas), *[len(colours)] * len(template.boxes)], dtype=np.int64)


def _corners(box: Box) -> Points:
    return np.array([[box.left, box.top], [box.right, box.top], [box.right, box.bottom], [box.left, box.bottom]])


def _area(shape: Points) -> float:
    """Signed area; positive when x right and y down turn clockwise on paper."""
    x, y = shape.T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) / 2)


def _figures(shape: Points) -> tuple[float, Array, Array]:
    """Area, centroid and covariance of a polygon (Green's theorem, by ``cv2.moments``)."""
    m = cv2.moments((shape * 1000).astype(np.float32))
    area = m["m00"]
    centre = np.array([m["m10"], m["m01"]]) / area / 1000
    moments = np.array([[m["mu20"], m["mu11"]], [m["mu11"], m["mu02"]]]) / area / 1e6
    return area / 1e6, centre, moments


def _middle(shape: Points) -> Array:
    """The middle of the places with most room around them: ties of a long cell lie along it."""
    low = shape.min(axis=0) - 4 / _RASTER
    size = np.ceil((np.ptp(shape, axis=0) + 8 / _RASTER) * _RASTER).astype(int)
    filled = np.zeros((int(size[1]), int(size[0])), np.uint8)
    cv2.fillPoly(filled, [np.round((shape - low) * _RASTER).astype(np.int32)], 255)
    room = np.asarray(cv2.distanceTransform(filled, cv2.DIST_L2, 5))
    rows, cols = np.nonzero(room > 0.93 * room.max())
    return np.asarray(np.array([cols.mean(), rows.mean()]) / _RASTER + low)


def _window(shape: Points, middle: Array) -> tuple[Array, float]:
    """Middle and half side of a cell's reading window: round the place with most room, or round the whole cell.

    Who has a long or bent cell writes anywhere in it: in California at either end.
    """
    low, high = shape.min(axis=0), shape.max(axis=0)
    span = float((high - low).max())
    reach = float(np.clip(0.62 * span, *REACH))
    if max(float((middle - reach - low).max()), float((high - middle - reach).max())) <= LEFT_OUT:
        return middle, reach
    return (low + high) / 2, 0.515 * span


def _box_reach(shape: Points) -> float:
    return max(BOX_REACH * float(np.ptp(shape, axis=0).max()), REACH[0])


def _lines(outlines: Sequence[Points]) -> tuple[Points, Array, NDArray[np.int64], NDArray[np.int64]]:
    samples, normals, line, owner = [], [], [], []
    number = 0
    for piece, shape in enumerate(outlines):
        for a, b in zip(shape, np.roll(shape, -1, axis=0), strict=True):
            length = float(np.hypot(*(b - a)))
            count = int((length - 2 * CORNER) / STEP) + 1
            if length < 2.5 * CORNER:
                continue
            along = (b - a) / length
            outward = np.array([along[1], -along[0]])
            at = np.linspace(CORNER, length - CORNER, max(count, 2))
            samples.append(a + at[:, None] * along + OUTWARD * outward)
            normals.append(np.broadcast_to(outward, (len(at), 2)))
            line.append(np.full(len(at), number))
            owner.append(piece)
            number += 1
    return np.concatenate(samples), np.concatenate(normals), np.concatenate(line).astype(np.int64), np.array(owner)
