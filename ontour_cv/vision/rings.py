"""Looking again: where exactly is the printed disc that must be about here?

Once a board has been found, each disc's place, size and tilt are known to within a radius. Each cell is cut out so that
its disc is a circle, and every place in it is asked how much of the circle round it is an edge that faces it: fast
radial symmetry (Loy & Zelinsky 2003) with one known radius. Edge directions count, not strengths, so thick ink does
not outvote thin print. Size, polarity (pale or dark) and channel are one for the whole board, chosen by all cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.vision.landmarks import WorkingCopy, paleness, whiteness

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

STEP = 10.0
"""Pixels per disc radius in the patches."""

SIDE = 48
"""Side of a patch, pixels: the search and the largest circle fit in, and the transform is fast."""

REACH = 11
"""Places up to so many patch pixels from the predicted one are looked at."""

RADII = (0.80, 0.87, 0.94, 1.01, 1.08, 1.16)
"""Circle sizes tried, in nominal disc radii: inside of the ring, outside of the ring, other editions' discs."""

CHANNELS = ((1.0, 0.0), (0.0, 1.0), (0.6, 0.6))
"""Weights of the two channels, pale and white, in a view. The sum counts a little more, as two witnesses do."""

BANDS = ((0, 3), (0, 4), (1, 4), (1, 5), (2, 5))
"""Pairs of ``RADII`` that may be the two sides of a printed ring."""


FAR_SIDE, FAR_REACH = 72, 19
"""The same for discs that sit elsewhere in print: up to 1.9 radii away, which is short of most neighbours."""


@dataclass(frozen=True, slots=True)
class View:
    """A way of seeing discs.

    Attributes:
        pale, white: weights of the two channels.
        circles: sizes of the circles looked for, in nominal disc radii, and the weight of each.
    """

    pale: float
    white: float
    circles: tuple[tuple[float, float], ...]

    @property
    def factor(self) -> float:
        """Size of the discs, in nominal disc radii."""
        return sum(size for size, _ in self.circles) / len(self.circles)


@dataclass(frozen=True, slots=True, eq=False)
class Rings:
    """What was found at each cell.

    Attributes:
        offsets: ``(N, 2)`` from the predicted to the found centre, disc radii along the cell's own axes.
        response: ``(N,)`` share of the circle that faces the found centre, -1 to 1.
        view: which channel, circles and polarity showed the discs best.
    """

    offsets: Array
    response: Array
    view: View


def look_again(working: WorkingCopy, centres: Points, axes: Array) -> Rings:
    """The disc nearest to each predicted place.

    Args:
        working: picture to look in; ``centres`` and ``axes`` are in its pixels.
        centres: ``(N, 2)`` predicted centres.
        axes: ``(N, 2, 2)`` as ``CellPlace.axes_photo``.
    """
    patches = cut_tiles(working, centres, axes, SIDE)
    by_channel = []
    for channel in (paleness(patches), whiteness(patches)):
        spectra = _spectra(channel, SIDE)
        by_channel.append([_window(_answer(spectra, _kernel(size, SIDE)), REACH) for size in RADII])
    best: tuple[float, Floats, View] | None = None
    for pale, white in CHANNELS:
        edges = [np.float32(pale) * one + np.float32(white) * other for one, other in zip(*by_channel, strict=True)]
        looks: list[tuple[NDArray[np.floating], tuple[tuple[float, float], ...]]]
        looks = [(edge, ((size, 1.0),)) for edge, size in zip(edges, RADII, strict=True)]
        looks += [((edges[i] - edges[k]) * 0.6, ((RADII[i], 0.6), (RADII[k], -0.6))) for i, k in BANDS]
        for answer, circles in looks:
            for sign, score in _clearness(answer):
                if best is None or score > best[0]:
                    best = score, np.asarray(sign * answer, dtype=np.float32), View(sign * pale, sign * white, circles)
    assert best is not None
    offsets, response = _peaks(best[1])
    return Rings(offsets, response, best[2])


def look_far(working: WorkingCopy, centres: Points, axes: Array, view: View) -> tuple[Floats, Array]:
    """How much of a disc is seen round every place near the predicted ones, as :func:`look_again` saw the board best.

    Returns:
        the answers, ``(N, S, S)`` from -1 to 1, and the offset of each place of a window, ``(S, S, 2)`` disc radii.
    """
    patches = cut_tiles(working, centres, axes, FAR_SIDE)
    seen = [(weight, channel) for weight, channel in ((view.pale, paleness), (view.white, whiteness)) if weight]
    field = np.sum([np.float32(weight) * _directions(channel(patches), FAR_SIDE) for weight, channel in seen], axis=0)
    spectra = np.asarray(np.fft.rfft2(field), dtype=np.complex64)
    kernel = np.sum([np.float32(weight) * _kernel(size, FAR_SIDE) for size, weight in view.circles], axis=0)
    return _window(_answer(spectra, kernel), FAR_REACH), _places(2 * FAR_REACH)


