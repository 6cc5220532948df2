"""Grids are told from scattered points, under any homography; a grid of discs is no board of New York."""

from __future__ import annotations

import numpy as np
import pytest

from bench.photos import Studio
from bench.refusal import picture
from ontour_cv.errors import BoardNotFound
from ontour_cv.maps.load import load_editions
from ontour_cv.vision.evidence import GRID, ROWS
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import register
from ontour_cv.vision.regular import regularity


def grid(across: int, down: int) -> np.ndarray:
    return np.array([(x, y) for y in range(down) for x in range(across)], dtype=np.float64)


@pytest.mark.parametrize("seed", range(5))
def test_a_grid_seen_at_a_slant_is_one_but_for_its_rim(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = grid(9, 7) + rng.normal(0, 0.02, (63, 2))
    tilted = np.column_stack([points, np.ones(63)]) @ np.array([[1, 0.2, 0], [-0.1, 0.9, 0], [0.03, 0.02, 1.0]])
    assert regularity(points) >= 0.5
    assert regularity(tilted[:, :2] / tilted[:, 2:]) > GRID


@pytest.mark.parametrize("seed", range(5))
def test_scattered_points_are_none(seed: int) -> None:
    assert regularity(np.random.default_rng(seed).uniform(0, 1, (60, 2))) < GRID


def test_few_points_are_no_grid() -> None:
    assert regularity(grid(2, 2)) == 0.0


def test_only_new_york_stands_in_rows() -> None:
    maps = ("usa", "europe-home", "paris-home", "new-york-home")
    share = {m: max(regularity(np.array(list(e.cells.values()))) for e in load_editions(m)) for m in maps}
    assert {m for m in maps if share[m] > ROWS} == {"new-york-home"}


@pytest.mark.parametrize("k", [3, 73])
def test_a_grid_of_discs_is_no_board(k: int) -> None:
    """Pictures in which New York was seen before grids were known."""
    image, kind = picture(Studio(20261120, None, None), k)
    photo = Photo(kind, image)
    with pytest.raises(BoardNotFound):
        register(photo, find_discs(photo), load_editions("new-york-home"))
