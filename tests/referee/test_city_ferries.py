"""Which turns can have been ferries: as counting every choice tells, and never at any cost."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.city_board import CityBoard, ordered_pairs
from ontour_cv.maps.load import load_map
from ontour_cv.referee import city_verify
from ontour_cv.referee.city_case import CityCase, make_city_case
from ontour_cv.referee.city_ferries import FerryTurns, ferry_choices
from ontour_cv.referee.city_search import Effort
from ontour_cv.referee.city_verify import MOST_SLIPS, MOST_STEPS, verify_city
from ontour_cv.rules.city import city_of
from ontour_cv.scorer.city_drawn import lawful_ferries
from ontour_cv.synth.play_city import PlayedCity, play_city

MAP = load_map("new-york-home")


def spoilt(game: PlayedCity, rng: random.Random, unread: int, ferries: int) -> CityBoard:
    """The board of a game with other ferries and some places unread."""
    board = game.boards[0]
    gone = {region: Mark(Kind.UNREAD) for region in rng.sample(MAP.ids, unread)}
    soloists = {region: letter for region, letter in board.soloists.items() if region not in gone}
    lines = ordered_pairs(rng.sample(lawful_ferries(MAP), ferries), MAP.ids)
    return CityBoard(BoardState({**board.marks, **gone}), soloists, lines)


def case_of(game: PlayedCity, board: CityBoard) -> CityCase:
    return make_city_case(MAP, city_of(MAP), game.record.variant, board, game.record.rolls)


def by_counting_all(case: CityCase, bonus: bool, most: int) -> set[FerryTurns]:
    """Each set of turns by itself: what was due beside what stands there."""
    marks = case.board.marks.values()
    there = Counter(mark.number for mark in marks if mark.kind in (Kind.NUMBER, Kind.STAR))
    crosses, unread = (sum(mark.kind is kind for mark in marks) for kind in (Kind.BLOCKED, Kind.UNREAD))
    turns = range(len(case.rolls) - case.full)
    found = set()
    for some in (frozenset(chosen) for count in range(len(turns) + 1) for chosen in combinations(turns, count)):
        due: Counter[int | None] = Counter({None: int(bonus)})
        for index, roll in enumerate(case.rolls):
            due.update(() if index in some else (None,) if roll.double else roll.numbers)
        missing, extra = (due - there).total(), (there - due).total()
        paid = sum(not case.due(index) for index in some) + abs(len(some) - len(case.board.ferries))
        least = paid + max(extra + max(0, crosses - missing), missing - case.full - crosses - unread)
        if least <= most:
            found.add(FerryTurns(some, paid, least))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_the_choices_are_those_that_counting_all_of_them_leaves(seed: int) -> None:
    rng = random.Random(seed)
    game = play_city(MAP, rng, rolls=rng.randrange(3, 10))
    board = spoilt(game, rng, rng.choice([0, 3, 20]), rng.randrange(0, 6))
    case = case_of(game, board)
    for bonus, most in ((False, 0), (True, 2), (False, 4), (True, 6)):
        found = list(ferry_choices(case, bonus, most, Effort(10**9)))
        assert len(set(found)) == len(found)
        assert set(found) == by_counting_all(case, bonus, most)


@pytest.mark.parametrize(("ferries", "unread"), [(12, 20), (20, 20), (20, 43), (40, 12)])
def test_ferries_that_no_turns_can_have_been_spent_on_are_seen_at_once(ferries: int, unread: int) -> None:
    game = play_city(MAP, random.Random(3))
    board = spoilt(game, random.Random(1), unread, ferries)
    case = case_of(game, board)
    due = sum(case.due(index) for index in range(len(case.rolls)))
    steps = Effort(2_000)
    assert not list(ferry_choices(case, False, min(MOST_SLIPS, max(0, ferries - due - 1)), steps))


def test_counting_that_takes_too_long_leaves_it_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough for the turns by themselves, too little for a choice of them: nobody is accused."""
    game = play_city(MAP, random.Random(3))
    assert verify_city(MAP, game.record, game.boards[0]).legal
    assert MOST_STEPS > 1_000
    monkeypatch.setattr(city_verify, "MOST_STEPS", len(game.record.rolls))
    verdict = verify_city(MAP, game.record, game.boards[0])
    assert (verdict.legal, verdict.decided, verdict.at_least, verdict.slips) == (False, False, 0, ())


def test_a_lawful_board_whose_star_of_central_park_needs_a_long_search_is_found_legal() -> None:
    """Half as much effort left it undecided."""
    game = play_city(MAP, random.Random(177), 2)
    verdict = verify_city(MAP, game.record, game.boards[1])
    assert verdict.legal and verdict.decided
