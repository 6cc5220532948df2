"""Ink of a mark: what is circled has a line round it, whatever the recordings hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ontour_cv.board import Kind, Mark
from ontour_cv.synth.ink import LEAST_RING, Stroke, cell_strokes
from ontour_cv.synth.paint import paint_strokes
from ontour_cv.synth.recorded import RecordedHand
from ontour_cv.synth.strokes import FORMS, parametric_hand, run_along, sample_writer

DOT = np.zeros((1, 2))
SPECK = 0.3 * np.array([[0.5, 0.0], [0.0, 0.5], [-0.5, 0.0], [0.0, -0.5], [0.5, 0.0]])


@pytest.mark.parametrize("left", [DOT, SPECK], ids=["dot", "speck"])
@pytest.mark.parametrize("seed", range(8))
def test_a_circled_number_is_ringed_even_where_the_recorded_ring_is_no_more_than_a_dot(
    left: np.ndarray, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    hand = parametric_hand(rng)
    writer = replace(sample_writer(rng, hand), hand=RecordedHand({"o": [[left]]}, hand))
    strokes = cell_strokes(Mark(Kind.NUMBER, 42, True), (0.0, 0.0), 1.0, writer, rng)
    widest = max(float(np.ptp(stroke.points_board, axis=0).min()) for stroke in strokes)
    assert widest > LEAST_RING


def test_a_pen_that_runs_dry_writes_the_same_with_less_ink() -> None:
    mark, fresh = Mark(Kind.NUMBER, 42, True), sample_writer(np.random.default_rng(1))
    dry = replace(fresh, flow=0.5, streaks=0.7)
    full, less = (cell_strokes(mark, (0.0, 0.0), 1.0, who, np.random.default_rng(2)) for who in (fresh, dry))
    for one, other in zip(full, less, strict=True):
        assert np.array_equal(one.points_board, other.points_board)
        assert other.darkness == pytest.approx(0.5 * one.darkness)
        assert (one.streaks, other.streaks) == (0.0, 0.7)


def test_who_strays_writes_off_the_middle() -> None:
    """The mean of many marks stays in the middle of the disc; their scatter grows."""
    mark, usual = Mark(Kind.NUMBER, 42), sample_writer(np.random.default_rng(3))
    rng = np.random.default_rng(4)
    middles = {
        stray: np.array([_middle(cell_strokes(mark, (0.0, 0.0), 1.0, who, rng)) for _ in range(200)])
        for stray, who in ((1.0, usual), (4.0, replace(usual, stray=4.0)))
    }
    assert middles[4.0].std(axis=0).min() > 2.0 * middles[1.0].std(axis=0).max()
    assert np.abs(middles[4.0].mean(axis=0)).max() < 0.1


def _middle(strokes: list[Stroke]) -> np.ndarray:
    points = np.concatenate([stroke.points_board for stroke in strokes])
    return (points.min(axis=0) + points.max(axis=0)) / 2


def painted(streaks: float, seed: int = 1) -> np.ndarray:
    """Darkness of a long stroke on white, 0 to 1, row by row across and column by column along."""
    picture = np.full((60, 700, 3), 255, np.uint8)
    line = Stroke(np.column_stack([np.linspace(0.05, 0.95, 60), np.full(60, 0.04)]), 0.02, 1.0, (0, 0, 0), streaks)
    paint_strokes(picture, [line], 700.0, (0.0, 0.0), np.random.default_rng(seed))
    return 1 - picture[:, 60:640, 0].astype(float) / 255


def test_streaks_thin_the_ink_in_stretches_and_never_add_any() -> None:
    even = [painted(0.0, seed) for seed in range(8)]
    streaky = [painted(0.8, seed) for seed in range(8)]
    along = [ink.max(axis=0) for ink in streaky]
    assert np.mean([ink.sum() for ink in streaky]) < 0.85 * np.mean([ink.sum() for ink in even])
    assert np.mean([ink.min() for ink in along]) < 0.45
    assert np.mean([ink.max() for ink in along]) > 0.75
    assert np.mean([ink.max(axis=0).min() for ink in even]) > 0.6
    for ink, full in zip(streaky, even, strict=True):
        assert not np.any((ink > 0.1) & (full < 0.02))


def test_a_pen_for_circles_draws_these_and_nothing_else() -> None:
    one = sample_writer(np.random.default_rng(3))
    other = replace(one, ring_bgr=(10, 20, 200))
    bare = cell_strokes(Mark(Kind.NUMBER, 42), (0.0, 0.0), 1.0, other, np.random.default_rng(2))
    ringed = cell_strokes(Mark(Kind.NUMBER, 42, True), (0.0, 0.0), 1.0, other, np.random.default_rng(2))
    assert {stroke.bgr for stroke in bare} == {one.ink_bgr}
    assert [stroke.bgr for stroke in ringed] == [one.ink_bgr] * len(bare) + [(10, 20, 200)]


def test_a_highlighter_goes_under_what_is_written_and_lets_the_ground_through() -> None:
    one = replace(sample_writer(np.random.default_rng(3)), ring_bgr=(90, 240, 250), ring_flow=0.5)
    drawn = cell_strokes(Mark(Kind.NUMBER, 42, True), (0.0, 0.0), 1.0, one, np.random.default_rng(2))
    assert [stroke.bgr for stroke in drawn] == [(90, 240, 250)] + [one.ink_bgr] * (len(drawn) - 1)
    assert drawn[0].darkness <= 0.5 < min(stroke.darkness for stroke in drawn[1:])


@pytest.mark.parametrize("seed", range(6))
def test_who_has_room_writes_wider_and_circles_wider(seed: int) -> None:
    """The same number by the same large hand, squeezed into the disc or not."""
    usual = replace(sample_writer(np.random.default_rng(seed)), height=2.0, care=1.0)
    reach = []
    for room in (1.0, 1.4):
        writer = replace(usual, room=room)
        drawn = cell_strokes(Mark(Kind.NUMBER, 48, True), (0.0, 0.0), 1.0, writer, np.random.default_rng(seed))
        *number, ring = [np.abs(stroke.points_board[:, 0]).max() for stroke in drawn]
        reach.append((max(number), ring))
    assert reach[0][0] < reach[1][0] < 1.8
    assert reach[0][1] <= reach[1][1]


@pytest.mark.parametrize("seed", range(12))
def test_a_steady_hand_draws_circles_as_round_as_printed_ones(seed: int) -> None:
    rng = np.random.default_rng(seed)
    writer = replace(sample_writer(rng), ring_radius=0.97, form="steady")
    line = cell_strokes(Mark(Kind.NUMBER, 42, True), (3.0, 5.0), 1.0, writer, rng)[-1].points_board
    far = np.hypot(*(line - (3.0, 5.0)).T)
    assert 0.85 < far.min() <= far.max() < 1.1


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(8))
def test_circles_of_any_form_go_round_what_is_written(form: str, seed: int) -> None:
    """Most of the way, and about as far off as the player draws them."""
    rng = np.random.default_rng(seed)
    writer = replace(sample_writer(rng), ring_radius=1.5, form=form)
    line = cell_strokes(Mark(Kind.NUMBER, 42, True), (3.0, 5.0), 1.0, writer, rng)[-1].points_board - (3.0, 5.0)
    way = np.unwrap(np.arctan2(line[:, 1], line[:, 0]))
    assert abs(way[-1] - way[0]) > 0.65 * 2 * np.pi
    assert 1.2 < np.median(np.hypot(*line.T)) < 2.0


def test_only_coils_go_round_more_than_once() -> None:
    rng = np.random.default_rng(1)
    length = {form: np.mean([run_along(FORMS[form](rng))[-1] for _ in range(60)]) for form in FORMS}
    assert length["arc"] < length["steady"] < length["box"] < 4.2 < length["coil"]
