"""Made-up art: where coasts and borders run."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.maps.edition import Edition
from ontour_cv.maps.model import MapTemplate
from ontour_cv.synth.art import SEA, Land, centres_px, make_land
from ontour_cv.synth.scene import Scene, sample_scene

UNDER = 1.0
"""A border nearer than this to a disc's middle, disc radii, runs under the disc and comes out beside it."""


def scene_of(usa: MapTemplate, edition: Edition, seed: int, tight: bool) -> Scene:
    return sample_scene(usa, edition, np.random.default_rng(seed), 0.0, 1000, tight=tight)


def land_of(usa: MapTemplate, scene: Scene) -> Land:
    return make_land(scene, usa, np.random.default_rng(scene.seed))


def nearest_border(usa: MapTemplate, scene: Scene, land: Land) -> NDArray[np.float64]:
    """How far from each disc's middle the first pixel of another owner lies, disc radii."""
    labels = land.labels.astype(np.int32)
    edge = np.ones(labels.shape, np.uint8)
    edge[:, 1:] &= labels[:, 1:] == labels[:, :-1]
    edge[1:] &= labels[1:] == labels[:-1]
    far = np.asarray(cv2.distanceTransform(edge, cv2.DIST_L2, 5))
    spots = np.round(centres_px(scene, usa)).astype(int)
    return np.asarray(far[spots[:, 1], spots[:, 0]] / (scene.radius * scene.scale), dtype=np.float64)


def test_borders_and_coasts_of_a_tight_map_run_under_more_of_the_discs(
    usa: MapTemplate, first_edition: Edition
) -> None:
    shares = {}
    for tight in (False, True):
        scenes = [scene_of(usa, first_edition, seed, tight) for seed in range(8)]
        near = [np.mean(nearest_border(usa, scene, land_of(usa, scene)) < UNDER) for scene in scenes]
        shares[tight] = float(np.mean(near))
    assert shares[True] > 1.5 * shares[False]


def test_every_disc_of_a_usual_map_stands_on_its_own_region(usa: MapTemplate, first_edition: Edition) -> None:
    scene = scene_of(usa, first_edition, 3, tight=False)
    spots = np.round(centres_px(scene, usa)).astype(int)
    assert land_of(usa, scene).labels[spots[:, 1], spots[:, 0]].tolist() == list(range(len(spots)))


def test_a_tight_map_has_land_and_sea_and_nearly_all_of_its_regions(usa: MapTemplate, first_edition: Edition) -> None:
    for seed in range(6):
        labels = land_of(usa, scene_of(usa, first_edition, seed, tight=True)).labels
        assert 0.1 < np.mean(labels == SEA) < 0.9
        assert len(set(np.unique(labels)) - {SEA}) >= len(usa.regions) - 1


def test_tight_maps_are_line_art_more_often_and_their_borders_are_fatter(
    usa: MapTemplate, first_edition: Edition
) -> None:
    drawn = {
        tight: [scene_of(usa, first_edition, seed, tight).palette for seed in range(60)] for tight in (False, True)
    }
    paper = {tight: [p for p in palettes if p.paper] for tight, palettes in drawn.items()}
    assert len(paper[True]) > 2 * len(paper[False])
    width = {tight: np.mean([p.border_width for p in palettes]) for tight, palettes in paper.items()}
    assert width[True] > 1.3 * width[False]
