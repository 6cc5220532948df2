"""Small printed boxes that are ticked by hand, cut out of photo and print, and judged by a network (``train.city``)."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.city_flat import UNIT_PX, Box, FlatBoard, log_colours, reduced_photo

BOX_PX = 24
"""Side of a cut-out box in pixels."""

MARGIN = 1.9
"""Side of what is cut out, in sides of the box: marks leave their boxes."""

WIDE = 5.0
"""The same of what is seen beside it at less detail: a long stroke ends there, a line that passes goes on."""

PLANES = 12
"""What the network sees of a box: photo, print, how the others of its group differ, what is round it (by colour)."""

BURNT = 0.2
"""A box does not show where what is cut out has less contrast, over that of the print, than this share of the board's
usual. Of 946 discs on 22 rendered photos, some in glare, 332 seemed to have no soloist: six had a box with less than
0.06, and all four numbers among these had a soloist; beside the others no box had less than 0.33."""

BLACK = 4.8
"""Log colour in the middle of the network's range."""


def cut_boxes(
    flat: FlatBoard, boxes: Sequence[Box], shift: tuple[float, float] = (0.0, 0.0), size: int = BOX_PX,
    margin: float = MARGIN,
) -> NDArray[np.float32]:  # fmt: skip
    """Boxes as the photo and the print show them, ``(N, 6, size, size)`` float32 log colours under even light.

    Args:
        flat: the board.
        boxes: in the design's frame.
        shift: how far off they lie in the photo, board widths.
        size: side of what is cut out, pixels.
        margin: the same in sides of the box.
    """
    sides = np.array([right - left for left, _, right, _ in boxes])
    centres = np.array([((left + right) / 2, (top + bottom) / 2) for left, top, right, bottom in boxes])
    steps = ((np.arange(size) + 0.5) / size - 0.5) * margin
    offsets = np.stack(np.meshgrid(steps, steps), axis=-1)
    points = centres[:, None, None] + offsets[None] * sides[:, None, None, None]
    unit = size / (margin * float(np.median(sides)) / flat.layout.radius)
    picture, scale = reduced_photo(flat.photo.bgr, flat.warp, flat.layout, unit)
    there = _places(flat, centres + np.array(shift), offsets[None] * sides[:, None, None, None])
    seen = log_colours(_sample(picture, (there + 0.5) * scale - 0.5, size))
    width = flat.print_.shape[1]
    small = min(1.0, 1.15 * unit / (width * flat.layout.radius))
    print_ = cv2.resize(flat.print_, None, fx=small, fy=small, interpolation=cv2.INTER_AREA)
    factor = print_.shape[1]
    printed = log_colours(_sample(np.asarray(print_, dtype=np.uint8), points.reshape(-1, 2) * factor - 0.5, size))
    light = _light_at(flat, centres)
    both = np.concatenate([seen - light[:, None, None], printed], axis=3) - np.float32(BLACK)
    return np.ascontiguousarray(both.transpose(0, 3, 1, 2), dtype=np.float32)


def box_planes(
    flat: FlatBoard, boxes: Sequence[Box], groups: Sequence[int], shift: tuple[float, float] = (0.0, 0.0)
) -> NDArray[np.float32]:
    """The network's input for boxes of a board, ``(N, 12, BOX_PX, BOX_PX)``: :func:`box_input`, and what is round them.

    Args:
        flat: the board.
        boxes: in the design's frame.
        groups: as in :func:`box_input`.
        shift: how far off they lie in the photo, board widths.
    """
    wide = cut_boxes(flat, boxes, shift, margin=WIDE)
    return np.concatenate([box_input(cut_boxes(flat, boxes, shift), groups), wide[:, :3] - wide[:, 3:]], axis=1)


def box_input(cut: NDArray[np.float32], groups: Sequence[int]) -> NDArray[np.float32]:
    """Photo, print, and how the others of its group differ from it, ``(N, 9, BOX_PX, BOX_PX)``.

    Args:
        cut: from :func:`cut_boxes`.
        groups: sizes of the groups the boxes come in, in order: four beside a disc, a row.
    """
    away = cut[:, :3] - cut[:, 3:]
    others = np.empty_like(away)
    start = 0
    for size in groups:
        part = away[start : start + size]
        total = part.sum(axis=0, keepdims=True)
        others[start : start + size] = (total - part) / max(size - 1, 1)
        start += size
    return np.ascontiguousarray(np.concatenate([cut, others], axis=1), dtype=np.float32)


