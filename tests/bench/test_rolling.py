"""The referee of Rolling America, measured: a changed number changes one state, and the page is what the rows say."""

from __future__ import annotations

import random

import pytest

from bench import rolling
from bench.rows import RESULTS, read_rows
from ontour_cv.synth.play_rolling import play_rolling


@pytest.mark.parametrize("seed", range(5))
def test_a_planted_slip_is_one_other_number(seed: int) -> None:
    sheet = play_rolling(rolling.rolling_map(), random.Random(seed)).sheet
    wrong = rolling.planted(sheet, random.Random(seed))
    changed = [state for state, mark in sheet.marks.items() if wrong.marks[state] != mark]
    assert len(changed) == 1
    old, new = sheet.marks[changed[0]], wrong.marks[changed[0]]
    assert old.number != new.number
    assert old.circled == new.circled


def test_a_game_played_by_the_rules_is_never_called_wrong() -> None:
    row = rolling.play_one(0)
    assert row["alone"] == 0
    assert row["honest"]["answer"] in ("legal", "not decided")
    assert "planted" in row


def test_the_page_agrees_with_the_games_judged() -> None:
    rows = read_rows(RESULTS / "rolling.jsonl")
    assert rows
    assert rolling.PAGE.read_text(encoding="utf-8") == rolling.page(rows)
