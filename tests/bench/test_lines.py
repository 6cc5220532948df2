"""Tours drawn in other ways: the same boards and tours, and the page says what was measured."""

from __future__ import annotations

import numpy as np
import pytest

from bench.drawn import DECLINED, EXACT, NO_BOARD, WRONG
from bench.lines import PAGE, WAYS, ink, line, page, shoot
from bench.photos import Studio
from bench.rows import RESULTS, Row, read_rows
from ontour_cv.synth.scene import Scene, sample_scene
from ontour_cv.synth.strokes import Writer, sample_writer

STUDIO = Studio(1)


def somebody() -> tuple[Scene, Writer]:
    rng = np.random.default_rng(5)
    return sample_scene(STUDIO.template, STUDIO.editions[0], rng, 0.0, 900), sample_writer(rng)


def test_every_way_draws_the_same_tour_on_the_same_board() -> None:
    one, other = (shoot(STUDIO, None, way, 0) for way in ("from rim to rim", "dots"))
    assert one.truth.board == other.truth.board
    assert one.truth.drawn == other.truth.drawn
    assert len(one.truth.drawn or ()) > 4


@pytest.mark.parametrize("way", WAYS)
def test_every_leg_leaves_ink_between_its_discs_and_none_elsewhere(way: str) -> None:
    scene, writer = somebody()
    places = ("CA", "NV", "UT", "CO")
    spots = np.array([scene.cells[region] for region in places])
    strokes = ink(scene, places, WAYS[way], writer, np.random.default_rng(0))
    points = np.concatenate([stroke.points_board for stroke in strokes])
    near = np.linalg.norm(points[:, None] - (spots[:-1] + spots[1:]) / 2, axis=2)
    assert np.all(near.min(axis=0) < np.linalg.norm(np.diff(spots, axis=0), axis=1) / 2)
    low, high = spots.min(axis=0) - 2 * scene.radius, spots.max(axis=0) + 2 * scene.radius
    assert np.all((points >= low) & (points <= high))


def test_a_tour_taken_for_none_is_no_tour_read_wrongly() -> None:
    rows: list[Row] = [
        {"what": EXACT, "read": ["CA", "NV"]},
        {"what": WRONG, "read": []},
        {"what": WRONG, "read": ["CA", "OR"]},
        {"what": DECLINED, "read": None},
        {"what": NO_BOARD, "read": None},
    ]
    _, found, *shares = (str(cell) for cell in line("dots", rows))
    assert found == "4 of 5"
    assert [share.rsplit("1 of 4")[-1] == "" for share in shares] == [True] * 4


def test_every_way_was_measured_on_the_same_photos() -> None:
    rows = read_rows(RESULTS / "lines.jsonl")
    for way in WAYS:
        mine, first = (
            {row["key"].removesuffix(f"-{name}") for row in rows if row["way"] == name}
            for name in (way, next(iter(WAYS)))
        )
        assert mine == first


def test_the_page_says_what_was_measured() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(read_rows(RESULTS / "lines.jsonl"))
