"""The referee of New York with the log: as exact as playing every course of the game."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from small_city import Courses, board_of, changed, random_rolls, record_of, small_city

from ontour_cv.board import Kind, Mark
from ontour_cv.city_board import UNREAD_SOLOIST, CityBoard, parse_city_board
from ontour_cv.dealer.record import GameRecord, Phase, Roll
from ontour_cv.errors import BadLog
from ontour_cv.maps.load import load_map
from ontour_cv.referee import verify
from ontour_cv.referee.city_verdict import CITY_KINDS, struck_city
from ontour_cv.referee.city_verify import verify_city
from ontour_cv.rules import RULESETS, VARIANTS
from ontour_cv.synth.play import Turn, play_game
from ontour_cv.synth.play_city import play_city

MAP = load_map("new-york-home")


@pytest.mark.parametrize("seed", range(24))
def test_boards_are_called_legal_just_when_some_course_of_the_game_leads_to_them(seed: int) -> None:
    """Outcomes, outcomes with one thing changed, and rulings drawn at random; every course is played for comparison."""
    rng = random.Random(seed)
    template = small_city(park_counts_x=rng.random() < 0.6, card_opens=rng.random() < 0.4)
    rolls = random_rolls(rng, rng.choice([2, 3, 3, 4]))
    outcomes = Courses(template).outcomes(rolls)
    some = rng.sample(sorted(outcomes, key=repr), min(len(outcomes), 25))
    for outcome in [*some, *(changed(rng, one) for one in some)]:
        verdict = verify_city(template, record_of(rolls), board_of(outcome))
        assert verdict.decided, (rolls, outcome)
        assert verdict.legal == (outcome in outcomes), (rolls, outcome, verdict.slips)


def rolled(*turns: str) -> tuple[Roll, ...]:
    """``"13 F2 K4 F1"``: dice 1 and 3, and the cards."""
    split = [turn.split() for turn in turns]
    return tuple(Roll(Phase.TURN, tuple(cards), (int(dice[0]), int(dice[1]))) for dice, *cards in split)


@pytest.mark.parametrize(
    ("rolls", "cells", "ferry", "why"),
    [
        (rolled("13 F2 K4 F1", "31 K1 K5 K4", "32 K4 K6 F1", "13 K3 F2 K2"), "32 31s 13 13m x 23 *", True, "was full"),
        (rolled("23 K6 K2 K4", "23 K3 F2 F1", "23 K3 K5 K4", "12 F2 K1 K6"), "23 32 23 32m * 23 32s", True, "was full"),
        (rolled("32 F1 K1 K5", "22 K2 K4 F2", "12 F1 K2 K5", "32 K2 K6 K5"), "21 * 32s 32m 12d 23m x", False, "star"),
        (rolled("21 F1 K2 K6", "21 K3 F1 K4", "11 K6 K4 K1", "31 K3 K1 K4"), "21s 21 12 13 x 12 *", False, "no star"),
        (rolled("13 F2 K4 F1", "31 K1 K5 K4", "32 K4 K6 F1", "13 K3 F2 K2"), "x 13 31s 31d * x 31s", True, "early X"),
    ],
)  # fmt: skip
def test_the_order_of_things_counts(rolls: tuple[Roll, ...], cells: str, ferry: bool, why: str) -> None:
    """Boards with the right numbers in places that were open to them, and no course of the game that leads there."""
    pairs = [("A3", "C1")] if "31d" not in cells else [("B3", "C1")]
    outcome = tuple(cells.split()), frozenset(pairs if ferry else [])
    template = small_city(park_counts_x=True, card_opens=False)
    verdict = verify_city(template, record_of(rolls), board_of(outcome))
    assert not verdict.legal, why


@pytest.mark.parametrize("seed", range(12))
def test_a_correct_game_is_legal_and_told_as_it_was_played(seed: int) -> None:
    rng = random.Random(seed)
    played = play_city(MAP, rng, players=2, rolls=None if seed % 3 else rng.randrange(1, 24))
    for board, story in zip(played.boards, played.stories, strict=True):
        verdict = verify_city(MAP, played.record, board)
        assert verdict.legal and verdict.decided, verdict.slips
        assert len(verdict.ferry_turns) == len(board.ferries)
        written = [deed for deed in verdict.explanation if deed.what != "ferry"]
        assert len(written) == len(story) - len(board.ferries)
        filled = [region for region, mark in board.marks.items() if mark.kind is not Kind.EMPTY]
        assert sorted(deed.region or "" for deed in written) == sorted(filled)


def game(*rolls: tuple[str, tuple[int, int]]) -> GameRecord:
    return GameRecord(
        MAP.id, MAP.rules, ("Anna",), tuple(Roll(Phase.TURN, tuple(c.split()), dice) for c, dice in rolls), False
    )


LOG = game(
    ("B01 B04 B07", (3, 7)),  # Manhattan s, Bronx g, Queens d
    ("F1 B10 B13", (1, 2)),  # a ferry, Brooklyn m, Staten Island s
    ("B02 B05 B08", (4, 4)),  # Manhattan m, Bronx s, Queens g
)
"""Three rolls; the letters are the soloists of the cards' boroughs."""

