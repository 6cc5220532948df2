"""The one cropper: right place, right scale, right way up, whatever the photo's detail."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from readings import edition

from ontour_cv.vision.cells import AROUND, CROP_PX, CROP_RADII, crop_cell, crop_matrix, cut_cells
from ontour_cv.vision.landmarks import working_copy
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import CellPlace, Placement


def photo_of_a_disc(radius: float, angle_deg: float) -> tuple[np.ndarray, CellPlace]:
    """A grey picture with a white disc, a red dot at its right end and a blue one at its lower end (board axes)."""
    size = int(radius * 8)
    picture = np.full((size, size, 3), 90, np.uint8)
    centre = np.array([size * 0.45, size * 0.55])
    angle = np.radians(angle_deg)
    axes = radius * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    cv2.circle(picture, np.round(centre).astype(int).tolist(), round(radius), (255, 255, 255), -1, cv2.LINE_AA)
    for column, colour in ((0, (0, 0, 255)), (1, (255, 0, 0))):
        dot = np.round(centre + 0.7 * axes[:, column]).astype(int).tolist()
        cv2.circle(picture, dot, max(2, round(radius * 0.12)), colour, -1)
    return picture, CellPlace((float(centre[0]), float(centre[1])), axes, True, True)


@pytest.mark.parametrize("radius", [9.0, 20.0, 47.0, 90.0])
@pytest.mark.parametrize("angle", [0.0, 35.0, 180.0, -90.0])
def test_crops_are_upright_and_to_scale(radius: float, angle: float) -> None:
    """The disc's right is right and its bottom is down, at the same scale from any photo."""
    picture, place = photo_of_a_disc(radius, angle)
    crop = crop_cell(picture, place).astype(int)
    assert crop.shape == (CROP_PX, CROP_PX, 3)
    redness, blueness = crop[..., 2] - crop[..., 0], crop[..., 0] - crop[..., 2]
    step = CROP_PX / (2 * CROP_RADII)
    middle = (CROP_PX - 1) / 2
    y, x = (float(np.average(axis, weights=np.clip(redness, 0, None))) for axis in np.mgrid[0:CROP_PX, 0:CROP_PX])
    assert (x, y) == pytest.approx((middle + 0.7 * step, middle), abs=1.2)
    y, x = (float(np.average(axis, weights=np.clip(blueness, 0, None))) for axis in np.mgrid[0:CROP_PX, 0:CROP_PX])
    assert (x, y) == pytest.approx((middle, middle + 0.7 * step), abs=1.2)
    white = (crop.min(axis=2) > 170).sum() + (np.abs(redness) > 60).sum() + (np.abs(blueness) > 60).sum()
    drawn = step * (radius + 0.5) / radius  # a drawn disc reaches half a pixel further
    assert white == pytest.approx(np.pi * drawn**2, rel=0.13)


def test_the_matrix_maps_the_middle_to_the_centre() -> None:
    """Pixel centres count from zero."""
    place = CellPlace((100.0, 50.0), np.array([[10.0, 2.0], [-1.0, 9.0]]), True, True)
    middle = (CROP_PX - 1) / 2
    assert crop_matrix(place) @ [middle, middle, 1.0] == pytest.approx([100.0, 50.0])


@pytest.mark.parametrize("centre", [(-40.0, 10.0), (500.0, 10.0), (10.0, -90.0), (10.0, 900.0), (0.0, 0.0)])
@pytest.mark.parametrize("radius", [8.0, 60.0])
def test_cells_outside_the_picture_still_give_a_crop(centre: tuple[float, float], radius: float) -> None:
    """A cut-off board must not end in an error."""
    picture = np.full((120, 160, 3), 77, np.uint8)
    crop = crop_cell(picture, CellPlace(centre, radius * np.eye(2), False, False))
    assert crop.shape == (CROP_PX, CROP_PX, 3)
    assert (crop == 77).all()


def test_thin_strokes_survive_shrinking() -> None:
    """A one-pixel line in a sharp 12 MP photo is averaged, not skipped."""
    picture = np.full((800, 800, 3), 255, np.uint8)
    picture[:, 400] = 0
    crop = crop_cell(picture, CellPlace((400.0, 400.0), 80.0 * np.eye(2), True, True))
    assert crop[..., 0].min(axis=1).max() < 225


@pytest.mark.parametrize("width", [500, 1280, 4000])
def test_what_is_round_a_cell_is_the_same_from_the_working_copy(width: int) -> None:
    """Wherever it is cut from: the disc in the middle, as large as ``AROUND`` says, upright."""
    radius = width / 60
    picture = np.full((width * 3 // 4, width, 3), 60, np.uint8)
    centre = (0.4 * width, 0.3 * width)
    cv2.circle(picture, (round(centre[0]), round(centre[1])), round(radius), (255, 255, 255), -1, cv2.LINE_AA)
    photo = Photo("", picture)
    placement = Placement(edition(), None, {"NV": CellPlace(centre, radius * np.eye(2), True, True)}, 9.0, 1, 0.0, 1)  # type: ignore[arg-type]
    assert cut_cells(photo, placement).around is None
    (around,) = cut_cells(photo, placement, working_copy(photo, 1280)).around  # type: ignore[misc]
    assert around.shape == (AROUND.px, AROUND.px, 3)
    dark, light = int(around[0, 0, 0]), int(around[40, 40, 0])  # white balance may have changed both
    white = around[..., 0] > (dark + light) / 2
    rows, columns = np.nonzero(white)
    assert (rows.mean(), columns.mean()) == pytest.approx(((AROUND.px - 1) / 2,) * 2, abs=0.8)
    assert np.sqrt(white.sum() / np.pi) == pytest.approx(AROUND.px_per_radius, rel=0.08)
