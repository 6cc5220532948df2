"""Chance for training patches: what the board under one cell looks like and how it was photographed."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_PLAIN,
)


def hsv(rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float]) -> Colour:
    """A random BGR colour within bounds of saturation and value (0-1)."""
    pixel = np.array([[[rng.uniform(0, 180), 255 * rng.uniform(*saturation), 255 * rng.uniform(*value)]]])
    b, g, r = cv2.cvtColor(np.clip(pixel, 0, [179, 255, 255]).astype(np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return int(b), int(g), int(r)


@dataclass(frozen=True, slots=True, eq=False)
class BoardStyle:
    """One imaginary edition: how its discs, rings, labels and links are printed.

    Attributes:
        disc_bgr, disc_alpha: fill of the disc and how much of the art it hides.
        disc_scale: true disc radius over the radius the reader assumes.
        glow: strength of the disc's soft gradient.
        ring_bgr, ring_width: printed ring, width in disc radii (0: none).
        ring_gap: pale gap between disc and ring, in disc radii.
        label_bgr, label_alpha, label_height, label_font, label_bold: printed abbreviation.
        link_bgr, link_kind: printed links (0 none, 1 dotted, 2 dashed, 3 solid).
    """

    disc_bgr: Colour
    disc_alpha: float
    disc_scale: float
    glow: float
    ring_bgr: Colour
    ring_width: float
    ring_gap: float
    label_bgr: Colour
    label_alpha: float
    label_height: float
    label_font: int
    label_bold: int
    link_bgr: Colour
    link_kind: int
    lineart: bool


def board_style(rng: np.random.Generator) -> BoardStyle:
    """A random edition: mostly pale discs on coloured art, sometimes line art on white, seldom dark discs."""
    lineart = rng.random() < 0.17
    pale = hsv(rng, (0.0, 0.22), (0.78, 1.0))
    if lineart:
        disc, alpha, ring = (255, 255, 255), 1.0, (40, 40, 40) if rng.random() < 0.2 else hsv(rng, (0.4, 1), (0.4, 1.0))
    elif rng.random() < 0.06:
        disc, alpha, ring = hsv(rng, (0.1, 0.5), (0.45, 0.75)), 1.0, hsv(rng, (0, 1), (0.2, 1))
    else:
        disc, alpha, ring = pale, float(rng.choice([1.0, rng.uniform(0.5, 0.95)])), hsv(rng, (0.2, 1.0), (0.25, 1.0))
    label = (255, 255, 255) if rng.random() < 0.55 and not lineart else hsv(rng, (0, 0.8), (0.05, 0.8))
    label = ring if lineart and rng.random() < 0.6 else label
    link = (255, 255, 255) if rng.random() < 0.7 and not lineart else hsv(rng, (0, 0.6), (0.0, 0.7))
    return BoardStyle(
        disc_bgr=disc,
        disc_alpha=alpha,
        disc_scale=float(np.clip(rng.normal(1.0, 0.05), 0.85, 1.16)),
        glow=float(rng.uniform(0, 0.25)) if rng.random() < 0.5 else 0.0,
        ring_bgr=ring,
        ring_width=0.0 if rng.random() < 0.1 else float(rng.uniform(0.04, 0.11 if sum(ring) < 150 else 0.2)),
        ring_gap=float(rng.uniform(0.02, 0.1)) if rng.random() < 0.2 else 0.0,
        label_bgr=label,
        label_alpha=0.0 if rng.random() < 0.06 else float(rng.uniform(0.35, 1.0)),
        label_height=float(rng.uniform(0.38, 0.75)),
        label_font=int(rng.choice(FONTS)),
        label_bold=int(rng.integers(1, 4)),
        link_bgr=link,
        link_kind=int(rng.choice(4, p=[0.12, 0.6, 0.14, 0.14])),
        lineart=lineart,
    )


def art_texture(rng: np.random.Generator, size: int = 384) -> Image:
    """Board art nobody made: gradients, stripes, blobs, strokes, dots, on saturated or quiet colours."""
    base = hsv(rng, (0.2, 1.0), (0.25, 1.0))
    other = hsv(rng, (0.2, 1.0), (0.25, 1.0))
    ramp = np.linspace(0, 1, size, dtype=np.float32)[None, :, None] ** rng.uniform(0.6, 1.6)
    image = np.broadcast_to((1 - ramp) * np.array(base) + ramp * np.array(other), (size, size, 3))
    picture = np.ascontiguousarray(np.rot90(image, int(rng.integers(4)))).astype(np.uint8)
    for _ in range(int(rng.integers(4, 50))):
        _shape(picture, rng, base if rng.random() < 0.5 else other)
    if rng.random() < 0.5:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.5, 2.0)), dtype=np.uint8)
    grain = rng.normal(0, rng.uniform(0, 9), (size, size, 1))
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


def _shape(image: Image, rng: np.random.Generator, near: Colour) -> None:
    size = image.shape[0]
    colour = tuple(int(c) for c in np.clip(np.array(near) + rng.normal(0, 55, 3), 0, 255))
    if rng.random() < 0.25:
        colour = hsv(rng, (0, 1), (0.05, 1))
    kind = rng.integers(5)
    point = tuple(int(v) for v in rng.integers(0, size, 2))
    scale = float(np.exp(rng.uniform(np.log(6), np.log(size / 2))))
    if kind == 0:
        corners = np.array(point) + rng.normal(0, scale, (int(rng.integers(3, 8)), 2))
        cv2.fillPoly(image, [corners.astype(np.int32)], colour, cv2.LINE_AA)
    elif kind == 1:
        axes = (int(scale * rng.uniform(0.3, 1)) + 1, int(scale * rng.uniform(0.3, 1)) + 1)
        thick = -1 if rng.random() < 0.5 else int(rng.integers(1, 6))
        cv2.ellipse(image, point, axes, rng.uniform(0, 180), 0, 360, colour, thick, cv2.LINE_AA)
    elif kind == 2:
        end = tuple(int(v) for v in np.array(point) + rng.normal(0, 2 * scale, 2))
        cv2.line(image, point, end, colour, int(rng.integers(1, 8)), cv2.LINE_AA)
    elif kind == 3:
        step, angle = rng.uniform(5, 24), rng.uniform(0, np.pi)
        along = np.array([np.cos(angle), np.sin(angle)])
        for k in range(-12, 13):
            a = np.array(point) + np.array([-along[1], along[0]]) * step * k
            ends = [tuple(int(v) for v in a + s * along * scale) for s in (-1, 1)]
            cv2.line(image, ends[0], ends[1], colour, int(rng.integers(1, 4)), cv2.LINE_AA)
    else:
        steps = np.cumsum(rng.normal(0, scale / 5, (12, 2)), axis=0) + point
        cv2.polylines(image, [steps.astype(np.int32)], False, colour, int(rng.integers(1, 6)), cv2.LINE_AA)
