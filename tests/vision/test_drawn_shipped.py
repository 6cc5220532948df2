"""The shipped model on rendered photos: a tour is read as it was drawn, or not at all."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.press.design import load_design
from ontour_cv.scorer.drawn import link_reader, price_by
from ontour_cv.synth.photograph import Settings, render, render_print
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.printed import make_print
from ontour_cv.synth.strokes import parametric_hand, sample_writer
from ontour_cv.vision.drawn import DrawnTour, read_drawn
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import register

USA = load_map("usa")
EDITIONS = load_editions("usa")


SEEDS = (0, 1, 2, 4)


@cache
def shot(seed: int) -> tuple[DrawnTour, tuple[str, ...]]:
    """What is read on a rendered photo, and what was drawn."""
    rng = np.random.default_rng([5, seed])
    board = sample_board(USA, rng)
    writer = sample_writer(rng, parametric_hand(rng, held_out=True))
    image, truth = render(USA, EDITIONS[0], board, Settings("ordinary", 1400, 0.0, drawn=True), rng, writer)
    candidates = find_discs(Photo("rendered", image))
    placement = register(Photo("rendered", image), candidates, EDITIONS)
    tour = read_drawn(candidates.working, placement, USA.edges(), link_reader(), price_by(board, USA.edges()))
    return tour, truth.drawn or ()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tour_is_read_as_it_was_drawn_or_not_at_all(seed: int) -> None:
    tour, drawn = shot(seed)
    assert not tour.read or tour.places in (drawn, drawn[::-1])


def test_some_are_read() -> None:
    assert any(tour.read and drawn for tour, drawn in map(shot, SEEDS))


def test_in_paris_the_legs_of_boats_are_read_like_any() -> None:
    paris = load_map("paris-home")
    sheet = make_print(paris, load_design(paris))
    rng = np.random.default_rng([31, 1])
    board, writer = sample_board(paris, rng), sample_writer(rng)
    image, truth = render_print(sheet, board, Settings("ordinary", 1500, 0.0, drawn=True), rng, writer)
    assert truth.drawn
    links = {frozenset(link) for link in paris.edges()}
    assert any(frozenset(step) not in links for step in pairwise(truth.drawn))
    candidates = find_discs(Photo("rendered", image))
    placement = register(Photo("rendered", image), candidates, load_editions("paris-home"))
    tour = read_drawn(candidates.working, placement, paris.ways(), link_reader(), price_by(board, paris.ways()))
    assert tour.places in (truth.drawn, truth.drawn[::-1])
