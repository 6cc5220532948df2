"""From a reading to a report."""

from __future__ import annotations

import random
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
import readings
from rich.console import Console

from ontour_cv import resources
from ontour_cv.board import Kind, Mark, format_board, parse_board
from ontour_cv.cli.score_view import doubts_table, show_outcomes, show_report
from ontour_cv.errors import BadBoard, BadTemplate
from ontour_cv.rules import RULESETS
from ontour_cv.scorer.ranking import rank
from ontour_cv.scorer.report import Report
from ontour_cv.scorer.score import known_prints, pin_scores, score_reading
from ontour_cv.vision.decode import decode
from ontour_cv.vision.glyphs import GlyphScores
from ontour_cv.vision.prior import Prior


def report(board: str = readings.GOLDEN, **more: object) -> Report:
    doubts = more.pop("doubts", None)
    reading = readings.make_reading(board, doubts, width=300)  # type: ignore[arg-type]
    return score_reading("anna.jpg", reading, readings.usa(), **more)  # type: ignore[arg-type]


def test_the_golden_board_scores_thirty() -> None:
    made = report()
    assert (made.score.total, made.score.visited, made.score.circles) == (30, 23, 7)
    assert made.score_range == (30, 30)
    assert made.ask == made.uncertain == ()
    assert format_board(made.board) == str(parse_board(readings.GOLDEN, readings.usa().ids))


def test_a_doubt_off_the_route_is_uncertain_but_not_asked() -> None:
    made = report(doubts={"MC": {"16": 0.3}})
    assert made.uncertain == ("MC",)
    assert made.ask == ()
    assert made.score_range == (30, 30)


def test_a_doubt_on_the_route_is_asked() -> None:
    made = report(doubts={"WA": {"27": 0.3}, "MC": {"16": 0.3}})
    assert made.uncertain == ("MC", "WA")
    assert made.ask == ("WA",)
    assert made.score_range == (29, 30)


@pytest.mark.parametrize(("more", "word"), [(False, "unlikely"), (True, "perhaps later")])
def test_the_table_says_unlikely_only_where_no_probable_answer_changes_the_score(more: bool, word: str) -> None:
    made = report(doubts={"WA": {"27": 0.3}, "MC": {"16": 0.3}})
    assert not made.more
    table = doubts_table(replace(made, more=more), Console(file=StringIO()))
    assert list(table.columns[3].cells) == ["yes", word]
    shown = StringIO()
    show_report(replace(made, more=more), Console(file=shown, width=200))
    assert ("WA is answered, and perhaps others" in shown.getvalue()) == more


def test_a_score_beside_doubts_that_are_not_asked_about_is_not_called_certain() -> None:
    """What is less probable than a fiftieth is not considered, and may be true."""
    shown = StringIO()
    show_report(report(doubts={"MC": {"16": 0.3}}), Console(file=shown, width=200))
    assert "(the doubts are unlikely to change it)" in shown.getvalue()
    assert "whatever" not in shown.getvalue()


def test_boards_of_several_maps_are_ranked_apart(capsys: pytest.CaptureFixture[str]) -> None:
    """Points of one game are nothing beside those of another."""
    one = report()
    other = replace(one, template=replace(one.template, id="tiny", title="Tiny [map]"))
    show_outcomes([one, other, replace(one, photo="ben.jpg"), replace(other, photo="cleo.jpg")], ())
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    start = lines.index(["Ranking:", "USA"])
    assert [line[:2] for line in lines[start + 2 : start + 4]] == [["1=", "anna.jpg"], ["1=", "ben.jpg"]]
    start = lines.index(["Ranking:", "Tiny", "[map]"])
    assert [line[:2] for line in lines[start + 2 : start + 4]] == [["1=", "anna.jpg"], ["1=", "cleo.jpg"]]
    show_outcomes([one, other], ())
    assert "Ranking" not in capsys.readouterr().out


def test_a_correction_settles_its_cell_and_everything_follows() -> None:
    made = report(doubts={"WA": {"27": 0.3}}, corrections={"WA": Mark(Kind.NUMBER, 27)})
    assert made.corrected == ("WA",)
    assert made.cells["WA"].confidence == 1.0
    assert made.ask == made.uncertain == ()
    assert made.score.total == made.score_range[0] == made.score_range[1] == 29
    assert made.reading.decoded.cells["WA"].mark.number == 21, "the reading itself is kept"


def test_a_correction_of_a_state_the_map_does_not_have_is_refused() -> None:
    with pytest.raises(BadBoard, match="WB"):
        report(corrections={"WB": Mark(Kind.NUMBER, 21)})


def test_an_unread_cell_on_the_route_is_asked_and_promises_nothing() -> None:
    made = report(readings.GOLDEN.replace("ND=13", "ND=?"))
    assert made.ask == ("ND",)
    assert made.score.total == made.score_range[0] < 30
    assert made.score_range[1] >= 30
    assert "ND" not in made.score.route


def test_what_the_picture_does_not_show_is_said_with_what_the_others_leave_for_it() -> None:
    made = report(doubts={"WA": {"21o": 0.3}, "OR": {}})
    places = {**made.reading.placement.cells}
    for region in ("WA", "OR"):
        places[region] = replace(places[region], inside=False)
    cut = replace(made.reading, placement=replace(made.reading.placement, cells=places))
    shown = StringIO()
    show_report(replace(made, reading=cut, corrected=("OR",)), Console(file=shown, width=200))
    assert "Not in the picture: WA; by the other states it holds 21" in shown.getvalue()
    assert "Not in the picture: OR" not in shown.getvalue(), "somebody has said what it holds"


