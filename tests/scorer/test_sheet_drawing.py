"""The words below a sheet's overlay: boxes are called what players call them, not by their tokens."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
import sheet_readings as made
from rich.console import Console

from ontour_cv.cli.score_sheet_view import _doubts
from ontour_cv.scorer.sheet_drawing import _notes
from ontour_cv.scorer.sheet_report import BOX_NAMES
from ontour_cv.scorer.sheet_score import score_sheet_read
from ontour_cv.sheet import MOST
from ontour_cv.vision.sheet_boxes import BoxReading


@pytest.mark.parametrize("token", MOST)
def test_a_doubtful_box_is_called_by_its_name(token: str) -> None:
    report = score_sheet_read("a.jpg", made.make_sheet_reading(made.LEGAL))
    doubtful = replace(report, boxes={**report.boxes, token: BoxReading(2, 0.6, ((1, 0.4),))})
    said = " ".join(text for _, text in _notes(doubtful))
    assert BOX_NAMES[token] in said
    assert f"@{token}" not in said


@pytest.mark.parametrize("more", [False, True])
def test_a_doubt_nobody_asks_about_is_called_unlikely_to_matter_only_where_it_is_so(more: bool) -> None:
    report = score_sheet_read("a.jpg", made.make_sheet_reading(made.LEGAL, {"AK": {"x": 0.3}, "HI": {"2": 0.3}}))
    said = " ".join(text for _, text in _notes(replace(report, ask=("AK",), more=more)))
    assert ("unlikely to matter for the score: HI" in said) != more
    assert ("asked about later if need be: HI" in said) == more


@pytest.mark.parametrize(("more", "word"), [(False, "unlikely"), (True, "perhaps later")])
def test_the_table_says_what_is_asked_now_and_what_perhaps_later(more: bool, word: str) -> None:
    report = score_sheet_read("a.jpg", made.make_sheet_reading(made.LEGAL, {"AK": {"x": 0.3}, "HI": {"2": 0.3}}))
    table = _doubts(replace(report, ask=("AK",), more=more), Console(file=StringIO()))
    assert list(table.columns[3].cells) == ["yes", word]
