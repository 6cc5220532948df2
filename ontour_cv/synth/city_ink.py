"""Ticks and ferry lines of a board of New York, drawn on its print before the camera sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.press.tickboxes import Box, tick_boxes
from ontour_cv.synth.printed import Print
from ontour_cv.synth.strokes import Writer

_FINE = 4
"""Fractional bits of drawn coordinates."""


def with_city_ink(
    sheet: Print, soloists: Mapping[str, str], ferries: Sequence[tuple[str, str]], writer: Writer,
    rng: np.random.Generator,
) -> Print:  # fmt: skip
    """The print with a tick, a cross or a scribble in the box of each soloist, and a line for each ferry."""
    picture = sheet.picture.copy()
    scale, blocks = picture.shape[1], tick_boxes(sheet.template, sheet.design)
    radius = sheet.design.radius * scale
    thick = max(1, round(writer.pen * radius * float(rng.uniform(0.7, 1.1))))
    manner = int(rng.integers(3))
    for region, letter in soloists.items():
        for stroke in _mark(blocks[region][letter], manner, rng):
            _draw(picture, stroke * scale, thick, writer)
    for one, other in ferries:
        _draw(picture, _line(sheet.design.discs[one], sheet.design.discs[other], sheet.design.radius, rng) * scale,
              thick, writer)  # fmt: skip
    return replace(sheet, picture=picture)


def _mark(box: Box, manner: int, rng: np.random.Generator) -> list[NDArray[np.float64]]:
    """A tick, a cross or a zigzag about as large as the box, in board widths."""
    left, top, right, bottom = box
    side = right - left
    shapes = (
        [[[0.15, 0.5], [0.42, 0.85], [0.95, 0.05]]],
        [[[0.12, 0.12], [0.88, 0.88]], [[0.88, 0.12], [0.12, 0.88]]],
        [[[0.1, 0.2], [0.85, 0.25], [0.15, 0.5], [0.85, 0.55], [0.15, 0.8], [0.88, 0.82]]],
    )
    turn, grow, shift = rng.normal(0, 0.1), float(rng.uniform(0.8, 1.2)), rng.normal(0, 0.07, 2)
    matrix = grow * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    centre = np.array([(left + right) / 2, (top + bottom) / 2])
    return [
        centre + side * ((np.array(s) - 0.5 + rng.normal(0, 0.04, (len(s), 2))) @ matrix.T + shift)
        for s in shapes[manner]
    ]


def _line(
    one: tuple[float, float], other: tuple[float, float], radius: float, rng: np.random.Generator
) -> NDArray[np.float64]:
    """A ferry from rim to rim, bent a little."""
    a, b = np.array(one), np.array(other)
    along = (b - a) / np.linalg.norm(b - a)
    a, b = a + along * radius * rng.uniform(0.9, 1.3), b - along * radius * rng.uniform(0.9, 1.3)
    across = np.array([-along[1], along[0]]) * np.linalg.norm(b - a) * rng.normal(0, 0.04)
    steps = np.linspace(0, 1, 24)[:, None]
    return np.asarray(a + (b - a) * steps + across * 4 * steps * (1 - steps), dtype=np.float64)


def _draw(picture: NDArray[np.uint8], line: NDArray[np.float64], thick: int, writer: Writer) -> None:
    points = np.round(line * 2**_FINE).astype(np.int32).reshape(-1, 1, 2)
    colour = [float(value) for value in writer.ink_bgr]
    cv2.polylines(picture, [points], False, colour, thick, cv2.LINE_AA, _FINE)
