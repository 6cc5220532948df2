"""Where a sheet's print is washed out or covered, writing would be, too: a blank there is no sure blank."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from ontour_cv.geometry import Homography
from ontour_cv.maps.load import load_map
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.sheet_glare import BELOW, HIDDEN, along, covered, doubted, print_left, unseen, washed_out
from ontour_cv.vision.sheet_glyphs import SHEET_HEADS, SheetScores
from ontour_cv.vision.sheet_model import OUTWARD, sheet_model
from ontour_cv.vision.sheet_warp import SheetWarp

MODEL = sheet_model(load_map("rolling-america"))
WIDE = 1600
WARP = SheetWarp(Homography(np.diag([WIDE, WIDE, 1.0]), "sheet", "photo"), np.empty((0, 2)), np.empty((0, 2)))
INKS = ((0, 110, 220), (190, 110, 50), (50, 140, 40), (40, 190, 230), (50, 40, 200), (160, 60, 110), (40, 30, 30))
ROWS = {name: k for k, name in enumerate(MODEL.ids)}


def sheet(strength: float = 1.0, paper: float = 210.0) -> NDArray[np.float32]:
    """An empty sheet, its outlines printed in seven inks that are paler by ``strength``."""
    flat = np.full((round(0.72 * WIDE), WIDE, 3), paper, np.float32)
    for outline, ink in zip(MODEL.outlines, MODEL.inks, strict=True):
        colour = paper - strength * (paper - np.array(INKS[ink]) * paper / 255)
        corners = [np.round(outline * WIDE * 16).astype(np.int32)]
        cv2.polylines(flat, corners, True, colour.tolist(), round(2 * OUTWARD * WIDE), cv2.LINE_AA, 4)
    return flat


def reflection(state: str, size: float, peak: float) -> NDArray[np.float32]:
    """Light that the paper reflects, brightest in the middle of a state, ``size`` sheet widths wide."""
    ys, xs = np.mgrid[: round(0.72 * WIDE), :WIDE]
    x, y = MODEL.middles[ROWS[state]] * WIDE
    fall = np.exp(-(((xs - x) ** 2 + (ys - y) ** 2) / (2 * (size * WIDE) ** 2)))
    return np.asarray(255 * peak * fall, dtype=np.float32)[..., None]


def photo(picture: NDArray[np.floating]) -> Photo:
    return Photo("flat", np.clip(np.round(picture), 0, 255).astype(np.uint8))


def washed(picture: NDArray[np.floating]) -> set[str]:
    return {MODEL.ids[int(k)] for k in np.flatnonzero(washed_out(*print_left(photo(picture), WARP, MODEL), MODEL))}


def test_states_in_a_reflection_are_washed_out_and_no_others() -> None:
    found = washed(sheet() + reflection("TN", 0.05, 1.0))
    assert {"TN", "KY"} <= found
    assert not found & {"WA", "CA", "MT", "ME", "FL", "round1", "numXs"}


def test_all_is_white_where_much_is_reflected() -> None:
    left, _ = print_left(photo(sheet() + reflection("TN", 0.05, 1.5)), WARP, MODEL)
    assert along(left, MODEL)[ROWS["TN"]] < 0.1


@pytest.mark.parametrize("strength", [1.0, 0.3])
@pytest.mark.parametrize("paper", [110.0, 210.0, 255.0])
def test_print_that_is_pale_everywhere_is_usual(strength: float, paper: float) -> None:
    """Little toner, dim light or paper so bright that it is white in the photo."""
    assert not washed(sheet(strength, paper))


def test_a_bright_lamp_washes_nothing_out() -> None:
    """Light on the paper brightens paper and print alike."""
    lamp = 0.5 + 0.7 * reflection("TN", 0.2, 1.0) / 255
    assert not washed(sheet(1.0, 180.0) * lamp)


def test_lines_that_are_worn_on_paper_as_everywhere_are_no_reflection() -> None:
    flat = sheet()
    flat[:, WIDE // 2 : 5 * WIDE // 8] = 210.0
    assert not washed(flat)


def lying(picture: NDArray[np.float32], state: str, half: float, level: float) -> NDArray[np.float32]:
    """A square thing on a state, ``2 * half`` sheet widths a side, of one grey level."""
    flat = picture.copy()
    x, y = np.round(MODEL.middles[ROWS[state]] * WIDE).astype(int)
    reach = round(half * WIDE)
    flat[y - reach : y + reach, x - reach : x + reach] = level
    return flat


@pytest.mark.parametrize("level", [40.0, 130.0, 210.0, 250.0])
def test_a_state_that_something_lies_on_is_covered_whatever_its_colour(level: float) -> None:
    picture = photo(lying(sheet(), "CO", 0.06, level))
    found = {MODEL.ids[int(k)] for k in np.flatnonzero(covered(print_left(picture, WARP, MODEL)[0], MODEL))}
    assert "CO" in found
    assert not found & {"WA", "CA", "MT", "ME", "FL", "round1", "numXs"}
    assert unseen(picture, WARP, MODEL)[ROWS["CO"]] == BELOW


@pytest.mark.parametrize("strength", [1.0, 0.3])
@pytest.mark.parametrize("paper", [110.0, 210.0, 255.0])
def test_nothing_lies_on_a_bare_sheet(strength: float, paper: float) -> None:
    left, _ = print_left(photo(sheet(strength, paper)), WARP, MODEL)
    assert not covered(left, MODEL).any()


def scores(kind: list[float]) -> SheetScores:
    """Every cell and box as probably blank, a number and an X; all else is open."""
    parts = {name: np.full((len(MODEL.ids), size), -np.log(size)) for name, size in SHEET_HEADS}
    parts["kind"] = np.log(np.tile(kind, (len(MODEL.ids), 1)))
    return SheetScores(**parts)


def test_a_blank_that_is_washed_out_may_hold_something() -> None:
    rows = np.arange(len(MODEL.ids)) == ROWS["TN"]
    found = np.exp(doubted(scores([0.998, 0.001, 0.001]), rows * HIDDEN).kind)
    assert found[rows][0, 0] == pytest.approx(0.998 * (1 - HIDDEN))
    assert found.sum(axis=1) == pytest.approx(1.0)
    assert found[~rows] == pytest.approx(np.tile([0.998, 0.001, 0.001], (len(rows) - 1, 1)))


def test_what_is_seen_in_spite_of_the_light_stands() -> None:
    seen = scores([0.01, 0.98, 0.01])
    told = doubted(seen, np.full(len(MODEL.ids), HIDDEN))
    assert told.kind == pytest.approx(seen.kind)
    assert told.digit == pytest.approx(seen.digit)
