"""A quick look for a sheet: found, where, whole, sharp."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from ontour_cv.camera.frames import open_frames
from ontour_cv.camera.sheet_look import SHEETS, look_at_sheet, sheet_looker
from ontour_cv.camera.watch import watch
from ontour_cv.maps.load import load_map
from ontour_cv.vision.photo import Photo, load_photo
from ontour_cv.vision.sheet_model import sheet_model

PHOTO = Path(__file__).parents[1] / "fixtures" / "sheets" / "02-pencil.jpg"
MODEL = sheet_model(load_map("rolling-america"))


@pytest.fixture(scope="module")
def sheet() -> Photo:
    """A sheet on a table."""
    return load_photo(PHOTO)


def test_a_sharp_sheet_is_good_enough(sheet: Photo) -> None:
    look = look_at_sheet(sheet, MODEL)
    assert look is not None
    assert not look.outside
    assert look.width < SHEETS.most_width
    assert look.radius_px > SHEETS.least_radius_px
    assert len(look.centres) == len(look.ids) == 50


def test_a_blurred_sheet_is_not(sheet: Photo) -> None:
    look = look_at_sheet(Photo("blurred", np.asarray(cv2.GaussianBlur(sheet.bgr, (0, 0), 5.0), np.uint8)), MODEL)
    assert look is None or look.width > SHEETS.most_width


def test_a_table_is_no_sheet() -> None:
    assert look_at_sheet(Photo("table", np.full((400, 600, 3), 120, np.uint8)), MODEL) is None


def test_frames_in_a_folder_are_watched_until_the_sheet_is_still(sheet: Photo, tmp_path: Path) -> None:
    for number, frame in enumerate([np.full_like(sheet.bgr, 90), *[sheet.bgr] * 5]):
        cv2.imwrite(str(tmp_path / f"{number:02d}.jpg"), frame)
    said: list[str] = []
    caught = watch(
        open_frames(str(tmp_path)), (), lambda gate: said.append(gate.message), 600, SHEETS, sheet_looker(MODEL)
    )
    assert caught.settled
    assert said[0] == "no board yet"
    assert said[-1] == "got it"
