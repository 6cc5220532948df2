"""How the beam looks ahead: a bound that no joint reading falls below, kept up to date choice by choice."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ontour_cv.vision.pairs_ahead import Choice, cost_changes, cost_of, costs_ahead

PAIRS, MOST, LONE = 4, 9, 3.0


def choices(seed: int) -> list[Choice]:
    """A few cells, each with some of the labels ab and ba of the first three pairs, or the last column's sign."""
    rng = np.random.default_rng(seed)
    labels = [(column, sign) for column in range(PAIRS - 1) for sign in (-1, 1)] + [(PAIRS - 1, 0)]
    out = []
    for _ in range(int(rng.integers(1, 5))):
        some = [labels[k] for k in rng.permutation(len(labels))[: int(rng.integers(1, 5))]]
        out.append(Choice(np.array([c for c, _ in some]), np.array([s for _, s in some]), -rng.gamma(1, 3, len(some))))
    return out


def start(seed: int) -> np.ndarray:
    """Imbalances before the first choice, ``(PAIRS, 1)``."""
    balance = np.random.default_rng(seed + 1).integers(-2, 3, (PAIRS, 1))
    balance[-1] = 0
    return balance


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6))
def test_no_joint_reading_costs_less_than_is_foretold(seed: int) -> None:
    """Over every joint reading, counted by hand: dearer labels and the numbers left without a partner."""
    cells, balance = choices(seed), start(seed)
    costs = []
    for joint in itertools.product(*(range(len(cell.columns)) for cell in cells)):
        after = balance[:, 0].copy()
        for cell, pick in zip(cells, joint, strict=True):
            after[cell.columns[pick]] += cell.signs[pick]
        dearer = sum(cell.chances.max() - cell.chances[pick] for cell, pick in zip(cells, joint, strict=True))
        costs.append(dearer + LONE * np.abs(after).sum())
    foretold = cost_of(costs_ahead(cells, PAIRS, MOST, LONE)[0], balance)
    assert foretold[0] <= min(costs) + 1e-9
    if len(cells) == 1 and len(set(cells[0].columns)) == len(cells[0].columns) == 1:
        assert foretold[0] >= min(costs) - 1e-9  # one label of one pair leaves nothing to relax


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6))
def test_step_by_step_it_is_the_same_as_anew(seed: int) -> None:
    """What a choice changes is what the whole sum over all pairs changes."""
    cells, balance = choices(seed), start(seed)
    tables = costs_ahead(cells, PAIRS, MOST, LONE)
    rng = np.random.default_rng(seed + 2)
    balance = np.concatenate([balance, start(seed + 7)], axis=1)
    ahead = cost_of(tables[0], balance)
    for cell, before, after in zip(cells, tables, tables[1:], strict=False):
        changes = cost_changes(cell, balance, before, after)
        assert changes.shape == (len(cell.columns), 2)
        pick = int(rng.integers(len(cell.columns)))
        balance[cell.columns[pick]] += cell.signs[pick]
        ahead = ahead + changes[pick]
        assert np.allclose(ahead, cost_of(after, balance))


def test_a_partner_to_come_makes_a_lone_number_cheap() -> None:
    """12 stands alone; the cell to come is most likely 21, or 31 at a price of two: nothing is lost by waiting."""
    come = Choice(np.array([0, 1]), np.array([-1, -1]), np.array([0.0, -2.0]))
    alone = np.array([[1], [0]])
    assert cost_of(costs_ahead([come], 2, MOST, LONE)[0], alone)[0] == 0.0
    assert cost_of(costs_ahead([], 2, MOST, LONE)[0], alone)[0] == LONE


def test_what_was_the_partner_of_one_to_come_is_missed() -> None:
    """The cell to come is surely 21; where no 12 was read, it will be alone, or something else at its price."""
    come = Choice(np.array([0, 1]), np.array([-1, 0]), np.array([0.0, -8.0]))
    assert cost_of(costs_ahead([come], 2, MOST, LONE)[0], np.zeros((2, 1), dtype=int))[0] == LONE
