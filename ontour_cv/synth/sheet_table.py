"""The sheet on the table, with the pad below it, other players' sheets beside it, and dice and pencils about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.press.sheet import ASPECT
from ontour_cv.synth.clutter import draw_thing
from ontour_cv.synth.noise import Image, mix
from ontour_cv.synth.sheet_camera import SheetCamera
from ontour_cv.synth.sheet_print import FlatSheet

Affine = NDArray[np.float64]

MOST_SEEN = 0.6
"""A neighbour's sheet of which more is in the picture would be as good a sheet to read."""


Maps = tuple[NDArray[np.float32], NDArray[np.float32]]


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where another sheet lies: ``matrix`` ``(2, 3)`` leads from the main sheet's frame to its own.

    ``beside``: whether it is a neighbour's, else it lies below.
    """

    matrix: Affine
    beside: bool


def lay(
    picture: Image, flat: FlatSheet, where: Maps, px_per_sheet: float, rng: np.random.Generator,
    matrix: Affine | None = None,
) -> NDArray[np.uint8]:  # fmt: skip
    """Warp a sheet onto the table, with a thin shadow; returns its coverage ``(H, W)`` uint8.

    Args:
        picture: the table, changed in place.
        flat: the sheet.
        where: of each photo pixel the place on the main sheet (``Camera.maps_to(1, (0, 0))``).
        px_per_sheet: photo pixels per sheet width.
        rng: chance of the shadow.
        matrix: see :class:`Place`; None when it is the main sheet.
    """
    bgr, scale = flat.bgr, flat.scale
    shrink = px_per_sheet * 1.15 / scale
    if shrink < 0.8:  # area averaging first: sampling alone would alias thin strokes
        size = (round(bgr.shape[1] * shrink), round(bgr.shape[0] * shrink))
        bgr = np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        scale *= size[0] / flat.bgr.shape[1]
    us, vs = (m + np.float32(0.5) for m in where)
    if matrix is not None:
        (a, b, c), (d, e, f) = matrix.astype(np.float32)
        us, vs = a * us + b * vs + c, d * us + e * vs + f
    xs = (us - np.float32(flat.shift[0])) * np.float32(scale) - np.float32(0.5)
    ys = (vs - np.float32(flat.shift[1])) * np.float32(scale) - np.float32(0.5)
    solid = np.full(bgr.shape[:2], 255, np.uint8)
    mask = np.asarray(cv2.remap(solid, xs, ys, cv2.INTER_LINEAR), dtype=np.uint8)
    if mask.max() == 0:
        return mask
    warped = np.asarray(cv2.remap(bgr, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)
    _shadow(picture, mask, px_per_sheet, rng)
    np.copyto(picture, warped, where=(mask > 250)[..., None])
    rim = np.flatnonzero((mask > 0) & (mask <= 250))
    share = mask.reshape(-1, 1)[rim] / np.float32(255)
    pixels = picture.reshape(-1, 3)
    pixels[rim] = (pixels[rim] * (1 - share) + warped.reshape(-1, 3)[rim] * share).astype(np.uint8)
    return mask


def _shadow(picture: Image, mask: NDArray[np.uint8], px_per_sheet: float, rng: np.random.Generator) -> None:
    """The soft shadow of the paper's edge."""
    step = 4
    small = np.asarray(cv2.resize(mask, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA), np.float32) / 255
    reach = px_per_sheet * float(np.exp(rng.uniform(np.log(0.001), np.log(0.012)))) / step
    move = np.array([[1, 0, rng.normal(0, 1) * reach], [0, 1, rng.normal(0, 1) * reach]])
    soft = np.asarray(cv2.GaussianBlur(cv2.warpAffine(small, move, small.shape[::-1]), (0, 0), reach + 0.4))
    alpha = np.asarray(cv2.resize(soft * float(rng.uniform(0.15, 0.6)), picture.shape[1::-1]), np.float32)
    mix(picture, (0, 0, 0), alpha)


def others(
    camera: SheetCamera, blank: FlatSheet, rng: np.random.Generator, hard: bool
) -> Iterator[tuple[FlatSheet, Place]]:
    """The rest of the pad a little askew below, and a neighbour's sheet partly in the picture; the same blank print."""
    middle = np.array([0.5, ASPECT / 2])
    if rng.random() < (0.4 if hard else 0.25):
        for _ in range(int(rng.integers(1, 4))):
            yield blank, Place(_placed(float(rng.normal(0, 3)), rng.normal(0, 0.015, 2), middle), False)
    if rng.random() < (0.45 if hard else 0.2):
        away = _beside(rng)
        degrees = float(rng.choice([0, 180])) + float(rng.normal(0, 8))
        matrix = _placed(degrees, away, middle)
        if _share_seen(camera, matrix) < MOST_SEEN:
            yield replace(blank, bgr=blank.bgr.copy()), Place(matrix, True)


def _beside(rng: np.random.Generator) -> NDArray[np.float64]:
    """How far off a neighbour's sheet lies, so that the two hardly touch."""
    angle = float(rng.uniform(0, 2 * np.pi))
    way = np.array([np.cos(angle), np.sin(angle)])
    reach = 1 / max(abs(way[0]), abs(way[1]) / ASPECT)
    return np.asarray(way * reach * rng.uniform(1.03, 1.3))


def _share_seen(camera: SheetCamera, matrix: Affine) -> float:
    """How much of another sheet the picture shows."""
    grid = np.stack(np.meshgrid(np.linspace(0, 1, 9), np.linspace(0, ASPECT, 7)), axis=-1).reshape(-1, 2)
    spots = camera.board_to_photo((grid - matrix[:, 2]) @ np.linalg.inv(matrix[:, :2]).T)
    return float(np.mean(np.all((spots >= 0) & (spots < np.array(camera.size)), axis=1)))


def _placed(degrees: float, away: NDArray[np.float64], middle: NDArray[np.float64]) -> Affine:
    """From the main sheet's frame to that of a sheet turned about its middle and moved ``away``."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    back = np.array([[cos, sin], [-sin, cos]])
    return np.column_stack([back, middle - back @ (middle + away)])


def lay_things(
    picture: Image, camera: SheetCamera, points: Points, unit_px: float, rng: np.random.Generator, hard: bool
) -> None:
    """Dice, pencils and fingers where they hide nothing that is played on."""
    spots = camera.board_to_photo(points)
    for _ in range(int(rng.choice([0, 1, 2, 4], p=[0.4, 0.3, 0.2, 0.1] if hard else [0.6, 0.25, 0.1, 0.05]))):
        kind = str(rng.choice(["die", "pen", "finger", "tokens"], p=[0.5, 0.3, 0.1, 0.1]))
        size = unit_px * float(rng.uniform(4, 7) if kind in ("die", "tokens") else rng.uniform(8, 20))
        for _ in range(12):
            at = camera.board_to_photo(rng.uniform([[-0.2, -0.15]], [[1.2, ASPECT + 0.15]]))[0]
            if np.linalg.norm(spots - at, axis=1).min() > 0.64 * size + unit_px:
                draw_thing(picture, kind, at, size, rng)
                break
