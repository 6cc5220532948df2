"""Circles: cells unrolled as they should be, print told from pen by the board, a model that loads or says why not."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from circled import BLACK, RADIUS, board

from ontour_cv.errors import BadTemplate
from ontour_cv.resources import models_dir
from ontour_cv.vision import circles
from ontour_cv.vision.cells import CROP_PX
from ontour_cv.vision.circles import (
    ALWAYS,
    ANGLES,
    AROUND,
    AT_ODDS,
    CHANNELS,
    DEPTH,
    MODEL,
    PENS,
    CircleReader,
    pooled,
    unrolled,
    wrapped,
)
from ontour_cv.vision.glyphs import MarkReader

MIDDLE = (CROP_PX - 1) / 2


@pytest.fixture(scope="module")
def reader() -> CircleReader:
    """The shipped network."""
    return CircleReader(models_dir())


def test_a_ring_round_the_centre_is_a_straight_line() -> None:
    """The middle of what is dark is the ring's radius, in every direction."""
    image = np.full((CROP_PX, CROP_PX, 3), 220, np.uint8)
    cv2.circle(
        image, (round(MIDDLE * 16), round(MIDDLE * 16)), round(1.1 * RADIUS * 16), (20, 20, 20), 3, cv2.LINE_AA, 4
    )
    planes = unrolled(np.stack([image] * 12))
    assert planes.shape == (12, CHANNELS, DEPTH, ANGLES)
    ink = np.clip(planes[0, 0].max() - planes[0, 0], 1.0, None) - 1.0
    rows = (np.arange(DEPTH)[:, None] * ink).sum(axis=0) / ink.sum(axis=0)
    radii = circles.INNER + (circles.OUTER - circles.INNER) * rows / (DEPTH - 1)
    assert np.abs(radii - 1.1).max() < 0.03


