"""An empty disc with a number next to it is in doubt; what belongs to another disc, and signs, are not looked at."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from ontour_cv.vision.beside import MOST, look_beside
from ontour_cv.vision.glyphs import KINDS, GlyphScores, MarkReader, log_softmax
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import Placement
from tests.readings import make_reading
from tests.vision.test_around import spotted, told

READING = make_reading()
IDS = tuple(READING.placement.cells)
WRITTEN, FREE = 41, (1.2, -1.2)


class Eyes:
    """Stand-in for the network: a mark where anything bright lies near the crop's middle, else nothing."""

    def __init__(self, kind: str = "number", sure: float = 0.9) -> None:
        self.looked, self._kind, self._sure = 0, KINDS.index(kind), sure

    def read_alone(self, images: NDArray[np.uint8]) -> GlyphScores:
        """The mark, or an empty cell."""
        self.looked += len(images)
        there = images[:, 20:44, 20:44].max(axis=(1, 2, 3)) > 200
        kind = np.full((len(images), len(KINDS)), -9.0)
        kind[np.arange(len(images)), np.where(there, self._kind, 0)] = 0.0
        number = np.where(there[:, None], told(WRITTEN, self._sure), told(3, 0.02))
        circled = np.log(np.tile([0.9, 0.1], (len(images), 1)))
        return GlyphScores(("",) * len(images), log_softmax(kind), number, circled)


def scores(*empty: str) -> GlyphScores:
    """Every cell a 3, but for the empty ones."""
    kind = np.full((len(IDS), len(KINDS)), -9.0)
    kind[:, KINDS.index("number")] = 0.0
    for region in empty:
        kind[IDS.index(region)] = [9.0, -9.0, -9.0, -9.0]
    circled = np.log(np.full((len(IDS), 2), 0.5))
    return GlyphScores(IDS, log_softmax(kind), np.tile(told(3, 0.9), (len(IDS), 1)), circled)


def look(before: GlyphScores, eyes: Eyes, region: str = "CO", placement: Placement = READING.placement) -> GlyphScores:
    """What is thought of a dark picture with one bright spot beside a cell."""
    photo: Photo = spotted(region, FREE)
    return look_beside(photo, placement, before, cast(MarkReader, eyes))


def test_an_empty_disc_with_a_number_beside_it_is_in_doubt() -> None:
    row = IDS.index("CO")
    found = look(scores("CO"), Eyes())
    assert found.number[row].argmax() == WRITTEN
    assert np.exp(found.kind[row, :2]) == pytest.approx([0.5, 0.5], abs=0.01)
    for table in (found.kind, found.number, found.circled):
        assert np.allclose(np.exp(table[row]).sum(), 1.0)


@pytest.mark.parametrize("eyes", [Eyes("x"), Eyes("star"), Eyes("number", 0.4)], ids=["an X", "a star", "who knows"])
def test_no_doubt_comes_of(eyes: Eyes) -> None:
    before = scores("CO")
    after = look(before, eyes)
    assert eyes.looked and np.array_equal(after.kind, before.kind) and np.array_equal(after.number, before.number)


def test_a_disc_that_is_written_on_is_not_looked_beside() -> None:
    eyes = Eyes()
    before = scores("WA")
    assert np.array_equal(look(before, eyes).kind, before.kind)


def test_what_is_nearer_to_another_disc_is_that_ones() -> None:
    near = READING.placement.cells["CO"]
    spot = np.asarray(near.centre_photo) + near.axes_photo @ np.array(FREE)
    taken = replace(READING.placement.cells["UT"], centre_photo=(float(spot[0]), float(spot[1])))
    placement = replace(READING.placement, cells={**READING.placement.cells, "UT": taken})
    before = scores("CO")
    assert np.array_equal(look(before, Eyes(), placement=placement).kind, before.kind)


def test_a_disc_outside_of_the_picture_is_left_alone() -> None:
    outside = replace(READING.placement.cells["CO"], inside=False)
    eyes = Eyes()
    look(scores("CO"), eyes, placement=replace(READING.placement, cells={**READING.placement.cells, "CO": outside}))
    assert not eyes.looked


def test_an_unfinished_board_is_left_alone() -> None:
    few, many = Eyes(), Eyes()
    look(scores(*IDS[:MOST]), few)
    look(scores(*IDS[: MOST + 1]), many)
    assert few.looked and not many.looked
