"""However freely a leg is drawn, its ink lies where its link's corridor is looked at, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.synth.manners import draw_free_leg, draw_thread, free_manner, free_pen
from ontour_cv.synth.scene import Scene, sample_scene
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.vision.drawn_strips import HALF_WIDTH

TEMPLATE = load_map("usa")
WAY = ("CA", "NV", "UT", "CO", "KS", "MO", "KY", "VA")


def scene_of(rng: np.random.Generator) -> Scene:
    return sample_scene(TEMPLATE, load_editions("usa")[0], rng, 0.0, 900)


@pytest.mark.parametrize("seed", range(40))
def test_a_free_leg_stays_in_its_links_corridor(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene, manner, pen = scene_of(rng), free_manner(rng), free_pen(sample_writer(rng), rng)
    for here, there in (WAY[:2], WAY[-2:]):
        a, b = (np.array(scene.cells[region]) for region in (here, there))
        along = (b - a) / np.hypot(*(b - a))
        strokes = draw_free_leg(scene, here, there, manner, pen, rng)
        assert strokes
        points = (np.concatenate([stroke.points_board for stroke in strokes]) - a) / scene.radius
        beside, forward = np.abs(points @ [-along[1], along[0]]), points @ along
        assert beside.max() < 1.6 * HALF_WIDTH
        assert np.median(beside) < HALF_WIDTH
        assert forward.min() > -1
        assert forward.max() < float(np.hypot(*(b - a))) / scene.radius + 1


@pytest.mark.parametrize("seed", range(20))
def test_a_thread_passes_every_place_of_the_tour(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = scene_of(rng)
    line = draw_thread(scene, WAY, free_manner(rng), free_pen(sample_writer(rng), rng), rng).points_board
    for region in WAY:
        assert np.linalg.norm(line - scene.cells[region], axis=1).min() < 1.3 * scene.radius


def test_pens_are_of_every_width_and_manners_of_every_kind() -> None:
    rng = np.random.default_rng(3)
    writer = sample_writer(rng)
    widths = [free_pen(writer, rng).pen for _ in range(200)]
    assert min(widths) < 0.06
    assert max(widths) > 0.35
    manners = [free_manner(rng) for _ in range(200)]
    dotted = [m for m in manners if m.dash is not None and m.dash[0] == 0]
    for kind in (
        [m for m in manners if m.thread],
        [m for m in manners if m.twin],
        [m for m in manners if m.head],
        dotted,
    ):
        assert len(kind) > 5
