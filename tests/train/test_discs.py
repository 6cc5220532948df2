"""Training of the network that looks for discs: windows show what is said, and what is trained is what reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from ontour_cv.train.discs import (  # noqa: E402
    CUT,
    NEIGHBOURS,
    DiscFinder,
    Discs,
    answers,
    gathered,
    measured,
    open_places,
    save,
    shifted,
    train_discs,
)
from ontour_cv.train.hands import Hands  # noqa: E402
from ontour_cv.vision.disc_net import SIDE, DiscNet, inputs, places  # noqa: E402

FAR_AWAY = np.full((1, NEIGHBOURS, 2), 9.0, dtype=np.float32)


def spotted(others: np.ndarray = FAR_AWAY) -> Discs:
    """One dark disc with a pale spot right in its middle."""
    cut = np.full((1, CUT, CUT, 3), 60, dtype=np.uint8)
    cut[0, CUT // 2 - 2 : CUT // 2 + 2, CUT // 2 - 2 : CUT // 2 + 2] = 250
    return Discs(cut, others, np.array([False]))


def test_the_answer_wanted_is_where_the_disc_was_shifted_to() -> None:
    windows, wanted, _ = shifted(spotted(), np.zeros(40, dtype=np.intp), np.random.default_rng(3))
    at = places().reshape(-1, 2)[wanted.reshape(40, -1).argmax(axis=1)]
    grey = windows.astype(np.float64).mean(axis=3)
    bright = np.where(grey > 160, grey, 0.0)
    pixels = np.arange(SIDE) - (SIDE - 1) / 2
    mass = bright.sum(axis=(1, 2))
    seen = np.stack([(bright.sum(axis=1) * pixels).sum(axis=1), (bright.sum(axis=2) * pixels).sum(axis=1)], axis=1)
    assert seen / mass[:, None] / 10 == pytest.approx(at, abs=0.2)
    assert np.hypot(*at.T).max() > 1.0


def test_other_discs_are_shifted_and_turned_along() -> None:
    """A disc two radii to the right stays two radii away, and its place is barred."""
    others = FAR_AWAY.copy()
    others[0, 0] = (2.0, 0.0)
    _, wanted, allowed = shifted(spotted(others), np.zeros(30, dtype=np.intp), np.random.default_rng(4))
    for one, free in zip(wanted, allowed, strict=True):
        middle = places().reshape(-1, 2)[one.argmax()]
        gaps = np.hypot(*(places() - middle).transpose(2, 0, 1))
        barred = ~free & (np.hypot(places()[..., 0], places()[..., 1]) < 1.85)
        assert free[gaps < 0.4].any() or np.hypot(*middle) > 1.5
        assert not barred.any() or gaps[barred].min() > 0.4


def test_answers_sum_to_one_and_open_places_are_near() -> None:
    assert answers(np.array([[0.3, -1.2], [0.0, 0.0]])).sum(axis=(1, 2)) == pytest.approx(1.0, abs=1e-5)
    free = open_places(np.float64(FAR_AWAY))[0]
    assert np.array_equal(free, np.hypot(places()[..., 0], places()[..., 1]) < 1.85)


def test_discs_follow_from_the_seed_and_what_was_trained_reads_the_same(tmp_path: Path) -> None:
    hands = Hands([], [])
    discs, again = (gathered(3, range(1), hands, ()) for _ in range(2))
    assert np.array_equal(discs.cuts, again.cuts)
    assert np.array_equal(discs.sure, again.sure)
    mixed = Discs(discs.cuts, discs.others, np.arange(len(discs.sure)) % 2 == 0)
    finder = train_discs(mixed, 3, seed=5)
    card = measured(finder, mixed)
    assert card["discs"] == (~mixed.sure).sum()
    save(finder, card | {"temperature": 1.25}, tmp_path)
    windows, _, _ = shifted(mixed, np.arange(6, dtype=np.intp), np.random.default_rng(1))
    with torch.no_grad():
        wanted = finder(torch.from_numpy(inputs(windows)))[:, 0].numpy() / 1.25
    assert DiscNet(tmp_path).log_likelihood(windows) == pytest.approx(wanted, abs=0.02)


def test_a_network_learns_where_a_plain_disc_is() -> None:
    """A few steps are enough for discs that nothing hides."""
    torch.manual_seed(0)
    yy, xx = np.mgrid[:CUT, :CUT] - (CUT - 1) / 2
    disc = np.where(np.hypot(xx, yy) < 10, 230, 90).astype(np.uint8)
    discs = Discs(np.repeat(disc[None, ..., None], 3, axis=3), FAR_AWAY, np.array([False]))
    both = Discs(np.concatenate([discs.cuts] * 2), np.concatenate([discs.others] * 2), np.array([False, True]))
    finder = train_discs(both, 60, seed=2)
    assert isinstance(finder, DiscFinder)
    assert measured(finder, both)["off_0.5"] == 0.0
