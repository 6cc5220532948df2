"""A map is data: twelve made-up places in a folder are dealt, printed, photographed, read, checked and scored."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from ontour_cv import resources
from ontour_cv.cli import main
from ontour_cv.maps.load import load_editions, load_map, map_ids
from ontour_cv.press.design import load_design
from ontour_cv.synth.photograph import Settings, render_print
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.printed import make_print

PLACES = {  # name: (x, y), in a grid of four by three that is a little crooked, as a constellation has to be
    "ASH": (0.12, 0.12), "BAY": (0.35, 0.08), "COD": (0.63, 0.14), "DEN": (0.88, 0.10),
    "ELM": (0.15, 0.33), "FEN": (0.40, 0.28), "GUL": (0.60, 0.36), "HOE": (0.91, 0.30),
    "IVY": (0.08, 0.52), "JET": (0.37, 0.55), "KIT": (0.67, 0.51), "LEA": (0.86, 0.54),
}  # fmt: skip


def links() -> dict[str, list[str]]:
    names = list(PLACES)
    pairs = [(k, k + 1) for k in range(12) if k % 4 < 3] + [(k, k + 4) for k in range(8)]
    met: dict[str, list[str]] = {name: [] for name in names}
    for a, b in pairs:
        met[names[a]].append(names[b])
        met[names[b]].append(names[a])
    return met


def template_text() -> str:
    met = links()
    text = 'id = "tiny"\ntitle = "Tiny"\npublished = false\nrules = "kitchen"\nareas = ["Left", "Right", "Wet"]\n'
    text += f"[printed]\nregions = 12\nlinks = {sum(map(len, met.values())) // 2}\ncards = 12\n"
    for k, (name, (x, y)) in enumerate(PLACES.items()):
        side = "Left" if k % 4 < 2 else "Right"
        text += f'[[region]]\nid = "{name}"\nname = "{name.title()}"\nlabel = "{name}"\n'
        text += f'areas = ["{side}", "Wet"]\nneighbours = {json.dumps(sorted(met[name]))}\n'
        text += f'layout = [{x}, {y}]\ncard = "{side if k % 3 else "Wet"}"\n'
    return text


def run(*arguments: str) -> None:
    try:
        main(arguments)
    except SystemExit as leave:
        assert not leave.code, arguments


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    there = tmp_path / "maps"
    there.mkdir()
    (there / "tiny.toml").write_text(template_text(), encoding="utf-8")
    (there / "rules").mkdir()
    rules = (
        'key = "kitchen"\ntitle = "at our table"\nextends = "rulebook"\nstar_always_circled = true\nsetup_rolls = 1\n'
    )
    (there / "rules" / "kitchen.toml").write_text(rules, encoding="utf-8")
    return there


def test_it_is_found_by_option_variable_and_in_the_users_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    run("maps")
    assert "tiny" not in capsys.readouterr().out
    run("--maps-dir", str(folder), "maps")
    assert "tiny" in capsys.readouterr().out
    run("--maps-dir", str(folder), "maps", "usa")
    assert "Rules kitchen: at our table: every star is circled; rolls in the setup: 1" in capsys.readouterr().out
    assert "tiny" not in map_ids()  # the option holds for its own command only
    monkeypatch.setenv(resources.MAPS_VARIABLE, str(folder))
    assert "tiny" in map_ids()
    monkeypatch.delenv(resources.MAPS_VARIABLE)
    users = resources.user_data_dir() / "maps"
    users.parent.mkdir(parents=True)
    folder.rename(users)
    assert "tiny" in map_ids()


def test_it_is_dealt_printed_read_checked_and_scored(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = ("--maps-dir", str(folder))
    run(*own, "print", "tiny", "-o", str(tmp_path / "board.pdf"), "--calibration", str(folder))
    run(*own, "print", "tiny", "-o", str(tmp_path / "cards.pdf"), "--cards")
    assert (tmp_path / "board.pdf").read_bytes().startswith(b"%PDF-")
    game = tmp_path / "game.jsonl"
    run(*own, "deal", "new", "--map", "tiny", "--game", str(game), "--seed", "1", "--json")
    capsys.readouterr()
    for phase in ("setup", "turn"):  # one roll of setup, as the folder's own rules want it
        run(*own, "deal", "next", "--game", str(game), "--json")
        latest = json.loads(capsys.readouterr().out)["latest"]
        assert latest["phase"] == phase
        assert {card["region"] for card in latest["cards"]} < set(PLACES)

    with resources.more_maps([folder]):
        template = load_map("tiny")
        assert [edition.name for edition in load_editions("tiny")] == ["own"]
        rng = np.random.default_rng(5)
        board = sample_board(template, rng, unfinished=0.0)
        image, _ = render_print(make_print(template, load_design(template)), board, Settings("ordinary", 1600), rng)
    photo = tmp_path / "photo.png"
    cv2.imwrite(str(photo), image)
    run(*own, "score", str(photo), "--json")  # without --map: told from all other maps
    (report,) = json.loads(capsys.readouterr().out)
    assert (report["map"], report["rules"]) == ("tiny", "kitchen")
    doubtful = set(report["uncertain"])
    read = {name: cell["mark"] for name, cell in report["regions"].items() if name not in doubtful}
    for name, mark in board.marks.items():
        if name in read and mark.number is not None:
            assert read[name] == f"{mark.number:02d}", name
    run(*own, "check", "--map", "tiny", "ASH=*")
    assert "a star is always circled when playing at our table" in capsys.readouterr().out
    run(*own, "check", "--map", "tiny", "--game", str(game), "ASH=*", "--json")
    document = json.loads(capsys.readouterr().out)
    assert (document["rules"], document["strict_x"]) == ("kitchen", False)
    run(*own, "check", "--map", "tiny", "--game", str(game), "ASH=*", "--strict-x", "--json")
    document = json.loads(capsys.readouterr().out)
    assert (document["rules"], document["strict_x"]) == ("kitchen", True)
    run(*own, "check", "--map", "usa", "--rules", "kitchen", "WA=*")
    assert "a star is always circled when playing at our table" in capsys.readouterr().out
    run(*own, "solve", "--map", "tiny", str(board))
    assert "points" in capsys.readouterr().out


@pytest.mark.parametrize("words", [("maps",), ("maps", "tiny")], ids=" ".join)
def test_a_slip_in_the_name_of_its_rules_is_told(
    folder: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "rules" / "kitchen.toml").rename(folder / "rules" / "kitchens.toml")
    text = (folder / "rules" / "kitchens.toml").read_text(encoding="utf-8")
    (folder / "rules" / "kitchens.toml").write_text(text.replace('"kitchen"', '"kitchens"'), encoding="utf-8")
    run("--maps-dir", str(folder), *words)
    told = " ".join(capsys.readouterr().out.split())
    assert "tiny is played by rules 'kitchen', which are not known: its boards are not scored." in told


def test_a_game_whose_map_is_not_there_is_not_called_damaged(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is whole; only the folder of its map was not named."""
    own, game = ("--maps-dir", str(folder)), tmp_path / "game.jsonl"
    run(*own, "deal", "new", "--map", "tiny", "--game", str(game), "--seed", "1")
    capsys.readouterr()
    with pytest.raises(SystemExit) as leave:
        main(["deal", "show", "--game", str(game)])
    assert leave.value.code == 5
    assert "no map called 'tiny'\nName the folder of its map with --maps-dir." in capsys.readouterr().err
    run("games", "--dir", str(tmp_path))
    assert "map not found" in capsys.readouterr().out
    run("games", "--dir", str(tmp_path), "--json")
    (listed,) = json.loads(capsys.readouterr().out)
    assert (listed["status"], "--maps-dir" in listed["problem"]) == ("no-map", True)
    run(*own, "games", "--dir", str(tmp_path))
    assert "not begun" in capsys.readouterr().out
