"""The board's pen: found by what is written on most cells, and its share in each place as mixing says."""

from __future__ import annotations

import numpy as np
from circled import BLACK, WHITE, board
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv.vision.pen import LEAST_CONTRAST, ground_and_pen, shares

BLUE = (150, 60, 30)


def flat(images: np.ndarray) -> np.ndarray:
    """Crops as rows of pixels."""
    return images.reshape(len(images), -1, 3).astype(np.float32)


def test_the_ground_is_the_disc_and_the_pen_what_is_written() -> None:
    """Black and blue pens on white discs are found to a few grey levels, whatever a few cells hold."""
    for ink in (BLACK, BLUE):
        images = board((40, 40, 200), set(), pen=ink)
        images[3], images[7] = 255, WHITE  # in glare; empty
        ground, pen = ground_and_pen(flat(images))
        others = np.delete(np.arange(len(images)), [3, 7])
        assert np.abs(ground[others] - WHITE).max() < 4
        assert np.abs(pen[others] - ink).max() < 25


@given(
    st.lists(st.integers(0, 255), min_size=3, max_size=3),
    st.lists(st.integers(0, 255), min_size=3, max_size=3),
    st.floats(-0.5, 1.5),
    st.floats(0, 50),
)
def test_a_mixture_of_ground_and_pen_has_that_share_and_no_rest(
    ground: list[int], pen: list[int], share: float, aside: float
) -> None:
    """What lies on the line between them is its share; a step aside of it changes nothing but the rest."""
    way = np.subtract(pen, ground).astype(np.float64)
    length = np.linalg.norm(way)
    if length < LEAST_CONTRAST:
        return
    across = np.cross(way, [1.0, 0.3, -0.7])
    if np.linalg.norm(across) < 1e-3 * length:
        return
    seen = np.array(ground) + share * way + aside * across / np.linalg.norm(across)
    found, rest = shares(*(np.array([v], np.float32) for v in ([seen], ground, pen)))
    assert abs(found[0, 0] - share) < 1e-3
    assert abs(rest[0, 0] - aside / length) < 0.02


def test_a_pen_like_the_ground_makes_no_ink_of_noise() -> None:
    """Where both are the same, a few grey levels are a small share, not the whole of it."""
    same = np.array([[200, 200, 200]], np.float32)
    share, rest = shares(np.array([[[203, 198, 201]]], np.float32), same, same)
    assert abs(share[0, 0]) < 0.5
    assert rest[0, 0] < 0.5
