"""The words below a sheet's overlay: boxes are called what players call them, not by their tokens."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sheet_readings as made

from ontour_cv.scorer.sheet_drawing import _notes
from ontour_cv.scorer.sheet_report import BOX_NAMES
from ontour_cv.scorer.sheet_score import score_sheet_read
from ontour_cv.sheet import MOST
from ontour_cv.vision.sheet_decode import BoxReading


@pytest.mark.parametrize("token", MOST)
def test_a_doubtful_box_is_called_by_its_name(token: str) -> None:
    report = score_sheet_read("a.jpg", made.make_sheet_reading(made.LEGAL))
    doubtful = replace(report, boxes={**report.boxes, token: BoxReading(2, 0.6, ((1, 0.4),))})
    said = " ".join(text for _, text in _notes(doubtful))
    assert BOX_NAMES[token] in said
    assert f"@{token}" not in said
