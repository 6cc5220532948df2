"""Board art of our own: a made-up coast round the discs, regions grown from them, bands, stripes, icons, a ground."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.maps.model import MapTemplate
from ontour_cv.synth.icons import ICONS, draw_icon
from ontour_cv.synth.noise import Field, Image, grow, smooth_field
from ontour_cv.synth.palettes import Colour
from ontour_cv.synth.scene import Scene

SEA = 255
"""Label of everything outside the map."""


CLOSE_COAST = (0.6, 2.2)
"""How far from a disc's middle land reaches at least where the map leaves discs no room, disc radii."""

ASIDE = 0.8
"""How far a disc may lie from the middle of its region there, disc radii each way."""


@dataclass(frozen=True, slots=True, eq=False)
class Land:
    """Which region each pixel of the board belongs to.

    Attributes:
        labels: ``(H, W)`` uint8, index of the region in the map's order, or ``SEA``.
        coast: ``(h, w)`` float32 at low resolution, above 0.5 on land.
        tones: region colours BGR, ``(256, 3)`` uint8, indexed by label.
    """

    labels: Image
    coast: Field
    tones: Image


def make_land(scene: Scene, template: MapTemplate, rng: np.random.Generator) -> Land:
    """A coast and regions round the scene's discs; no real border is copied."""
    width, height = scene.size_px
    spots = centres_px(scene, template)
    small_w = 640
    shrink = small_w / width
    shape = (max(1, round(height * shrink)), small_w)
    radius = scene.radius * scene.scale
    reach = rng.uniform(*CLOSE_COAST, len(spots)) if scene.tight else np.full(len(spots), rng.uniform(1.6, 2.8))
    coast = _coast(spots * shrink, template, radius * shrink, reach, shape, rng)
    seeds = np.full((height, width), 255, np.uint8)
    middles = spots + rng.uniform(-ASIDE, ASIDE, spots.shape) * radius if scene.tight else spots
    cells = np.clip(np.round(middles).astype(int), 0, [width - 1, height - 1])
    seeds[cells[:, 1], cells[:, 0]] = 0
    _, nearest = cv2.distanceTransformWithLabels(seeds, cv2.DIST_L2, cv2.DIST_MASK_5, labelType=cv2.DIST_LABEL_PIXEL)
    lookup = np.zeros(len(cells) + 1, np.uint8)
    lookup[nearest[cells[:, 1], cells[:, 0]]] = np.arange(len(cells))
    owners = lookup[nearest]
    owners = _wobbled(owners, radius * float(rng.choice([0.15, 0.5, 0.9])), rng)
    labels = np.where(grow(coast, (width, height)) > 0.5, owners, np.uint8(SEA))
    return Land(labels, coast, _tones(scene, template, rng))


def centres_px(scene: Scene, template: MapTemplate) -> NDArray[np.float64]:
    """Disc centres ``(N, 2)`` in pixels of the painted board, in the map's order."""
    cells = np.array([scene.cells[i] for i in template.ids])
    return np.asarray((cells - np.array(scene.offset)) * scene.scale - 0.5, dtype=np.float64)


def paint_art(scene: Scene, template: MapTemplate, land: Land, rng: np.random.Generator) -> Image:
    """The board without discs, ``(H, W, 3)`` uint8 BGR."""
    picture = land.tones[land.labels]
    if scene.palette.paper:
        _lines(picture, scene, template, land)
        return picture
    _texture(picture, scene, land, rng)
    _stripes(picture, scene, land, rng)
    _icons(picture, scene, land, rng)
    if rng.random() < 0.8:
        _borders(picture, scene, land)
    _outline(picture, scene, land, rng)
    return picture


def _coast(
    spots: NDArray[np.float64], template: MapTemplate, radius: float, reach: NDArray[np.float64],
    shape: tuple[int, int], rng: np.random.Generator,
) -> Field:  # fmt: skip
    """Discs and links drawn fat, closed and blurred, with a noisy shore; above 0.5 is land."""
    canvas = np.zeros(shape, np.uint8)
    where = {region: spots[k] for k, region in enumerate(template.ids)}
    for a, b in template.edges():
        ends = [tuple(int(v) for v in where[r]) for r in (a, b)]
        cv2.line(canvas, ends[0], ends[1], 255, max(1, round(1.6 * radius)))
    for (x, y), fat in zip(spots, reach, strict=True):
        cv2.circle(canvas, (int(x), int(y)), round(fat * radius), 255, -1)
        if rng.random() < 0.35:  # capes and corners that no disc accounts for
            cape = rng.normal((x, y), 2.2 * radius)
            cv2.ellipse(canvas, (int(cape[0]), int(cape[1])), (round(1.9 * radius), round(radius)),
                        rng.uniform(0, 180), 0, 360, 255, -1)  # fmt: skip
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round(3 * radius) + 1,) * 2)
    canvas = np.asarray(cv2.morphologyEx(canvas, cv2.MORPH_CLOSE, kernel))
    soft = np.asarray(cv2.GaussianBlur(canvas.astype(np.float32) / 255, (0, 0), 0.45 * radius))
    rough = smooth_field(shape, 26, rng, octaves=3)
    return np.asarray(soft + 0.16 * rough * (soft > 0.02) * (soft < 0.999), dtype=np.float32)


