"""The overlay of a sheet: laid flat, cells outlined, doubts and problems in their colours, words below."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
import sheet_readings as made

from ontour_cv.errors import NotWritten
from ontour_cv.render import palette
from ontour_cv.render.sheet_overlay import MARGIN, TOP, WIDTH_PX
from ontour_cv.scorer.sheet_drawing import save_sheet_overlay, sheet_overlay_of
from ontour_cv.scorer.sheet_score import score_sheet_read


def on_edge(picture: np.ndarray, state: str) -> np.ndarray:
    """Colours (red, green, blue) along the outline of a state."""
    left, top, right, _ = made.MODEL.extent
    scale = WIDTH_PX / (right - left + 2 * MARGIN)
    outline = made.MODEL.outlines[made.MODEL.ids.index(state)]
    sides = zip(outline, np.roll(outline, -1, axis=0), strict=True)
    points = np.concatenate([np.linspace(a, b, 20) for a, b in sides])
    at = np.round((points - np.array([left - MARGIN, top - TOP])) * scale).astype(int)
    return picture[at[:, 1], at[:, 0], ::-1].astype(int)


def has(colours: np.ndarray, colour: tuple[int, int, int]) -> bool:
    return bool((np.abs(colours - np.array(colour)).max(axis=1) < 30).mean() > 0.4)


def test_problems_doubts_and_the_rest_have_their_own_outlines() -> None:
    text = made.LEGAL.replace("HI=6", "HI=xo")
    report = score_sheet_read("a.jpg", made.make_sheet_reading(text, {"AK": {"x": 0.3}}, width=900))
    picture = sheet_overlay_of(report)
    assert picture.shape[1] == WIDTH_PX
    assert has(on_edge(picture, "AK"), palette.DOUBT)
    assert has(on_edge(picture, "HI"), palette.PROBLEM)
    assert has(on_edge(picture, "ME"), palette.CIRCLE)


def test_the_sheet_is_shown_upright_whichever_way_it_lay() -> None:
    """A dark patch at Alaska stays at the top left when the photo is turned by 180 degrees."""
    reading = made.make_sheet_reading(made.LEGAL, width=900)
    x, y = (made.MODEL.middles[0] * 900).astype(int)
    reading.photo.bgr[y - 10 : y + 10, x - 10 : x + 10] = 0
    upright = sheet_overlay_of(score_sheet_read("a.jpg", reading))
    height, width = reading.photo.bgr.shape[:2]
    turned = np.array([[-1.0, 0, width - 1], [0, -1.0, height - 1], [0, 0, 1]])
    flat = reading.placement.warp.flat
    object.__setattr__(flat, "matrix", turned @ flat.matrix)
    object.__setattr__(reading.photo, "bgr", np.ascontiguousarray(reading.photo.bgr[::-1, ::-1]))
    again = sheet_overlay_of(score_sheet_read("a.jpg", reading))
    assert np.abs(upright[100:900].astype(int) - again[100:900]).mean() < 2


def test_the_title_above_the_cells_is_shown_whole() -> None:
    """As the project's own sheet prints it: its letters end 6.1 hundredths of the width below the paper's edge."""
    reading = made.make_sheet_reading(made.LEGAL, width=900)
    low, high = round(0.035 * 900), round(0.061 * 900)
    reading.photo.bgr[low:high, 400:500] = (0, 0, 255)
    picture = sheet_overlay_of(score_sheet_read("a.jpg", reading)).astype(int)
    red = (np.abs(picture[:200] - (0, 0, 255)).max(axis=2) < 30).any(axis=1)
    scale = WIDTH_PX / (made.MODEL.extent[2] - made.MODEL.extent[0] + 2 * MARGIN)
    assert abs(red.sum() - (high - low) / 900 * scale) < 4
    assert not red[0]


def test_an_overlay_is_written_or_refused_in_words(tmp_path: Path) -> None:
    report = score_sheet_read("a.jpg", made.make_sheet_reading(made.LEGAL))
    save_sheet_overlay(report, tmp_path / "a.png")
    assert cv2.imread(str(tmp_path / "a.png")).shape[1] == WIDTH_PX
    with pytest.raises(NotWritten, match="cannot be written"):
        save_sheet_overlay(report, tmp_path / "no" / "a.png")
