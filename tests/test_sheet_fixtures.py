"""Every fixture photo of a sheet, read end to end, beside its truth."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ontour_cv.cli import main
from ontour_cv.maps.load import load_map
from ontour_cv.scorer.sheet_report import SheetReport
from ontour_cv.scorer.sheet_score import score_sheet_photo
from ontour_cv.sheet import Sheet, parse_sheet

PHOTOS = Path(__file__).parent / "fixtures" / "sheets"
TRUTHS = sorted(PHOTOS.glob("*.json"))
TEMPLATE = load_map("rolling-america")

MOST_WRONG = {False: 1, True: 4}
"""States that may be wrong on an ordinary sheet and on a hard one; all but one, on a hard one, have to be doubted."""


@cache
def truth_of(path: Path) -> tuple[dict[str, Any], Sheet]:
    data = json.loads(path.read_text(encoding="utf-8"))
    return data, parse_sheet(data["sheet"], TEMPLATE.ids)


@cache
def report_of(path: Path) -> SheetReport:
    return score_sheet_photo(path.with_suffix(".jpg"))


@pytest.mark.parametrize("path", TRUTHS, ids=lambda path: path.stem)
def test_every_state_is_found_where_it_is(path: Path) -> None:
    placement = report_of(path).reading.placement
    model = placement.model
    middles = np.array([outline.mean(axis=0) for outline in model.outlines[: model.cells]])
    true = np.array([truth_of(path)[0]["middles"][state] for state in model.ids[: model.cells]])
    scale = np.sqrt(np.abs(np.linalg.det(placement.warp.axes(middles))))
    assert (np.hypot(*(placement.warp.apply(middles) - true).T) / scale).max() < 0.012


@pytest.mark.parametrize("path", TRUTHS, ids=lambda path: path.stem)
def test_what_is_read_is_what_stands_there_or_is_doubted(path: Path) -> None:
    data, sheet = truth_of(path)
    report = report_of(path)
    wrong = [state for state, mark in sheet.marks.items() if report.cells[state].mark != mark]
    silent = [state for state in wrong if not report.cells[state].doubtful]
    assert len(wrong) <= MOST_WRONG[data["hard"]]
    assert len(silent) <= data["hard"]


@pytest.mark.parametrize("path", TRUTHS, ids=lambda path: path.stem)
def test_boxes_are_counted(path: Path) -> None:
    report = report_of(path)
    true, read = truth_of(path)[1].boxes.said(), report.sheet.boxes.said()
    wrong = [name for name in true if read.get(name) != true[name]]
    assert [name for name in wrong if not report.boxes[name].doubtful] == []
    assert len(wrong) <= 1


def test_auto_scores_a_sheet_and_never_calls_it_a_board(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["score", str(PHOTOS / "02-pencil.jpg"), "--json"])
    assert end.value.code == 0
    (document,) = json.loads(capsys.readouterr().out)
    assert document["map"] == "rolling-america"


def test_the_photos_stay_small() -> None:
    assert sum(path.stat().st_size for path in PHOTOS.iterdir()) < 2_000_000
