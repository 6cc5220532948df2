"""Every fixture photo of New York, read end to end, beside its truth."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ontour_cv.city_board import CityBoard, parse_city_board
from ontour_cv.maps.load import load_map
from ontour_cv.rules.city import city_score
from ontour_cv.scorer.city_report import CityReport
from ontour_cv.scorer.city_score import score_city_photo

PHOTOS = Path(__file__).parent / "fixtures" / "cities"
TRUTHS = sorted(PHOTOS.glob("*.json"))
TEMPLATE = load_map("new-york-home")


@cache
def truth_of(path: Path) -> tuple[dict[str, Any], CityBoard]:
    data = json.loads(path.read_text(encoding="utf-8"))
    return data, parse_city_board(data["board"], TEMPLATE.ids)


@cache
def report_of(path: Path) -> CityReport:
    return score_city_photo(path.with_suffix(".jpg"), TEMPLATE.id)


@pytest.mark.parametrize("path", TRUTHS, ids=lambda path: path.stem)
def test_the_truth_agrees_with_the_solver(path: Path) -> None:
    data, board = truth_of(path)
    assert city_score(TEMPLATE, board).total == data["score"]
    assert board.ferries
    assert board.soloists


@pytest.mark.parametrize("path", TRUTHS, ids=lambda path: path.stem)
def test_nothing_is_wrong_in_silence(path: Path) -> None:
    _, board = truth_of(path)
    report = report_of(path)
    seen = report.board
    doubted = {*report.uncertain, *report.drawn.open_soloists}
    assert [r for r, mark in board.marks.items() if seen.marks[r] != mark and r not in doubted] == []
    wrong = [r for r in board.marks if seen.soloists.get(r, "") != board.soloists.get(r, "")]
    assert [r for r in wrong if r not in doubted] == []
    lines = set(seen.ferries) ^ set(board.ferries)
    assert lines <= set(report.drawn.open_ferries)


@pytest.mark.parametrize("path", TRUTHS, ids=lambda path: path.stem)
def test_the_true_score_is_in_the_range_and_a_wrong_one_is_never_unasked(path: Path) -> None:
    data, _ = truth_of(path)
    report = report_of(path)
    low, high = report.score_range
    assert low <= data["score"] <= high
    assert report.score.total == data["score"] or report.ask


def test_the_photos_stay_small() -> None:
    sizes = [path.stat().st_size for path in PHOTOS.glob("*.jpg")]
    assert len(sizes) >= 2
    assert max(sizes) < 400_000
