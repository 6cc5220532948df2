"""Shares, intervals and row files."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.rows import RowWriter, read_rows
from bench.stats import Share, mean, percent, quantile, table


def test_wilson_interval_agrees_with_published_values() -> None:
    """Newcombe (1998), table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (hits, total), bounds in published.items():
        assert Share(hits, total).interval() == pytest.approx(bounds, abs=5e-5)


def test_a_share_of_nothing_says_so() -> None:
    assert Share(0, 0).text() == "-"
    assert Share(0, 0).interval() == (0, 1)


def test_percent_keeps_the_decimals_that_matter() -> None:
    assert [percent(v) for v in (0, 1, 0.5, 0.99, 0.9995, 0.0004)] == [
        "0 %", "100 %", "50.0 %", "99.00 %", "99.950 %", "0.040 %",
    ]  # fmt: skip


def test_a_share_just_below_one_never_shows_as_100() -> None:
    assert percent(10249 / 10250) == "99.990 %"


def test_quantile_is_the_smallest_value_covering_the_share() -> None:
    values = [float(v) for v in range(1, 11)]
    assert [quantile(values, q) for q in (0.0, 0.5, 0.9, 0.99, 1.0)] == [1, 5, 9, 10, 10]
    assert quantile([], 0.5) == 0


def test_mean_and_its_interval() -> None:
    middle, half = mean([1.0, 3.0])
    assert (middle, half) == pytest.approx((2.0, 1.959964))
    assert mean([]) == (0, 0)


def test_a_table_is_markdown() -> None:
    assert table(["a", "b"], [["x", 1]]) == "| a | b |\n| --- | ---: |\n| x | 1 |\n"


def test_rows_are_kept_in_key_order_and_never_measured_twice(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    writer = RowWriter(path)
    writer.append({"key": "b", "v": 1})
    writer.append({"key": "a", "v": 2})
    again = RowWriter(path)
    assert "a" in again
    assert "c" not in again
    assert [row["key"] for row in read_rows(path)] == ["a", "b"]


def test_a_line_cut_off_by_a_stopped_run_is_dropped_and_measured_again(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"key":"a"}\n{"key":"b","v', encoding="utf-8")
    writer = RowWriter(path)
    assert "b" not in writer
    writer.append({"key": "b"})
    assert [row["key"] for row in read_rows(path)] == ["a", "b"]


def test_a_damaged_line_in_the_middle_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"key":"a"\n{"key":"b"}\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"rows.jsonl:1"):
        read_rows(path)
