"""A good guess becomes the board's homography; a crowd of other discs hides no board whose discs are mostly seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ontour_cv.geometry import Homography
from ontour_cv.maps.load import load_editions
from ontour_cv.vision.constellation import MatchSettings, grow, guess, match
from ontour_cv.vision.field import Field, make_field
from ontour_cv.vision.register import QUICK, WIDE_MATCH

EDITION = load_editions("usa")[0]
BOARD = np.array(list(EDITION.cells.values()), dtype=np.float64)
TRUE = np.array([[900.0, -60.0, 150.0], [80.0, 860.0, 60.0], [0.05, 0.1, 1.0]])


def field_of(seen: np.ndarray) -> Field:
    """The discs ``seen`` of a board laid by ``TRUE``, each exactly where it is."""
    model = Homography(TRUE, "board", "photo")
    radii = np.sqrt(np.abs(np.linalg.det(model.jacobians(BOARD)))) * EDITION.radius
    return make_field(model.apply(BOARD)[seen], radii[seen], np.tile([1.0, 0.0, 1.0], (len(seen), 1)), (1200, 900))


def guess_at(k: int) -> tuple[np.ndarray, np.ndarray]:
    """The affine map that touches ``TRUE`` at disc ``k``."""
    model = Homography(TRUE, "board", "photo")
    linear = model.jacobians(BOARD[k : k + 1])[0]
    return np.column_stack([linear, model.apply(BOARD[k : k + 1])[0] - linear @ BOARD[k]]), BOARD[k]


@pytest.mark.parametrize("share", [0.0, 0.35, 0.9])
def test_a_good_guess_grows_into_the_whole_board(share: float) -> None:
    grown = grow(
        field_of(np.arange(len(BOARD))), BOARD, EDITION.radius, [guess_at(14)], MatchSettings(least_share=share)
    )
    (found,) = grown
    assert found is not None
    assert found.matched == len(BOARD)
    places = Homography(found.homography, "board", "photo").apply(BOARD)
    assert np.abs(places - Homography(TRUE, "board", "photo").apply(BOARD)).max() < 0.5


def test_a_guess_that_explains_too_little_is_given_up() -> None:
    """Every other disc missing: a third explained is enough, three quarters are not there."""
    seen = np.flatnonzero(np.arange(len(BOARD)) % 2 == 0)
    cfg = MatchSettings()
    assert grow(field_of(seen), BOARD, EDITION.radius, [guess_at(14)], replace(cfg, least_share=0.35)) != [None]
    assert grow(field_of(seen), BOARD, EDITION.radius, [guess_at(14)], replace(cfg, least_share=0.75)) == [None]


def crowd(seed: int, seen: int = 27, strangers: int = 100) -> Field:
    """Some of the board's discs, a fifth of their radius off, among others anywhere."""
    rng = np.random.default_rng(seed)
    model = Homography(TRUE, "board", "photo")
    radii = np.sqrt(np.abs(np.linalg.det(model.jacobians(BOARD)))) * EDITION.radius
    some = rng.permutation(len(BOARD))[:seen]
    places = model.apply(BOARD)[some] + radii[some, None] * rng.normal(0, 0.2, (seen, 2))
    points = np.vstack([places, rng.uniform((100, 0), (1000, 900), (strangers, 2))])
    sizes = np.concatenate([radii[some] * np.exp(rng.normal(0, 0.1, seen)), rng.uniform(12, 25, strangers)])
    return make_field(points, sizes, np.tile([1.0, 0.0, 1.0], (len(points), 1)), (1200, 900))


@pytest.mark.parametrize("seed", range(8))
def test_two_thirds_of_the_discs_are_enough_for_a_wide_look_whatever_else_is_there(seed: int) -> None:
    found = match(crowd(seed), BOARD, EDITION.radius, WIDE_MATCH)
    places = Homography(found[0].homography, "board", "photo").apply(BOARD)
    assert np.abs(places - Homography(TRUE, "board", "photo").apply(BOARD)).max() < 15


@pytest.mark.parametrize("seed", range(3))
def test_guesses_made_for_a_wider_look_serve_a_quick_one_as_well(seed: int) -> None:
    field = crowd(seed, seen=35, strangers=20)
    alone = match(field, BOARD, EDITION.radius, QUICK)
    served = match(field, BOARD, EDITION.radius, QUICK, guess(field, BOARD, EDITION.radius, WIDE_MATCH))
    assert [one.log_odds for one in alone] == [one.log_odds for one in served]
    assert len(alone) > 0
