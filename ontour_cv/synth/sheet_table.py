"""The sheet on the table, with the pad below it, other players' sheets beside it, and dice and pencils about."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.sheet import ASPECT
from ontour_cv.synth.clutter import draw_thing
from ontour_cv.synth.noise import Image, mix
from ontour_cv.synth.sheet_camera import SheetCamera
from ontour_cv.synth.sheet_print import FlatSheet

Affine = NDArray[np.float64]


def lay(
    picture: Image, flat: FlatSheet, camera: SheetCamera, px_per_sheet: float, rng: np.random.Generator,
    place: Affine | None = None,
) -> NDArray[np.uint8]:  # fmt: skip
    """Warp a sheet onto the table, with a thin shadow; returns its coverage ``(H, W)`` uint8.

    Args:
        picture: the table, changed in place.
        flat: the sheet.
        camera: of the main sheet.
        px_per_sheet: photo pixels per sheet width.
        rng: chance of the shadow.
        place: ``(2, 3)`` from the main sheet's frame to this one's; None when it is the main one.
    """
    bgr, scale = flat.bgr, flat.scale
    shrink = px_per_sheet * 1.15 / scale
    if shrink < 0.8:  # area averaging first: sampling alone would alias thin strokes
        size = (round(bgr.shape[1] * shrink), round(bgr.shape[0] * shrink))
        bgr = np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        scale *= size[0] / flat.bgr.shape[1]
    if place is None:
        xs, ys = camera.maps_to(scale, flat.shift)
    else:
        us, vs = (m + np.float32(0.5) for m in camera.maps_to(1.0, (0.0, 0.0)))
        (a, b, c), (d, e, f) = place.astype(np.float32)
        xs = (a * us + b * vs + c - np.float32(flat.shift[0])) * np.float32(scale) - np.float32(0.5)
        ys = (d * us + e * vs + f - np.float32(flat.shift[1])) * np.float32(scale) - np.float32(0.5)
    solid = np.full(bgr.shape[:2], 255, np.uint8)
    mask = np.asarray(cv2.remap(solid, xs, ys, cv2.INTER_LINEAR), dtype=np.uint8)
    if mask.max() == 0:
        return mask
    warped = np.asarray(cv2.remap(bgr, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)
    _shadow(picture, mask, px_per_sheet, rng)
    share = mask[..., None].astype(np.float32) / np.float32(255)
    picture[:] = np.round(picture * (1 - share) + warped * share).astype(np.uint8)
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


def lay_others(
    picture: Image, camera: SheetCamera, template: MapTemplate, flat: FlatSheet, rng: np.random.Generator, hard: bool
) -> None:
    """The rest of the pad a little askew below, and a neighbour's sheet half in the picture; the same print."""
    middle = np.array([0.5, ASPECT / 2])
    px = float(np.linalg.norm(np.diff(camera.board_to_photo(np.array([[0.0, 0.3], [1.0, 0.3]])), axis=0)))
    if rng.random() < (0.4 if hard else 0.25):
        places = [_placed(rng.normal(0, 3), rng.normal(0, 0.015, 2), middle) for _ in range(int(rng.integers(1, 4)))]
        for place in places:
            lay(picture, flat, camera, px, rng, place)
    if rng.random() < (0.35 if hard else 0.15):
        angle = float(rng.uniform(0, 2 * np.pi))
        away = np.array([np.cos(angle) * rng.uniform(1.08, 1.3), np.sin(angle) * rng.uniform(0.85, 1.05)])
        away *= max(1.0, 1.06 / max(abs(away[0]), abs(away[1]) / ASPECT))
        lay(picture, flat, camera, px, rng, _placed(float(rng.choice([rng.normal(0, 8), 180 + rng.normal(0, 8)])), away, middle))


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
