"""The joint decode: pairs mend what single cells leave open, and never overrule what was read with confidence."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontour_cv.vision.glyphs import log_softmax
from ontour_cv.vision.match import BLOCKED, EMPTY, LABELS, STAR
from ontour_cv.vision.pairs import joint_posterior
from ontour_cv.vision.prior import Prior

PAIRS = Prior(reversed_pairs=True)


def unary(*cells: dict[int, float]) -> np.ndarray:
    """Log-probabilities ``(N, LABELS)`` from label -> probability; what is left is spread over the other labels."""
    out = np.empty((len(cells), LABELS))
    for row, cell in enumerate(cells):
        rest = max(1.0 - sum(cell.values()), 1e-9)
        out[row] = np.log(rest / (LABELS - len(cell)))
        for label, chance in cell.items():
            out[row, label] = np.log(chance)
    return out


def brute_force(cells: np.ndarray, prior: Prior) -> np.ndarray:
    """The same posterior by summing over every joint reading; labels under one in a million are left out."""
    options = [np.flatnonzero(row > np.log(1e-6)) for row in cells]
    out = np.zeros_like(cells)
    for joint in itertools.product(*options):
        counts = dict.fromkeys(range(100), 0)
        for label in joint:
            if label < 100:
                counts[int(label)] += 1
        odd = sum(abs(counts[n] - counts[10 * (n % 10) + n // 10]) for n in range(100)) // 2
        excused = min(odd, sum(label == BLOCKED for label in joint) + 1)
        cost = excused * prior.unpaired_cost + (odd - excused) * prior.broken_cost
        weight = np.exp(sum(cells[row, label] for row, label in enumerate(joint)) - cost)
        for row, label in enumerate(joint):
            out[row, label] += weight
    return out / out.sum(axis=1, keepdims=True)


def test_a_partner_settles_a_doubtful_digit() -> None:
    """17 or 11? The board has a 71, so it is 17."""
    posterior = joint_posterior(unary({71: 0.9999}, {17: 0.5, 12: 0.499}), PAIRS)
    assert posterior[1, 17] > 0.97


def test_two_doubtful_cells_settle_each_other() -> None:
    """Neither is clear alone; only 36 and 63 go together."""
    posterior = joint_posterior(unary({36: 0.5, 30: 0.45}, {63: 0.4, 68: 0.55}), PAIRS)
    assert posterior[0].argmax() == 36
    assert posterior[1].argmax() == 63


def test_a_confident_break_of_the_law_stays_as_read() -> None:
    """A player's slip is not read away."""
    posterior = joint_posterior(unary({31: 0.999999}, {14: 0.999999}, {41: 0.999999}), PAIRS)
    assert [int(p.argmax()) for p in posterior] == [31, 14, 41]
    assert posterior[0, 31] > 0.95


def test_without_the_pair_law_cells_stand_alone() -> None:
    """Other games have other laws."""
    cells = unary({71: 0.9999}, {17: 0.5, 12: 0.499})
    assert np.allclose(joint_posterior(cells, Prior()), np.exp(cells))


def test_a_cell_outside_the_picture_may_hold_the_missing_partner() -> None:
    """An unpaired number accuses nobody while a cell is unseen."""
    cells = unary({41: 1.0 - 1e-7}, {31: 0.5, 14: 0.499}, {EMPTY: 1.0 - 1e-7})
    prior = Prior(reversed_pairs=True, unpaired_cost=4.0)
    seen = joint_posterior(cells, prior)
    unseen = joint_posterior(cells, prior, np.array([False, False, True]))
    assert seen[1, 14] > 0.95
    assert unseen[1, 31] > seen[1, 31]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000))
def test_posterior_equals_brute_force(seed: int) -> None:
    """Summing over every joint reading of a few cells gives the same probabilities."""
    rng = np.random.default_rng(seed)
    values = [12, 21, 13, 31, 44, EMPTY, STAR, BLOCKED]
    cells = []
    for _ in range(int(rng.integers(1, 6))):
        some = rng.choice(values, 3, replace=False)
        share = rng.dirichlet([0.6, 0.6, 0.6]) * (1 - 1e-6) + 1e-7
        cells.append({int(v): float(s) for v, s in zip(some, share, strict=True)})
    table = unary(*cells)
    mine = joint_posterior(table, PAIRS)
    oracle = brute_force(table, PAIRS)
    settled = table.max(axis=1) >= np.log(0.9995)
    assert np.allclose(mine[~settled], oracle[~settled], atol=2e-3)


