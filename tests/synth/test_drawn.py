"""Drawn tours on renders: off by default, along printed links, recorded in the truth, the same from the same seed."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from ontour_cv.maps.edition import Edition
from ontour_cv.maps.model import MapTemplate
from ontour_cv.synth.drawn import draw_tour
from ontour_cv.synth.manners import Manner, draw_leg
from ontour_cv.synth.photograph import Settings, render
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.scene import sample_scene
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.synth.truth import Truth


def shoot(usa: MapTemplate, edition: Edition, seed: int, drawn: bool) -> tuple[np.ndarray, Truth]:
    rng = np.random.default_rng(seed)
    return render(usa, edition, sample_board(usa, rng), Settings("ordinary", 700, notes=0.0, drawn=drawn), rng)


def test_no_tour_is_drawn_unless_asked_for(usa: MapTemplate, first_edition: Edition) -> None:
    _, truth = shoot(usa, first_edition, 3, False)
    assert truth.drawn is None
    assert "drawn" not in truth.to_json()


def test_the_truth_says_what_was_drawn_and_survives_json(usa: MapTemplate, first_edition: Edition) -> None:
    _, truth = shoot(usa, first_edition, 4, True)
    assert truth.drawn
    back = Truth.from_json(json.loads(json.dumps(truth.to_json())))
    assert back.drawn == truth.drawn
    assert Truth.from_json({**truth.to_json(), "drawn": []}).drawn == ()
    assert replace(truth, drawn=()).to_json()["drawn"] == []


def test_the_same_seed_draws_the_same(usa: MapTemplate, first_edition: Edition) -> None:
    one, truth = shoot(usa, first_edition, 4, True)
    two, again = shoot(usa, first_edition, 4, True)
    assert np.array_equal(one, two)
    assert truth.drawn == again.drawn
    assert not np.array_equal(one, shoot(usa, first_edition, 4, False)[0])


def test_tours_run_along_printed_links_and_their_ink_lies_there(usa: MapTemplate, first_edition: Edition) -> None:
    """Each leg of forty tours; now and then none is drawn, or one that breaks the rules."""
    links = {frozenset(link) for link in usa.edges()}
    lengths = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        board = sample_board(usa, rng)
        scene = sample_scene(usa, first_edition, rng, 0.3)
        tour = draw_tour(board, usa, sample_writer(rng), scene, rng)
        lengths.append(len(tour.places))
        ink = np.concatenate([stroke.points_board for stroke in tour.strokes]) if tour.strokes else np.empty((0, 2))
        for here, there in pairwise(tour.places):
            assert frozenset((here, there)) in links
            middle = (np.array(scene.cells[here]) + scene.cells[there]) / 2
            assert np.hypot(*(ink - middle).T).min() < 1.5 * scene.radius
        assert len(set(tour.places)) == len(tour.places)
    assert 0 in lengths
    assert max(lengths) > 15


@pytest.mark.parametrize("reach", [0.0, 0.7, 1.15, 1.2])
def test_between_discs_that_nearly_touch_a_line_is_seen_all_the_same(
    usa: MapTemplate, first_edition: Edition, reach: float
) -> None:
    """From a third of a radius on, however far out this player's lines begin elsewhere."""
    rng = np.random.default_rng(1)
    scene = sample_scene(usa, first_edition, rng, 0.0)
    manner = Manner(reach, 0.1, None, False, reach == 0.0, False)
    near = min(usa.edges(), key=lambda link: float(np.hypot(*(np.array(scene.cells[link[0]]) - scene.cells[link[1]]))))
    for _ in range(20):
        (stroke,) = draw_leg(scene, *near, manner, sample_writer(rng), rng)
        assert np.hypot(*(stroke.points_board[-1] - stroke.points_board[0])) > 0.33 * scene.radius
