"""``ontour-cv solve``, ``check`` and ``maps``: what they print, as text and as JSON, and what they refuse."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from boards import GOLDEN, GOLDEN_ROUTE

from ontour_cv import cli
from ontour_cv.board import parse_board
from ontour_cv.maps.load import load_map
from ontour_cv.rules import RULESETS


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as leaving:
            cli.main(arguments)
        output = capsys.readouterr()
        return int(leaving.value.code or 0), output.out, output.err

    return call


def test_solve_tells_the_total_its_parts_and_the_route_in_order(run: Any) -> None:
    code, out, err = run("solve", GOLDEN)
    assert (code, err) == (0, "")
    first, route = out.replace("\N{NO-BREAK SPACE}", " ").splitlines()
    assert first == "30 points = 23 states + 7 circles"
    assert len(route.split(" → ")) == 23
    assert "WA 21o → OR 27 → CA 29o → NV 31" in route


def test_solve_json_has_the_same_names_as_score_json(run: Any) -> None:
    code, out, _ = run("solve", GOLDEN, "--json")
    document = json.loads(out)
    assert code == 0
    assert document["score"] == {"total": 30, "visited": 23, "circles": 7}
    assert document["board"] == GOLDEN
    assert len(document["route"]) == 23
    assert set(document) == {"map", "board", "route", "score"}


def test_solve_all_lists_every_best_route_once(run: Any) -> None:
    _, out, _ = run("solve", GOLDEN, "--all", "--json")
    document = json.loads(out)
    routes = [tuple(route) for route in document["routes"]]
    assert document["count"] == len(routes) == len(set(routes))
    assert document["truncated"] is False
    assert GOLDEN_ROUTE in routes
    assert document["route"] == document["routes"][0]
    _, text, _ = run("solve", GOLDEN, "--all")
    assert f"{len(routes)} best routes:" in text


def test_solve_all_counts_the_routes_when_there_are_many(run: Any) -> None:
    stars = " ".join(
        f"{region}=*" for region in ("WA", "OR", "ID", "MT", "WY", "UT", "NV", "CA", "CO", "NE", "SD", "ND")
    )
    _, out, _ = run("solve", stars, "--all", "--json")
    document = json.loads(out)
    assert document["truncated"] is True
    assert document["count"] > len(document["routes"]) == 100
    _, text, _ = run("solve", stars, "--all")
    assert f"{document['count']} best routes, the first 100 of them:" in text


def test_a_board_may_stand_in_a_file_or_in_loose_words(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "anna=board.txt"
    file.write_text("# Anna\n" + GOLDEN.replace(" ", "\n") + "\n", encoding="utf-8")
    assert run("solve", str(file)) == run("solve", GOLDEN) == run("solve", *GOLDEN.split())


def test_a_single_state_is_singular_and_an_empty_board_scores_nothing(run: Any) -> None:
    assert run("solve", "WA=21o")[1].splitlines()[0] == "2 points = 1 state + 1 circle"
    code, out, _ = run("solve", "WA=.")
    assert (code, out) == (0, "0 points = 0 states + 0 circles\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["WA=21x"], "'WA=21x'"),
        (["HI=21"], "'HI=21'"),
        (["WA=21", "WA=22"], "already given"),
        (["no-such-file.txt"], "neither a file nor a board"),
        (["x" * 5000], "neither a file nor a board"),
        (["WA=\0"], "expected a number"),
        (["WA=21 " + "x" * 5000], "has no '='"),
        (["."], "cannot be read"),
    ],
)
@pytest.mark.parametrize("command", ["solve", "check"])
def test_a_bad_board_is_refused_with_five(run: Any, command: str, words: list[str], said: str) -> None:
    code, out, err = run(command, *words)
    assert (code, out) == (5, "")
    assert said in err
    assert len(err.splitlines()) == 2


def test_files_that_hold_no_board_are_refused(run: Any, tmp_path: Path) -> None:
    for content, said in (
        (b"\xff\xd8\xff\xe0", "not a text"),
        (b"", "no region at all"),
        (b"WA=1 " * 30_000, "too long"),
    ):
        file = tmp_path / "board.txt"
        file.write_bytes(content)
        code, _, err = run("solve", str(file))
        assert code == 5
        assert said in err


def test_stdin_is_read_for_a_dash(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"WA=21 OR=27"), encoding="utf-8"))
    assert run("solve", "-")[1].startswith("2 points")


@pytest.mark.parametrize("command", ["solve", "check"])
def test_an_unknown_map_is_refused_with_five_and_the_maps_there_are(run: Any, command: str) -> None:
    code, _, err = run(command, "WA=21", "--map", "mars")
    assert code == 5
    assert "'mars'" in err
    assert "usa" in err


def test_a_map_without_a_name_is_none_to_check_either(run: Any) -> None:
    code, _, err = run("check", "--map", "", "WA=21")
    assert code == 5
    assert "no map called ''" in err


@pytest.mark.parametrize(("map_id", "board"), [("rolling-america", "WA=3"), ("new-york-home", "SOHO=37 STG=73")])
def test_a_board_with_room_is_not_said_to_be_a_finished_one(map_id: str, board: str, run: Any) -> None:
    """No game ends with one number on the map, though nothing is wrong with it so far."""
    out = run("check", "--map", map_id, board)[1]
    assert "No problem found" in out and "can come to this" in out
    assert "can end" not in out


def test_check_says_when_all_is_well(run: Any) -> None:
    code, out, err = run("check", GOLDEN)
    assert (code, err) == (0, "")
    assert out.startswith("No problem found")


def test_check_lists_each_problem_in_words_and_still_leaves_with_zero(run: Any) -> None:
    code, out, _ = run("check", GOLDEN.replace("NV=31", "NV=33").replace("TX=91", "TX=17"))
    assert code == 0
    assert "ND 13 has no 31" in out
    assert "NV 33" in out
    assert [line.split(".")[0] for line in out.splitlines()] == ["1", "2"]


def test_check_json_is_what_the_rules_say(run: Any) -> None:
    text = GOLDEN.replace("SD=*o", "SD=*")
    for rules in RULESETS:
        document = json.loads(run("check", text, "--rules", rules, "--json")[1])
        template = load_map("usa")
        problems = RULESETS[rules].problems(template, parse_board(text, template.ids))
        listed = [{"rule": p.rule, "regions": list(p.regions), "text": p.text} for p in problems]
        assert document == {"map": "usa", "rules": rules, "board": text, "problems": listed}
        assert bool(listed) == RULESETS[rules].variant.star_always_circled


def test_check_refuses_rules_nobody_knows(run: Any) -> None:
    code, _, err = run("check", GOLDEN, "--rules", "house")
    assert code == 2
    assert "rulebook, bga" in err


def test_maps_lists_every_map_with_its_sizes(run: Any) -> None:
    code, out, _ = run("maps")
    assert code == 0
    rows = {line.split()[0]: line.split()[1:5] for line in out.splitlines()[1:]}
    assert rows["usa"] == ["USA", "41", "90", "41"]
    assert "Rolling America" in out
    listed = json.loads(run("maps", "--json")[1])
    assert {entry["id"] for entry in listed} >= {"rolling-america", "usa"}


def test_maps_shows_one_map_in_full(run: Any) -> None:
    _, out, _ = run("maps", "usa")
    assert "New England" in out
    document = json.loads(run("maps", "usa", "--json")[1])
    assert len(document["regions"]) == 41
    assert document["regions"]["NE2"]["neighbours"] == ["NY"]
    assert document["counts"] == {"regions": 41, "links": 90, "cards": 41}
    listed = json.loads(run("maps", "--json")[1])
    assert {key: document[key] for key in listed[0]} in listed
    assert run("maps", "mars")[0] == 5


def test_one_point_is_no_points(run: Any) -> None:
    assert run("solve", "CA=12")[1].startswith("1 point = 1 state + 0 circles\n")
    assert run("solve", "--map", "new-york-home", "SOHO=37")[1].startswith("1 point = 1 neighbourhood")


@pytest.mark.parametrize("words", [("",), (" \t",)])
@pytest.mark.parametrize("command", ["solve", "check"])
def test_an_empty_board_is_called_one(command: str, words: tuple[str, ...], run: Any) -> None:
    code, _, err = run(command, *words)
    assert code == 5
    assert err.startswith("Error: the board is empty; expected")


@pytest.mark.parametrize("map_id", ["usa", "europe-home", "paris-home", "new-york-home", "rolling-america"])
def test_the_board_that_is_shown_to_who_typed_none_or_a_wrong_one_is_one_of_the_map(map_id: str, run: Any) -> None:
    for words in ("", "foo bar=1"):
        remedy = run("check", "--map", map_id, words)[2].splitlines()[1]
        code, _, err = run("check", "--map", map_id, remedy.partition(": ")[2])
        assert (code, err) == (0, "")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_of_powershell_is_read(encoding: str, run: Any, tmp_path: Path) -> None:
    """Its ``>`` writes UTF-16 with a mark in front."""
    mark = "\ufeff" if encoding.endswith("e") else ""
    path = tmp_path / "board.txt"
    path.write_bytes(f"{mark}# Zo\u00eb\r\n{GOLDEN}\r\n".encode(encoding))
    assert run("solve", str(path))[1].startswith("30 points")


def test_a_row_has_no_more_boxes_crossed_off_than_are_printed(run: Any) -> None:
    code, _, err = run("check", "--map", "new-york-home", "SOHO=37s @s=7")
    assert code == 5
    assert "@s=7: the row of the saxophone has 6 boxes" in err
    assert run("check", "--map", "new-york-home", "SOHO=37s @s=6")[0] == 0


@pytest.mark.parametrize("words", [(), ("usa",), ("new-york-home",)])
def test_maps_breaks_its_lines_between_words(words: tuple[str, ...], run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a terminal of 80 columns no line is longer, or the terminal would break it anywhere."""
    from rich.console import Console

    shown = io.StringIO()
    terminal = Console(file=shown, force_terminal=True, width=80, color_system=None, highlight=False)
    monkeypatch.setattr("ontour_cv.cli.maps.make_console", lambda: terminal)
    run("maps", *words)
    assert max(map(len, shown.getvalue().splitlines())) <= 80
    assert not words or "region" in shown.getvalue() or "House ruling 1: A ferry may be drawn" in shown.getvalue()
