"""From light to file: blur, noise, tone, sharpening and JPEG, as a phone does it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.synth.light import Light
from ontour_cv.synth.noise import Field, Image, grain, grow, smooth_field
from ontour_cv.synth.shot import Shot


def blur(picture: Image, shot: Shot, radius_px: float) -> Image:
    """Out of focus and shaken, uint8; ``radius_px`` is a disc's radius."""
    sigma = shot.blur_radii * radius_px
    if sigma > 0.3:
        soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), dtype=np.uint8)
        if shot.focus_slope > 0.2:
            share = grow(_focus(shot, 24), picture.shape[1::-1])
            soft = np.asarray(cv2.blendLinear(soft, picture, share, 1 - share), dtype=np.uint8)
        picture = soft
    length = shot.motion_radii * radius_px
    if length > 1.0:
        half = int(np.ceil(length / 2)) + 1
        kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
        reach = np.array([np.cos(np.radians(shot.motion_deg)), np.sin(np.radians(shot.motion_deg))]) * length / 2
        ends = [tuple(int(v) for v in np.round((half + side * reach) * 16)) for side in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
        picture = np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), dtype=np.uint8)
    return picture


def blur_px(shot: Shot, radius_px: float, place: tuple[float, float]) -> float:
    """Standard deviation of both blurs together at a place of the photo, in pixels.

    Args:
        shot: the shot.
        radius_px: the median radius of the discs.
        place: photo pixel.
    """
    share = 1.0
    if shot.focus_slope > 0.2:
        grid = _focus(shot, 24)
        x, y = (min(23, max(0, int(24 * v / s))) for v, s in zip(place, shot.pose.size, strict=True))
        share = float(grid[y, x])
    return float(np.hypot(shot.blur_radii * np.sqrt(share), shot.motion_radii / np.sqrt(12)) * radius_px)


def _focus(shot: Shot, cells: int) -> Field:
    """Share of defocus over the frame, ``(cells, cells)`` float32 0-1: less on the near side of a tilted board."""
    lean = np.radians(shot.pose.azimuth_deg + 90)
    u, v = np.meshgrid(np.linspace(-1, 1, cells), np.linspace(-1, 1, cells))
    away = u * np.cos(lean) + v * np.sin(lean)
    return np.asarray(np.clip(1 - shot.focus_slope * (0.5 - 0.7 * away), 0.05, 1), dtype=np.float32)


def expose(picture: Image, light: Light, board: NDArray[np.uint8], shot: Shot, rng: np.random.Generator) -> Image:
    """Light, reflections and sensor noise on a picture; ``board`` ``(H, W)`` is 255 where the glossy board lies."""
    height, width = picture.shape[:2]
    size = (width, height)
    reduced = cv2.resize(picture, light.gain.shape[1::-1], interpolation=cv2.INTER_AREA)
    small = np.asarray(reduced, np.float32) * light.gain
    gain = light.gain * np.float32(shot.exposure / max(20.0, float(np.percentile(small, 97))))
    if shot.local_contrast > 0.02:  # a phone's HDR: dark neighbourhoods are lifted, bright ones held back
        around = np.asarray(cv2.GaussianBlur(small.mean(axis=2), (0, 0), max(small.shape) / 14)) + 12
        gain *= np.clip((around.mean() / around) ** shot.local_contrast, 0.6, 1.8)[..., None]
    lit = np.empty(picture.shape, np.float32)
    cv2.multiply(picture, grow(gain, size), dst=lit, dtype=cv2.CV_32F)
    if light.glare.max() > 0.01:
        gloss = cv2.multiply(board, grow(light.glare, size), dtype=cv2.CV_32F)
        lit += np.asarray(gloss)[..., None]
    noise = _noise((height, width), shot, rng)
    noise *= 0.5 + 0.5 * np.sqrt(np.maximum(lit[..., 1], 0) / 255)
    lit += noise[..., None]
    chroma = grow(rng.normal(0, 0.35 * shot.noise, (height // 6 + 1, width // 6 + 1, 3)).astype(np.float32), size)
    lit += chroma
    return np.asarray(cv2.convertScaleAbs(np.maximum(lit, 0, out=lit)), dtype=np.uint8)


def finish(picture: Image, shot: Shot) -> Image:
    """Saturation, tone curve and sharpening, uint8."""
    if abs(shot.saturation - 1) > 0.03:
        grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        picture = np.asarray(cv2.addWeighted(picture, shot.saturation, grey, 1 - shot.saturation, 0), dtype=np.uint8)
    t = np.arange(256) / 255.0
    curve = np.clip(0.5 + (t - 0.5) * shot.contrast, 0, 1)
    curve = curve + 0.1 * (shot.contrast - 1) * np.sin(2 * np.pi * (curve - 0.5))
    picture = np.asarray(cv2.LUT(picture, np.clip(np.round(255 * curve), 0, 255).astype(np.uint8)), dtype=np.uint8)
    if shot.sharpening > 0.05:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.3)
        picture = np.asarray(cv2.addWeighted(picture, 1 + shot.sharpening, soft, -shot.sharpening, 0), dtype=np.uint8)
    return picture


def encode(picture: Image, quality: int, subsampled: bool) -> bytes:
    """The picture as JPEG."""
    chroma = cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420 if subsampled else cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444
    settings = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, chroma]
    done, data = cv2.imencode(".jpg", picture, settings)
    if not done:
        raise ValueError("could not encode the picture")
    return bytes(data.tobytes())


def decode(data: bytes) -> Image:
    """A JPEG as ``(H, W, 3)`` uint8 BGR."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(picture, dtype=np.uint8)


def _noise(shape: tuple[int, int], shot: Shot, rng: np.random.Generator) -> Field:
    """Sensor noise, smeared by the phone's own denoising, with uneven strength."""
    base = grain(shape, rng)
    if shot.noise_grain > 0.35:
        base = np.asarray(cv2.GaussianBlur(base, (0, 0), shot.noise_grain))
        base *= 2 * np.sqrt(np.pi) * shot.noise_grain if shot.noise_grain > 0.5 else 1.4
    base *= shot.noise
    uneven = 1 + 0.2 * smooth_field((shape[0] // 32 + 2, shape[1] // 32 + 2), 4, rng)
    base *= grow(np.maximum(uneven, 0.2), (shape[1], shape[0]))
    return base
