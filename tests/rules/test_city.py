"""What a board of New York alone can prove, and what its best route is worth."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from ontour_cv.city_board import CityBoard, parse_city_board
from ontour_cv.maps.load import load_map
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules import VARIANTS
from ontour_cv.rules.city import city_problems, city_score
from ontour_cv.synth.play_city import play_city

MAP = load_map("new-york-home")
CITY = MAP.city
assert CITY is not None


def rules_broken(text: str, template: MapTemplate = MAP) -> list[str]:
    return [problem.rule for problem in city_problems(template, parse_city_board(text, MAP.ids))]


def with_ferries(**changes: bool | int) -> MapTemplate:
    assert CITY is not None
    return replace(MAP, city=replace(CITY, ferries=replace(CITY.ferries, **changes)))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(12))
def test_a_correct_game_has_no_problem_whenever_it_is_photographed(seed: int) -> None:
    rng = random.Random(seed)
    played = play_city(MAP, rng, players=3, rolls=None if seed % 3 else rng.randrange(25))
    for board in played.boards:
        assert city_problems(MAP, board) == ()


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("SOHO=37s STG=73 ~SOHO-STG", []),  # empties are no problem
        ("SOHO=37o STG=73", ["circle"]),
        ("SOHO=*s", ["soloist"]),
        ("SOHO=xs", ["soloist"]),
        ("SOHO=.s", ["soloist"]),
        ("SOHO=44", ["double"]),
        ("SOHO=37", ["pairs"]),
        ("SOHO=37 STG=x", []),  # the X may be 73's
        ("SOHO=37 STG=?", ["unread"]),
        ("SOHO=37+ STG=73", ["unread"]),
        ("SOHO=37 STG=73 ~SOHO-CHEL", ["ferry"]),  # both in Manhattan
        ("SOHO=37 STG=73 ~HARL-STG", ["ferry"]),  # Harlem is landlocked
        ("SOHO=37 STG=73 ~UWS-BAYS", ["ferry"]),  # not the same water
        ("WILL=. ~WILL-LIC", []),  # Brooklyn and Queens may have one, too
        ("UWS=12 UES=21 HARL=* EHAR=13 MIDT=31", ["park"]),
        ("UWS=12 UES=21 HARL=* EHAR=13 MIDT=31 SOHO=*", []),
        ("UWS=12 UES=21 HARL=x EHAR=13 MIDT=31", ["park"]),  # an X counts by this map's ruling
        ("UWS=12 UES=21 HARL=. EHAR=13 MIDT=31", []),
        ("SOHO=37s STG=73 @s=1 @m=0", []),
        ("SOHO=37s STG=73 @s=2", ["tracks"]),
        ("SOHO=37 STG=73 @m=1", ["tracks"]),
        ("SOHO=37s STG=73m @s=1 @m=1", []),
        ("SOHO=37s STG=73m @s=2", ["tracks"]),  # a microphone crosses off no box of the saxophones
        ("SOHO=37s STG=73+ @s=2", ["unread"]),  # which may be one
    ],
)
def test_problems_of_small_boards(text: str, broken: list[str]) -> None:
    assert rules_broken(text) == broken


def test_one_is_told_as_one() -> None:
    (pairs,) = city_problems(MAP, parse_city_board("SOHO=37", MAP.ids))
    assert "That is 1 number alone;" in pairs.text
    (tracks,) = city_problems(MAP, parse_city_board("SOHO=37s STG=73 @s=2", MAP.ids))
    assert tracks.text.endswith("has 2 crossed off, but there is 1 on the board.")


def test_rulings_of_the_map_change_what_is_a_problem() -> None:
    wide = "SOHO=37 STG=73 ~UWS-BAYS"
    assert rules_broken(wide, with_ferries(same_water=False)) == []
    assert rules_broken("SOHO=. ~SOHO-STG ~SOHO-STAP", with_ferries(per_place=1)) == ["ferry"]
    assert rules_broken("SOHO=. ~SOHO-STG ~FIDI-STAP", with_ferries(per_board=1)) == ["ferry"]
    for most in ({"per_place": 2}, {"per_board": 2}):
        assert rules_broken("SOHO=. ~SOHO-STG ~SOHO-STAP", with_ferries(**most)) == []
    assert CITY is not None
    strict = replace(MAP, city=replace(CITY, park_counts_x=False))
    assert rules_broken("UWS=12 UES=21 HARL=x EHAR=13 MIDT=31", strict) == []


def test_an_x_needs_a_full_borough_only_where_every_card_opens_one() -> None:
    """With ferry cards that open nothing, two of them leave a number without a card."""
    text = "SOHO=x WAKE=x JACK=x BUSH=x NEWS=x"
    assert rules_broken(text) == []
    assert rules_broken(text, with_ferries(card_opens=True)) == ["x-area"]


SMALL = "STG=21s STAP=12g BAYR=25 CONE=* WILL=30m DUMB=31m LIC=40 ASTO=41 SOHO=35d FIDI=33 MOTT=45 HUNT=50s"
FERRIES = "~BAYR-STG ~SOHO-DUMB ~FIDI-DUMB ~ASTO-MOTT ~LIC-DUMB ~WILL-LIC"


def routes(board: CityBoard) -> Iterator[tuple[str, ...]]:
    """Every lawful route, by trying all: an oracle that shares nothing with the solver."""
    written = [r for r, mark in board.marks.items() if mark.number is not None or mark.kind.name == "STAR"]

    def follow(route: tuple[str, ...], level: int) -> Iterator[tuple[str, ...]]:
        yield route
        for other in {*MAP.region(route[-1]).neighbours, *board.ferries_at(route[-1])}:
            number = board.marks[other].number
            if other in written and other not in route and (number is None or number >= level):
                yield from follow((*route, other), level if number is None else number)

    for start in written:
        yield from follow((start,), board.marks[start].number or 0)


def worth(board: CityBoard, route: tuple[str, ...]) -> int:
    found = [board.soloists.get(region, "") for region in route]
    rows = sum((0, 1, 2, 4, 6, 9, 12)[min(found.count(letter), 6)] for letter in "smdg")
    return len(route) + rows + (7 if len({MAP.region(region).areas for region in route}) == 5 else 0)


@pytest.mark.parametrize("seed", range(8))
def test_the_best_route_is_that_of_trying_all(seed: int) -> None:
    rng = random.Random(seed)
    cells = [token for token in SMALL.split() if rng.random() < 0.9]
    ferries = [token for token in FERRIES.split() if rng.random() < 0.8]
    board = parse_city_board(" ".join(cells + ferries), MAP.ids)
    score = city_score(MAP, board)
    assert score.total == max(worth(board, route) for route in routes(board))
    assert score.total == worth(board, score.route)
    assert score.route in set(routes(board)) | {route[::-1] for route in routes(board)}


def test_all_boroughs_give_the_bonus() -> None:
    board = parse_city_board("STG=10 BAYR=11 ~STG-BAYR FLAT=12 ENY=13 HOWA=14 DUMB=15 FIDI=16", MAP.ids)
    assert city_score(MAP, board).bonus == 0
    text = "STG=10 FIDI=11 ~STG-FIDI DUMB=12 ~FIDI-DUMB WILL=13 LIC=14 ~WILL-LIC ASTO=15 MOTT=16 ~ASTO-MOTT"
    score = city_score(MAP, parse_city_board(text, MAP.ids))
    assert (score.total, score.visited, score.bonus) == (14, 7, 7)
    assert score.boroughs == MAP.areas


def test_an_empty_board_scores_nothing() -> None:
    assert city_score(MAP, parse_city_board("SOHO=.", MAP.ids)).total == 0


def test_the_map_is_played_by_its_own_game() -> None:
    assert VARIANTS[MAP.rules].game == "new-york"
