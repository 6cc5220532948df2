"""What a player could have had: one exchange of two marks, lawful by the log, and none better."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from ontour_cv.board import BoardState, Kind, Mark, parse_board
from ontour_cv.dealer.record import GameRecord, Phase, Roll
from ontour_cv.maps.load import load_map
from ontour_cv.referee import verify
from ontour_cv.rules import RULESETS
from ontour_cv.scorer.hindsight import MOST_STARS, best_exchange
from ontour_cv.synth.play import play_game

USA, RULES = load_map("usa"), RULESETS["rulebook"]


def played(seed: int, turns: int) -> tuple[GameRecord, BoardState]:
    game = play_game(USA, np.random.default_rng([9, seed]), turns)
    rolls = tuple(Roll(Phase(t.phase), tuple(card.id for card in t.cards), t.dice) for t in game.turns)
    return GameRecord("usa", "rulebook", ("Anna",), rolls, False), game.board


def by_hand(record: GameRecord, board: BoardState) -> int:
    """The most points of any lawful board with two marks exchanged, every circle tried; no card is looked at first."""
    written = [region for region, mark in board.marks.items() if mark.kind in (Kind.NUMBER, Kind.STAR)]
    most = RULES.score(USA, board).total
    for here, there in combinations(written, 2):
        for rings in ((False, False), (False, True), (True, False), (True, True)):
            one, other = board.marks[there], board.marks[here]
            changed = board.replace(
                {here: Mark(one.kind, one.number, rings[0]), there: Mark(other.kind, other.number, rings[1])}
            )
            total = RULES.score(USA, changed).total
            if total > most and verify(USA, RULES.variant, record, changed).legal:
                most = total
    return most


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_best_of_all_lawful_boards_one_exchange_away(seed: int) -> None:
    record, board = played(seed, 6)
    verdict = verify(USA, RULES.variant, record, board)
    found = best_exchange(USA, RULES, record, board, verdict)
    assert (found.score.total if found else RULES.score(USA, board).total) == by_hand(record, board)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_named_can_have_been_written_and_counts_more(seed: int) -> None:
    record, board = played(seed, 18)
    verdict = verify(USA, RULES.variant, record, board)
    found = best_exchange(USA, RULES, record, board, verdict)
    assert found is not None
    changed = board.replace(found.marks)
    assert verify(USA, RULES.variant, record, changed).legal
    assert RULES.score(USA, changed) == found.score
    assert found.score.total > RULES.score(USA, board).total
    assert len(found.marks) == 2


@pytest.mark.parametrize(
    ("seed", "changes", "total"),
    [
        (0, "OK=51o SD=15", 26),  # 15 and 51 were rolled twice, with other cards
        (4, "IN=48 SD=*o", 19),  # so were stars
    ],
)
def test_what_was_rolled_twice_may_come_from_the_other_roll(seed: int, changes: str, total: int) -> None:
    """The best of whole games, found by trying every pair with every circle."""
    game = play_game(USA, np.random.default_rng([9, seed]))
    rolls = tuple(Roll(Phase(t.phase), tuple(card.id for card in t.cards), t.dice) for t in game.turns if t.dice)
    record = GameRecord("usa", "rulebook", ("Anna",), rolls, True)
    changed = game.board.replace(parse_board(changes).marks)
    assert verify(USA, RULES.variant, record, changed).legal
    assert RULES.score(USA, changed).total == total
    found = best_exchange(USA, RULES, record, game.board, verify(USA, RULES.variant, record, game.board))
    assert found is not None
    assert found.score.total == total


def test_nothing_is_said_of_boards_with_slips_unread_regions_or_very_many_stars() -> None:
    record, board = played(1, 18)
    verdict = verify(USA, RULES.variant, record, board)
    region = next(region for region, mark in board.marks.items() if mark.kind is Kind.NUMBER)
    slipped = board.replace({region: Mark(Kind.NUMBER, 1)})
    assert best_exchange(USA, RULES, record, slipped, verify(USA, RULES.variant, record, slipped)) is None
    unread = board.replace({region: Mark(Kind.UNREAD)})
    assert best_exchange(USA, RULES, record, unread, verify(USA, RULES.variant, record, unread)) is None
    stars = board.replace({r: Mark(Kind.STAR) for r in list(board.marks)[: MOST_STARS + 1]})
    assert best_exchange(USA, RULES, record, stars, verdict) is None
