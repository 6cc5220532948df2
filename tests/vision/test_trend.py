"""Where on the map a number stands says something about what it is, as far as the board itself shows it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from ontour_cv.vision.decode import decode
from ontour_cv.vision.glyphs import GlyphScores, log_softmax
from ontour_cv.vision.prior import Prior
from ontour_cv.vision.trend import DISBELIEF, LEAST, MEAN, MIXTURES, TRUSTED, VARIANCE, _landscape, trend

RNG = np.random.default_rng(5)
PLACES = RNG.uniform(0, 1, (30, 2)) * [1.0, 0.7]
RISING = np.clip(np.round(99 * PLACES[:, 0]), 0, 99).astype(int)


def seen(numbers: NDArray[np.int_], sure: float = 0.99) -> NDArray[np.float64]:
    """Each number with probability ``sure``, the others sharing the rest."""
    out = np.full((len(numbers), 100), (1 - sure) / 99)
    out[np.arange(len(numbers)), numbers] = sure
    return out


def test_a_number_that_fits_its_place_gains_on_one_that_does_not() -> None:
    told = trend(seen(RISING), PLACES)
    for cell, number in enumerate(RISING):
        far = (number + 50) % 100
        assert told[cell, number] > told[cell, far]


def test_what_a_cell_shows_itself_does_not_count_for_it() -> None:
    odd = RISING.copy()
    odd[7] = (odd[7] + 50) % 100
    before, after = trend(seen(RISING), PLACES), trend(seen(odd), PLACES)
    assert after[7].argmax() == pytest.approx(before[7].argmax(), abs=6)


def test_leaving_a_number_out_is_the_same_as_never_having_seen_it() -> None:
    ground = (PLACES - PLACES.mean(axis=0)) / PLACES.std()
    heights = RISING - MEAN
    every = np.arange(len(PLACES))
    for mixture in MIXTURES:
        _, density = _landscape(mixture, ground, every, heights)
        for cell in (0, 11, 29):
            others = np.delete(every, cell)
            _, without = _landscape(mixture, ground, others, heights[others])
            assert np.allclose(density[cell], without[cell], atol=1e-9)


def test_the_evidence_is_the_density_of_all_numbers_together() -> None:
    ground = (PLACES - PLACES.mean(axis=0)) / PLACES.std()
    heights = RISING - MEAN
    mixture = MIXTURES[4]
    apart = np.linalg.norm(ground[:, None] - ground[None], axis=-1)
    slope = ground @ ground.T / np.mean(np.sum(ground**2, axis=1))
    cover = VARIANCE * (mixture.slope * slope + mixture.smooth * np.exp(-((apart / mixture.reach) ** 2) / 2))
    cover += VARIANCE * mixture.scatter * np.eye(len(ground))
    # one number after the other, each given those before it: the chain rule of probability
    total = 0.0
    for k in range(len(heights)):
        rows = cover[k, :k]
        solved = np.linalg.solve(cover[:k, :k], np.column_stack([rows, heights[:k]])) if k else np.zeros((0, 2))
        mean, var = float(rows @ solved[:, 1]), float(cover[k, k] - rows @ solved[:, 0])
        total += -0.5 * ((heights[k] - mean) ** 2 / var + np.log(2 * np.pi * var))
    assert _landscape(mixture, ground, np.arange(len(ground)), heights)[0] == pytest.approx(total)


def test_numbers_without_a_trend_tell_nothing() -> None:
    worst = 0.0
    for seed in range(20):
        numbers = np.random.default_rng(seed).integers(0, 100, len(PLACES))
        told = trend(seen(numbers), PLACES)
        worst = max(worst, float(np.abs(told).mean()))
    assert worst < 0.25


def test_every_number_stays_possible_and_chances_stay_chances() -> None:
    told = np.exp(trend(seen(RISING), PLACES)) / 100
    assert told.min() >= DISBELIEF / 100 - 1e-12
    assert np.allclose(told.sum(axis=1), 1.0)


@pytest.mark.parametrize("known", [0, LEAST - 1])
def test_a_few_numbers_are_no_trend(known: int) -> None:
    some = seen(RISING, TRUSTED - 0.1)
    some[:known] = seen(RISING)[:known]
    assert not trend(some, PLACES).any()


def test_cells_in_one_place_or_none_at_all_are_no_map() -> None:
    assert not trend(seen(RISING), np.zeros((30, 2))).any()
    assert trend(np.zeros((0, 100)), np.zeros((0, 2))).shape == (0, 100)


def test_a_one_that_may_be_a_seven_is_read_by_what_stands_around_it() -> None:
    certain = np.log(seen(RISING, 0.9999))
    low = int(np.argmin(PLACES[:, 0]))
    certain[low] = np.log(np.full(100, 1e-6))
    certain[low, [14, 74]] = np.log([0.45, 0.55])
    kind = log_softmax(np.tile([-9.0, 0.0, -9.0, -9.0], (30, 1)))
    scores = GlyphScores(tuple(f"R{k}" for k in range(30)), kind, certain, np.log(np.tile([0.999, 0.001], (30, 1))))
    placed = replace(scores, places=PLACES)
    cell = f"R{low}"
    assert decode(placed, Prior()).cells[cell].mark.number == 74
    assert decode(placed, Prior(trend=True)).cells[cell].mark.number == 14
    assert decode(scores, Prior(trend=True)).cells[cell].mark.number == 74  # where the cells lie is not known
