"""Lines judged beside all others of their board: what others explain counts, the order of lines and ends does not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from ontour_cv.maps.load import load_map
from ontour_cv.resources import models_dir
from ontour_cv.scorer.city_layout import city_layout
from ontour_cv.vision.city_lines import PARTS, LineJudge, Tangle, explained, gaps, lines_features, tangle
from ontour_cv.vision.city_paths import ACROSS, ALONG, STEPS, Lines
from ontour_cv.vision.city_read import JUDGES

LAYOUT = city_layout(load_map("new-york-home"))
PLACES = {frozenset(pair): row for row, pair in enumerate(LAYOUT.pairs)}
RNG = np.random.default_rng(4)
HIDDEN = 32


def _tangled(pairs: list[tuple[str, str]]) -> Tangle:
    """Straight lines between neighbourhoods, full of ink."""
    ends = np.array([[LAYOUT.discs[a], LAYOUT.discs[b]] for a, b in pairs])
    t = ((np.arange(STEPS) + 0.5) / STEPS)[None, :, None]
    paths = ends[:, :1] + t * (ends[:, 1:] - ends[:, :1])
    lengths = np.hypot(*(ends[:, 1] - ends[:, 0]).T) / LAYOUT.radius
    lines = Lines(paths, lengths, np.zeros(len(pairs)))
    rows = np.array([PLACES[frozenset(pair)] for pair in pairs])
    return tangle(lines, np.ones((len(pairs), 6, ALONG, ACROSS), np.float32), rows, LAYOUT)


def _parallel() -> list[tuple[str, str]]:
    """The two pairs of four neighbourhoods whose lines are farthest from each other."""
    middles = np.array([np.mean([LAYOUT.discs[a], LAYOUT.discs[b]], axis=0) for a, b in LAYOUT.pairs])
    lengths = np.array([np.hypot(*np.subtract(LAYOUT.discs[a], LAYOUT.discs[b])) for a, b in LAYOUT.pairs])
    short = np.flatnonzero(lengths < 12 * LAYOUT.radius)
    away = np.linalg.norm(middles[short][:, None] - middles[short][None], axis=2)
    first, second = np.unravel_index(np.argmax(away), away.shape)
    return [LAYOUT.pairs[short[first]], LAYOUT.pairs[short[second]]]


def test_a_line_on_the_same_way_explains_it_all_and_one_far_off_nothing() -> None:
    near, far = _parallel()
    knot = _tangled([near, near, far])
    assert {tuple(pair) for pair in knot.pairs.tolist()} == {(0, 1), (1, 0)}
    sure, none = explained(np.array([1, 1, 1], np.float32), knot), explained(np.array([1, 0, 1], np.float32), knot)
    assert sure[0, 0] == pytest.approx(0.98, abs=0.05)
    assert none[0, 0] == 0
    assert sure[2, 0] == none[2, 0] == 0


def test_two_that_share_an_end_are_told_so() -> None:
    a, b = LAYOUT.pairs[0]
    other = next(pair for pair in LAYOUT.pairs[1:] if a in pair)
    same = _tangled([(a, b), (a, b), other]).between[:, 3]
    assert same.max() == 2
    ends = _tangled([(a, b), other]).ends
    assert len(set(ends.ravel().tolist())) == 3


def test_a_gap_is_as_long_as_it_is_and_none_where_ink_is() -> None:
    strips = np.ones((2, 6, ALONG, ACROSS), np.float32)
    strips[1, 0, 20:24] = 0
    length = 12.0
    lines = Lines(np.zeros((2, STEPS, 2)), np.full(2, length), np.zeros(2))
    assert gaps(strips, lines) == pytest.approx([0, 4 * (length - 1.8) / (ALONG - 1)])


def _shuffled(knot: Tangle, order: NDArray[np.intp]) -> Tangle:
    back = np.argsort(order)
    return replace(
        knot, ends=knot.ends[order][:, ::-1], own=knot.own[order], free=knot.free[order], pairs=back[knot.pairs]
    )


def test_order_of_lines_and_of_their_ends_do_not_matter() -> None:
    pairs = [pair for pair in LAYOUT.pairs if "SOHO" in pair or "STG" in pair][:12]
    knot = _tangled(pairs)
    assert len(knot.pairs) > 10
    seen = RNG.normal(0, 2, (len(pairs), 1 + HIDDEN)).astype(np.float32)
    order = RNG.permutation(len(pairs))
    judge = LineJudge(models_dir() / JUDGES["lines"])
    wanted, other = judge.think_over(seen, knot), judge.think_over(seen[order], _shuffled(knot, order))
    assert other == pytest.approx(wanted[order], abs=1e-3)


def test_a_line_alone_on_its_board_is_judged_too() -> None:
    knot = _tangled([LAYOUT.pairs[0]])
    seen = RNG.normal(0, 1, (1, 1 + HIDDEN)).astype(np.float32)
    assert np.isfinite(LineJudge(models_dir() / JUDGES["lines"]).think_over(seen, knot)).all()
    features = lines_features(seen[:, 0], seen[:, 1:], knot)
    assert features.shape[1] == 3 * HIDDEN + 14
    assert knot.covered.shape == (0, PARTS)


def test_pieces_weigh_one_in_sum_but_where_discs_leave_no_way_between() -> None:
    free = _tangled(list(LAYOUT.pairs[:40])).free.sum(axis=1)
    assert ((np.abs(free - 1) < 1e-5) | (free == 0)).all()
