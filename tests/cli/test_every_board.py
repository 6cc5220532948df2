"""``ontour-cv score --every-board``: one picture of a table gives a result for each board, and a ranking."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from calls import Run

from ontour_cv.cli.score import once_each
from ontour_cv.cli.score_options import plan_overlays, spread
from ontour_cv.maps.load import load_map
from ontour_cv.rules.rolling import sheet_score
from ontour_cv.scorer.pictures import every_board
from ontour_cv.sheet import parse_sheet

PHOTOS = Path(__file__).parents[1] / "fixtures" / "photos"
SHEETS = PHOTOS.parent / "sheets"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two fixture photos as one picture."""
    return _side_by_side(tmp_path_factory.mktemp("table"), PHOTOS / "01-plain.jpg", PHOTOS / "07-pastel-board.jpg")


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two photos of sheets as one picture."""
    folder = tmp_path_factory.mktemp("sheets")
    return _side_by_side(folder, SHEETS / "01-upside-down.jpg", SHEETS / "02-pencil.jpg")


def _side_by_side(folder: Path, *photos: Path) -> Path:
    two = [cv2.imread(str(photo)) for photo in photos]
    height = min(len(one) for one in two)
    path = folder / "table.jpg"
    cv2.imwrite(str(path), np.concatenate([one[:height] for one in two], axis=1))
    return path


def _xs(*names: str) -> list[int]:
    """What is written on each sheet."""
    template = load_map("rolling-america")
    texts = [json.loads((SHEETS / f"{name}.json").read_text(encoding="utf-8"))["sheet"] for name in names]
    return [sheet_score(template, parse_sheet(text, template.ids)).total for text in texts]


def _totals(*names: str) -> list[int]:
    return [json.loads((PHOTOS / f"{name}.json").read_text(encoding="utf-8"))["score"]["total"] for name in names]


def test_every_board_of_a_picture_is_scored_by_its_number(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, str(table), "--every-board", "--map", "usa", "--json")
    assert run.code == 0
    told = json.loads(run.out)
    assert [Path(one["photo"]).name for one in told] == ["table.jpg#1", "table.jpg#2"]
    assert [one["score"]["total"] for one in told] == _totals("01-plain", "07-pastel-board")
    assert all(one["other_boards"] == [] for one in told)


def test_without_the_option_one_is_scored_and_the_other_told(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, str(table), "--map", "usa")
    assert run.code == 0
    assert "Another board is in the picture" in run.out
    assert "Ranking" not in run.out


def test_one_board_may_be_named_and_corrected_by_its_number(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = f"{table}#2"
    run = Run(capsys, name, "--map", "usa", "--json", "--set", "WY=x")
    (told,) = json.loads(run.out)
    assert told["photo"] == name
    assert told["regions"]["WY"]["mark"] == "x"


def test_a_board_named_beside_its_picture_is_one_board(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whichever comes first, and by whatever path or link."""
    monkeypatch.setattr("ontour_cv.scorer.pictures.every_board", lambda path, _: (
        [path.with_name(f"{path.name}#{k}") for k in (1, 2)] if path.suffix == ".jpg" else [path]
    ))  # fmt: skip
    monkeypatch.chdir(table.parent)
    (table.parent / "linked.jpg").symlink_to(table)
    for names, once in (
        (["table.jpg", "table.jpg#2"], ["table.jpg#1", "table.jpg#2"]),
        (["table.jpg#2", "table.jpg"], ["table.jpg#2", "table.jpg#1"]),
        (["linked.jpg#2", f"{table}#2", "table.jpg"], ["linked.jpg#2", "table.jpg#1"]),
    ):
        boards = once_each(spread(once_each([Path(name) for name in names]), "usa", False))
        assert boards == [Path(name) for name in once]
    run = Run(capsys, "table.jpg#2", "table.jpg", "--every-board", "--map", "usa", "--json")
    assert [one["photo"] for one in run.documents] == ["table.jpg#2", "table.jpg#1"]


def test_with_a_game_boards_of_other_maps_are_not_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They were: the last board of the game was told not to be in the picture then."""
    fixtures = PHOTOS.parent
    path = _side_by_side(tmp_path, fixtures / "cities" / "01-new-york.jpg", fixtures / "games" / "evening-cleo.jpg")
    run = Run(capsys, str(path), "--every-board", "--game", str(fixtures / "games" / "evening.jsonl"), "--json")
    (told,) = run.documents
    assert (run.code, told["photo"], told["map"]) == (0, str(path), "usa")


@pytest.mark.parametrize("options", [["--same-board"], ["--same-board", "--map", "rolling-america"]])
def test_what_goes_together_with_it_and_what_not(
    table: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    run = Run(capsys, str(table), "--every-board", *options)
    assert run.code == 2
    assert "--every-board" in run.err


def test_every_sheet_of_a_picture_is_scored_and_drawn_by_its_number(
    sheets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Run(capsys, str(sheets), "--every-board", "--overlay", str(tmp_path), "--set", "table.jpg#2:@x=9", "--json")
    assert [Path(one["photo"]).name for one in run.documents] == ["table.jpg#1", "table.jpg#2"]
    assert [one["score"]["total"] for one in run.documents] == _xs("01-upside-down", "02-pencil")
    assert all(one["other_boards"] == [] for one in run.documents)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table-1-route.jpg", "table-2-route.jpg"]
    assert run.documents[1]["written"] == 9 != run.documents[0]["written"]


def test_of_two_sheets_one_is_scored_and_the_other_told(sheets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, str(sheets), "--map", "rolling-america")
    assert run.code == 0
    assert "Another sheet is in the picture" in run.out
    assert "Ranking" not in run.out


def test_a_sheet_beside_a_board_is_told_and_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _side_by_side(tmp_path, PHOTOS / "01-plain.jpg", SHEETS / "01-upside-down.jpg")
    both = Run(capsys, str(path), "--every-board", "--json").documents
    assert [(Path(one["photo"]).name, one["map"]) for one in both] == [
        ("table.jpg#1", "usa"), ("table.jpg#2", "rolling-america"),
    ]  # fmt: skip
    assert [one["score"]["total"] for one in both] == [*_totals("01-plain"), *_xs("01-upside-down")]
    (told,) = Run(capsys, str(path), "--json").documents
    assert (told["map"], [other["where"] for other in told["other_boards"]]) == ("usa", ["right"])
    assert [every_board(path, map_id) for map_id in ("usa", "rolling-america")] == [[path], [path]]


def test_the_overlay_of_one_of_its_boards_never_replaces_the_picture(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = table.read_bytes()
    run = Run(capsys, f"{table}#1", "--map", "usa", "--overlay", str(table))
    assert run.code == 2
    assert table.read_bytes() == before


def test_the_overlay_of_a_board_bears_its_number_and_that_of_a_photo_none(tmp_path: Path) -> None:
    def names(*photos: str) -> list[str]:
        return [target.name for target in plan_overlays(tmp_path, [Path(photo) for photo in photos]).values()]

    assert names("table.jpg#2", "table.jpg#4") == ["table-2-route.jpg", "table-4-route.jpg"]
    assert names("table.jpg", "a/table.jpg") == ["table-route.jpg", "table-route-2.jpg"]
    assert names("table-2.jpg", "table.jpg#2") == ["table-2-route.jpg", "table-2-route-2.jpg"]