def _wobbled(owners: Image, amount_px: float, rng: np.random.Generator) -> Image:
    """Straight region borders bent by a smooth random shift of up to a few ``amount_px``."""
    height, width = owners.shape
    shape = (height // 8, width // 8)
    moves = [grow(smooth_field(shape, 30, rng, octaves=2) * amount_px * 0.5, (width, height)) for _ in range(2)]
    xs = moves[0] + np.arange(width, dtype=np.float32)[None, :]
    ys = moves[1] + np.arange(height, dtype=np.float32)[:, None]
    return np.asarray(cv2.remap(owners, xs, ys, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)


def _tones(scene: Scene, template: MapTemplate, rng: np.random.Generator) -> Image:
    palette = scene.palette
    tones = np.zeros((256, 3), np.uint8)
    tones[SEA] = palette.field
    for k, region in enumerate(template.regions):
        own = np.array(area_colour(scene, template, region.id), np.float64)
        if palette.paper:
            tones[k] = palette.field
            continue
        tones[k] = np.clip(own + rng.normal(0, palette.spread) + rng.normal(0, palette.spread / 3, 3), 0, 255)
    return tones


def area_colour(scene: Scene, template: MapTemplate, region: str) -> Colour:
    """The palette's colour for the group of areas a region belongs to."""
    index = sorted({r.areas for r in template.regions}).index(template.region(region).areas)
    return scene.palette.areas[index % len(scene.palette.areas)]


def _texture(picture: Image, scene: Scene, land: Land, rng: np.random.Generator) -> None:
    """Soft gradients and hard-edged bands of lighter, darker and foreign colours, drawn at a third of the size."""
    height, width = picture.shape[:2]
    shape = (height // 3, width // 3)
    on_land = np.asarray(cv2.resize(land.labels, shape[::-1], interpolation=cv2.INTER_NEAREST)) != SEA
    shift = np.zeros((*shape, 3), np.float32)
    waves = 16 * scene.palette.busy * smooth_field(shape, 7, rng)
    shift += waves[..., None] * rng.uniform(0.3, 1.4, 3).astype(np.float32)
    for _ in range(int(rng.integers(2, 8))):
        wave = smooth_field(shape, rng.uniform(3, 12), rng)
        low = rng.uniform(0.2, 1.2)
        band = (wave > low) & (wave < low + rng.uniform(0.2, 1.0))
        colourful = 30 if rng.random() < 0.4 else 8  # most bands are tints and shades of what they cross
        shift[band] += scene.palette.busy * (rng.normal(0, colourful, 3) + rng.normal(8, 34))
    shift *= on_land[..., None]
    shift += 3 * smooth_field(shape, 5, rng)[..., None]
    strength = rng.uniform(0, 5)
    shift += (strength * rng.standard_normal(shape, dtype=np.float32))[..., None]
    grown = np.asarray(cv2.resize(np.clip(np.round(shift), -127, 127).astype(np.int16), (width, height)))
    picture[:] = np.asarray(cv2.add(picture.astype(np.int16), grown)).clip(0, 255)


def _stripes(picture: Image, scene: Scene, land: Land, rng: np.random.Generator) -> None:
    """Ruled lines, rays or dots inside a few regions."""
    pitch = scene.radius * scene.scale
    for label in rng.choice(len(scene.cells), size=int(rng.integers(0, 9)), replace=False):
        ys, xs = np.nonzero(land.labels == label)
        if len(xs) == 0:
            continue
        angle, period = rng.uniform(0, np.pi), rng.uniform(0.25, 0.9) * pitch
        phase = (xs * np.cos(angle) + ys * np.sin(angle)) * (2 * np.pi / period)
        ink = np.sin(phase) > rng.uniform(0.3, 0.9)
        if rng.random() < 0.3:
            ink &= np.sin((ys * np.cos(angle) - xs * np.sin(angle)) * (2 * np.pi / period)) > 0.2
        change = rng.normal(0, 35 * scene.palette.busy, 3) + rng.normal(0, 30 * scene.palette.busy)
        rows, columns = ys[ink], xs[ink]
        picture[rows, columns] = np.clip(picture[rows, columns] + change, 0, 255).astype(np.uint8)


def _icons(picture: Image, scene: Scene, land: Land, rng: np.random.Generator) -> None:
    """Little pictures strewn over land and, dimly, over the ground."""
    height, width = picture.shape[:2]
    unit = scene.radius * scene.scale
    for _ in range(round(90 * scene.palette.busy * rng.uniform(0.2, 1.2))):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        label = int(land.labels[int(y), int(x)])
        if label == SEA:
            continue
        size = unit * rng.uniform(0.6, 2.4)
        tone = np.clip(land.tones[label] + rng.normal(0, 60, 3) + rng.choice([-60, 50]), 0, 255)
        if rng.random() < 0.2:
            tone = np.array(scene.palette.areas[int(rng.integers(6))], np.float64)
        draw_icon(picture, str(rng.choice(ICONS)), (x, y), size, rng.uniform(0, 2 * np.pi), _as_colour(tone), rng)
    if rng.random() < 0.7:
        kind, size = str(rng.choice(ICONS)), unit * rng.uniform(0.8, 1.8)
        dim = np.clip(np.array(scene.palette.field) + rng.uniform(8, 30) * rng.choice([-1, 1]), 0, 255)
        pitch = size * rng.uniform(2.2, 4.0)
        for row, y in enumerate(np.arange(0, height, pitch)):
            for x in np.arange(pitch / 2 * (row % 2), width, pitch):
                if land.labels[int(y), int(x)] == SEA:
                    draw_icon(picture, kind, (x, y), size, 0.7, _as_colour(dim), rng)


def _lines(picture: Image, scene: Scene, template: MapTemplate, land: Land) -> None:
    """Line art: borders in the colour of their area, and fatter where areas or land and sea meet."""
    groups = [r.areas for r in template.regions]
    order = sorted(set(groups))
    group = np.full(256, 0, np.uint8)
    group[: len(groups)] = [order.index(g) + 1 for g in groups]
    tones = np.array([scene.palette.field, *(area_colour(scene, template, r) for r in (
        template.regions[groups.index(g)].id for g in order))], np.uint8)  # fmt: skip
    unit = scene.palette.border_width * scene.radius * scene.scale
    for owners, width in ((land.labels, 0.5 * unit), (group[land.labels], unit)):
        edge = np.zeros(owners.shape, bool)
        edge[:, 1:] |= owners[:, 1:] != owners[:, :-1]
        edge[1:] |= owners[1:] != owners[:-1]
        inked = np.where(edge, np.maximum(group[land.labels], _shifted(group[land.labels])), np.uint8(0))
        kernel = np.ones((max(1, round(width)),) * 2, np.uint8)
        fat = np.asarray(cv2.dilate(inked, kernel), np.uint8)
        np.copyto(picture, tones[fat], where=(fat > 0)[..., None])


def _shifted(owners: Image) -> Image:
    """The larger of the owners above and to the left."""
    out = owners.copy()
    out[:, 1:] = np.maximum(out[:, 1:], owners[:, :-1])
    out[1:] = np.maximum(out[1:], owners[:-1])
    return out


def _borders(picture: Image, scene: Scene, land: Land) -> None:
    """Lines between regions and round the coast."""
    width_px = max(1, round(scene.palette.border_width * scene.radius * scene.scale))
    edge = np.zeros(land.labels.shape, bool)
    edge[:, 1:] |= land.labels[:, 1:] != land.labels[:, :-1]
    edge[1:] |= land.labels[1:] != land.labels[:-1]
    fat = np.asarray(cv2.dilate(edge.view(np.uint8), np.ones((width_px, width_px), np.uint8))).view(bool)
    picture[fat] = scene.palette.border


def _outline(picture: Image, scene: Scene, land: Land, rng: np.random.Generator) -> None:
    """One to three glowing or dashed lines that follow the coast outside."""
    unit = scene.radius * scene.scale
    shrink = land.coast.shape[1] / picture.shape[1]
    solid = (land.coast > 0.5).astype(np.uint8)
    for _ in range(int(rng.integers(0, 4))):
        reach = max(1, round(rng.uniform(0.15, 1.4) * unit * shrink))
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
        outlines, _ = cv2.findContours(cv2.dilate(solid, kernel), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        thick = max(1, round(rng.uniform(0.03, 0.25) * unit))
        dash = int(rng.integers(4, 20)) * int(rng.integers(2))
        for outline in outlines:
            points = np.round((outline[:, 0] + 0.5) / shrink).astype(np.int32)
            runs = [points] if dash == 0 else [points[k : k + dash] for k in range(0, len(points), 2 * dash)]
            cv2.polylines(picture, runs, dash == 0, scene.palette.accent, thick, cv2.LINE_AA)


def _as_colour(values: NDArray[np.float64]) -> Colour:
    b, g, r = (int(v) for v in values)
    return b, g, r
