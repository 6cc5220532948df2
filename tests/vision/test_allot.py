"""Every disc that is seen is one cell's: of all ways to give them out the likeliest."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv.vision.allot import LEAST, REACH, SAME, Spots, agreement, allot, look, shared
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.measure import measure
from ontour_cv.vision.photo import Photo

RADIUS = 20.0
PLAIN = 9.0
Place = tuple[float, float]


def given_out(
    places: list[Place], expected: list[Place], discs: list[Place], seen: list[bool] | None = None, plain: float = PLAIN
) -> tuple[list[Place], list[bool]]:
    """Everything in disc radii."""
    axes = np.tile(np.eye(2) * RADIUS, (len(places), 1, 1))
    spots = Spots(np.array(discs).reshape(-1, 2) * RADIUS, np.full(len(discs), plain))
    flags = np.ones(len(places), dtype=bool) if seen is None else np.array(seen)
    centres, then = allot(np.array(places) * RADIUS, axes, np.array(expected) * RADIUS, flags, spots)
    return [(float(x), float(y)) for x, y in np.round(centres / RADIUS, 6)], then.tolist()


def test_cells_on_discs_of_their_own_keep_what_was_measured() -> None:
    places = [(0.1, 0.0), (4.0, 0.2), (8.0, 0.0)]
    assert given_out(places, [(0.0, 0.0), (4.0, 0.0), (8.0, 0.0)], [(0.15, 0.0), (4.0, 0.0), (8.1, 0.1)]) == (
        places,
        [True, True, True],
    )


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_where_a_neighbour_has_a_cell_s_disc_it_moves_on_to_its_own(order: tuple[int, ...]) -> None:
    """As the Carolinas: the southern disc lies nearer to where the northern is expected than its own does."""
    expected = [(0.0, 0.0), (-1.0, 3.2), (6.0, 0.0)]
    places, seen = [(0.0, 1.5), (-1.0, 3.2), (6.0, 0.0)], [True, False, True]
    own = [(1.8, -0.8), (0.0, 1.5), (6.0, 0.0)]
    found, then = given_out([places[k] for k in order], [expected[k] for k in order], own, [seen[k] for k in order])
    assert found == [own[k] for k in order]
    assert then == [True, True, True]


def test_two_cells_seen_on_one_disc_are_parted() -> None:
    found, then = given_out([(0.0, 0.0), (0.1, 0.0)], [(0.0, -0.5), (0.0, 1.0)], [(0.0, 0.0), (0.0, 2.5)])
    assert found == [(0.0, 0.0), (0.0, 2.5)]
    assert then == [True, True]


def test_where_there_is_no_second_disc_the_cell_farther_off_is_not_seen() -> None:
    found, then = given_out([(0.0, 0.0), (0.1, 0.0)], [(0.0, -0.3), (0.0, 1.5)], [(0.0, 0.0)])
    assert found == [(0.0, 0.0), (0.0, 1.5)]
    assert then == [True, False]


def test_a_cell_measured_on_nothing_takes_the_plain_disc_farther_off_that_is_nobody_s() -> None:
    assert given_out([(1.1, 0.0)], [(0.0, 0.0)], [(-2.2, 0.0)]) == ([(-2.2, 0.0)], [True])


@pytest.mark.parametrize(
    ("disc", "plain"), [((-REACH - 0.1, 0.0), PLAIN), ((-2.2, 0.0), LEAST)], ids=["too far", "hardly a disc"]
)
def test_but_not_one_too_far_or_hardly_a_disc(disc: Place, plain: float) -> None:
    assert given_out([(0.4, 0.0)], [(0.0, 0.0)], [disc], plain=plain) == ([(0.4, 0.0)], [True])


def test_a_cell_that_is_not_seen_is_found_where_nobody_else_s_disc_is() -> None:
    assert given_out([(0.0, 0.0)], [(0.0, 0.0)], [(1.4, 0.0)], [False]) == ([(1.4, 0.0)], [True])


def test_without_discs_everything_stays() -> None:
    places = [(0.2, 0.0), (4.0, 0.0)]
    assert given_out(places, [(0.0, 0.0), (4.0, 0.0)], [], [True, False]) == (places, [True, False])


@given(st.lists(st.tuples(st.floats(-0.9, 0.9), st.floats(-0.9, 0.9)), min_size=2, max_size=8), st.randoms())
def test_no_disc_is_given_out_twice_whatever_was_measured(steps: list[Place], random) -> None:
    """And no cell lies where it was neither measured nor expected, and no disc is."""
    expected = [(3.0 * k, 0.0) for k in range(len(steps))]
    discs = [(x + dx, y + dy) for (x, y), (dx, dy) in zip(expected, steps, strict=True)]
    places = [random.choice(discs) if random.random() < 0.7 else spot for spot in expected]
    found, then = given_out(places, expected, discs)
    seen = [place for place, there in zip(found, then, strict=True) if there]
    assert all(np.hypot(*np.subtract(a, b)) > 0.3 for a, b in itertools.combinations(seen, 2))
    known = np.round(np.array([*places, *expected, *discs]), 6)
    assert all(np.hypot(*(known - place).T).min() < 1e-5 for place in found)


def test_two_cells_on_one_disc_are_told() -> None:
    axes = np.tile(np.eye(2) * RADIUS, (2, 1, 1))
    near, far = np.array([[0.0, 0.0], [0.5, 0.0]]) * RADIUS, np.array([[0.0, 0.0], [1.5, 0.0]]) * RADIUS
    both = np.array([True, True])
    assert shared(near, axes, both)
    assert not shared(far, axes, both)
    assert not shared(near, axes, np.array([True, False]))


def test_discs_are_found_wherever_they_lie_round_the_cells() -> None:
    """One beside its place, one in it with ink across, one that is no cell's; each once, to a fifth of a radius."""
    picture = np.full((260, 420, 3), (120, 190, 150), np.uint8)
    discs = [(80.0, 120.0), (210.0, 130.0), (330.0, 100.0)]
    for x, y in discs:
        cv2.circle(picture, (int(x), int(y)), int(RADIUS), (255, 255, 255), -1, cv2.LINE_AA)
        cv2.circle(picture, (int(x), int(y)), int(RADIUS), (60, 60, 60), 2, cv2.LINE_AA)
    cv2.line(picture, (200, 118), (222, 142), (20, 20, 20), 4, cv2.LINE_AA)
    photo = Photo("board", picture)
    expected = np.array([(100.0, 110.0), (210.0, 130.0), (310.0, 130.0)])
    axes = np.tile(np.eye(2) * RADIUS, (3, 1, 1))
    measured = measure(photo, find_discs(photo), expected, axes)
    spots = look(measured, expected, axes, (420, 260))
    sure = spots.centres[spots.answers > LEAST + 2]
    gaps = np.hypot(*(sure[:, None] - np.array(discs)[None]).transpose(2, 0, 1)) / RADIUS
    assert sorted(gaps.argmin(axis=1).tolist()) == [0, 1, 2]
    assert gaps.min(axis=1).max() < 0.2
    apart = [np.hypot(*np.subtract(a, b)) / RADIUS for a, b in itertools.combinations(spots.centres, 2)]
    assert min(apart) > SAME - 0.3


def test_discs_agree_with_a_map_the_less_the_farther_off_and_the_fewer_are_seen() -> None:
    """Where they belong they speak for it, and lying anywhere against it."""
    every, off = np.ones(41, dtype=bool), np.linspace(0.0, 2.5, 11)
    odds = [agreement(np.full(41, away), every) for away in off]
    assert odds == sorted(odds, reverse=True)
    assert odds[0] > 50 and odds[-1] < -50
    some = every.copy()
    some[:5] = False
    assert agreement(np.full(41, 0.2), some) < agreement(np.full(41, 0.2), every)
    rng = np.random.default_rng(2)
    anywhere = np.sqrt(rng.uniform(0, 13 / np.pi, (50, 41)))  # as far as a disc anywhere is from one of its own
    assert np.mean([agreement(away, every) for away in anywhere]) < 0
