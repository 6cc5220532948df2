"""Sheets scored with the log of their game while states are in doubt: range and questions count its mistakes, too."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest
import sheet_readings as made

from ontour_cv.board import Kind, Mark
from ontour_cv.cli.console import make_console
from ontour_cv.cli.score_sheet_view import show_sheet
from ontour_cv.referee.sheet import verify_sheet
from ontour_cv.referee.sheet_verdict import SheetSlip, SheetVerdict
from ontour_cv.rules.rolling import sheet_score
from ontour_cv.scorer import sheet_log
from ontour_cv.scorer.sheet_report import SheetReport
from ontour_cv.scorer.sheet_score import score_sheet_read
from ontour_cv.sheet import Sheet
from ontour_cv.synth.play_rolling import PlayedSheet, play_rolling
from ontour_cv.vision.sheet_boxes import BoxReading

Doubts = dict[str, dict[str, float]]


@cache
def played(seed: int) -> PlayedSheet:
    """The first four rounds of a game: the log decides quickly about so few."""
    return play_rolling(made.TEMPLATE, random.Random(seed), rounds=4)


def read(game: PlayedSheet, sheet: Sheet, doubts: Doubts) -> SheetReport:
    return score_sheet_read("anna.jpg", made.make_sheet_reading(str(sheet), doubts), game=game.record)


def changed(sheet: Sheet, state: str, mark: Mark) -> Sheet:
    return Sheet(sheet.board.replace({state: mark}), sheet.boxes)


def misread(seed: int, rng: random.Random) -> tuple[PlayedSheet, Sheet, str, Mark]:
    """A lawful sheet, one with another number in a state, that state and what stands there."""
    game = played(seed)
    state = rng.choice([state for state, mark in game.sheet.marks.items() if mark.number is not None])
    true = game.sheet.marks[state]
    wrong = rng.choice([number for number in range(1, 7) if number != true.number])
    return game, changed(game.sheet, state, Mark(Kind.NUMBER, wrong, true.circled)), state, true


def truth(game: PlayedSheet, sheet: Sheet) -> int | None:
    """The Xs of a sheet by the referee; None where it does not decide."""
    verdict = verify_sheet(made.TEMPLATE, game.record, sheet)
    return sheet_score(made.TEMPLATE, sheet, verdict.mistakes).total if verdict.settled else None


def test_a_state_that_is_a_mistake_by_the_log_unless_it_is_misread_is_asked_about() -> None:
    game, sheet, state, true = misread(1, random.Random(1))
    report = read(game, sheet, {state: {f"{true.number}{'o' * true.circled}": 0.45}})
    right = truth(game, game.sheet)
    assert right is not None
    assert report.score.total == right + 1
    assert report.score_range == (right, right + 1)
    assert report.ask == (state,)
    answered = read(game, game.sheet, {})
    assert (answered.score.total, answered.score_range, answered.ask) == (right, (right, right), ())


@pytest.mark.parametrize("seed", range(6))
def test_whatever_a_doubtful_state_holds_its_total_is_in_the_range_and_is_asked_about_where_it_is_another(
    seed: int,
) -> None:
    game, sheet, state, true = misread(seed, random.Random(seed))
    report = read(game, sheet, {state: {f"{true.number}{'o' * true.circled}": 0.45}})
    low, high = report.score_range
    totals = {truth(game, sheet), truth(game, game.sheet)}
    assert {report.score.total, *totals - {None}} <= set(range(low, high + 1))
    assert len(totals) == 1 or report.ask == (state,)


def test_with_more_doubts_than_the_log_is_asked_about_the_range_still_holds_every_total() -> None:
    game, sheet, state, true = misread(2, random.Random(5))
    others = [one for one, mark in sheet.marks.items() if mark.number is not None and one != state][:4]
    doubts = {one: {str(sheet.marks[one].number % 6 + 1): 0.3} for one in others}  # type: ignore[operator]
    doubts[state] = {f"{true.number}{'o' * true.circled}": 0.45}
    assert 2 ** len(doubts) > sheet_log.MOST_SHEETS
    report = read(game, sheet, doubts)
    low, high = report.score_range
    assert {report.score.total, truth(game, sheet), truth(game, game.sheet)} - {None} <= set(range(low, high + 1))
    assert low < high
    assert state in report.ask


@pytest.mark.parametrize(("with_log", "matter"), [(True, "yes"), (False, "no")])
def test_a_box_that_leaves_the_score_open_is_told_so_with_both_answers(
    with_log: bool, matter: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a log no box changes what a sheet is worth, and guards, which the circles show, never do."""
    game = played(2)
    reading = made.make_sheet_reading(str(game.sheet))
    unsure = {"rounds": BoxReading(4, 0.6, ((2, 0.4),)), "guard": BoxReading(2, 0.6, ((1, 0.4),))}
    reading = replace(reading, decoded=replace(reading.decoded, boxes={**reading.decoded.boxes, **unsure}))
    show_sheet(score_sheet_read("anna.jpg", reading, game=game.record if with_log else None), make_console())
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if " or @" in line]
    told = {row[0]: (row[-4], " ".join(row[-3:])) for row in rows}
    assert told == {"rounds": (matter, "@rounds=4 or @rounds=2"), "guards": ("no", "@guard=2 or @guard=1")}


