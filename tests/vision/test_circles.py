"""Circles: cells unrolled as they should be, print told from pen by the board, a model that loads or says why not."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from circled import BLACK, board, crops

from ontour_cv.errors import BadTemplate
from ontour_cv.resources import models_dir
from ontour_cv.vision.cells import AROUND, CROP_PX, CellCrops
from ontour_cv.vision.circles import (
    AGAIN,
    ALWAYS,
    ANGLES,
    AT_ODDS,
    BEYOND,
    CHANNELS,
    CLOSE,
    VIEWS,
    CircleReader,
    View,
    pooled,
    unrolled,
    widened,
    wrapped,
)
from ontour_cv.vision.glyphs import MarkReader


@pytest.fixture(scope="module")
def reader() -> CircleReader:
    """The shipped network."""
    return CircleReader(models_dir())


@pytest.mark.parametrize(("view", "radius"), [(CLOSE, 1.1), (BEYOND, 1.5), (BEYOND, 1.9)])
def test_a_ring_round_the_centre_is_a_straight_line(view: View, radius: float) -> None:
    """The middle of what is dark is the ring's radius, in every direction."""
    side, unit = view.window.px, view.window.px_per_radius
    image = np.full((side, side, 3), 220, np.uint8)
    middle = round((side - 1) / 2 * 16)
    cv2.circle(image, (middle, middle), round(radius * unit * 16), (20, 20, 20), 3, cv2.LINE_AA, 4)
    planes = unrolled(np.stack([image] * 12), view)
    assert planes.shape == (12, CHANNELS, view.depth, ANGLES)
    ink = np.clip(planes[0, 0].max() - planes[0, 0], 1.0, None) - 1.0
    rows = (np.arange(view.depth)[:, None] * ink).sum(axis=0) / ink.sum(axis=0)
    radii = view.inner + (view.outer - view.inner) * rows / (view.depth - 1)
    assert np.abs(radii - radius).max() < 0.03


