"""Pens: nothing but the pen differs, and the page says what was measured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bench.cities import NEW_YORK
from bench.pens import PAGE, PENS, city_line, line, page, shoot
from bench.photos import Studio
from bench.rows import RESULTS, Row, read_rows
from ontour_cv.board import Kind


def test_two_pens_write_the_same_in_the_same_light() -> None:
    studio = Studio(1)
    black, truth = shoot(studio, None, "black", 0)
    orange, again = shoot(studio, None, "orange", 0)
    assert again.board == truth.board
    assert {r: p.centre_photo for r, p in again.cells.items()} == {r: p.centre_photo for r, p in truth.cells.items()}
    changed = np.abs(black.astype(int) - orange).max(axis=2) > 40
    assert 0 < changed.mean() < 0.2
    warmer = orange[changed].astype(int) - black[changed]
    assert np.median(warmer[:, 2]) > np.median(warmer[:, 0]) + 40


def test_where_most_marks_are_circled_nothing_else_is_written() -> None:
    studio = Studio(1)
    (_, usual), (_, most), (_, traced) = (
        shoot(studio, None, pen, 0) for pen in ("black", "most marks circled", "most marks circled, traced")
    )
    assert most.board == traced.board
    marks = {region: replace(mark, circled=False) for region, mark in most.board.marks.items()}
    assert marks == {region: replace(mark, circled=False) for region, mark in usual.board.marks.items()}
    may = [mark.circled for mark in most.board.marks.values() if mark.kind in (Kind.NUMBER, Kind.STAR)]
    assert 0.6 < np.mean(may) < 0.95
    assert sum(may) == sum(mark.circled for mark in most.board.marks.values())


def test_circles_count_by_themselves() -> None:
    """A lost circle is no wrong mark; a mark read wrongly with its circle found is no circle missed."""
    wrong = [["ia", "37o", "37", 0.9, 1, ""], ["mo", "12", "13o", 0.9, 0, ""], ["ut", "X", "71", 0.9, 0, ""]]
    row: Row = {"found": 1, "cells": 40, "circled": 8, "wrong": wrong, "uncertain": ["ia"], "ask": 1}
    marks, missed, invented, silent = line("red", [row])[2:6]
    assert str(marks).endswith("38 of 40")
    assert str(missed).endswith("1 of 8")
    assert str(invented).endswith("1 of 32")
    assert str(silent).endswith("2 of 40")


def test_ferries_missed_and_invented_are_shares_of_those_drawn_and_read() -> None:
    row: Row = {"found": 1, "cells": 43, "wrong": [["SOHO", "37o", "37", 1]], "ferries": 4, "missed": [["A-B", 1]],
                "invented": [["A-C", 1], ["B-C", 0]], "wrong_soloists": [], "ask": 2}  # fmt: skip
    discs, missed, invented, soloists, quiet = (str(cell) for cell in city_line("red", [row])[2:7])
    assert discs.endswith("42 of 43")
    assert missed.endswith("1 of 4")
    assert invented.endswith("2 of 5")
    assert soloists.endswith("0 of 43")
    assert quiet.endswith("1 of 1")


@pytest.mark.parametrize("pen", PENS)
def test_every_pen_was_measured_on_the_same_photos(pen: str) -> None:
    rows = read_rows(RESULTS / "pens.jsonl")
    mine, black = ({row["key"].rsplit("-", 1)[0] for row in rows if row["pen"] == name} for name in (pen, "black"))
    assert mine == black
    assert {key.rsplit("-", 2)[0] for key in mine} >= {NEW_YORK}


def test_the_page_says_what_was_measured() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(read_rows(RESULTS / "pens.jsonl"))
