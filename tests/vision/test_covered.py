"""What lies on a disc is told from an X that somebody blackened, and what is not seen is not read with confidence."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from ontour_cv.vision.cells import CELL, CellCrops
from ontour_cv.vision.covered import CIRCLED, HIDDEN, USUAL, covered, half_hidden, out_of_sight
from ontour_cv.vision.glyphs import KINDS, GlyphScores, log_softmax
from tests.readings import make_reading

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
    elif thing == "scribbled":
        for step in range(-20, 21, 5):
            cv2.line(image, (round(MIDDLE) + step, 20), (round(MIDDLE) - step, 44), (dark, dark, dark), 3)
    else:
        cv2.circle(image, (round(MIDDLE), round(MIDDLE)), round(0.95 * RADIUS), (dark, dark, dark), -1)
    return image


@pytest.mark.parametrize(
    ("thing", "dark", "read", "expected"),
    [
        ("pen", 30, "x", ["ID"]),
        ("pen", 30, "number", []),
        ("pen", 150, "x", ["ID"]),
        ("pen", 150, "number", []),
        ("blackened", 30, "x", []),
        ("scribbled", 30, "x", []),
    ],
)
def test_only_a_thing_read_as_x_is_doubted(thing: str, dark: int, read: str, expected: list[str]) -> None:
    """What is read otherwise is no X; ink of the board's pen keeps to the disc, and seldom is of one colour."""
    assert covered(scores(read), crops(disc(thing, dark))) == expected


def test_a_thing_in_the_colour_of_another_pen_is_doubted() -> None:
    """The picture on a card, round as a disc: it was read as an X, without a doubt."""
    image = np.full((CELL.px, CELL.px, 3), (240, 244, 246), np.uint8)
    cv2.circle(image, (round(MIDDLE), round(MIDDLE)), round(0.9 * RADIUS), (60, 60, 200), -1)
    assert covered(scores("x"), crops(image)) == ["ID"]


def test_a_disc_that_is_not_seen_is_out_of_sight_unless_a_neighbour_may_have_it() -> None:
    placement = make_reading().placement
    assert out_of_sight(placement) == []
    cells = dict(placement.cells)
    for cell, change in (("SC", {"seen": False}), ("GA", {"seen": False}), ("FL", {"seen": False, "inside": False})):
        cells[cell] = replace(cells[cell], **change)
    hidden = replace(placement, cells=cells)
    assert sorted(out_of_sight(hidden)) == ["GA", "SC"]
    assert out_of_sight(hidden, [("SC", "NC")]) == ["GA"]


def test_what_is_out_of_sight_may_be_anything_and_nothing_else_changes() -> None:
    rng = np.random.default_rng(3)
    kind, number, circled = (log_softmax(rng.normal(0, 3, (3, n))) for n in (len(KINDS), 100, 2))
    before = GlyphScores(("A", "B", "C"), kind, number, circled)
    after = half_hidden(before, ["B"])
    usual = (np.array(USUAL), np.full(100, 0.01), np.array(CIRCLED))
    for one, other, anything in zip(
        (kind, number, circled), (after.kind, after.number, after.circled), usual, strict=True
    ):
        np.testing.assert_allclose(np.exp(other[1]), (1 - HIDDEN) * np.exp(one[1]) + HIDDEN * anything)
        np.testing.assert_allclose(np.exp(other).sum(axis=1), 1.0)
        np.testing.assert_array_equal(other[[0, 2]], one[[0, 2]])
    assert half_hidden(before, []).kind.tolist() == kind.tolist()


def test_no_disc_under_the_sun_is_certain_once_it_is_out_of_sight() -> None:
    """However sure the network is that nothing stands where a card lies: it was 96 % for an empty state."""
    sure = GlyphScores(
        ("A",), np.log([[0.997, 0.001, 0.001, 0.001]]), np.log(np.full((1, 100), 0.01)), np.log([[0.999, 0.001]])
    )
    assert np.exp(half_hidden(sure, ["A"]).kind[0, KINDS.index("number")]) > 0.4
