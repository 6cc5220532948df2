"""Sheets scored: problems, corrections, questions, ranking; the reading is made up."""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import replace

import pytest
import sheet_readings as made
from hypothesis import given, settings
from hypothesis import strategies as st

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.errors import BadBoard
from ontour_cv.rules.rolling import sheet_score
from ontour_cv.scorer.document import to_json
from ontour_cv.scorer.sheet_questions import BUDGET, find_questions
from ontour_cv.scorer.sheet_report import SheetReport, rank_sheets
from ontour_cv.scorer.sheet_score import score_sheet_read
from ontour_cv.sheet import Boxes, Sheet
from ontour_cv.vision.decode import CellReading
from ontour_cv.vision.sheet_boxes import BoxReading


def score(text: str, doubts: dict[str, dict[str, float]] | None = None, **more: object) -> SheetReport:
    return score_sheet_read("anna.jpg", made.make_sheet_reading(text, doubts), **more)  # type: ignore[arg-type]


def test_a_clean_sheet_has_no_X_and_no_question() -> None:
    report = score(made.LEGAL)
    assert report.score.total == 0
    assert report.score_range == (0, 0)
    assert report.ask == report.uncertain == ()
    assert [p for p in report.problems if p.rule == "neighbours"] == []


def test_X_and_blanks_and_mistakes_are_counted() -> None:
    report = score(made.LEGAL.replace("WA=2", "WA=x").replace("ME=4", "ME=.").replace("GA=3", "GA=6"))
    assert (report.score.crossed, report.score.blanks) == (1, 1)
    assert report.score.mistakes >= 1
    assert any(p.rule == "neighbours" for p in report.problems)


def test_a_doubt_between_X_and_a_digit_is_asked_about_and_one_between_harmless_digits_is_not() -> None:
    report = score(made.LEGAL, {"AK": {"x": 0.3}, "HI": {"5": 0.3}})
    assert report.uncertain == ("AK", "HI")
    assert report.ask == ("AK",)
    assert report.score_range[0] == 0
    assert report.score_range[1] >= 1


def test_a_doubt_that_could_be_a_clash_is_asked_about() -> None:
    assert score(made.LEGAL, {"WY": {"6": 0.2}}).ask == ("WY",)


def test_a_correction_replaces_what_was_read_and_ends_its_doubt() -> None:
    doubts = {"AK": {"x": 0.3}}
    report = score(made.LEGAL, doubts, corrections={"AK": Mark(Kind.BLOCKED), "@rounds": 8, "@x": 1})
    assert report.sheet.marks["AK"] == Mark(Kind.BLOCKED)
    assert (report.sheet.boxes.rounds, report.sheet.boxes.x) == (8, 1)
    assert report.corrected == ("AK", "@rounds", "@x")
    assert "AK" not in report.uncertain


def test_a_correction_that_says_unread_leaves_the_state_open_to_anything() -> None:
    told, seen = score(made.LEGAL, corrections={"CA": Mark(Kind.UNREAD)}), score(made.LEGAL.replace("CA=2", "CA=?"))
    assert told.corrected == ("CA",)
    assert told.cells == seen.cells
    assert told.uncertain == told.ask == ("CA",)
    assert told.score_range == seen.score_range
    assert told.score_range[0] < told.score_range[1]


def test_a_correction_of_no_state_is_refused() -> None:
    with pytest.raises(BadBoard, match="QQ"):
        score(made.LEGAL, corrections={"QQ": Mark(Kind.BLOCKED)})


def test_an_unread_state_counts_as_blank_and_may_be_anything() -> None:
    report = score(made.LEGAL.replace("AK=1", "AK=?"))
    assert report.score.blanks == 1
    assert report.ask == ("AK",)
    assert report.score_range[0] == 0


MARKS = st.sampled_from([Mark(Kind.EMPTY), Mark(Kind.BLOCKED), *(Mark(Kind.NUMBER, n) for n in range(1, 7))])


@given(st.dictionaries(st.sampled_from(["WA", "OR", "ID", "AK"]), st.lists(MARKS, min_size=2, max_size=3, unique=True)))
@settings(max_examples=40)
def test_range_and_questions_are_those_of_trying_every_sheet(choices: dict[str, list[Mark]]) -> None:
    base = dict(made.sheet_of(made.LEGAL).marks)
    cells = {state: CellReading(mark, 1.0, (), False) for state, mark in base.items()}
    for state, found in choices.items():
        rest = tuple((mark, 0.5 / (len(found) - 1)) for mark in found[1:])
        cells[state] = CellReading(found[0], 0.5, rest, True)

    def total(sheet: Sheet) -> int:
        return sheet_score(made.TEMPLATE, sheet).total

    got = find_questions(made.TEMPLATE, cells, {})
    states = list(choices)
    table = {
        combo: total(Sheet(BoardState({**base, **dict(zip(states, combo, strict=True))})))
        for combo in itertools.product(*choices.values())
    }
    assert got.score_range == (min(table.values()), max(table.values()))
    for k, state in enumerate(states):
        matters = any(
            table[one] != table[other]
            for one, other in itertools.combinations(table, 2)
            if all(a == b for i, (a, b) in enumerate(zip(one, other, strict=True)) if i != k)
        )
        assert (state in got.ask) == matters


