"""Games lie in one folder, are listed newest first, and are found by name."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from dealt import opening

from ontour_cv.dealer import play, shelf
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


def test_where_only_games_of_unknown_maps_are_unfinished_it_is_said_so(tmp_path: Path) -> None:
    """Whoever forgot the folder of a map of their own was told that there was no game."""
    path = tmp_path / "friday.jsonl"
    create_game(path, opening())
    path.write_text(path.read_text(encoding="utf-8").replace('"usa"', '"my-own"'), encoding="utf-8")
    with pytest.raises(UsageError, match="can be read") as told:
        unfinished_game(tmp_path)
    assert "'my-own'" in str(told.value.remedy) and "--maps-dir" in str(told.value.remedy)


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


@pytest.mark.parametrize("year", [9999, 20000, 1, -5000])
def test_a_damaged_game_of_an_impossible_time_is_listed_last(tmp_path: Path, year: int) -> None:
    """Broken clocks and other file systems write such times; calendars end before them."""
    create_game(tmp_path / "good.jsonl", opening())
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{}\n")
    seconds = (year - 1970) * 31_556_952
    try:
        os.utime(bad, (seconds, seconds))
    except (OSError, OverflowError):
        pytest.skip("this file system has no such times")
    if abs(bad.stat().st_mtime - seconds) > 1:
        pytest.skip("this file system has no such times")
    assert [(entry.name, entry.changed[:4]) for entry in list_games(tmp_path)][1] == ("bad", "1970")


@pytest.mark.parametrize("fault", [OverflowError, ValueError, OSError])
def test_a_time_that_no_calendar_has_is_1970(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: type[Exception]
) -> None:
    class Calendar(datetime):
        @classmethod
        def fromtimestamp(cls, *_: object) -> datetime:  # type: ignore[override]
            raise fault("out of range")

    (tmp_path / "bad.jsonl").write_text("{}\n")
    monkeypatch.setattr(shelf, "datetime", Calendar)
    assert [entry.changed for entry in list_games(tmp_path)] == ["1970-01-01T00:00:00Z"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_among_the_games_is_not_waited_for(tmp_path: Path) -> None:
    create_game(tmp_path / "good.jsonl", opening())
    os.mkfifo(tmp_path / "pipe.jsonl")
    entries = {entry.name: entry for entry in list_games(tmp_path)}
    assert entries["good"].log
    assert "it is no file" in entries["pipe"].problem
