"""What is printed over the art: links, discs, abbreviations, badge and score boxes, folds."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.maps.model import MapTemplate
from ontour_cv.synth.art import area_colour, centres_px
from ontour_cv.synth.noise import Field, Image, mix
from ontour_cv.synth.palettes import Colour
from ontour_cv.synth.scene import Scene

Point = tuple[float, float]


def paint_links(picture: Image, scene: Scene, template: MapTemplate, rng: np.random.Generator) -> None:
    """Every link of the map, rim to rim, straight or bent."""
    spots = dict(zip(template.ids, centres_px(scene, template), strict=True))
    unit = scene.radius * scene.scale
    style = scene.link
    thick = max(1, round(style.width * unit))
    for a, b in template.edges():
        start, stop = spots[a], spots[b]
        span = float(np.linalg.norm(stop - start))
        across = np.array([start[1] - stop[1], stop[0] - start[0]])
        knee = (start + stop) / 2 + across * rng.normal(0, style.bend / 2)
        steps = max(2, int((span - 2 * unit) / (style.pitch * unit)) + 1)
        edge = min(0.45, 1.12 * unit / span)
        t = np.linspace(edge, 1 - edge, steps if style.kind == "dots" else 2 * steps)[:, None]
        curve = (1 - t) ** 2 * start + 2 * t * (1 - t) * knee + t**2 * stop
        fixed = np.round(curve * 16).astype(np.int32)
        if style.kind == "dots":
            for x, y in fixed:
                cv2.circle(picture, (int(x), int(y)), round(8 * style.width * unit), style.colour, -1, cv2.LINE_AA, 4)
            continue
        runs = [fixed] if style.kind == "line" else [fixed[k : k + 2] for k in range(0, len(fixed) - 1, 2)]
        cv2.polylines(picture, runs, False, style.colour, max(1, thick // 2), cv2.LINE_AA, 4)


def paint_discs(picture: Image, scene: Scene, template: MapTemplate, rng: np.random.Generator) -> None:
    """All discs with their rings and abbreviations."""
    unit = scene.radius * scene.scale
    for region, spot in zip(template.regions, centres_px(scene, template), strict=True):
        tone = scene.disc.ring_colour
        if tone is None:
            area = area_colour(scene, template, region.id)
            tone = tuple(int(np.clip(v + scene.disc.ring_tone, 0, 255)) for v in area)  # type: ignore[assignment]
            assert tone is not None
        window = _window(picture, spot, 1.35 * unit)
        if window is None:
            continue
        patch, distance, angle, below = window
        _paint_disc(patch, distance / unit, angle, below / unit, scene, tone, unit)
        label = scene.label.colour if scene.label.colour is not None else tone
        paint_text(picture, region.label, (float(spot[0]), float(spot[1])), scene.label.height * unit, scene, label)


def _paint_disc(
    patch: Image, distance: Field, angle: Field, below: Field, scene: Scene, tone: Colour, unit: float
) -> None:
    """One disc into a patch; ``distance`` and ``below`` (down from the centre) in radii."""
    style = scene.disc

    def inside(radius: float) -> Field:
        return np.asarray(np.clip((radius - distance) * unit + 0.5, 0, 1), dtype=np.float32)

    if style.drop:
        shifted = np.hypot(distance * np.cos(angle), below - 0.07)
        under = np.clip((1.08 - shifted) / 0.16, 0, 1).astype(np.float32)
        mix(patch, (0, 0, 0), style.drop * under * (1 - inside(1.0)))
    mix(patch, style.fill, style.opacity * inside(1.0))
    if style.shade:
        dark = (110, 130, 140) if style.shade > 0 else (255, 255, 255)
        middle = np.clip(1 - distance / 0.75, 0, 1).astype(np.float32)
        mix(patch, dark, abs(style.shade) * 2.2 * middle * inside(1.0))
    if style.ring == "none":
        return
    band = inside(1.0) * (1 - inside(1.0 - style.ring_width))
    if style.ring == "double":
        band = np.maximum(band, inside(0.92 - style.ring_width) * (1 - inside(0.86 - style.ring_width)))
    if style.ring == "dashed":
        band = band * (np.sin(angle * 12) > -0.4)
    mix(patch, tone, band.astype(np.float32))


def paint_text(
    picture: Image, text: str, centre: Point, height_px: float, scene: Scene, colour: Colour, angle: float = 0.0
) -> None:
    """Text centred on a point, in the scene's face, drawn large and laid on with subpixel accuracy."""
    mask = text_mask(text, scene.label.face, scene.label.weight)
    scale = height_px / mask.shape[0] * 2  # the mask has half its height as margin
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * scale
    middle = np.array([(mask.shape[1] - 1) / 2, (mask.shape[0] - 1) / 2])
    half = np.abs(turn) @ (middle + 1) + 2
    low = np.floor(np.array(centre) - half).astype(int)
    high = np.ceil(np.array(centre) + half).astype(int)
    if low.min() < 0 or high[0] > picture.shape[1] or high[1] > picture.shape[0]:
        return
    shift = np.array(centre) - low - turn @ middle
    if scale < 0.7:
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.35 / scale), dtype=np.uint8)
    alpha = np.asarray(cv2.warpAffine(mask, np.column_stack([turn, shift]), tuple((high - low).tolist())), np.float32)
    alpha /= np.float32(255)
    patch = picture[low[1] : high[1], low[0] : high[0]]
    if scene.label.halo:
        glow = np.asarray(cv2.GaussianBlur(alpha, (0, 0), 0.12 * height_px), dtype=np.float32)
        mix(patch, (70, 80, 90), np.minimum(1, scene.label.halo * 1.5 * glow).astype(np.float32))
    mix(patch, colour, alpha)


