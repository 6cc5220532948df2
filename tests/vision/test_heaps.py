"""find_heaps: what is written stands where it was written; nothing on blank paper; tilt as the outlines near show."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from sheets import Sheet, pose, shoot

from ontour_cv.maps.load import load_editions
from ontour_cv.vision.heaps import SIZES, SLANT, find_heaps, inked, leaning
from ontour_cv.vision.landmarks import Candidates, find_discs
from ontour_cv.vision.photo import Photo

cv2.setNumThreads(1)

EDITION = load_editions("usa")[0]
PAPER = (250, 250, 250)
SIZE = (1280, 960)


def outlines(picture: np.ndarray) -> Candidates:
    return find_discs(Photo("test", np.asarray(picture, np.uint8)))


def nearest(places: np.ndarray, centres: np.ndarray) -> np.ndarray:
    return np.asarray(np.hypot(*(places[:, None] - centres[None]).transpose(2, 0, 1)).min(axis=1))


@pytest.mark.parametrize("tilt", [0, 30])
def test_numbers_without_a_disc_are_heaps_of_their_size(tilt: float) -> None:
    """A number as wide as its disc: the lot of the size nearest to that has nearly all of them, near their middles."""
    sheet = Sheet(EDITION.cells, EDITION.radius, art=False, disc=PAPER, ring=PAPER)
    photo, centres, radii = shoot(sheet, pose(sheet, SIZE, tilt, 40, 200), SIZE, 3)
    lots = list(find_heaps(outlines(photo)))
    assert len(lots) == len(SIZES)
    best = min(lots, key=lambda lot: abs(np.log(lot.radii_px[0] / np.median(radii))) if len(lot) else np.inf)
    assert (nearest(centres, best.centres_photo) < 0.4 * radii).sum() >= 30  # nine in ten discs are written in


def test_each_lot_has_its_best_first() -> None:
    sheet = Sheet(EDITION.cells, EDITION.radius)
    photo, _, _ = shoot(sheet, pose(sheet, SIZE, 10, 0, 0), SIZE)
    for lot in find_heaps(outlines(photo)):
        assert (np.diff(lot.quality) <= 0).all()
        assert lot.quality.max(initial=1.0) == 1.0


@pytest.mark.parametrize("size", [(40, 60), (700, 500), (5, 900)])
def test_blank_paper_has_nothing_written(size: tuple[int, int]) -> None:
    found = outlines(np.full((*size, 3), 240, np.uint8))
    assert [len(lot) for lot in find_heaps(found)] == [0] * len(SIZES)


def test_wide_dark_fields_are_no_ink() -> None:
    picture = np.full((960, 1280, 3), 235, np.uint8)
    cv2.rectangle(picture, (300, 300), (900, 700), (20, 20, 20), -1)
    cv2.line(picture, (100, 100), (1200, 100), (20, 20, 20), 3)
    ink = inked(outlines(picture).working)
    assert ink[50, 100:500].mean() > 0.5
    assert ink[160:340, 160:440].max() == 0.0


def test_a_heap_is_tilted_as_the_outlines_near_are() -> None:
    sheet = Sheet(EDITION.cells, EDITION.radius)
    photo, _, _ = shoot(sheet, pose(sheet, SIZE, 35, 90, 0), SIZE)
    found = outlines(photo)
    tilted = np.concatenate([lot.shapes for lot in find_heaps(found)])
    known = found.shapes[~np.isnan(found.shapes).any(axis=1)]
    assert np.median(tilted, axis=0) == pytest.approx(np.median(known, axis=0), abs=0.1)
    assert tilted[:, 0] * tilted[:, 2] - tilted[:, 1] ** 2 == pytest.approx(1.0, abs=0.2)
    plain = next(iter(find_heaps(replace(found, shapes=np.full_like(found.shapes, np.nan)))))
    assert (plain.shapes == [1.0, 0.0, 1.0]).all()


def test_heaps_lean_to_four_sides_and_keep_their_size() -> None:
    sheet = Sheet(EDITION.cells, EDITION.radius)
    photo, _, _ = shoot(sheet, pose(sheet, SIZE, 10, 0, 0), SIZE)
    heaps = list(find_heaps(outlines(photo)))[2]
    slants = list(leaning(heaps))
    axes = []
    for slant in slants:
        assert slant.centres_photo is heaps.centres_photo
        xx, xy, yy = slant.shapes.T
        values, vectors = np.linalg.eigh(np.array([[xx[0], xy[0]], [xy[0], yy[0]]]))
        assert values == pytest.approx([SLANT, 1 / SLANT])
        axes.append(np.degrees(np.arctan2(vectors[1, 1], vectors[0, 1])) % 180)
    assert sorted(round(axis) % 180 for axis in axes) == [0, 45, 90, 135]
