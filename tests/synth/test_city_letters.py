"""Letters of soloists: beside their disc, clear of the printed boxes, in place of ticks; shapes kept for measuring."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ontour_cv.city_board import CityBoard
from ontour_cv.maps.load import load_map
from ontour_cv.press.design import load_design
from ontour_cv.press.tickboxes import tick_boxes
from ontour_cv.synth.city_ink import city_ink
from ontour_cv.synth.city_letters import SHAPES, letter_lines, sample_letters
from ontour_cv.synth.play_city import play_city
from ontour_cv.synth.printed import Print, make_print
from ontour_cv.synth.strokes import sample_writer

TEMPLATE = load_map("new-york-home")
DESIGN = load_design(TEMPLATE)


@pytest.fixture(scope="module")
def sheet() -> Print:
    return make_print(TEMPLATE, DESIGN, width_px=700)


@pytest.mark.parametrize("seed", range(6))
def test_letters_stand_beside_their_discs_and_no_box_is_marked(sheet: Print, seed: int) -> None:
    played = play_city(TEMPLATE, random.Random(seed)).boards[0]
    rng = np.random.default_rng(seed)
    habits = sample_letters(rng)
    ink = city_ink(sheet, CityBoard(played.board, played.soloists), sample_writer(rng), rng, 0.0, habits)
    middles = np.array([(s.points_board.min(axis=0) + s.points_board.max(axis=0)) / 2 for s in ink.fresh])
    discs = np.array(list(DESIGN.discs.values()))
    away = np.linalg.norm(discs[None] - middles[:, None], axis=2) / DESIGN.radius
    assert {list(DESIGN.discs)[k] for k in away.argmin(axis=1)} == set(played.soloists)
    assert away.min(axis=1).max() < 2.2
    boxes = [box for block in tick_boxes(TEMPLATE, DESIGN).values() for box in block.values()]
    inside = [any(b[0] < x < b[2] and b[1] < y < b[3] for b in boxes) for x, y in middles]
    assert np.mean(inside) < 0.1


def test_half_of_the_letters_for_measuring_have_shapes_that_training_never_sees() -> None:
    last = {letter: len(shapes) - 1 for letter, shapes in SHAPES.items()}
    learnt = [sample_letters(np.random.default_rng(seed)).shapes for seed in range(200)]
    measured = [sample_letters(np.random.default_rng(seed), held_out=True).shapes for seed in range(200)]
    assert not any(shapes[letter] == last[letter] for shapes in learnt for letter in SHAPES)
    share = np.mean([shapes[letter] == last[letter] for shapes in measured for letter in SHAPES])
    assert 0.4 < share < 0.6


@pytest.mark.parametrize("letter", sorted(SHAPES))
def test_every_shape_of_a_letter_is_about_one_high_round_the_origin(letter: str) -> None:
    for shape in range(len(SHAPES[letter])):
        points = np.concatenate(letter_lines(letter, shape, np.random.default_rng(shape)))
        low, high = points.min(axis=0), points.max(axis=0)
        assert 0.7 < high[1] - low[1] < 1.35
        assert np.abs((low + high) / 2).max() < 0.25


def _far(one: int | None, other: int | None) -> float:
    """How far apart the same letters written with two whims lie, heights, all shapes together (chamfer distance)."""
    gaps = []
    for letter, shapes in SHAPES.items():
        for shape in range(len(shapes)):
            rng = np.random.default_rng(shape)
            a, b = (np.concatenate(letter_lines(letter, shape, rng, whim)) for whim in (one, other))
            between = np.linalg.norm(a[:, None] - b[None], axis=2)
            gaps += [between.min(axis=0).mean(), between.min(axis=1).mean()]
    return float(np.mean(gaps))


def test_a_player_s_whim_forms_all_letters_of_a_kind_alike_and_nobody_else_s() -> None:
    assert _far(7, 7) == pytest.approx(_far(None, None), rel=0.3)
    assert _far(7, 8) > 1.5 * _far(7, 7)


def test_only_wild_players_have_whims_and_each_has_another() -> None:
    tame = [sample_letters(np.random.default_rng(seed)) for seed in range(20)]
    wild = [sample_letters(np.random.default_rng(seed), wild=True) for seed in range(20)]
    assert all(habits.whim is None for habits in tame)
    assert len({habits.whim for habits in wild}) == 20
    assert [habits.shapes for habits in tame] == [habits.shapes for habits in wild]
