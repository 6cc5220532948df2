"""Tours drawn on New York: by land along printed links, across the water by ferries drawn, the same from a seed."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

from ontour_cv.board import Kind
from ontour_cv.city_board import CityBoard, parse_city_board
from ontour_cv.maps.load import load_map
from ontour_cv.press.design import load_design
from ontour_cv.synth.city_tour import city_tour
from ontour_cv.synth.drawn import DrawnTour
from ontour_cv.synth.play_city import play_city
from ontour_cv.synth.printed import Print, make_print, print_scene
from ontour_cv.synth.strokes import sample_writer

TEMPLATE = load_map("new-york-home")


@pytest.fixture(scope="module")
def sheet() -> Print:
    return make_print(TEMPLATE, load_design(TEMPLATE), width_px=700)


def drawn(sheet: Print, seed: int) -> tuple[DrawnTour, CityBoard, np.ndarray]:
    rng = np.random.default_rng(seed)
    board = play_city(TEMPLATE, random.Random(seed)).boards[0]
    scene = print_scene(sheet, rng, 700)
    tour = city_tour(board, sheet, sample_writer(rng), scene, rng)
    ink = np.concatenate([s.points_board for s in tour.strokes]) if tour.strokes else np.empty((0, 2))
    middles = [(np.array(scene.cells[a]) + scene.cells[b]) / 2 for a, b in pairwise(tour.places)]
    gaps = [np.linalg.norm(ink - middle, axis=1).min() / scene.radius for middle in middles]
    return tour, board, np.array(gaps)


def by_land(step: tuple[str, str]) -> bool:
    return step[1] in TEMPLATE.region(step[0]).neighbours


@pytest.mark.parametrize("start", [0, 10])
def test_every_leg_is_a_printed_link_with_ink_on_it_or_a_ferry_of_the_board(sheet: Print, start: int) -> None:
    crossed = 0
    for seed in range(start, start + 10):
        tour, board, gaps = drawn(sheet, seed)
        ferries = {frozenset(pair) for pair in board.ferries}
        for step, gap in zip(pairwise(tour.places), gaps, strict=True):
            if by_land(step):
                assert gap < 1.0
            else:
                assert frozenset(step) in ferries
                crossed += 1
        assert len(set(tour.places)) == len(tour.places)
    assert crossed


def test_a_tour_ends_by_a_ferry_the_numbers_forbid_only_where_its_line_was_gone_over(sheet: Print) -> None:
    for seed in range(60):
        tour, board, gaps = drawn(sheet, seed)
        steps = list(pairwise(tour.places))
        if not steps or by_land(steps[-1]):
            continue
        before = [n for r in tour.places[:-1] if (n := board.marks[r].number) is not None]
        last = board.marks[tour.places[-1]]
        lawful = last.kind is Kind.STAR or (last.number is not None and last.number >= max(before, default=0))
        assert lawful or gaps[-1] < 3.0


def test_a_board_without_marks_has_no_tour(sheet: Print) -> None:
    rng = np.random.default_rng(1)
    empty = parse_city_board("SOHO=.", TEMPLATE.ids)
    scene = print_scene(sheet, rng, 700)
    assert all(not city_tour(empty, sheet, sample_writer(rng), scene, rng).places for _ in range(3))


def test_the_same_seed_draws_the_same(sheet: Print) -> None:
    one, two = drawn(sheet, 3)[0], drawn(sheet, 3)[0]
    assert one.places == two.places
    assert len(one.strokes) == len(two.strokes)
