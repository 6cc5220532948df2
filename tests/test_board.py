"""Board notation: what parses, what is refused and how, and that nothing is lost on the way."""

from __future__ import annotations

import pytest
from boards import GOLDEN
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv.board import BoardState, Kind, Mark, format_board, format_mark, parse_board, parse_mark
from ontour_cv.errors import BadBoard
from ontour_cv.maps.load import load_map

IDS = load_map("usa").ids

kinds = st.sampled_from([Kind.EMPTY, Kind.STAR, Kind.BLOCKED, Kind.UNREAD])
marks = st.one_of(
    st.builds(Mark, kinds, st.none(), st.booleans()),
    st.builds(Mark, st.just(Kind.NUMBER), st.integers(0, 99), st.booleans()),
)
boards = st.fixed_dictionaries(dict.fromkeys(IDS, marks)).map(BoardState)
near_boards = st.lists(
    st.sampled_from([*"WA=21o,;#\n \t*x.?XOw9", "NE2=", "WA=", "SD=*o", "TX=007", " = ", "=", "ſ", "٣", "\ufeff"]),
    max_size=30,
).map("".join)


def test_the_golden_board_prints_as_it_was_written() -> None:
    assert format_board(parse_board(GOLDEN, IDS)) == GOLDEN


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("31", Mark(Kind.NUMBER, 31)),
        ("9", Mark(Kind.NUMBER, 9)),
        ("09", Mark(Kind.NUMBER, 9)),
        ("007", Mark(Kind.NUMBER, 7)),
        ("0", Mark(Kind.NUMBER, 0)),
        ("99", Mark(Kind.NUMBER, 99)),
        ("21o", Mark(Kind.NUMBER, 21, True)),
        ("21O", Mark(Kind.NUMBER, 21, True)),
        ("*", Mark(Kind.STAR)),
        ("*o", Mark(Kind.STAR, None, True)),
        ("x", Mark(Kind.BLOCKED)),
        ("X", Mark(Kind.BLOCKED)),
        ("xo", Mark(Kind.BLOCKED, None, True)),
        (".", Mark(Kind.EMPTY)),
        (".o", Mark(Kind.EMPTY, None, True)),
        ("?", Mark(Kind.UNREAD)),
        ("?o", Mark(Kind.UNREAD, None, True)),
    ],
)
def test_each_mark_has_its_sign(text: str, mark: Mark) -> None:
    assert parse_mark(text) == mark
    assert parse_mark(format_mark(mark)) == mark


@pytest.mark.parametrize("text", ["", "o", "100", "1000", "-1", "2.5", "21oo", "o21", "**", "xx", "21 o", "٣", "star"])
def test_anything_else_is_no_mark_and_the_message_quotes_it(text: str) -> None:
    with pytest.raises(BadBoard) as fault:
        parse_mark(text)
    assert repr(text) in fault.value.message
    assert "expected a number 0-99, * (star), x (blocked), . (empty) or ? (unread)" in fault.value.message


@pytest.mark.parametrize("kind,number", [(Kind.NUMBER, None), (Kind.NUMBER, 100), (Kind.NUMBER, -1), (Kind.STAR, 5)])
def test_a_mark_that_cannot_be_written_cannot_be_made(kind: Kind, number: int | None) -> None:
    with pytest.raises(ValueError, match="number"):
        Mark(kind, number)


@given(marks)
def test_every_mark_survives_printing_and_parsing(mark: Mark) -> None:
    assert parse_mark(format_mark(mark)) == mark


@given(boards)
def test_every_board_survives_printing_and_parsing(board: BoardState) -> None:
    again = parse_board(format_board(board), IDS)
    assert again == board
    assert tuple(again.marks) == IDS
    assert parse_board(str(board)) == board


@given(st.one_of(st.text(), near_boards), st.sampled_from([None, IDS]))
def test_any_text_is_a_board_or_a_clear_refusal(text: str, ids: tuple[str, ...] | None) -> None:
    try:
        board = parse_board(text, ids)
    except BadBoard as fault:
        assert fault.exit_code == 5
        assert "expected" in fault.message or "already given" in fault.message or "no region" in fault.message
        assert fault.remedy
    else:
        assert parse_board(format_board(board), ids) == board


@given(st.permutations(GOLDEN.split()), st.sampled_from([" ", "\n", ", ", ",", ";\n", "\t\t", "\r\n"]))
def test_order_and_separators_do_not_matter(tokens: list[str], separator: str) -> None:
    assert parse_board(separator.join(tokens), IDS) == parse_board(GOLDEN, IDS)


def test_case_blanks_and_comments_do_not_matter() -> None:
    text = "\ufeff# Anna's board, 3 May\n wa = 21O,  sd=*o # a star\n\n  #nothing here\nWi=X\n"
    expected = parse_board("WA=21o SD=*o WI=x", IDS)
    assert parse_board(text, IDS) == expected


def test_a_region_that_is_not_named_is_empty() -> None:
    board = parse_board("WA=21o", IDS)
    assert board.marks["TX"] == Mark(Kind.EMPTY)
    assert board.of_kind(Kind.NUMBER) == ("WA",)


def test_without_a_map_the_board_has_the_regions_named() -> None:
    assert tuple(parse_board("ZZ=1 AA=2").marks) == ("ZZ", "AA")


@pytest.mark.parametrize(
    ("text", "quoted", "said"),
    [
        ("WA=21o NV31", "'NV31'", "has no '='"),
        ("WA=21o NV=3l", "'NV=3l'", "expected a number 0-99"),
        ("WA=210", "'WA=210'", "no number from 0 to 99"),
        ("WA=21o NVV=31", "'NVV=31'", "did you mean NV"),
        ("NE3=1", "'NE3=1'", "did you mean NE"),
        ("WA=21 WA=12", "'WA=12'", "already given as 21"),
        ("=21", "'=21'", "does not begin with a region"),
        ("WA=", "'WA='", "expected a number 0-99"),
        ("WA=21=3", "'WA=21=3'", "expected a number 0-99"),
        ("", "no region at all", "AL=21o"),
        ("# nothing but a comment", "no region at all", "AL=21o"),
    ],
)
def test_a_refusal_quotes_the_token_and_says_what_was_expected(text: str, quoted: str, said: str) -> None:
    with pytest.raises(BadBoard) as fault:
        parse_board(text, IDS)
    assert quoted in fault.value.message
    assert said in fault.value.message


def test_an_unknown_region_is_told_which_there_are() -> None:
    with pytest.raises(BadBoard) as fault:
        parse_board("HI=21", IDS)
    assert "AL AR AZ" in fault.value.remedy


def test_a_very_long_token_is_quoted_in_part() -> None:
    with pytest.raises(BadBoard) as fault:
        parse_board("WA=" + "9" * 10_000, IDS)
    assert len(fault.value.message) < 300


def test_replacing_marks_keeps_the_order_and_the_old_board() -> None:
    board = parse_board(GOLDEN, IDS)
    other = board.replace({"NV": Mark(Kind.NUMBER, 13)})
    assert other.marks["NV"].number == 13
    assert board.marks["NV"].number == 31
    assert tuple(other.marks) == IDS
    with pytest.raises(KeyError):
        board.replace({"HI": Mark(Kind.STAR)})
