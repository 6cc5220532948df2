"""``ontour-cv score --game``: real photos of one game, read with its log."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from calls import Run

from ontour_cv.cli.score_game import name_players
from ontour_cv.dealer.log import load_game
from ontour_cv.errors import UsageError

GAMES = Path(__file__).resolve().parent.parent / "fixtures" / "games"
LOG = str(GAMES / "evening.jsonl")
PHOTOS = [str(GAMES / f"evening-{name}.jpg") for name in ("anna", "ben", "cleo")]


def test_three_boards_of_an_evening(capsys: pytest.CaptureFixture[str]) -> None:
    """Names come from the files; nobody honest is accused, and Cleo's swapped digits are named."""
    run = Run(capsys, *PHOTOS, "--game", LOG, "--json")
    assert run.code == 0
    made: list[dict[str, Any]] = json.loads(run.out)
    assert [board["game"]["player"] for board in made] == ["Anna", "Ben", "Cleo"]
    assert all(board["game"]["fits"] for board in made)
    for board in made[:2]:
        assert not any(slip["sure"] for slip in board["game"]["slips"])
    (slip,) = made[2]["game"]["slips"]
    assert slip["kind"] == "digits"
    assert slip["regions"] in (["AL"], ["AR"])
    assert made[2]["game"]["score_without_faulty"]["total"] <= made[2]["score_range"][1]


def test_the_ranking_has_names_and_the_points_without_slips(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, PHOTOS[2], PHOTOS[0], "--game", LOG, "--player", "Cleo", "--player", "anna")
    table = run.out[run.out.index("Ranking") :]
    assert "Without slips" in table
    assert " Cleo " in table
    assert " Anna " in table
    assert "Cleo (" in run.out
    assert "27, the digits exchanged" in " ".join(run.out.split())


def test_what_a_player_could_have_had_is_said_once_nothing_is_left_to_ask(capsys: pytest.CaptureFixture[str]) -> None:
    ask = json.loads(Run(capsys, PHOTOS[0], "--game", LOG, "--json").out)[0]
    answers = [word for cell in ask["ask"] for word in ("--set", f"{cell}={ask['regions'][cell]['mark']}")]
    assert answers
    assert ask["game"]["could_have_had"] is None
    run = Run(capsys, PHOTOS[0], "--game", LOG, *answers, "--json")
    (made,) = json.loads(run.out)
    better = made["game"]["could_have_had"]
    assert better["score"]["total"] > made["score"]["total"]
    assert len(better["marks"]) == 2
    named = [f"evening-anna.jpg:{word}" if "=" in word else word for word in answers]
    shown = Run(capsys, PHOTOS[0], PHOTOS[2], "--game", LOG, *named)
    assert f"Could have had: {better['score']['total']} points, with " in shown.out
    assert "Could have had" in shown.out[shown.out.index("Ranking") :]


def test_a_state_outside_the_picture_holds_what_is_nowhere_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ben's board without its upper edge, where Florida is: by the rolls 18 is missing."""
    import cv2

    picture = cv2.imread(PHOTOS[1])
    assert picture is not None
    cut = tmp_path / "ben.png"
    cv2.imwrite(str(cut), picture[178:])
    run = Run(capsys, str(cut), "--game", LOG)
    assert "Not in the picture: FL; by the log it holds 18." in run.out
    alone = json.loads(Run(capsys, str(cut), "--set", "MN=81o", "--json").out)[0]
    assert alone["regions"]["FL"]["mark"] == "18", "an 81 stands there alone"
    assert "FL" in alone["uncertain"], "which is no more than likely"


def test_a_board_of_another_game_is_read_without_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    other = str(GAMES / "usa-seed-1.jsonl")
    run = Run(capsys, PHOTOS[0], "--game", other)
    assert run.code == 0
    assert "Not of this game" in run.out
    alone = json.loads(Run(capsys, PHOTOS[0], "--json").out)[0]
    made = json.loads(Run(capsys, PHOTOS[0], "--game", other, "--json").out)[0]
    assert made["game"] == {"player": "Anna", "fits": False}
    assert made["board"] == alone["board"]
    assert "game" not in alone


