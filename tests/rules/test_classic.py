"""The referee: silent on every correct game, and clear about every slip.

Correct games come from ``playout.py``, which knows cards and dice and none of the laws tested here.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from boards import GOLDEN, GOLDEN_ROUTE
from hypothesis import assume, given
from hypothesis import strategies as st
from playout import Playout

from ontour_cv.board import BoardState, Kind, Mark, parse_board
from ontour_cv.maps.load import load_map
from ontour_cv.rules import BGA, RULEBOOK, RULESETS, Problem, ruleset
from ontour_cv.rules.classic import route_graph

USA = load_map("usa")
CLASSIC = RULESETS["rulebook"]
STARS_CIRCLED = RULESETS["bga"]
GOLDEN_BOARD = parse_board(GOLDEN, USA.ids)


def game(seed: int, bga: bool = False) -> BoardState:
    rng = random.Random(seed)
    favourites = rng.sample(USA.areas, rng.randint(0, 3))
    return Playout(USA, rng, bga, favourites, rng.choice([0.0, 0.1, 0.1, 0.5, 0.9])).play()


def golden_with(changes: str) -> BoardState:
    return GOLDEN_BOARD.replace(parse_board(changes).marks)


def found(board: BoardState, rules: str = "rulebook") -> dict[str, Problem]:
    problems = RULESETS[rules].problems(USA, board)
    assert len({problem.rule for problem in problems}) == len(problems)
    return {problem.rule: problem for problem in problems}


games = st.builds(game, st.integers(0, 10**9))


@given(st.integers(0, 10**9), st.booleans())
def test_a_correct_game_has_no_problem(seed: int, bga: bool) -> None:
    assert (STARS_CIRCLED if bga else CLASSIC).problems(USA, game(seed, bga)) == ()


def test_hundreds_of_correct_games_with_many_blocked_states_have_no_problem() -> None:
    boards = [game(seed) for seed in range(500)]
    assert sum(bool(board.of_kind(Kind.BLOCKED)) for board in boards) > 150
    assert [board for board in boards if CLASSIC.problems(USA, board)] == []


def test_the_golden_board_has_no_problem_and_scores_thirty() -> None:
    assert CLASSIC.problems(USA, GOLDEN_BOARD) == ()
    score = CLASSIC.score(USA, GOLDEN_BOARD)
    assert (score.total, score.visited, score.circles) == (30, 23, 7)
    assert len(score.route) == len(GOLDEN_ROUTE)


@given(games, st.randoms(use_true_random=False))
def test_changing_one_number_of_a_game_without_x_is_always_noticed(board: BoardState, rng: random.Random) -> None:
    assume(not board.of_kind(Kind.BLOCKED))
    region = rng.choice(board.of_kind(Kind.NUMBER))
    old = board.marks[region]
    number = rng.choice([n for n in range(100) if n != old.number])
    changed = board.replace({region: Mark(Kind.NUMBER, number, old.circled)})
    problems = CLASSIC.problems(USA, changed)
    single_last_turn = len(board.of_kind(Kind.STAR)) % 2 == 0
    if single_last_turn and not problems:
        # The one number that may stand alone can be another one now, or still the same with another value.
        alone = [n for n in counts(changed) if counts(changed)[n] > counts(changed).get(reversed_digits(n), 0)]
        assert len(alone) == 1
    else:
        assert problems
    # Numbers that nothing excuses are told as such, and not as the fault of the last turn as well.
    assert not {"pairs", "last-turn"} <= {problem.rule for problem in problems}


@given(games, st.randoms(use_true_random=False))
def test_problems_name_only_states_of_the_map_in_its_order_and_in_full_sentences(
    board: BoardState, rng: random.Random
) -> None:
    regions = rng.sample(USA.ids, 6)
    marks = [Mark(kind, None, circled) for kind in (Kind.EMPTY, Kind.BLOCKED, Kind.UNREAD) for circled in (True, False)]
    changed = board.replace(dict(zip(regions, marks, strict=True)))
    problems = CLASSIC.problems(USA, changed)
    assert {"empty", "circle", "unread"} <= {problem.rule for problem in problems}
    for problem in problems:
        assert [region for region in USA.ids if region in problem.regions] == list(problem.regions)
        assert problem.text.endswith(".")
        assert all(region in problem.text for region in problem.regions)


@given(games, st.randoms(use_true_random=False))
def test_an_unread_state_is_never_held_against_the_player(board: BoardState, rng: random.Random) -> None:
    hidden = rng.sample(USA.ids, rng.randint(1, 41))
    changed = board.replace({region: Mark(Kind.UNREAD) for region in hidden})
    assert {problem.rule for problem in CLASSIC.problems(USA, changed)} == {"unread"}


def counts(board: BoardState) -> dict[int, int]:
    numbers = [mark.number for mark in board.marks.values() if mark.number is not None]
    return {number: numbers.count(number) for number in numbers}


def reversed_digits(number: int) -> int:
    return int(f"{number:02d}"[::-1])


def test_a_number_without_its_reverse_is_named_with_the_number_that_is_missing() -> None:
    problem = found(golden_with("ND=15"))["pairs"]
    assert "NV 31 has no 13" in problem.text
    assert "ND 15 has no 51" in problem.text
    assert "AZ 50 has no 05" in problem.text
    assert "3 numbers alone; 1 X and a last turn with one empty state can explain 2" in problem.text
    assert problem.regions == ("AZ", "ND", "NV")


def test_a_number_that_is_there_twice_against_once_names_all_three_states() -> None:
    problem = found(golden_with("ND=31"))["pairs"]
    assert "31 is in ND, NV" not in problem.text
    assert "ND 31 and NV 31 have no 13" in problem.text
    problem = found(golden_with("AL=31 TX=31"))["pairs"]
    assert "31 is in AL, NV, TX and 13 only in ND" in problem.text


def test_each_x_excuses_one_number_and_the_last_turn_another() -> None:
    assert found(golden_with("ND=x")) == {}
    assert found(golden_with("ND=x WI=05")) == {}
    assert set(found(golden_with("WI=*"))) == set()
    assert "pairs" in found(golden_with("WI=* ND=*"))


@pytest.mark.parametrize("double", ["00", "11", "99"])
def test_a_double_is_never_written(double: str) -> None:
    problem = found(golden_with(f"AZ={double}"))["double"]
    assert problem.regions == ("AZ",)
    assert f"AZ {double}" in problem.text


def test_nine_is_ninety_reversed() -> None:
    assert found(golden_with("ND=9 NV=90")) == {}


def test_fewer_than_four_circled_numbers_miss_the_setup() -> None:
    plain = {r: Mark(Kind.NUMBER, m.number) for r, m in GOLDEN_BOARD.marks.items() if m.number is not None}
    problem = found(GOLDEN_BOARD.replace(plain))["setup"]
    assert problem.text == "The setup circles 4 numbers, there is none here."
    three = GOLDEN_BOARD.replace(plain | parse_board("MI=02o IN=20o NY=18o").marks)
    assert found(three)["setup"].regions == ("IN", "MI", "NY")


@pytest.mark.parametrize("rolls", [1, 3])
def test_a_setup_of_other_rules_circles_two_numbers_a_roll(rolls: int) -> None:
    rules = ruleset(replace(RULEBOOK, setup_rolls=rolls))
    plain = {r: Mark(Kind.NUMBER, m.number) for r, m in GOLDEN_BOARD.marks.items() if m.number is not None}
    seeds = ["GA=81o", "NY=18o", "OK=81o", "WY=18o", "IN=20o", "MI=02o"]
    enough = GOLDEN_BOARD.replace(plain | parse_board(" ".join(seeds[: 2 * rolls])).marks)
    assert "setup" not in [problem.rule for problem in rules.problems(USA, enough)]
    fewer = GOLDEN_BOARD.replace(plain | parse_board(" ".join(seeds[: 2 * rolls - 1])).marks)
    (setup,) = [problem for problem in rules.problems(USA, fewer) if problem.rule == "setup"]
    assert setup.text.startswith(f"The setup circles {2 * rolls} numbers, only ")


def test_four_circles_that_are_no_two_rolls_miss_the_setup() -> None:
    problem = found(golden_with("NY=18 IN=20"))["setup"]
    assert "there is none here" in problem.text
    problem = found(golden_with("NY=18"))["setup"]
    assert "only 02/20 is here" in problem.text


def test_the_same_roll_twice_is_a_setup_of_two_rolls() -> None:
    plain = {r: Mark(Kind.NUMBER, m.number) for r, m in GOLDEN_BOARD.marks.items() if m.number is not None}
    board = GOLDEN_BOARD.replace(plain | parse_board("GA=81o NY=18o OK=81o WY=18o").marks)
    assert "setup" not in found(board)


def test_a_state_without_a_mark_is_named() -> None:
    problem = found(golden_with("TX=. NV=."))["empty"]
    assert problem.regions == ("NV", "TX")
    partial = BoardState({region: mark for region, mark in GOLDEN_BOARD.marks.items() if region != "TX"})
    assert found(partial)["empty"].regions == ("TX",)


def test_a_circle_round_an_x_or_round_nothing_is_named() -> None:
    assert found(golden_with("WI=xo"))["circle"].regions == ("WI",)
    rules = [problem.rule for problem in CLASSIC.problems(USA, golden_with("WI=xo TX=.o"))]
    assert rules.count("circle") == 2


def test_a_state_that_the_map_does_not_have_is_named() -> None:
    board = BoardState({**GOLDEN_BOARD.marks, "HI": Mark(Kind.NUMBER, 12)})
    assert found(board)["unknown"].regions == ("HI",)
    assert CLASSIC.score(USA, board).total == 30


def test_a_lone_number_without_an_x_was_the_last_one_so_it_has_no_circle() -> None:
    lone = golden_with("WI=*")
    assert found(lone) == {}
    assert found(golden_with("WI=* AZ=50o"))["last-turn"].regions == ("AZ",)


def test_when_all_is_circled_nothing_can_have_been_written_last() -> None:
    marks = {region: Mark(mark.kind, mark.number, True) for region, mark in GOLDEN_BOARD.marks.items()}
    board = GOLDEN_BOARD.replace(marks | parse_board("WI=x").marks)
    assert "last-turn" in found(board)
    assert "last-turn" in found(board.replace(parse_board("NV=31").marks))
    assert "last-turn" not in found(board.replace(parse_board("NV=31 ND=13").marks))
    assert "last-turn" not in found(board.replace(parse_board("AZ=50").marks))


def test_always_circled_stars_can_be_last_with_their_circle() -> None:
    marks = {region: Mark(mark.kind, mark.number, True) for region, mark in GOLDEN_BOARD.marks.items()}
    board = GOLDEN_BOARD.replace(marks | parse_board("WI=x").marks)
    assert "last-turn" not in found(board, "bga")


def test_an_x_needs_an_area_that_was_full_without_any() -> None:
    board = golden_with("WA=x FL=x MO=x WI=x")
    assert found(board)["x-area"].regions == ("FL", "MO", "WA", "WI")
    assert "x-area" not in found(golden_with("WA=x FL=x WI=*"))


def test_a_star_without_its_circle_is_a_slip_only_where_stars_are_always_circled() -> None:
    board = golden_with("SD=*")
    assert found(board) == {}
    assert found(board, "bga")["star-circle"].regions == ("SD",)
    assert found(GOLDEN_BOARD, "bga") == {}


def test_the_variants_differ_as_data_only() -> None:
    assert RULESETS["rulebook"].variant == RULEBOOK
    assert RULESETS["bga"].variant == BGA
    assert not RULEBOOK.star_always_circled
    assert BGA.star_always_circled
    assert BGA.tie_by_circles


def test_the_route_sees_numbers_and_stars_only() -> None:
    graph = route_graph(USA, golden_with("TX=. NV=? MI=.o"))
    assert set(USA.ids) - set(graph.names) == {"TX", "NV", "MI", "WI"}
    levels = dict(zip(graph.names, graph.levels, strict=True))
    assert levels["SD"] is None
    assert levels["WA"] == 21
    bonus = dict(zip(graph.names, graph.bonus, strict=True))
    assert {name for name in graph.names if bonus[name]} == {"CA", "CO", "GA", "ID", "IN", "MO", "NY", "SD", "WA"}


def test_a_number_that_breaks_a_rule_still_counts_as_written() -> None:
    assert CLASSIC.score(USA, parse_board("WA=11o ID=22 OR=0", USA.ids)).total == 4


@pytest.mark.parametrize("text", ["WA=.", "WA=x", "WA=?"])
def test_a_board_without_a_number_scores_nothing(text: str) -> None:
    score = CLASSIC.score(USA, parse_board(text, USA.ids))
    assert (score.total, score.route) == (0, ())
