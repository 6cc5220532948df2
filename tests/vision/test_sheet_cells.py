"""Close looks at parts of cells: crop and mask show the same part, and there is room round the writing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from ontour_cv.geometry import Homography
from ontour_cv.maps.load import load_map
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.sheet_cells import (
    CLOSE,
    ROOM,
    WHOLE,
    cell_masks,
    close_windows,
    cut_close,
    cut_sheet,
    window_masks,
)
from ontour_cv.vision.sheet_model import LEFT_OUT, sheet_model
from ontour_cv.vision.sheet_warp import SheetWarp

MODEL = sheet_model(load_map("rolling-america"))
WIDE = 1600
WARP = SheetWarp(Homography(np.diag([WIDE, WIDE, 1.0]), "sheet", "photo"), np.empty((0, 2)), np.empty((0, 2)))


@pytest.mark.parametrize("window", [(0.0, 0.0, 1.0), (0.3, -0.2, 0.5), (-0.5, 0.4, 0.3), (0.1, 0.1, 0.8)])
def test_a_window_shows_the_same_of_the_cell_and_of_its_mask(window: tuple[float, float, float]) -> None:
    """Of a sheet on which Texas alone is black; what lies beyond the whole crop the mask does not know."""
    row = MODEL.ids.index("TX")
    sheet = np.full((round(0.72 * WIDE), WIDE, 3), 255, np.uint8)
    cv2.fillPoly(sheet, [np.round(MODEL.outlines[row] * WIDE - 0.5).astype(np.int32)], (0, 0, 0))
    windows = np.tile(window, (MODEL.cells, 1))
    crop = cut_close(Photo("black", sheet), WARP, MODEL, windows)[row].mean(axis=2)
    mask = window_masks(cell_masks(MODEL)[: MODEL.cells], windows)[row]
    inside = (mask > 127).astype(np.uint8)
    off = round(1 + 1 / window[2])  # pixels of the whole crop's mask, enlarged
    near = np.ones((2 * off + 1, 2 * off + 1), np.uint8)
    sure = cv2.erode(inside, near) == cv2.dilate(inside, near)
    assert sure.mean() > 0.4
    assert ((crop < 128) == (inside > 0))[sure].mean() > 0.99


def test_the_window_of_every_cell_shows_all_of_it() -> None:
    """At either end of California somebody writes."""
    for outline, window, reach in zip(MODEL.outlines, MODEL.windows, MODEL.reach, strict=True):
        assert np.abs(outline - window).max() <= reach + LEFT_OUT


def test_the_whole_window_is_the_crop_itself() -> None:
    rng = np.random.default_rng(0)
    noise = cv2.blur(rng.integers(0, 256, (1200, WIDE, 3)).astype(np.uint8), (9, 9))
    photo = Photo("noise", np.asarray(noise, dtype=np.uint8))
    whole = np.tile(WHOLE, (MODEL.cells, 1))
    close = cut_close(photo, WARP, MODEL, whole)
    assert np.array_equal(close, cut_sheet(photo, WARP, MODEL).images[: MODEL.cells])
    masks = cell_masks(MODEL)[: MODEL.cells]
    assert np.abs(window_masks(masks, whole).astype(int) - masks).max() <= 1


def test_a_close_look_has_room_round_the_writing_and_is_never_at_a_speck() -> None:
    windows = close_windows(np.array([[0.2, -0.1, 0.3], [3.0, 0.0, 0.3], [0.0, 0.0, 0.001], [0.0, 0.0, 9.0]]))
    assert windows[0] == pytest.approx([0.2, -0.1, 0.3 * ROOM])
    assert windows[1, 0] == 1.0
    assert windows[2:, 2] == pytest.approx(CLOSE)
