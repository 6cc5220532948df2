"""Training cells painted one by one: a board's surroundings of one disc, ink, light and lens, then the real cropper.

A whole photo costs a second for 41 cells; this costs about two milliseconds a cell, so the network sees far more
boards, pens and lights than it would in photos. Cells cut from whole rendered photos are mixed in (``train.boards``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.board import Kind, Mark
from ontour_cv.synth.ink import Stroke, cell_strokes, coverage, leg, tick
from ontour_cv.synth.strokes import Writer, ring, smooth
from ontour_cv.train.style import BoardStyle, Image, art_texture, hsv
from ontour_cv.vision.cells import crop_cell
from ontour_cv.vision.register import CellPlace

CANVAS_PX = 112
"""Side of the flat picture a cell is painted on."""

RADIUS_PX = 29.0
"""Disc radius on that picture: a little finer than the reader's crop."""

MIDDLE = (CANVAS_PX - 1) / 2.0
FRAME = np.array([[RADIUS_PX, 0.0, MIDDLE], [0.0, RADIUS_PX, MIDDLE]])
"""Disc radii round the cell's centre -> canvas pixels."""

KINDS = (Kind.EMPTY, Kind.NUMBER, Kind.STAR, Kind.BLOCKED)
LETTERS = "ACDEFGHIKLMNOPRSTUVWXYZ"


def random_mark(rng: np.random.Generator) -> Mark:
    """A mark with stars, X and circles more frequent than in play, so that they are learnt as well."""
    kind = KINDS[int(rng.choice(4, p=[0.13, 0.65, 0.11, 0.11]))]
    circled = bool(rng.random() < {Kind.NUMBER: 0.32, Kind.STAR: 0.4, Kind.EMPTY: 0.02}.get(kind, 0.0))
    number = int(rng.integers(100)) if kind is Kind.NUMBER else None
    return Mark(kind, number, circled)


@dataclass(frozen=True, slots=True, eq=False)
class Shop:
    """What patches are made of, prepared once per process.

    Attributes:
        art: pieces of board art.
    """

    art: list[Image]

    @classmethod
    def open(cls, rng: np.random.Generator, textures: int = 160) -> Shop:
        """A shop with that many pieces of art."""
        return cls([art_texture(rng) for _ in range(textures)])


def paint_cell(mark: Mark, writer: Writer, style: BoardStyle, shop: Shop, rng: np.random.Generator) -> Image:
    """The flat picture round one disc, ``(CANVAS_PX, CANVAS_PX, 3)`` BGR, before any camera."""
    image = _ground(style, shop, rng)
    _links(image, style, rng)
    near = _neighbour(rng)
    strokes: list[Stroke] = []
    if near is not None:
        _disc(image, style, near, rng)
        strokes += cell_strokes(random_mark(rng), near, 1.0, writer, rng)
    _disc(image, style, (0.0, 0.0), rng)
    _label(image, style, rng)
    _ghost(image, writer, rng)
    strokes += cell_strokes(mark, (0.0, 0.0), 1.0, writer, rng)
    strokes += _clutter(mark, writer, rng)
    return ink_on(image, strokes, FRAME, writer.ink_bgr, rng)


def ink_on(
    image: Image, strokes: list[Stroke], frame: NDArray[np.float64], bgr: tuple[int, int, int],
    rng: np.random.Generator,
) -> Image:  # fmt: skip
    """The picture with the strokes on it; ink dries out in places and lets some print through."""
    if not strokes:
        return image
    cover = coverage(strokes, frame, (image.shape[0], image.shape[1]))
    if rng.random() < 0.3:
        coarse = rng.uniform(0, 1, (20, 20)).astype(np.float32)
        dry = np.asarray(cv2.resize(coarse, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_CUBIC))
        cover = cover * (1.0 - np.float32(rng.uniform(0.2, 0.8)) * np.clip(dry * 2 - 1, 0, 1))
    alpha = (cover * rng.uniform(0.78, 1.0))[..., None]
    colour = np.clip(np.array(bgr) + rng.normal(0, 6, 3), 0, 255)
    return np.asarray(image * (1 - alpha) + colour * alpha, dtype=np.uint8)


