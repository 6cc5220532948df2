"""Boards written larger than their discs are looked at from farther away, others are not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from ontour_cv.vision import glyphs
from ontour_cv.vision.cells import AROUND, CELL, CellCrops, Window
from ontour_cv.vision.farther import FARTHEST, farther
from ontour_cv.vision.glyphs import MarkReader
from ontour_cv.vision.rewritten import Ink

NUMBERS = [13, 31, 24, 42, 56, 65, 70, 7, 89, 98, 16, 61, 37, 73, 28, 82]

FINE = 4
"""Crops are drawn so many times as large and averaged."""


def drawn(number: int, height: float, window: Window) -> np.ndarray:
    """A white disc on green with its printed ring, and a number of that height (disc radii) written across it.

    The number is as wide as the disc at most, as people squeeze it.
    """
    unit, side = FINE * window.px_per_radius, FINE * window.px
    picture = np.full((side, side, 3), (150, 190, 160), np.uint8)
    cv2.circle(picture, (side // 2, side // 2), round(unit), (245, 245, 245), -1, cv2.LINE_AA)
    cv2.circle(picture, (side // 2, side // 2), round(unit), (60, 60, 60), round(0.06 * unit), cv2.LINE_AA)
    canvas = np.zeros((400, 800), np.uint8)
    cv2.putText(canvas, f"{number:02d}", (100, 300), cv2.FONT_HERSHEY_SIMPLEX, 5.0, 255, 16, cv2.LINE_AA)
    canvas = canvas[np.ix_(canvas.any(axis=1), canvas.any(axis=0))]
    scale = np.array(
        [min(height * unit / canvas.shape[0], 2 * unit / canvas.shape[1]), height * unit / canvas.shape[0]]
    )
    matrix = np.column_stack([np.diag(scale), side / 2 - scale * canvas.shape[::-1] / 2])
    ink = cv2.warpAffine(canvas, matrix, (side, side), flags=cv2.INTER_AREA)[..., None] / 255
    picture = np.asarray(picture * (1 - ink) + 30 * ink, dtype=np.uint8)
    return np.asarray(cv2.resize(picture, (window.px, window.px), interpolation=cv2.INTER_AREA))


def board(height: float) -> CellCrops:
    """Sixteen cells written in digits of that height."""
    images, around = (np.stack([drawn(number, height, window) for number in NUMBERS]) for window in (CELL, AROUND))
    return CellCrops(tuple(map(str, NUMBERS)), images, np.ones(len(NUMBERS)), None, around)


def spread(images: np.ndarray) -> float:
    """How far from the top of the ink to its foot, pixels, the median of some crops."""
    rows = [np.flatnonzero((image.max(axis=2) < 90).sum(axis=1) > 1) for image in images]
    return float(np.median([row[-1] - row[0] for row in rows]))


@pytest.mark.parametrize("height", [0.6, 0.9, 1.15])
def test_what_fits_its_disc_is_left_alone(height: float) -> None:
    crops = board(height)
    assert crops.around is not None
    assert farther(crops.around, Ink.of(crops.images)) is None


@pytest.mark.parametrize("height", [1.7, 2.0])
def test_what_does_not_is_seen_smaller_about_the_same_middle(height: float) -> None:
    """By as much as its height calls for, and no smaller than what was cut of the cells allows."""
    crops = board(height)
    assert crops.around is not None
    seen = farther(crops.around, Ink.of(crops.images))
    assert seen is not None
    assert seen.shape == crops.images.shape
    away = spread(crops.images) / spread(seen)
    assert 1.15 < away < FARTHEST * 1.06
    off = [np.argwhere(image.max(axis=2) < 90).mean(axis=0) - (CELL.px - 1) / 2 for image in seen]
    assert np.abs(np.median(off, axis=0)).max() < 1.5


def test_nothing_beyond_what_was_cut_is_made_up() -> None:
    """The farthest look still lies inside the wide crops."""
    assert FARTHEST * CELL.radii <= AROUND.radii


def test_large_numbers_are_read_as_usual_ones_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of digits twice as high as a disc's radius more are right than without, and what is right is surer."""
    reader, crops = MarkReader(), board(2.0)
    with_it = reader.read(crops)
    monkeypatch.setattr(glyphs, "farther", lambda *_: None)
    without = reader.read(crops)
    truth = np.arange(len(NUMBERS)), np.array(NUMBERS)
    right = [int((scores.number.argmax(axis=1) == NUMBERS).sum()) for scores in (without, with_it)]
    assert right[1] >= right[0]
    assert with_it.number[truth].sum() > without.number[truth].sum()


def test_without_wide_crops_cells_are_read_as_they_are() -> None:
    reader, crops = MarkReader(), board(2.0)
    bare = CellCrops(crops.ids, crops.images, crops.px_per_radius)
    assert reader.read(bare).number.shape == (len(NUMBERS), 100)
