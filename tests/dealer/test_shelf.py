"""Games lie in one folder, are listed newest first, and are found by name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from dealt import opening

from ontour_cv.dealer import play
from ontour_cv.dealer.shelf import find_game, free_path, games_dir, list_games, unfinished_game
from ontour_cv.dealer.store import create_game
from ontour_cv.errors import BadLog, UsageError


def test_the_folder_is_the_variables_or_the_platforms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/anna"))
    games = "ontour-cv/games"
    assert games_dir({"ONTOUR_CV_GAMES": "/tmp/g", "XDG_DATA_HOME": "/x"}, "linux") == Path("/tmp/g")
    assert games_dir({"XDG_DATA_HOME": "/x"}, "linux") == Path("/x") / games
    assert games_dir({"XDG_DATA_HOME": "relative"}, "linux") == Path("/home/anna/.local/share") / games
    assert games_dir({}, "linux") == Path("/home/anna/.local/share") / games
    assert games_dir({}, "darwin") == Path("/home/anna/Library/Application Support") / games
    assert games_dir({"LOCALAPPDATA": "/local"}, "win32") == Path("/local") / games


def test_games_are_listed_newest_first_and_damaged_ones_with_their_reason(tmp_path: Path) -> None:
    for day in ("03", "01", "02"):
        create_game(tmp_path / f"{day}.jsonl", replace(opening(), created=f"2026-11-{day}T20:00:00Z"))
    (tmp_path / "bad.jsonl").write_text("{}\n")
    (tmp_path / "other.txt").write_text("no game")
    entries = list_games(tmp_path)
    assert [entry.name for entry in entries if entry.log] == ["03", "02", "01"]
    assert ["does not begin" in entry.problem for entry in entries if not entry.log] == [True]
    assert list_games(tmp_path / "none") == ()
    play.deal_next(tmp_path / "01.jsonl")
    assert next(entry.name for entry in list_games(tmp_path) if entry.log) == "01"


def test_the_unfinished_game_played_last_is_resumed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no unfinished game"):
        unfinished_game(tmp_path)
    for name in ("a", "b"):
        create_game(tmp_path / f"{name}.jsonl", opening())
    play.deal_next(tmp_path / "a.jsonl")
    assert unfinished_game(tmp_path).stem == "a"
    while not play.deal_next(tmp_path / "a.jsonl").game.now.over:
        pass
    assert unfinished_game(tmp_path).stem == "b"


def test_a_game_is_found_by_its_name_or_its_file(tmp_path: Path) -> None:
    path = tmp_path / "friday.jsonl"
    create_game(path, opening())
    for name in ("friday", "friday.jsonl", str(path), str(path.with_suffix(""))):
        assert find_game(name, tmp_path) == path
    with pytest.raises(BadLog, match="no game 'monday'"):
        find_game("monday", tmp_path)


def test_two_games_of_one_minute_get_two_names(tmp_path: Path) -> None:
    first = free_path(tmp_path, opening())
    create_game(first, opening())
    assert first.name.endswith("-usa.jsonl")
    assert free_path(tmp_path, opening()).stem == first.stem + "-2"