def text_mask(text: str, face: str, weight: int) -> NDArray[np.uint8]:
    """White text on black, cap height half the picture's 96 px; Hershey where OpenCV has no outline fonts."""
    canvas = np.zeros((96, 96 * max(1, len(text)) + 48, 3), np.uint8)
    if hasattr(cv2, "FontFace"):
        cv2.putText(canvas, text, (24, 72), (255, 255, 255), cv2.FontFace(face), 66, weight)
    else:
        cv2.putText(canvas, text, (24, 72), cv2.FONT_HERSHEY_DUPLEX, 2.2, (255, 255, 255), weight // 100, cv2.LINE_AA)
    columns = np.flatnonzero(canvas[..., 0].max(axis=0))
    if len(columns) == 0:
        return np.zeros((96, 96), np.uint8)
    return np.ascontiguousarray(canvas[:, columns[0] : columns[-1] + 1, 0])


def paint_folds(picture: Image, scene: Scene, rng: np.random.Generator) -> None:
    """The grooves of the folds: a dark line beside a bright one, worn white in places."""
    unit = scene.radius * scene.scale
    height = picture.shape[0]
    for x in scene.folds:
        middle = (x - scene.offset[0]) * scene.scale
        low, high = int(middle - 0.5 * unit), int(middle + 0.5 * unit)
        if low < 0 or high > picture.shape[1]:
            continue
        away = (np.arange(low, high) - middle) / unit
        sway = 0.03 * np.sin(np.linspace(0, rng.uniform(3, 9), height))[:, None]
        groove = np.exp(-(((away[None] - sway) / 0.07) ** 2)) + 0.5 * np.exp(-(((away[None] - sway - 0.3) / 0.05) ** 2))
        crest = np.exp(-(((away[None] - sway + 0.16) / 0.06) ** 2))
        patch = picture[:, low:high]
        dark = (0.35 * patch.reshape(-1, 3).mean(axis=0)).tolist()
        mix(patch, dark, np.clip(groove * rng.uniform(0.15, 0.7), 0, 1).astype(np.float32))
        mix(patch, (190, 190, 190), np.clip(crest * rng.uniform(0.0, 0.25), 0, 1).astype(np.float32))
        if rng.random() < 0.6:  # the cloth that holds the panels shows at both ends
            tape = np.array([60.0, 60.0, 60.0]) + rng.uniform(-40, 40)
            half, deep = round(rng.uniform(0.8, 2.5) * unit), round(rng.uniform(0.15, 0.5) * unit)
            for rows in (slice(0, deep), slice(height - deep, height)):
                strip = picture[rows, max(0, round(middle) - half) : round(middle) + half]
                strip[:] = np.clip(tape + rng.normal(0, 6, strip.shape), 0, 255).astype(np.uint8)


def _window(picture: Image, spot: NDArray[np.float64], reach: float) -> tuple[Image, Field, Field, Field] | None:
    """A patch round a point with each pixel's distance, angle and depth below it; None when it leaves the picture."""
    low = np.floor(spot - reach).astype(int)
    high = np.ceil(spot + reach).astype(int) + 1
    if low.min() < 0 or high[0] > picture.shape[1] or high[1] > picture.shape[0]:
        return None
    xs = (np.arange(low[0], high[0]) - spot[0]).astype(np.float32)[None, :]
    ys = (np.arange(low[1], high[1]) - spot[1]).astype(np.float32)[:, None]
    distance = np.hypot(xs, ys)
    patch = picture[low[1] : high[1], low[0] : high[0]]
    return patch, distance, np.arctan2(ys, xs), np.broadcast_to(ys, distance.shape)
