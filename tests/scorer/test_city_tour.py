"""A tour drawn on New York: the ferries drawn join its pieces by land, but are none by themselves; it is judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import pytest

from ontour_cv.city_board import Pair, parse_city_board
from ontour_cv.cli.score_city_view import not_read_texts, tour_texts
from ontour_cv.maps.load import load_map
from ontour_cv.scorer.city_document import city_report_document
from ontour_cv.scorer.city_drawing import city_findings
from ontour_cv.scorer.city_report import CityReport
from ontour_cv.scorer.city_score import score_city_photo
from ontour_cv.scorer.city_tour import TAKEN, city_price, ferry_costs, judge_city_tour, with_city_tour
from ontour_cv.scorer.drawn import link_reader
from ontour_cv.vision.drawn import LEAST_PLACES, DrawnTour
from ontour_cv.vision.drawn_path import LikelyPath, likely_path

TEMPLATE = load_map("new-york-home")
LINKS = TEMPLATE.edges()
MARGIN = 1.7
PHOTO = Path(__file__).parents[1] / "fixtures" / "cities" / "04-new-york-tour.jpg"
TOUR = ["THRO", "PELH", "MORR", "FORD", "RIVE", "CHEL", "EVIL", "MIDT", "UES", "EHAR", "HARL", "UWS"]
"""As anybody sees who looks at the picture; from Riverdale to Chelsea by ferry."""


@cache
def report() -> CityReport:
    return score_city_photo(PHOTO, TEMPLATE.id)


def likely(board: str, drawn: str, ferries: Mapping[Pair, float]) -> LikelyPath:
    """The likeliest tour on a board where the links ``A-B`` of ``drawn`` are plain to see and others plainly bare."""
    wanted = {frozenset(link.split("-")) for link in drawn.split()}
    assert wanted <= {frozenset(link) for link in LINKS}
    odds = [6.0 if frozenset(link) in wanted else -6.0 for link in LINKS]
    price = city_price(parse_city_board(board, TEMPLATE.ids).board, LINKS, tuple(ferries))
    path = likely_path([*LINKS, *ferries], [*odds, *(-cost for cost in ferries.values())], MARGIN, price, LEAST_PLACES)
    assert path is not None
    return path


MANHATTAN = "CHEL=10 SOHO=20 FIDI=30"
ISLAND = "STG=40 NEWS=50 TOTT=60"
LEGS = "CHEL-SOHO SOHO-FIDI STG-NEWS NEWS-TOTT"


def test_pieces_by_land_are_one_tour_by_the_ferry_between_them() -> None:
    path = likely(f"{MANHATTAN} {ISLAND}", LEGS, {("FIDI", "STG"): TAKEN, ("SOHO", "STAP"): TAKEN})
    assert " ".join(path.places) == "CHEL SOHO FIDI STG NEWS TOTT"
    assert path.margin == MARGIN


def test_without_a_ferry_they_are_none_that_could_be_told() -> None:
    path = likely(f"{MANHATTAN} {ISLAND}", LEGS, {})
    assert path.cost > 8.0


def test_whether_a_tour_goes_on_by_the_ferry_at_its_end_is_not_sure_where_the_numbers_allow_it() -> None:
    board = f"MIDT=05 {MANHATTAN} STG=40"
    path = likely(board, "CHEL-MIDT CHEL-SOHO SOHO-FIDI", {("FIDI", "STG"): TAKEN})
    assert set(path.places) == {"MIDT", "CHEL", "SOHO", "FIDI", "STG"}
    assert path.margin < link_reader().members[0].margin
    path = likely(board.replace("40", "25"), "CHEL-MIDT CHEL-SOHO SOHO-FIDI", {("FIDI", "STG"): TAKEN})
    assert set(path.places) == {"MIDT", "CHEL", "SOHO", "FIDI"}
    assert path.margin >= link_reader().members[0].margin


def test_with_two_lawful_ferries_at_its_end_none_is_sure() -> None:
    board = f"MIDT=05 {MANHATTAN} STG=40 REDH=50"
    path = likely(board, "CHEL-MIDT CHEL-SOHO SOHO-FIDI", {("FIDI", "STG"): TAKEN, ("FIDI", "REDH"): TAKEN})
    assert path.margin < MARGIN


def test_ferries_one_behind_the_other_are_no_tour() -> None:
    ferries = dict.fromkeys([("FIDI", "STG"), ("REDH", "STG"), ("REDH", "SOHO")], TAKEN)
    path = likely("FIDI=10 STG=20 REDH=30 SOHO=40", "", ferries)
    assert path.places == ()
    assert path.margin == MARGIN


def test_a_ferry_in_doubt_costs_what_it_is_unlikely_and_one_along_a_link_is_that_link() -> None:
    drawn = replace(
        report().drawn,
        ferries=(("FIDI", "STG"), ("SOHO", "STG"), ("HOWA", "ENY")),
        open_ferries={("SOHO", "STG"): 0.8, ("FIDI", "DUMB"): 0.1},
    )
    costs = ferry_costs(replace(report(), drawn=drawn), LINKS)
    assert costs == {
        ("FIDI", "STG"): TAKEN,
        ("SOHO", "STG"): TAKEN,
        ("FIDI", "DUMB"): pytest.approx(2.197, abs=1e-3),
    }


def test_the_tour_on_a_fixture_photo_is_read_judged_and_told() -> None:
    told = with_city_tour(report())
    assert told.tour is not None
    assert list(told.tour.places) == TOUR
    assert not told.tour.problems
    assert told.tour.sure
    assert told.tour.score is not None
    soloists = told.board.soloists
    assert told.tour.score.visited == 12
    assert told.tour.score.total == 12 + sum(
        TEMPLATE.city.tracks[letter][count - 1]  # type: ignore[union-attr]
        for letter in "smdg"
        if (count := sum(soloists.get(region) == letter for region in TOUR))
    )
    assert tour_texts(told) == ["You drew 23, the best is 23: no route is better."]
    assert (told.board, told.ask, told.score, told.score_range) == (
        report().board,
        report().ask,
        report().score,
        report().score_range,
    )


def test_a_breach_and_the_better_way_are_told() -> None:
    tour = judge_city_tour(DrawnTour(True, ("RIVE", "CHEL", "SOHO", "FIDI"), 9.0), report())
    assert [problem.regions for problem in tour.problems] == [("CHEL", "RIVE")]
    first, *others = tour_texts(replace(report(), tour=tour))
    assert first == "You drew 8, the best is 23: from CHEL go to EVIL, not RIVE."
    assert others[0] == "The drawn tour breaks a rule: the number falls from 84 in CHEL to 69 in RIVE."


def test_json_and_overlay_have_it() -> None:
    told = with_city_tour(report())
    document = city_report_document(told)["drawn"]
    assert isinstance(document, dict)
    assert document["route"] == TOUR
    assert document["score"]["total"] == 23  # type: ignore[index, call-overload]
    assert "drawn" not in city_report_document(report())
    assert city_findings(told).drawn == ()  # it is the best route
    other = judge_city_tour(DrawnTour(True, ("RIVE", "CHEL", "SOHO", "FIDI"), 9.0), report())
    assert city_findings(replace(report(), tour=other)).drawn == (("FIDI", "SOHO"), ("SOHO", "CHEL"))
    assert city_findings(report()).drawn == ()


def test_no_tour_and_one_not_read_have_no_score() -> None:
    for read in (True, False):
        tour = judge_city_tour(DrawnTour(read, (), 1.0, 9), report())
        assert (tour.read, tour.score, tour.places) == (read, None, ())
    none = replace(report(), tour=judge_city_tour(DrawnTour(True, (), 1.0), report()))
    assert tour_texts(none) == ["No drawn tour was read."]
    assert tour_texts(report()) == []


def test_a_mark_or_ferry_in_doubt_leaves_its_worth_open() -> None:
    seen = DrawnTour(True, ("CHEL", "SOHO", "FIDI", "STG"), 9.0)
    sure = replace(report(), drawn=replace(report().drawn, open_soloists={}, open_ferries={}))
    sure = replace(sure, cells={r: replace(cell, doubtful=False) for r, cell in report().cells.items()})
    assert judge_city_tour(seen, sure).sure
    for unsure in ({"open_soloists": {"SOHO": ("s",)}}, {"open_ferries": {("FIDI", "STG"): 0.7}}):
        assert not judge_city_tour(seen, replace(sure, drawn=replace(sure.drawn, **unsure))).sure


def test_ferries_to_where_the_photo_ends_are_neither_told_nor_denied(tmp_path: Path) -> None:
    """The right part of the board is cut off: its ferries are not in the picture, and what is smeared there is none."""
    whole = score_city_photo(PHOTO, TEMPLATE.id)
    picture = cv2.imread(str(PHOTO))
    part = tmp_path / "part.png"
    cv2.imwrite(str(part), picture[:, : int(0.6 * picture.shape[1])])
    cut = score_city_photo(part, TEMPLATE.id)
    outside = {region for region, place in cut.reading.placement.cells.items() if not place.inside}
    beyond = {pair for pair in whole.drawn.ferries if outside & set(pair)}
    assert beyond and cut.ink is not None
    assert set(cut.drawn.ferries) == set(whole.drawn.ferries) - beyond
    assert not beyond & set(cut.ink.ferries) and beyond <= set(cut.ink.unshown)
    assert "ferries" in cut.drawn.not_read
    assert "Ferries were not all read" in not_read_texts(cut)[0]
