"""Digits known only as small grey pictures (the MNIST format), written on cells beside those known as strokes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.synth.strokes import Writer

Cover = NDArray[np.float32]
"""How much ink covers each pixel, 0-1."""


@dataclass(frozen=True, slots=True, eq=False)
class DigitPictures:
    """One writer's digits as pictures: digit -> ``(N, 28, 28)`` uint8, ink 255."""

    digits: dict[int, NDArray[np.uint8]]


def load_pictures(path: Path, split: str = "train") -> list[DigitPictures]:
    """Writers of one split of an ``mnist.npz`` (``images``, ``labels``, ``writer``) with all ten digits.

    The split is by ``writer % 10`` as for recorded strokes: 8 is ``"valid"``, 9 is ``"test"``.
    """
    with np.load(path) as store:
        images, labels, writers = store["images"], store["labels"], store["writer"]
    wanted = {"train": range(8), "valid": (8,), "test": (9,)}[split]
    out = []
    for writer in np.unique(writers):
        if writer % 10 not in wanted:
            continue
        own = {d: images[(writers == writer) & (labels == d)] for d in range(10)}
        if all(len(v) for v in own.values()):
            out.append(DigitPictures(own))
    return out


def number_cover(
    number: int,
    pictures: DigitPictures,
    writer: Writer,
    frame: NDArray[np.float64],
    side: int,
    rng: np.random.Generator,
) -> Cover:
    """The number written with a writer's pictures, ``(side, side)``; size, slant and spacing are ``writer``'s.

    Args:
        number: 0-99.
        pictures: whose digits.
        writer: habits (the hand is not used).
        frame: ``(2, 3)`` map from disc radii round the cell to pixels.
        side: side of the canvas, pixels.
        rng: chance.
    """
    text = f"{number:02d}" if number >= 10 or writer.leading_zero else str(number)
    cover = np.zeros((side, side), np.float32)
    height = writer.height * float(np.exp(rng.normal(0, 0.08)))
    boxes = [_trimmed(pictures.digits[int(d)], rng) for d in text]
    widths = [max(b.shape[1] / b.shape[0], 0.18) * height * writer.aspect for b in boxes]
    gap = max(0.0, writer.gap * 0.7 + float(rng.normal(0, 0.05)))
    total = sum(widths) + gap * (len(text) - 1)
    fit = min(1.0, float(rng.uniform(1.5, 1.95)) / total)
    left = -total * fit / 2 + float(rng.normal(0, 0.07))
    for box, width in zip(boxes, widths, strict=True):
        high = height * max(fit, 0.8) * float(np.exp(rng.normal(0, 0.05)))
        cover = np.maximum(cover, _placed(box, left, width * fit, high, frame, side, writer.slant, rng))
        left += (width + gap) * fit
    return cover


def _trimmed(pictures: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.float32]:
    """One of the pictures, cut to its ink with a pixel of margin."""
    picture = pictures[int(rng.integers(len(pictures)))]
    rows, columns = np.flatnonzero(picture.max(axis=1) > 60), np.flatnonzero(picture.max(axis=0) > 60)
    box = picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return np.asarray(np.pad(box, 1) / 255, dtype=np.float32)


def _placed(
    box: NDArray[np.float32], left: float, width: float, height: float, frame: NDArray[np.float64], side: int,
    slant: float, rng: np.random.Generator,
) -> Cover:  # fmt: skip
    rows, columns = box.shape
    shear = slant + float(rng.normal(0, 0.05))
    drop = float(rng.normal(0, 0.05)) * height
    scale_x, scale_y = width / max(columns - 2, 1), height / max(rows - 2, 1)
    to_cell = np.array(
        [
            [scale_x, shear * scale_y, left - scale_x - shear * scale_y * rows / 2],
            [0.0, scale_y, drop - scale_y * (rows - 1) / 2],
        ]
    )
    matrix = frame @ np.vstack([to_cell, [0, 0, 1]])
    big = np.asarray(cv2.warpAffine(box, matrix, (side, side), flags=cv2.INTER_CUBIC), dtype=np.float32)
    edge = float(rng.uniform(0.32, 0.55))  # where the grey edge is cut decides the pen's width
    return np.asarray(np.clip((big - edge) * 5 + 0.5, 0, 1), dtype=np.float32)
