"""``ontour-cv score`` on a New York board: discs are read, ferries and soloists are given, and the output says so."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.city_board import CityBoard, parse_city_board
from ontour_cv.cli.app import app
from ontour_cv.errors import BadBoard, UsageError
from ontour_cv.maps.load import load_map
from ontour_cv.press.design import load_design
from ontour_cv.rules.city import city_score
from ontour_cv.scorer.city_score import city_range
from ontour_cv.synth.city_ink import with_city_ink
from ontour_cv.synth.develop import encode
from ontour_cv.synth.photograph import Settings, render_print
from ontour_cv.synth.play_city import play_city
from ontour_cv.synth.printed import make_print
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.vision.decode import CellReading

MAP = "new-york-home"
TEMPLATE = load_map(MAP)


@pytest.fixture(scope="module")
def shot(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, CityBoard]:
    """A clean photo of a played board, soloists ticked and ferries drawn, and the board."""
    board = play_city(TEMPLATE, random.Random(0)).boards[0]
    rng = np.random.default_rng(0)
    writer = sample_writer(rng)
    sheet = with_city_ink(make_print(TEMPLATE, load_design(TEMPLATE)), board.soloists, board.ferries, writer, rng)
    picture, _ = render_print(sheet, board.board, Settings("ordinary", 1900, notes=0.0), rng, writer)
    path = tmp_path_factory.mktemp("city") / "board.jpg"
    path.write_bytes(bytes(encode(picture, 92, True)))
    return path, board


def score(*words: str) -> str:
    result = CliRunner().invoke(app, ["score", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def given(board: CityBoard) -> list[str]:
    tokens = [token for token in str(board).split() if token[0] == "~" or token[-1] in "smdg"]
    return [word for token in tokens for word in ("--set", token)]


def test_with_ferries_and_soloists_given_the_board_is_worth_what_it_is(shot: tuple[Path, CityBoard]) -> None:
    path, board = shot
    assert board.ferries
    assert board.soloists
    (document,) = json.loads(score(str(path), "--map", MAP, "--json", *given(board)))
    assert document["board"] == str(board)
    assert document["score"]["total"] == city_score(TEMPLATE, board).total
    assert document["not_read"] == ["ferries", "soloists", "rows"]


def test_without_them_the_score_is_called_the_least_and_says_what_is_missing(shot: tuple[Path, CityBoard]) -> None:
    """Any map is recognised, too."""
    path, board = shot
    told = " ".join(score(str(path)).split())
    bare = city_score(TEMPLATE, CityBoard(board.board)).total
    assert bare < city_score(TEMPLATE, board).total
    assert f"At least {bare} points" in told
    assert "Ferries and soloists were not read from the photo" in told
    assert "0 ferries and 0 soloists" in told


@pytest.mark.parametrize(
    "words",
    [("--camera", "0"), ("--same-board",), ("--rules", "rulebook"), ("--overlay", "out.jpg")],
    ids=lambda words: words[0],
)
def test_options_of_other_boards_are_refused(shot: tuple[Path, CityBoard], words: tuple[str, ...]) -> None:
    photos = [] if words[0] == "--camera" else [str(shot[0])]
    with pytest.raises(UsageError):
        score(*photos, "--map", MAP, *words)


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
    low, high = city_range(TEMPLATE, board, cells)
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
    assert city_range(TEMPLATE, board, cells) == (city_score(TEMPLATE, board).total,) * 2