def test_many_doubts_are_bounded_and_all_asked_about() -> None:
    states = made.TEMPLATE.ids[:12]
    report = score(made.LEGAL, {state: {"x": 0.3} for state in states})
    assert 2 ** len(states) > BUDGET
    assert report.ask == states
    assert report.score_range[0] == 0
    assert report.score_range[1] >= len(states)


def test_of_many_doubts_those_that_matter_by_themselves_are_asked_first() -> None:
    """Whether X or 2 changes the number of Xs; 2 or 3 among neighbours that take both does not."""
    crossed, either = made.TEMPLATE.ids[:7], made.TEMPLATE.ids[7:14]
    doubts = {state: {"x": 0.3} for state in crossed} | {state: {"2": 0.3} for state in either}
    report = score(" ".join(f"{state}=3" for state in made.TEMPLATE.ids), doubts)
    assert 2 ** len(doubts) > BUDGET
    assert report.ask == crossed
    assert report.more
    answered = score(
        " ".join(f"{state}=3" for state in made.TEMPLATE.ids),
        {state: doubts[state] for state in either},
    )
    assert answered.score_range == (answered.score.total, answered.score.total)
    assert answered.ask == ()
    assert not answered.more


@pytest.mark.parametrize("seed", range(8))
def test_answering_until_nothing_is_asked_gives_the_true_number(seed: int) -> None:
    """Whatever the doubtful states hold, and however many they are."""
    rng = random.Random(seed)
    base = {state: Mark(Kind.NUMBER, rng.randint(1, 6)) for state in made.TEMPLATE.ids}
    others = (Mark(Kind.BLOCKED), Mark(Kind.EMPTY), *(Mark(Kind.NUMBER, n, n > 4) for n in range(1, 7)))
    cells = {state: CellReading(mark, 1.0, (), False) for state, mark in base.items()}
    held = dict(base)
    for state in rng.sample(made.TEMPLATE.ids, 14):
        other = rng.choice([mark for mark in others if mark != base[state]])
        cells[state] = CellReading(base[state], 0.6, ((other, 0.4),), True)
        held[state] = rng.choice((base[state], other))

    def total(sheet: Sheet) -> int:
        return sheet_score(made.TEMPLATE, sheet).total

    true = total(Sheet(BoardState(held), Boxes()))
    for _ in range(15):
        found = find_questions(made.TEMPLATE, cells, {})
        if not found.ask:
            break
        cells |= {state: CellReading(held[state], 1.0, (), False) for state in found.ask}
    assert not found.ask
    assert found.score_range == (true, true)


def test_fewest_Xs_win_and_powers_break_ties() -> None:
    low = score(made.LEGAL + " @change=1 @guard=0 @dupe=0")
    tied = score(made.LEGAL + " @change=2 @guard=0 @dupe=0")
    worse = score(made.LEGAL.replace("AK=1", "AK=x"))
    standings = rank_sheets([worse, tied, low])
    assert [s.report for s in standings] == [low, tied, worse]
    assert [s.place for s in standings] == [1, 2, 3]
    assert not any(s.tied for s in standings)
    again = rank_sheets([low, replace(low, photo="b.jpg")])
    assert [s.place for s in again] == [1, 1]
    assert all(s.tied for s in again)


def test_a_place_that_doubtful_powers_decide_is_open() -> None:
    """Equal Xs: a colour change more or less, or a circle, is what the order hangs on."""
    sure = made.LEGAL + " @change=1 @guard=0 @dupe=3"
    reading = made.make_sheet_reading(sure.replace("@change=1", "@change=2"))
    unsure = {**reading.decoded.boxes, "change": BoxReading(2, 0.52, ((0, 0.47),))}
    behind = score_sheet_read("b.jpg", replace(reading, decoded=replace(reading.decoded, boxes=unsure)))
    assert behind.powers_range == (3, 5)
    assert [s.settled for s in rank_sheets([score(sure), behind])] == [False, False]
    known = score(sure.replace("@change=1", "@change=2"))
    assert [s.settled for s in rank_sheets([score(sure), known])] == [True, True]
    ringed = score(sure, {"AK": {"1o": 0.45}})
    assert ringed.ask == ()
    assert [s.settled for s in rank_sheets([score(sure), ringed])] == [False, False]
    worse = score(sure.replace("AK=1", "AK=x"))
    assert all(s.settled for s in rank_sheets([worse, ringed]))


def test_json_has_the_documented_fields() -> None:
    report = score(made.LEGAL + " @x=3", {"AK": {"x": 0.3}})
    (document,) = json.loads(to_json([report]))
    assert document["map"] == "rolling-america"
    assert document["score"]["total"] == 0
    assert document["written"] == 3
    assert document["regions"]["AK"] == {
        "mark": "1", "circled": False, "confidence": 0.7, "alternatives": [["x", 0.3]],
    }  # fmt: skip
    assert document["boxes"]["x"]["value"] == 3
    assert document["ask"] == ["AK"]
    assert document["sheet"].endswith("@x=3")
