"""A small camera for training patches: resolution, tilt, light, glare, blur, noise, JPEG; and a badly aimed crop."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.train.style import Image
from ontour_cv.vision.register import CellPlace


def snap(flat: Image, frame: NDArray[np.float64], rng: np.random.Generator) -> tuple[Image, CellPlace]:
    """A photograph of a flat patch and where a slightly wrong registration believes the cell to be.

    Args:
        flat: ``(H, W, 3)`` BGR.
        frame: ``(2, 3)`` map from disc radii round the cell to pixels of ``flat``.
        rng: chance.
    """
    px = float(np.exp(rng.triangular(np.log(9.5), np.log(25.0), np.log(38.0))))
    turn, roll = rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi)
    tilt = float(rng.choice([rng.uniform(0.9, 1.0), rng.uniform(0.6, 1.0)]))
    axes = px * _rotation(roll) @ np.diag([1.0, tilt]) @ _rotation(turn)
    side = int(2 * 1.9 * px) + 2
    centre = np.array([side / 2 - 0.5, side / 2 - 0.5]) + rng.uniform(-0.5, 0.5, 2)
    to_photo = np.column_stack([axes, centre]) @ np.vstack([_inverse(frame), [0, 0, 1]])
    scale = float(np.sqrt(abs(np.linalg.det(to_photo[:, :2]))))
    if scale < 0.8:
        flat = np.asarray(cv2.GaussianBlur(flat, (0, 0), 0.45 / scale), dtype=np.uint8)
    picture = cv2.warpAffine(flat, to_photo, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    picture = develop(picture.astype(np.float32), px, rng)
    return picture, aimed(centre, axes, rng)


def develop(picture: NDArray[np.float32], px: float, rng: np.random.Generator) -> Image:
    """Light, gloss, focus, sensor and file format, in that order; ``px`` is a disc's radius in pixels."""
    picture = _light(picture, rng)
    if rng.random() < 0.17:
        picture = _glare(picture, px, rng)
    picture = _focus(picture, px, rng)
    if rng.random() < 0.7:
        picture = picture + rng.normal(0, rng.uniform(0.5, 9.0), picture.shape).astype(np.float32)
    if rng.random() < 0.35:
        soft = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.7, 1.6))
        picture = picture + rng.uniform(0.3, 1.3) * (picture - soft)
    out = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.75:
        quality = int(rng.uniform(25, 95))
        out = np.asarray(cv2.imdecode(cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1), np.uint8)
    if rng.random() < 0.05:
        out = np.asarray(cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    return out


def _rotation(angle: float) -> NDArray[np.float64]:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _inverse(affine: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(cv2.invertAffineTransform(affine), dtype=np.float64)


def aimed(centre: NDArray[np.float64], axes: NDArray[np.float64], rng: np.random.Generator) -> CellPlace:
    """Where a registration that errs a little believes a cell to be: off in place, size and turn, sometimes badly."""
    loose = 3.0 if rng.random() < 0.12 else 1.0
    size = float(np.exp(rng.normal(0, 0.045 * loose)))
    wrong = _rotation(float(rng.normal(0, np.radians(3.5 * loose)))) * size + rng.normal(0, 0.02 * loose, (2, 2))
    miss = axes @ rng.normal(0, 0.055 * loose, 2)
    return CellPlace(tuple(centre + miss), axes @ wrong, True, True)


def _light(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    side = picture.shape[0]
    warm = rng.choice([0.0, rng.uniform(0, 0.35)], p=[0.4, 0.6]) * rng.choice([1, -0.4])
    cast = np.array([1 - warm, 1 - 0.35 * warm, 1.0], dtype=np.float32) * np.exp(rng.normal(0, 0.05, 3)).astype(
        np.float32
    )
    gain = float(np.exp(np.clip(rng.normal(-0.1, 0.27), -0.9, 0.5)))
    y, x = np.mgrid[0:side, 0:side].astype(np.float32) / side - 0.5
    angle = rng.uniform(0, 2 * np.pi)
    across = x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle))
    shade = 1 + np.float32(rng.normal(0, 0.18)) * across
    if rng.random() < 0.15:  # the edge of a hand's or phone's shadow
        soft = rng.uniform(0.01, 0.2)
        shade = shade * (
            1 - rng.uniform(0.2, 0.65) / (1 + np.exp(np.clip(-(across - rng.uniform(-0.4, 0.4)) / soft, -30, 30)))
        )
    out = picture * (cast * np.float32(gain)) * shade[..., None].astype(np.float32)
    if rng.random() < 0.5:
        out = 255 * (np.clip(out, 0, 255) / 255) ** np.float32(np.exp(rng.normal(0, 0.22)))
    lift = rng.uniform(0, 45) if rng.random() < 0.3 else 0.0  # veiling glare lifts the blacks
    return np.asarray(out * (1 - lift / 255) + lift, dtype=np.float32)


def _glare(picture: NDArray[np.float32], px: float, rng: np.random.Generator) -> NDArray[np.float32]:
    side = picture.shape[0]
    mask = np.zeros((side, side), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        at = tuple(int(v) for v in rng.uniform(0, side, 2))
        axes = tuple(max(1, int(v)) for v in px * rng.uniform(0.15, 1.3, 2))
        if rng.random() < 0.6:
            cv2.ellipse(mask, at, axes, rng.uniform(0, 180), 0, 360, 1.0, -1, cv2.LINE_AA)
        else:
            box = cv2.boxPoints((at, (axes[0] * 2.0, axes[1] * 1.2), rng.uniform(0, 180)))
            cv2.fillPoly(mask, [box.astype(np.int32)], 1.0, cv2.LINE_AA)
    mask = cv2.GaussianBlur(mask, (0, 0), max(0.6, px * rng.uniform(0.05, 0.5))) * np.float32(rng.uniform(0.3, 1.15))
    white = np.array([rng.uniform(225, 256), rng.uniform(235, 256), rng.uniform(240, 256)], dtype=np.float32)
    alpha = np.clip(mask, 0, 1)[..., None]
    return np.asarray(picture * (1 - alpha) + white * alpha, dtype=np.float32)


def _focus(picture: NDArray[np.float32], px: float, rng: np.random.Generator) -> NDArray[np.float32]:
    chance = rng.random()
    if chance < 0.6:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 0.9)), dtype=np.float32)
    if chance < 0.82:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.3 + px * rng.uniform(0.01, 0.085)), dtype=np.float32)
    if chance < 0.92:
        length = max(2, int(px * rng.uniform(0.06, 0.27)))
        kernel = np.zeros((length, length), np.float32)
        kernel[length // 2] = 1.0
        spin = cv2.getRotationMatrix2D(((length - 1) / 2, (length - 1) / 2), rng.uniform(0, 180), 1.0)
        streak = np.asarray(cv2.warpAffine(kernel, spin, (length, length)), dtype=np.float32)
        return np.asarray(cv2.filter2D(picture, -1, streak / max(float(streak.sum()), 1e-6)), dtype=np.float32)
    return picture
