"""The JSON of a report, and its description in docs/json.md."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import readings
import sheet_readings

from ontour_cv.board import parse_board
from ontour_cv.dealer.log import load_game
from ontour_cv.errors import BoardNotFound
from ontour_cv.referee import verify
from ontour_cv.rules import RULEBOOK
from ontour_cv.scorer.document import to_document, to_json
from ontour_cv.scorer.drawing import findings_of
from ontour_cv.scorer.drawn import judge_drawn
from ontour_cv.scorer.game import ByLog
from ontour_cv.scorer.report import Failure, OneGame, PhotoUse, Report
from ontour_cv.scorer.score import score_reading
from ontour_cv.scorer.sheet_score import score_sheet_read
from ontour_cv.scorer.written import judge_written
from ontour_cv.vision.drawn import DrawnTour
from ontour_cv.vision.sums import Sums

PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
SHEETS = PAGE.partition("## A photo of a sheet of Rolling America")[2].partition("## ")[0]
CITIES = PAGE.partition("## A photo of a board of New York")[2].partition("## ")[0]
GAMES = Path(__file__).parents[1] / "fixtures" / "games"


@pytest.fixture
def report() -> Report:
    reading = readings.make_reading(doubts={"WA": {"27": 0.2}, "MC": {"16": 0.3}}, width=300)
    return score_reading("anna.jpg", reading, readings.usa(), timings_ms={"load": 61.23})


@pytest.fixture
def failure() -> Failure:
    return Failure("desk.jpg", BoardNotFound("No board was found in desk.jpg.", "Take it from above."))


def test_the_example_of_the_page_is_what_the_program_prints(report: Report, failure: Failure) -> None:
    example = json.loads(re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[0])
    made: list[dict[str, Any]] = json.loads(to_json([report, failure]))
    assert len(made[0]["regions"]) == 41
    made[0]["regions"] = {region: made[0]["regions"][region] for region in example[0]["regions"]}
    for outcome in (made[0], example[0]):
        outcome["timings_ms"] = list(outcome["timings_ms"])
    assert made == example
    assert [list(outcome) for outcome in made] == [list(outcome) for outcome in example], "fields in the same order"


def test_the_page_tells_every_field(report: Report, failure: Failure) -> None:
    told = set(re.findall(r"^\| `(\w+)` \|", PAGE.replace(SHEETS, "").replace(CITIES, ""), re.MULTILINE))
    uses = (PhotoUse("anna.jpg", report.reading, None), PhotoUse("desk.jpg", None, failure.error))
    record = load_game(GAMES / "evening.jsonl").record
    verdict = verify(report.template, RULEBOOK, record, report.board)
    drawn = judge_drawn(DrawnTour(True, ("WA", "OR"), 9.0), report.cells, report.score)
    beside = OneGame(("ben.jpg",), ("WA",), ())
    more = replace(report, photos=uses, log=ByLog(record, 0.5, verdict), drawn=drawn, one_game=beside)
    scored: Any = to_document(replace(more, written=judge_written(Sums(24, 6, 31, 0.999), more)))
    assert scored["one_game"] == {"others": ["ben.jpg"], "settled": ["WA"], "strange": []}
    used, left_out = scored["photos"]
    assert used == {"photo": "anna.jpg", "used": True}
    parts = (
        scored["game"],
        scored["regions"]["WA"],
        scored["drawn"],
        scored["written"],
        left_out,
        to_document(failure),
    )
    assert told == {*scored, *(name for part in parts for name in part)}


def test_a_drawn_tour_is_told_with_its_faults(report: Report) -> None:
    """From Washington (21) to Oregon (27) and on to Nevada (31), which is doubtful here, or the other way round."""
    cells = {**report.cells, "NV": replace(report.cells["NV"], doubtful=True)}
    drawn = judge_drawn(DrawnTour(True, ("NV", "OR", "WA"), 9.0), cells, report.score)
    made: Any = to_document(replace(report, drawn=drawn))
    assert made["drawn"]["read"] is True
    assert made["drawn"]["route"] == ["WA", "OR", "NV"]
    assert made["drawn"]["score"] == {"total": 4, "visited": 3, "circles": 1}
    assert made["drawn"]["problems"] == []
    assert made["drawn"]["sure"] is False
    none: Any = to_document(replace(report, drawn=judge_drawn(DrawnTour(False, (), 0.0), cells, report.score)))
    assert (none["drawn"]["read"], none["drawn"]["route"], none["drawn"]["score"]) == (False, [], None)
    assert "drawn" not in to_document(report)


def test_the_page_tells_every_field_of_a_sheet() -> None:
    """Those of a board are named together in the first row."""
    told = set(
        re.findall(r"`(\w+)`", " ".join(line.split("|")[1] for line in SHEETS.splitlines() if line[:3] == "| `"))
    )
    made: Any = to_document(score_sheet_read("anna.jpg", sheet_readings.make_sheet_reading(sheet_readings.LEGAL)))
    assert told == {*made, "game", "photos"}


def test_equal_reports_give_equal_bytes(report: Report) -> None:
    again = score_reading("anna.jpg", report.reading, report.template, timings_ms={"load": 61.23})
    one, other = (re.sub(r'"timings_ms": \{.*?\}', "", to_json([each]), flags=re.DOTALL) for each in (report, again))
    assert one == other


def test_every_kind_of_mark_has_its_sign() -> None:
    board = "WA=9 OR=* CA=x NV=. ID=? AZ=7o"
    made: Any = to_document(score_reading("a.jpg", readings.make_reading(board, width=300), readings.usa()))
    signs = {region: made["regions"][region]["mark"] for region in ("WA", "OR", "CA", "NV", "ID", "AZ")}
    assert signs == {"WA": "09", "OR": "*", "CA": "x", "NV": "", "ID": "?", "AZ": "07"}
    assert made["regions"]["AZ"]["circled"] is True
    ids = readings.usa().ids
    assert parse_board(made["board"], ids) == parse_board(board, ids)


def test_alternatives_carry_their_circle_and_an_empty_one_is_an_empty_text() -> None:
    reading = readings.make_reading(doubts={"WA": {"21": 0.2, ".": 0.1}}, width=300)
    made: Any = to_document(score_reading("a.jpg", reading, readings.usa()))
    assert made["regions"]["WA"]["alternatives"] == [["21", 0.2], ["", 0.1]]
    reading = readings.make_reading(doubts={"MC": {"10o": 0.2}}, width=300)
    made = to_document(score_reading("a.jpg", reading, readings.usa()))
    assert made["regions"]["MC"]["alternatives"] == [["10o", 0.2]]


def test_any_file_name_can_be_printed() -> None:
    """Names that are no proper text (from another system) too."""
    text = to_json([Failure("caf\udce9.jpg", BoardNotFound("no board"))])
    assert text.isascii()
    assert json.loads(text)[0]["photo"] == "caf\udce9.jpg"


def test_a_board_of_an_edition_nobody_measured_is_called_that(report: Report) -> None:
    assert not to_document(report)["unmeasured"] and report.edition_text == f"edition {report.edition}"
    placement = replace(report.reading.placement, elsewhere=5)
    other = replace(report, reading=replace(report.reading, placement=placement))
    assert to_document(other)["unmeasured"] and to_document(other)["edition"] == report.edition
    assert other.edition_text == f"an edition nobody measured, most like {report.edition}"
    assert "edition nobody measured" in findings_of(other).title
    assert "edition nobody measured" not in findings_of(report).title


def test_whether_others_may_be_asked_about_later_is_told(report: Report) -> None:
    assert to_document(report)["ask_later"] is False
    assert to_document(replace(report, more=True))["ask_later"] is True
    sheet = score_sheet_read("anna.jpg", sheet_readings.make_sheet_reading(sheet_readings.LEGAL))
    assert [to_document(replace(sheet, more=more))["ask_later"] for more in (False, True)] == [False, True]
