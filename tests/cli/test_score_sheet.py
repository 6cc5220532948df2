"""``ontour-cv score`` on sheets: options, output, exit codes. What is read is made up; everything behind is real."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
import sheet_readings as made
from calls import Run, grey_photos

from ontour_cv.errors import BoardNotFound, MirrorImage
from ontour_cv.vision.photo import Photo

MAP = ("--map", "rolling-america")

PLACED = object()
"""Where a short look sees a sheet."""

SHEETS = {
    "anna": (made.LEGAL + " @rounds=8 @change=1 @x=2", {"AK": {"x": 0.3}}),
    "bert": (made.LEGAL.replace("AK=1", "AK=x").replace("ME=4", "ME=x"), {}),
    "carl": (made.LEGAL.replace("GA=3", "GA=6"), {}),
}


@pytest.fixture(autouse=True)
def looked_for(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Photos are known by their file names; any other name shows no sheet, and none shows a board.

    Gives the names of the photos in which the sheet was not found before.
    """
    names = []

    def read(photo: Photo, found: object = None) -> object:
        if found is not PLACED:
            names.append(photo.name)
        name = Path(photo.name).stem.partition("-")[0]
        if name == "selfie":
            raise MirrorImage(photo.name, "sheet")
        if name not in SHEETS:
            raise BoardNotFound(f"No sheet was found in {photo.name}.", "Take it from above.")
        return made.make_sheet_reading(*SHEETS[name])

    def no_board(photo: Photo, *_: object) -> object:
        raise BoardNotFound(f"No board was found in {photo.name}.", "Take it from above.")

    for module in ("sheet_score", "sheet_several"):
        monkeypatch.setattr(f"ontour_cv.scorer.{module}.read_sheet_photo", read)
    monkeypatch.setattr("ontour_cv.scorer.score.read_board", no_board)
    monkeypatch.setattr("ontour_cv.scorer.score.mark_reader", lambda: None)
    return names


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    grey_photos(tmp_path, *SHEETS, "desk", "selfie")
    return tmp_path


def test_score_states_doubts_and_the_written_number_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "anna.jpg", *MAP)
    assert run.code == 0
    assert "0 Xs = 0 written; 3 powers used" in run.out
    assert "(0 to 2, until AK is answered)" in run.out
    assert "The sheet says 2; X and blanks make 0." in run.out
    assert "AK=1?" in run.out
    assert "AK=1 or AK=x" in run.out


def test_a_mistake_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "carl.jpg", *MAP)
    assert "Georgia has 6" in run.out
    assert "1 X = 0 written + 1 for a mistake" in run.out


