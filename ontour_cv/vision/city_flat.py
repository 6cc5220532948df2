"""Photo + Placement -> :class:`FlatBoard`: a printed city board laid flat beside its print, light evened out.

The print of this project's own boards is known to the last line, so what a player drew is what differs from it. The
board is laid flat in the frame of its design through the discs that were found (``warp.bend``), and the light is
whatever smooth field makes the photo most like the print.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import Placement
from ontour_cv.vision.warp import Warp, bend

Box = tuple[float, float, float, float]
"""Left, top, right, bottom; board widths of the design."""

UNIT_PX = 12
"""Pixels per disc radius of a board laid flat: fine pens are then a good pixel wide."""

LIGHT_RADII = 2.5
"""How smooth light is taken to be: standard deviation of its average, disc radii. Wider than any line or box."""

SEEN, UNSEEN = 0.05, 0.3
"""How far a disc that was found, or not found, may lie from where it is said to be, disc radii (standard deviation)."""

COARSE = 6
"""Light is looked at in steps of so many pixels."""

STEP = 8
"""Every so many pixels of the flat board the way to the photo is computed; between them it is a straight line."""


@dataclass(frozen=True, slots=True, eq=False)
class CityLayout:
    """What is known of a printed board, in the frame of its design (width 1).

    Attributes:
        aspect: its height.
        radius: of a disc.
        discs: region id -> centre.
        boxes: region id -> letter of a soloist -> its box.
        rows: letter of a soloist -> the boxes of its row, from the left; empty without rows.
        pairs: the neighbourhoods that a ferry may join, lawfully or not.
        lawful: for each of ``pairs``, whether the rules allow it.
        linked: for each of ``pairs``, whether a printed link joins the two as well.
        scale: of the edition's frame: an edition's point is ``shift + scale * point``.
        shift: of the edition's frame.
        looks: the print in each of its looks, small, ``(H, W, 3)`` uint8 BGR: enough to tell which one a photo shows.
        printed: the same as large as photos are compared with it, from the place of its look in ``looks``.
        boats: region id -> the sign beside its disc that a ferry may leave from there; empty without such signs.
    """

    aspect: float
    radius: float
    discs: Mapping[str, tuple[float, float]]
    boxes: Mapping[str, Mapping[str, Box]]
    rows: Mapping[str, tuple[Box, ...]]
    pairs: tuple[tuple[str, str], ...]
    lawful: tuple[bool, ...]
    linked: tuple[bool, ...]
    scale: float
    shift: tuple[float, float]
    looks: tuple[NDArray[np.uint8], ...]
    printed: Callable[[int], NDArray[np.uint8]]
    boats: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def size_px(self) -> tuple[int, int]:
        """``(width, height)`` of the board laid flat."""
        width = round(UNIT_PX / self.radius)
        return width, round(width * self.aspect)


@dataclass(frozen=True, slots=True, eq=False)
class FlatBoard:
    """A board laid flat.

    Attributes:
        layout: what is printed.
        photo: where it came from.
        warp: the edition's frame to the photo.
        print_: the print in the look that fits, ``(H, W, 3)`` uint8 BGR, from ``CityLayout.printed``.
        colours: log colours of the photo under even light, ``(h, w, 3)`` float32, ``UNIT_PX`` pixels a radius.
        printed: log colours of the print, the same size.
        light: what was taken from the photo's log colours, the same size.
        inside: ``(h, w)`` bool, False where the board lies outside of the photo.
    """

    layout: CityLayout
    photo: Photo
    warp: Warp
    print_: NDArray[np.uint8]
    colours: NDArray[np.float32]
    printed: NDArray[np.float32]
    light: NDArray[np.float32]
    inside: NDArray[np.bool_]

    def to_photo(self, points: Points) -> Points:
        """Photo pixels ``(N, 2)`` of points of the design ``(N, 2)``."""
        return self.warp.apply(points * self.layout.scale + self.layout.shift)

    def shown(self, points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """``(...)``: which points of the design ``(..., 2)`` lie in the photo."""
        height, width = self.photo.bgr.shape[:2]
        there = self.to_photo(points.reshape(-1, 2))
        inside = ((there >= 0) & (there <= np.array([width - 1, height - 1]))).all(axis=1)
        return np.asarray(inside.reshape(points.shape[:-1]))

    @property
    def px_per_radius(self) -> float:
        """Photo pixels per disc radius, at the middle of the board."""
        middle = np.array([[0.5, self.layout.aspect / 2]]) * self.layout.scale + self.layout.shift
        return float(np.sqrt(abs(np.linalg.det(self.warp.axes(middle)[0]))))


def log_colours(bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Log colours: light of any strength is then a sum; blacks are lifted so that noise stays small."""
    return np.asarray(np.log(bgr.astype(np.float32) + 12.0), dtype=np.float32)


