"""``ontour-cv score`` on a New York board: discs, soloists, ferries and rows are read, and what is given wins."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.city_board import CityBoard, parse_city_board
from ontour_cv.cli.app import app
from ontour_cv.cli.score_city_view import log_texts
from ontour_cv.errors import BadBoard, UsageError
from ontour_cv.maps.load import load_map
from ontour_cv.press.design import load_design
from ontour_cv.rules.city import city_score
from ontour_cv.scorer.city_document import city_report_document
from ontour_cv.scorer.city_questions import city_questions
from ontour_cv.scorer.city_score import judged, score_city_photo
from ontour_cv.synth.city_ink import with_city_ink
from ontour_cv.synth.develop import encode
from ontour_cv.synth.photograph import Settings, render_print
from ontour_cv.synth.play_city import crossed_rows, play_city
from ontour_cv.synth.printed import make_print
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.vision.decode import CellReading

MAP = "new-york-home"
TEMPLATE = load_map(MAP)


@pytest.fixture(scope="module")
def shot(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, CityBoard]:
    """A clean photo of a played board, soloists ticked, ferries drawn and rows crossed off, and the board."""
    board = play_city(TEMPLATE, random.Random(0)).boards[0]
    board = replace(board, tracks=crossed_rows(TEMPLATE, city_score(TEMPLATE, board).route, board))
    rng = np.random.default_rng(0)
    writer = sample_writer(rng)
    sheet = with_city_ink(make_print(TEMPLATE, load_design(TEMPLATE)), board, writer, rng, 0.0)
    picture, _ = render_print(sheet, board.board, Settings("ordinary", 1900, notes=0.0), rng, writer)
    path = tmp_path_factory.mktemp("city") / "board.jpg"
    path.write_bytes(bytes(encode(picture, 92, True)))
    return path, board


def score(*words: str) -> str:
    result = CliRunner().invoke(app, ["score", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def without_rows(board: CityBoard) -> str:
    return str(replace(board, tracks={}))


def test_marks_soloists_and_ferries_are_read_and_the_score_is_told_as_it_is(shot: tuple[Path, CityBoard]) -> None:
    path, board = shot
    assert board.ferries
    assert board.soloists
    (document,) = json.loads(score(str(path), "--map", MAP, "--json"))
    read = parse_city_board(document["board"], TEMPLATE.ids)
    assert without_rows(read) == without_rows(board)
    assert document["not_read"] == []
    total = city_score(TEMPLATE, board).total
    assert document["score"]["total"] == total
    low, high = document["score_range"]
    assert low <= total <= high
    assert bool(document["ask"]) == (low < high)


def test_rows_that_are_told_are_crossed_off_so_far(shot: tuple[Path, CityBoard]) -> None:
    path, board = shot
    (document,) = json.loads(score(str(path), "--map", MAP, "--json"))
    told = parse_city_board(document["board"], TEMPLATE.ids).tracks
    assert told
    assert set(told.items()) <= set(board.tracks.items())


def test_the_page_on_json_tells_every_field(shot: tuple[Path, CityBoard]) -> None:
    (document,) = json.loads(score(str(shot[0]), "--map", MAP, "--json"))
    page = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    section = page.partition("## A photo of a board of New York")[2].partition("## ")[0]
    named = re.findall(r"`(\w+)`", " ".join(line.split("|")[1] for line in section.splitlines() if line[:3] == "| `"))
    assert set(named) == {*document, "photos", "game", "drawn"}


def test_any_map_is_recognised_and_the_route_tells_where_the_ferry_goes(shot: tuple[Path, CityBoard]) -> None:
    path, board = shot
    told = " ".join(score(str(path)).split())
    assert f" {city_score(TEMPLATE, board).total} points = " in told
    assert "At least" not in told
    assert without_rows(board) in told


def test_what_is_given_wins(shot: tuple[Path, CityBoard]) -> None:
    path, board = shot
    a, b = board.ferries[0]
    region = next(iter(board.soloists))
    number = board.marks[region]
    sets = (f"~{a}-{b}=.", "~SOHO-STG", f"{region}={number}", "@s=1")
    (document,) = json.loads(score(str(path), "--map", MAP, "--json", *(w for text in sets for w in ("--set", text))))
    read = parse_city_board(document["board"], TEMPLATE.ids)
    assert (a, b) not in read.ferries
    assert ("SOHO", "STG") in read.ferries
    assert region not in read.soloists
    assert read.tracks["s"] == 1


def test_what_is_given_is_understood_before_the_map_is_known(shot: tuple[Path, CityBoard]) -> None:
    path, board = shot
    ferry = "~" + "-".join(board.ferries[0])
    words = [str(path), "--set", "SOHO=37s", "--set", f"{ferry}=.", "--json"]
    assert json.loads(score(*words))[0]["board"] == json.loads(score(*words, "--map", MAP))[0]["board"]
    (made,) = json.loads(score(str(path), str(path), "--same-board", *words[1:]))
    assert "SOHO=37s" in made["board"].split()


def test_several_boards_are_ranked(
    shot: tuple[Path, CityBoard], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("anna.jpg", "bert.jpg"):
        Path(name).write_bytes(shot[0].read_bytes())
    told = score("anna.jpg", "bert.jpg", "--set", "bert.jpg:SOHO=.", "--map", MAP)
    first, second = (line.split() for line in told.partition("Ranking")[2].splitlines() if ".jpg" in line)
    assert (first[0], second[0]) in (("1", "2"), ("1=", "1="))
    assert int(first[2]) >= int(second[2])


def test_a_ferry_given_and_taken_away_makes_no_sense(shot: tuple[Path, CityBoard]) -> None:
    with pytest.raises(UsageError, match="given and taken away"):
        score(str(shot[0]), "--map", MAP, "--set", "~SOHO-STG", "--set", "~STG-SOHO=.")


def test_on_another_print_the_score_is_called_the_least_and_says_what_is_missing(
    shot: tuple[Path, CityBoard], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The drawing of somebody else's print is not known, so ferries and soloists have to be given."""
    path, board = shot
    monkeypatch.setattr("ontour_cv.scorer.city_drawn.NAME", "some other")
    told = " ".join(score(str(path), "--map", MAP).split())
    assert f"At least {city_score(TEMPLATE, CityBoard(board.board)).total} points" in told
    assert "Ferries and soloists were not read from the photo" in told


