"""Ferries drawn in other ways: the same boards, each line between its discs, and the page says what was measured."""

from __future__ import annotations

import numpy as np
import pytest

from bench.cities import NEW_YORK
from bench.ferries import PAGE, WAYS, ink, line, page, shoot
from bench.photos import Studio
from bench.rows import RESULTS, Row, read_rows
from ontour_cv.synth.strokes import sample_writer

STUDIO = Studio(1, map=NEW_YORK)
DESIGN = STUDIO.sheets[0].design
PAIRS = (("SOHO", "STG"), ("THRO", "ASTO"))


def test_every_way_is_drawn_on_the_same_board() -> None:
    one, other = (shoot(STUDIO, way, 0) for way in ("from rim to rim", "dots"))
    assert one[1] == other[1]
    assert one[0].shape == other[0].shape


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("pair", PAIRS)
def test_a_ferry_leaves_ink_between_its_discs_only(pair: tuple[str, str], way: str) -> None:
    strokes = ink(DESIGN, (pair,), WAYS[way], sample_writer(np.random.default_rng(0)))
    points = np.concatenate([stroke.points_board for stroke in strokes]) / DESIGN.radius
    ends = np.array([DESIGN.discs[region] for region in pair]) / DESIGN.radius
    length = float(np.linalg.norm(ends[1] - ends[0]))
    least = min(WAYS[way].reach, 0.35 * length) - 0.3
    away = np.linalg.norm(points[:, None] - ends[None], axis=2)
    assert away.min() > least
    assert away.min(axis=0).max() < max(WAYS[way].reach, 0.35 * length) + 1.0
    assert np.all(away.sum(axis=1) < 1.4 * length)


def test_a_line_of_the_table_counts_ferries_and_those_nobody_was_asked_about() -> None:
    rows: list[Row] = [
        {"found": 1, "ferries": 3, "missed": [["A-B", 1], ["C-D", 0]], "invented": []},
        {"found": 1, "ferries": 1, "missed": [], "invented": [["A-D", 0], ["B-D", 1], ["B-C", 1]]},
        {"found": 0, "ferries": 5, "missed": [], "invented": []},
    ]
    _, photos, found, *counts = line("dots", rows)
    assert (photos, counts) == ("2 of 3", [1, 3, 1])
    assert str(found).endswith("2 of 4")


def test_every_way_was_measured_on_the_same_photos() -> None:
    rows = read_rows(RESULTS / "ferries.jsonl")
    keys = [{row["key"].removesuffix(f"-{way}") for row in rows if row["way"] == way} for way in WAYS]
    assert all(some == keys[0] for some in keys)


def test_the_page_says_what_was_measured() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(read_rows(RESULTS / "ferries.jsonl"))
