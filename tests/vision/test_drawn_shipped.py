"""The shipped model on rendered photos: a tour is read as it was drawn, or not at all."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.scorer.drawn import link_reader, price_by
from ontour_cv.synth.photograph import Settings, render
from ontour_cv.synth.play import sample_board
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
