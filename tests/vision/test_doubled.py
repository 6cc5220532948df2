"""Two cells on one disc are parted: each gets its own, or one of them is not seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ontour_cv.vision.doubled import part
from ontour_cv.vision.landmarks import Candidates, find_discs
from ontour_cv.vision.photo import Photo

RADIUS = 20.0
NOTHING = find_discs(Photo("blank", np.full((120, 160, 3), 200, np.uint8)))


def discs(*centres: tuple[float, float], radius: float = RADIUS) -> Candidates:
    """Candidates at these places, in a picture that shows none."""
    count = len(centres)
    shapes = np.tile([1.0, 0.0, 1.0], (count, 1))
    some = np.array(centres, dtype=np.float64).reshape(count, 2)
    return replace(NOTHING, centres_photo=some, radii_px=np.full(count, radius), quality=np.ones(count), shapes=shapes)


def parted(
    places: list[tuple[float, float]], expected: list[tuple[float, float]], candidates: Candidates
) -> tuple[list[list[float]], list[bool]]:
    axes = np.tile(np.eye(2) * RADIUS, (len(places), 1, 1))
    seen = np.ones(len(places), dtype=bool)
    centres, then = part(np.array(places, dtype=float), axes, np.array(expected, dtype=float), seen, candidates)
    return centres.tolist(), then.tolist()


SHARED, FREE, FAR = (100.0, 100.0), (100.0, 150.0), (300.0, 300.0)


@pytest.mark.parametrize("swapped", [False, True])
def test_of_two_cells_on_one_disc_the_one_that_is_nearer_to_the_free_disc_gets_it(swapped: bool) -> None:
    """Whichever comes first."""
    expected = [(100.0, 105.0), (100.0, 130.0), FAR]
    order = [1, 0, 2] if swapped else [0, 1, 2]
    places = [SHARED, (102.0, 101.0), FAR]
    centres, seen = parted([places[k] for k in order], [expected[k] for k in order], discs(SHARED, FREE, FAR))
    assert centres[order.index(1)] == list(FREE)
    assert np.hypot(*np.subtract(centres[order.index(0)], SHARED)) < 3
    assert centres[2] == list(FAR)
    assert seen == [True, True, True]


def test_a_disc_that_another_cell_has_is_not_taken() -> None:
    """And where none is free, the cell expected farther away is not seen, and lies where it is expected."""
    expected = [(100.0, 105.0), (100.0, 130.0), FREE]
    centres, seen = parted([SHARED, SHARED, FREE], expected, discs(SHARED, FREE))
    assert centres == [list(SHARED), [100.0, 130.0], list(FREE)]
    assert seen == [True, False, True]


@pytest.mark.parametrize(
    "other", [discs(SHARED, (100.0, 250.0)), discs(SHARED, FREE, radius=RADIUS / 2)], ids=["too far", "too small"]
)
def test_a_free_disc_has_to_be_near_and_as_large_as_the_board_s(other: Candidates) -> None:
    _, seen = parted([SHARED, SHARED], [(100.0, 105.0), (100.0, 130.0)], other)
    assert seen == [True, False]


def test_cells_on_discs_of_their_own_stay() -> None:
    places = [SHARED, (100.0, 141.0)]
    centres, seen = parted(places, [(100.0, 105.0), (100.0, 130.0)], discs(SHARED, FREE, (140.0, 120.0)))
    assert centres == [list(place) for place in places]
    assert seen == [True, True]
