"""find_discs: pale, white and dark discs, at any tilt, under any lamp; the working copy keeps its frame."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from sheets import Sheet, pose, shoot

from ontour_cv.maps.load import load_editions
from ontour_cv.vision.landmarks import find_discs, working_copy
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.symmetry import add_symmetric

cv2.setNumThreads(1)

CELLS = load_editions("usa")[0].cells
SIZE = (1600, 1200)

PRINTS = {
    "pale discs on art": Sheet(CELLS),
    "ring of the art's colour": Sheet(CELLS, ring=(60, 160, 200), disc=(190, 225, 235)),
    "white on white, thin dark ring": Sheet(CELLS, art=False, disc=(250, 250, 250), ring=(90, 90, 90)),
    "white on white, yellow ring": Sheet(CELLS, art=False, disc=(250, 250, 250), ring=(60, 190, 240)),
    "dark discs": Sheet(CELLS, disc=(60, 40, 40), ring=(230, 230, 230), marks=False),
    "larger discs": Sheet(CELLS, radius=0.024),
}


def recall(photo: np.ndarray, centres: np.ndarray, radii: np.ndarray) -> float:
    """Share of the discs with a candidate within a third of a radius."""
    found = find_discs(Photo("test", photo)).centres_photo
    gap = np.hypot(*(found[:, None] - centres[None]).transpose(2, 0, 1)) / radii
    return float((gap.min(axis=0) < 0.33).mean())


@pytest.mark.parametrize("name", PRINTS)
def test_discs_of_every_print_are_found(name: str) -> None:
    sheet = PRINTS[name]
    assert recall(*shoot(sheet, pose(sheet, SIZE, 15, 30, 5), SIZE)) >= 0.8


@pytest.mark.parametrize(("tilt", "least"), [(0, 0.9), (30, 0.85), (45, 0.7)])
def test_tilted_discs_are_found(tilt: float, least: float) -> None:
    sheet = PRINTS["pale discs on art"]
    assert recall(*shoot(sheet, pose(sheet, SIZE, tilt, 70, 200), SIZE)) >= least


@pytest.mark.parametrize("cast", [(0.45, 0.8, 1.0), (1.0, 0.85, 0.7)])
def test_a_coloured_lamp_does_not_hide_them(cast: tuple[float, float, float]) -> None:
    """A warm and a cold lamp: white paper is no longer grey, and its saturation says nothing."""
    sheet = PRINTS["white on white, yellow ring"]
    photo, centres, radii = shoot(sheet, pose(sheet, SIZE, 10, 0, 0), SIZE)
    assert recall((photo * np.array(cast) * 0.7).astype(np.uint8), centres, radii) >= 0.75


def test_heavy_compression_does_not_hide_them() -> None:
    sheet = PRINTS["pale discs on art"]
    photo, centres, radii = shoot(sheet, pose(sheet, SIZE, 20, 10, 90), SIZE)
    coarse = cv2.imdecode(cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, 30])[1], cv2.IMREAD_COLOR)
    assert recall(np.asarray(coarse), centres, radii) >= 0.8


def test_found_centres_are_exact_and_sizes_near() -> None:
    sheet = PRINTS["pale discs on art"]
    photo, centres, radii = shoot(sheet, pose(sheet, SIZE, 10, 0, 0), SIZE)
    found = find_discs(Photo("test", photo))
    gap = np.hypot(*(found.centres_photo[:, None] - centres[None]).transpose(2, 0, 1)) / radii
    best = gap.argmin(axis=0)
    good = gap.min(axis=0) < 0.33
    assert np.median(gap.min(axis=0)[good]) < 0.06
    assert np.median(found.radii_px[best[good]] / radii[good]) == pytest.approx(1.0, abs=0.12)


@pytest.mark.parametrize("size", [(640, 480), (1280, 960), (1501, 1000), (1999, 777), (2561, 1440), (4032, 3024)])
def test_the_working_copy_keeps_pixel_centres(size: tuple[int, int]) -> None:
    """A dot drawn in the photo is where the scale says in the working copy: p * s + (s - 1) / 2."""
    width, height = size
    photo = np.zeros((height, width, 3), np.uint8)
    at = (round(width * 0.71), round(height * 0.83))
    cv2.circle(photo, at, 9, (255, 255, 255), -1, cv2.LINE_AA)
    small = working_copy(Photo("dot", photo), 1280)
    moments = cv2.moments(small.neutral[..., 0])
    found = np.array([moments["m10"], moments["m01"]]) / moments["m00"]
    assert found == pytest.approx((np.array(at) + 0.5) * small.scale - 0.5, abs=0.3)
    assert max(small.neutral.shape[:2]) <= 1500


@pytest.mark.parametrize("factor", [2, 3, 4, 5, 6])
def test_a_working_copy_is_the_average_of_whole_blocks(factor: int) -> None:
    """To a rounding, whichever way is fastest; compared after white balance, which one bright corner fixes at none."""
    photo = np.random.default_rng(factor).integers(0, 200, (33 * factor + 1, 128 * factor + factor - 1, 3), np.uint8)
    photo[:, : 16 * factor] = 240  # more than one part in 25: already neutral and bright
    small = working_copy(Photo("noise", photo), 128).neutral
    blocks = photo[: 33 * factor, : 128 * factor].reshape(33, factor, 128, factor, 3).mean(axis=(1, 3))
    assert small.shape == blocks.shape
    assert np.abs(small - blocks).max() <= 0.51


@pytest.mark.parametrize("value", [0, 128, 255])
def test_an_empty_picture_has_no_candidates(value: int) -> None:
    found = find_discs(Photo("plain", np.full((400, 500, 3), value, np.uint8)))
    assert len(found) == 0
    assert len(add_symmetric(found)) == 0


def test_tiny_and_narrow_pictures_are_no_trouble() -> None:
    for shape in ((64, 64, 3), (64, 5000, 3), (3000, 70, 3)):
        picture = np.random.default_rng(0).integers(0, 255, shape, dtype=np.uint8)
        add_symmetric(find_discs(Photo("noise", picture)))


def test_symmetry_finds_discs_whose_outline_is_broken() -> None:
    """Bars of glare cut every disc open: no outline is closed, but the circle still faces its centre."""
    sheet = Sheet(CELLS, marks=False)
    photo, centres, radii = shoot(sheet, pose(sheet, SIZE, 10, 0, 0), SIZE)
    for x, y in centres:
        cv2.line(photo, (round(x - 60), round(y - 14)), (round(x + 60), round(y + 14)), (215, 235, 240), 7)
    outlines = find_discs(Photo("bars", photo))
    both = add_symmetric(outlines)
    gaps = [np.hypot(*(c.centres_photo[:, None] - centres[None]).transpose(2, 0, 1)) / radii for c in (outlines, both)]
    before, after = ((gap.min(axis=0) < 0.33).sum() for gap in gaps)
    assert after >= max(before, 36)
