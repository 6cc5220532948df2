"""The dealer from scripts: documented JSON, the same engine, exit codes."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ontour_cv import cli, resources

FIXTURE = Path(__file__).parent.parent / "fixtures" / "games" / "usa-seed-1.jsonl"
LOG_PAGE = (Path(__file__).parent.parent.parent / "docs" / "log.md").read_text(encoding="utf-8")


@pytest.fixture
def game(tmp_path: Path) -> str:
    return str(tmp_path / "game.jsonl")


def run(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    left: object = 0
    try:
        cli.main(list(arguments))
    except SystemExit as leaving:
        left = leaving.code or 0
    found = capsys.readouterr()
    assert left == code, found.err
    return found.err if code else found.out


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(run(capsys, *arguments, "--json"))


def test_a_game_from_scripts(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """New, next, undo, redo, show: the cards of seed 1, which are frozen."""
    new = run_json(capsys, "deal", "new", "--game", game, "--players", "Anna, Ben", "--seed", "1")
    assert (new["players"], new["events"], new["spaces_left"], new["latest"]) == (["Anna", "Ben"], 0, 41, None)
    for _ in range(3):
        dealt = run_json(capsys, "deal", "next", "--game", game)
    assert [card["region"] for card in dealt["latest"]["cards"]] == ["MO", "SC", "NE2"]
    assert dealt["latest"]["numbers"] == ["28", "82"]
    assert dealt["next"] == {"title": "Turn 2", "roller": "Ben"}
    back = run_json(capsys, "deal", "undo", "--game", game, "--steps", "2")
    assert (back["undo"], back["redo"], back["spaces_left"]) == (1, 2, 39)
    again = run_json(capsys, "deal", "redo", "--game", game, "--steps", "2", "--seen", "4")
    assert again["latest"] == dealt["latest"]
    shown = run_json(capsys, "deal", "show", "--game", game)
    assert [roll["title"] for roll in shown["history"]] == ["Setup 1 of 2", "Setup 2 of 2", "Turn 1"]


def test_players_given_one_by_one_all_play(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    new = run_json(capsys, "deal", "new", "--game", game, "--players", "Anna", "--players", "Ben, Cleo")
    assert new["players"] == ["Anna", "Ben", "Cleo"]


@pytest.mark.parametrize("words", ["", " , "])
def test_a_game_of_nobody_is_refused(words: str, game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "expected 1 to 99" in run(capsys, "deal", "new", "--game", game, "--players", words, code=2)
    assert not Path(game).exists()
    assert "expected 1 to 99" in run(capsys, "deal", "--plain", "--players", words, code=2)


def test_a_map_is_named_by_how_it_begins(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In every command; what follows has its full name."""
    assert run_json(capsys, "deal", "new", "--game", game, "--map", "new")["map"] == "new-york-home"
    assert run_json(capsys, "check", "--map", "paris", "P1=12")["map"] == "paris-home"
    assert run_json(capsys, "solve", "--map", "Europe", "FRA=12")["map"] == "europe-home"
    assert run_json(capsys, "maps", "rolling")["id"] == "rolling-america"
    assert "Did you mean paris-home?" in run(capsys, "check", "--map", "pariss", "P1=12", code=5)


def test_every_field_of_the_json_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run_json(capsys, "deal", "show", "--game", str(FIXTURE))
    fields = {*shown, *shown["latest"], *shown["history"][0], *shown["history"][0]["cards"][0]}
    assert [field for field in sorted(fields) if f"`{field}`" not in LOG_PAGE] == []


def test_the_logs_documented_example_is_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    example = LOG_PAGE.split("```json\n", 1)[1].split("```", 1)[0]
    path = tmp_path / "example.jsonl"
    path.write_text(example, encoding="utf-8")
    shown = run_json(capsys, "deal", "show", "--game", str(path))
    assert shown["events"] == example.count("\n") - 1


