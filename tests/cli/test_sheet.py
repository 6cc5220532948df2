"""Rolling America on the command line."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
import sheet_readings as made

from ontour_cv.cli import main
from ontour_cv.dealer.events import Deal
from ontour_cv.dealer.form import event_line, make_opening, opening_line
from ontour_cv.dealer.solo import read_scores
from ontour_cv.maps.load import load_map
from ontour_cv.referee.sheet import verify_sheet
from ontour_cv.referee.sheet_verdict import SheetSlip, SheetVerdict
from ontour_cv.scorer import sheet_log
from ontour_cv.synth.play_rolling import play_rolling

WHEN = "2026-11-21T20:00:00Z"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    def call(*words: str) -> tuple[int, str, str]:
        code: object = 0
        try:
            main(words)
        except SystemExit as leave:
            code = leave.code or 0
        out, err = capsys.readouterr()
        assert isinstance(code, int)
        return code, out, err

    return call


@pytest.fixture
def game(tmp_path: Path) -> tuple[str, str]:
    """A whole game on disk, and its sheet; quick to decide."""
    played = play_rolling(load_map("rolling-america"), random.Random(2))
    lines = [opening_line(make_opening("rolling-america", None, ("Anna",), None, WHEN))]
    lines += [event_line(Deal(roll), number, WHEN) for number, roll in enumerate(played.record.rolls, start=1)]
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path), str(played.sheet)


def test_a_sheet_alone_is_checked_and_scored(run: Run) -> None:
    code, out, _ = run("check", "--map", "rolling-america", "WA=3", "OR=5")
    assert code == 0
    assert "Oregon has 5 and Washington has 3: neighbours differ by 1 at most" in out
    assert "Score: 49 Xs = 0 written + 48 blank + 1 for a mistake; 0 powers used." in out
    document = json.loads(run("check", "--map", "rolling-america", "WA=3 OR=5 @change=2", "--json")[1])
    assert [problem["rule"] for problem in document["problems"]] == ["neighbours"]
    assert document["score"] == {"total": 49, "crossed": 0, "blanks": 48, "mistakes": 1, "powers": 2}
    assert document["sheet"].endswith("@change=2")


def test_a_sheet_is_checked_by_the_log_of_its_game(run: Run, game: tuple[str, str]) -> None:
    log, sheet = game
    code, out, _ = run("check", "--game", log, sheet)
    assert code == 0
    assert out.startswith("Legal: ")
    document = json.loads(run("check", "--game", log, sheet, "--json")[1])
    assert (document["legal"], document["slips"], document["rolls"]) == (True, [], 24)
    assert len(document["explanation"]) == 48


def test_mistakes_that_are_not_proved_cost_no_x(
    run: Run, game: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that was cut short may find an explanation with slips for a sheet that has none."""
    log, text = game
    right = json.loads(run("check", "--game", log, text, "--json")[1])["score"]
    slip = SheetSlip("x-needless", 3, ("WA",), "A needless X.")

    def cut_short(*arguments: object) -> SheetVerdict:
        verdict = verify_sheet(*arguments)
        return replace(verdict, legal=False, decided=False, slips=(slip,), at_least=0)

    monkeypatch.setattr("ontour_cv.referee.sheet.verify_sheet", cut_short)
    document = json.loads(run("check", "--game", log, text, "--json")[1])
    assert (document["decided"], len(document["slips"])) == (False, 1)
    assert document["score"] == right
    assert "Not decided" in run("check", "--game", log, text)[1]


def test_turns_tells_what_was_done_with_every_die(run: Run, game: tuple[str, str]) -> None:
    out = run("check", "--game", *game, "--turns")[1]
    assert sum(line.startswith("Round ") for line in out.splitlines()) == 48


def test_the_score_of_a_game_played_alone_is_kept(run: Run, game: tuple[str, str]) -> None:
    assert "Kept, the first one." in run("check", "--game", *game, "--keep")[1]
    assert "Kept" in run("check", "--game", *game, "--keep")[1]


def test_games_in_two_folders_are_kept_side_by_side_though_their_files_are_named_alike(
    run: Run, game: tuple[str, str], tmp_path: Path
) -> None:
    log, sheet = game
    other = tmp_path / "2027" / "game.jsonl"
    other.parent.mkdir()
    other.write_text(Path(log).read_text("utf-8").replace(WHEN, "2027-11-21T20:00:00Z", 1), encoding="utf-8")
    run("check", "--game", log, sheet, "--keep")
    assert "Best so far" in run("check", "--game", str(other), sheet, "--keep")[1]
    assert len({kept["id"] for kept in kept_scores(tmp_path)}) == 2
    assert len(read_scores(next(tmp_path.rglob("solo.jsonl")))) == 2


def test_a_score_that_was_cut_off_is_told_when_the_next_is_kept(
    run: Run, game: tuple[str, str], tmp_path: Path
) -> None:
    run("check", "--game", *game, "--keep")
    path = next(tmp_path.rglob("solo.jsonl"))
    path.write_bytes(path.read_bytes()[:-20])
    assert "was cut off and is left out" in " ".join(run("check", "--game", *game, "--keep")[1].split())
    assert "cut off" not in run("check", "--game", *game, "--keep")[1]


def undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """The referee runs out of its effort with nothing found."""

    def cut_short(*arguments: object) -> SheetVerdict:
        return replace(verify_sheet(*arguments), legal=False, decided=False, slips=(), at_least=2)

    monkeypatch.setattr("ontour_cv.referee.sheet.verify_sheet", cut_short)
    monkeypatch.setattr("ontour_cv.scorer.sheet_log.verify_sheet", cut_short)
    sheet_log._judged.cache_clear()


