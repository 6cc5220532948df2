"""The notation of New York's boards: lenient to read, strict to print, nothing lost."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.city_board import UNREAD_SOLOIST, CityBoard, ordered_pairs, parse_city_board
from ontour_cv.errors import BadBoard

IDS = ("WASH", "SOHO", "FIDI", "MOTT", "LIC", "DUMB", "STG", "TOTT")

marks = st.one_of(
    st.builds(lambda n, o: Mark(Kind.NUMBER, n, o), st.integers(0, 99), st.booleans()),
    st.builds(lambda k, o: Mark(k, None, o), st.sampled_from([k for k in Kind if k is not Kind.NUMBER]), st.booleans()),
)
soloists = st.dictionaries(st.sampled_from(IDS), st.sampled_from(["s", "m", "d", "g", UNREAD_SOLOIST]))
pairs = st.lists(st.sampled_from(list(itertools.permutations(IDS, 2))), max_size=6)
tracks = st.dictionaries(st.sampled_from("smdg"), st.integers(0, 9))


@given(st.lists(marks, min_size=len(IDS), max_size=len(IDS)), soloists, pairs, tracks)
def test_every_board_prints_and_parses_without_loss(
    cells: list[Mark], with_whom: dict[str, str], ferries: list[tuple[str, str]], rows: dict[str, int]
) -> None:
    city = CityBoard(
        BoardState(dict(zip(IDS, cells, strict=True))),
        {region: with_whom[region] for region in IDS if region in with_whom},
        ordered_pairs(ferries, IDS),
        {letter: rows[letter] for letter in "smdg" if letter in rows},
    )
    assert parse_city_board(str(city), IDS) == city
    assert parse_city_board(str(city)) == city


@given(st.dictionaries(st.sampled_from("smdg"), st.integers(0, 2000), min_size=1), st.integers(9, 2000))
def test_rows_of_any_length_print_and_parse_without_loss_where_the_map_has_them(
    rows: dict[str, int], most: int
) -> None:
    board = BoardState(dict.fromkeys(IDS, Mark(Kind.EMPTY)))
    city = CityBoard(board, tracks={letter: rows[letter] for letter in "smdg" if letter in rows})
    if max(rows.values()) <= most:
        assert parse_city_board(str(city), IDS, most) == city
    else:
        with pytest.raises(BadBoard, match=f"a number from 0 to {most}"):
            parse_city_board(str(city), IDS, most)


@pytest.mark.parametrize("value", ["", "-1", "1.0", "010", "1e1", "99999", "१"])
def test_what_is_no_number_of_boxes_is_none_on_long_rows_either(value: str) -> None:
    with pytest.raises(BadBoard, match="a number from 0 to 12"):
        parse_city_board(f"SOHO=3 @s={value}", IDS, 12)


def test_a_typed_board_may_have_any_order_case_and_blanks() -> None:
    city = parse_city_board("stg = 41, ~stg-soho; soho=7S+ # a remark\n mott=X fidi=*, @Guitar=2", IDS)
    assert city.soloists == {"SOHO": "s"}
    assert city.ferries == (("SOHO", "STG"),)
    assert city.marks["LIC"].kind is Kind.EMPTY
    assert str(city) == "WASH=. SOHO=07s FIDI=* MOTT=x LIC=. DUMB=. STG=41 TOTT=. ~SOHO-STG @g=2"


def test_a_soloist_that_could_not_be_read_is_a_plus() -> None:
    assert parse_city_board("SOHO=37+", IDS).soloists == {"SOHO": UNREAD_SOLOIST}


def test_a_ferry_is_known_from_both_ends() -> None:
    city = parse_city_board("SOHO=37 ~STG-SOHO ~LIC-SOHO", IDS)
    assert set(city.ferries_at("SOHO")) == {"STG", "LIC"}
    assert city.ferries_at("STG") == ("SOHO",)


@pytest.mark.parametrize(
    ("text", "quoted", "said"),
    [
        ("SOHO=37t", "'SOHO=37t'", "s, m, d or g"),
        ("SOHO=37ss", "'SOHO=37ss'", "s, m, d or g"),
        ("SOHO=100s", "'SOHO=100'", "0 to 99"),
        ("SOHO", "'SOHO'", "="),
        ("SOHOO=3", "'SOHOO=3'", "SOHO"),
        ("SOHO=3 SOHO=4", "'SOHO=4'", "already"),
        ("SOHO=3 ~SOHO", "'~SOHO'", "two neighbourhoods"),
        ("SOHO=3 ~SOHO-", "'~SOHO-'", "two neighbourhoods"),
        ("SOHO=3 ~SOHO-STGE", "'~SOHO-STGE'", "STG"),
        ("SOHO=3 ~SOHO-SOHO", "'~SOHO-SOHO'", "itself"),
        ("SOHO=3 ~SOHO-STG ~STG-SOHO", "'~STG-SOHO'", "already"),
        ("SOHO=3 @s=10", "'@s=10'", "0 to 9"),
        ("SOHO=3 @s", "'@s'", "0 to 9"),
        ("SOHO=3 @s=1 @saxophone=1", "'@saxophone=1'", "already"),
        ("SOHO=3 @piano=1", "'@piano=1'", "row"),
        ("~SOHO-STG", "", "no neighbourhood"),
        ("", "", "no neighbourhood"),
    ],
)
def test_what_no_pen_can_mean_is_refused_and_quoted(text: str, quoted: str, said: str) -> None:
    with pytest.raises(BadBoard) as fault:
        parse_city_board(text, IDS)
    assert quoted in fault.value.message
    assert said in fault.value.message + fault.value.remedy