def darkening(flat: FlatBoard) -> NDArray[np.float32]:
    """How much darker the photo is than the print where it is most, ``(H / 2, W / 2)`` float32 log units."""
    away = np.asarray((flat.printed - flat.colours).max(axis=2), dtype=np.float32)
    height, width = away.shape
    padded = np.pad(away, ((0, height % 2), (0, width % 2)), mode="edge")
    blocks = padded.reshape(padded.shape[0] // 2, 2, padded.shape[1] // 2, 2)
    return np.asarray(blocks.mean(axis=(1, 3)), dtype=np.float32)


def lay_flat(photo: Photo, placement: Placement, layout: CityLayout) -> FlatBoard:
    """A placed board laid flat."""
    warp = fit_warp(placement)
    width, height = layout.size_px
    xs, ys = _grid(layout, warp, width, height)
    reduced, scale = reduced_photo(photo.bgr, warp, layout, UNIT_PX)
    places = [np.asarray((v + 0.5) * scale - 0.5, dtype=np.float32) for v in (xs, ys)]
    picture = cv2.remap(reduced, places[0], places[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    rows, columns = photo.bgr.shape[:2]
    inside = (xs >= 0) & (ys >= 0) & (xs <= columns - 1) & (ys <= rows - 1)
    seen = log_colours(np.asarray(picture, dtype=np.uint8))
    fits = [_evened(seen, log_colours(resized(look, (width, height))), inside)[2] for look in layout.looks]
    print_ = layout.printed(int(np.argmin(fits)))
    printed = log_colours(resized(print_, (width, height)))
    colours, light, _ = _evened(seen, printed, inside)
    return FlatBoard(layout, photo, warp, print_, colours, printed, light, inside)


def resized(picture: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """A picture made smaller by averaging, or larger."""
    way = cv2.INTER_AREA if size[0] < picture.shape[1] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, size, interpolation=way), dtype=np.uint8)


def fit_warp(placement: Placement) -> Warp:
    """The way from the edition's frame to the photo through all discs, those that were not found counting little."""
    edition = placement.edition
    board = np.array([edition.cells[region] for region in placement.cells], dtype=np.float64)
    centres = np.array([place.centre_photo for place in placement.cells.values()], dtype=np.float64)
    spread = np.array([SEEN if place.seen else UNSEEN for place in placement.cells.values()], dtype=np.float64)
    flat = placement.board_to_photo
    axes = flat.jacobians(board) * edition.radius
    residuals = np.asarray(np.linalg.solve(axes, (centres - flat.apply(board))[..., None])[..., 0], dtype=np.float64)
    return bend(flat, board, residuals, spread, edition.radius)[0]


def reduced_photo(
    bgr: NDArray[np.uint8], warp: Warp, layout: CityLayout, unit_px: float
) -> tuple[NDArray[np.uint8], float]:
    """The photo averaged down to about ``unit_px`` pixels a radius, never enlarged; and its scale."""
    middle = np.array([[0.5, layout.aspect / 2]]) * layout.scale + layout.shift
    detail = float(np.sqrt(abs(np.linalg.det(warp.axes(middle)[0]))))
    scale = min(1.0, 1.15 * unit_px / max(detail, 1e-6))
    if scale > 0.9:
        return bgr, 1.0
    return np.asarray(cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8), scale


def _grid(layout: CityLayout, warp: Warp, width: int, height: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Photo x and y of every pixel of the flat board, ``(h, w)`` float32 each."""
    columns, rows = -(-width // STEP) + 2, -(-height // STEP) + 2
    xs, ys = (STEP * (np.arange(n) - 0.5) - 0.5 for n in (columns, rows))
    grid = (np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2) + 0.5) / width
    coarse = warp.apply(grid * layout.scale + layout.shift).reshape(rows, columns, 2).astype(np.float32)
    fine = cv2.resize(coarse, (columns * STEP, rows * STEP), interpolation=cv2.INTER_LINEAR)
    fine = fine[STEP : STEP + height, STEP : STEP + width]
    return np.ascontiguousarray(fine[..., 0]), np.ascontiguousarray(fine[..., 1])


def _evened(
    seen: NDArray[np.float32], printed: NDArray[np.float32], inside: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.float32], float]:
    """Colours under even light, the light, and how far photo and print stay apart (median)."""
    size = (seen.shape[1], seen.shape[0])
    coarse = (-(-size[0] // COARSE), -(-size[1] // COARSE))
    away = np.where(inside[..., None], seen - printed, 0).astype(np.float32)
    small = np.asarray(cv2.resize(away, coarse, interpolation=cv2.INTER_AREA), dtype=np.float32)
    known = np.asarray(cv2.resize(inside.astype(np.float32), coarse, interpolation=cv2.INTER_AREA), dtype=np.float32)
    weight, light = known, np.zeros_like(small)
    for _ in range(2):  # the second time without what is far from the print: ink, glare
        sigma = LIGHT_RADII * UNIT_PX / COARSE
        total = np.asarray(cv2.GaussianBlur(small * weight[..., None], (0, 0), sigma))
        share = np.maximum(np.asarray(cv2.GaussianBlur(weight, (0, 0), sigma)), 1e-3)
        light = np.asarray(total / share[..., None], dtype=np.float32)
        off = np.abs(small - light).max(axis=2)
        weight = np.where(off < 0.3, known, 0.02 * known).astype(np.float32)
    left = small - light
    chroma = np.abs(left - left.mean(axis=2, keepdims=True)).mean(axis=2)
    fit = float(np.average(chroma + 0.3 * np.abs(left).mean(axis=2), weights=known + 1e-6))
    grown = np.asarray(cv2.resize(light, size, interpolation=cv2.INTER_LINEAR), dtype=np.float32)
    return np.asarray(seen - grown, dtype=np.float32), grown, fit
