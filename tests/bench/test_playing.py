"""Whole games from the dealer to the score: nobody is accused, and the page is what the rows say."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench import playing
from bench.rows import RESULTS, read_rows
from ontour_cv.board import Kind
from ontour_cv.maps.load import load_map
from ontour_cv.rules import VARIANTS
from ontour_cv.synth.play import play_rolls
from ontour_cv.synth.play_rolling import play_dice

GAMES = 4


@pytest.mark.parametrize("map_id", playing.MAPS)
@pytest.mark.parametrize("k", range(2_000_000, 2_000_000 + GAMES))
def test_a_game_dealt_logged_and_played_is_never_called_wrong(map_id: str, k: int) -> None:
    row = playing.play_one(map_id, k)
    assert playing.lawful(row)
    assert len(row["boards"]) == 2
    assert all(one["legal"] or not one["decided"] for one in row["boards"])


@pytest.mark.parametrize("map_id", ["usa", "europe-home", "paris-home"])
def test_a_board_that_is_not_of_the_game_is_accused(map_id: str, tmp_path: Path) -> None:
    """So the bench can fail: the same player's board of another game takes many slips."""
    mine, other = (playing.dealt(map_id, seed, tmp_path / f"{seed}.jsonl") for seed in "ab")
    template = load_map(map_id)
    made = play_rolls(template, other.rolls, np.random.default_rng(1)).board
    assert not made.of_kind(Kind.EMPTY)
    assert playing.verify(template, VARIANTS[mine.rules], mine, made).at_least > 0


def test_a_sheet_that_is_not_of_the_game_is_accused(tmp_path: Path) -> None:
    mine, other = (playing.dealt("rolling-america", seed, tmp_path / f"{seed}.jsonl") for seed in "ab")
    template = load_map("rolling-america")
    made = play_dice(template, other.rolls, random.Random(1))
    verdict = playing.verify_sheet(template, mine, made)
    assert not verdict.legal


def test_a_board_of_new_york_that_is_not_of_the_game_is_accused(tmp_path: Path) -> None:
    template = load_map("new-york-home")
    (mine, _), (_, others) = (playing.dealt_city(template, seed, tmp_path / f"{seed}.jsonl") for seed in "ab")
    row = playing.city(template, mine, others[0])
    assert row["slips"] > 0
    assert not row["legal"]


def test_a_game_of_new_york_ends_with_a_full_map(tmp_path: Path) -> None:
    """Which the log says, and the players draw ferries on the way."""
    games = [playing.dealt_city(load_map("new-york-home"), str(k), tmp_path / f"{k}.jsonl") for k in range(3)]
    for record, boards in games:
        assert record.over
        assert any(not board.board.of_kind(Kind.EMPTY) for board in boards)
    assert any(board.ferries for _, boards in games for board in boards)


def test_the_page_agrees_with_the_games_played() -> None:
    rows = read_rows(RESULTS / "playing.jsonl")
    assert rows
    assert playing.PAGE.read_text(encoding="utf-8") == playing.page(rows)


def test_an_accusation_is_counted() -> None:
    good: dict[str, Any] = {"alone": [], "legal": 1, "decided": 1, "slips": 0, "score": 20, "referee_ms": 1.0}
    rows = [
        {"rolls": 20, "boards": [good, good | {"alone": ["pairs"]}]},
        {"rolls": 22, "boards": [good | {"slips": 2, "legal": 0}, good | {"decided": 0, "legal": 0}]},
    ]
    line = dict(zip(playing.HEADS, playing.line("Tiny", rows), strict=True))
    told = ("accused alone", "accused by the log", "legal by the log", "not decided", "rolls")
    assert [line[head] for head in told] == [1, 1, 2, 1, "20-22"]
