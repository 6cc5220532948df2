"""What a space is called is the map's own word: on a map of countries no text speaks of states."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ontour_cv.cli import main
from ontour_cv.dealer.form import make_opening
from ontour_cv.dealer.game import new_game
from ontour_cv.dealer.tell import tell
from ontour_cv.errors import BadTemplate
from ontour_cv.maps.load import load_map, read_map

MAPS = ("usa", "europe-home", "rolling-america")
STATE = re.compile(r"\bstates?\b", re.IGNORECASE)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Everything a command prints."""
    try:
        main(words)
    except SystemExit as leave:
        assert leave.code in (None, 0, 5)
    shown = capsys.readouterr()
    return shown.out + shown.err


@pytest.mark.parametrize(
    "words",
    [
        ("maps", "europe-home"),
        ("solve", "--map", "europe-home", "FRA=12", "DEU=31o"),
        ("solve", "--map", "europe-home", "FRA=x"),
        ("solve", "--map", "europe-home", "ZZZ=12"),
        ("solve", "--map", "europe-home", "12"),
        ("check", "--map", "europe-home", "FRA=12", "DEU=35"),
        ("check", "--map", "europe-home", *(f"{region}=xo" for region in load_map("europe-home").ids)),
    ],
)
def test_commands_speak_of_countries_on_a_map_of_countries(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    text = said(capsys, *words)
    assert text
    assert not STATE.search(text)


def test_a_whole_game_of_europe_is_told_in_countries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(8):
        game = new_game(make_opening("europe-home", None, ("Anna",), str(seed), "2026-11-21T20:00:00Z"))
        while not game.now.over:
            game = game.after(game.draw())
        advice = " ".join(" ".join(tell(game, index).advice) for index in range(game.done))
        assert not STATE.search(advice)
        assert "country" in advice
    path = str(tmp_path / "game.jsonl")
    said(capsys, "deal", "new", "--map", "europe-home", "--seed", "1", "--game", path)
    for _ in range(3):
        assert not STATE.search(said(capsys, "deal", "next", "--game", path))
    judged = said(capsys, "check", "--game", path, "FRA=12", "--turns")
    assert "1 country + 0 circles" in judged
    assert not STATE.search(judged)


def test_counts_are_worded_as_players_say_them() -> None:
    europe, usa = load_map("europe-home"), load_map("usa")
    assert (europe.counted(1), europe.counted(39)) == ("1 country", "39 countries")
    assert (usa.counted(1), usa.counted(0)) == ("1 state", "0 states")


@pytest.mark.parametrize("missing", ["space", "space_plural"])
def test_a_map_names_both_words_or_neither(tmp_path: Path, missing: str) -> None:
    text = (Path(__file__).resolve().parents[2] / "templates" / "usa.toml").read_text(encoding="utf-8")
    path = tmp_path / "usa.toml"
    path.write_text(re.sub(rf"^{missing} = .*\n", "", text, flags=re.MULTILINE), encoding="utf-8")
    with pytest.raises(BadTemplate, match=f"'{missing}' is missing"):
        read_map(path)
    path.write_text(re.sub(r"^space(_plural)? = .*\n", "", text, flags=re.MULTILINE), encoding="utf-8")
    assert read_map(path).counted(2) == "2 spaces"


def test_every_map_of_the_project_says_its_words() -> None:
    assert [load_map(map_id).space for map_id in MAPS] == ["state", "country", "state"]