def cut_tiles(working: WorkingCopy, centres: Points, axes: Array, side: int) -> NDArray[np.uint8]:
    """All cells as one tall picture ``(N * side, side, 3)``, each with its disc as a circle of ``STEP`` pixels."""
    out = np.empty((len(centres) * side, side, 3), dtype=np.uint8)
    middle = np.full(2, (side - 1) / 2.0)
    for k, (centre, axis) in enumerate(zip(centres, axes, strict=True)):
        linear = axis / STEP
        matrix = np.column_stack([linear, centre - linear @ middle])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        tile = cv2.warpAffine(working.neutral, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        out[k * side : (k + 1) * side] = tile
    return out


def _spectra(channel: NDArray[np.uint8], side: int) -> NDArray[np.complex64]:
    """Spectra of edge directions, ``(2, N, side, side // 2 + 1)`` for x and y."""
    return np.asarray(np.fft.rfft2(_directions(channel, side)))


def _directions(channel: NDArray[np.uint8], side: int) -> NDArray[np.float32]:
    """Edge directions, ``(2, N, side, side)``: 1 long where the edge is clear, less in noise."""
    gx = cv2.Scharr(channel, cv2.CV_32F, 1, 0, scale=1 / 32)
    gy = cv2.Scharr(channel, cv2.CV_32F, 0, 1, scale=1 / 32)
    size = np.sqrt(gx * gx + gy * gy)  # cv2.magnitude answers by where in memory its input lies
    doubt = np.float32(2.0 + 0.5 * float(np.median(size)))
    field = (np.stack([gx, gy]) / (size + doubt)).reshape(2, -1, side, side)
    field[:, :, [0, -1], :] = 0  # the neighbouring patch begins here
    return np.asarray(field, dtype=np.float32)


@lru_cache(maxsize=32)
def _kernel(factor: float, side: int) -> NDArray[np.complex64]:
    """What turns spectra of edge directions into the share of a circle of ``factor`` radii facing each place.

    ``(2, 1, side, side // 2 + 1)``; see :func:`_answer`.
    """
    at = np.fft.fftfreq(side, 1.0 / side)
    offset = np.stack(np.meshgrid(at, at))
    rho = np.hypot(*offset)
    weight = np.exp(-0.5 * ((rho - factor * STEP) / 0.9) ** 2)
    weight /= weight.sum()
    unit = np.where(rho > 0, offset / np.maximum(rho, 1e-9), 0)
    return np.asarray(np.conj(np.fft.rfft2(-unit * weight)), dtype=np.complex64)[:, None]


def _answer(spectra: NDArray[np.complex64], kernel: NDArray[np.complex64]) -> Floats:
    """The answer at every place, ``(N, side, side)``: both directions correlated with their kernels, added up."""
    side = spectra.shape[2]
    return np.asarray(np.fft.irfft2(spectra[0] * kernel[0] + spectra[1] * kernel[1], (side, side)), dtype=np.float32)


def _window(answer: NDArray[np.floating], reach: int) -> Floats:
    """The part of ``(N, S, S)`` within ``reach`` pixels of the predicted centre, which lies between four pixels."""
    side = answer.shape[1]
    low = side // 2 - reach
    return np.asarray(answer[:, low : side - low, low : side - low], dtype=np.float32)


def _places(side: int) -> Array:
    """Offset of each pixel of a window from the predicted centre, disc radii."""
    at = (np.arange(side) - (side - 1) / 2) / STEP
    return np.stack(np.meshgrid(at, at), axis=-1)


def _clearness(answer: Floats) -> tuple[tuple[float, float], tuple[float, float]]:
    """How clearly this view shows discs, and how clearly its negative does: sign and clearness of each.

    Cells count by how far their best place is above what clutter gives. Places near the predicted ones count more: ink
    and art answer anywhere, a few discs only sit elsewhere in print.
    """
    count, side = len(answer), answer.shape[1]
    flat, rows = answer.reshape(count, -1), np.arange(count)
    near = _nearness(side)
    best, worst = flat.argmax(axis=1), flat.argmin(axis=1)
    shown = (np.maximum(flat[rows, best] - 0.3, 0.0) * near[best]).sum()
    hidden = (np.maximum(-flat[rows, worst] - 0.3, 0.0) * near[worst]).sum()
    return (1.0, float(shown)), (-1.0, float(hidden))


@lru_cache(maxsize=2)
def _nearness(side: int) -> Array:
    """What each pixel of a window counts, flattened: 1 at the predicted centre, less the farther from it."""
    return np.asarray(np.exp(-0.5 * (_places(side) ** 2).sum(axis=-1).ravel() / 0.45**2))


def _peaks(answer: Floats) -> tuple[Array, Array]:
    """Best place of each window, to a part of a pixel, and the answer there; near places are preferred a little."""
    count, side = len(answer), answer.shape[1]
    places = _places(side)
    price = 0.10 * (places**2).sum(axis=-1)
    index = (answer - price[None]).reshape(count, -1).argmax(axis=1)
    row, col = np.clip(index // side, 1, side - 2), np.clip(index % side, 1, side - 2)
    k = np.arange(count)
    here = answer[k, row, col]
    left, right = answer[k, row, col - 1], answer[k, row, col + 1]
    above, below = answer[k, row - 1, col], answer[k, row + 1, col]
    dx = 0.5 * (right - left) / np.maximum(2 * here - left - right, 1e-3)
    dy = 0.5 * (below - above) / np.maximum(2 * here - above - below, 1e-3)
    fine = np.clip(np.column_stack([dx, dy]), -0.6, 0.6) / STEP
    return places[row, col] + fine, here.astype(np.float64)