def test_turning_a_cell_turns_what_is_unrolled() -> None:
    """A quarter turn moves everything by a quarter of the directions, and changes nothing else."""
    images = board((40, 40, 200), {1, 5})[:12]
    turned = np.ascontiguousarray(np.rot90(images, axes=(1, 2)))
    assert np.allclose(np.roll(unrolled(images), -ANGLES // 4, axis=-1), unrolled(turned), atol=0.02)


@pytest.mark.parametrize("view", [CLOSE, BEYOND])
def test_no_view_looks_beyond_its_crops(view: View) -> None:
    assert view.outer < view.window.radii


@pytest.mark.parametrize("view", [CLOSE, BEYOND])
def test_the_pen_is_known_by_what_is_written(view: View) -> None:
    """Somewhere outside the disc a drawn ring has all of the pen's colour, and a bare cell nothing like it."""
    wide = 1.0 if view == CLOSE else 1.4
    images = board((40, 40, 200), set(range(0, 40, 2)), pen=(150, 60, 30), window=view.window, wide=wide)
    planes = unrolled(images, view)
    unlike = np.abs(planes[:, 6] - 1) + planes[:, 7]
    outside = np.linspace(view.inner, view.outer, view.depth) > 1.1
    nearest = np.median(unlike[:, outside].min(axis=1), axis=1)
    assert nearest[0::2].max() < 0.3
    assert nearest[1::2].min() > 0.6


def test_directions_go_round() -> None:
    """What is repeated at either end is what stands there when one goes on."""
    planes = unrolled(board((40, 40, 200), set())[:12])
    more = wrapped(planes)
    assert more.shape[-1] == ANGLES + 2 * AGAIN
    assert np.array_equal(more[..., :AGAIN], planes[..., -AGAIN:])
    assert np.array_equal(more[..., -AGAIN:], planes[..., :AGAIN])


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


EVEN = np.log(np.full((40, 2), 0.5))
"""Mark networks that do not know."""


@pytest.mark.parametrize("wide", [0.9, 1.0, 1.08])
def test_where_nearly_all_discs_are_circled_that_is_no_print(reader: CircleReader, wide: float) -> None:
    """Players who write whatever they can into the very state of a card circle more than half of the board."""
    plain = {1, 9, 15, 22, 30, 33, 38}
    told = reader.beside(EVEN, crops((60, 160, 220), set(range(40)) - plain, wide=wide))
    odds = told[:, 1] - told[:, 0]
    assert {k for k in range(40) if odds[k] < 0} == plain
    assert np.abs(odds).min() > 2.0


@pytest.mark.parametrize("wide", [1.0, 1.3, 1.5])
def test_a_ring_of_another_colour_than_the_numbers_is_drawn(reader: CircleReader, wide: float) -> None:
    """Numbers in black, rings in blue, over printed rings of a third colour; on the disc's rim or far from it."""
    drawn = set(range(0, 40, 4))
    told = reader.beside(EVEN, crops((60, 160, 220), drawn, ring=(170, 60, 20), wide=wide))
    assert {k for k in range(40) if told[k, 1] > told[k, 0]} == drawn


def test_rings_drawn_wide_in_the_pen_of_the_numbers_are_drawn(reader: CircleReader) -> None:
    drawn = {3, 8, 20, 31}
    told = reader.beside(EVEN, crops((60, 160, 220), drawn, wide=1.5))
    assert {k for k in range(40) if told[k, 1] > told[k, 0]} == drawn


@pytest.mark.parametrize("wide", [1.0, 1.5])
def test_without_what_is_round_the_cells_nothing_is_looked_for_far_off(reader: CircleReader, wide: float) -> None:
    drawn = {3, 8, 20, 31}
    told = reader.beside(EVEN, replace(crops((60, 160, 220), drawn, wide=wide), around=None))
    assert {k for k in range(40) if told[k, 1] > told[k, 0]} == (drawn if wide == 1.0 else set())


def test_what_is_seen_far_off_is_heard_where_it_is_sure_and_only_for_circles() -> None:
    close = np.array([-8.0, -8.0, 6.0, -8.0])
    assert np.array_equal(widened(close, np.array([-9.0, -1.0, -7.0, -5.0])), close)
    assert np.array_equal(widened(close, np.array([5.0, -9.0, -7.0, -5.0])), [5.0, -8.0, 6.0, -5.0])
    half = np.array([AT_ODDS / 2 * 4.0, -9.0, -7.0, -8.0])
    assert widened(close, half) == pytest.approx([(half[0] - 8) / 2, -8.0, 6.0, -8.0])


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
    images = board(BLACK, {0})[:3]
    assert reader.beside(told, CellCrops(("a", "b", "c"), images, np.full(3, 20.0))) is told


def test_the_result_is_a_log_probability(reader: CircleReader) -> None:
    """Rows sum to one, and never rule anything out: noise, flat and black cells, too."""
    rng = np.random.default_rng(0)
    noise = rng.integers(0, 256, (14, CROP_PX, CROP_PX, 3), dtype=np.uint8)
    around = rng.integers(0, 256, (14, AROUND.px, AROUND.px, 3), dtype=np.uint8)
    for near, far in ((noise, around), *((np.full_like(noise, v), np.full_like(around, v)) for v in (0, 255))):
        told = reader.beside(EVEN[:14], CellCrops(("",) * 14, near, np.full(14, 20.0), None, far))
        assert np.allclose(np.exp(told).sum(axis=1), 1.0)
        assert np.exp(told).min() >= 1e-5


def test_a_damaged_model_is_a_clear_error(tmp_path: Path) -> None:
    """Missing files, and a card that lacks a figure."""
    with pytest.raises(BadTemplate, match="cannot be loaded"):
        CircleReader(tmp_path)
    for name in ("circles.onnx", "circles-context.npz"):
        shutil.copy(models_dir() / name, tmp_path)
    card = json.loads((models_dir() / "circles.json").read_text(encoding="utf-8"))
    del card["circles"]["own"], card["circles-pens"], card["circles-far"]
    (tmp_path / "circles.json").write_text(json.dumps(card), encoding="utf-8")
    with pytest.raises(BadTemplate, match="cannot be loaded"):
        CircleReader(tmp_path)


def test_the_card_names_the_files_and_the_reader_is_small(reader: CircleReader) -> None:
    """The hashes are those of the files; with the mark networks the reader stays under five megabytes."""
    files = [models_dir() / f"{name}{end}" for name in VIEWS for end in (".onnx", "-context.npz")]
    assert reader.card["sha256"] == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    marks = [models_dir() / name for name in ("marks.onnx", "marks-context.npz")]
    assert sum(path.stat().st_size for path in files + marks) < 5_000_000
    name = MarkReader().name
    assert all(sha[:8] in name for sha in reader.card["sha256"].values())
    assert name.startswith(MarkReader(circles=False).name)
