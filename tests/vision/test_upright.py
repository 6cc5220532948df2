"""Numbers that run uphill or downhill are turned level, and are read then; level ones and bare boards stay."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from circled import WHITE

from ontour_cv.vision.cells import CROP_PX, CellCrops
from ontour_cv.vision.glyphs import MarkReader
from ontour_cv.vision.rewritten import Ink
from ontour_cv.vision.upright import LEAST_TURN, TURNS, turn_of, turned

NUMBERS = [f"{n:02d}" for n in (13, 31, 24, 42, 56, 65, 70, 7, 89, 98, 16, 61, 37, 73, 28, 82)]


def written(lean: float = 0.0) -> np.ndarray:
    """A board of white discs with a number in each; ``lean``: how far right the strokes lead for their height."""
    cells = []
    for number in NUMBERS:
        canvas = np.zeros((4 * CROP_PX, 4 * CROP_PX), np.uint8)
        (width, height), _ = cv2.getTextSize(number, cv2.FONT_HERSHEY_SIMPLEX, 3.2, 14)
        corner = (2 * CROP_PX - width // 2, 2 * CROP_PX + height // 2)
        cv2.putText(canvas, number, corner, cv2.FONT_HERSHEY_SIMPLEX, 3.2, 255, 14, cv2.LINE_AA)
        matrix = np.array([[1.0, -lean, lean * 2 * CROP_PX], [0.0, 1.0, 0.0]])
        canvas = cv2.warpAffine(canvas, matrix, canvas.shape)
        ink = cv2.resize(canvas, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA)[..., None] / 255
        cells.append(np.array(WHITE) * (1 - ink) + 25 * ink)
    return np.clip(cells, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("angle", [-22, -14, 14, 22])
def test_the_turn_of_a_board_is_found_and_taken_back(angle: int) -> None:
    images = turned(written(), -angle)
    turn = turn_of(Ink.of(images))
    assert abs(turn - angle) <= TURNS[1] - TURNS[0]
    assert turn_of(Ink.of(turned(images, turn))) == 0


@pytest.mark.parametrize("lean", [-0.4, -0.2, 0.0, 0.2, 0.4])
def test_a_hand_that_leans_but_writes_level_is_left_alone(lean: float) -> None:
    assert turn_of(Ink.of(written(lean))) == 0


def test_a_turn_of_a_few_degrees_is_left_alone() -> None:
    for angle in (-LEAST_TURN / 2, LEAST_TURN / 2):
        assert turn_of(Ink.of(turned(written(), angle))) == 0


def test_a_bare_board_has_no_turn() -> None:
    assert turn_of(Ink.of(np.full((16, CROP_PX, CROP_PX, 3), 230, np.uint8))) == 0


def test_a_turned_board_is_read_as_surely_as_a_level_one() -> None:
    """But a few cells are no board: nobody knows whether they are turned or lean."""
    reader = MarkReader()

    def sure(images: np.ndarray) -> float:
        ids = tuple(f"R{k}" for k in range(len(images)))
        scores = reader.read(CellCrops(ids, images, np.full(len(ids), 20.0)))
        right = scores.number[np.arange(len(images)), [int(n) for n in NUMBERS[: len(images)]]]
        return float(np.exp(right).mean())

    slope = turned(written(), 22)
    assert sure(slope) > 0.97 * sure(written())
    assert sure(slope[:8]) < 0.95 * sure(written()[:8])