def burnt_out(cut: NDArray[np.float32]) -> NDArray[np.bool_]:
    """``(N,)``: whether light has taken the lines of each box of a board, and any mark in it, from the photo.

    Contrast is that between light and dark parts in the colour where it is most: ink only adds to it, and light that is
    reflected takes it from print and ink alike.

    Args:
        cut: from :func:`cut_boxes`; planes behind its six are not looked at.
    """
    low, high = np.percentile(cut[:, :6].reshape(len(cut), 2, 3, -1), (10, 90), axis=3)
    seen, printed = (high - low).max(axis=2).T
    share = seen / np.maximum(printed, 1e-3)
    return np.asarray(share < BURNT * np.median(share), dtype=np.bool_)


def boxes_inside(flat: FlatBoard, boxes: Sequence[Box]) -> NDArray[np.bool_]:
    """``(N,)``: whether each box lies in the photo."""
    corners = np.array(
        [[(left, top), (right, top), (right, bottom), (left, bottom)] for left, top, right, bottom in boxes]
    )
    return np.asarray(flat.shown(corners).all(axis=1))


def find_rows(flat: FlatBoard, boxes: Sequence[Box], reach: float = 1.0) -> tuple[tuple[float, float], float]:
    """How far off (board widths) a block of printed boxes lies beside the map, and how sure that is (correlation).

    The discs that hold the board in place lie far from the soloists' rows, so curled paper moves these.
    """
    width = flat.colours.shape[1]
    pad = 1.0 * flat.layout.radius
    low = np.array([min(b[0] for b in boxes) - pad, min(b[1] for b in boxes) - pad])
    high = np.array([max(b[2] for b in boxes) + pad, max(b[3] for b in boxes) + pad])
    size = flat.colours.shape[1::-1]
    x0, y0 = (int(max(0, np.floor(v * width))) for v in low)
    x1, y1 = (int(min(size[k], np.ceil(high[k] * width))) for k in (0, 1))
    far = round(reach * UNIT_PX)
    wanted = flat.printed[y0:y1, x0:x1].mean(axis=2)
    around = cv2.copyMakeBorder(flat.colours.mean(axis=2), far, far, far, far, cv2.BORDER_REPLICATE)
    window = np.asarray(around)[y0 : y1 + 2 * far, x0 : x1 + 2 * far]
    match = np.asarray(cv2.matchTemplate(window, wanted, cv2.TM_CCOEFF_NORMED))
    y, x = np.unravel_index(int(np.argmax(match)), match.shape)
    return ((int(x) - far) / width, (int(y) - far) / width), float(match[y, x])


def _places(flat: FlatBoard, centres: NDArray[np.float64], offsets: NDArray[np.float64]) -> NDArray[np.float64]:
    """Photo pixels of points beside the centres; so near by, the way to the photo is affine."""
    layout = flat.layout
    axes = flat.warp.axes(centres * layout.scale + layout.shift) / layout.radius
    near = np.einsum("nij,nabj->nabi", axes, offsets)
    return np.asarray(flat.to_photo(centres)[:, None, None] + near, dtype=np.float64)


def _sample(picture: NDArray[np.uint8], places: NDArray[np.float64], size: int) -> NDArray[np.uint8]:
    spots = places.astype(np.float32).reshape(-1, size, 2)
    xs, ys = (np.ascontiguousarray(spots[..., k]) for k in (0, 1))
    cut = cv2.remap(picture, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, dtype=np.uint8).reshape(-1, size, size, 3)


def _light_at(flat: FlatBoard, centres: NDArray[np.float64]) -> NDArray[np.float32]:
    """The light at points of the design, ``(N, 3)``."""
    height, width = flat.light.shape[:2]
    at = np.floor(centres * width).astype(int)
    rows, columns = np.clip(at[:, 1], 0, height - 1), np.clip(at[:, 0], 0, width - 1)
    return np.asarray(flat.light[rows, columns], dtype=np.float32)
