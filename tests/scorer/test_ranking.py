"""Boards of a city beside one another: what was not read leaves the places open."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import cast

import pytest

from ontour_cv.cli.console import make_console
from ontour_cv.cli.score_city_view import show_city_ranking
from ontour_cv.maps.load import load_map
from ontour_cv.rules.city import city_score
from ontour_cv.scorer.city_drawn import Given, decide
from ontour_cv.scorer.city_questions import city_questions
from ontour_cv.scorer.city_report import CityReport
from ontour_cv.scorer.ranking import rank
from ontour_cv.synth.play_city import play_city
from ontour_cv.vision.city_read import CityInkReading
from ontour_cv.vision.decode import CellReading

TEMPLATE = load_map("new-york-home")
BOARD = play_city(TEMPLATE, random.Random(3)).boards[0]


def report(looked: bool) -> CityReport:
    """A report on one and the same board, with what is drawn on it read, or never looked for."""
    cells = {region: CellReading(mark, 1.0, (), False) for region, mark in BOARD.marks.items()}
    soloists = {region: {BOARD.soloists.get(region, ""): 1.0} for region in TEMPLATE.ids}
    ink = CityInkReading(soloists, dict.fromkeys(BOARD.ferries, 0.999), {}) if looked else None
    drawn = decide(ink, TEMPLATE, cells, Given())
    made = SimpleNamespace(template=TEMPLATE, cells=cells, drawn=drawn, photo="board.jpg")
    board = CityReport.board.fget(made)  # type: ignore[attr-defined]
    found = city_questions(TEMPLATE, board, cells, drawn)
    return CityReport(
        photo="board.jpg",
        template=TEMPLATE,
        reading=cast("object", None),  # type: ignore[arg-type]
        cells=cells,
        drawn=drawn,
        corrected=(),
        problems=(),
        score=city_score(TEMPLATE, board),
        score_range=found.score_range,
        ask=found.ask,
        timings_ms={},
        more=found.more,
    )


def test_a_board_whose_ferries_and_soloists_were_not_read_may_be_worth_more_than_any_below_it() -> None:
    whole, partly = report(looked=True), report(looked=False)
    assert partly.score.total < whole.score.total
    assert [standing.settled for standing in rank([partly, report(looked=False)])] == [False, False]
    assert [standing.settled for standing in rank([whole, partly])] == [False, False]
    assert [standing.settled for standing in rank([whole, report(looked=True)])] == [True, True]


def test_a_board_of_which_not_all_was_read_stays_below_none_it_surely_beats() -> None:
    """What is missing only adds points: the least the one is worth is more than the other's most."""
    whole = report(looked=True)
    low = SimpleNamespace(score=SimpleNamespace(total=1), score_range=(1, 1), drawn=whole.drawn)
    ahead = cast(CityReport, low)
    assert all(standing.settled for standing in rank([report(looked=False), ahead]))


def test_nothing_left_to_ask_is_no_promise_where_something_was_not_read() -> None:
    assert (report(looked=False).ask, report(looked=False).more) == ((), True)
    assert (report(looked=True).ask, report(looked=True).more) == ((), False)


def test_the_ranking_says_at_least_of_a_board_not_read_wholly(capsys: pytest.CaptureFixture[str]) -> None:
    whole, partly = report(looked=True), report(looked=False)
    show_city_ranking(rank([whole, partly]), [], make_console())
    out = capsys.readouterr().out
    assert f"at least {partly.score.total}" in out
    assert f"at least {whole.score.total}" not in out
    assert out.count("place still open") == 2
