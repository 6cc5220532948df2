"""A dark thing on a disc is told from an X that somebody blackened by what it does not mind: the printed ring."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from ontour_cv.vision.cells import CELL, CellCrops
from ontour_cv.vision.covered import covered
from ontour_cv.vision.glyphs import KINDS, GlyphScores

IDS = ("WA", "OR", "CA", "NV", "ID")
MIDDLE, RADIUS = (CELL.px - 1) / 2, CELL.px_per_radius


def crops(odd: NDArray[np.uint8]) -> CellCrops:
    """Four pale discs with a thin X on coloured ground, and ``odd`` as the last one."""
    usual = np.full((CELL.px, CELL.px, 3), (90, 160, 200), np.uint8)
    cv2.circle(usual, (round(MIDDLE), round(MIDDLE)), round(RADIUS), (235, 235, 235), -1)
    for one, two in (((22, 22), (41, 41)), ((22, 41), (41, 22))):
        cv2.line(usual, one, two, (30, 30, 30), 3)
    return CellCrops(IDS, np.stack([usual] * 4 + [odd]), np.full(5, 20.0))


def scores(last: str) -> GlyphScores:
    """All read as X, the last one as said."""
    kind = np.log(np.full((5, len(KINDS)), 0.01))
    kind[:4, KINDS.index("x")] = kind[4, KINDS.index(last)] = np.log(0.97)
    return GlyphScores(IDS, kind, np.zeros((5, 100)), np.log(np.full((5, 2), 0.5)))


def disc(thing: str, dark: int) -> NDArray[np.uint8]:
    """A disc with a pen across it, or blackened as far as its rim."""
    image = np.full((CELL.px, CELL.px, 3), (90, 160, 200), np.uint8)
    cv2.circle(image, (round(MIDDLE), round(MIDDLE)), round(RADIUS), (235, 235, 235), -1)
    if thing == "pen":
        cv2.line(image, (0, 20), (CELL.px, 44), (dark, dark, dark), round(1.7 * RADIUS))
    else:
        cv2.circle(image, (round(MIDDLE), round(MIDDLE)), round(0.95 * RADIUS), (dark, dark, dark), -1)
    return image


@pytest.mark.parametrize(
    ("thing", "dark", "read", "expected"),
    [
        ("pen", 30, "x", ["ID"]),
        ("pen", 30, "number", []),
        ("pen", 200, "x", []),
        ("blackened", 30, "x", []),
    ],
)
def test_only_a_dark_thing_read_as_x_is_doubted(thing: str, dark: int, read: str, expected: list[str]) -> None:
    """A pale one is not taken for ink, what is read otherwise is no X, and ink keeps to the disc."""
    assert covered(scores(read), crops(disc(thing, dark))) == expected
