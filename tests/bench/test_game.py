"""Reading with the log, measured: what is planted is what is said, and the page is what the rows say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bench import game_page
from bench.game_page import boards_right, named, silent
from bench.rows import RESULTS, read_rows
from bench.slips import KINDS, plant, record_of
from ontour_cv.maps.load import load_map
from ontour_cv.referee import verify
from ontour_cv.rules import RULEBOOK
from ontour_cv.synth.play import play_game

USA = load_map("usa")


@pytest.mark.parametrize("seed", range(12))
def test_a_played_board_is_lawful_and_a_planted_one_differs_by_its_slip(seed: int) -> None:
    rng = np.random.default_rng(seed)
    game = play_game(USA, rng)
    record = record_of(game, USA)
    assert verify(USA, RULEBOOK, record, game.board).legal
    planted = plant(game, USA, rng)
    changed = {r for r in USA.ids if planted.board.marks[r] != game.board.marks[r]}
    assert planted.kind in KINDS
    assert changed == set(planted.regions)
    verdict = verify(USA, RULEBOOK, record, planted.board)
    assert verdict.at_least <= 1
    if planted.kind == "never-rolled":
        assert not verdict.legal


def row(**changes: Any) -> dict[str, Any]:
    side = {"cells": 41, "wrong": [], "uncertain": [], "ask": 0, "best": 20, "read": 20}
    made = {
        "key": "hard-slip-1-0", "tier": "hard", "kind": "slip", "planted": "swapped", "lawful": 0, "found": 1,
        "slips": ["digits NV"], "alone": side, "log": side, "fits": 1, "told": [], "asked": [], "others": [],
        "pointed": [], "ms": [1.0, 2.0], "model": "abc", "hands": "own", "tables": "own",
    }  # fmt: skip
    return made | changes


def test_a_slip_is_told_or_asked_or_missed() -> None:
    assert named(row(told=["digits NV"])) == "told"
    assert named(row(asked=["digits NV"])) == named(row(pointed=["digits NV"])) == "asked"
    assert named(row(told=["digits TX"])) == named(row(fits=0, told=["digits NV"])) == "missed"
    assert named(row(found=0)) == "missed"


def test_boards_and_silent_errors_are_counted_with_and_without() -> None:
    wrong = {"cells": 41, "wrong": [["NV", "31", "37", 0.999, 0]], "uncertain": [], "ask": 0, "best": 20, "read": 20}
    rows = [row(alone=wrong), row(found=0)]
    assert (boards_right(rows, "alone").hits, boards_right(rows, "log").hits, boards_right(rows, "log").total) == (
        0,
        1,
        2,
    )
    assert (silent(rows, "alone").hits, silent(rows, "log").hits) == (1, 0)


def test_the_page_can_be_made_of_nothing() -> None:
    assert "# Reading with the log" in game_page.page([])


def test_the_page_is_what_the_rows_say() -> None:
    """When this fails: python -m bench.game_page."""
    assert game_page.PAGE.read_text(encoding="utf-8") == game_page.page(read_rows(RESULTS / "game.jsonl"))
