"""Pictures without the board that is looked for: what a reader must refuse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.model import Card, MapTemplate, Region
from ontour_cv.synth.background import make_background
from ontour_cv.synth.noise import Image, smooth_field
from ontour_cv.synth.notes import mark_strokes
from ontour_cv.synth.paint import FlatBoard, paint_board
from ontour_cv.synth.palettes import hsv
from ontour_cv.synth.photograph import photograph
from ontour_cv.synth.scene import sample_scene
from ontour_cv.synth.shot import sample_shot
from ontour_cv.synth.strokes import sample_writer


def make_decoy(
    rng: np.random.Generator,
    kind: str | None = None,
    tier: str = "ordinary",
    long_side: int | None = None,
    backgrounds: Sequence[Path] = (),
) -> tuple[Image, str]:
    """A picture without a known board, ``(H, W, 3)`` uint8 BGR, and its kind.

    Args:
        rng: all chance.
        kind: a key of ``DECOYS``; None takes any.
        tier: how it is photographed, a key of ``shot.TIERS``.
        long_side: longer side of the photo; None lets the tier choose.
        backgrounds: photos of tables.
    """
    kind = kind if kind is not None else list(DECOYS)[int(rng.integers(len(DECOYS)))]
    shot = sample_shot(tier, rng, long_side)
    if kind == "desk":
        return make_background(shot.pose.size, rng, backgrounds), kind
    if kind == "noise":
        return _noise(shot.pose.size, rng), kind
    template, edition = other_map(rng)
    scene = replace(sample_scene(template, edition, rng, 0.0, 1600), furniture=0)
    if kind == "other-map":
        marks = {region: _any_mark(rng) for region in template.ids}
        strokes = mark_strokes(BoardState(marks), scene, sample_writer(rng), rng)
        flat = paint_board(scene, template, strokes, rng, shot.smears)
    else:
        canvas = np.zeros((scene.size_px[1], scene.size_px[0], 3), np.uint8)
        canvas[:] = hsv(rng.uniform(0, 1), rng.uniform(0, 0.3), rng.uniform(0.6, 1))
        DECOYS[kind](canvas, rng)
        flat = FlatBoard(canvas, scene.scale, scene.offset)
    return photograph(flat, scene, shot, rng, backgrounds)[0], kind


def other_map(rng: np.random.Generator) -> tuple[MapTemplate, Edition]:
    """A made-up map of 30-55 regions spread evenly, with its edition: a constellation nobody knows."""
    count, spots = int(rng.integers(30, 56)), [rng.uniform([0.08, 0.08], [0.92, 0.55])]
    while len(spots) < count:  # the best of a few darts keeps discs apart
        darts = rng.uniform([0.06, 0.06], [0.94, 0.56], (12, 2))
        gaps = np.linalg.norm(darts[:, None] - np.array(spots)[None], axis=2).min(axis=1)
        spots.append(darts[int(np.argmax(gaps))])
    where = np.array(spots)
    far = np.linalg.norm(where[:, None] - where[None], axis=2)
    linked: list[set[int]] = [set() for _ in range(count)]
    for k in range(count):
        for other in np.argsort(far[k])[1 : int(rng.integers(3, 6))]:
            linked[k].add(int(other))
            linked[int(other)].add(k)
    ids = [f"R{k:02d}" for k in range(count)]
    letters = [chr(65 + int(a)) + chr(65 + int(b)) for a, b in rng.integers(0, 26, (count, 2))]
    regions = tuple(
        Region(
            ids[k], ids[k], letters[k], (f"area {int(where[k, 0] * 3)}{int(where[k, 1] * 3)}",),
            tuple(sorted(ids[n] for n in linked[k])), (float(where[k, 0]), float(where[k, 1])),
        )
        for k in range(count)
    )  # fmt: skip
    cards = tuple(Card(region.id, region.areas[0]) for region in regions)
    links = sum(len(n) for n in linked) // 2
    template = MapTemplate("made-up", "A made-up map", False, "classic", links, regions, cards)
    cells = {region.id: region.layout for region in regions}
    return template, Edition("made-up", "made-up", "made up", cells, 0.019, "drawn by chance")


def _any_mark(rng: np.random.Generator) -> Mark:
    kind = (Kind.NUMBER, Kind.STAR, Kind.EMPTY)[int(rng.choice(3, p=[0.85, 0.05, 0.1]))]
    number = int(rng.integers(1, 99)) if kind is Kind.NUMBER else None
    return Mark(kind, number, kind is not Kind.EMPTY and bool(rng.random() < 0.25))


def _noise(size: tuple[int, int], rng: np.random.Generator) -> Image:
    """White noise or clouds of colour."""
    width, height = size
    if rng.random() < 0.3:
        return np.asarray(rng.integers(0, 256, (height, width, 3)), dtype=np.uint8)
    small = (height // 4, width // 4)
    clouds = np.stack([smooth_field(small, rng.uniform(3, 60), rng, 3) for _ in range(3)], axis=-1)
    grown = cv2.resize(np.clip(127 + 60 * clouds, 0, 255).astype(np.uint8), size, interpolation=cv2.INTER_CUBIC)
    return np.asarray(grown, dtype=np.uint8)


def _chess(canvas: Image, rng: np.random.Generator) -> None:
    side = canvas.shape[0] * 0.92 / 8
    low, high = hsv(rng.uniform(0, 1), 0.5, 0.35), hsv(rng.uniform(0, 1), 0.15, 0.95)
    for row in range(8):
        for column in range(8):
            x, y = int((column + 0.5) * side), int((row + 0.4) * side)
            tone = high if (row + column) % 2 else low
            cv2.rectangle(canvas, (x, y), (int(x + side), int(y + side)), tone, -1)
            if rng.random() < 0.4:
                man = (235, 240, 240) if rng.random() < 0.5 else (30, 30, 35)
                middle = (int(x + side / 2), int(y + side / 2))
                cv2.circle(canvas, middle, int(0.36 * side), man, -1, cv2.LINE_AA)
                cv2.circle(canvas, middle, int(0.24 * side), (90, 90, 90), 2, cv2.LINE_AA)


def _sudoku(canvas: Image, rng: np.random.Generator) -> None:
    side = canvas.shape[0] * 0.9 / 9
    for k in range(10):
        thick, at, end = 6 if k % 3 == 0 else 2, int((k + 0.5) * side), int(9.5 * side)
        cv2.line(canvas, (int(side / 2), at), (end, at), (30, 30, 30), thick)
        cv2.line(canvas, (at, int(side / 2)), (at, end), (30, 30, 30), thick)
    for row in range(9):
        for column in range(9):
            if rng.random() < 0.5:
                spot = (int((column + 0.75) * side), int((row + 1.25) * side))
                text, scale = str(int(rng.integers(1, 10))), side / 32
                cv2.putText(canvas, text, spot, cv2.FONT_HERSHEY_DUPLEX, scale, (35, 30, 30), 3, cv2.LINE_AA)


def _go(canvas: Image, rng: np.random.Generator) -> None:
    canvas[:] = (110, 175, 220)
    step = canvas.shape[0] * 0.9 / 18
    for k in range(19):
        at, end = int((k + 1) * step), int(19 * step)
        cv2.line(canvas, (int(step), at), (end, at), (30, 40, 40), 2)
        cv2.line(canvas, (at, int(step)), (at, end), (30, 40, 40), 2)
    for x, y in rng.integers(1, 20, (int(rng.integers(20, 160)), 2)):
        tone = (245, 245, 245) if rng.random() < 0.5 else (25, 25, 25)
        cv2.circle(canvas, (int(x * step), int(y * step)), int(0.46 * step), tone, -1, cv2.LINE_AA)


def _grid(canvas: Image, rng: np.random.Generator) -> None:
    """Rows of ringed discs, square or staggered: the nearest thing to the real print without its shape."""
    height, width = canvas.shape[:2]
    canvas[:] = hsv(rng.uniform(0, 1), rng.uniform(0.3, 1), rng.uniform(0.1, 0.8))
    radius, ring = width * rng.uniform(0.014, 0.026), hsv(rng.uniform(0, 1), 0.9, 0.8)
    pitch, stagger = radius * rng.uniform(2.6, 5), rng.choice([0.0, 0.5])
    for row, y in enumerate(np.arange(pitch, height - pitch / 2, pitch)):
        for x in np.arange(pitch * (1 + stagger * (row % 2)), width - pitch / 2, pitch):
            cv2.circle(canvas, (int(x), int(y)), int(radius), (225, 240, 245), -1, cv2.LINE_AA)
            cv2.circle(canvas, (int(x), int(y)), int(radius), ring, max(1, int(radius / 8)), cv2.LINE_AA)
            if rng.random() < 0.6:
                spot = (int(x - 0.7 * radius), int(y + 0.4 * radius))
                text = f"{int(rng.integers(0, 100)):02d}"
                cv2.putText(canvas, text, spot, cv2.FONT_HERSHEY_SIMPLEX, radius / 28, (20, 20, 20), 3, cv2.LINE_AA)


def _polka(canvas: Image, rng: np.random.Generator) -> None:
    """Pale dots strewn at random on a coloured ground, one size or many."""
    height, width = canvas.shape[:2]
    canvas[:] = hsv(rng.uniform(0, 1), rng.uniform(0.4, 1), rng.uniform(0.2, 0.9))
    spread = rng.choice([0.02, 0.4])
    for _ in range(int(rng.integers(30, 200))):
        radius = width * 0.019 * np.exp(rng.normal(0, spread))
        spot = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        cv2.circle(canvas, spot, int(radius), hsv(rng.uniform(0, 1), 0.1, 0.95), -1, cv2.LINE_AA)


def _page(canvas: Image, rng: np.random.Generator) -> None:
    """A page of print with a headline and a round stamp or two."""
    height, width = canvas.shape[:2]
    canvas[:] = int(rng.integers(225, 256))
    for y in np.arange(0.08 * height, 0.95 * height, 0.035 * height):
        x = 0.06 * width
        while x < 0.9 * width:
            word = width * rng.uniform(0.015, 0.07)
            tall = height * 0.012
            cv2.rectangle(canvas, (int(x), int(y)), (int(x + word * 0.85), int(y + tall)), (60, 60, 60), -1)
            x += word
    for _ in range(int(rng.integers(0, 4))):
        spot = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        cv2.circle(canvas, spot, int(0.05 * width), (40, 40, 190), 5, cv2.LINE_AA)


def _nothing(canvas: Image, rng: np.random.Generator) -> None:
    """Kinds made elsewhere leave the canvas alone."""


DECOYS: dict[str, Callable[[Image, np.random.Generator], None]] = {
    "chess": _chess,
    "sudoku": _sudoku,
    "go": _go,
    "disc-grid": _grid,
    "polka-dots": _polka,
    "page": _page,
    "other-map": _nothing,
    "desk": _nothing,
    "noise": _nothing,
}
"""Kinds of decoys, each with what it draws on a sheet lying on the table."""
