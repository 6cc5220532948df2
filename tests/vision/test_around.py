"""On a board nobody measured, a cell whose disc was not seen is looked for around where the fit places it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from ontour_cv.vision.around import MOST, look_around
from ontour_cv.vision.cells import CROP_PX
from ontour_cv.vision.glyphs import GlyphScores, MarkReader, log_softmax
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import Placement
from ontour_cv.vision.strays import SEVERAL
from tests.readings import make_reading

READING = make_reading()
IDS = tuple(READING.placement.cells)
WELL_CUT, ILL_CUT = 37, 3


class Eyes:
    """Stand-in for the network: sure of a number where a bright spot lies in the crop's middle, else unsure."""

    def __init__(self) -> None:
        self.looked = 0

    def read_alone(self, images: NDArray[np.uint8]) -> GlyphScores:
        """A certain 37 for crops centred on the spot, a guess at 3 for the others."""
        self.looked += len(images)
        middle = slice(CROP_PX // 2 - 2, CROP_PX // 2 + 2)
        centred = images[:, middle, middle].mean(axis=(1, 2, 3)) > 200
        number = np.where(centred[:, None], told(WELL_CUT, 0.99), told(ILL_CUT, 0.15))
        kind = log_softmax(np.tile([-6.0, 0.0, -6.0, -6.0], (len(images), 1)))
        return GlyphScores(("",) * len(images), kind, number, np.log(np.tile([0.9, 0.1], (len(images), 1))))


def told(number: int, chance: float) -> NDArray[np.float64]:
    """Log-probabilities of one cell's numbers."""
    p = np.full(100, (1 - chance) / 99)
    p[number] = chance
    return np.log(p)


def scores(sure: float = 0.5) -> GlyphScores:
    """Every cell a 3, read with probability ``sure``."""
    kind = log_softmax(np.tile([-9.0, 0.0, -9.0, -9.0], (len(IDS), 1)))
    return GlyphScores(IDS, kind, np.tile(told(ILL_CUT, sure), (len(IDS), 1)), np.log(np.full((len(IDS), 2), 0.5)))


def placed(unseen: Collection[str], elsewhere: int = SEVERAL) -> Placement:
    """The board with some discs only placed by the fit."""
    cells = {i: replace(place, seen=i not in unseen) for i, place in READING.placement.cells.items()}
    return replace(READING.placement, cells=cells, elsewhere=elsewhere)


def spotted(region: str, away: tuple[float, float]) -> Photo:
    """A dark picture with a bright spot, disc radii from where a cell was placed."""
    place = READING.placement.cells[region]
    x, y = np.asarray(place.centre_photo) + place.axes_photo @ np.array(away)
    bgr = np.zeros_like(READING.photo.bgr)
    reach = max(2, int(0.14 * np.sqrt(np.linalg.det(place.axes_photo))))
    bgr[int(y) - reach : int(y) + reach + 1, int(x) - reach : int(x) + reach + 1] = 255
    return Photo("spot", bgr)


def look(photo: Photo, placement: Placement, seen: GlyphScores, eyes: Eyes | None = None) -> GlyphScores:
    """What the stand-in makes of it."""
    return look_around(photo, placement, seen, cast(MarkReader, eyes or Eyes()))


@pytest.mark.parametrize("away", [(0.6, 0.0), (0.0, -0.6), (-0.3, 0.0)])
def test_what_lies_beside_the_place_is_read(away: tuple[float, float]) -> None:
    row = IDS.index("CO")
    found = look(spotted("CO", away), placed({"CO"}), scores())
    assert found.number[row].argmax() == WELL_CUT
    for table in (found.kind, found.number, found.circled):
        assert np.allclose(np.exp(table[row]).sum(), 1.0)


def test_other_cells_stay_as_they_were() -> None:
    before = scores()
    found = look(spotted("CO", (0.6, 0.0)), placed({"CO"}), before)
    others = [row for row, region in enumerate(IDS) if region != "CO"]
    assert np.array_equal(found.number[others], before.number[others])


@pytest.mark.parametrize(
    ("unseen", "elsewhere", "sure"),
    [((), SEVERAL, 0.5), (("CO",), SEVERAL - 1, 0.5), (("CO",), SEVERAL, 0.999)],
    ids=["its disc was seen", "a measured edition", "read clearly"],
)
def test_there_is_no_looking_around_where(unseen: tuple[str, ...], elsewhere: int, sure: float) -> None:
    before, eyes = scores(sure), Eyes()
    assert look(spotted("CO", (0.6, 0.0)), placed(unseen, elsewhere), before, eyes) is before
    assert not eyes.looked


def test_a_cell_outside_the_picture_is_left_alone() -> None:
    placement = placed({"CO"})
    outside = {**placement.cells, "CO": replace(placement.cells["CO"], inside=False)}
    eyes = Eyes()
    look(READING.photo, replace(placement, cells=outside), scores(), eyes)
    assert not eyes.looked


def test_at_most_some_cells_are_looked_at_again() -> None:
    one, all_of_them = Eyes(), Eyes()
    look(READING.photo, placed({"CO"}), scores(), one)
    look(READING.photo, placed(IDS), scores(), all_of_them)
    assert all_of_them.looked == MOST * one.looked