def test_a_correction_holds_against_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    """What somebody vouches for is not thought over: a wrong answer becomes a sure slip."""
    run = Run(capsys, PHOTOS[0], "--game", LOG, "--set", "MT=49", "--json")
    made = json.loads(run.out)[0]
    assert made["regions"]["MT"]["mark"] == "49"
    assert any(slip["regions"] == ["MT"] for slip in made["game"]["slips"])


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--player", "Anna"], 2, "--game"),
        (["--game", LOG, "--player", "Dora"], 2, "Anna, Ben, Cleo"),
        (["--game", LOG, "--player", "Anna", "--player", "Ben"], 2, "2 players for 1 photo\n"),
        (["--game", LOG, "--map", "mars"], 5, "usa"),
        (["--game", LOG, "--map", "europe-home"], 5, "played on the map 'usa', not on 'europe-home'"),
        (["--game", "no-such-game"], 5, "no-such-game"),
        (["--game", str(GAMES / "README.md")], 5, "README.md"),
    ],
)
def test_what_makes_no_sense_is_said_before_anything_is_read(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, words: str
) -> None:
    run = Run(capsys, PHOTOS[0], *arguments)
    assert run.code == code
    assert words in run.err
    assert "Traceback" not in run.err


def test_a_file_is_named_after_a_player_only_as_a_whole_word(tmp_path: Path) -> None:
    record = load_game(GAMES / "evening.jsonl").record
    names = ["IMG_2 ben.jpg", "BENJAMIN.jpg", "anna-and-ben.jpg", "cleo.heic"]
    assert name_players([Path(name) for name in names], [], record) == ("Ben", None, None, "Cleo")
    with pytest.raises(UsageError, match="twice"):
        name_players([Path("a.jpg"), Path("b.jpg")], ["Ben", "ben"], record)


def test_two_files_named_after_one_player_are_refused_as_a_name_given_twice_is() -> None:
    record = load_game(GAMES / "evening.jsonl").record
    for first, second in (("CLEO.jpg", "CLEO-route.jpg"), ("cleo.jpg", "ben.jpg"), ("a/cleo.jpg", "b/cleo.jpg")):
        photos = [Path(first), Path("anna.jpg"), Path(second)]
        if second == "ben.jpg":
            assert name_players(photos, [], record) == ("Cleo", "Anna", "Ben")
            continue
        with pytest.raises(UsageError, match=f"{photos[2].name} are both named after Cleo"):
            name_players(photos, [], record)
    assert name_players([Path("CLEO.jpg"), Path("CLEO-route.jpg")], ["Cleo", "Ben"], record) == ("Cleo", "Ben")


def test_of_several_boards_in_one_picture_its_name_names_nobody() -> None:
    record = load_game(GAMES / "evening.jsonl").record
    boards = [Path("cleo.jpg#1"), Path("cleo.jpg#2"), Path("ben.jpg#1")]
    assert name_players(boards, [], record) == (None, None, "Ben")


def test_an_accent_is_the_same_however_a_computer_writes_it() -> None:
    """A Mac's file names have it apart from its letter."""
    record = replace(load_game(GAMES / "evening.jsonl").record, players=("Zo\u00eb", "Rene\u0301"))
    files = [Path("Zoe\u0308.jpg"), Path("IMG ren\u00e9.jpg")]
    assert name_players(files, [], record) == record.players
    assert name_players(files, ["zoe\u0308", "Ren\u00e9"], record) == record.players


def test_several_photos_of_one_board_with_the_log(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    again = tmp_path / "again.jpg"
    shutil.copy(PHOTOS[0], again)
    run = Run(capsys, PHOTOS[0], str(again), "--same-board", "--game", LOG, "--json")
    assert run.code == 0
    made = json.loads(run.out)
    assert len(made) == 1
    assert made[0]["game"]["player"] == "Anna"


def test_the_camera_reads_with_the_log(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Two frames stand in for a camera; the board is Cleo's, and her slip is found as in her photo."""
    for number in range(2):
        shutil.copy(PHOTOS[2], tmp_path / f"{number}.jpg")
    run = Run(capsys, "--camera", str(tmp_path), "--game", LOG, "--player", "cleo", "--json")
    assert run.code == 0
    (made,) = json.loads(run.out)
    assert made["game"]["player"] == "Cleo"
    assert [slip["kind"] for slip in made["game"]["slips"]] == ["digits"]


def test_the_overlay_is_drawn_with_the_log(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = Run(capsys, PHOTOS[2], "--game", LOG, "--overlay", str(tmp_path / "cleo.png"))
    assert run.code == 0
    assert (tmp_path / "cleo.png").is_file()
