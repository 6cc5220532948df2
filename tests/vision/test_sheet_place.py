"""Finding a sheet in a picture: drawn plainly here, and as the synthetic camera sees it; everything else is refused."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from ontour_cv.errors import BoardNotFound
from ontour_cv.geometry import Homography
from ontour_cv.maps.load import load_map
from ontour_cv.synth.decoys import make_decoy
from ontour_cv.synth.sheet_photo import SheetShot, render_sheet
from ontour_cv.vision.cells import CROP_PX
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.sheet_cells import cell_masks, cut_sheet
from ontour_cv.vision.sheet_model import sheet_model
from ontour_cv.vision.sheet_place import SheetPlacement, accepted, find_sheet, locate_sheet

MODEL = sheet_model(load_map("rolling-america"))
Image = NDArray[np.uint8]


def plain_sheet(width: int = 1200, grey: bool = False) -> Image:
    """The sheet's outlines alone, drawn from the template: pale cells, dark lines, nothing written."""
    picture = np.full((round(0.72 * width), width, 3), 235, np.uint8)
    for k, outline in enumerate(MODEL.outlines):
        colour = np.full(3, 225) if grey else np.array([255, 190, 150])[[k % 3, (k + 1) % 3, (k + 2) % 3]]
        corners = np.round(outline * width * 16).astype(np.int32)
        cv2.fillPoly(picture, [corners], [int(v) for v in colour], cv2.LINE_AA, 4)
    for k, outline in enumerate(MODEL.outlines):
        corners = np.round(outline * width * 16).astype(np.int32)
        line = (70, 70, 70) if grey or k >= MODEL.cells else (60, 90, 150)
        cv2.polylines(picture, [corners], True, line, 4, cv2.LINE_AA, 4)
    return picture


def on_table(sheet: Image, roll: float, size: int = 1300) -> tuple[Image, Homography]:
    """A sheet turned by ``roll`` degrees and a little tilted on a plain table, and where its widths land."""
    height, width = sheet.shape[:2]
    turn = np.radians(roll)
    corners = np.array([[0, 0], [1, 0], [1, height / width], [0, height / width]])
    flat = (corners - corners.mean(axis=0)) * [1.0, 0.9]
    spun = flat @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * (1 + 0.1 * flat[:, :1])
    seen = spun * 0.72 * size + size / 2
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), seen.astype(np.float32)).astype(np.float64)
    lay = matrix @ np.diag([1 / width, 1 / width, 1.0])
    photo = cv2.warpPerspective(sheet, lay, (size, size), flags=cv2.INTER_AREA, borderValue=(60, 80, 100))
    return np.asarray(photo, dtype=np.uint8), Homography(matrix, "sheet", "photo")


def worst_error(found: SheetPlacement, true: Homography) -> float:
    """Largest distance of a cell's middle from the truth, sheet widths."""
    scale = np.sqrt(np.abs(np.linalg.det(true.jacobians(MODEL.middles))))
    return float((np.hypot(*(found.warp.apply(MODEL.middles) - true.apply(MODEL.middles)).T) / scale).max())


@pytest.mark.parametrize("roll", [0, 37, 90, 151, 180, 250])
def test_a_plain_sheet_is_found_at_any_turn(roll: int) -> None:
    photo, true = on_table(plain_sheet(), roll)
    found = locate_sheet(Photo("plain", photo), MODEL)
    assert worst_error(found, true) < 0.004
    assert found.matched >= 55


def test_colour_is_not_needed() -> None:
    photo, true = on_table(plain_sheet(grey=True), 20)
    assert worst_error(locate_sheet(Photo("grey", photo), MODEL), true) < 0.004


def test_a_mirrored_sheet_is_refused() -> None:
    photo, _ = on_table(plain_sheet(), 10)
    with pytest.raises(BoardNotFound):
        locate_sheet(Photo("mirror", np.ascontiguousarray(photo[:, ::-1])), MODEL)


def middle_errors(shot: SheetShot, found: SheetPlacement) -> NDArray[np.float64]:
    """Distances of the cells' middles from the truth, sheet widths."""
    middles = np.array([outline.mean(axis=0) for outline in MODEL.outlines[: MODEL.cells]])
    true = np.array([shot.cells[name].mean(axis=0) for name in MODEL.ids[: MODEL.cells]])
    scale = np.sqrt(np.abs(np.linalg.det(found.warp.axes(middles))))
    return np.asarray(np.hypot(*(found.warp.apply(middles) - true).T) / scale)


@pytest.mark.parametrize(("seed", "hard"), [(11, False), (12, False), (13, True), (14, True), (15, True)])
def test_filled_sheets_under_the_synthetic_camera_are_located(seed: int, hard: bool) -> None:
    shot = render_sheet(seed, hard=hard, long_side=1280)
    errors = middle_errors(shot, locate_sheet(Photo("shot", shot.image), MODEL))
    assert np.median(errors) < 0.003
    assert np.quantile(errors, 0.9) < 0.01


@pytest.mark.parametrize("kind", ["sudoku", "page", "disc-grid", "chess", "noise", "other-map"])
def test_other_pictures_are_refused(kind: str) -> None:
    image, _ = make_decoy(np.random.default_rng(3), kind, "ordinary", 1000)
    found = find_sheet(Photo(kind, image), MODEL)
    assert found is None or not accepted(found)


def test_pictures_of_nothing_are_refused() -> None:
    with pytest.raises(BoardNotFound, match="no sheet"):
        locate_sheet(Photo("grey", np.full((400, 600, 3), 128, np.uint8)), MODEL)


def test_crops_show_the_cell_where_the_mask_says() -> None:
    """A sheet whose cell for Wyoming alone is black: its crop is black inside the mask and pale outside."""
    sheet = np.full((864, 1200, 3), 255, np.uint8)
    row = MODEL.ids.index("WY")
    cv2.fillPoly(sheet, [np.round(MODEL.outlines[row] * 1200).astype(np.int32)], (0, 0, 0))
    photo, _ = on_table(plain_sheet(), 30)
    found = locate_sheet(Photo("plain", photo), MODEL)
    black, _ = on_table(sheet, 30)
    crops = cut_sheet(Photo("black", black), found.warp, MODEL)
    mask = cell_masks(MODEL)[row] > 127
    crop = crops.images[row].mean(axis=2)
    assert crops.images.shape == (len(MODEL.ids), CROP_PX, CROP_PX, 3)
    assert crop[mask].mean() < 30
    assert crop[~mask].mean() > 200
    assert crops.inside.all()


def test_a_map_of_discs_is_no_sheet() -> None:
    with pytest.raises(ValueError, match="no outlines"):
        sheet_model(load_map("usa"))
