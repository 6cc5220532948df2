"""Small grey pictures of digits -> pen strokes: the middle line of the ink, followed from end to end.

Sixty thousand digits are known as 28 x 28 pictures with their writers (MNIST). As strokes they can be written with
any pen on a whole rendered board: five hundred hands beside the two hundred recorded with a tablet.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage.morphology import skeletonize

from ontour_cv.synth.strokes import Polyline, normalised

ENLARGED = 6
"""Pictures are enlarged so many times before thinning, so that the middle line is smooth."""

CUT = 105
"""Grey level from which on a pixel is ink."""

SPUR = 0.9
"""Side branches shorter than this many pen widths are noise of thinning."""

FAITHFUL = 0.78
"""Share of the ink and its redrawn lines that must agree (intersection over union), or the picture is left out: a loop
filled with ink would be traced as a line, and what is left of a 6 is no 6."""

SMOOTH_PX = 6
"""Points of the enlarged line that a smoothed point is the mean of, to each side."""


def load_traced(path: Path, split: str = "train", each: int = 10) -> list[dict[str, list[list[Polyline]]]]:
    """Writers of one split of an ``mnist.npz`` (``images``, ``labels``, ``writer``) as pen strokes.

    The split is by ``writer % 10`` as for recorded strokes: 8 is ``"valid"``, 9 is ``"test"``.

    Args:
        path: the file.
        split: ``"train"``, ``"valid"`` or ``"test"``.
        each: samples of a digit taken from a writer at most.

    Returns:
        one dictionary per writer with all ten digits: digit -> samples, each a list of strokes.
    """
    with np.load(path) as store:
        images, labels, writers = store["images"], store["labels"], store["writer"]
    wanted = {"train": range(8), "valid": (8,), "test": (9,)}[split]
    out = []
    for writer in np.unique(writers):
        if writer % 10 not in wanted:
            continue
        own: dict[str, list[list[Polyline]]] = {}
        for digit in range(10):
            some = np.flatnonzero((writers == writer) & (labels == digit))[:each]
            strokes = [traced(images[k], str(digit)) for k in some]
            own[str(digit)] = [s for s in strokes if s]
        if all(own.values()):
            out.append(own)
    return out


def traced(picture: NDArray[np.uint8], label: str) -> list[Polyline]:
    """The strokes of one picture, as :func:`ontour_cv.synth.strokes.normalised` gives them.

    Empty without ink, and where the strokes would not look like it.

    Args:
        picture: ``(28, 28)`` uint8, ink 255.
        label: what it shows.
    """
    side = picture.shape[0] * ENLARGED
    big = cv2.resize(picture, (side, side), interpolation=cv2.INTER_CUBIC)
    ink = np.pad(cv2.GaussianBlur(big, (0, 0), ENLARGED * 0.35) > CUT, 2)
    line = np.asarray(skeletonize(ink), dtype=np.uint8)  # type: ignore[no-untyped-call]
    if line.sum() < 3 * ENLARGED:
        return []
    width = 2.0 * float(np.median(cv2.distanceTransform(ink.astype(np.uint8), cv2.DIST_L2, 3)[line > 0]))
    branches = _branches(line)
    longest = max(len(points) for points, _ in branches)
    kept = [points for points, loose in branches if not loose or len(points) > min(SPUR * width, longest - 1)]
    strokes = [_smoothed(points) for points in kept]
    return normalised(strokes, label) if _agreement(strokes, ink, width) >= FAITHFUL else []


def _agreement(strokes: list[Polyline], ink: NDArray[np.bool_], width: float) -> float:
    """Intersection over union of the ink and the strokes drawn in its width."""
    drawn = np.zeros(ink.shape, np.uint8)
    for points in strokes:
        cv2.polylines(drawn, [np.round(points * 16).astype(np.int32)], False, 1, max(1, round(width)), cv2.LINE_8, 4)
    return float(((drawn > 0) & ink).sum() / ((drawn > 0) | ink).sum())


def _branches(line: NDArray[np.uint8]) -> list[tuple[Polyline, bool]]:
    """Lines between crossings and ends, ``(N, 2)`` x and y each, and whether one end hangs loose at a crossing."""
    around = cv2.filter2D(line, -1, np.ones((3, 3)), borderType=cv2.BORDER_CONSTANT) - 1
    crossing = ((line > 0) & (around > 2)).astype(np.uint8)
    _, found, _, centres = cv2.connectedComponentsWithStats(crossing, connectivity=8)
    spots = np.asarray(found, dtype=np.int32)
    parts, part = cv2.connectedComponents(((line > 0) & (crossing == 0)).astype(np.uint8), connectivity=8)
    out = []
    for k in range(1, parts):
        path = _walked(np.argwhere(part == k))
        ends = [_touching(spots, path[0]), _touching(spots, path[-1])]
        points = path[:, ::-1].astype(np.float64)
        if len(path) == 1 and ends[0]:
            continue
        if ends[0]:
            points = np.vstack([centres[ends[0]], points])
        if ends[1]:
            points = np.vstack([points, centres[ends[1]]])
        if not any(ends) and len(path) > 8 and np.abs(path[0] - path[-1]).max() <= 1:
            points = np.vstack([points, points[:1]])
        out.append((points, (ends[0] > 0) != (ends[1] > 0)))
    return out or [(np.argwhere(line)[:, ::-1].astype(np.float64), False)]


def _walked(pixels: NDArray[np.int_]) -> NDArray[np.int_]:
    """The pixels of a line without crossings, from one end to the other."""
    left = {(int(y), int(x)) for y, x in pixels}
    steps = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]
    degree = {p: sum((p[0] + dy, p[1] + dx) in left for dy, dx in steps) for p in left}
    at = min(left, key=lambda p: (degree[p], p))
    path = [at]
    left.remove(at)
    while left:
        ahead = [(at[0] + dy, at[1] + dx) for dy, dx in steps if (at[0] + dy, at[1] + dx) in left]
        if not ahead:
            break
        at = ahead[0]
        path.append(at)
        left.remove(at)
    return np.array(path)


def _touching(spots: NDArray[np.int32], pixel: NDArray[np.int_]) -> int:
    """Number of the crossing beside a pixel, 0 for none."""
    y, x = pixel
    return int(spots[y - 1 : y + 2, x - 1 : x + 2].max())


def _smoothed(points: Polyline) -> Polyline:
    """Moving mean along the line, both ends kept, thinned to every third point."""
    if len(points) < 5:
        return points
    reach = min(SMOOTH_PX, len(points) // 4)
    padded = np.vstack([np.repeat(points[:1], reach, 0), points, np.repeat(points[-1:], reach, 0)])
    sums = np.cumsum(np.vstack([np.zeros((1, 2)), padded]), axis=0)
    mean = (sums[2 * reach + 1 :] - sums[: -2 * reach - 1]) / (2 * reach + 1)
    closed = bool(np.all(points[0] == points[-1]))
    mean[0], mean[-1] = (mean[1], mean[1]) if closed else (points[0], points[-1])
    return np.asarray(np.vstack([mean[:-1:3], mean[-1:]]), dtype=np.float64)