def test_a_score_that_the_log_does_not_decide_is_told_as_a_least_and_not_kept(
    run: Run, game: tuple[str, str], photo: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, sheet = game
    right = json.loads(run("check", "--game", log, sheet, "--json")[1])["score"]["total"]
    undecided(monkeypatch)
    assert f"Score: at least {right + 2} Xs" in run("check", "--game", log, sheet)[1]
    shown(monkeypatch, sheet)
    assert f"at least {right + 2} Xs" in run("score", photo, "--game", log)[1]
    for words in (("check", sheet), ("score", photo)):
        code, _, err = run(*words, "--game", log, "--keep")
        assert code == 2
        assert f"the score is {right + 2} or more, so it is not kept" in err
    sheet_log._judged.cache_clear()
    assert kept_scores(tmp_path) == []


def test_the_score_of_a_sheet_from_another_game_is_not_kept(run: Run, game: tuple[str, str], tmp_path: Path) -> None:
    other = str(play_rolling(load_map("rolling-america"), random.Random(99)).sheet)
    out = run("check", "--game", game[0], other)[1]
    assert "probably not from this game" in out
    assert "Score: at least " in out
    code, _, err = run("check", "--game", game[0], other, "--keep")
    assert code == 2
    assert "probably not from this game" in err
    assert kept_scores(tmp_path) == []


def test_a_sheet_of_a_game_that_is_over_is_kept_only_once_all_its_dice_are_written(
    run: Run, game: tuple[str, str], tmp_path: Path
) -> None:
    code, _, err = run("check", "--game", game[0], "WA=.", "--keep")
    assert code == 2
    assert "The sheet shows the first 0 of the game's 24 rolls" in err and "not over" not in err
    *lines, _ = Path(game[0]).read_text(encoding="utf-8").splitlines()
    Path(game[0]).write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert "not over yet" in run("check", "--game", game[0], "WA=.", "--keep")[2]
    assert kept_scores(tmp_path) == []


def test_the_score_of_a_sheet_with_unread_states_is_not_kept(run: Run, game: tuple[str, str], tmp_path: Path) -> None:
    log, sheet = game
    state = next(word.partition("=")[0] for word in sheet.split() if word[-1].isdigit() and "@" not in word)
    words = [f"{state}=?" if word.startswith(f"{state}=") else word for word in sheet.split()]
    assert "; 1 unread state counts as blank." in run("check", "--game", log, *words)[1]
    code, _, err = run("check", "--game", log, *words, "--keep")
    assert code == 2
    assert f"not kept: {state}." in err
    assert kept_scores(tmp_path) == []


@pytest.fixture
def photo(tmp_path: Path) -> str:
    """A picture file; what it shows is made up."""
    path = tmp_path / "sheet.png"
    cv2.imwrite(str(path), np.full((120, 160, 3), 90, np.uint8))
    return str(path)


def shown(monkeypatch: pytest.MonkeyPatch, sheet: str, doubts: dict[str, dict[str, float]] | None = None) -> None:
    """Every photo shows ``sheet``."""
    reading = made.make_sheet_reading(sheet, doubts)
    monkeypatch.setattr("ontour_cv.scorer.sheet_score.read_sheet_photo", lambda *_: reading)


def kept_scores(folder: Path) -> list[dict[str, object]]:
    """What the solo history holds."""
    return [json.loads(line) for path in folder.rglob("solo.jsonl") for line in path.read_text().splitlines()]


def test_the_score_of_a_photographed_sheet_is_kept(
    run: Run, game: tuple[str, str], photo: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, sheet = game
    shown(monkeypatch, sheet)
    code, out, _ = run("score", photo, "--game", log, "--keep")
    assert code == 0
    assert "Kept, the first one." in out
    right = json.loads(run("check", "--game", log, sheet, "--json")[1])["score"]
    (kept,) = kept_scores(tmp_path)
    assert (kept["game"], kept["total"], kept["powers"]) == ("game", right["total"], right["powers"])


def test_a_score_that_doubts_leave_open_is_not_kept(
    run: Run, game: tuple[str, str], photo: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, sheet = game
    state = next(word.partition("=")[0] for word in sheet.split() if word[-1].isdigit() and "@" not in word)
    shown(monkeypatch, sheet, {state: {"x": 0.4}})
    code, _, err = run("score", photo, "--game", log, "--keep")
    assert code == 2
    assert "not kept" in err
    assert state in err
    assert kept_scores(tmp_path) == []


def test_there_is_nothing_to_keep_without_a_game_or_of_several_sheets(
    run: Run, game: tuple[str, str], photo: str
) -> None:
    code, out, err = run("score", photo, "--map", "rolling-america", "--keep")
    assert (code, out) == (2, "")
    assert "needs the log" in err
    code, out, err = run("score", photo, photo.replace("sheet", "sheet2"), "--game", game[0], "--keep")
    assert (code, out) == (2, "")
    assert "one sheet" in err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("solve", "--map", "rolling-america", "WA=3"), "has no route"),
        (("check", "--map", "rolling-america", "WA=3", "--rules", "bga"), "no rules called 'bga'"),
        (("check", "--map", "rolling-america", "WA=3", "--keep"), "need the log"),
        (("check", "--map", "usa", "WA=31", "--rules", "rolling"), "no rules called 'rolling'"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_remedy(run: Run, words: tuple[str, ...], says: str) -> None:
    code, _, err = run(*words)
    assert code == 2
    assert says in err
    assert len(err.strip().splitlines()) == 2


def test_a_photo_of_a_board_is_no_sheet(run: Run) -> None:
    photo = Path(__file__).resolve().parents[1] / "fixtures" / "photos" / "01-plain.jpg"
    code, _, err = run("score", "--map", "rolling-america", str(photo))
    assert code == 3
    assert "no sheet" in err
    assert "whole sheet" in err
