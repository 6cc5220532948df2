"""Small labels that say beside each disc what was read in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from ontour_cv.board import Kind, Mark
from ontour_cv.render import palette
from ontour_cv.render.paint import Colour

FINE = 3
"""Labels are drawn this many times larger and then reduced: Pillow's shapes have hard edges."""


@dataclass(frozen=True, slots=True)
class Look:
    """Colours of a label; ``edge`` is its border."""

    ground: Colour
    ink: Colour
    edge: Colour
    opacity: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """A label ready to be laid down.

    Attributes:
        rgba: ``(h, w, 4)`` uint8, red-green-blue-alpha, turned with the board.
        width_px: width of the upright label.
        height_px: height of the upright label.
    """

    rgba: NDArray[np.uint8]
    width_px: float
    height_px: float


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """Pillow's own scalable font, so that every machine draws the same."""
    found = ImageFont.load_default(size)
    if not isinstance(found, ImageFont.FreeTypeFont):
        raise RuntimeError("Pillow was built without FreeType")
    return found


def mark_label(mark: Mark, doubtful: bool, look: Look, height_px: float, angle_deg: float, beside: str = "") -> Label:
    """The label of a cell: number, star or cross, what stands beside, a ring when circled, a question mark in doubt."""
    parts: list[_Part] = [_sign(mark)]
    if beside:
        parts.append(_text(beside))
    if mark.circled:
        parts.append(_ring)
    if doubtful and mark.kind is not Kind.UNREAD:
        parts.append(_text("?"))
    return _label(parts, look, height_px, angle_deg)


def text_label(text: str, look: Look, height_px: float, angle_deg: float) -> Label:
    """A label with a word on it."""
    return _label([_text(text)], look, height_px, angle_deg)


_Part = Callable[[ImageDraw.ImageDraw | None, float, float, float, Colour], float]
"""Draws itself from ``x`` on, about the line ``y``, for a size, in a colour (without a canvas it only measures), and
returns how wide it is."""


def _label(parts: list[_Part], look: Look, height_px: float, angle_deg: float) -> Label:
    height = max(8, round(height_px * FINE))
    size, gap, side = 0.74 * height, 0.14 * height, 0.3 * height
    width = round(2 * side + sum(part(None, 0, 0, size, look.ink) for part in parts) + gap * (len(parts) - 1))
    shade = round(0.16 * height)
    image = Image.new("RGBA", (width + 2 * shade, height + 2 * shade), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    for step in range(shade, 0, -max(1, shade // 6)):
        box = (shade - step, shade - step, shade + width + step - 1, shade + height + step - 1)
        draw.rounded_rectangle(box, 0.42 * height + step, fill=(0, 0, 0, round(110 * (1 - step / (shade + 1)) ** 2)))
    box = (shade, shade, shade + width - 1, shade + height - 1)
    alpha = round(255 * look.opacity)
    border = round(0.07 * height)
    draw.rounded_rectangle(box, 0.42 * height, fill=(*look.ground, alpha), outline=look.edge, width=border)
    x = float(shade + side)
    for part in parts:
        x += part(draw, x, shade + height / 2, size, look.ink) + gap
    turned = image.rotate(-angle_deg, Image.Resampling.BICUBIC, expand=True) if abs(angle_deg) > 0.5 else image
    small = turned.resize((max(1, turned.width // FINE), max(1, turned.height // FINE)), Image.Resampling.BOX)
    return Label(np.asarray(small, dtype=np.uint8), width / FINE, height / FINE)


def _sign(mark: Mark) -> _Part:
    if mark.kind is Kind.NUMBER:
        return _text(f"{mark.number:02d}")
    return {Kind.STAR: _star, Kind.BLOCKED: _cross, Kind.EMPTY: _dash, Kind.UNREAD: _text("?")}[mark.kind]


def _text(text: str) -> _Part:
    def part(draw: ImageDraw.ImageDraw | None, x: float, y: float, size: float, ink: Colour) -> float:
        face = font(round(size))
        if draw is not None:
            draw.text((x, y), text, ink, face, anchor="lm", stroke_width=round(0.025 * size), stroke_fill=ink)
        return float(face.getlength(text))

    return part


def _ring(draw: ImageDraw.ImageDraw | None, x: float, y: float, size: float, ink: Colour) -> float:
    radius = 0.24 * size
    if draw is not None:
        draw.ellipse((x, y - radius, x + 2 * radius, y + radius), outline=ink, width=round(0.1 * size))
    return 2 * radius


def _star(draw: ImageDraw.ImageDraw | None, x: float, y: float, size: float, ink: Colour) -> float:
    radius = 0.46 * size
    if draw is not None:
        turn = np.pi * (np.arange(10) / 5 - 0.5)
        reach = radius * np.where(np.arange(10) % 2 == 0, 1.0, 0.42)
        points = np.column_stack([x + radius + reach * np.cos(turn), y + 0.04 * size + reach * np.sin(turn)])
        draw.polygon([(float(a), float(b)) for a, b in points], fill=ink)
    return 2 * radius


def _cross(draw: ImageDraw.ImageDraw | None, x: float, y: float, size: float, ink: Colour) -> float:
    reach = 0.26 * size
    if draw is not None:
        for sign in (-1, 1):
            ends = (x, y - sign * reach, x + 2 * reach, y + sign * reach)
            draw.line(ends, fill=ink, width=round(0.13 * size))
    return 2 * reach


def _dash(draw: ImageDraw.ImageDraw | None, x: float, y: float, size: float, ink: Colour) -> float:
    if draw is not None:
        draw.line((x, y, x + 0.5 * size, y), fill=ink, width=round(0.1 * size))
    return 0.5 * size


ON_ROUTE = Look(palette.NIGHT, palette.WHITE, palette.WHITE, 0.96)
OFF_ROUTE = Look(palette.SLATE, palette.WHITE, palette.SLATE, 0.86)
IN_DOUBT = Look(palette.NIGHT, palette.DOUBT, palette.DOUBT, 0.9)
ASKED = Look(palette.DOUBT, palette.NIGHT, palette.NIGHT, 1.0)
FAULTY = Look(palette.PROBLEM, palette.WHITE, palette.WHITE, 1.0)
