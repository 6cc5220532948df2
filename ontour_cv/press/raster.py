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
from ontour_cv.press.letters import em_size, font_at, printable, typeface

Pixels = NDArray[np.uint8]
Spots = NDArray[np.float64]
Window = tuple[int, int, int, int]
"""Left, top, width and height of a part of a picture, pixels."""

_SUB = 6
"""Bits of sub-pixel precision."""

_MOST = 3_000_000
"""Pixels of a finer mask at most."""

_CORNERS = 72
"""Of a circle."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """From an item's coordinates to pixels: ``shift + scale * point``."""

    scale: float
    shift: Point

    def spots(self, points: tuple[Point, ...]) -> Spots:
        """Points in pixels, of which the first reaches from (0, 0) to (1, 1)."""
        return np.asarray(np.array(points) * self.scale + self.shift, dtype=np.float64)

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
    parts = [inner.spots(part) for part in group.window]
    window = _window(picture, np.concatenate(parts), 1.0)
    if window is None:
        return
    mask, fine = _finer(window)
    cv2.fillPoly(mask, [_fixed(part, window, fine) for part in parts], 255, cv2.LINE_8, _SUB)
    share = _coarser(mask, window)[..., None].astype(np.float32) / np.float32(255)
    left, top, wide, tall = window
    there = np.s_[top : top + tall, left : left + wide]
    picture[there] = np.round(picture[there] * (1 - share) + layer[there] * share).astype(np.uint8)


def _paint_shape(picture: Pixels, shape: Shape, frame: _Frame) -> None:
    if shape.fill is not None:
        _fill(picture, [frame.spots(part) for part in shape.parts], shape.fill)
    if shape.pen is not None:
        for part in shape.parts:
            line = (*part, part[0]) if shape.closed else part
            width = shape.pen.width * frame.scale
            for run in _dashes(line, shape.pen):
                _paint_line(picture, frame.spots(run), width, shape.pen.colour)


def _fill(picture: Pixels, parts: list[Spots], colour: Colour) -> None:
    """A filled outline of one or more parts, each pixel by as much of it as is covered."""
    window = _window(picture, np.concatenate(parts), 1.0)
    if window is None:
        return
    mask, fine = _finer(window)
    cv2.fillPoly(mask, [_fixed(part, window, fine) for part in parts], 255, cv2.LINE_8, _SUB)
    _ink(picture, _coarser(mask, window), window[:2], colour)


def _paint_line(picture: Pixels, points: Spots, width: float, colour: Colour) -> None:
    """A line as wide as it is said to be, pixels: OpenCV's own are two pixels wider, and of whole pixels only."""
    window = _window(picture, points, width / 2 + 1)
    if window is None:
        return
    mask, fine = _finer(window)
    spots = [_fixed(points, window, fine)]
    wanted = (width * fine - 1) / 2  # a line said to be 2 n pixels wide is 2 n + 1 pixels wide
    steps = max(0, math.floor(wanted))
    share = float(np.clip(wanted - steps, 0, 1))
    cv2.polylines(mask, spots, False, 255, max(1, 2 * steps), cv2.LINE_8, _SUB)
    covered = _coarser(mask, window)
    if share > 0.05:
        cv2.polylines(mask, spots, False, 255, 2 * steps + 2, cv2.LINE_8, _SUB)
        covered = cv2.addWeighted(covered, 1 - share, _coarser(mask, window), share, 0).astype(np.uint8)
    _ink(picture, covered, window[:2], colour)


def _window(picture: Pixels, points: Spots, room: float) -> Window | None:
    """The part of a picture that points lie in, with room round them: left, top, width, height; None outside of it."""
    height, width = picture.shape[:2]
    low = np.maximum(np.floor(points.min(axis=0) - room), 0).astype(int)
    high = np.minimum(np.ceil(points.max(axis=0) + room), (width, height)).astype(int)
    left, top, wide, tall = int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])
    return (left, top, wide, tall) if wide > 0 and tall > 0 else None


def _finer(window: Window) -> tuple[Pixels, int]:
    """An empty mask of a window with so many pixels for one."""
    _, _, wide, tall = window
    fine = next((n for n in (8, 4) if wide * tall * n * n <= _MOST), 2)
    return np.zeros((tall * fine, wide * fine), np.uint8), fine


def _coarser(mask: Pixels, window: Window) -> Pixels:
    return np.asarray(cv2.resize(mask, window[2:], interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _fixed(points: Spots, window: Window, fine: int) -> NDArray[np.int32]:
    """Points as fixed-point pixels of a finer mask, of which the middle of the first is (0, 0)."""
    spots = ((points - window[:2]) * fine - 0.5) * (1 << _SUB)
    return np.round(spots).astype(np.int32)


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
    turn = [2 * math.pi * k / _CORNERS for k in range(_CORNERS)]
    (x, y), r = circle.centre, circle.radius
    rim = tuple((x + r * math.cos(a), y + r * math.sin(a)) for a in turn)
    _paint_shape(picture, Shape((rim,), circle.fill, circle.pen), frame)


def _paint_text(picture: Pixels, text: Text, frame: _Frame) -> None:
    words = printable(text.text)
    face = typeface(words)
    size = text.size * frame.scale
    font = font_at(face, max(1.0, round(size * em_size(face), 2)))
    anchor = {"left": "ls", "middle": "ms", "right": "rs"}[text.align]
    x, y = (s + frame.scale * v for s, v in zip(frame.shift, text.at, strict=True))
    edge = 0.22 * size if text.halo is not None else text.weight * size / 2
    box = font.getbbox(words, anchor=anchor)
    low = (math.floor(x + box[0] - edge) - 2, math.floor(y + box[1] - edge) - 2)
    high = (math.ceil(x + box[2] + edge) + 2, math.ceil(y + box[3] + edge) + 2)
    for colour, stroke in ((text.halo, 0.22 * size), (text.colour, text.weight * size / 2)):
        if colour is not None:
            mask = Image.new("L", (high[0] - low[0], high[1] - low[1]))
            at = (x - low[0], y - low[1])
            ImageDraw.Draw(mask).text(at, words, 255, font, anchor, stroke_width=stroke)
            _ink(picture, np.asarray(mask), low, colour)


def _ink(picture: Pixels, mask: Pixels, low: tuple[int, int], colour: Colour) -> None:
    """Lay a colour on through a mask whose top left corner lies at ``low``; what falls outside is lost."""
    height, width = picture.shape[:2]
    left, top = max(0, low[0]), max(0, low[1])
    right, bottom = min(width, low[0] + mask.shape[1]), min(height, low[1] + mask.shape[0])
    if right <= left or bottom <= top:
        return
    covered = mask[top - low[1] : bottom - low[1], left - low[0] : right - low[0]]
    patch, ink = picture[top:bottom, left:right], np.array(colour[::-1])
    patch[covered == 255] = ink
    edge = (covered > 0) & (covered < 255)
    share = covered[edge, None].astype(np.float32) / 255
    patch[edge] = np.round(patch[edge] * (1 - share) + ink * share).astype(np.uint8)
