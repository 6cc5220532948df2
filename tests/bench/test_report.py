"""The pages of figures are what the programs make of the committed measurements."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest

from bench import report, speed_page
from bench.breakdown import cell_hazards, differences
from bench.curves import reject_chart, reject_curve
from bench.rows import RESULTS, read_rows
from bench.targets import boards_right, cells_right, circles_right, drawn_circles_read, silent_cells, silent_scores


def row(key: str = "ordinary-1-0", **changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "key": key, "tier": "ordinary", "edition": "2019", "size": [1600, 1200], "radius_px": 25.0,
        "scene": {"palette": "glossy", "tilt_deg": 12.0, "glare_discs": 0, "shadow": 0.1, "notes": 3},
        "found": 1, "located": 1, "error_median": 0.01, "error_max": 0.1, "placed": 41, "edition_read": "2019",
        "cells": 41, "circled": 9, "wrong": [], "alone": 0, "bins": {"8": [1, 1], "20": [40, 40]},
        "hazard_cells": {"glare": 0, "shadow": 0, "blur": 0, "small": 0, "clutter": 4, "circled": 9, "none": 37},
        "uncertain": [], "unseen": 0, "ask": 0, "best": 20, "read": 20, "low": 20, "high": 20, "ms": {"load": 1.0},
        "render_s": 1.0, "model": "abc", "hands": "own", "tables": "own",
    }  # fmt: skip
    return made | changes


WRONG_MARK = ["NV", "31", "37", 0.9, 1, "clutter"]
WRONG_CIRCLE = ["WA", "21o", "21", 0.99, 0, "circled"]
REFUSED = {
    "key": "ordinary-1-9", "tier": "ordinary", "edition": "2019", "size": [9, 9], "radius_px": 20.0, "found": 0,
    "scene": {"palette": "glossy", "tilt_deg": 12.0, "glare_discs": 0, "shadow": 0.1, "notes": 3}, "located": 0,
    "render_s": 1.0, "model": "abc", "hands": "own", "tables": "own",
}  # fmt: skip


def test_marks_and_circles_are_counted_apart() -> None:
    rows = [row(wrong=[WRONG_MARK, WRONG_CIRCLE])]
    assert (cells_right(rows).hits, circles_right(rows).hits) == (40, 40)
    assert (drawn_circles_read(rows).hits, drawn_circles_read(rows).total) == (8, 9)


def test_a_silent_error_is_one_that_is_not_doubtful() -> None:
    assert silent_cells([row(wrong=[WRONG_MARK, WRONG_CIRCLE])]).hits == 1


def test_a_refused_photo_is_no_right_board_and_no_wrong_cell() -> None:
    rows = [row(), REFUSED]
    assert (boards_right(rows).hits, boards_right(rows).total) == (1, 2)
    assert (cells_right(rows).hits, cells_right(rows).total) == (41, 41)


def test_a_wrong_score_is_silent_only_when_nothing_is_asked() -> None:
    rows = [row(read=19), row(read=19, ask=2), row()]
    assert (silent_scores(rows).hits, silent_scores(rows).total) == (1, 3)


def test_errors_are_booked_on_every_hazard_of_their_cell() -> None:
    lines = cell_hazards([row(wrong=[WRONG_MARK, WRONG_CIRCLE])]).splitlines()
    by_name = {line.split("|")[1].split(":")[0].strip(): line for line in lines[2:]}
    assert by_name["clutter"].endswith("| 4 | 25.0 % | 0 % | 0 |")
    assert by_name["circled"].endswith("| 9 | 0 % | 11.1 % | 1 |")
    assert by_name["none of these"].endswith("| 37 | 0 % | 2.70 % | 1 |")


@pytest.mark.parametrize(
    ("written", "read", "expected"),
    [
        ("31", "37", [("1", "7")]),
        ("31o", "31", [("circle", "no circle")]),
        ("*", "x", [("star", "X")]),
        (".", "14", [("empty", "number")]),
        ("64", "46o", [("6", "4"), ("4", "6"), ("no circle", "circle")]),
    ],
)
def test_confusions_name_what_differs(written: str, read: str, expected: list[tuple[str, str]]) -> None:
    assert differences(written, read) == expected


def test_setting_the_least_sure_cells_aside_removes_their_errors_first() -> None:
    rows = [row(bins={"2": [2, 1], "20": [98, 98]})]
    assert reject_curve(rows) == [(0.0, 0.01), (pytest.approx(0.02), 0.0)]


def test_the_chart_is_well_formed() -> None:
    ElementTree.fromstring(reject_chart({"ordinary": [row()], "hard": []}))


def test_the_page_can_be_made_of_nothing() -> None:
    assert "# Accuracy" in report.page([], [], [], {})


def test_every_other_map_has_a_section_with_its_own_targets() -> None:
    rows = [row(wrong=[WRONG_CIRCLE]), row("ordinary-1-1"), row("hard-1-0", tier="hard")]
    text = report.page([], [], [], {"Tiny": rows})
    section = text[text.index("## Tiny") : text.index("## Pictures without")]
    assert "2 ordinary and 1 hard" in section
    assert "| boards exactly right without help | ≥ 93 % | 50.0 %" in section
    assert "| ≥ 80 % | 100 %" in section


def test_the_page_of_accuracy_is_what_the_rows_say() -> None:
    """When this fails: python -m bench.report."""
    rows = read_rows(RESULTS / "accuracy.jsonl")
    refusals, beside = read_rows(RESULTS / "refusal.jsonl"), read_rows(RESULTS / "tesseract.jsonl")
    assert report.PAGE.read_text(encoding="utf-8") == report.page(rows, refusals, beside, report.other_maps())
    assert report.CHART.read_text(encoding="utf-8") == report.reject_chart(report.by_tier(rows))


def test_the_page_of_speed_is_what_was_measured() -> None:
    """When this fails: python -m bench.speed_page."""
    result = json.loads((RESULTS / "speed.json").read_text(encoding="utf-8"))
    assert speed_page.PAGE.read_text(encoding="utf-8") == speed_page.page(result)
