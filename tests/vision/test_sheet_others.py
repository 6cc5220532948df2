"""Sheets beside a board or sheet are found outside of it, the side told; without room nothing is looked for."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from sheet_readings import MODEL

from ontour_cv.vision.landmarks import working_copy
from ontour_cv.vision.others import room_beside
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.sheet_others import other_sheets, promising, sheet_outline, sheets_beside
from ontour_cv.vision.sheet_pieces import find_pieces, outside

cv2.setNumThreads(1)

PHOTOS = Path(__file__).parents[1] / "fixtures" / "sheets"


def _shot(name: str) -> np.ndarray:
    return cv2.imread(str(PHOTOS / f"{name}.jpg"))


@pytest.fixture(scope="module")
def pair() -> Photo:
    """Two photos of sheets as one picture."""
    return Photo("pair", np.concatenate([_shot("01-upside-down"), _shot("02-pencil")], axis=1))


@pytest.fixture(scope="module")
def outlines(pair: Photo) -> list[np.ndarray]:
    """Where the sheets of the picture are found, from the left."""
    return sorted((sheet_outline(one) for one in other_sheets(pair, MODEL, [])), key=lambda outline: outline[0, 0])


def _box(left: float, top: float, right: float, bottom: float) -> np.ndarray:
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], dtype=np.float64)


def test_every_sheet_of_a_picture_is_found_once(outlines: list[np.ndarray]) -> None:
    left, right = outlines
    assert left[:, 0].max() < 1500 < right[:, 0].min()


def test_a_sheet_beside_one_that_was_read_is_told_with_its_side(pair: Photo, outlines: list[np.ndarray]) -> None:
    left, right = outlines
    told = [sheets_beside(pair, MODEL, outline) for outline in (left, right)]
    assert [[(one.where, one.what) for one in some] for some in told] == [[("right", "sheet")], [("left", "sheet")]]
    assert sheets_beside(pair, MODEL, left, [right]) == []


def test_a_sheet_cut_off_by_the_edge_is_nobodys_to_score(pair: Photo, outlines: list[np.ndarray]) -> None:
    """Told and scored are boards that are in the picture for four fifths."""
    low, high = outlines[1].min(axis=0), outlines[1].max(axis=0)
    edge = int(low[0] + 0.7 * (high[0] - low[0]))
    cut = Photo("cut", np.ascontiguousarray(pair.bgr[:, :edge]))
    assert other_sheets(cut, MODEL, outlines[:1]) == []


def test_pieces_inside_of_an_outline_are_left_out(pair: Photo) -> None:
    size = (pair.bgr.shape[1], pair.bgr.shape[0])
    pieces = find_pieces(working_copy(pair, 1280), size)
    assert len(outside(pieces, [])) == len(pieces)
    left = outside(pieces, [_box(0, 0, 1500, 1125)])
    assert len(left) == len(left.moments) == len(left.areas) > 0
    assert (left.centres[:, 0] > 1500).all()
    assert len(outside(pieces, [_box(-1, -1, 3001, 1126)])) == 0


@pytest.mark.parametrize(
    ("outline", "room"),
    [
        (_box(100, 100, 900, 700), False),
        (_box(100, 100, 600, 500), True),
        (_box(400, 100, 900, 500), True),
        (_box(50, 300, 950, 790), True),
        (_box(50, 20, 950, 480), True),
    ],
)
def test_room_for_another_is_half_a_board_on_some_side(outline: np.ndarray, room: bool) -> None:
    assert room_beside(outline, (1000, 800)) is room


def test_beside_a_sheet_another_one_promises_to_be_found(pair: Photo, outlines: list[np.ndarray]) -> None:
    """And nothing does beside both of them: a look at the pieces of paper there saves the search."""
    working, size = working_copy(pair, 1280), (pair.bgr.shape[1], pair.bgr.shape[0])
    assert promising(working, size, outlines[:1])
    assert promising(working, size, outlines[1:])
    assert not promising(working, size, outlines)
