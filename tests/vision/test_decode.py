"""The joint decode: pairs mend what single cells leave open, and never overrule what was read with confidence."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontour_cv.board import Kind, Mark
from ontour_cv.vision.decode import (
    BLOCKED,
    CIRCLED_SHARE,
    EMPTY,
    LABELS,
    STAR,
    decode,
    joint_posterior,
    label_scores,
    mark_of,
)
from ontour_cv.vision.glyphs import GlyphScores, log_softmax
from ontour_cv.vision.prior import Prior
from ontour_cv.vision.script import Place, Script, Writing

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


def scores(kind: dict[str, float], number: dict[int, float], circled: float) -> GlyphScores:
    """One cell called ``A``."""
    kinds = np.log([[kind.get(k, 1e-9) for k in ("empty", "number", "star", "x")]])
    numbers = np.full((1, 100), -25.0)
    for value, chance in number.items():
        numbers[0, value] = np.log(chance)
    return GlyphScores(("A",), kinds, numbers, np.log(np.clip([[1 - circled, circled]], 1e-9, 1)))


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
    result = decode(scores({"number": 1.0}, {31: 1.0}, 0.0), PAIRS, unseen=("A",))
    assert result.cells["A"].mark == Mark(Kind.UNREAD)
    assert result.uncertain == ("A",)


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


def test_doubles_are_less_probable_than_their_neighbours() -> None:
    """11 is never written, so a 11-or-17 is a 17."""
    single = scores({"number": 1.0}, {11: 0.6, 17: 0.4}, 0.0)
    assert label_scores(single, Prior(double_cost=5.0)).argmax() == 17
    assert label_scores(single, Prior()).argmax() == 11


def test_a_full_board_hardly_has_an_empty_cell() -> None:
    """Glare looks like an empty disc; on a board that is otherwise full the cell is asked about instead."""
    glare = scores({"empty": 0.97, "number": 0.03}, {5: 0.5, 8: 0.5}, 0.0)
    assert decode(glare, Prior()).cells["A"].mark.kind is Kind.EMPTY
    assert decode(glare, Prior(empty_cost=4.5)).cells["A"].doubtful
    assert decode(glare, Prior(empty_cost=4.5, few_empty=0)).cells["A"].mark == Mark(Kind.EMPTY)


def test_confidence_covers_mark_and_circle() -> None:
    """A sure number with a doubtful circle is a doubtful cell, and the other circle is its runner-up."""
    cell = decode(scores({"number": 1.0}, {21: 1.0}, 0.7), Prior()).cells["A"]
    assert cell.mark == Mark(Kind.NUMBER, 21, True)
    assert cell.confidence == pytest.approx(0.7, abs=0.01)
    assert cell.alternatives[0][0] == Mark(Kind.NUMBER, 21, False)
    assert cell.doubtful


def test_a_clear_cell_is_not_doubtful() -> None:
    """No question where there is nothing to ask."""
    cell = decode(scores({"star": 0.9999}, {5: 1.0}, 0.001), Prior()).cells["A"]
    assert cell.mark == Mark(Kind.STAR)
    assert not cell.doubtful


@pytest.mark.parametrize(
    ("label", "circled", "mark"),
    [
        (7, True, Mark(Kind.NUMBER, 7, True)),
        (STAR, True, Mark(Kind.STAR, None, True)),
        (BLOCKED, True, Mark(Kind.BLOCKED)),
        (EMPTY, True, Mark(Kind.EMPTY)),
    ],
)
def test_only_numbers_and_stars_are_circled(label: int, circled: bool, mark: Mark) -> None:
    """A ring round an X or an empty disc is not a circle of the game."""
    assert mark_of(label, circled) == mark


def told(*cells: tuple[str, int, bool]) -> Script:
    """A game in which each of these numbers had to be written just there, circled or either way."""
    writings = []
    for turn, (cell, number, either) in enumerate(cells):
        places = (Place(cell, True), Place(cell, False)) if either else (Place(cell, False),)
        writings.append(Writing(number, places, turn, -8.0))
    return Script(tuple(writings), len(cells))


def cells_of(*cells: GlyphScores, places: np.ndarray | None = None) -> GlyphScores:
    """Single cells as a board: A, B, C ..."""
    parts = (np.concatenate([getattr(cell, name) for cell in cells]) for name in ("kind", "number", "circled"))
    return GlyphScores(tuple("ABCDEFGHIJKLMNOP"[: len(cells)]), *parts, places)


def test_with_a_script_a_circle_as_usual_as_any_tells_nothing() -> None:
    """The eyes give what share of all cells is circled: their ink said nothing, and the script leaves it open."""
    for share, low, high in ((CIRCLED_SHARE, 0.49, 0.51), (0.1, 0.0, 0.25), (0.6, 0.75, 1.0)):
        cell = scores({"number": 0.9999}, {41: 0.9999}, share)
        read = decode(cells_of(cell), Prior(script=told(("A", 41, True)))).cells["A"]
        chance = sum(p for mark, p in ((read.mark, read.confidence), *read.alternatives) if mark.circled)
        assert low <= chance <= high


@pytest.mark.parametrize(("sure", "passes"), [(0.9999, 1), (0.6, 2)])
def test_with_a_script_the_trend_is_taken_again_only_where_a_doubt_is_left(
    sure: float, passes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second time from what the script made of the cells: there a 14 that may be a 74 is a 14 for certain."""
    seen: list[np.ndarray] = []

    def watched(certain: np.ndarray, places: np.ndarray) -> np.ndarray:
        seen.append(certain.copy())
        return np.zeros_like(certain)

    monkeypatch.setattr("ontour_cv.vision.decode.trend", watched)
    board = cells_of(
        scores({"number": 0.9999}, {14: 0.6, 74: 0.4}, 1e-6),
        scores({"number": 0.9999}, {20: sure, 30: 1 - sure}, 1e-6),
        scores({"number": 0.9999}, {30: sure, 20: 1 - sure}, 1e-6),
        places=np.array([[0.1, 0.2], [0.5, 0.3], [0.9, 0.6]]),
    )
    both = tuple(Place(cell, False) for cell in "BC")
    first = Writing(14, (Place("A", False),), 0, -8.0)
    script = Script((first, Writing(20, both, 1, -8.0), Writing(30, both, 2, -8.0)), 3)
    read = decode(board, Prior(trend=True, script=script))
    assert str(read.cells["A"].mark) == "14"
    assert len(seen) == passes
    assert seen[0][0, 14] == pytest.approx(0.6, abs=0.01)
    assert passes == 1 or seen[1][0, 14] > 0.99
