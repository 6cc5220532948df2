"""The notation of sheets: lenient to read, strict to print, nothing lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.errors import BadBoard
from ontour_cv.maps.load import load_map
from ontour_cv.sheet import MOST, Boxes, Sheet, parse_sheet

IDS = load_map("rolling-america").ids

marks = st.one_of(
    st.builds(lambda n, o: Mark(Kind.NUMBER, n, o), st.integers(1, 6), st.booleans()),
    st.builds(lambda k, o: Mark(k, None, o), st.sampled_from([Kind.EMPTY, Kind.BLOCKED, Kind.UNREAD]), st.booleans()),
)
boxes = st.builds(Boxes, **{name: st.none() | st.integers(0, most) for name, most in MOST.items()})


@given(st.lists(marks, min_size=len(IDS), max_size=len(IDS)), boxes)
def test_every_sheet_prints_and_parses_without_loss(cells: list[Mark], beside: Boxes) -> None:
    sheet = Sheet(BoardState(dict(zip(IDS, cells, strict=True))), beside)
    assert parse_sheet(str(sheet), IDS) == sheet


def test_a_typed_sheet_may_have_any_order_case_and_blanks() -> None:
    sheet = parse_sheet("or = 3O, @Rounds = 8  WA=03; # a remark\n ca=X @x=7", IDS)
    assert str(sheet.marks["WA"].number) == "3"
    assert (sheet.marks["OR"].circled, sheet.marks["CA"].kind, sheet.marks["NV"].kind) == (
        True,
        Kind.BLOCKED,
        Kind.EMPTY,
    )
    assert sheet.boxes == Boxes(rounds=8, x=7)
    assert str(sheet).endswith(" @rounds=8 @x=7")
    assert "OR=3o" in str(sheet)


@pytest.mark.parametrize(
    ("text", "quoted", "said"),
    [
        ("WA=7", "'WA=7'", "1-6"),
        ("WA=0", "'WA=0'", "1-6"),
        ("WA=*", "'WA=*'", "1-6"),
        ("WA=31", "'WA=31'", "1-6"),
        ("WA=3oo", "'WA=3oo'", "1-6"),
        ("WA", "'WA'", "="),
        ("ZZ=3", "'ZZ=3'", "ZZ"),
        ("WA=3 WA=4", "'WA=4'", "already"),
        ("WA=3 @gaurd=1", "'@gaurd=1'", "@guard"),
        ("WA=3 @guard=4", "'@guard=4'", "0 to 3"),
        ("WA=3 @rounds=9", "'@rounds=9'", "0 to 8"),
        ("WA=3 @dupe", "'@dupe'", "0 to 3"),
        ("WA=3 @x=-1", "'@x=-1'", "0 to 99"),
        ("WA=3 @x=1 @x=2", "'@x=2'", "already"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_token(text: str, quoted: str, said: str) -> None:
    with pytest.raises(BadBoard) as fault:
        parse_sheet(text, IDS)
    assert quoted in fault.value.message
    assert said in fault.value.message + fault.value.remedy


def test_a_sheet_without_any_state_is_refused() -> None:
    with pytest.raises(BadBoard, match="no state"):
        parse_sheet("@x=3", IDS)
