"""The page on New York and Paris counts what its rows say, and is what the program makes of the committed rows."""

from __future__ import annotations

from typing import Any

from bench.cities import exact, silent
from bench.cities_page import PAGE, figures, page
from bench.rows import RESULTS, read_rows


def row(**changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "key": "a", "map": "new-york-home", "tier": "ordinary", "found": 1, "located": 1, "cells": 43, "wrong": [],
        "uncertain": 0, "ferries": 4, "missed": [], "invented": [], "soloists": 20, "wrong_soloists": [],
        "wrong_rows": [], "letters": 0, "not_read": [], "open": [0, 0], "ask": 0, "best": 30, "read": 30, "low": 30,
        "high": 30, "ms": 500, "model": "m", "hands": "own", "tables": "own",
    }  # fmt: skip
    return made | changes


FAULTS = row(
    missed=[["SOHO-STG", 1]], invented=[["FIDI-STG", 0]],
    wrong_soloists=[["SOHO", "s", "", 0], ["FIDI", "", "g", 1]], wrong_rows=[["s", 2, 3], ["m", 1, None]],
)  # fmt: skip


def test_shares_are_of_what_was_drawn_and_of_what_was_read() -> None:
    told = figures([row(), FAULTS])
    assert (told["ferries found"].hits, told["ferries found"].total) == (7, 8)
    assert (told["ferries not invented"].hits, told["ferries not invented"].total) == (7, 8)
    assert (told["soloists right"].hits, told["soloists right"].total) == (84, 86)
    assert (told["of those there"].hits, told["of those there"].total) == (39, 40)
    assert told["of the written ones"].total == 0
    assert (told["rows right"].hits, told["rows right"].total) == (6, 7)


def test_written_soloists_are_those_of_boards_with_letters() -> None:
    told = figures([row(), FAULTS | {"letters": 1}])["of the written ones"]
    assert (told.hits, told.total) == (19, 20)


def test_a_board_is_exact_without_any_fault_and_silent_faults_are_those_not_doubted() -> None:
    assert exact(row())
    assert not exact(FAULTS)
    assert not exact(row(found=0))
    assert silent(row()) == 0
    assert silent(FAULTS) == 2
    assert silent(row(wrong=[["SOHO", "37", "31", 0]])) == 1


def test_the_page_names_what_is_not_met() -> None:
    assert "All are met." in page([row()])
    assert "**Not met:** ferries found" in page([FAULTS])


def test_the_committed_page_is_made_from_the_committed_rows() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(read_rows(RESULTS / "cities.jsonl"))
