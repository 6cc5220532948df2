"""A board judged by its game's log: accusations need clear cells, doubts become questions."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ontour_cv.board import BoardState, Kind, Mark, parse_board
from ontour_cv.dealer.log import load_game
from ontour_cv.dealer.record import GameRecord, Phase, Roll
from ontour_cv.maps.load import load_map
from ontour_cv.referee import verify
from ontour_cv.rules import RULESETS
from ontour_cv.scorer.game import POSSIBLE, ByLog, judge, read_with_log
from ontour_cv.synth.play import play_game
from ontour_cv.vision.decode import CellReading, Decoded
from ontour_cv.vision.glyphs import GlyphScores, log_softmax

GAMES = Path(__file__).resolve().parent.parent / "fixtures" / "games"
USA, RULES = load_map("usa"), RULESETS["rulebook"]
RECORD = load_game(GAMES / "evening.jsonl").record


def board(player: str) -> BoardState:
    return parse_board((GAMES / f"evening-{player}.txt").read_text(encoding="utf-8"), USA.ids)


def seen(state: BoardState, sure: float = 1 - 1e-6) -> GlyphScores:
    """What good eyes see of a board."""
    rest = (1 - sure) / 100
    kinds = np.full((len(USA.ids), 4), rest)
    numbers = np.full((len(USA.ids), 100), rest)
    circled = np.full((len(USA.ids), 2), rest)
    order = (Kind.EMPTY, Kind.NUMBER, Kind.STAR, Kind.BLOCKED)
    for row, mark in enumerate(state.marks.values()):
        kinds[row, order.index(mark.kind)] = sure
        circled[row, int(mark.circled)] = sure
        numbers[row, mark.number or 0] = sure
    return GlyphScores(USA.ids, *(log_softmax(np.log(table)) for table in (kinds, numbers, circled)))


def read(scores: GlyphScores) -> Decoded:
    decoded = read_with_log(scores, (), USA, RULES, RECORD)
    assert decoded is not None
    return decoded


def judged(decoded: Decoded, **changed: CellReading) -> ByLog:
    return judge({**decoded.cells, **changed}, decoded.lawful or 0.0, USA, RULES, RECORD)


@pytest.mark.parametrize("player", ["anna", "ben"])
def test_a_lawful_board_is_read_and_nobody_accused(player: str) -> None:
    decoded = read(seen(board(player)))
    assert decoded.board == board(player)
    assert decoded.lawful is not None
    assert decoded.lawful > 0.5
    log = judged(decoded)
    assert log.verdict is not None
    assert log.verdict.legal
    assert (log.sure, log.without) == ((), None)


def test_a_clear_slip_is_told_and_scored_without() -> None:
    """Cleo swapped the digits in AL, or in AR, which says the same."""
    log = judged(read(seen(board("cleo"))))
    assert log.verdict is not None
    assert log.sure == (True,)
    assert log.verdict.slips[0].regions in (("AL",), ("AR",))
    assert log.lawful < 0.01
    assert log.without is not None


def test_a_slip_in_a_doubtful_cell_is_a_question() -> None:
    decoded = read(seen(board("cleo")))
    doubts = {
        region: CellReading(decoded.cells[region].mark, 0.9, ((Mark(Kind.NUMBER, 72), 0.1),), True)
        for region in ("AL", "AR")
    }
    assert judged(decoded, **doubts).sure == (False,)


def test_a_runner_up_that_would_be_a_slip_is_pointed_out() -> None:
    decoded = read(seen(board("anna")))
    region = next(r for r, mark in board("anna").marks.items() if mark.number == 40 and not mark.circled)
    cell = CellReading(Mark(Kind.NUMBER, 40), 0.9, ((Mark(Kind.NUMBER, 49), 0.1),), True)
    (possible,) = judged(decoded, **{region: cell}).possible
    assert (possible.region, possible.mark.number, len(possible.slips)) == (region, 49, 1)


def test_what_the_eyes_saw_and_the_log_overruled_is_pointed_out_however_improbable() -> None:
    """Any other reading as improbable is passed over."""
    decoded = read(seen(board("anna")))
    region = next(r for r, mark in board("anna").marks.items() if mark.number == 40 and not mark.circled)
    other = Mark(Kind.NUMBER, 49)
    cell = CellReading(Mark(Kind.NUMBER, 40), 0.997, ((other, POSSIBLE / 2),), True)
    assert not judged(decoded, **{region: cell}).possible
    (possible,) = judged(decoded, **{region: replace(cell, overruled=other)}).possible
    assert (possible.region, possible.mark) == (region, other)


def test_a_runner_up_that_would_be_another_slip_is_pointed_out_too() -> None:
    """As read a number never rolled, by the runner-up an X without need: one slip each, and both are spoken of."""
    decoded = read(seen(board("anna")))
    region = next(r for r, mark in board("anna").marks.items() if mark.number == 40 and not mark.circled)
    cell = CellReading(Mark(Kind.NUMBER, 49), 0.6, ((Mark(Kind.BLOCKED), 0.4),), True)
    log = judged(decoded, **{region: cell})
    assert log.verdict is not None
    assert (log.sure, [slip.regions for slip in log.verdict.slips]) == ((False,), [(region,)])
    (possible,) = log.possible
    assert [slip.kind for slip in possible.slips] == ["x-needless"]
    same = CellReading(Mark(Kind.NUMBER, 49), 0.6, ((Mark(Kind.NUMBER, 94), 0.4),), True)
    assert not judged(decoded, **{region: same}).possible, "the same slip again says nothing new"


def test_two_doubtful_numbers_that_may_be_exchanged_change_together() -> None:
    """Each cell's runner-up is the other's number: together a lawful board again, apart a number written twice."""
    state = board("anna")
    log = judged(read(seen(state)))
    assert log.verdict is not None
    here, there = next(
        (one, other)
        for one, other in itertools.permutations(state.of_kind(Kind.NUMBER), 2)
        if state.marks[one].number != state.marks[other].number
        and verify(USA, RULES.variant, RECORD, state.replace({one: state.marks[other], other: state.marks[one]})).legal
    )
    cells = {
        one: CellReading(state.marks[one], 0.6, ((state.marks[other], 0.4),), True)
        for one, other in ((here, there), (there, here))
    }
    assert judged(read(seen(state)), **cells).possible == ()


@pytest.mark.parametrize("seed", [7, 12, 18, 23, 36])
def test_an_unreadable_number_beside_an_x_is_read_so_that_the_x_had_to_be(seed: int) -> None:
    """Several rolls could have lost a number to the X; the order of play leaves only some of them."""
    game = play_game(USA, np.random.default_rng(seed))
    rolls = tuple(Roll(Phase(t.phase), tuple(c.region for c in t.cards), t.dice) for t in game.turns)
    record = GameRecord("usa", "rulebook", ("Anna",), rolls, True)
    assert game.board.of_kind(Kind.BLOCKED)
    for region in list(game.board.of_kind(Kind.NUMBER))[::8]:
        scores = seen(game.board)
        scores.number[USA.ids.index(region)] = np.log(1 / 100)
        decoded = read_with_log(scores, (), USA, RULES, record)
        assert decoded is not None
        assert verify(USA, RULES.variant, record, decoded.board).legal


def test_a_board_of_another_game_is_not_read_with_this_log() -> None:
    other = load_game(GAMES / "usa-seed-1.jsonl").record
    assert read_with_log(seen(board("anna")), (), USA, RULES, other) is None


def test_a_board_photographed_before_the_end_fits() -> None:
    """Only the two setup rolls and three turns are on it."""
    marks = dict.fromkeys(USA.ids, Mark(Kind.EMPTY))
    early = judged(read(seen(board("anna"))))
    assert early.verdict is not None
    for deed in early.verdict.explanation:
        if deed.roll < 5 and deed.region is not None and deed.mark is not None:
            marks[deed.region] = deed.mark
    state = BoardState(marks)
    decoded = read(seen(state))
    assert decoded.board == state
    log = judged(decoded)
    assert log.verdict is not None
    assert (log.verdict.legal, log.verdict.rolls) == (True, 5)
