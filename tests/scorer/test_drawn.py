"""A drawn tour is worth what it visits, is told where it breaks a rule, and where the best route leaves it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from ontour_cv.board import BoardState, parse_mark
from ontour_cv.rules import Score
from ontour_cv.scorer.drawn import LEFT_OUT, SHORT, SLIP, drawn_sentences, judge_drawn, price_by, with_tour
from ontour_cv.scorer.score import score_photo
from ontour_cv.vision.decode import CellReading
from ontour_cv.vision.drawn import LEAST_PLACES, DrawnTour
from ontour_cv.vision.glyphs import GlyphScores, log_softmax

PHOTOS = Path(__file__).parents[1] / "fixtures" / "photos"


def cells(text: str, doubtful: str = "") -> dict[str, CellReading]:
    marks = dict(token.split("=") for token in text.split())
    return {region: CellReading(parse_mark(mark), 1.0, (), region == doubtful) for region, mark in marks.items()}


def best(*route: str, total: int) -> Score:
    return Score(total, len(route), total - len(route), route)


def drawn(*places: str) -> DrawnTour:
    return DrawnTour(True, places, 9.0)


LINE = "A=10 B=20o C=* D=40 E=35 F=x G=."


def test_it_counts_states_and_circles_in_the_direction_in_which_numbers_rise() -> None:
    tour = judge_drawn(drawn("D", "C", "B", "A"), cells(LINE), best("A", "B", "C", "D", total=5))
    assert tour.places == ("A", "B", "C", "D")
    assert tour.score == Score(5, 4, 1, ("A", "B", "C", "D"))
    assert not tour.problems
    assert tour.sure
    assert tour.advice == "no route is better"


def test_the_first_place_where_the_best_route_goes_elsewhere_is_named() -> None:
    tour = judge_drawn(drawn("A", "B", "C", "D"), cells(LINE), best("A", "B", "E", "H", "I", total=7))
    assert tour.advice == "from B go to E, not C"


def test_a_tour_that_ends_too_soon_is_told_how_to_go_on() -> None:
    tour = judge_drawn(drawn("A", "B", "C", "D"), cells(LINE), best("A", "B", "C", "D", "H", total=7))
    assert tour.advice == "from D go to H"


def test_a_tour_that_begins_too_late_is_told_where_to_begin() -> None:
    tour = judge_drawn(drawn("A", "B", "C", "D"), cells(LINE), best("H", "A", "B", "C", "D", total=7))
    assert tour.advice == "begin in H"


@pytest.mark.parametrize(
    ("places", "rule", "regions"),
    [
        (("A", "B", "D", "E"), "number-falls", ("D", "E")),
        (("A", "B", "F", "D"), "visits-x", ("F",)),
        (("A", "B", "G", "D"), "visits-empty", ("G",)),
    ],
)
def test_a_tour_that_breaks_a_rule_is_told_which(places: tuple[str, ...], rule: str, regions: tuple[str, ...]) -> None:
    tour = judge_drawn(drawn(*places), cells(LINE), best("A", "B", "C", "D", total=5))
    assert [(problem.rule, problem.regions) for problem in tour.problems] == [(rule, regions)]


def test_a_star_does_not_lower_the_number_reached() -> None:
    """From 40 over a star to 35 the number falls; walked the other way it would fall twice."""
    tour = judge_drawn(drawn("A", "B", "D", "C", "E"), cells(LINE), best("A", "B", "C", "D", total=5))
    assert [problem.regions for problem in tour.problems] == [("D", "E")]


def test_a_mark_in_doubt_on_the_tour_leaves_its_score_open() -> None:
    assert not judge_drawn(drawn("A", "B", "C", "D"), cells(LINE, "C"), best("A", total=1)).sure
    assert judge_drawn(drawn("A", "B", "C", "D"), cells(LINE, "E"), best("A", total=1)).sure


def test_no_tour_has_no_score_and_one_not_read_is_told_as_such() -> None:
    none = judge_drawn(DrawnTour(True, (), 9.0), cells(LINE), best("A", total=1))
    assert (none.places, none.read, none.score) == ((), True, None)
    unread = judge_drawn(DrawnTour(False, (), 0.1), cells(LINE), best("A", total=1))
    assert (unread.places, unread.read, unread.score) == ((), False, None)
    assert (none.nothing, unread.nothing) == (True, False)
    assert not judge_drawn(drawn("A", "B", "C", "D"), cells(LINE), best("A", total=1)).nothing


def test_it_is_told_in_sentences() -> None:
    route = best("A", "B", "E", "H", "I", total=7)
    tour = judge_drawn(drawn("A", "B", "C", "D"), cells(LINE), route)
    assert drawn_sentences(tour, route) == ["You drew 5, the best is 7: from B go to E, not C."]
    wrong = judge_drawn(drawn("A", "B", "D", "E"), cells(LINE, "D"), route)
    assert drawn_sentences(wrong, route)[1] == (
        "The drawn tour breaks a rule, if all marks on it are read rightly: the number falls from 40 in D to 35 in E."
    )
    assert drawn_sentences(judge_drawn(DrawnTour(True, (), 9.0), cells(LINE), route), route) == []


def test_a_tour_not_read_is_spoken_of_only_when_lines_enough_for_one_are_plain_to_see() -> None:
    route = best("A", "B", total=3)
    for clear, said in ((0, 0), (LEAST_PLACES - 2, 0), (LEAST_PLACES - 1, 1)):
        sentences = drawn_sentences(judge_drawn(DrawnTour(False, (), 0.1, clear), cells(LINE), route), route)
        assert len(sentences) == said
        assert all("could not be read" in sentence for sentence in sentences)


def test_the_tour_on_a_fixture_photo_is_read_and_changes_nothing_else() -> None:
    """Thirteen places from Montana to Michigan, as anybody sees who looks at the picture."""
    report = score_photo(PHOTOS / "27-route-drawn.jpg")
    told = with_tour(report)
    assert told.drawn is not None
    assert " ".join(told.drawn.places) == "MT ID NV AZ NM CO WY SD NE IA IL WI MI"
    assert told.drawn.score is not None
    assert told.drawn.score.total == 14
    assert not told.drawn.problems
    assert (told.cells, told.ask, told.score, told.score_range) == (
        report.cells,
        report.ask,
        report.score,
        report.score_range,
    )


def price(places: str, text: str, links: str, boxes: GlyphScores | None = None) -> float:
    """Of a tour on a board whose links are pairs of letters."""
    board = BoardState({region: cell.mark for region, cell in cells(text).items()})
    return price_by(board, [(pair[0], pair[1]) for pair in links.split()], boxes)(tuple(places))


def boxes(*written: int | None) -> GlyphScores:
    """Score boxes as good eyes see them; None for an empty one."""
    kind, number = np.full((3, 4), -12.0), np.full((3, 100), -12.0)
    for row, value in enumerate(written):
        kind[row, 0 if value is None else 1] = 0.0
        number[row, 0 if value is None else value] = 0.0
    return GlyphScores(("places", "circles", "total"), log_softmax(kind), log_softmax(number), np.zeros((3, 2)))


@pytest.mark.parametrize("places", ["ABC", "CBA"])
def test_a_tour_that_goes_all_the_way_costs_nothing_and_either_way_round_is_one(places: str) -> None:
    assert price(places, "A=10 B=20 C=30 X=25", "AB BC CX AX") == 0


@pytest.mark.parametrize(
    ("beyond", "cost"), [("30", SHORT), ("31", SHORT), ("*", SHORT), ("29", 0.0), ("x", 0.0), (".", 0.0)]
)
def test_an_end_at_which_it_could_lawfully_go_on_costs(beyond: str, cost: float) -> None:
    assert price("ABC", f"A=10 B=20 C=30 X={beyond}", "AB BC CX") == cost


@pytest.mark.parametrize(("before", "cost"), [("10", SHORT), ("00", SHORT), ("*", SHORT), ("11", 0.0), ("x", 0.0)])
def test_so_does_a_beginning_before_which_there_is_room(before: str, cost: float) -> None:
    assert price("ABC", f"A=10 B=20 C=30 X={before}", "AB BC AX") == cost


@pytest.mark.parametrize(
    ("beside", "cost"), [("10", LEFT_OUT), ("15", LEFT_OUT), ("20", LEFT_OUT), ("*", LEFT_OUT), ("21", 0.0), ("x", 0.0)]
)
def test_so_does_a_leg_past_a_place_that_could_be_visited_on_the_way(beside: str, cost: float) -> None:
    text = f"A=10 B=20 C=30 X={beside}"
    assert price("ABC", text, "AB BC AX XB") == pytest.approx(cost + SHORT * (beside in ("10", "*")))
    assert price("AXBC", text, "AB BC AX XB") == SLIP * (beside in ("21", "x")), "visited, it is not left out"


def test_between_stars_the_numbers_further_on_say_what_fits() -> None:
    links = "AB BC CD BX XC"
    assert price("ABCD", "A=10 B=* C=* D=30 X=20", links) == LEFT_OUT
    assert price("ABCD", "A=10 B=* C=* D=30 X=31", links) == 0
    assert price("DCBA", "A=10 B=* C=* D=30 X=09", links) == 0


def test_a_breach_costs_and_what_was_visited_already_is_no_way_on() -> None:
    assert price("ABC", "A=10 B=30 C=20", "AB BC CA") == SLIP
    assert price("ABC", "A=10 B=20 C=*", "AB BC CA") == 0


def test_no_tour_at_all_costs_nothing() -> None:
    assert price("", "A=10 B=20", "AB") == 0


LONG, WAYS_ON = "A=10 B=20o C=30 D=40 E=50 F=60 G=70 H=80 I=90", "AB BC CD DE EF FG GH HI"


def test_a_tour_that_counts_what_its_player_wrote_is_the_likelier() -> None:
    def gap(text: str, *written: int | None) -> float:
        """By how much the tour to I, 9 places, costs more than that to D, 4 places, beside what it does without."""
        some = boxes(*written)
        with_boxes = price("ABCDEFGHI", text, WAYS_ON, some) - price("ABCD", text, WAYS_ON, some)
        return with_boxes - price("ABCDEFGHI", text, WAYS_ON) + price("ABCD", text, WAYS_ON)

    assert gap(LONG, 4, 1, 5) > 4
    assert gap(LONG, 9, 1, 10) < -4
    assert gap(LONG, None, None, 10) < -2
    assert gap(LONG, 9, 1, 20) < -2, "added up wrongly, it is still nine places"
    assert gap(LONG.replace("B=20o", "B=20"), 8, 0, 8) < 0, "miscounted by one, nine are more likely than four"
    assert abs(gap(LONG, None, None, None)) < 0.1, "empty boxes say nothing"


def test_what_is_written_costs_nothing_where_it_fits_and_something_where_no_tour_is_drawn() -> None:
    assert price("ABCDEFGHI", LONG, WAYS_ON, boxes(9, 1, 10)) == pytest.approx(0.0)
    assert price("", LONG, WAYS_ON, boxes(9, 1, 10)) > 1


def test_a_tour_that_leaves_the_picture_is_not_told(tmp_path: Path) -> None:
    """From Montana it goes by Idaho, Nevada and Arizona, which are cut off, to New Mexico."""
    picture = cv2.imread(str(PHOTOS / "27-route-drawn.jpg"))
    part = tmp_path / "part.png"
    cv2.imwrite(str(part), picture[:, int(0.35 * picture.shape[1]) :])
    report = with_tour(score_photo(part))
    assert {"ID", "NV", "AZ"} <= {r for r, place in report.reading.placement.cells.items() if not place.inside}
    assert report.drawn is not None and (report.drawn.read, report.drawn.places) == (False, ())