def test_text_output_names_cards_numbers_and_who_is_next(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "deal", "show", "--game", str(FIXTURE))
    assert "Turn 12  Ben   6 6   *   *  TX South  TN South  WI Central" in text
    assert "Turn 20 · last turn. Ben rolls 0 and 7." in text
    assert "Write 07 or 70 in the last empty state." in text


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["new", "--game", "GAME"], 2, "is there already"),
        (["new", "--game", "GAME"], 2, "Go on with it (ontour-cv deal --resume GAME), or name another file."),
        (["rescue", "--game", "GAME", "--out", "GAME"], 2, "GAME is there already\nName another file with --out.\n"),
        (["next", "--game", "GAME"], 2, "over"),
        (["next", "--game", "GAME", "--seen", "3"], 5, "somebody else"),
        (["redo", "--game", "GAME"], 2, "no rolls to show again"),
        (["undo", "--game", "GAME", "--steps", "99"], 2, "22 rolls to take back"),
        (["show", "--game", "none.jsonl"], 5, "there is no game 'none.jsonl' in "),
        (["next", "--game", "none.jsonl"], 5, "there is no game"),
        (["new", "--game", "x.jsonl", "--map", "mars"], 5, "no map called 'mars'"),
        (["new", "--game", "x.jsonl", "--rules", "house"], 2, "no rules called 'house'"),
        (["new", "--game", "x.jsonl", "--players", "0"], 2, "0 players"),
        (["new", "--game", "x.jsonl", "--players", "-1"], 2, "-1 players; expected 1 to 99"),
        (["new", "--game", "x.jsonl", "--players", "1000"], 2, "1000 players; expected 1 to 99"),
        (["new", "--game", "x.jsonl", "--players", "9" * 5000], 2, "9999 players; expected 1 to 99"),
        (["new", "--game", "GAME/x.jsonl"], 2, "game.jsonl is not a folder"),
        (["full", "--game", "GAME", "--seen", "22"], 2, "the game was over"),
        (["--dir", "GAME"], 2, "game.jsonl is not a folder"),
        (["--dir", "GAME", "--resume"], 2, "game.jsonl is not a folder"),
        (["--dir", "GAME", "--resume", "friday"], 2, "game.jsonl is not a folder"),
        (["--resume", "GAME", "--players", "Anna"], 2, "--players has no meaning with --resume"),
        (["--resume", "GAME", "--map", "usa"], 2, "--map has no meaning with --resume"),
        (["--seed", "1", "--resume", "GAME"], 2, "--seed has no meaning with --resume"),
        (["--rules", "bga", "--resume"], 2, "--rules has no meaning with --resume"),
        (["--seed", "1", "next", "--game", "GAME"], 2, "--seed has no meaning before 'next'"),
        (["--map", "mars"], 5, "no map called 'mars'"),
        (["new", "--game", "x.jsonl", "--players", "A,a"], 2, "two players"),
        (["new", "--game", "x.jsonl", "--players", "Anna", "--players", "2"], 2, "--players 2 counts"),
        (["new", "--game", "x.jsonl", "--seed", " "], 2, "the seed"),
        (["new", "--game", "/proc/none/x.jsonl"], 4, "could not be written"),
        (["show"], 2, "--game"),
    ],
)
def test_what_goes_wrong_has_its_exit_code(
    arguments: list[str], code: int, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = shutil.copy(FIXTURE, tmp_path / "game.jsonl")
    before = path.read_bytes()
    words = [word.replace("GAME", str(path)) for word in arguments]
    assert says.replace("GAME", str(path)) in run(capsys, "deal", *words, code=code)
    assert path.read_bytes() == before


@pytest.mark.parametrize("map_id", ["usa", "rolling-america"])
def test_only_new_york_ends_when_a_map_is_full(map_id: str, game: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "deal", "new", "--game", game, "--map", map_id)
    assert "only games of New York end when" in run(capsys, "deal", "full", "--game", game, code=2)


def test_output_for_scripts_names_commands_and_no_keys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = str(tmp_path / "our game.jsonl")
    run(capsys, "deal", "new", "--game", game)
    run(capsys, "deal", "next", "--game", game)
    text = run(capsys, "deal", "undo", "--game", game)
    assert f"1 roll is taken back: ontour-cv deal redo --game '{game}' shows the next of them again" in text
    assert "deal next deals anew." in text
    assert "Enter" not in text


def test_how_to_go_on_can_be_typed_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever the folder is called; and without a seed or a map of its own, for the game has both."""
    folder = str(tmp_path / "Spiele mit Ü")
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    text = run(capsys, "deal", "--dir", folder, "--players", "Anna")
    line = next(line for line in text.splitlines() if line.startswith("Go on: ontour-cv "))
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert "Setup 1 of 2. Anna rolls" in run(capsys, *shlex.split(line.removeprefix("Go on: ontour-cv ")))


def test_commands_that_are_told_name_the_folder_of_ones_own_map(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without it the game's map is not found: to go on and to score could not be typed as they stood."""
    maps, games = tmp_path / "my maps", str(tmp_path / "games")
    maps.mkdir()
    usa = (resources.templates_dir() / "usa.toml").read_text(encoding="utf-8")
    (maps / "mine.toml").write_text(usa.replace('id = "usa"', 'id = "mine"'), encoding="utf-8")
    monkeypatch.setenv("ONTOUR_CV_GAMES", games)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n" * 40))
    text = run(capsys, "--maps-dir", str(maps), "deal", "--map", "mine", "--players", "Anna")
    told = [shlex.split(line.removeprefix("Go on: ")) for line in text.splitlines() if "ontour-cv " in line]
    assert {" ".join(words[3:5]) for words in told} == {"deal --resume", "score *.jpg"}
    assert all(words[:3] == ["ontour-cv", "--maps-dir", str(maps)] for words in told)
    assert f"--maps-dir {shlex.quote(str(maps))} deal" in run(capsys, "--maps-dir", str(maps), "games")
    assert "--maps-dir" not in run(capsys, "deal", "--players", "Ben")


def test_how_a_damaged_game_is_rescued_can_be_typed_as_it_stands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Games lie in ``Application Support`` on a Mac."""
    folder = tmp_path / "Application Support"
    folder.mkdir()
    path = folder / "game.jsonl"
    path.write_bytes(FIXTURE.read_bytes().replace(b'"n": 9,', b'"n": 8,'))
    error = run(capsys, "deal", "next", "--game", str(path), code=5)
    line = next(line for line in error.splitlines() if line.startswith("ontour-cv deal rescue"))
    words = shlex.split(line.removesuffix(" copies the good part into a new file."))
    run(capsys, *words[1:])
    assert (folder / "game-rescued.jsonl").exists()


def test_a_damaged_game_is_refused_and_rescued(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(FIXTURE.read_bytes().replace(b'"n": 9,', b'"n": 8,'))
    error = run(capsys, "deal", "next", "--game", str(path), code=5)
    assert "line 10 does not fit" in error
    assert "8 rolls, 25 spaces left" in error
    assert f"ontour-cv deal rescue --game {path}" in error
    assert run_json(capsys, "deal", "rescue", "--game", str(path))["undo"] == 8
    assert run_json(capsys, "deal", "next", "--game", str(tmp_path / "game-rescued.jsonl"))["undo"] == 9


def test_scripts_take_the_names_that_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONTOUR_CV_GAMES", str(tmp_path / "games"))
    path = tmp_path / "games" / "friday.jsonl"
    run(capsys, "deal", "new", "--game", str(path))
    for words in (["next"], ["undo"], ["redo"], ["show"]):
        assert run_json(capsys, "deal", *words, "--game", "friday")["game"] == str(path)
    assert run_json(capsys, "deal", "rescue", "--game", "friday")["game"] == str(path.with_stem("friday-rescued"))
    monkeypatch.chdir(tmp_path)
    shutil.copy(FIXTURE, tmp_path / "friday.jsonl")
    assert run_json(capsys, "deal", "show", "--game", "friday.jsonl")["undo"] == 22, "a file that is there comes first"
    missing = {run(capsys, "deal", command, "--game", "monday", code=5) for command in ("next", "show", "rescue")}
    assert missing == {f"Error: there is no game 'monday' in {path.parent}\nontour-cv games lists the games.\n"}
    remedy = "ontour-cv games --dir elsewhere lists the games."
    assert remedy in run(capsys, "deal", "--dir", "elsewhere", "--resume", "monday", code=5)


def test_a_game_of_long_ago_hides_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(FIXTURE, tmp_path / "friday.jsonl")
    text = FIXTURE.read_text("utf-8")
    for name, when in {"roman": "0001-01-01T00:00:00+14:00", "norman": "0999-01-01T00:00:00Z"}.items():
        old = re.sub('"created": "[^"]*"', f'"created": "{when}"', text.splitlines()[0])
        (tmp_path / f"{name}.jsonl").write_text(f"{old}\n", encoding="utf-8")
    listed = {entry["name"]: entry["status"] for entry in run_json(capsys, "games", "--dir", str(tmp_path))}
    assert listed == {"friday": "over", "roman": "damaged", "norman": "damaged"}
    assert "friday" in run(capsys, "games", "--dir", str(tmp_path))


def test_games_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "There are no games in" in run(capsys, "games", "--dir", str(tmp_path))
    assert "friday.jsonl is not a folder" in run(
        capsys, "games", "--dir", str(shutil.copy(FIXTURE, tmp_path / "friday.jsonl")), code=2
    )
    (tmp_path / "bad.jsonl").write_text("{}\n")
    text = run(capsys, "games", "--dir", str(tmp_path))
    assert "friday" in text
    assert "over" in text
    assert "damaged" in text
    assert f"deal --resume NAME --dir {tmp_path}" in text
    listed = {entry["name"]: entry for entry in run_json(capsys, "games", "--dir", str(tmp_path))}
    assert listed["friday"]["status"] == "over"
    assert listed["friday"]["players"] == ["Anna", "Ben"]
    assert listed["bad"]["status"] == "damaged"


def test_the_folder_is_named_in_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``--dir .`` reads as a folder, not as the end of a sentence."""
    monkeypatch.chdir(tmp_path)
    assert f"no games in {tmp_path};" in run(capsys, "games", "--dir", ".")
    shutil.copy(FIXTURE, tmp_path / "friday.jsonl")
    assert f"Folder: {tmp_path}\n" in run(capsys, "games", "--dir", ".")


def test_the_variable_names_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ONTOUR_CV_GAMES", str(tmp_path))
    assert str(tmp_path) in run(capsys, "games")


def test_an_old_encoding_ends_no_command(tmp_path: Path) -> None:
    """Windows pipes speak its old code pages; names and arrows they lack are spelled out, and JSON stays JSON."""
    path = tmp_path / "game.jsonl"
    environ = {**os.environ, "PYTHONIOENCODING": "ascii", "ONTOUR_CV_GAMES": str(tmp_path)}

    def output(*words: str) -> str:
        command = [sys.executable, "-m", "ontour_cv", *words]
        return subprocess.run(command, env=environ, capture_output=True, check=True, timeout=60).stdout.decode("ascii")

    assert "Zo\\xeb" in output("deal", "new", "--game", str(path), "--players", "Zoë,Ben")
    assert "Zo\\xeb" in output("games")
    assert json.loads(output("games", "--json"))[0]["players"] == ["Zoë", "Ben"]
