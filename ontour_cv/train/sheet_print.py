"""Printed sheets nobody printed, for training: six colours or one, thick lines or thin, grey, washed out or plain."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.sheet_shapes import tidy_outlines
from ontour_cv.train.style import FONTS, Colour, Image, hsv

WIDTH_PX = 1300
"""Width of the flat picture: the smallest digits are 25 pixels high on it."""

LINE = (0.0018, 0.0046)
"""Bounds of the width of printed lines, sheet widths."""


def shapes_of(template: MapTemplate) -> dict[str, Points]:
    """Outlines of all cells and boxes by id, sheet widths, as they are printed."""
    cells, boxes = tidy_outlines(template)
    return {name: np.array(ring, dtype=np.float64) for name, ring in (*cells.items(), *boxes.items())}


def paint_print(template: MapTemplate, shapes: dict[str, Points], rng: np.random.Generator) -> Image:
    """A blank sheet, ``(H, WIDTH_PX, 3)`` uint8 BGR."""
    picture = _paper(rng)
    pale = rng.random() < 0.12
    halo = rng.random() < 0.5
    fills, lines = _colours(template, rng, pale)
    thick = max(1, round(float(rng.uniform(*LINE)) * WIDTH_PX))
    cells = [(shapes[region.id], region.areas[0]) for region in template.regions]
    if halo:
        for shape, _ in cells:
            cv2.polylines(picture, [_fixed(shape)], True, (250, 250, 250), thick + 12, cv2.LINE_AA, 4)
    for shape, area in cells:
        cv2.fillPoly(picture, [_fixed(shape)], fills[area], cv2.LINE_AA, 4)
    order = rng.permutation(len(cells))
    for k in order:
        cv2.polylines(picture, [_fixed(cells[k][0])], True, lines[cells[k][1]], thick, cv2.LINE_AA, 4)
    _boxes(picture, template, shapes, rng)
    if rng.random() < 0.16:
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        picture = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    return picture


def _fixed(shape: Points) -> NDArray[np.int32]:
    return np.round((shape * WIDTH_PX - 0.5) * 16).astype(np.int32)


def _paper(rng: np.random.Generator) -> Image:
    height = round(0.72 * WIDTH_PX)
    tone = hsv(rng, (0.0, 0.12), (0.75, 1.0))
    picture = np.full((height, WIDTH_PX, 3), tone, np.uint8)
    if rng.random() < 0.6:  # rows of waves
        other = tuple(int(v) for v in np.clip(np.array(tone) + rng.normal(0, 14), 0, 255))
        x = np.arange(0, WIDTH_PX, 6)
        for y in np.arange(10, height, rng.uniform(18, 50)):
            wave = np.column_stack([x, y + 6 * np.sin(x / rng.uniform(7, 9) + y)]).astype(np.int32)
            cv2.polylines(picture, [wave], False, other, int(rng.integers(1, 6)), cv2.LINE_AA)
    return picture


def _colours(
    template: MapTemplate, rng: np.random.Generator, pale: bool
) -> tuple[dict[str, Colour], dict[str, Colour]]:
    """Fill and line of each colour: pale fills with strong lines of the same hue; white ones now and then."""
    fills: dict[str, Colour] = {}
    lines: dict[str, Colour] = {}
    depth, dark = rng.uniform(0.12, 0.6), rng.uniform(0.55, 1.0)
    black = rng.random() < 0.15
    for area in template.areas:
        hue = float(rng.uniform(0, 180))
        fills[area] = (255, 255, 255) if pale else _tone(hue, depth * rng.uniform(0.7, 1.2), rng.uniform(0.85, 1.0))
        lines[area] = (40, 40, 40) if black else _tone(hue, rng.uniform(0.5, 1.0), dark * rng.uniform(0.8, 1.0))
    return fills, lines


def _tone(hue: float, saturation: float, value: float) -> Colour:
    pixel = np.array([[[hue, 255 * np.clip(saturation, 0, 1), 255 * np.clip(value, 0, 1)]]]).astype(np.uint8)
    b, g, r = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0]
    return int(b), int(g), int(r)


def _boxes(picture: Image, template: MapTemplate, shapes: dict[str, Points], rng: np.random.Generator) -> None:
    thick = max(1, round(float(rng.uniform(*LINE)) * WIDTH_PX))
    ink = hsv(rng, (0, 0.3), (0.05, 0.35))
    font, bold = int(rng.choice(FONTS)), int(rng.integers(1, 4))
    size = float(rng.uniform(0.011, 0.022)) * WIDTH_PX
    for box in template.boxes:
        shape = shapes[box.id]
        cv2.fillPoly(picture, [_fixed(shape)], (255, 255, 255), cv2.LINE_AA, 4)
        cv2.polylines(picture, [_fixed(shape)], True, ink, thick, cv2.LINE_AA, 4)
        if box.id.startswith("round"):
            text = box.id.removeprefix("round")
            (width, height), _ = cv2.getTextSize(text, font, 1.0, bold)
            zoom = size / max(height, 1)
            at = shape.mean(axis=0) * WIDTH_PX + [-width * zoom / 2, size / 2]
            cv2.putText(picture, text, (int(at[0]), int(at[1])), font, zoom, ink, bold, cv2.LINE_AA)