@pytest.mark.parametrize(
    ("corrections", "sentence"),
    [
        (("@x=1",), "The sheet says 1, which is right."),
        (("@x=0",), "The sheet says 0, and X and blanks make as many; mistakes make it 1."),
        (("@x=3",), "The sheet says 3; X and blanks make 0."),
        (("@x=3", "AK=?"), "The sheet says 3; X and blanks make 1 if what was not read is blank."),
    ],
    ids=["with the mistake", "without it", "otherwise", "something unread"],
)
def test_the_number_that_is_written_is_compared_with_what_is_there(
    corrections: tuple[str, ...], sentence: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is right only where it is the score."""
    run = Run(capsys, "carl.jpg", *MAP, *(word for text in corrections for word in ("--set", text)))
    assert sentence in " ".join(run.out.split())


def test_a_correction_settles_a_doubt(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (document,) = Run(capsys, "anna.jpg", *MAP, "--json", "--set", "AK=3o", "--set", "@rounds=7").documents
    assert "AK=3o" in document["sheet"]
    assert "@rounds=7" in document["sheet"]
    assert "AK" not in document["uncertain"]


@pytest.mark.parametrize("more", [(), MAP], ids=["any map", "its map named"])
def test_a_mirrored_sheet_is_told_as_one(
    folder: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...]
) -> None:
    run = Run(capsys, "selfie.jpg", *more)
    assert run.code == 3
    assert "mirror image of a sheet" in run.out + run.err
    assert "Flip it" in run.out + run.err


@pytest.mark.parametrize("wrong", ["AK=7", "QQ=3", "@round=3", "AK=12o"])
def test_a_correction_that_means_nothing_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], wrong: str
) -> None:
    run = Run(capsys, "anna.jpg", *MAP, "--set", wrong)
    assert run.code == 5
    assert not run.out


def test_several_sheets_are_ranked_by_fewest_Xs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "bert.jpg", "carl.jpg", "desk.jpg", *MAP)
    assert run.code == 3
    ranking = run.out[run.out.index("Ranking") :]
    assert ranking.index("carl.jpg") < ranking.index("bert.jpg") < ranking.index("desk.jpg")
    assert "No sheet was found" in run.err


def test_sheets_of_a_game_are_told_by_their_players(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = folder / "game.jsonl"
    log.write_text(
        '{"ontour-cv game": 2, "map": "rolling-america", "rules": "rolling", "players": ["Bert", "Dora"], '
        '"created": "2026-11-21T20:00:00Z"}\n',
        encoding="utf-8",
    )
    run = Run(capsys, "bert.jpg", "carl.jpg", "--game", str(log))
    ranking = run.out[run.out.index("Ranking") :]
    assert "Player" in ranking and " Bert " in ranking and "bert.jpg" not in ranking
    assert "Bert (bert.jpg)" in run.out
    given = Run(capsys, "carl.jpg", "--game", str(log), "--player", "dora", "--json")
    assert json.loads(given.out)[0]["game"]["player"] == "Dora"


def test_auto_finds_a_sheet_where_there_is_no_board(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (document,) = Run(capsys, "bert.jpg", "--json").documents
    assert document["map"] == "rolling-america"
    assert document["score"]["total"] >= 2


def test_auto_asks_for_a_sheet_before_it_searches_long_for_a_board_and_once(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, looked_for: list[str]
) -> None:
    def no_board(photo: Photo, *rest: object) -> object:
        instead = rest[-1]
        assert callable(instead)
        assert instead() == (Path(photo.name).stem == "bert")
        raise BoardNotFound(f"No board was found in {photo.name}.", "Take it from above.")

    plain = lambda photo: PLACED if Path(photo.name).stem == "bert" else None  # noqa: E731
    monkeypatch.setattr("ontour_cv.scorer.sheet_score.plain_sheet", plain)
    monkeypatch.setattr("ontour_cv.scorer.score.read_board", no_board)
    (document,) = Run(capsys, "bert.jpg", "--json").documents
    assert document["map"] == "rolling-america"
    assert not looked_for
    assert Run(capsys, "desk.jpg").code == 3
    assert looked_for == ["desk.jpg"]


def test_auto_asks_each_of_several_photos_once_for_a_sheet_before_it_searches_long(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, looked_for: list[str]
) -> None:
    """Whatever kinds of boards are looked for: a minute went by on two photos of a sheet."""
    looked, searched = [], []

    def plain(photo: Photo) -> object:
        looked.append(photo.name)
        return PLACED if photo.name != "desk.jpg" else None

    def no_board(photo: Photo, *rest: object) -> object:
        instead = rest[-1]
        assert callable(instead)
        if not instead():
            searched.append(photo.name)
        raise BoardNotFound(f"No board was found in {photo.name}.", "Take it from above.")

    monkeypatch.setattr("ontour_cv.scorer.sheet_score.plain_sheet", plain)
    for module in ("score", "city_score"):
        monkeypatch.setattr(f"ontour_cv.scorer.{module}.read_board", no_board)
    cv2.imwrite("bert-2.jpg", np.full((120, 160, 3), 90, np.uint8))
    (document,) = Run(capsys, "bert.jpg", "bert-2.jpg", "desk.jpg", "--same-board", "--json").documents
    assert document["map"] == "rolling-america"
    assert [use["used"] for use in document["photos"]] == [True, True, False]
    assert sorted(looked) == ["bert-2.jpg", "bert.jpg", "desk.jpg"]
    assert set(searched) == set(looked_for) == {"desk.jpg"}


@pytest.mark.parametrize("options", [["--rules", "bga"], ["--drawn"], ["--drawn", "--rules", "bga"]])
def test_options_for_boards_are_told_to_change_nothing_on_a_sheet(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    monkeypatch.setattr("ontour_cv.scorer.sheet_score.plain_sheet", lambda _: None)
    plain, told = Run(capsys, "bert.jpg"), Run(capsys, "bert.jpg", *options)
    assert (told.code, told.out) == (0, plain.out)
    assert plain.err == ""
    for option in ("--rules", "--drawn"):
        assert (f"{option} is for boards; it changes nothing on sheets: bert.jpg" in told.err) is (option in options)


def test_neither_board_nor_sheet_keeps_the_words_of_boards(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "desk.jpg")
    assert run.code == 3
    assert "No board was found" in run.err


def test_an_overlay_is_drawn(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "anna.jpg", *MAP, "--overlay", "out")
    assert run.code == 0
    picture = cv2.imread(str(folder / "out" / "anna-route.jpg"))
    assert picture is not None
    assert picture.shape[1] == 1800


@pytest.mark.parametrize("words", [("--rules", "bga")])
def test_what_only_boards_have_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    run = Run(capsys, "anna.jpg", "bert.jpg", *MAP, *words)
    assert run.code == 2
    assert not run.out


def test_photos_of_one_sheet_give_one_score(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photos = ("anna.jpg", "anna-2.jpg", "desk.jpg")
    cv2.imwrite("anna-2.jpg", np.full((120, 160, 3), 90, np.uint8))
    for map_id in ("rolling-america", "auto"):
        run = Run(capsys, *photos, "--map", map_id, "--same-board")
        assert run.code == 0
        assert "anna-2.jpg: read together" in run.out
        assert "desk.jpg: left out" in run.out
        assert "Ranking" not in run.out
    document = json.loads(Run(capsys, *photos, "--map", "rolling-america", "--same-board", "--json").out)
    assert [use["used"] for use in document[0]["photos"]] == [True, True, False]


def test_a_camera_photographs_a_sheet(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from ontour_cv.camera.watch import Caught

    def caught(*_: object) -> Caught:
        return Caught((Photo("anna", np.full((120, 160, 3), 90, np.uint8)),), 4, True, "got it")

    monkeypatch.setattr("ontour_cv.camera.watch.watch", caught)
    run = Run(capsys, "--map", "rolling-america", "--camera", str(folder), "--set", "AK=x", "--json")
    assert run.code == 0
    assert json.loads(run.out)[0]["regions"]["AK"]["mark"] == "x"
