"""Numbers as small and neat as print are seen, and what is printed is still not taken for numbers."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from circled import BLACK, RADIUS, WHITE, Colour
from numpy.typing import NDArray

from ontour_cv.vision.cells import CROP_PX, CellCrops
from ontour_cv.vision.glyphs import KINDS, MarkReader
from ontour_cv.vision.overlooked import FEW, HALF_SURE, HOLLOW, SEVERAL, SURE, enlarged, overlooked, writes_large
from ontour_cv.vision.rewritten import Ink

LABELS = ["AL", "AR", "AZ", "CA", "CO", "FL", "GA", "IA", "ID", "IL", "IN", "KS", "KY", "LA", "MC", "MI"]
NUMBERS = [f"{n:02d}" for n in (13, 31, 24, 42, 56, 65, 70, 7, 89, 98, 16, 61, 37, 73, 28, 82)]
GREY = (150, 140, 130)
FINE = 6


def lettered(image: NDArray[np.uint8], text: str, height: float, colour: Colour) -> None:
    """Writes a text in the middle, so many disc radii high."""
    (_, tall), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 10.0, 10)
    scale = 10.0 * height * RADIUS * FINE / tall
    thick = max(1, round(0.14 * height * RADIUS * FINE))
    (wide, tall), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    at = ((image.shape[1] - wide) // 2, (image.shape[0] + tall) // 2)
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, thick, cv2.LINE_AA)


def board(height: float | None) -> CellCrops:
    """Discs with their printed abbreviation, and a number over it where a height is given."""
    cells = []
    for label, number in zip(LABELS, NUMBERS, strict=True):
        large = np.full((FINE * CROP_PX, FINE * CROP_PX, 3), (120, 190, 90), np.uint8)
        middle = (FINE * CROP_PX // 2, FINE * CROP_PX // 2)
        cv2.circle(large, middle, round(FINE * RADIUS), WHITE, -1, cv2.LINE_AA)
        lettered(large, label, 0.5, GREY)
        if height is not None:
            lettered(large, number, height, BLACK)
        cells.append(cv2.resize(large, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA))
    return CellCrops(tuple(LABELS), np.stack(cells), np.full(len(LABELS), RADIUS))


@pytest.mark.parametrize("height", [0.5, 0.6, 1.0])
def test_numbers_of_any_size_are_seen(height: float) -> None:
    """At least nine in ten of them as numbers, and most of these are the right ones."""
    scores = MarkReader().read(board(height))
    seen = scores.kind.argmax(axis=1) == KINDS.index("number")
    right = scores.number.argmax(axis=1) == [int(number) for number in NUMBERS]
    assert seen.mean() >= 0.9
    assert (seen & right).mean() >= 0.7


def test_a_board_with_nothing_but_print_is_empty() -> None:
    scores = MarkReader().read(board(None))
    assert (scores.kind.argmax(axis=1) == KINDS.index("empty")).all()


def flags(count: int, of: int = 20) -> NDArray[np.bool_]:
    return np.arange(of) < count


@pytest.mark.parametrize(
    ("empty", "again"), [(round(HOLLOW * 20), True), (round(HOLLOW * 20) - 1, False)], ids=["half of it", "less"]
)
def test_only_a_board_that_seems_half_empty_is_looked_at_again(empty: int, again: bool) -> None:
    images = np.zeros((20, CROP_PX, CROP_PX, 3), np.uint8)
    assert (enlarged(images, flags(empty)) is not None) == again


@pytest.mark.parametrize(
    ("how", "numbers", "share"),
    [
        (SURE + 0.01, 0, 1.0),
        (SURE + 0.01, 4, 1.0),
        (SURE - 0.01, 0, 0.5),
        (SURE - 0.01, round(FEW * 20), 0.5),
        (SURE - 0.01, round(FEW * 20) + 1, 0.0),
        (HALF_SURE + 0.01, 0, 0.5),
        (HALF_SURE - 0.01, 0, 0.0),
    ],
)
def test_what_is_sure_is_believed_and_what_is_half_sure_is_a_doubt(how: float, numbers: int, share: float) -> None:
    """The latter only where hardly a number had been seen: else it is a board played in part, and its print."""
    shown, believed = overlooked(flags(16), ~flags(20 - numbers), ~flags(12), np.full(20, np.exp(how)))
    assert believed == share
    assert shown.tolist() == flags(12).tolist()


def test_a_few_cells_alone_are_not_believed() -> None:
    """Whoever writes small does so everywhere."""
    assert overlooked(flags(16), flags(0), ~flags(7), np.ones(20))[1] == 0.0
    assert overlooked(flags(16), flags(0), ~flags(0), np.ones(20))[1] == 0.0


@pytest.mark.parametrize(("height", "large"), [(1.0, True), (0.5, False)])
def test_a_hand_that_writes_large_wrote_no_small_numbers_elsewhere(height: float, large: bool) -> None:
    """The few numbers that are seen tell, if they are several."""
    images = board(None).images.copy()
    images[:SEVERAL] = board(height).images[:SEVERAL]
    ink = Ink.of(images)
    assert writes_large(ink, flags(SEVERAL, len(images))) is large
    assert not writes_large(ink, flags(SEVERAL - 1, len(images)))