FAIR = "SOHO=37s FORD=73g CONE=12m STG=21s BAYS=*"


def slips(text: str, log: GameRecord = LOG) -> list[tuple[str, tuple[str, ...]]]:
    verdict = verify_city(MAP, log, parse_city_board(text, MAP.ids))
    assert verdict.decided
    assert verdict.at_least == len(verdict.slips)
    return [(slip.kind, slip.regions) for slip in verdict.slips]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (FAIR, []),
        ("SOHO=37s FORD=73g ~SOHO-STG BAYS=*", []),  # a ferry instead of 12 and 21
        (FAIR.replace("37s", "37"), [("soloist", ("SOHO",))]),
        (FAIR.replace("37s", "37d"), [("soloist", ("SOHO",))]),
        (FAIR.replace("37s", "37+"), []),
        (FAIR.replace("37s", "38s"), [("digits", ("SOHO",))]),
        (FAIR.replace("SOHO=37s", "CROW=37"), [("region", ("CROW",))]),
        (FAIR.replace("FORD=73g", "UES=73s"), [("same-card", ("UES", "SOHO"))]),
        (FAIR.replace("BAYS=*", "BAYS=*s"), [("soloist", ("BAYS",))]),
        (FAIR.replace("BAYS=*", "BAYS=44"), [("wrong-mark", ("BAYS",))]),
        (FAIR.replace("STG=21s", "STG=x"), [("x-needless", ("STG",))]),
        (FAIR.replace("FORD=73g", "FORD=."), [("forgotten", ())]),
        (FAIR + " FIDI=90", [("extra", ("FIDI",))]),
        (FAIR.replace("BAYS=*", "BAYS=*o"), [("circle-extra", ("BAYS",))]),
        (FAIR + " ~SOHO-STG", [("ferry-extra", ())]),
        ("SOHO=37s FORD=73g BAYS=*", [("ferry-missing", ())]),
        ("CONE=12m STG=21s BAYS=* ~SOHO-STG", [("ferry-undue", ())]),
        ("SOHO=37s FORD=73g BAYS=* ~HARL-STG", [("ferry", ("HARL", "STG"))]),
    ],
)
def test_one_slip_is_named_as_what_it_is(text: str, found: list[tuple[str, tuple[str, ...]]]) -> None:
    told = slips(text)
    assert [(kind, tuple(sorted(regions))) for kind, regions in told] == [(k, tuple(sorted(r))) for k, r in found]
    assert all(kind in CITY_KINDS for kind, _ in told)


