"""A sheet laid flat and upright, with what was read in the corner of every cell, clashes and doubts marked."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from ontour_cv.render import palette
from ontour_cv.render.paint import Colour, Picture, blend, empty_mask, stroke
from ontour_cv.render.panel import plain
from ontour_cv.render.tags import font
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.sheet_model import SheetModel
from ontour_cv.vision.sheet_warp import SheetWarp

WIDTH_PX = 1800
"""Width of the picture: the smallest cells are then 80 pixels wide."""

MARGIN = 0.03
"""Room shown round all cells and boxes, sheet widths."""

TOP = 0.065
"""The same above them, where the sheet's title stands."""

TAG = 0.0135
"""Height of the letters in a cell's corner, sheet widths."""


@dataclass(frozen=True, slots=True)
class SheetFindings:
    """What an overlay of a sheet tells.

    Attributes:
        title: headline.
        tags: cell or box -> what was read there, in few letters.
        doubtful: cells and boxes in doubt.
        ask: those of them that can change the score.
        faulty: cells named by a problem.
        clashes: pairs of cells that clash.
        notes: sentences below the picture: colour of their dot, text.
    """

    title: str
    tags: Mapping[str, str]
    doubtful: frozenset[str]
    ask: frozenset[str]
    faulty: frozenset[str]
    clashes: tuple[tuple[str, str], ...]
    notes: tuple[tuple[Colour, str], ...]


def draw_sheet_overlay(photo: Photo, warp: SheetWarp, model: SheetModel, findings: SheetFindings) -> Picture:
    """The annotated picture, ``(H, WIDTH_PX, 3)`` uint8 BGR: the sheet as if it lay flat, a panel of text below."""
    left, top, right, bottom = model.extent
    low = np.array([left - MARGIN, top - TOP])
    scale = WIDTH_PX / (right - left + 2 * MARGIN)
    picture = flatten(photo, warp, low, scale, round((bottom - top + TOP + MARGIN) * scale))
    for name, outline in zip(model.ids, model.outlines, strict=True):
        colour, width = _edge(name, findings)
        if colour is not None:
            mask = empty_mask(picture)
            stroke(mask, (outline - low) * scale, width * scale, closed=True)
            blend(picture, mask, colour, 0.9)
    places = dict(zip(model.ids, model.middles, strict=True))
    for one, other in findings.clashes:
        mask = empty_mask(picture)
        stroke(mask, (np.array([places[one], places[other]]) - low) * scale, 0.003 * scale)
        blend(picture, mask, palette.PROBLEM, 0.8)
    canvas = Image.fromarray(np.ascontiguousarray(picture[:, :, ::-1]))
    draw = ImageDraw.Draw(canvas)
    for name, outline, middle in zip(model.ids, model.outlines, model.middles, strict=True):
        if name in findings.tags:
            _tag(draw, findings.tags[name], (outline - low) * scale, (middle - low) * scale, scale, name, findings)
    upper = np.asarray(canvas, dtype=np.uint8)[:, :, ::-1]
    return np.ascontiguousarray(np.concatenate([upper, _panel(findings)]))


def flatten(photo: Photo, warp: SheetWarp, low: NDArray[np.float64], scale: float, height: int) -> Picture:
    """The sheet as if it lay flat before the camera, ``(height, WIDTH_PX, 3)``; ``low`` is its top left corner."""
    step = 24
    xs, ys = np.arange(0, WIDTH_PX + step, step), np.arange(0, height + step, step)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    coarse = warp.apply(grid / scale + low).reshape(len(ys), len(xs), 2)
    maps = []
    for k in (0, 1):
        wide = np.array([np.interp(np.arange(WIDTH_PX), xs, row) for row in coarse[..., k]])
        maps.append(np.array([np.interp(np.arange(height), ys, column) for column in wide.T]).T.astype(np.float32))
    source, shrink = photo.bgr, float(np.hypot(*(coarse[0, 1] - coarse[0, 0]))) / step
    if shrink > 1.5:
        source = np.asarray(cv2.resize(source, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA))
        maps = [np.asarray((m + 0.5) / shrink - 0.5, dtype=np.float32) for m in maps]
    out = cv2.remap(source, maps[0], maps[1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(out, dtype=np.uint8)


def _edge(name: str, findings: SheetFindings) -> tuple[Colour | None, float]:
    if name in findings.faulty:
        return palette.PROBLEM, 0.0042
    if name in findings.ask:
        return palette.DOUBT, 0.0042
    if name in findings.doubtful:
        return palette.DOUBT, 0.0022
    return (palette.CIRCLE, 0.0014) if name in findings.tags else (None, 0.0)


def _tag(
    draw: ImageDraw.ImageDraw, text: str, outline: NDArray[np.float64], middle: NDArray[np.float64], scale: float,
    name: str, findings: SheetFindings,
) -> None:  # fmt: skip
    """What was read, in the corner of the cell that is furthest from its middle."""
    size = round(TAG * scale)
    face = font(size)
    shown = plain(text)
    width = float(face.getlength(shown)) + 0.5 * size
    corner = outline[int(np.hypot(*(outline - middle).T).argmax())]
    inward = np.sign(middle - corner)
    at = corner + inward * 0.003 * scale
    x0 = float(at[0]) if inward[0] >= 0 else float(at[0]) - width
    y0 = float(at[1]) if inward[1] >= 0 else float(at[1]) - 1.15 * size
    ground = (
        palette.PROBLEM if name in findings.faulty else palette.DOUBT if name in findings.doubtful else palette.NIGHT
    )
    ink = palette.BLACK if name in findings.doubtful and name not in findings.faulty else palette.WHITE
    draw.rounded_rectangle((x0, y0, x0 + width, y0 + 1.15 * size), radius=0.25 * size, fill=ground)
    draw.text((x0 + width / 2, y0 + 0.575 * size), shown, ink, face, anchor="mm")


def _panel(findings: SheetFindings) -> NDArray[np.uint8]:
    """The text below the picture."""
    size, line = 34, 48
    rows: list[tuple[Colour | None, str]] = []
    for colour, text in findings.notes:
        for k, part in enumerate(textwrap.wrap(plain(text), 100) or [""]):
            rows.append((colour if k == 0 else None, part))
    height = line * (len(rows) + 1) + 70
    canvas = Image.new("RGB", (WIDTH_PX, height), palette.NIGHT)
    draw = ImageDraw.Draw(canvas)
    draw.text((40, 50), plain(findings.title), palette.WHITE, font(44), anchor="lm")
    for k, (dot, words) in enumerate(rows):
        y = 50 + line * (k + 1) + 14
        if dot is not None:
            draw.ellipse((46, y - 9, 64, y + 9), fill=dot)
        draw.text((84, y), words, palette.MIST, font(size), anchor="lm")
    return np.asarray(canvas, dtype=np.uint8)[:, :, ::-1]


def listed(names: Sequence[str], most: int = 12) -> str:
    """Names in a row, of many only the first ones."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