def test_options_of_other_boards_are_refused(shot: tuple[Path, CityBoard]) -> None:
    with pytest.raises(UsageError):
        score(str(shot[0]), "--map", MAP, "--rules", "rulebook")


@pytest.fixture
def other_side(shot: tuple[Path, CityBoard]) -> Path:
    """The same board once more, darker, upside down, its upper part under glare."""
    picture = cv2.imread(str(shot[0]))
    assert picture is not None
    turned = (0.85 * picture[::-1, ::-1]).astype(np.uint8)
    turned[-turned.shape[0] // 3 :] = 250
    path = shot[0].with_name("other.jpg")
    cv2.imwrite(str(path), turned)
    return path


@pytest.mark.parametrize("map_id", [MAP, "auto"])
def test_two_photos_of_one_board_give_one_score(
    shot: tuple[Path, CityBoard], other_side: Path, tmp_path: Path, map_id: str
) -> None:
    path, board = shot
    target = tmp_path / "out.png"
    words = [str(path), str(other_side), "--map", map_id, "--same-board"]
    told = score(*words, "--overlay", str(target))
    assert told.count("read together") == 2
    assert f"{city_score(TEMPLATE, board).total} points" in told
    assert target.exists()
    (made,) = json.loads(score(*words, "--json"))
    assert parse_city_board(made["board"], TEMPLATE.ids).ferries == board.ferries
    assert [(use["photo"], use["used"]) for use in made["photos"]] == [(str(path), True), (str(other_side), True)]


def test_photos_of_two_boards_are_not_mixed(shot: tuple[Path, CityBoard]) -> None:
    fixture = Path(__file__).resolve().parent.parent / "fixtures" / "cities" / "01-new-york.jpg"
    with pytest.raises(UsageError, match="different boards"):
        score(str(shot[0]), str(fixture), "--map", MAP, "--same-board")


def test_a_camera_photographs_a_board(shot: tuple[Path, CityBoard], tmp_path: Path) -> None:
    for k in range(4):
        (tmp_path / f"{k}.jpg").write_bytes(shot[0].read_bytes())
    (made,) = json.loads(score("--map", MAP, "--camera", str(tmp_path), "--set", "SOHO=37s", "--json"))
    assert made["regions"]["SOHO"]["mark"] == "37"
    assert all(use["used"] for use in made["photos"])


def test_the_overlay_is_the_photo_with_more_on_it(shot: tuple[Path, CityBoard], tmp_path: Path) -> None:
    target = tmp_path / "out.png"
    score(str(shot[0]), "--map", MAP, "--overlay", str(target))
    drawn = cv2.imread(str(target))
    assert drawn is not None
    assert min(drawn.shape[:2]) > 800


def test_the_log_of_the_game_has_no_slip_to_tell_and_another_game_has(shot: tuple[Path, CityBoard]) -> None:
    report = score_city_photo(shot[0], MAP)
    own = judged(report, play_city(TEMPLATE, random.Random(0)).record)
    assert own.log is not None
    assert own.log.verdict.legal
    assert own.log.sure == (not report.doubts)
    assert city_report_document(own)["game"]["legal"] is True  # type: ignore[index, call-overload]
    assert log_texts(own, own.log) == ["By the log: no slip."]
    other = judged(report, play_city(TEMPLATE, random.Random(9)).record)
    assert other.log is not None
    assert not other.log.verdict.legal
    assert log_texts(other, other.log)[0].startswith("By the log: it takes")


@pytest.mark.parametrize("text", ["~SOHO-NOWHERE", "SOHO=137", "@q=1"])
def test_what_does_not_parse_is_refused(shot: tuple[Path, CityBoard], text: str) -> None:
    with pytest.raises(BadBoard):
        score(str(shot[0]), "--map", MAP, "--set", text)


def answers() -> Iterator[Mark]:
    yield from (Mark(kind) for kind in (Kind.EMPTY, Kind.BLOCKED, Kind.STAR))
    yield from (Mark(Kind.NUMBER, number) for number in range(0, 100, 9))


@pytest.mark.parametrize("seed", [1, 2])
def test_the_range_holds_every_answer_to_a_doubt(seed: int) -> None:
    board = play_city(TEMPLATE, random.Random(seed)).boards[0]
    region = random.Random(seed).choice(city_score(TEMPLATE, board).route)
    cells = {r: CellReading(mark, 0.6, (), r == region) for r, mark in board.marks.items()}
    low, high = city_questions(TEMPLATE, board, cells).score_range
    for mark in answers():
        for soloist in ("", "s", "g"):
            marks = BoardState({**board.marks, region: mark})
            soloists = {r: letter for r, letter in board.soloists.items() if r != region}
            if soloist and mark.kind is Kind.NUMBER and region in board.soloists:
                soloists[region] = soloist
            answered = replace(board, board=marks, soloists=soloists)
            assert low <= city_score(TEMPLATE, answered).total <= high


def test_a_board_without_doubts_has_one_score() -> None:
    board = parse_city_board("SOHO=37s FIDI=41", TEMPLATE.ids)
    cells = {r: CellReading(mark, 1.0, (), doubtful=False) for r, mark in board.marks.items()}
    assert city_questions(TEMPLATE, board, cells).score_range == (city_score(TEMPLATE, board).total,) * 2
