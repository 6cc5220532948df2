"""docs/several.md is what the program makes of the committed measurements."""

from __future__ import annotations

from typing import Any

from bench import several_page
from bench.rows import RESULTS, read_rows

GOOD: dict[str, Any] = {"wrong": 0, "silent": 0, "uncertain": 1, "ask": 0, "score": 1, "used": 2}


def test_the_page_agrees_with_the_measurements() -> None:
    assert several_page.PAGE.read_text(encoding="utf-8") == several_page.page(read_rows(RESULTS / "several.jsonl"))


def test_a_board_that_was_not_found_is_no_right_board_and_no_wrong_cell() -> None:
    rows = [
        {"cells": 41, "ways": {"2 together": GOOD | {"wrong": 2, "silent": 1, "score": 0}}},
        {"cells": 41, "ways": {"2 together": GOOD}},
        {"cells": 41, "ways": {"2 together": None}},
    ]
    line = [str(cell) for cell in several_page.line("2 together", rows)]
    assert line[2].endswith("80 of 82")
    assert line[3].endswith("1 of 3")
    assert line[5].endswith("1 of 82")