def glared(star: float = 0.05) -> dict[int, float]:
    """A cell under glare: a number, most likely, as the network has learnt, but no more one than another."""
    numbers = [number for number in range(100) if number % 11]
    return dict.fromkeys(numbers, (1.0 - star - 0.01) / 90) | {STAR: star, EMPTY: 0.004, BLOCKED: 0.004}


def test_numbers_under_glare_are_the_partners_that_are_missing() -> None:
    """79 and 49 have no partner and two cells cannot be read: no stars, though no number is as probable as a star."""
    sure = [{label: 1.0 - 1e-6} for label in (79, 97, 79, 49, 28, 82, 13, 31, 60, 6)]
    posterior = joint_posterior(unary(*sure, glared(), glared()), PAIRS)
    for row in (-1, -2):
        assert posterior[row, [97, 94]].sum() > 0.5 > posterior[row, STAR]
        assert abs(posterior[row, 97] - posterior[row, 94]) < 0.01
    assert [int(p.argmax()) for p in posterior[:-2]] == [79, 97, 79, 49, 28, 82, 13, 31, 60, 6]


def test_what_glare_hides_may_be_a_number_without_a_partner() -> None:
    """Every number is improbable by itself, not that it is one of them: as by summing over all of them."""
    table = unary({12: 1.0 - 1e-6}, {21: 1.0 - 1e-6}, glared(0.2))
    mine, oracle = joint_posterior(table, PAIRS), brute_force(table, PAIRS)
    assert np.abs(mine - oracle).max() < 0.005
    assert mine[2, STAR] < 0.75


def test_the_order_of_cells_means_nothing() -> None:
    rng = np.random.default_rng(5)
    table = log_softmax(rng.normal(0, 3, (12, LABELS)))
    order = rng.permutation(12)
    assert np.allclose(joint_posterior(table, PAIRS)[order], joint_posterior(table[order], PAIRS), atol=0.01)


def test_on_a_board_of_doubts_every_cell_has_its_say() -> None:
    """Thirty pairs a little unsure of one digit each: all are settled, not only the two dozen least sure."""
    pairs = [(a, b) for a in range(10) for b in range(a + 2, 10)][:20]
    cells = [{10 * a + b: 0.9, 10 * a + b - 1: 0.09} for a, b in pairs] + [{10 * b + a: 0.9999} for a, b in pairs]
    posterior = joint_posterior(unary(*cells), PAIRS)
    assert all(posterior[row, 10 * a + b] > 0.99 for row, (a, b) in enumerate(pairs))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_posteriors_are_probabilities(seed: int) -> None:
    """Whatever comes in, rows sum to one and nothing is negative, and the same input gives the same output."""
    rng = np.random.default_rng(seed)
    cells = log_softmax(rng.normal(0, 4, (41, LABELS)))
    first, second = joint_posterior(cells, PAIRS), joint_posterior(cells, PAIRS)
    assert np.allclose(first.sum(axis=1), 1.0, atol=1e-6)
    assert (first >= 0).all()
    assert np.array_equal(first, second)


def test_a_narrow_beam_looks_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight first numbers are read a little wrongly; what they are paired with comes last and says so to each.

    Their own favourites fill a beam of 30 a hundred times over before the first partner is reached.
    """
    monkeypatch.setattr("ontour_cv.vision.pairs.BEAM", 30)
    lows = [(a, b) for a in (0, 1) for b in (2, 4, 6, 8)]
    cells = [{10 * a + b: 0.02, 10 * a + b + 1: 0.97} for a, b in lows]
    partners = [{10 * b + a: 0.9} for a, b in lows]
    posterior = joint_posterior(unary(*cells, *partners), Prior(reversed_pairs=True, unpaired_cost=3.3, broken_cost=5))
    assert [int(row.argmax()) for row in posterior[:8]] == [10 * a + b for a, b in lows]
