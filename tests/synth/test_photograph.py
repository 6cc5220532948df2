"""Rendered photos: the same seed gives the same picture, tiers keep their bounds, the truth survives JSON."""

from __future__ import annotations

import json
from itertools import islice

import numpy as np
import pytest

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.model import MapTemplate
from ontour_cv.synth.decoys import DECOYS, make_decoy
from ontour_cv.synth.noise import Image
from ontour_cv.synth.photograph import Settings, render, render_again
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.scene import sample_scene
from ontour_cv.synth.shot import TIERS, sample_shot
from ontour_cv.synth.truth import Truth
from ontour_cv.vision.cells import crop_cell


def shoot(usa: MapTemplate, edition: Edition, tier: str, seed: int, side: int | None = 900) -> tuple[Image, Truth]:
    rng = np.random.default_rng(seed)
    return render(usa, edition, sample_board(usa, rng), Settings(tier, side), rng)


@pytest.mark.parametrize("tier", TIERS)
def test_the_same_seed_gives_the_same_photo(usa: MapTemplate, first_edition: Edition, tier: str) -> None:
    one, truth = shoot(usa, first_edition, tier, 5)
    two, again = shoot(usa, first_edition, tier, 5)
    assert np.array_equal(one, two)
    assert truth.to_json() == again.to_json()
    other, _ = shoot(usa, first_edition, tier, 6)
    assert one.shape != other.shape or not np.array_equal(one, other)


def test_the_same_board_can_be_photographed_again(usa: MapTemplate, first_edition: Edition) -> None:
    """The first photo is the one ``render`` gives; the next shows the same ink by another camera in another light."""
    rng = np.random.default_rng(5)
    board = sample_board(usa, rng)
    (one, truth), (two, again) = islice(render_again(usa, first_edition, board, Settings("hard", 900), rng), 2)
    assert np.array_equal(one, shoot(usa, first_edition, "hard", 5)[0])
    assert again.board == truth.board == board
    assert again.scene["palette"] == truth.scene["palette"]
    assert again.scene["tilt_deg"] != truth.scene["tilt_deg"]
    assert max(one.shape) == max(two.shape) == 900
    assert not np.array_equal(one, two)


def test_the_truth_survives_json(usa: MapTemplate, first_edition: Edition) -> None:
    _, truth = shoot(usa, first_edition, "hard", 8)
    back = Truth.from_json(json.loads(json.dumps(truth.to_json())))
    assert back.board == truth.board
    assert back.to_json() == truth.to_json()
    for region, place in truth.cells.items():
        assert back.cells[region].centre_photo == pytest.approx(place.centre_photo, abs=1e-3)


@pytest.mark.parametrize("tier", ["ordinary", "hard"])
def test_every_disc_of_a_measured_tier_lies_whole_in_the_picture(
    usa: MapTemplate, first_edition: Edition, tier: str
) -> None:
    for seed in range(3):
        image, truth = shoot(usa, first_edition, tier, seed, 1400)
        assert truth.size == (image.shape[1], image.shape[0])
        assert all(place.inside for place in truth.cells.values())
        assert all(h.outside == 0 for h in truth.hazards.values())
        assert sum(h.glare > 0.25 for h in truth.hazards.values()) <= TIERS[tier].glare_discs
        low, high = TIERS[tier].tilt_deg
        assert low <= float(truth.scene["tilt_deg"]) <= high


def test_a_tiers_shots_stay_inside_its_bounds() -> None:
    for tier, bounds in TIERS.items():
        for seed in range(200):
            shot = sample_shot(tier, np.random.default_rng(seed))
            assert bounds.tilt_deg[0] <= shot.pose.tilt_deg <= bounds.tilt_deg[1]
            assert bounds.quality[0] <= shot.quality <= bounds.quality[1]
            assert bounds.blur_radii[0] <= shot.blur_radii <= bounds.blur_radii[1]
            assert shot.glare_discs <= bounds.glare_discs
            assert max(shot.pose.size) in [side for side, _ in bounds.sizes]
            if not bounds.any_roll:
                assert abs((shot.pose.roll_deg + 45) % 90 - 45) <= 25


def test_ink_shows_in_the_cells_that_hold_it(usa: MapTemplate, first_edition: Edition) -> None:
    """A board half X, half empty: the darkest parts of crossed discs are darker than those of empty ones."""
    marks = {r: Mark(Kind.BLOCKED if k % 2 else Kind.EMPTY) for k, r in enumerate(usa.ids)}
    settings = Settings("ordinary", 1200, jitter=0.0, notes=0.0)
    for seed in range(3):
        image, truth = render(usa, first_edition, BoardState(marks), settings, np.random.default_rng(seed))
        crops = {r: crop_cell(image, place)[20:44, 20:44].max(axis=2) for r, place in truth.cells.items()}
        dark = {r: float(np.percentile(crop, 3)) for r, crop in crops.items()}
        crossed = np.median([v for r, v in dark.items() if marks[r].kind is Kind.BLOCKED])
        empty = np.median([v for r, v in dark.items() if marks[r].kind is Kind.EMPTY])
        assert crossed < 0.7 * empty


def test_an_unknown_edition_moves_discs_a_little_and_a_few_up_to_a_radius(
    usa: MapTemplate, first_edition: Edition
) -> None:
    for seed in range(20):
        scene = sample_scene(usa, first_edition, np.random.default_rng(seed), jitter=1.0)
        off = np.array([np.subtract(scene.cells[r], first_edition.cells[r]) for r in usa.ids])
        far = np.linalg.norm(off, axis=1)
        assert 0.0003 < np.median(far) < 0.004
        assert far.max() < 1.3 * scene.radius
        assert np.sum(far > 0.008) <= 10
        assert scene.edition.endswith("+jitter")
    assert sample_scene(usa, first_edition, np.random.default_rng(1), jitter=0.0).cells == dict(first_edition.cells)


@pytest.mark.parametrize("kind", DECOYS)
def test_decoys_are_pictures_and_repeat_by_seed(kind: str) -> None:
    image, name = make_decoy(np.random.default_rng(2), kind, long_side=700)
    again, _ = make_decoy(np.random.default_rng(2), kind, long_side=700)
    assert name == kind
    assert max(image.shape) == 700
    assert image.std() > 1
    assert np.array_equal(image, again)
