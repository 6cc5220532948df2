"""The bench of sheets: what it counts, and the page that is made of it."""

from __future__ import annotations

import numpy as np
import pytest
import sheet_readings as made

from bench.rows import RESULTS, read_rows
from bench.sheets import HeldOut, cell_errors, compare
from bench.sheets_page import PAGE, page
from ontour_cv.scorer.sheet_score import score_sheet_read
from ontour_cv.synth.sheet_photo import SheetShot


def shot_of(text: str, width: int = 600, off: float = 0.0) -> SheetShot:
    """A photo that shows ``text`` flat, ``width`` pixels wide, its cells ``off`` sheet widths to the right."""
    places = {
        name: (outline + np.array([off, 0.0])) * width
        for name, outline in zip(made.MODEL.ids, made.MODEL.outlines, strict=True)
    }
    sheet = made.sheet_of(text)
    return SheetShot(
        image=np.zeros((10, 10, 3), np.uint8),
        sheet=sheet,
        crossed=frozenset(),
        corners=np.zeros((4, 2)),
        homography=np.eye(3),
        cells={name: places[name] for name in made.TEMPLATE.ids},
        boxes={name: place for name, place in places.items() if name not in made.TEMPLATE.ids},
        ink=dict.fromkeys(made.TEMPLATE.ids, "plain"),
        conditions={},
    )


def test_wrong_and_silent_cells_and_boxes_are_told_apart() -> None:
    report = score_sheet_read("a", made.make_sheet_reading(made.LEGAL + " @x=3", {"AK": {"x": 0.3}}))
    row = compare(shot_of(made.LEGAL.replace("AK=1", "AK=x").replace("HI=6", "HI=5o") + " @x=4"), made.TEMPLATE, report)
    assert [cell[:3] for cell in row["wrong"]] == [["AK", "x", "1"], ["HI", "5o", "6"]]
    assert [cell[4] for cell in row["wrong"]] == [1, 0]
    assert row["boxes"] == [["x", 4, 3, 0]]
    assert sum(right for _, right in row["bins"].values()) == 48


@pytest.mark.parametrize(("off", "located"), [(0.0, 1), (0.008, 1), (0.02, 0)])
def test_a_sheet_off_its_place_is_not_located(off: float, located: int) -> None:
    report = score_sheet_read("a", made.make_sheet_reading(made.LEGAL))
    row = compare(shot_of(made.LEGAL, off=off), made.TEMPLATE, report)
    assert row["located"] == located
    assert cell_errors(shot_of(made.LEGAL, off=off), report) == pytest.approx(np.full(50, off), abs=1e-6)


def test_without_recordings_hands_are_of_shapes_training_never_sees() -> None:
    hand = HeldOut(None).pick(np.random.default_rng(0), 0.0)
    assert hand.glyph("3", np.random.default_rng(0))


def test_the_page_is_made_of_the_rows() -> None:
    """When this fails: python -m bench.sheets_page."""
    rows, refusals = read_rows(RESULTS / "sheets.jsonl"), read_rows(RESULTS / "sheets-refusal.jsonl")
    assert page(rows, refusals) == PAGE.read_text(encoding="utf-8")
    assert not any(row["sheet"] for row in refusals)
