"""Blank sheets as they may come out of a printer or a pad: colours, patterns, words, faded, grey, cut out or not."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.drawing import Colour, blend
from ontour_cv.press.raster import paint
from ontour_cv.press.sheet import ASPECT, GROUNDS, SheetLook, Tone, draw_sheet, own_look
from ontour_cv.synth.noise import Image, smooth_field
from ontour_cv.synth.palettes import hsv

OWN, PAD, MADE_UP = "own", "pad", "made-up"

LOOKS = (OWN, PAD, MADE_UP)
"""The project's own drawing, one coloured like the published pad, and whatever a printer may make of it."""

_HUES = {"orange": 0.065, "blue": 0.56, "green": 0.39, "yellow": 0.135, "red": 0.985, "purple": 0.7}

Margins = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class FlatSheet:
    """A sheet seen straight from above.

    Attributes:
        bgr: ``(H, W, 3)`` uint8, the whole paper.
        scale: pixels per sheet width.
        shift: sheet point of the picture's top left corner (negative when the paper is larger than the sheet).
        look: one of ``LOOKS``.
    """

    bgr: Image
    scale: float
    shift: tuple[float, float]
    look: str


def sample_look(template: MapTemplate, rng: np.random.Generator, hard: bool = False) -> tuple[str, SheetLook]:
    """A kind of print and how it looks."""
    kind = str(rng.choice(LOOKS, p=[0.3, 0.4, 0.3]))
    if kind == OWN:
        return kind, own_look(template, bool(rng.random() < 0.15))
    return kind, _pad_look(template, rng, 1.0 if kind == PAD else 3.0 if hard else 2.2)


def _pad_look(template: MapTemplate, rng: np.random.Generator, spread: float) -> SheetLook:
    """Pastel cells with strong borders on a patterned ground; ``spread``: how far colours and lines stray."""
    tones = {}
    pale, deep = rng.normal(0.28, 0.05 * spread), rng.normal(0.82, 0.06 * spread)
    for area in template.areas:
        hue = (_HUES.get(area, rng.random()) + rng.normal(0, 0.008 * spread)) % 1
        fill = _rgb(
            hue, np.clip(pale + rng.normal(0, 0.04), 0.04, 0.75), np.clip(rng.normal(0.96, 0.02 * spread), 0.7, 1)
        )
        line = _rgb(hue, np.clip(deep, 0.3, 1.0), np.clip(rng.normal(0.82, 0.06 * spread), 0.35, 1))
        tones[area] = Tone(fill, line)
    grey = float(np.clip(rng.normal(0.87, 0.04 * spread), 0.65, 1.0))
    ground = _rgb(rng.random(), 0.02 * spread * rng.random(), grey)
    ink = blend((20, 22, 26), (90, 90, 96), float(rng.random()) * min(1.0, 0.3 * spread))
    titles = (template.title.upper(), template.title)
    words = ("round", "color change", "guard", "dupe", "number of Xs")
    pattern = "waves" if spread < 2 and rng.random() < 0.8 else str(rng.choice(GROUNDS))
    rows = blend(ground, (120, 124, 130), float(rng.uniform(0.05, 0.25)))
    return SheetLook(
        tones=tones, ground=ground, pattern=pattern, pattern_tone=rows,
        halo=((245, 245, 245), float(rng.choice([0.0, rng.uniform(0.6, 1.6)], p=[0.2, 0.8]))), ink=ink,
        line=float(np.clip(rng.normal(0.34, 0.06 * spread), 0.12, 0.6)), inside=bool(rng.random() < 0.1 * spread),
        corner=float(rng.choice([0.0, rng.uniform(0, 0.8)])),
        box_line=float(np.clip(rng.normal(0.3, 0.05 * spread), 0.12, 0.5)),
        title=titles[int(rng.random() < 0.3)], words=words, weight=float(rng.uniform(0.0, 0.1)),
        numbers=ink, notes=False,
    )  # fmt: skip


def _rgb(hue: float, saturation: float, value: float) -> Colour:
    blue, green, red = hsv(hue, float(saturation), float(value))
    return red, green, blue


def print_flat(template: MapTemplate, rng: np.random.Generator, width_px: int, hard: bool = False) -> FlatSheet:
    """A blank sheet on its paper, ``width_px`` pixels to a sheet width.

    Args:
        template: a map whose cells have outlines.
        rng: chance.
        width_px: pixels per sheet width.
        hard: stronger faults of print.
    """
    kind, look = sample_look(template, rng, hard)
    if kind == OWN and rng.random() < 0.2:
        look = replace(look, notes=False)
    picture = paint(draw_sheet(template, look, 100.0), width_px / 100.0)
    margins = _margins(kind, rng)
    paper = np.array(hsv(float(rng.uniform(0.08, 0.16)), float(rng.uniform(0, 0.07)), float(rng.uniform(0.9, 1.0))))
    left, top, right, bottom = (round(m * width_px) for m in margins)
    bgr = cv2.copyMakeBorder(picture, top, bottom, left, right, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    printed = _worn(np.asarray(bgr, dtype=np.uint8), paper, rng, hard)
    return FlatSheet(printed, float(width_px), (-left / width_px, -top / width_px), kind)


def _margins(kind: str, rng: np.random.Generator) -> Margins:
    """Paper beyond the sheet at the left, top, right and bottom: none when it is cut, up to a second sheet's place."""
    if kind == PAD or rng.random() < 0.5:
        return 0.0, 0.0, 0.0, 0.0
    left, top, right, bottom = rng.uniform(0.005, 0.07, 4).tolist()
    return left, top, right, bottom if rng.random() < 0.7 else 0.5 * ASPECT


def _worn(
    picture: Image, paper: np.ndarray[tuple[int, ...], np.dtype[np.float64]], rng: np.random.Generator, hard: bool
) -> Image:
    """What printers do: colours paler, stronger, grey; uneven toner, streaks; the paper's own tint and fibres."""
    value = picture.astype(np.float32)
    grey = value.mean(axis=2, keepdims=True)
    saturation = float(np.clip(rng.normal(0.95, 0.22 if hard else 0.14), 0.2, 1.6)) if rng.random() > 0.06 else 0.0
    value = grey + (value - grey) * np.float32(saturation)
    fade = float(rng.choice([1.0, rng.uniform(0.5, 1.0)], p=[0.5, 0.5]))
    value = 255 - (255 - value) * np.float32(fade)
    shape = (picture.shape[0], picture.shape[1])
    if rng.random() < 0.3:  # a home printer: streaks across, toner that thins out
        rows = 1 + rng.normal(0, 0.04, (shape[0] // int(rng.integers(6, 40)) + 2, 1)).astype(np.float32)
        streak = np.asarray(cv2.resize(rows, (1, shape[0]), interpolation=cv2.INTER_LINEAR))[:, :, None]
        value = 255 - (255 - value) * np.clip(streak, 0.6, 1.2)
    fibres = 1 + np.float32(0.006) * smooth_field(shape, 160, rng, 2)[..., None]
    value *= (paper / 255).astype(np.float32) * fibres
    return np.asarray(np.clip(value, 0, 255), dtype=np.uint8)
