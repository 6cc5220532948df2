"""Ink of New York: lines join their discs and keep off others, boxes are marked where they stand, remains are faint."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ontour_cv.city_board import CityBoard
from ontour_cv.maps.load import load_map
from ontour_cv.press.design import load_design
from ontour_cv.press.tickboxes import tick_boxes
from ontour_cv.synth.city_ink import MANNERS, city_ink, inked, lawful_pairs
from ontour_cv.synth.city_lines import LineHabits, ferry_line
from ontour_cv.synth.play_city import play_city
from ontour_cv.synth.printed import Print, make_print
from ontour_cv.synth.strokes import sample_writer

TEMPLATE = load_map("new-york-home")
DESIGN = load_design(TEMPLATE)
PLAIN = LineHabits(reach=1.0, signs=False, bulge=0.05, wobble=0.0, dash=None, gap=0.0, twice=False)


@pytest.fixture(scope="module")
def sheet() -> Print:
    return make_print(TEMPLATE, DESIGN, width_px=700)


def played(seed: int) -> CityBoard:
    return play_city(TEMPLATE, random.Random(seed)).boards[0]


@pytest.mark.parametrize("seed", range(6))
def test_a_ferry_begins_and_ends_at_its_discs_and_goes_round_the_others(sheet: Print, seed: int) -> None:
    rng = np.random.default_rng(seed)
    pairs = lawful_pairs(sheet)
    pair = pairs[int(rng.integers(len(pairs)))]
    (line,) = ferry_line(pair, TEMPLATE, DESIGN, PLAIN, rng)
    for region, end in zip(pair, (line[0], line[-1]), strict=True):
        assert np.linalg.norm(end - np.array(DESIGN.discs[region])) < 1.5 * DESIGN.radius
    others = np.array([spot for region, spot in DESIGN.discs.items() if region not in pair])
    assert np.linalg.norm(line[:, None] - others[None], axis=2).min() > 1.1 * DESIGN.radius


def test_lawful_pairs_are_those_the_rules_allow(sheet: Print) -> None:
    city = TEMPLATE.city
    assert city is not None
    borough = {region.id: region.areas[0] for region in TEMPLATE.regions}
    wanted = {
        frozenset((a, b))
        for a in TEMPLATE.ids
        for b in TEMPLATE.ids
        if borough[a] != borough[b] and set(city.waters[a]) & set(city.waters[b])
    }
    assert {frozenset(pair) for pair in lawful_pairs(sheet)} == wanted


@pytest.mark.parametrize("seed", range(len(MANNERS)))
def test_every_soloist_leaves_ink_in_its_box_and_no_other_box_has_any(sheet: Print, seed: int) -> None:
    board = CityBoard(played(seed).board, played(seed).soloists)
    ink = city_ink(sheet, board, sample_writer(np.random.default_rng(seed)), np.random.default_rng(seed), 0.0)
    boxes = {
        (region, letter): ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        for region, block in tick_boxes(TEMPLATE, DESIGN).items()
        for letter, box in block.items()
    }
    names, spots = list(boxes), np.array(list(boxes.values()))
    marked = set()
    for stroke in ink.fresh:
        middle = (stroke.points_board.min(axis=0) + stroke.points_board.max(axis=0)) / 2
        marked.add(names[int(np.argmin(np.linalg.norm(spots - middle, axis=1)))])
    assert marked == set(board.soloists.items())


def test_wiped_ink_is_faint_and_a_stump_is_short(sheet: Print) -> None:
    bare = CityBoard(played(1).board)
    for seed in range(12):
        ink = city_ink(sheet, bare, sample_writer(np.random.default_rng(seed)), np.random.default_rng(seed), 1.0)
        assert ink.faint
        assert max(stroke.darkness for stroke in ink.faint) <= 0.2
        longest = max(len(stroke.points_board) for stroke in ink.faint)
        assert all(len(stroke.points_board) <= longest / 3 for stroke in ink.fresh)


def test_the_same_chance_gives_the_same_picture_and_the_print_is_left_alone(sheet: Print) -> None:
    board, before = played(2), sheet.picture.copy()

    def draw() -> np.ndarray:
        rng = np.random.default_rng(5)
        return inked(sheet, city_ink(sheet, board, sample_writer(rng), rng), rng).picture

    assert np.array_equal(draw(), draw())
    assert np.array_equal(sheet.picture, before)
    assert not np.array_equal(draw(), before)
