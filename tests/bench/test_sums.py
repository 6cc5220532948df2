"""The page on score boxes says what the rows say."""

from __future__ import annotations

from bench.rows import RESULTS, read_rows
from bench.sums import PAGE, READ_WRONG, page


def test_the_page_is_that_of_the_shipped_rows() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(read_rows(RESULTS / "sums.jsonl"))


def test_a_wrong_count_told_is_counted_as_one() -> None:
    row = {"tier": "hard", "print": "own", "written": [1, 2, 3], "found": 1, "what": READ_WRONG, "ms": 9.0}
    (line,) = [line for line in page([row]).splitlines() if line.startswith("| hard")]
    assert "100 %" in line.split("|")[3]
    assert "0 of 1" in line.split("|")[2]
