"""Sums over all ways, and the likely ways one by one: both tell the same."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontour_cv.vision.lattice import Option, Rules, Sums, add_up, likely_ways

RULES = Rules(width=2, slipped=1 << 20, alike=0.1, declined=0.2)


def any_sums(seed: int, drop: float = 1e-9) -> tuple[Sums, list[list[Option]]]:
    """Four cells, each with a few options that use up one of four writings in two turns, or none."""
    rng = np.random.default_rng(seed)
    cells = []
    for _ in range(4):
        options = []
        for column in range(4):
            bit = int(rng.integers(5))
            means, declined = [(0, 0), (1, 0), (2, 1), (3, 0), (1, 2)][int(rng.integers(5))]
            used = (1 << bit, 1 << (bit ^ 1), 4 + 4 * (bit // 2), means, declined) if bit < 4 else ()
            options.append(Option(column, float(rng.random()) ** 4 + 1e-6, bool(rng.random() < 0.2), *used))
        cells.append(sorted(options, key=lambda option: -option.weight))
    with patch("ontour_cv.vision.lattice.DROP", drop):
        return add_up(cells, RULES, lambda state: (1.0 + (state & 1), 1.0, 0)), cells


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000))
def test_all_ways_together_are_the_sums(seed: int) -> None:
    sums, cells = any_sums(seed)
    ways = likely_ways(sums.trellis, least=1e-12, most=10**6)
    assert [way.chance for way in ways] == sorted((way.chance for way in ways), reverse=True)
    for k, options in enumerate(cells):
        chances = np.bincount(
            [way.options[k] for way in ways], weights=[way.chance for way in ways], minlength=len(options)
        )
        assert np.allclose(chances, sums.chances[k], atol=1e-6)
    clean = sum(way.chance * way.clean for way in ways)
    assert clean == pytest.approx(sums.lawful, abs=1e-6)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.3, 0.05, 1e-3]))
def test_nothing_likely_is_missed_and_nothing_unlikely_listed(seed: int, least: float) -> None:
    sums, _ = any_sums(seed)
    every = [way.chance for way in likely_ways(sums.trellis, least=1e-12, most=10**6)]
    some = [way.chance for way in likely_ways(sums.trellis, least=least)]
    assert some == pytest.approx([chance for chance in every if chance >= least])


def test_a_hopeless_search_stops() -> None:
    sums, _ = any_sums(1)
    assert len(likely_ways(sums.trellis, least=1e-12, most=9)) < len(likely_ways(sums.trellis, 1e-12, 10**6))