def test_mostly_doubtful_readings_are_called_poor_and_still_scored() -> None:
    ids = readings.usa().ids
    made = report(doubts={region: {"55": 0.4} for region in ids[:25]})
    assert made.poor
    assert not report(doubts={region: {"55": 0.4} for region in ids[:5]}).poor
    assert made.score_range[0] <= made.score.total <= made.score_range[1]


@pytest.mark.parametrize("seed", range(20))
def test_the_true_score_is_in_the_range_whenever_the_truth_is_among_the_alternatives(seed: int) -> None:
    """And when nothing is asked, it is the score."""
    rng = random.Random(seed)
    template = readings.usa()
    truth = parse_board(readings.GOLDEN, template.ids)
    wrong, doubts = dict(truth.marks), {}
    for region in rng.sample(template.ids, 4):
        wrong[region] = Mark(Kind.NUMBER, rng.randrange(100), rng.random() < 0.3)
        doubts[region] = {str(truth.marks[region]): 0.3}
    text = " ".join(f"{region}={mark}" for region, mark in wrong.items())
    made = report(text, doubts=doubts)
    true_score = RULESETS["rulebook"].score(template, truth).total
    assert made.score_range[0] <= true_score <= made.score_range[1]
    assert made.ask or made.score.total == true_score


def test_what_is_known_is_told_to_the_decoder() -> None:
    """So that a corrected 31 helps to read its partner 13; a cell known as unread stays as it was seen."""
    ids = ("WA", "OR", "CA")
    rng = np.random.default_rng(1)
    seen = GlyphScores(ids, *(np.log(rng.dirichlet(np.ones(n), 3)) for n in (4, 100, 2)))
    known = {"WA": Mark(Kind.NUMBER, 31), "OR": Mark(Kind.UNREAD)}
    told = decode(pin_scores(seen, known), Prior()).cells
    assert told["WA"].mark == Mark(Kind.NUMBER, 31) and told["WA"].confidence > 0.999
    untold = decode(seen, Prior()).cells
    assert told["OR"] == untold["OR"] and told["CA"] == untold["CA"]


def test_equal_scores_share_a_place_and_the_next_is_skipped() -> None:
    low = report(corrections={"WA": Mark(Kind.NUMBER, 27)})
    standings = rank([low, report(), report()])
    places = [(s.place, s.tied, s.report.score.total) for s in standings]
    assert places == [(1, True, 30), (1, True, 30), (3, False, 29)]
    assert all(standing.settled for standing in standings)


def test_a_place_that_an_answer_can_change_is_open() -> None:
    standings = rank([report(doubts={"WA": {"27": 0.3}}), report()])
    assert not any(standing.settled for standing in standings)


def test_ties_go_to_more_circles_where_the_rules_say_so() -> None:
    template = readings.usa()
    plain, ringed = (
        score_reading("a.jpg", readings.make_reading(board, width=300), template, RULESETS["bga"])
        for board in ("WA=21 OR=27 CA=29", "WA=21o OR=27")
    )
    assert plain.score.total == ringed.score.total
    assert [s.report is ringed for s in rank([plain, ringed])] == [True, False]
    assert [s.place for s in rank([plain, ringed])] == [1, 2]


def test_a_place_that_a_doubtful_circle_decides_is_open_where_circles_break_ties() -> None:
    """Five points either way; but by three states with two circles, or by five without."""
    template = readings.usa()

    def of(board: str, doubts: dict[str, dict[str, float]] | None = None, rules: str = "bga") -> Report:
        return score_reading("a.jpg", readings.make_reading(board, doubts, width=300), template, RULESETS[rules])

    west, other = "WA=10 OR=20 CA=30 NV=40 UT=50", "AL=10o GA=20 SC=30 NC=40"
    unsure = of(f"AL=10o GA=20o SC=30 {west}", {"GA": {"20": 0.4}})
    assert unsure.score_range == (5, 5)
    assert [s.settled for s in rank([unsure, of(other)])] == [False, False]
    assert [s.settled for s in rank([of(f"AL=10o GA=20o SC=30 {west}"), of(other)])] == [True, True]
    by_book = [of(f"AL=10o GA=20o SC=30 {west}", {"GA": {"20": 0.4}}, "rulebook"), of(other, rules="rulebook")]
    assert [s.settled for s in rank(by_book)] == [True, True]


@pytest.mark.parametrize("asked", ["mine", "auto"])
def test_a_map_with_rules_that_nobody_knows_is_named(asked: str, tmp_path: Path) -> None:
    """One misspelt word in its file: photos of the map were told to be of no known board."""
    usa = (resources.templates_dir() / "usa.toml").read_text(encoding="utf-8")
    mine = usa.replace('id = "usa"', 'id = "mine"').replace('rules = "rulebook"', 'rules = "rule-book"')
    (tmp_path / "mine.toml").write_text(mine, encoding="utf-8")
    own = (resources.calibration_dir() / "usa-own.json").read_text(encoding="utf-8")
    (tmp_path / "mine-own.json").write_text(own.replace('"usa"', '"mine"'), encoding="utf-8")
    with resources.more_maps([tmp_path]), pytest.raises(BadTemplate, match=r"mine\.toml: .* 'rule-book'"):
        known_prints(asked)
