"""Tables to lay a board on: wood, cloth, plain tops, paper, with game parts and clutter; or photos from a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from ontour_cv.synth.clutter import strew
from ontour_cv.synth.noise import Image, smooth_field
from ontour_cv.synth.palettes import hsv

LONG_SIDE = 1400
"""Tables are drawn with this longer side and enlarged: they are out of focus anyway."""


def make_background(size: tuple[int, int], rng: np.random.Generator, photos: Sequence[Path] = ()) -> Image:
    """A table without a board, ``(height, width, 3)`` uint8 BGR; half of them from ``photos`` when there are any."""
    width, height = size
    scale = min(1.0, LONG_SIDE / max(size))
    shape = (max(8, round(height * scale)), max(8, round(width * scale)))
    table = None
    if photos and rng.random() < 0.5:
        table = _from_photo(photos[int(rng.integers(len(photos)))], shape, rng)
    if table is None:
        kind = str(rng.choice(list(_TOPS), p=[0.4, 0.2, 0.25, 0.15]))
        table = _TOPS[kind](shape, rng)
        strew(table, rng, int(rng.integers(1, 9)) * int(rng.random() < 0.75))
    return np.asarray(cv2.resize(table, size, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


def _from_photo(path: Path, shape: tuple[int, int], rng: np.random.Generator) -> Image | None:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        return None
    picture = np.rot90(picture, int(rng.integers(4)))
    zoom = max(shape[0] / picture.shape[0], shape[1] / picture.shape[1]) * rng.uniform(1.0, 1.5)
    grown = np.asarray(cv2.resize(picture, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    room = np.array(grown.shape[:2]) - shape
    y, x = (int(rng.integers(0, max(1, r + 1))) for r in room)
    cut = grown[y : y + shape[0], x : x + shape[1]]
    if cut.shape[:2] != shape:
        cut = np.asarray(cv2.resize(cut, shape[::-1]), dtype=np.uint8)
    return np.ascontiguousarray(cut)


def _wood(shape: tuple[int, int], rng: np.random.Generator) -> Image:
    """Planks of stretched noise, their grain bent round a few knots."""
    height, width = shape
    upright = rng.random() < 0.4
    rows, columns = (width, height) if upright else (height, width)
    bend = smooth_field((rows, columns), 3, rng) * rng.uniform(3, 14)
    streaks = rng.standard_normal((rows, 12), dtype=np.float32)
    fine = np.asarray(cv2.resize(streaks, (columns, rows), interpolation=cv2.INTER_CUBIC))
    y = np.arange(rows, dtype=np.float32)[:, None] + bend
    rings = np.sin(y * rng.uniform(0.05, 0.3) + 3 * smooth_field((rows, columns), 2, rng))
    grain = 0.5 * rings + 0.5 * fine + 0.4 * smooth_field((rows, columns), 5, rng, 2)
    plank = int(rng.integers(rows // 9 + 2, rows // 2 + 3))
    tone = rng.normal(0, 1, rows // plank + 2)[np.arange(rows) // plank][:, None].astype(np.float32)
    seams = (np.arange(rows) % plank < rng.integers(1, 4))[:, None]
    base = np.array(hsv(rng.uniform(0.05, 0.11), rng.uniform(0.25, 0.75), rng.uniform(0.2, 0.9)), np.float32)
    level = 1 + rng.uniform(0.04, 0.16) * grain + rng.uniform(0, 0.1) * tone - 0.4 * seams * (rng.random() < 0.6)
    picture = np.clip(base * level[..., None], 0, 255).astype(np.uint8)
    return np.ascontiguousarray(picture.transpose(1, 0, 2) if upright else picture)


def _cloth(shape: tuple[int, int], rng: np.random.Generator) -> Image:
    """A weave or a check, with soft folds."""
    height, width = shape
    xs, ys = np.arange(width, dtype=np.float32)[None, :], np.arange(height, dtype=np.float32)[:, None]
    pitch = rng.uniform(2.2, 5)
    weave = np.sin(xs * 2 * np.pi / pitch) * np.sin(ys * 2 * np.pi / pitch)
    level = 1 + 0.08 * weave + 0.07 * smooth_field(shape, 4, rng, 2)
    base = np.array(hsv(rng.uniform(0, 1), rng.uniform(0, 1) ** 2 * 0.8, rng.uniform(0.15, 0.95)), np.float32)
    picture = base * level[..., None]
    if rng.random() < 0.5:
        check = rng.uniform(25, 120)
        bars = ((xs % check < check / 2).astype(np.float32) + (ys % check < check / 2)) / 2
        other = np.array(hsv(rng.uniform(0, 1), rng.uniform(0, 1) ** 2 * 0.8, rng.uniform(0.2, 1)), np.float32)
        picture = picture * (1 - 0.7 * bars[..., None]) + other * (0.7 * bars * level)[..., None]
    return np.asarray(np.clip(picture, 0, 255), dtype=np.uint8)


def _plain(shape: tuple[int, int], rng: np.random.Generator) -> Image:
    """A desk top: one colour, cloudy, sometimes speckled."""
    base = np.array(hsv(rng.uniform(0, 1), rng.choice([0.03, 0.1, 0.3]), rng.uniform(0.08, 1)), np.float32)
    level = 1 + 0.05 * smooth_field(shape, 4, rng, 3)
    if rng.random() < 0.4:
        level += rng.uniform(0.02, 0.12) * rng.standard_normal(shape, dtype=np.float32)
    return np.clip(base * level[..., None], 0, 255).astype(np.uint8)


def _stone(shape: tuple[int, int], rng: np.random.Generator) -> Image:
    """Veined marble or dark granite."""
    veins = np.abs(smooth_field(shape, 4, rng, 4))
    base = np.array(hsv(rng.uniform(0, 1), 0.08, rng.uniform(0.2, 0.95)), np.float32)
    level = 1 - rng.uniform(0.1, 0.5) * np.exp(-((veins / 0.1) ** 2)) + 0.05 * smooth_field(shape, 60, rng, 2)
    return np.clip(base * level[..., None], 0, 255).astype(np.uint8)


_TOPS = {"wood": _wood, "cloth": _cloth, "plain": _plain, "stone": _stone}
