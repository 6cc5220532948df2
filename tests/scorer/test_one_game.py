"""Boards of one game tell what one of them hides; other games, copies of a board and plain slips are left alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from readings import make_reading

from bench.slips import record_of
from ontour_cv.board import BoardState, Kind, Mark, format_board
from ontour_cv.dealer.record import GameRecord
from ontour_cv.maps.load import load_map
from ontour_cv.rules import RULESETS
from ontour_cv.scorer import script
from ontour_cv.scorer.game import ByLog
from ontour_cv.scorer.one_game import read_with_one_another, script_of
from ontour_cv.scorer.prior import prior_of
from ontour_cv.scorer.report import PhotoUse, Report
from ontour_cv.scorer.score import score_read
from ontour_cv.synth.play import Game, play_game, play_rolls
from ontour_cv.vision.decode import decode
from ontour_cv.vision.glyphs import GlyphScores, log_softmax

USA, RULES = load_map("usa"), RULESETS["rulebook"]
BLANK = make_reading(width=400)


def table(seed: int, players: int) -> list[Game]:
    """The same rolls, written by several players."""
    rng = np.random.default_rng(seed)
    first = play_game(USA, rng)
    rolls = record_of(first, USA).rolls
    return [first, *(play_rolls(USA, rolls, rng) for _ in range(players - 1))]


def seen(state: BoardState, doubts: Mapping[str, Mapping[int, float]], sure: float = 1 - 1e-5) -> GlyphScores:
    """What eyes see of a board; ``doubts`` gives what else a number looks like, with its share."""
    rest = (1 - sure) / 100
    kinds, numbers = np.full((len(USA.ids), 4), rest), np.full((len(USA.ids), 100), rest)
    circled = np.full((len(USA.ids), 2), rest)
    order = (Kind.EMPTY, Kind.NUMBER, Kind.STAR, Kind.BLOCKED)
    for row, (region, mark) in enumerate(state.marks.items()):
        kinds[row, order.index(mark.kind)] = sure
        circled[row, int(mark.circled)] = sure
        numbers[row, mark.number or 0] = sure - sum(doubts.get(region, {}).values())
        for number, share in doubts.get(region, {}).items():
            numbers[row, number] = share
    return GlyphScores(USA.ids, *(log_softmax(np.log(part)) for part in (kinds, numbers, circled)))


def report(name: str, state: BoardState, doubts: Mapping[str, Mapping[int, float]] | None = None) -> Report:
    scores = seen(state, doubts or {})
    decoded = decode(scores, prior_of(RULES))
    return score_read(name, replace(BLANK, scores=scores, decoded=decoded))


def lone(state: BoardState) -> list[str]:
    """States with a number whose partner stands nowhere, so that nothing on the board says what it is."""
    numbers = Counter(mark.number for mark in state.marks.values())
    return [
        region
        for region, mark in state.marks.items()
        if mark.number is not None and not numbers[10 * (mark.number % 10) + mark.number // 10]
    ]


def with_lone(players: int) -> tuple[list[BoardState], str, int]:
    """A table at which the first player has a number alone, its state, and a number nobody wrote."""
    for seed in range(50):
        boards = [game.board for game in table(seed, players)]
        written = {mark.number for board in boards for mark in board.marks.values()}
        for region in lone(boards[0]):
            number = boards[0].marks[region].number or 0
            for other in range(10):
                wrong = 10 * (number // 10) + other
                if wrong % 11 and wrong not in written and number // 10 != number % 10:
                    return boards, region, wrong
    raise AssertionError


@pytest.mark.parametrize("seed", range(8))
def test_what_was_rolled_is_told_by_the_boards(seed: int) -> None:
    """As the log of the same game has it."""
    games = table(seed, 3)
    logged = script.script_of(record_of(games[0], USA), USA, RULES.variant)
    found = script_of([report(f"{k}.jpg", game.board) for k, game in enumerate(games)])
    assert found is not None
    assert Counter(w.number for w in found.writings) == Counter(w.number for w in logged.writings)


def test_a_number_in_doubt_is_the_one_that_the_others_have() -> None:
    boards, region, wrong = with_lone(3)
    unclear = report("a.jpg", boards[0], {region: {wrong: 0.6}})
    assert unclear.cells[region].mark.number == wrong
    read, *others = read_with_one_another([unclear, report("b.jpg", boards[1]), report("c.jpg", boards[2])])
    assert read.cells[region].mark == boards[0].marks[region]
    assert not read.cells[region].doubtful
    assert read.one_game is not None
    assert read.one_game.settled == (region,)
    assert read.one_game.others == ("b.jpg", "c.jpg")
    assert [other.board for other in others] == boards[1:]


def test_a_number_that_nobody_else_has_is_never_passed_over() -> None:
    """A slip, or a digit misread with all certainty: told, or asked about."""
    boards, region, wrong = with_lone(4)
    mark = replace(boards[0].marks[region], number=wrong)
    slipped = BoardState({**boards[0].marks, region: mark})
    reports = [report(f"{k}.jpg", board) for k, board in enumerate([slipped, *boards[1:]])]
    assert not reports[0].cells[region].doubtful
    read = read_with_one_another(reports)[0]
    assert read.one_game is not None
    assert region in read.one_game.strange or read.cells[region].doubtful


def test_boards_of_other_games_are_left_as_they_are() -> None:
    strangers = [report("a.jpg", table(1, 1)[0].board), report("b.jpg", table(2, 1)[0].board)]
    assert all(one is other for one, other in zip(strangers, read_with_one_another(strangers), strict=True))


def test_two_photos_of_one_board_are_no_two_witnesses() -> None:
    boards, region, wrong = with_lone(2)
    twice = [report("a.jpg", boards[0]), report("again.jpg", boards[0], {region: {wrong: 0.6}})]
    assert read_with_one_another(twice) == tuple(twice)


def test_a_board_with_a_log_or_of_several_photos_is_left_alone_and_tells_the_others_nothing() -> None:
    boards, region, wrong = with_lone(3)
    unclear = report("a.jpg", boards[0], {region: {wrong: 0.6}})
    two = [report(f"{k}.jpg", board) for k, board in enumerate(boards[1:])]
    record = GameRecord("usa", "rulebook", ("Anna",), (), False)
    logged = [replace(one, log=ByLog(record, 1.0, None)) for one in two]
    together = [replace(one, photos=(PhotoUse(one.photo, None, None),)) for one in two]
    for others in (logged, together):
        assert read_with_one_another([unclear, *others]) == (unclear, *others)


def test_two_tables_are_kept_apart() -> None:
    boards = [game.board for seed in (3, 4) for game in table(seed, 2)]
    reports = read_with_one_another([report(f"{k}.jpg", board) for k, board in enumerate(boards)])
    others = [one.one_game.others for one in reports if one.one_game is not None]
    assert others == [("1.jpg",), ("0.jpg",), ("3.jpg",), ("2.jpg",)]


def test_what_somebody_corrected_stays() -> None:
    boards, region, wrong = with_lone(3)
    scores = seen(boards[0], {})
    reading = replace(BLANK, scores=scores, decoded=decode(scores, prior_of(RULES)))
    corrected = score_read("a.jpg", reading, corrections={region: Mark(Kind.NUMBER, wrong)})
    unclear = [report(f"{k}.jpg", board) for k, board in enumerate(boards[1:])]
    read = read_with_one_another([corrected, *unclear])[0]
    assert read.cells[region].mark == Mark(Kind.NUMBER, wrong)
    assert read.corrected == (region,)


def test_a_circle_in_doubt_is_as_on_a_board_that_has_the_number_in_the_same_state() -> None:
    games = table(5, 3)
    first, *others = [game.board for game in games]
    once = Counter(mark.number for mark in first.marks.values())
    region = next(
        r
        for r, mark in first.marks.items()
        if mark.circled and mark.number is not None and once[mark.number] == 1 and others[0].marks[r] == mark
    )
    scores = seen(first, {})
    circled = scores.circled.copy()
    circled[USA.ids.index(region)] = np.log([0.6, 0.4])
    unsure = GlyphScores(USA.ids, scores.kind, scores.number, circled)
    # the setup's law would settle this circle by itself: here it is the other boards that have to
    reading = replace(BLANK, scores=unsure, decoded=decode(unsure, replace(prior_of(RULES), setup_rolls=0)))
    alone = score_read("a.jpg", reading)
    assert not alone.cells[region].mark.circled
    read = read_with_one_another([alone, *(report(f"{k}.jpg", board) for k, board in enumerate(others))])[0]
    assert read.cells[region].mark.circled


def test_a_board_with_few_clear_numbers_is_compared_with_none() -> None:
    game = table(6, 2)
    some = {r: mark if k < 8 else Mark(Kind.UNREAD) for k, (r, mark) in enumerate(game[1].board.marks.items())}
    reading = make_reading(format_board(BoardState(some)), width=400)
    poor = score_read("poor.jpg", reading)
    clear = report("clear.jpg", game[0].board)
    assert read_with_one_another([clear, poor]) == (clear, poor)


def test_one_report_or_none_stays() -> None:
    assert read_with_one_another([]) == ()
    alone = report("a.jpg", table(7, 1)[0].board)
    assert read_with_one_another([alone]) == (alone,)
