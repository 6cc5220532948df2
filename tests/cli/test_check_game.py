"""``ontour-cv check --game``: what it prints and refuses."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from recorded import Scripted

from ontour_cv import cli
from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.dealer.log import load_game
from ontour_cv.maps.load import load_map

GAME = Path(__file__).resolve().parents[1] / "fixtures" / "games" / "usa-seed-1.jsonl"
NAME = "evening"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The command line, with one game on the shelf."""
    monkeypatch.setenv("ONTOUR_CV_GAMES", str(tmp_path))
    (tmp_path / f"{NAME}.jsonl").write_bytes(GAME.read_bytes())

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as leaving:
            cli.main(arguments)
        output = capsys.readouterr()
        return int(leaving.value.code or 0), output.out, output.err

    return call


@pytest.fixture
def board() -> BoardState:
    """A lawful board of the game."""
    return Scripted(load_map("usa"), random.Random(5), load_game(GAME).record).play()


def test_a_lawful_board_is_called_so_with_its_score(run: Any, board: BoardState) -> None:
    code, out, err = run("check", str(board), "--game", NAME)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "Legal: the game can have come out like this.",
        "As written: 11 points = 10 states + 1 circle.",
    ]


def test_a_game_is_named_by_its_file_too(run: Any, board: BoardState) -> None:
    _, out, _ = run("check", str(board), "--game", str(GAME), "--rules", "rulebook", "--map", "usa")
    assert out.startswith("Legal")


def test_slips_are_told_with_both_scores(run: Any, board: BoardState) -> None:
    wrong = board.replace({"TX": Mark(Kind.NUMBER, 38), "LA": Mark(Kind.NUMBER, 94, True)})
    code, out, _ = run("check", str(wrong), "--game", NAME)
    assert code == 0
    assert out.splitlines() == [
        "Not legal. 2 slips explain the board:",
        "1. Turn 5: 56 was rolled, but TX says 38.",
        "2. Turn 9, 94: LA is circled, but the cards were OR, AR and UT.",
        "As written: 11 points = 9 states + 2 circles.",
        "Without LA, TX: 11 points = 10 states + 1 circle.",
    ]


def test_other_explanations_say_what_they_stand_for(run: Any, board: BoardState) -> None:
    """KY 28 written as 82: now 82 stands in NC as well, and nothing tells which of the two is the slip."""
    _, out, _ = run("check", str(board.replace({"KY": Mark(Kind.NUMBER, 82)})), "--game", NAME)
    lines = out.splitlines()
    assert lines[1].startswith("1. Turn 1: 28 was rolled, but ")
    assert lines[2] == "It can as well have been:"
    assert lines[3].startswith("- instead of 1: Turn 1: 28 was rolled, but ")


def test_json_has_the_verdict_every_deed_and_both_scores(run: Any, board: BoardState) -> None:
    wrong = board.replace({"TX": Mark(Kind.NUMBER, 38)})
    _, out, _ = run("check", str(wrong), "--game", NAME, "--json")
    document = json.loads(out)
    assert list(document) == [
        "map", "rules", "strict_x", "game", "board", "legal", "complete", "at_least", "slips", "others", "faulty",
        "rolls", "explanation", "score", "score_without_faulty",
    ]  # fmt: skip
    assert (document["legal"], document["complete"], document["at_least"]) == (False, True, 1)
    text = "Turn 5: 56 was rolled, but TX says 38."
    assert document["slips"] == [{"kind": "digits", "turn": "Turn 5", "regions": ["TX"], "text": text}]
    assert document["faulty"] == ["TX"]
    assert {"turn": "Turn 5", "number": "56", "region": "TX", "card": "IN", "mark": "38"} in document["explanation"]
    assert document["explanation"][0] == {
        "turn": "Setup 1", "number": "79", "region": "NV", "card": "NV", "mark": "79o"
    }  # fmt: skip
    assert set(document["score"]) == set(document["score_without_faulty"]) == {"total", "visited", "circles"}


def test_turns_lists_what_was_written_for_each_roll(run: Any, board: BoardState) -> None:
    _, out, _ = run("check", str(board), "--game", NAME, "--turns")
    lines = out.splitlines()
    assert lines[0] == "Setup 1: 79 circled in NV with NV, 97 circled in OK with OK"
    assert "Turn 12: star in MS" in lines
    assert len(lines) == 22 + 2


def test_an_early_photo_is_told_how_far_it_goes(run: Any) -> None:
    _, out, _ = run("check", "NV=79o OK=97o AZ=16o GA=61o", "--game", NAME)
    assert "The board shows the first 2 of the game's 22 rolls." in out


def test_another_game_is_not_explained_slip_by_slip(run: Any) -> None:
    from boards import GOLDEN

    code, out, _ = run("check", GOLDEN, "--game", NAME)
    assert code == 0
    assert out.startswith("Not legal: it would take 7 slips or more to explain this board")


def test_unread_states_are_said_to_fit(run: Any, board: BoardState) -> None:
    _, out, _ = run("check", str(board.replace({"TX": Mark(Kind.UNREAD)})), "--game", NAME)
    assert out.splitlines()[:2] == [
        "Legal: the game can have come out like this.",
        "Unread, taken for whatever fits: TX.",
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--game", "nowhere"), 5, "there is no game 'nowhere'"),
        (("--game", NAME, "--map", "atlantis"), 5, "atlantis"),
        (("--game", NAME, "--map", "paris"), 5, "the game was played on the map 'usa', not on 'paris"),
        (("--game", NAME, "--map", "rolling-america"), 5, "played on the map 'usa', not on 'rolling-america'"),
        (("--game", NAME, "--map", "new-york"), 5, "played on the map 'usa', not on 'new-york"),
        (("--game", NAME, "--rules", "house"), 2, "house"),
        (("--turns",), 2, "need the log of a game"),
        (("--strict-x",), 2, "need the log of a game"),
    ],
)
def test_what_does_not_fit_is_refused(run: Any, arguments: tuple[str, ...], code: int, message: str) -> None:
    left, out, err = run("check", "NV=31", *arguments)
    assert (left, out) == (code, "")
    assert message in err


def test_a_damaged_log_is_refused(run: Any, tmp_path: Path) -> None:
    (tmp_path / "torn.jsonl").write_text(GAME.read_text(encoding="utf-8").replace('"dice"', '"dicey"'))
    code, _, err = run("check", "NV=31", "--game", "torn")
    assert code == 5
    assert "torn.jsonl is damaged" in err
