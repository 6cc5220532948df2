"""The sheet network as it ships: loads, reads what it was shown, and says so when it is damaged."""

from __future__ import annotations

import hashlib
import json
import shutil
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from ontour_cv.errors import BadTemplate
from ontour_cv.maps.load import load_map
from ontour_cv.resources import models_dir
from ontour_cv.scorer.sheet_score import read_sheet_photo
from ontour_cv.synth.sheet_photo import render_sheet
from ontour_cv.vision.cells import CROP_RADII
from ontour_cv.vision.decode import DOUBT
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.sheet_cells import cut_close, cut_sheet, sheet_places, window_place
from ontour_cv.vision.sheet_glyphs import (
    ASTRAY,
    CLASSES,
    CLOSE_SHARE,
    SHEET_HEADS,
    SheetNetwork,
    sheet_scores,
    unsure,
    with_close,
)
from ontour_cv.vision.sheet_model import sheet_model
from ontour_cv.vision.sheet_place import locate_sheet

MODEL = sheet_model(load_map("rolling-america"))


def test_probabilities_sum_to_one_with_temperature_and_lapse() -> None:
    logits = np.random.default_rng(0).normal(0, 3, (5, sum(size for _, size in SHEET_HEADS)))
    heat, lapse = {"kind": 0.7}, {"digit": 0.01}
    found = sheet_scores(logits, heat, lapse)
    for name, size in SHEET_HEADS:
        part = getattr(found, name)
        assert part.shape == (5, size)
        assert np.exp(part).sum(axis=1) == pytest.approx(np.ones(5))
    assert np.exp(found.digit).min() >= 0.01 / 6


def test_where_the_crop_may_show_another_cell_every_answer_is_possible() -> None:
    logits = np.random.default_rng(1).normal(0, 9, (4, sum(size for _, size in SHEET_HEADS)))
    sure = sheet_scores(logits, {}, {})
    rows = np.array([True, False, True, False])
    found = unsure(sure, rows)
    assert np.array_equal(found.kind[~rows], sure.kind[~rows])
    assert np.array_equal(found.kind.argmax(axis=1), sure.kind.argmax(axis=1))
    assert np.exp(found.digit[rows]).min() >= ASTRAY / 6
    assert np.exp(found.digit).sum(axis=1) == pytest.approx(np.ones(4))
    assert np.exp(found.kind[rows]).max() < DOUBT


def test_a_close_look_counts_for_its_share_in_cells_and_not_in_boxes() -> None:
    rng = np.random.default_rng(3)
    whole, close = rng.normal(0, 1, (5, CLASSES)), rng.normal(0, 1, (3, CLASSES))
    found = with_close(whole, close)
    assert np.array_equal(found[3:], whole[3:])
    start = 0
    for name, size in SHEET_HEADS:
        share, part = CLOSE_SHARE.get(name, 0.0), slice(start, start + size)
        assert np.allclose(found[:3, part], (1 - share) * whole[:3, part] + share * close[:, part])
        start += size


def test_the_close_look_is_at_what_is_written() -> None:
    """On a rendered sheet the windows asked for hold the digits."""
    shot = render_sheet(4244, long_side=1600)
    photo = Photo("shot", shot.image)
    placement = locate_sheet(photo, MODEL)
    asked: list[NDArray[np.float64]] = []

    def closer(windows: NDArray[np.float64]) -> NDArray[np.uint8]:
        asked.append(windows)
        return cut_close(photo, placement.warp, MODEL, windows)

    SheetNetwork(MODEL).read(cut_sheet(photo, placement.warp, MODEL).images, closer)
    assert len(asked[0]) == MODEL.cells
    places = sheet_places(placement.warp, MODEL)
    held = []
    for state, box in shot.writing.items():
        k = MODEL.ids.index(state)
        window = window_place(places[k], asked[0][k])
        middle = np.linalg.solve(window.axes_photo, box.mean(axis=0) - window.centre_photo) / CROP_RADII
        held.append(bool((np.abs(middle) < 0.5).all()))
    assert np.mean(held) > 0.9


def test_the_card_names_the_weights_it_belongs_to() -> None:
    card = json.loads((models_dir() / "sheet.json").read_text(encoding="utf-8"))
    for name, entry, most in (("sheet", card, 1_700_000), ("sheet-close", card["close"], 2_500_000)):
        data = (models_dir() / f"{name}.onnx").read_bytes()
        assert entry["sha256"] == hashlib.sha256(data).hexdigest()
        assert len(data) < most


def test_close_looks_are_read_by_the_network_for_them(tmp_path: Path) -> None:
    shot = render_sheet(4244, long_side=1000)
    photo = Photo("shot", shot.image)
    placement = locate_sheet(photo, MODEL)
    images = cut_sheet(photo, placement.warp, MODEL).images
    closer = partial(cut_close, photo, placement.warp, MODEL)
    for name in ("sheet.json", "sheet.onnx"):
        shutil.copy(models_dir() / name, tmp_path / name)
    shutil.copy(models_dir() / "sheet.onnx", tmp_path / "sheet-close.onnx")
    both, one = SheetNetwork(MODEL), SheetNetwork(MODEL, tmp_path)
    assert np.array_equal(both.read(images).digit, one.read(images).digit), "whole cells do not ask it"
    assert np.array_equal(both.windows(images), one.windows(images))
    assert not np.array_equal(both.read(images, closer).digit, one.read(images, closer).digit)


def test_crops_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="crops must be"):
        SheetNetwork(MODEL).read(np.zeros((3, 64, 64, 3), np.uint8))


def test_a_damaged_network_is_told(tmp_path: Path) -> None:
    (tmp_path / "sheet.json").write_text("{}", encoding="utf-8")
    with pytest.raises(BadTemplate, match="cannot be loaded"):
        SheetNetwork(MODEL, tmp_path)


def test_a_sheet_under_the_synthetic_camera_is_read() -> None:
    shot = render_sheet(4242, long_side=1600)
    found = read_sheet_photo(Photo("shot", shot.image)).decoded
    wrong = [state for state, mark in shot.sheet.marks.items() if found.cells[state].mark != mark]
    assert len(wrong) <= 1
    assert all(found.cells[state].doubtful for state in wrong)


def test_a_photo_turned_by_a_quarter_is_read_alike() -> None:
    shot = render_sheet(4243, long_side=1600)
    turned = cv2.rotate(shot.image, cv2.ROTATE_90_CLOCKWISE)
    one, other = (read_sheet_photo(Photo("shot", np.asarray(p, dtype=np.uint8))).decoded for p in (shot.image, turned))
    same = sum(one.cells[state].mark == other.cells[state].mark for state in one.cells)
    assert same >= 49
