"""A flat picture of the filled board, seen straight from above: print, ink, folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from ontour_cv.geometry import Points
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


def paint_board(
    scene: Scene, template: MapTemplate, strokes: Sequence[Stroke], rng: np.random.Generator, smears: int = 0,
    ground: Image | None = None,
) -> FlatBoard:  # fmt: skip
    """The board as it lies there.

    Args:
        scene: the print; its seed decides all of the art.
        template: the map.
        strokes: the ink, in the order of writing.
        rng: texture of the ink, and smears.
        smears: how many smears of badly wiped ink.
        ground: a printed board to write on, ``(H, W, 3)`` uint8 BGR, as wide and high as the scene; None draws one.
    """
    own = np.random.default_rng(scene.seed)
    if ground is None:
        picture = _drawn(scene, template, own)
    else:
        picture = np.asarray(cv2.resize(ground, scene.size_px, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    paint_strokes(picture, strokes, scene.scale, scene.offset, rng)
    for _ in range(smears):
        smear(picture, scene.radius * scene.scale, rng)
    paint_folds(picture, scene, own)
    _panels(picture, scene, own)
    return FlatBoard(picture, scene.scale, scene.offset)


def _drawn(scene: Scene, template: MapTemplate, own: np.random.Generator) -> Image:
    """The empty board in made-up art."""
    land = make_land(scene, template, own)
    picture = paint_art(scene, template, land, own)
    paint_links(picture, scene, template, own)
    paint_discs(picture, scene, template, own)
    paint_furniture(picture, scene, own)
    return picture


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
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        alpha = _stroke_alpha(points - low, thick, size, rng)
        if stroke.streaks:
            alpha *= _streaks(points - low, thick, size, stroke.streaks, rng)
        rows, columns = ((np.arange(n) + int(rng.integers(512))) % 512 for n in alpha.shape)
        worn = texture[np.ix_(rows, columns)]
        dryness = float(rng.choice([0.0, rng.uniform(0, 0.35)], p=[0.5, 0.5]))
        alpha = alpha * stroke.darkness * cover * (1 - dryness * worn)
        mix(picture[low[1] : high[1], low[0] : high[0]], stroke.bgr, alpha.astype(np.float32))


def _stroke_alpha(points: Points, thick: float, size: tuple[int, int], rng: np.random.Generator) -> Field:
    """Antialiased coverage of a stroke whose width breathes, float32 0-1 of ``size`` ``(width, height)``."""
    mask = np.zeros(size[::-1], np.uint8)
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


def _streaks(points: Points, thick: float, size: tuple[int, int], depth: float, rng: np.random.Generator) -> Field:
    """What a pen on gloss leaves along a stroke, float32 0-1 of ``size`` ``(width, height)``.

    The flow wanders between full and ``1 - depth`` over a few pen widths; a pen that skips leaves less still in the
    middle of its track.
    """
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    steps = np.arange(0.0, max(float(along[-1]), 0.1), max(0.35 * thick, 1.0))
    track = np.column_stack([np.interp(steps, along, points[:, k]) for k in range(2)])
    knots = rng.random(max(2, int(along[-1] / (thick * rng.uniform(1.0, 5.0))) + 2))
    flow = 1 - depth * np.interp(np.linspace(0, 1, len(steps)), np.linspace(0, 1, len(knots)), knots)
    hollow = float(rng.choice([0.0, rng.uniform(0, depth)], p=[0.6, 0.4]))
    out = np.full(size[::-1], 255, np.uint8)
    fixed = np.round(track * 16).astype(np.int32)
    for width, left in ((2.0 * thick, 1.0), (0.4 * thick, 1 - hollow)):
        for a, b, ink in zip(fixed[:-1], fixed[1:], flow, strict=False):
            ends = (int(a[0]), int(a[1])), (int(b[0]), int(b[1]))
            cv2.line(out, *ends, round(255 * ink * left), max(1, round(width)), cv2.LINE_8, 4)
        if not hollow:
            break
    return np.asarray(cv2.GaussianBlur(out, (0, 0), max(0.15 * thick, 0.3)), dtype=np.float32) / np.float32(255)


def _ink_texture(rng: np.random.Generator) -> Field:
    """How worn the ink is, ``(512, 512)`` float32 0-1: streaks and specks."""
    rough = smooth_field((512, 512), 60, rng, octaves=3)
    return np.asarray(np.clip(rough * 0.6, 0, 1), dtype=np.float32)


def smear(picture: Image, radius_px: float, rng: np.random.Generator) -> None:
    """A streaky veil of ink where a sleeve or a finger wiped; never dark enough to pass for a stroke."""
    height, width = picture.shape[:2]
    long, wide = radius_px * rng.uniform(2, 9), radius_px * rng.uniform(0.4, 2)
    shape = (max(4, round(2 * wide)), max(4, round(2 * long)))
    streaks = np.asarray(cv2.resize(rng.random((12, 3), dtype=np.float32), shape[::-1], interpolation=cv2.INTER_CUBIC))
    fade = np.outer(np.hanning(shape[0]), np.hanning(shape[1]) ** 0.5).astype(np.float32)
    veil = np.clip(streaks, 0, 1) * fade * np.float32(rng.uniform(0.08, 0.32))
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    half = np.abs(turn) @ np.array([long, wide])
    middle = rng.uniform([0, 0], [width, height])
    low = np.maximum(np.floor(middle - half), 0).astype(int)
    high = np.minimum(np.ceil(middle + half), [width, height]).astype(int)
    if np.any(high - low < 2):
        return
    matrix = np.column_stack([turn, middle - low - turn @ np.array([long, wide])])
    alpha = np.asarray(cv2.warpAffine(veil, matrix, tuple((high - low).tolist())), np.float32)
    mix(picture[low[1] : high[1], low[0] : high[0]], (50, 45, 40), alpha)


def _panels(picture: Image, scene: Scene, rng: np.random.Generator) -> None:
    """Each panel of a folded board catches the light a little differently; a thin worn rim runs round the board."""
    borders = [0, *(round((x - scene.offset[0]) * scene.scale) for x in scene.folds), picture.shape[1]]
    for low, high in pairwise(borders):
        gain = 1 + (float(rng.normal(0, 0.05)) if len(scene.folds) else 0.0)
        panel = picture[:, max(0, low) : high]
        panel[:] = cv2.convertScaleAbs(panel, alpha=gain)
    if not scene.palette.paper:
        tone = [int(v) for v in np.clip(np.array(scene.palette.field) * 0.6 + rng.uniform(0, 60), 0, 255)]
        rim = max(1, round(float(rng.uniform(0.05, 0.2)) * scene.radius * scene.scale))
        cv2.rectangle(picture, (0, 0), (picture.shape[1] - 1, picture.shape[0] - 1), tone, rim)
