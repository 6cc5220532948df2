"""Two readings of one writer's habit are not two witnesses."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv.vision.caution import cautious
from ontour_cv.vision.decode import EMPTY, LABELS
from ontour_cv.vision.match import STAR


def cell(**chances: float) -> np.ndarray:
    """Log-probabilities of one cell: ``n17=0.9`` and the rest spread evenly."""
    p = np.full(LABELS, 1e-9)
    for name, chance in chances.items():
        p[EMPTY if name == "empty" else int(name[1:])] = chance
    return np.asarray(np.log(p / p.sum()))


def certain(*labels: int) -> np.ndarray:
    """A joint posterior that leaves no doubt."""
    return np.eye(LABELS)[list(labels)]


def test_the_same_doubt_twice_is_still_a_doubt() -> None:
    """Both cells of a pair look a little like the same other digit: the pair stays in doubt about it."""
    unary = np.stack([cell(n78=0.9, n18=0.1), cell(n87=0.9, n81=0.1)])
    out = cautious(certain(78, 87), unary)
    assert 0.03 < out[0, 18] < 0.12
    assert 0.03 < out[1, 81] < 0.12
    assert out.argmax(axis=1).tolist() == [78, 87]


def test_a_clear_partner_settles_a_doubt() -> None:
    """A smudged 31 beside a plain 13 is a 31."""
    unary = np.stack([cell(n31=0.6, n37=0.4), cell(n13=1.0)])
    assert cautious(certain(31, 13), unary)[0, 31] > 0.999


def test_another_digit_in_each_is_no_habit() -> None:
    """One cell doubts its first digit, the other its second of another kind: nothing is shared."""
    unary = np.stack([cell(n78=0.9, n18=0.1), cell(n87=0.9, n67=0.1)])
    assert cautious(certain(78, 87), unary)[:, [78, 87]].max(axis=1).min() > 0.999


def test_no_space_is_emptier_for_having_no_partner() -> None:
    """A pen that ran dry hides both numbers of a pair."""
    unary = np.stack([cell(empty=0.95, n31=0.05), cell(n12=1.0), cell(n21=1.0)])
    out = cautious(certain(EMPTY, 12, 21), unary)
    assert 0.04 < out[0, 31] < 0.06
    assert out[0, EMPTY] > 0.94


def test_a_star_is_hardly_plainer_for_what_the_pairs_say() -> None:
    """Of what else a cell may be a tenth stays; a plain star is as plain as before."""
    unary = np.stack([cell(n101=0.5, n31=0.5), cell(n101=1.0), cell(n12=1.0), cell(n21=1.0)])
    out = cautious(certain(STAR, STAR, 12, 21), unary)
    assert 0.03 < out[0, 31] < 0.06
    assert out[1, STAR] > 0.999


def test_cells_without_partner_and_signs_stay_as_they_are() -> None:
    """Caution is about pairs."""
    unary = np.stack([cell(n78=0.9, n18=0.1), cell(empty=1.0), cell(n22=0.7, n21=0.3)])
    posterior = np.exp(unary)
    assert np.allclose(cautious(posterior, unary), posterior)
    assert cautious(np.zeros((0, LABELS)), np.zeros((0, LABELS))).shape == (0, LABELS)


@given(st.integers(0, 2**32 - 1))
def test_it_takes_certainty_and_never_gives_it(seed: int) -> None:
    """The most probable label stays, is never more probable than before, and rows still sum to one."""
    rng = np.random.default_rng(seed)
    numbers = rng.integers(0, 100, 4)
    best = [int(n) for n in numbers] + [int(n % 10 * 10 + n // 10) for n in numbers]
    unary = rng.normal(0, 3, (8, LABELS))
    unary[np.arange(8), best] += 6
    unary -= np.log(np.exp(unary).sum(axis=1, keepdims=True))
    before = np.exp(unary)
    after = cautious(before, unary)
    assert np.allclose(after.sum(axis=1), 1.0)
    assert (after.argmax(axis=1) == before.argmax(axis=1)).all()
    assert (after.max(axis=1) <= before.max(axis=1) + 1e-12).all()
