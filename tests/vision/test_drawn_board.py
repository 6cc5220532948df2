"""Links judged beside all others of their board: names and order of the links do not matter, neighbours do."""

from __future__ import annotations

import numpy as np
import pytest

from ontour_cv.vision.drawn_board import BETWEEN, board_features, neighbours, passing

RNG = np.random.default_rng(2)
HIDDEN = RNG.normal(size=(6, 5)).astype(np.float32)
ENDS = np.array([[0, 1], [1, 2], [2, 3], [3, 4], [1, 3], [0, 4]])
LOGITS = np.array([6.0, 5.0, -6.0, -7.0, 4.0, 0.0], dtype=np.float32)
OTHERS = 3 * HIDDEN.shape[1] + 2
"""Columns of the busier and the quieter end."""


def test_order_of_links_and_of_their_ends_do_not_matter() -> None:
    plain = board_features(HIDDEN, LOGITS, ENDS)
    order = RNG.permutation(len(LOGITS))
    assert np.allclose(board_features(HIDDEN[order], LOGITS[order], ENDS[order]), plain[order], atol=1e-5)
    assert np.allclose(board_features(HIDDEN, LOGITS, ENDS[:, ::-1]), plain, atol=1e-5)


def test_lines_that_come_to_either_end_are_counted_without_the_link_itself() -> None:
    """Links 0, 1 and 4 are drawn and meet in place 1; nothing else is drawn in places 0 and 4 but what is in doubt."""
    features = board_features(HIDDEN, LOGITS, ENDS)
    assert np.allclose(features[0, OTHERS : OTHERS + 2], [2.0, 0.5], atol=0.05)
    assert np.allclose(features[3, OTHERS : OTHERS + 2], [1.0, 0.5], atol=0.05)


def test_the_mean_of_what_seems_drawn_and_of_what_seems_bare_is_beside_each() -> None:
    sure = np.where(np.arange(6) < 2, 50.0, -50.0).astype(np.float32)
    features = board_features(HIDDEN, sure, ENDS)
    assert np.allclose(features[:, 5:10], HIDDEN[:2].sum(axis=0) / 2.1, atol=1e-4)
    assert np.allclose(features[:, 10:15], HIDDEN[2:].sum(axis=0) / 4.1, atol=1e-4)


def test_the_surest_of_first_thoughts_changes_nothing_any_more() -> None:
    ten, fifty = (board_features(HIDDEN, LOGITS * by, ENDS) for by in (100, 500))
    assert np.allclose(ten, fifty, atol=1e-5)


STAR = np.array([[0, 1], [2, 0], [0, 3], [4, 5]])
OUT = np.array([[2.0, 0.0], [-2.0, -0.2], [0.0, 5.0], [1.0, 1.0]])
"""Three links at place 0, the second noted from its far end: nearly the same way as the first; the third square to it;
and one elsewhere."""


def test_links_that_share_an_end_are_told_of_each_other_both_ways() -> None:
    pairs, said = neighbours(STAR, OUT)
    assert {tuple(pair) for pair in pairs.tolist()} == {(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)}
    assert said.shape == (6, BETWEEN)


def test_angles_are_those_at_the_place_they_share() -> None:
    pairs, said = neighbours(STAR, OUT)
    cosine = dict(zip(map(tuple, pairs.tolist()), said[:, 0].tolist(), strict=True))
    assert cosine[0, 1] == pytest.approx(2 / np.hypot(2, 0.2), abs=1e-6)
    assert cosine[0, 2] == pytest.approx(0, abs=1e-6)
    assert cosine[1, 2] == cosine[2, 1] == pytest.approx(0.2 / np.hypot(2, 0.2), abs=1e-6)


def test_angles_do_not_depend_on_which_end_a_link_is_noted_from() -> None:
    turned_ends, turned_out = STAR.copy(), OUT.copy()
    turned_ends[0], turned_out[0] = STAR[0, ::-1], -OUT[0]
    plain, turned = (dict(zip(map(tuple, pairs.tolist()), said.tolist(), strict=True))
                     for pairs, said in (neighbours(STAR, OUT), neighbours(turned_ends, turned_out)))  # fmt: skip
    assert plain.keys() == turned.keys()
    assert all(plain[pair] == pytest.approx(turned[pair]) for pair in plain)


@pytest.mark.parametrize(("aside", "on_the_way"), [(0.0, True), (1.2, True), (-1.2, True), (1.4, False), (3.0, False)])
def test_three_links_share_ink_where_a_disc_lies_on_the_way_between_two_others(aside: float, on_the_way: bool) -> None:
    """Discs 0, 1 and 2 make a triangle, 2 beside the way from 0 to 1; a fourth link hangs on."""
    spots = np.array([[0.0, 0.0], [6.0, 0.0], [3.0, aside], [9.0, 9.0]])
    ends = np.array([[0, 1], [2, 0], [1, 2], [1, 3]])
    steps = spots[ends[:, 1]] - spots[ends[:, 0]]
    assert passing(ends, steps).tolist() == [on_the_way] * 3 + [False]


def test_a_disc_on_the_way_that_is_no_neighbour_of_both_shares_nothing() -> None:
    spots = np.array([[0.0, 0.0], [6.0, 0.0], [3.0, 0.1]])
    ends = np.array([[0, 1], [0, 2]])
    assert not passing(ends, spots[ends[:, 1]] - spots[ends[:, 0]]).any()
