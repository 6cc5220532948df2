"""Links judged beside all others of their board: names and order of the links do not matter, neighbours do."""

from __future__ import annotations

import numpy as np

from ontour_cv.vision.drawn_board import board_features

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
