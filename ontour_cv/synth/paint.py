"""A flat picture of the filled board, seen straight from above: print, ink, folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from ontour_cv.maps.model import MapTemplate
from ontour_cv.synth.art import make_land, paint_art
from ontour_cv.synth.furniture import paint_furniture
from ontour_cv.synth.ink import Stroke
from ontour_cv.synth.noise import Field, Image, mix, smooth_field
from ontour_cv.synth.prints import paint_discs, paint_folds, paint_links
from ontour_cv.synth.scene import Scene


@dataclass(frozen=True, slots=True, eq=False)
class FlatBoard:
    """A painted board.

    Attributes:
        bgr: ``(H, W, 3)`` uint8.
        scale: pixels per board width of the frame.
        offset: board point of the picture's top left corner.
    """

    bgr: Image
    scale: float
    offset: tuple[float, float]


def paint_board(scene: Scene, template: MapTemplate, strokes: Sequence[Stroke], rng: np.random.Generator) -> FlatBoard:
    """The board as it lies there; deterministic in ``scene.seed``, the strokes and ``rng`` (ink texture only)."""
    own = np.random.default_rng(scene.seed)
    land = make_land(scene, template, own)
    picture = paint_art(scene, land, own)
    paint_links(picture, scene, template, own)
    paint_discs(picture, scene, template, own)
    paint_furniture(picture, scene, own)
    paint_strokes(picture, strokes, scene.scale, scene.offset, rng)
    paint_folds(picture, scene, own)
    return FlatBoard(picture, scene.scale, scene.offset)


def paint_strokes(
    picture: Image, strokes: Sequence[Stroke], scale: float, offset: tuple[float, float], rng: np.random.Generator
) -> None:
    """Lay pen strokes on a picture of the board, in place.

    A dry-erase marker: width and ink vary along the stroke, it runs dry in streaks, lets a little of the print show
    through, and pools darker at its ends.

    Args:
        picture: ``(H, W, 3)`` uint8 BGR.
        strokes: in the board frame.
        scale: pixels per board width.
        offset: board point of the picture's top left corner.
        rng: chance.
    """
    height, width = picture.shape[:2]
    texture = _ink_texture(rng)
    cover = float(rng.uniform(0.86, 1.0))
    for stroke in strokes:
        points = (stroke.points_board - np.array(offset)) * scale - 0.5
        thick = stroke.width_board * scale
        low = np.maximum(np.floor(points.min(axis=0) - thick - 2), 0).astype(int)
        high = np.minimum(np.ceil(points.max(axis=0) + thick + 3), [width, height]).astype(int)
        if np.any(high <= low):
            continue
        alpha = _stroke_alpha(points - low, thick, (int(high[1] - low[1]), int(high[0] - low[0])), rng)
        ty, tx = (int(v) for v in rng.integers(0, 256, 2))
        worn = np.take(np.take(texture, np.arange(ty, ty + alpha.shape[0]) % 512, 0), np.arange(tx, tx + alpha.shape[1]) % 512, 1)
        dryness = float(rng.choice([0.0, rng.uniform(0, 0.35)], p=[0.5, 0.5]))
        alpha = alpha * stroke.darkness * cover * (1 - dryness * worn)
        mix(picture[low[1] : high[1], low[0] : high[0]], stroke.bgr, alpha.astype(np.float32))


def _stroke_alpha(points: np.ndarray[tuple[int, int], np.dtype[np.float64]], thick: float, shape: tuple[int, int], rng: np.random.Generator) -> Field:
    """Antialiased coverage of a stroke whose width breathes, ``shape`` float32 0-1."""
    mask = np.zeros(shape, np.uint8)
    fixed = np.round(points * 16).astype(np.int32)
    if thick < 3 or len(points) < 3:
        cv2.polylines(mask, [fixed], False, 255, max(1, round(thick)), cv2.LINE_AA, 4)
        gain = min(1.0, thick / max(1, round(thick)))
        return mask.astype(np.float32) * np.float32(gain / 255)
    waves = rng.uniform(0, 2 * np.pi) + np.linspace(0, rng.uniform(2, 7), len(points))
    widths = thick * (1 + rng.uniform(0.02, 0.14) * np.sin(waves))
    for k in range(len(fixed) - 1):
        a, b = fixed[k], fixed[k + 1]
        cv2.line(mask, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), 255, max(1, round(widths[k])), cv2.LINE_AA, 4)
    return mask.astype(np.float32) / np.float32(255)


def _ink_texture(rng: np.random.Generator) -> Field:
    """How worn the ink is, ``(512, 512)`` float32 0-1: streaks and specks."""
    rough = smooth_field((512, 512), 60, rng, octaves=3)
    return np.clip(rough * 0.6, 0, 1)
