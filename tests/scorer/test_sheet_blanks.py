"""How many states stay blank, beside games that are played."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv.board import Kind
from ontour_cv.maps.load import load_map
from ontour_cv.scorer.sheet_blanks import ANYHOW, PASSED, blanks_of
from ontour_cv.sheet import POWERS, ROUNDS
from ontour_cv.synth.play_rolling import play_rolling

TEMPLATE = load_map("rolling-america")
STATES = len(TEMPLATE.ids)


@given(st.integers(0, ROUNDS), st.integers(0, POWERS))
def test_every_number_of_blanks_stays_possible(rounds: int, dupes: int) -> None:
    chance = blanks_of({"rounds": rounds, "dupe": dupes}, STATES)
    assert chance.shape == (STATES + 1,)
    assert chance.sum() == pytest.approx(1.0)
    assert chance.min() >= 0.99 * ANYHOW / (STATES + 1)


@given(st.integers(0, ROUNDS - 1), st.integers(0, POWERS))
def test_more_rounds_and_more_dupes_leave_fewer_blanks(rounds: int, dupes: int) -> None:
    def mean(rolled: int, used: int) -> float:
        return float(blanks_of({"rounds": rolled, "dupe": used}, STATES) @ np.arange(STATES + 1))

    assert mean(rounds + 1, dupes) < mean(rounds, dupes)
    if dupes < POWERS:
        assert mean(rounds, dupes + 1) < mean(rounds, dupes)


def test_shares_of_dice_passed_over_sum_to_one() -> None:
    for shares in PASSED.values():
        assert sum(shares) == pytest.approx(1.0)


@pytest.mark.parametrize("rounds", [2, 5, 7, 8])
def test_what_games_leave_blank_is_expected(rounds: int) -> None:
    """Nearly all games end with a number of blanks that is more probable than if nothing were known."""
    likely = 0
    for seed in range(40):
        sheet = play_rolling(TEMPLATE, random.Random(seed), rounds).sheet
        blank = sum(mark.kind is Kind.EMPTY for mark in sheet.marks.values())
        chance = blanks_of({"rounds": rounds, "dupe": sheet.boxes.said()["dupe"]}, STATES)
        likely += chance[blank] > 2.0 / (STATES + 1)
    assert likely >= 36
