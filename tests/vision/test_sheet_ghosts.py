"""A digit far paler than the rest of the sheet was erased; several as pale are another pencil."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ontour_cv.vision.cells import CROP_PX
from ontour_cv.vision.sheet_ghosts import darkness, ghosts, written_still

INSIDE = np.full((CROP_PX, CROP_PX), 255, np.uint8)
NUMBER = np.array([0.001, 0.998, 0.001])


def look(strength: float, light: float = 1.0) -> NDArray[np.uint8]:
    """A 7 in ink that takes so much of the light, on grey paper."""
    ink = np.zeros((CROP_PX, CROP_PX), np.float32)
    cv2.polylines(ink, [np.array([[22, 16], [42, 16], [30, 48]], np.int32)], False, 1.0, 4, cv2.LINE_AA)
    grey = 210 * light * (1 - strength * ink)
    return np.repeat(np.round(grey)[..., None], 3, axis=2).astype(np.uint8)


def kinds_of(strengths: list[float]) -> NDArray[np.float64]:
    """What becomes of cells that look like numbers in ink of these strengths."""
    close = np.stack([look(strength) for strength in strengths])
    return written_still(np.tile(NUMBER, (len(close), 1)), close, np.repeat(INSIDE[None], len(close), axis=0))


def test_one_ghost_among_digits_is_taken_for_blank() -> None:
    kinds = kinds_of([0.7] * 20 + [0.08])
    assert kinds[-1, 0] > 0.9
    assert (kinds[:-1, 0] < 0.01).all()


def test_two_may_be_ghosts_but_several_are_another_pencil() -> None:
    assert (kinds_of([0.7] * 20 + [0.08] * 2)[-2:, 0] > 0.9).all()
    assert (kinds_of([0.7] * 20 + [0.08] * 4)[-4:, 0] < 0.1).all()


def test_a_sheet_in_faint_pencil_is_read_as_before() -> None:
    kinds = kinds_of([0.1, 0.08, 0.09] * 8)
    assert np.allclose(kinds, NUMBER, atol=0.003)


def test_a_few_digits_are_not_compared() -> None:
    assert np.array_equal(kinds_of([0.7] * 5 + [0.05]), np.tile(NUMBER, (6, 1)))


@pytest.mark.parametrize("light", [0.4, 0.7, 1.1])
def test_darkness_is_that_of_the_ink_in_any_light(light: float) -> None:
    for strength in (0.1, 0.4, 0.7):
        (seen,) = darkness(look(strength, light)[None], INSIDE[None])
        assert seen == pytest.approx(-np.log(1 - strength), rel=0.2)


def test_what_lies_outside_the_cell_is_not_its_ink() -> None:
    image = look(0.1)
    image[:, 44:48] = 20  # a border
    mask = INSIDE.copy()
    mask[:, 42:] = 0
    assert darkness(image[None], mask[None])[0] < 0.2 < darkness(image[None], INSIDE[None])[0]


@given(st.integers(0, 10_000), st.integers(1, 40))
def test_probabilities_stay_probabilities_and_only_what_stood_there_is_lost(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    pale, there = rng.normal(0, 1.0, count), rng.random(count)
    found = ghosts(pale, there)
    assert ((found >= 0) & (found < 1)).all()
    assert (found[pale >= 0] == 0).all()
    kinds = rng.dirichlet([0.3, 1.0, 0.3], count)
    close = rng.integers(0, 256, (count, CROP_PX, CROP_PX, 3)).astype(np.uint8)
    out = written_still(kinds, close, np.repeat(INSIDE[None], count, axis=0))
    np.testing.assert_allclose(out.sum(axis=1), 1.0)
    assert (out > 0).all()
    assert (out[:, 1:] <= kinds[:, 1:]).all()


@given(st.integers(0, 10_000))
def test_a_cell_is_the_likelier_erased_the_paler_it_is(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pale = np.append(rng.normal(0, 0.1, 20), 0.0)
    there, found = np.ones(21), []
    for level in (-0.4, -0.8, -1.2, -1.6):
        pale[-1] = level
        found.append(ghosts(pale, there)[-1])
    assert found == sorted(found)
    assert found[0] < 0.01
    assert found[-1] > 0.9