@pytest.mark.parametrize(("low", "least"), [(0, False), (3, True)])
def test_a_total_is_called_the_least_only_where_none_is_smaller(
    low: int, least: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """The log may prove more mistakes; and an answer may leave fewer."""
    report = score_sheet_read("anna.jpg", made.make_sheet_reading(made.LEGAL))
    total = replace(report.score, crossed=3, blanks=0, mistakes=0)
    verdict = SheetVerdict(False, False, (), 0, (), (), 24)
    assert not verdict.settled
    show_sheet(replace(report, verdict=verdict, score=total, score_range=(low, 5)), make_console())
    assert ("at least 3 Xs" in capsys.readouterr().out) == least


def test_boxes_in_doubt_that_the_log_is_compared_with_leave_the_score_open() -> None:
    """With fewer rounds some of what is written has no die; boxes are no states, so they are not asked about."""
    game = played(2)
    reading = made.make_sheet_reading(str(game.sheet))
    unsure = {**reading.decoded.boxes, "rounds": BoxReading(4, 0.6, ((2, 0.4),))}
    reading = replace(reading, decoded=replace(reading.decoded, boxes=unsure))
    report = score_sheet_read("anna.jpg", reading, game=game.record)
    assert report.score.total == report.score_range[0] < report.score_range[1]
    assert report.ask == ()
    assert report.more


def test_a_log_that_does_not_decide_leaves_the_score_open(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = played(2)
    slip = SheetSlip("x-needless", 3, ("WA",), "A needless X.")

    def cut_short(*arguments: object) -> SheetVerdict:
        verdict = verify_sheet(*arguments)  # type: ignore[arg-type]
        return replace(verdict, legal=False, decided=False, slips=(slip, slip), at_least=1)

    monkeypatch.setattr(sheet_log, "verify_sheet", cut_short)
    sheet_log._judged.cache_clear()
    report = read(game, game.sheet, {})
    sheet_log._judged.cache_clear()
    total = truth(game, game.sheet)
    assert total is not None
    assert report.score.total == total + 1
    assert report.score_range == (total + 1, total + 2)
    show_sheet(report, make_console())
    assert f"({total + 1} to {total + 2}, the log does not decide)" in capsys.readouterr().out


def test_the_log_judges_no_sheet_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    game, sheet, state, true = misread(3, random.Random(3))
    doubts = {state: {f"{true.number}{'o' * true.circled}": 0.45}}
    looked: list[str] = []

    def counted(*arguments: object) -> SheetVerdict:
        looked.append(str(arguments[2]))
        return verify_sheet(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(sheet_log, "verify_sheet", counted)
    sheet_log._judged.cache_clear()
    first, second = read(game, sheet, doubts), read(game, sheet, doubts)
    assert first.score_range == second.score_range
    assert sorted(looked) == sorted({str(sheet), str(game.sheet)})