def _ground(style: BoardStyle, shop: Shop, rng: np.random.Generator) -> Image:
    if style.lineart:
        image = np.full((CANVAS_PX, CANVAS_PX, 3), int(rng.integers(225, 256)), np.uint8)
        for _ in range(int(rng.integers(0, 5))):
            points = np.cumsum(rng.normal(0, 25, (6, 2)), axis=0) + rng.uniform(0, CANVAS_PX, 2)
            shade = hsv(rng, (0, 1), (0, 0.9))
            cv2.polylines(image, [points.astype(np.int32)], False, shade, int(rng.integers(1, 9)), cv2.LINE_AA)
        return image
    art = shop.art[int(rng.integers(len(shop.art)))]
    zoom = rng.uniform(0.5, 1.6)
    size = int(CANVAS_PX / zoom)
    x, y = rng.integers(0, art.shape[0] - size, 2)
    piece = art[y : y + size, x : x + size]
    image = np.asarray(cv2.resize(piece, (CANVAS_PX, CANVAS_PX), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    if rng.random() < 0.3:  # a coast: the dark field outside the map
        angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(1.0, 2.0) * RADIUS_PX
        normal = np.array([np.cos(angle), np.sin(angle)])
        edge = MIDDLE + normal * away
        side = np.array([-normal[1], normal[0]]) * 200
        poly = np.stack([edge + side, edge - side, edge - side + normal * 200, edge + side + normal * 200])
        cv2.fillPoly(image, [poly.astype(np.int32)], hsv(rng, (0, 0.4), (0.02, 0.3)), cv2.LINE_AA)
    return image


def _links(image: Image, style: BoardStyle, rng: np.random.Generator) -> None:
    if not style.link_kind:
        return
    for angle in rng.uniform(0, 2 * np.pi, int(rng.integers(1, 8))):
        along = np.array([np.cos(angle), np.sin(angle)])
        if style.link_kind == 3:
            ends = [tuple(int(v) for v in MIDDLE + along * RADIUS_PX * k) for k in (1.0, 3.0)]
            cv2.line(image, ends[0], ends[1], style.link_bgr, 2, cv2.LINE_AA)
            continue
        step = 0.22 if style.link_kind == 1 else 0.4
        for k in np.arange(1.12, 2.8, step):
            a = MIDDLE + along * RADIUS_PX * k
            if style.link_kind == 1:
                cv2.circle(image, (int(a[0] * 8), int(a[1] * 8)), 14, style.link_bgr, -1, cv2.LINE_AA, 3)
            else:
                b = a + along * RADIUS_PX * 0.2
                cv2.line(image, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), style.link_bgr, 2, cv2.LINE_AA)


def _neighbour(rng: np.random.Generator) -> tuple[float, float] | None:
    if rng.random() > 0.3:
        return None
    angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(2.15, 2.7)
    return float(away * np.cos(angle)), float(away * np.sin(angle))


def _disc(image: Image, style: BoardStyle, centre: tuple[float, float], rng: np.random.Generator) -> None:
    middle = FRAME[:, :2] @ np.asarray(centre) + FRAME[:, 2]
    at = (int(middle[0] * 16), int(middle[1] * 16))
    radius = RADIUS_PX * style.disc_scale
    layer = image.copy()
    cv2.circle(layer, at, int(radius * 16), style.disc_bgr, -1, cv2.LINE_AA, 4)
    cv2.addWeighted(layer, style.disc_alpha, image, 1 - style.disc_alpha, 0, image)
    if style.glow:
        y, x = np.mgrid[0:CANVAS_PX, 0:CANVAS_PX].astype(np.float32)
        fall = np.clip(1 - np.hypot(x - middle[0], y - middle[1]) / radius, 0, 1)[..., None]
        image[:] = np.clip(image * (1 - style.glow * fall * 0.5) + style.glow * fall * 40, 0, 255)
    if style.ring_width:
        thick = max(1, round(style.ring_width * RADIUS_PX))
        out = radius + style.ring_gap * RADIUS_PX + thick / 2
        cv2.circle(image, at, int(out * 16), style.ring_bgr, thick, cv2.LINE_AA, 4)


def _label(image: Image, style: BoardStyle, rng: np.random.Generator) -> None:
    if not style.label_alpha:
        return
    text = "".join(rng.choice(list(LETTERS), 2)) if rng.random() < 0.95 else "".join(rng.choice(list(LETTERS), 3))
    (width, height), _ = cv2.getTextSize(text, style.label_font, 1.0, style.label_bold)
    scale = style.label_height * RADIUS_PX / max(height, 1)
    where = (int(MIDDLE - width * scale / 2 + rng.normal(0, 1)), int(MIDDLE + height * scale / 2 + rng.normal(0, 1)))
    layer = image.copy()
    cv2.putText(layer, text, where, style.label_font, scale, style.label_bgr, style.label_bold, cv2.LINE_AA)
    cv2.addWeighted(layer, style.label_alpha, image, 1 - style.label_alpha, 0, image)


def _ghost(image: Image, writer: Writer, rng: np.random.Generator) -> None:
    """Wiped ink of an earlier game, and smears."""
    if rng.random() > 0.22:
        return
    old = Mark(Kind.NUMBER, int(rng.integers(100)), bool(rng.random() < 0.3))
    cover = coverage(cell_strokes(old, _near(rng), 1.0, writer, rng), FRAME, (CANVAS_PX, CANVAS_PX))
    kernel = (int(rng.integers(1, 14)), int(rng.integers(1, 14)))
    faint = np.asarray(cv2.blur(cover, kernel))[..., None] * rng.uniform(0.05, 0.3)
    image[:] = image * (1 - faint) + np.array(writer.ink_bgr) * faint


def _near(rng: np.random.Generator) -> tuple[float, float]:
    return float(rng.normal(0, 0.15)), float(rng.normal(0, 0.15))


def _clutter(mark: Mark, writer: Writer, rng: np.random.Generator) -> list[Stroke]:
    strokes: list[Stroke] = []
    if rng.random() < 0.4:
        for angle in rng.uniform(0, 2 * np.pi, int(rng.choice([1, 2, 3], p=[0.3, 0.6, 0.1]))):
            far = rng.uniform(2.8, 8.0)
            end = (float(far * np.cos(angle)), float(far * np.sin(angle)))
            reach = float(np.clip(rng.normal(0.98, 0.16), 0.45, 1.4))
            strokes += leg((0.0, 0.0), end, 1.0, reach, writer, rng, bool(rng.random() < 0.2))
    if rng.random() < 0.06:  # a line passing by, sometimes over the digits
        angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 1.5)
        along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        points = np.stack([across * away + along * k + rng.normal(0, 0.1, 2) for k in (-2.5, 0.0, 2.5)])
        strokes.append(Stroke(smooth(points), writer.pen, 0.95, writer.ink_bgr))
    if mark.kind is not Kind.BLOCKED and rng.random() < 0.16:
        strokes += tick((0.0, 0.0), 1.0, writer, rng)
    if not mark.circled and rng.random() < 0.08:  # a bracket or arc beside the disc: not a circle
        part = ring(rng) * 2 * rng.uniform(1.0, 1.4)
        count = int(30 * rng.uniform(0.12, 0.36))  # a ring has about thirty points a turn
        start = int(rng.integers(0, len(part) - count))
        strokes.append(Stroke(part[start : start + count], writer.pen, 0.95, writer.ink_bgr))
    if rng.random() < 0.05:  # a bar under or beside the number
        x, y = rng.normal(0, 0.2), rng.choice([-1, 1]) * rng.uniform(0.75, 1.2)
        bar = np.array([[x - 0.5, y], [x + 0.5, y + rng.normal(0, 0.05)]])
        strokes.append(Stroke(bar if rng.random() < 0.7 else bar[:, ::-1].copy(), writer.pen, 0.95, writer.ink_bgr))
    return strokes


def draw_patch(
    mark: Mark,
    writer: Writer,
    style: BoardStyle,
    shop: Shop,
    rng: np.random.Generator,
    photograph: Callable[[Image, NDArray[np.float64], np.random.Generator], tuple[Image, CellPlace]],
) -> Image:
    """One training crop, through a camera and the reader's own cropper."""
    flat = paint_cell(mark, writer, style, shop, rng)
    picture, place = photograph(flat, FRAME, rng)
    return crop_cell(picture, place)
