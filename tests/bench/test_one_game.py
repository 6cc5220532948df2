"""docs/one-game.md is what the program makes of the committed measurements."""

from __future__ import annotations

from bench import one_game
from bench.rows import RESULTS, read_rows


def test_the_page_agrees_with_the_measurements() -> None:
    assert one_game.PAGE.read_text(encoding="utf-8") == one_game.page(read_rows(RESULTS / "one-game.jsonl"))


def test_without_measurements_the_page_says_so() -> None:
    assert "Not measured yet" in one_game.page([])


def test_boards_that_were_not_found_are_none_of_the_right_ones() -> None:
    good = {"wrong": 0, "silent": 0, "uncertain": 1, "ask": 0, "score": 1, "compared": 1, "strange": 0}
    rows = [
        {"tier": "hard", "model": "m", "cells": 41, "ways": dict.fromkeys(one_game.WAYS, way)} for way in (good, None)
    ]
    told = one_game.page(rows)
    assert "1 of 2" in told
    assert "41 of 41" in told
    assert "Of these 1 could be compared" in told
