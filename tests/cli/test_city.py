"""New York and Paris on the command line."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

import pytest

from ontour_cv.cli import main
from ontour_cv.referee.city_verdict import CITY_KINDS
from ontour_cv.rules import city as city_rules

DOCS = Path(__file__).resolve().parents[2] / "docs"

LOG = """\
{"ontour-cv game": 4, "map": "new-york-home", "rules": "new-york", "players": ["Ann"], "created": "2026-11-21T20:00Z"}
{"n": 1, "event": "turn", "dice": [3, 7], "cards": ["B01", "B04", "B07"]}
{"n": 2, "event": "turn", "dice": [1, 2], "cards": ["F1", "B10", "B13"]}
{"n": 3, "event": "turn", "dice": [4, 4], "cards": ["B02", "B05", "B08"]}
"""
BOARD = "SOHO=37s FORD=73g ~SOHO-STG BAYS=*"


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    with pytest.raises(SystemExit) as leave:
        main(words)
    found = capsys.readouterr()
    assert (leave.value.code or 0) == code, found.err
    return found.out + found.err


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "game.jsonl"
    path.write_text(LOG, encoding="utf-8")
    return str(path)


def test_maps_names_every_house_ruling(capsys: pytest.CaptureFixture[str]) -> None:
    told = run(capsys, "maps", "new-york-home")
    assert "House ruling 1: A ferry may be drawn instead of writing when" in told
    assert "A home edition" in told
    assert "House ruling 1: A route may go by boat" in run(capsys, "maps", "paris-home")
    document = json.loads(run(capsys, "maps", "new-york-home", "--json"))
    assert len(document["deck"]) == document["counts"]["cards"] == 40
    assert document["rulings"]
    assert document["regions"]["STG"]["waters"] == ["Upper Bay"]


def test_check_lists_the_problems_of_a_board_and_its_score(capsys: pytest.CaptureFixture[str]) -> None:
    told = run(capsys, "check", "--map", "new-york-home", "SOHO=37s STG=73 ~SOHO-WAKE @s=2")
    assert "WAKE is landlocked" in told
    assert "Score: 2 points" in told
    assert "Crossed off: saxophone 2; the best route has: saxophone 1" in told
    document = json.loads(run(capsys, "check", "--map", "new-york-home", "SOHO=37s STG=73 ~SOHO-STG", "--json"))
    assert document["problems"] == []
    assert document["score"]["total"] == 3


def test_the_page_tells_every_field_and_short_name_of_new_york(capsys: pytest.CaptureFixture[str], log: str) -> None:
    told = set(re.findall(r"`([\w-]+)`", (DOCS / "cities.md").read_text(encoding="utf-8")))
    judged = json.loads(run(capsys, "check", "--game", log, BOARD.replace("73g", "73"), "--json"))
    parts = (judged, judged["slips"][0], judged["explanation"][0], judged["score"])
    alone = json.loads(run(capsys, "check", "--map", "new-york-home", BOARD, "--json"))
    rules = {*re.findall(r'Problem\(\s*"([\w-]+)"', inspect.getsource(city_rules))}
    assert len(rules) > 5
    assert {*alone, *rules, *CITY_KINDS, *(field for part in parts for field in part)} <= told


@pytest.mark.parametrize("map_id", ["usa", "paris-home", "new-york-home", "rolling-america"])
def test_the_page_tells_every_field_of_a_map(capsys: pytest.CaptureFixture[str], map_id: str) -> None:
    told = set(
        re.findall(r"`(\w+)`", (DOCS / "json.md").read_text(encoding="utf-8").partition("`ontour-cv maps --json`")[2])
    )
    document = json.loads(run(capsys, "maps", map_id, "--json"))
    parts = (
        document,
        document["counts"],
        *document["regions"].values(),
        *document["editions"],
        *document.get("deck", ()),
    )
    assert {field for part in parts for field in part} <= told


def test_solve_tells_the_route_by_its_ferries(capsys: pytest.CaptureFixture[str]) -> None:
    told = run(capsys, "solve", "--map", "new-york-home", "SOHO=37s STG=73 ~SOHO-STG")
    assert "3 points = 2 neighbourhoods + 1 for soloists" in told
    assert "~STG" in told
    assert "--all" in run(capsys, "solve", "--map", "new-york-home", "--all", "SOHO=37s", code=2)


def test_solve_goes_by_boat_in_paris(capsys: pytest.CaptureFixture[str]) -> None:
    assert "3 points = 3 arrondissements" in run(capsys, "solve", "--map", "paris-home", "P16=10 P12=20 P13=30")


def test_check_game_judges_by_the_log(capsys: pytest.CaptureFixture[str], log: str) -> None:
    told = run(capsys, "check", "--game", log, "--turns", BOARD)
    assert "Legal" in told
    assert "Turn 2: a ferry" in told
    wrong = run(capsys, "check", "--game", log, BOARD.replace("73g", "73"))
    assert "1 slip explains the board" in wrong
    assert "FORD has no soloist; the cards show a guitar in Bronx" in wrong
    document = json.loads(run(capsys, "check", "--game", log, BOARD, "--json"))
    assert document["legal"] and document["decided"]
    assert document["ferry_turns"] == ["Turn 2"]


def test_what_was_not_read_is_told_beside_the_verdict_it_may_have_helped_to(
    capsys: pytest.CaptureFixture[str], log: str
) -> None:
    told = run(capsys, "check", "--game", log, "SOHO=37+ FORD=? ~SOHO-STG BAYS=*")
    assert "Legal" in told
    assert "Unread, taken for whatever fits: FORD, the soloist of SOHO." in told
    assert "Unread" not in run(capsys, "check", "--game", log, BOARD)


def test_a_board_of_another_game_is_told_so(capsys: pytest.CaptureFixture[str], log: str) -> None:
    board = " ".join(f"{r}={n}" for r, n in zip(("SOHO", "FORD", "STG", "LIC"), (1, 2, 3, 4), strict=True))
    told = run(capsys, "check", "--game", log, f"{board} ASTO=5 FLUS=6 BAYS=7")
    assert "probably not from this game" in told


def test_options_of_other_games_are_refused(capsys: pytest.CaptureFixture[str], log: str) -> None:
    assert "--strict-x" in run(capsys, "check", "--game", log, "--strict-x", BOARD, code=2)
    assert "--keep" in run(capsys, "check", "--game", log, "--keep", BOARD, code=2)


def test_the_dealer_is_told_that_a_map_is_full(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(tmp_path / "new.jsonl")
    told = run(capsys, "deal", "new", "--game", path, "--map", "new-york-home", "--seed", "1")
    assert "House ruling: A ferry may be drawn" in told
    assert "no map can be full yet" in run(capsys, "deal", "full", "--game", path, code=2)
    for _ in range(24):
        told = run(capsys, "deal", "next", "--game", path)
    assert "rolls. deal full when a map is full." in told
    assert "Game over." in run(capsys, "deal", "full", "--game", path)
    document = json.loads(run(capsys, "deal", "show", "--game", path, "--json"))
    assert document["over"]
    assert document["history"][0]["cards"][0]["id"]
    assert "A map is full" in run(capsys, "deal", "show", "--game", path)
    assert "Turn 24" in run(capsys, "deal", "undo", "--game", path)


def test_the_table_ends_the_game_with_one_key(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from ontour_cv.cli.deal_show import _canvas
    from ontour_cv.cli.deal_table import Table, View

    path = tmp_path / "new.jsonl"
    run(capsys, "deal", "new", "--game", str(path), "--map", "new-york-home", "--seed", "1")
    table = Table.of(path)
    table.press("f")
    assert "No map can be full yet" in table.notice
    for _ in range(24):
        table.press(" ")
    for size in ((64, 20), (100, 30), (200, 60)):
        rows = ["".join(letter for letter, _ in row) for row in _canvas(table, *size).cells]
        assert any("F map is full" in row for row in rows)
        assert all(len(row) <= size[0] for row in rows)
    table.press("f")
    assert table.log.game.now.over
    table.press(" ")
    assert table.view is View.OVER
    table.press("u")
    table.press("u")
    assert not table.log.game.now.over


def test_the_key_means_nothing_in_other_games(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from ontour_cv.cli.deal_table import Table

    path = tmp_path / "usa.jsonl"
    run(capsys, "deal", "new", "--game", str(path), "--map", "usa")
    table = Table.of(path)
    table.press("f")
    assert "New York only" in table.notice
    assert table.log.game.events == 0
