"""A drawing as pixels, for the synthetic camera and for pictures in documents."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from ontour_cv.press.drawing import Circle, Colour, Drawing, Group, Item, Pen, Point, Shape, Text
from ontour_cv.press.letters import em_size, font_at, typeface

Pixels = NDArray[np.uint8]
_SUB = 6
"""Bits of sub-pixel precision."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """From an item's coordinates to pixels: ``shift + scale * point``."""

    scale: float
    shift: Point

    def fixed(self, points: tuple[Point, ...]) -> NDArray[np.int32]:
        """Points as fixed-point pixels, of which the middle of the first is (0, 0)."""
        spots = (np.array(points) * self.scale + self.shift - 0.5) * (1 << _SUB)
        return np.round(spots).astype(np.int32)

    def inner(self, group: Group) -> _Frame:
        """The frame of a group's own items."""
        x, y = (s + self.scale * g for s, g in zip(self.shift, group.shift, strict=True))
        return _Frame(self.scale * group.scale, (x, y))


def paint(drawing: Drawing, px_per_mm: float, ground: Colour = (255, 255, 255)) -> Pixels:
    """The drawing as a picture, ``(H, W, 3)`` uint8 BGR."""
    size = (max(1, round(drawing.height * px_per_mm)), max(1, round(drawing.width * px_per_mm)), 3)
    picture = np.full(size, ground[::-1], np.uint8)
    _paint_all(picture, drawing.items, _Frame(px_per_mm, (0.0, 0.0)))
    return picture


def _paint_all(picture: Pixels, items: tuple[Item, ...], frame: _Frame) -> None:
    for item in items:
        if isinstance(item, Shape):
            _paint_shape(picture, item, frame)
        elif isinstance(item, Circle):
            _paint_circle(picture, item, frame)
        elif isinstance(item, Text):
            _paint_text(picture, item, frame)
        else:
            _paint_group(picture, item, frame)


def _paint_group(picture: Pixels, group: Group, frame: _Frame) -> None:
    inner = frame.inner(group)
    if not group.window:
        _paint_all(picture, group.items, inner)
        return
    layer = picture.copy()
    _paint_all(layer, group.items, inner)
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(mask, [inner.fixed(part) for part in group.window], 255, cv2.LINE_AA, _SUB)
    share = mask[..., None].astype(np.float32) / np.float32(255)
    picture[:] = np.round(picture * (1 - share) + layer * share).astype(np.uint8)


def _paint_shape(picture: Pixels, shape: Shape, frame: _Frame) -> None:
    parts = [frame.fixed(part) for part in shape.parts]
    if shape.fill is not None:
        cv2.fillPoly(picture, parts, shape.fill[::-1], cv2.LINE_AA, _SUB)
    if shape.pen is not None:
        for part in shape.parts:
            line = (*part, part[0]) if shape.closed else part
            for run in _dashes(line, shape.pen):
                _paint_line(picture, frame.fixed(run), shape.pen, frame.scale)


def _paint_line(picture: Pixels, points: NDArray[np.int32], pen: Pen, scale: float) -> None:
    width = pen.width * scale
    if width >= 1:
        cv2.polylines(picture, [points], False, pen.colour[::-1], round(width), cv2.LINE_AA, _SUB)
        return
    layer = picture.copy()  # thinner than a pixel: a fainter line of one pixel
    cv2.polylines(layer, [points], False, pen.colour[::-1], 1, cv2.LINE_AA, _SUB)
    cv2.addWeighted(layer, width, picture, 1 - width, 0, dst=picture)


def _dashes(line: tuple[Point, ...], pen: Pen) -> list[tuple[Point, ...]]:
    """The pieces of a line that are inked."""
    if not pen.dash:
        return [line]
    pattern = pen.dash if len(pen.dash) % 2 == 0 else pen.dash * 2
    runs: list[list[Point]] = [[line[0]]]
    k, left = 0, pattern[0]
    for (ax, ay), (bx, by) in itertools.pairwise(line):
        length, done = math.hypot(bx - ax, by - ay), 0.0
        while length - done > left:
            done += left
            spot = (ax + (bx - ax) * done / length, ay + (by - ay) * done / length)
            if k % 2 == 0:
                runs[-1].append(spot)
            else:
                runs.append([spot])
            k, left = (k + 1) % len(pattern), pattern[(k + 1) % len(pattern)]
        left -= length - done
        if k % 2 == 0:
            runs[-1].append((bx, by))
    return [tuple(run) for run in runs if len(run) > 1]


def _paint_circle(picture: Pixels, circle: Circle, frame: _Frame) -> None:
    centre = frame.fixed((circle.centre,))[0]
    at = (int(centre[0]), int(centre[1]))
    radius = circle.radius * frame.scale
    unit = 1 << _SUB
    if circle.fill is not None:
        cv2.circle(picture, at, round(radius * unit), circle.fill[::-1], -1, cv2.LINE_AA, _SUB)
    if circle.pen is not None:
        turn = [2 * math.pi * k / 72 for k in range(72)]
        (x, y), r = circle.centre, circle.radius
        rim = tuple((x + r * math.cos(a), y + r * math.sin(a)) for a in turn)
        _paint_shape(picture, Shape((rim,), None, circle.pen), frame)


def _paint_text(picture: Pixels, text: Text, frame: _Frame) -> None:
    face = typeface(text.text)
    size = text.size * frame.scale
    font = font_at(face, max(1.0, round(size * em_size(face), 2)))
    anchor = {"left": "ls", "middle": "ms", "right": "rs"}[text.align]
    x, y = (s + frame.scale * v for s, v in zip(frame.shift, text.at, strict=True))
    edge = 0.22 * size if text.halo is not None else text.weight * size / 2
    box = font.getbbox(text.text, anchor=anchor)
    low = (math.floor(x + box[0] - edge) - 2, math.floor(y + box[1] - edge) - 2)
    high = (math.ceil(x + box[2] + edge) + 2, math.ceil(y + box[3] + edge) + 2)
    for colour, stroke in ((text.halo, 0.22 * size), (text.colour, text.weight * size / 2)):
        if colour is not None:
            mask = Image.new("L", (high[0] - low[0], high[1] - low[1]))
            at = (x - low[0], y - low[1])
            ImageDraw.Draw(mask).text(at, text.text, 255, font, anchor, stroke_width=stroke)
            _ink(picture, np.asarray(mask), low, colour)


def _ink(picture: Pixels, mask: Pixels, low: tuple[int, int], colour: Colour) -> None:
    """Lay a colour on through a mask whose top left corner lies at ``low``; what falls outside is lost."""
    height, width = picture.shape[:2]
    left, top = max(0, low[0]), max(0, low[1])
    right, bottom = min(width, low[0] + mask.shape[1]), min(height, low[1] + mask.shape[0])
    if right <= left or bottom <= top:
        return
    share = mask[top - low[1] : bottom - low[1], left - low[0] : right - low[0], None].astype(np.float32) / 255
    patch = picture[top:bottom, left:right]
    patch[:] = np.round(patch * (1 - share) + np.array(colour[::-1], np.float32) * share).astype(np.uint8)
