"""Marks made otherwise: nothing else differs, Xs are excused, and the page says what was measured."""

from __future__ import annotations

import numpy as np
import pytest

from bench.photos import Studio
from bench.rows import RESULTS, Row, read_rows
from bench.signs import MANNERS, MOST_CROSSES, PAGE, USUAL, crossed, line, page, shoot
from ontour_cv.board import Kind
from ontour_cv.maps.load import load_map
from ontour_cv.synth.play import sample_board


def test_every_manner_writes_the_same_board() -> None:
    studio = Studio(1)
    usual, truth = shoot(studio, None, USUAL, 0)
    scribbled, again = shoot(studio, None, "X: scribble", 0)
    assert any(mark.kind is Kind.BLOCKED for mark in truth.board.marks.values())
    assert again.board == truth.board
    assert again.edition == truth.edition
    assert not np.array_equal(usual, scribbled)


@pytest.mark.parametrize("seed", range(6))
def test_every_x_that_is_added_is_excused_by_the_number_that_lacks_its_reverse(seed: int) -> None:
    rng = np.random.default_rng(seed)
    before = sample_board(load_map("usa"), rng)
    after = crossed(before, rng)
    added = [region for region, mark in after.marks.items() if mark != before.marks[region]]
    assert 0 < len(added) <= MOST_CROSSES
    for region in added:
        assert after.marks[region].kind is Kind.BLOCKED
        assert not before.marks[region].circled
        number = before.marks[region].number
        assert number is not None
        assert any(m.number == 10 * (number % 10) + number // 10 for m in after.marks.values())


def test_such_marks_and_others_are_counted_apart() -> None:
    wrong = [["ia", "x", "*", 0.6, 1, ""], ["mo", "x", ".", 0.9, 0, ""], ["ut", "12", "13", 0.9, 0, ""]]
    row: Row = {
        "found": 1,
        "cells": 41,
        "such": 4,
        "wrong": wrong,
        "uncertain": ["ia"],
        "ask": 0,
        "read": 20,
        "best": 21,
    }
    _, _, such, silent, others, quiet, _, _, told = line("X: plus", [row])
    assert str(such).endswith("2 of 4")
    assert silent == 1
    assert str(others).endswith("1 of 37")
    assert quiet == 1
    assert str(told).endswith("1 of 1")


@pytest.mark.parametrize("manner", MANNERS)
def test_every_manner_was_measured_on_the_same_photos(manner: str) -> None:
    rows = read_rows(RESULTS / "signs.jsonl")
    mine, usual = ({row["key"].split("-")[-2] for row in rows if row["manner"] == name} for name in (manner, USUAL))
    assert len(mine) >= 20
    assert mine == usual


def test_the_page_says_what_was_measured() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(read_rows(RESULTS / "signs.jsonl"))
