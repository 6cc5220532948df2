"""Where the truth says a disc lies, the picture shows it: camera, folds and lens, checked against painted pixels."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from ontour_cv.maps.edition import Edition
from ontour_cv.maps.model import MapTemplate
from ontour_cv.synth.camera import Pose, place_camera
from ontour_cv.synth.noise import Image
from ontour_cv.synth.paint import FlatBoard
from ontour_cv.synth.photograph import photograph
from ontour_cv.synth.scene import Scene, sample_scene
from ontour_cv.synth.shot import Shot, sample_shot

CALM = {
    "blur_radii": 0.0,
    "motion_radii": 0.0,
    "noise": 0.01,
    "quality": 98,
    "glare_discs": 0,
    "glare_peak": 0.0,
    "haze": 0.0,
    "shadow": 0.0,
    "sharpening": 0.0,
    "local_contrast": 0.0,
    "gradient": 0.0,
    "vignette": 0.0,
    "forwarded": 0,
    "things": 0,
    "contrast": 1.0,
    "exposure": 80.0,
    "cast": (1.0, 1.0, 1.0),
    "saturation": 1.0,
}


def calm_shot(tier: str, seed: int, side: int) -> Shot:
    """A shot of a tier's geometry without anything that changes colours."""
    return replace(sample_shot(tier, np.random.default_rng(seed), side), **CALM)


def dotted(scene: Scene) -> Image:
    """A black board with a white disc at every cell, drawn by another hand than ``paint``."""
    picture = np.zeros((scene.size_px[1], scene.size_px[0], 3), np.uint8)
    for x, y in scene.cells.values():
        at = ((np.array([x, y]) - np.array(scene.offset)) * scene.scale - 0.5) * 16
        radius = round(scene.radius * scene.scale * 16)
        cv2.circle(picture, (round(at[0]), round(at[1])), radius, (255, 255, 255), -1, cv2.LINE_AA, 4)
    return picture


@pytest.mark.parametrize(("tier", "seed"), [("ordinary", 1), ("hard", 2), ("hard", 3), ("wild", 4)])
def test_the_photographed_disc_is_where_the_truth_says_and_as_large(
    usa: MapTemplate, first_edition: Edition, tier: str, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    scene = replace(sample_scene(usa, first_edition, rng, 0.0, 2200), folds=(0.34, 0.66))
    shot = replace(calm_shot(tier, seed, 2000), fold_deg=2.0)
    image, camera, _, _ = photograph(FlatBoard(dotted(scene), scene.scale, scene.offset), scene, shot, rng)
    centres = np.array(list(scene.cells.values()))
    spots, axes = camera.board_to_photo(centres), camera.axes(centres, scene.radius)
    bright = image.min(axis=2) > 0.5 * np.percentile(image[image.max(axis=2) > 0], 99)
    checked = 0
    for (x, _), spot, axis in zip(centres, spots, axes, strict=True):
        reach = 1.5 * float(np.linalg.norm(axis))
        low, high = np.floor(spot - reach).astype(int), np.ceil(spot + reach).astype(int) + 1
        near_fold = min(abs(x - fold) for fold in scene.folds) < 1.6 * scene.radius
        if low.min() < 0 or high[0] > image.shape[1] or high[1] > image.shape[0] or near_fold:
            continue
        grid = np.stack(np.meshgrid(np.arange(low[0], high[0]), np.arange(low[1], high[1])), axis=-1)
        away = (grid - spot) @ np.linalg.inv(axis).T
        inside = bright[low[1] : high[1], low[0] : high[0]] & (np.linalg.norm(away, axis=2) < 1.12)
        middle = grid[inside].mean(axis=0)
        seen_off = np.linalg.norm(middle - spot)  # perspective moves a disc's centre of mass a little
        assert seen_off < 0.25 + 0.025 * reach, "centre of mass of the white pixels"
        assert inside.sum() == pytest.approx(np.pi * abs(np.linalg.det(axis)), rel=0.05)
        checked += 1
    assert checked > 20


def test_board_to_photo_and_back_is_the_identity_with_folds_and_lens() -> None:
    pose = Pose((1600, 1200), 0.75, 35, 70, 130, 0.95, (0.03, -0.02), (0.03, -0.01))
    camera = place_camera(pose, 0.64, ((0.33, 0.05), (0.67, -0.04)))
    points = np.random.default_rng(0).uniform([0, 0], [1, 0.64], (500, 2))
    assert np.abs(camera.photo_to_board(camera.board_to_photo(points)) - points).max() < 1e-6


def test_a_flat_board_without_lens_errors_keeps_straight_lines() -> None:
    pose = Pose((1600, 1200), 0.75, 35, 70, 130, 0.95, (0.0, 0.0), (0.0, 0.0))
    line = np.column_stack([np.linspace(0, 1, 9), np.linspace(0.1, 0.6, 9)])
    seen = place_camera(pose, 0.64).board_to_photo(line)
    way = seen[-1] - seen[0]
    off = np.cross(np.append(way, 0), np.column_stack([seen - seen[0], np.zeros(9)]))[:, 2] / np.linalg.norm(way)
    assert np.abs(off).max() < 1e-6


def test_tilt_zero_keeps_the_boards_shape() -> None:
    pose = Pose((1600, 1200), 0.75, 0, 0, 0, 0.9, (0.0, 0.0), (0.0, 0.0))
    camera = place_camera(pose, 0.64)
    corners = camera.board_to_photo(np.array([[0, 0], [1, 0], [1, 0.64], [0, 0.64]], dtype=np.float64))
    width, height = np.ptp(corners, axis=0)
    assert height / width == pytest.approx(0.64, abs=1e-3)
    assert width == pytest.approx(0.9 * 1600, rel=1e-2)
    assert corners.mean(axis=0) == pytest.approx((800, 600), abs=1)


def test_the_maps_for_warping_agree_with_the_exact_camera() -> None:
    pose = Pose((640, 480), 0.75, 30, 200, 20, 0.9, (0.0, 0.0), (0.02, 0.0))
    camera = place_camera(pose, 0.64)
    xs, ys = camera.maps_to(1000.0, (0.0, 0.0))
    at = np.random.default_rng(1).integers([0, 0], [640, 480], (300, 2))
    exact = camera.photo_to_board(at.astype(np.float64)) * 1000 - 0.5
    mapped = np.column_stack([xs[at[:, 1], at[:, 0]], ys[at[:, 1], at[:, 0]]])
    near = np.all((exact > 0) & (exact < [1000, 640]), axis=1)
    assert np.abs(exact - mapped)[near].max() < 0.1