def test_the_star_of_central_park_is_due_at_once() -> None:
    log = game(
        ("B01 B02 B07", (1, 2)),
        ("B01 B03 B07", (1, 3)),
        ("B02 B03 B07", (1, 4)),
    )
    park = "UWS=12s UES=21m HARL=13s EHAR=31d MIDT=14m BAYS=41d"
    assert slips(park, log) == [("forgotten", ())]
    assert slips(park + " WAKE=*", log) == []
    assert slips(park.replace("MIDT=14m", "MIDT=*") + " SOHO=14m", log) != []


def test_a_board_from_before_the_end_of_the_log_is_judged_by_the_rolls_it_shows() -> None:
    verdict = verify_city(MAP, LOG, parse_city_board("SOHO=37s FORD=73g", MAP.ids))
    assert verdict.legal
    assert verdict.rolls == 1


def test_what_could_not_be_read_may_be_anything() -> None:
    assert slips(FAIR.replace("FORD=73g", "FORD=?")) == []
    verdict = verify_city(MAP, LOG, parse_city_board(FAIR.replace("37s", "37+"), MAP.ids))
    assert verdict.legal
    assert UNREAD_SOLOIST not in {slip.text for slip in verdict.slips}


def test_a_board_of_another_game_is_not_explained() -> None:
    rng = random.Random(5)
    one, other = play_city(MAP, rng), play_city(MAP, rng)
    verdict = verify_city(MAP, one.record, other.boards[0])
    assert not verdict.legal
    assert not verdict.complete
    assert verdict.at_least >= 6
    board = other.boards[0]
    region = next(region for region, mark in board.marks.items() if mark.kind is Kind.NUMBER)
    ringed = replace(board, board=board.board.replace({region: replace(board.marks[region], circled=True)}))
    assert verify_city(MAP, one.record, ringed).at_least == verdict.at_least + 1


def test_the_second_score_leaves_faulty_places_and_ferries_out() -> None:
    board = parse_city_board(FAIR.replace("37s", "38s") + " ~HARL-STG", MAP.ids)
    left = struck_city(board, verify_city(MAP, LOG, board))
    assert left.marks["SOHO"] == Mark(Kind.EMPTY)
    assert "SOHO" not in left.soloists
    assert left.ferries == ()
    assert left.marks["FORD"] == board.marks["FORD"]


def test_without_effort_nothing_is_decided_and_nobody_accused() -> None:
    verdict = verify_city(MAP, LOG, parse_city_board(FAIR, MAP.ids), effort=0)
    assert not verdict.decided
    assert not verdict.legal
    assert verdict.slips == ()
    assert verdict.at_least == 0


@pytest.mark.parametrize("seed", range(10))
def test_paris_is_judged_by_the_referee_of_the_base_game(seed: int) -> None:
    """Played by a simulator that knows neither referee nor dealer; a changed number is found as a slip."""
    paris = load_map("paris-home")
    played = play_game(paris, np.random.default_rng(seed))
    rolls = tuple(Roll(Phase(t.phase), tuple(card.id for card in t.cards), t.dice) for t in _in_rolls(played.turns))
    record = GameRecord(paris.id, paris.rules, ("Anna",), rolls, True)
    variant = VARIANTS[paris.rules]
    assert verify(paris, variant, record, played.board).legal
    assert RULESETS[paris.rules].problems(paris, played.board) == ()
    region, mark = next((r, m) for r, m in played.board.marks.items() if m.number is not None)
    wrong = played.board.replace({region: replace(mark, number=(mark.number or 0) // 10 * 11)})
    verdict = verify(paris, variant, record, wrong)
    assert not verdict.legal
    assert len(verdict.slips) == 1


def _in_rolls(turns: tuple[Turn, ...]) -> list[Turn]:
    return [turn for turn in turns if turn.dice]


def test_a_log_of_another_map_or_game_is_refused() -> None:
    board = CityBoard(parse_city_board("SOHO=1", MAP.ids).board)
    with pytest.raises(BadLog, match="usa"):
        verify_city(MAP, replace(LOG, map_id="usa"), board)
    with pytest.raises(BadLog, match="B99"):
        verify_city(MAP, game(("B99 B01 B02", (1, 2))), board)