def test_turning_a_cell_turns_what_is_unrolled() -> None:
    """A quarter turn moves everything by a quarter of the directions, and changes nothing else."""
    images = board((40, 40, 200), {1, 5})[:12]
    turned = np.ascontiguousarray(np.rot90(images, axes=(1, 2)))
    assert np.allclose(np.roll(unrolled(images), -ANGLES // 4, axis=-1), unrolled(turned), atol=0.02)


def test_the_pen_is_known_by_what_is_written() -> None:
    """Somewhere outside the disc a drawn ring has all of the pen's colour, and a bare cell nothing like it."""
    images = board((40, 40, 200), set(range(0, 40, 2)), pen=(150, 60, 30))
    planes = unrolled(images)
    unlike = np.abs(planes[:, 6] - 1) + planes[:, 7]
    outside = (circles.INNER + (circles.OUTER - circles.INNER) * np.arange(DEPTH) / (DEPTH - 1)) > 1.1
    nearest = np.median(unlike[:, outside].min(axis=1), axis=1)
    assert nearest[0::2].max() < 0.3
    assert nearest[1::2].min() > 0.6


def test_directions_go_round() -> None:
    """What is repeated at either end is what stands there when one goes on."""
    planes = unrolled(board((40, 40, 200), set())[:12])
    more = wrapped(planes)
    assert more.shape[-1] == ANGLES + 2 * AROUND
    assert np.array_equal(more[..., :AROUND], planes[..., -AROUND:])
    assert np.array_equal(more[..., -AROUND:], planes[..., :AROUND])


@pytest.mark.parametrize("pen", [BLACK, (150, 60, 30), (40, 30, 150)])
def test_drawn_rings_are_told_from_printed_ones(reader: CircleReader, pen: tuple[int, int, int]) -> None:
    """A ring in the pen's colour round a coloured printed one, with pens of three colours."""
    drawn = set(range(0, 40, 4))
    odds = reader.odds(board((60, 160, 220), drawn, pen))
    assert {k for k in range(40) if odds[k] > 0} == drawn


def test_what_all_discs_have_is_print(reader: CircleReader) -> None:
    """Black printed rings on all discs, and black ink: nothing is circled but where a second ring stands."""
    drawn = {3, 17, 30}
    odds = reader.odds(board(BLACK, drawn))
    assert {k for k in range(40) if odds[k] > 0} == drawn


def test_a_ring_of_another_colour_than_the_numbers_is_drawn(reader: CircleReader) -> None:
    """Numbers in black, rings in blue, over printed rings of a third colour."""
    drawn = set(range(0, 40, 4))
    images = board((60, 160, 220), set())
    rings = board((60, 160, 220), drawn, (170, 60, 20))
    bare = board((60, 160, 220), set(), (170, 60, 20))
    ringed = np.where((rings != bare).any(axis=3, keepdims=True), rings, images)
    told = reader.beside(np.log(np.full((40, 2), 0.5)), ringed)
    assert {k for k in range(40) if told[k, 1] > told[k, 0]} == drawn


def test_the_second_network_is_heard_as_far_as_it_is_sure_of_what_the_first_denies() -> None:
    first = np.array([-8.0, -8.0, 6.0, -8.0])
    assert np.array_equal(pooled([first]), first)
    agreeing = np.array([-9.0, -1.0, 7.0, -5.0])
    assert pooled([first, agreeing]) == pytest.approx((1 - ALWAYS) * first + ALWAYS * agreeing)
    second = np.array([5.0, -1.0, 7.0, -5.0])
    assert np.array_equal(pooled([first, second]), second)
    half = np.array([AT_ODDS / 2 * 4.0, -1.0, 7.0, -5.0])
    assert pooled([first, half]) == pytest.approx((first + half) / 2)


def test_the_order_of_cells_means_nothing(reader: CircleReader) -> None:
    """A board is a set of cells."""
    images = board((60, 160, 220), {2, 9})
    order = np.random.default_rng(3).permutation(len(images))
    assert np.allclose(reader.odds(images)[order], reader.odds(images[order]), atol=1e-3)


def test_a_few_cells_are_no_board(reader: CircleReader) -> None:
    """Of three boxes for sums nothing is said."""
    told = np.log(np.array([[0.9, 0.1]] * 3))
    assert reader.beside(told, board(BLACK, {0})[:3]) is told


def test_the_result_is_a_log_probability(reader: CircleReader) -> None:
    """Rows sum to one, and never rule anything out: noise, flat and black cells, too."""
    rng = np.random.default_rng(0)
    noise = rng.integers(0, 256, (14, CROP_PX, CROP_PX, 3), dtype=np.uint8)
    for images in (noise, np.zeros_like(noise), np.full_like(noise, 255)):
        told = reader.beside(np.log(np.full((14, 2), 0.5)), images)
        assert np.allclose(np.exp(told).sum(axis=1), 1.0)
        assert np.exp(told).min() >= 1e-5


def test_a_damaged_model_is_a_clear_error(tmp_path: Path) -> None:
    """Missing files, and a card that lacks a figure."""
    with pytest.raises(BadTemplate, match="cannot be loaded"):
        CircleReader(tmp_path)
    for name in ("circles.onnx", "circles-context.npz"):
        shutil.copy(models_dir() / name, tmp_path)
    card = json.loads((models_dir() / "circles.json").read_text(encoding="utf-8"))
    del card["circles"]["own"], card["circles-pens"]
    (tmp_path / "circles.json").write_text(json.dumps(card), encoding="utf-8")
    with pytest.raises(BadTemplate, match="cannot be loaded"):
        CircleReader(tmp_path)


def test_the_card_names_the_files_and_the_reader_is_small(reader: CircleReader) -> None:
    """The hashes are those of the files; with the mark networks the reader stays under five megabytes."""
    files = [models_dir() / f"{name}{end}" for name in (MODEL, PENS) for end in (".onnx", "-context.npz")]
    assert reader.card["sha256"] == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    marks = [models_dir() / name for name in ("marks.onnx", "marks-context.npz")]
    assert sum(path.stat().st_size for path in files + marks) < 5_000_000
    name = MarkReader().name
    assert all(sha[:8] in name for sha in reader.card["sha256"].values())
    assert name.startswith(MarkReader(circles=False).name)
