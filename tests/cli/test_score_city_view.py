"""Reports on boards of New York as people read them."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from ontour_cv.board import Kind, Mark
from ontour_cv.city_board import UNREAD_SOLOIST
from ontour_cv.cli.city import check_city_game
from ontour_cv.cli.console import make_console
from ontour_cv.cli.score_city_view import doubts, log_texts, show_city, show_city_ranking
from ontour_cv.cli.score_game import Table
from ontour_cv.maps.city import INSTRUMENTS
from ontour_cv.maps.load import load_map
from ontour_cv.referee import city_verify as verify
from ontour_cv.referee.city_verify import verify_city
from ontour_cv.scorer.city_document import city_report_document
from ontour_cv.scorer.city_report import CityByLog, CityReport
from ontour_cv.scorer.city_score import score_city_photo
from ontour_cv.scorer.ranking import rank
from ontour_cv.synth.play_city import play_city

FIXTURES = Path(__file__).parents[1] / "fixtures"

NEW_YORK = load_map("new-york-home")
GAME = play_city(NEW_YORK, random.Random(3))
RECORD, BOARD = GAME.record, GAME.boards[0]


def told(**parts: object) -> list[tuple[str, str, str, str, list[str]]]:
    """The doubts of a board where SOHO holds a 37 and FIDI an 08."""
    cells = {
        region: SimpleNamespace(mark=Mark(Kind.EMPTY), confidence=1.0, alternatives=(), doubtful=False)
        for region in NEW_YORK.ids
    }
    cells["SOHO"] = SimpleNamespace(
        mark=Mark(Kind.NUMBER, 37), confidence=0.8, alternatives=((Mark(Kind.NUMBER, 31), 0.19),), doubtful=True
    )
    cells["FIDI"].mark = Mark(Kind.NUMBER, 8)
    drawn = {"soloists": {"FIDI": "g"}, "open_soloists": {}, "open_ferries": {}} | parts
    report = SimpleNamespace(template=NEW_YORK, cells=cells, uncertain=("SOHO",), drawn=SimpleNamespace(**drawn))
    return list(doubts(report))  # type: ignore[arg-type]


def test_a_number_in_doubt_is_told_with_its_runner_up_and_what_to_answer() -> None:
    (row,) = told()
    assert row[0] == "SOHO" and row[1].startswith("SOHO ")
    assert row[2:] == ("37 (80 %)", "31 (19 %)", ["SOHO=37", "SOHO=31"])


def test_a_soloist_in_doubt_is_told_by_name() -> None:
    _, row = sorted(told(open_soloists={"FIDI": ("", "s")}), key=lambda row: row[0] == "FIDI")
    assert row[2:] == ("guitar", "no soloist, saxophone", ["FIDI=08g", "FIDI=08", "FIDI=08s"])


def test_a_soloist_that_the_photo_does_not_show_is_a_doubt_with_answers() -> None:
    *_, row = sorted(
        told(soloists={"FIDI": UNREAD_SOLOIST}, open_soloists={"FIDI": ("", *INSTRUMENTS)}),
        key=lambda row: row[0] == "FIDI",
    )
    assert row[2:] == ("soloist not readable", "no soloist, saxophone", ["FIDI=08", "FIDI=08s"])


def test_a_search_that_ended_early_accuses_nobody_in_the_words_of_check(capsys: pytest.CaptureFixture[str]) -> None:
    verdict = verify_city(NEW_YORK, RECORD, BOARD, effort=0)
    (told,) = log_texts(cast(CityReport, None), CityByLog(RECORD, verdict, True))
    assert told.startswith("By the log, not decided:") and "slip" not in told and "explain" not in told
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(verify, "verify_city", lambda *_: verdict)
        check_city_game([str(BOARD)], NEW_YORK, (Path("game.json"), RECORD), turns=False, as_json=False)
    same = told.partition(": ")[2]
    assert f"Not decided: {same}" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("least", [1, 3])
def test_slips_that_could_not_be_named_are_told_by_their_least_number(least: int) -> None:
    verdict = replace(verify_city(NEW_YORK, RECORD, BOARD, effort=0), at_least=least)
    (told,) = log_texts(cast(CityReport, None), CityByLog(RECORD, verdict, True))
    assert told == f"By the log: it takes {least} slip{'s' * (least > 1)} or more to explain this board."


@pytest.mark.parametrize(("chance", "first"), [(0.9, "drawn (90 %)"), (0.1, "not drawn (90 %)")])
def test_a_ferry_in_doubt_is_told_with_the_likelier_answer_first(chance: float, first: str) -> None:
    row = told(open_ferries={("SOHO", "STG"): chance})[-1]
    assert row[:3] == ("~SOHO-STG", "ferry SOHO-STG", first)
    assert row[4][0] == ("~SOHO-STG" if chance > 0.5 else "~SOHO-STG=.")


def test_a_report_has_the_route_the_board_in_one_line_and_the_doubts(capsys: pytest.CaptureFixture[str]) -> None:
    photo = FIXTURES / "cities" / "02-new-york-line-art.jpg"
    report = score_city_photo(photo, NEW_YORK.id)
    show_city(report, make_console())
    lines = capsys.readouterr().out.splitlines()
    assert f"    {report.board}" in lines
    assert any(line.startswith(f"    {report.score.route[0]} ") for line in lines)
    named = [row[1] for row in doubts(report)]
    assert named and all(any(line.startswith(name) for line in lines) for name in named)


def test_a_board_of_a_game_is_told_by_its_player(capsys: pytest.CaptureFixture[str]) -> None:
    report = score_city_photo(FIXTURES / "cities" / "01-new-york.jpg", NEW_YORK.id)
    judged = replace(report, photo="b.jpg", log=CityByLog(RECORD, verify_city(NEW_YORK, RECORD, BOARD, effort=0), True))
    (named,) = Table(NEW_YORK.id, RECORD, ("Ann",)).named([judged])
    assert isinstance(named, CityReport)
    show_city(named, make_console())
    show_city_ranking(rank([named, judged]), [], make_console())
    text, _, ranking = capsys.readouterr().out.partition("Ranking")
    assert text.startswith("Ann (b.jpg)")
    assert "Player" in ranking and " Ann " in ranking
    assert city_report_document(named)["game"]["player"] == "Ann"  # type: ignore[index,call-overload]
