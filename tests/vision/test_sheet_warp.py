"""How paper bends: between what was seen smoothly, and what cannot change is worked out once."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv.geometry import Homography
from ontour_cv.vision.gaussian import matern
from ontour_cv.vision.sheet_warp import AMPLITUDE, LENGTH, SheetWarp, bend_kernel

FLAT = Homography(np.diag([500.0, 500.0, 1.0]), "sheet", "photo")


def places(seed: int, count: int, lasting: bool) -> np.ndarray:
    """Places anywhere on a sheet."""
    found = np.random.default_rng(seed).uniform(0, 1, (count, 2))
    found.setflags(write=not lasting)
    return found


@given(st.integers(0, 1000), st.booleans(), st.booleans())
def test_covariances_are_the_same_whether_they_are_kept_or_not(seed: int, one: bool, other: bool) -> None:
    here, there = places(seed, 7, one), places(seed + 1, 5, other)
    expected = matern(here, there, LENGTH, AMPLITUDE)
    np.testing.assert_array_equal(bend_kernel(here, there), expected)
    np.testing.assert_array_equal(bend_kernel(here, there), expected)


def test_what_cannot_change_is_worked_out_once_and_what_can_each_time() -> None:
    lasting, equal, changing = places(1, 6, True), places(1, 6, True), places(1, 6, False)
    assert bend_kernel(lasting, lasting) is bend_kernel(lasting, lasting)
    assert bend_kernel(lasting, lasting) is not bend_kernel(equal, lasting)
    before = bend_kernel(changing, lasting)
    changing += 0.5
    assert not np.allclose(bend_kernel(changing, lasting), before)


def test_paper_that_was_seen_bent_somewhere_is_bent_about_there() -> None:
    knots = np.array([[0.2, 0.2], [0.8, 0.5]])
    seen = np.array([[0.01, 0.0], [0.0, -0.02]])
    pull = np.linalg.solve(matern(knots, knots, LENGTH, AMPLITUDE), seen)
    warp = SheetWarp(FLAT, knots, pull)
    np.testing.assert_allclose(warp.bend(knots), seen, atol=1e-12)
    np.testing.assert_allclose(warp.apply(knots), FLAT.apply(knots + seen), atol=1e-9)
    assert np.abs(warp.bend(np.array([[30.0, 30.0]]))).max() < 1e-9
    assert not SheetWarp(FLAT, knots[:0], knots[:0]).bend(knots).any()
