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
    every, doubts = np.arange(len(PLACES)), np.linspace(0, 300, len(PLACES))
    for mixture in MIXTURES:
        _, density = _landscape(mixture, ground, every, heights, doubts)
        for cell in (0, 11, 29):
            others = np.delete(every, cell)
            _, without = _landscape(mixture, ground, others, heights[others], doubts[others])
            assert np.allclose(density[cell], without[cell], atol=1e-9)


def test_the_evidence_is_the_density_of_all_numbers_together() -> None:
    ground = (PLACES - PLACES.mean(axis=0)) / PLACES.std()
    heights, doubts = RISING - MEAN, np.linspace(0, 300, len(PLACES))
    mixture = MIXTURES[4]
    apart = np.linalg.norm(ground[:, None] - ground[None], axis=-1)
    slope = ground @ ground.T / np.mean(np.sum(ground**2, axis=1))
    cover = VARIANCE * (mixture.slope * slope + mixture.smooth * np.exp(-((apart / mixture.reach) ** 2) / 2))
    cover += np.diag(VARIANCE * mixture.scatter + doubts)
    # one number after the other, each given those before it: the chain rule of probability
    total = 0.0
    for k in range(len(heights)):
        rows = cover[k, :k]
        solved = np.linalg.solve(cover[:k, :k], np.column_stack([rows, heights[:k]])) if k else np.zeros((0, 2))
        mean, var = float(rows @ solved[:, 1]), float(cover[k, k] - rows @ solved[:, 0])
        total += -0.5 * ((heights[k] - mean) ** 2 / var + np.log(2 * np.pi * var))
    assert _landscape(mixture, ground, np.arange(len(ground)), heights, doubts)[0] == pytest.approx(total)


def test_what_a_number_may_be_besides_makes_it_say_less() -> None:
    """A number out of line that may well be in line bends the landscape less than one that is certain."""
    sure = seen(RISING, 0.999)
    middle = int(np.argsort(PLACES[:, 0])[15])
    wrong = (RISING[middle] + 40) % 100
    sure[middle] = 0.0
    sure[middle, wrong] = 1.0
    open_ = sure.copy()
    open_[middle, [wrong, RISING[middle]]] = [0.91, 0.09]
    plain = trend(seen(RISING, 0.999), PLACES)
    nearest = np.argsort(np.linalg.norm(PLACES - PLACES[middle], axis=1))[1]
    bent, less = (np.abs(trend(some, PLACES)[nearest] - plain[nearest]).sum() for some in (sure, open_))
    assert less < bent


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


def test_with_many_doubts_the_trend_is_taken_from_what_the_pairs_have_settled() -> None:
    """Of three pairs each half may be another number, but only one of these has a partner; two pairs stay in doubt."""
    pairs = [1, 2, 3, 5, 6, 7, 12, 15, 16, 25, 26, 18, 28, 38, 14]
    numbers = np.array([number for low in pairs for number in (low, 10 * (low % 10) + low // 10)])
    places = np.column_stack([numbers / 99, PLACES[:, 1]])
    certain = np.log(seen(numbers, 0.9999))
    either = [(number, (number + 3) % 100) for number in numbers[20:26]] + [(38, 78), (83, 87), (14, 74), (41, 47)]
    for cell, labels in enumerate(either, 20):
        certain[cell] = np.log(np.full(100, 1e-6))
        certain[cell, labels] = np.log([0.55, 0.45])
    kind = log_softmax(np.tile([-9.0, 0.0, -9.0, -9.0], (30, 1)))
    scores = GlyphScores(
        tuple(f"R{k}" for k in range(30)), kind, certain, np.log(np.tile([0.999, 0.001], (30, 1))), places
    )
    calls: list[NDArray[np.float64]] = []

    def noted(certain: NDArray[np.float64], at: NDArray[np.float64]) -> NDArray[np.float64]:
        calls.append(certain)
        return trend(certain, at)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ontour_cv.vision.decode.trend", noted)
        decode(scores, Prior(trend=True, reversed_pairs=True))
        assert len(calls) == 2
        assert (calls[0][20:].max(axis=1) < 0.6).all()
        assert (calls[1][20:26].max(axis=1) > 0.9).all()
        assert (calls[1][26:].max(axis=1) < 0.99).all()
        calls.clear()
        certain[26:] = np.log(seen(numbers[26:], 0.9999))
        decode(scores, Prior(trend=True, reversed_pairs=True))
        assert len(calls) == 1  # nothing is left to settle
