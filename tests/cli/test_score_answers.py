"""Answers to a photo whose map is not known yet: any map's notation is taken, and what no map has is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv.board import Kind, Mark
from ontour_cv.cli.board_input import read_city_board
from ontour_cv.cli.score_answers import Answers, read_answers
from ontour_cv.cli.score_city import read_given
from ontour_cv.errors import BadBoard
from ontour_cv.maps.load import load_map
from ontour_cv.resources import more_maps, templates_dir

PHOTO = Path("a.jpg")

SAID = {
    "a number": ("SOHO=37s", "TX=3o"),
    "another": ("MIDT=41", "NM=4"),
    "an X": ("HARL=x", "AK=x"),
    "a line": ("~SOHO-STG", "@change=1"),
    "no line": ("~TOTT-CONE=.", "@x=7"),
    "boxes": ("@s=1", "@rounds = 8"),
}
"""Corrections that go together, of New York and of a sheet."""


def test_each_kind_of_map_takes_its_own_notation() -> None:
    assert Answers(("NV=31",)).marks() == {"NV": Mark(Kind.NUMBER, 31)}
    assert Answers(("SOHO=37s", "~SOHO-STG")).given("new-york-home").ferries == (("SOHO", "STG"),)
    assert Answers(("@rounds=8",)).sheet() == {"@rounds": 8}


@pytest.mark.parametrize("text", ["NV=31", "SOHO=37s", "~SOHO-STG", "~SOHO-STG=.", "@s=1", "@rounds=8", "AK=x"])
def test_what_some_map_takes_is_taken(text: str) -> None:
    assert read_answers([text], [PHOTO])[PHOTO].texts == (text,)


def test_boxes_of_a_row_go_as_far_as_the_maps_row_does(tmp_path: Path) -> None:
    """Typed as a board, given with ``--set``, or before the map is known."""
    text = (templates_dir() / "new-york-home.toml").read_text("utf-8")
    row = re.search("(?m)^saxophone = .*$", text)
    assert row is not None
    text = text.replace(row[0], f"saxophone = {list(range(1, 13))}").replace('id = "new-york-home"', 'id = "long"', 1)
    (tmp_path / "long.toml").write_text(text, encoding="utf-8")
    with more_maps([tmp_path]):
        template = load_map("long")
        assert str(read_city_board(["SOHO=37s @s=12"], template)).endswith(" @s=12")
        assert read_given(["@s=10"], [PHOTO], "long")[PHOTO].tracks == {"s": 10}
        assert read_answers(["@s=10"], [PHOTO])[PHOTO].given("long").tracks == {"s": 10}
        for wrong in ("@s=13", "@m=10"):
            with pytest.raises(BadBoard):
                read_city_board([f"SOHO=37s {wrong}"], template)
            with pytest.raises(BadBoard):
                read_given([wrong], [PHOTO], "long")


@pytest.mark.parametrize("text", ["NV=999", "nonsense", "~SOHO", "@never=3", "@s=9", "NV"])
def test_what_no_map_takes_is_refused_before_a_photo_is_looked_at(text: str) -> None:
    with pytest.raises(BadBoard):
        read_answers([text], [PHOTO])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("@z=1", "names no row of soloists"),
        ("~SOHO-XX", "there is no neighbourhood 'XX'"),
        ("SOHO=37s ~SOHO-XX", "there is no neighbourhood 'XX'"),
        ("@never=3", "names no box of the sheet"),
        ("@x=100", "@x=100"),
        ("NV=999", "is no number from 0 to 99"),
    ],
)
def test_what_no_map_takes_is_refused_in_words_of_the_map_it_is_written_for(text: str, told: str) -> None:
    with pytest.raises(BadBoard, match=told) as refused:
        read_answers([text], [PHOTO])
    assert text.startswith("NV") or "WA=21o" not in f"{refused.value.message} {refused.value.remedy}"


def test_what_is_of_another_map_is_refused_by_a_board_with_discs_only() -> None:
    with pytest.raises(BadBoard, match="37s"):
        Answers(("SOHO=37s",)).marks()


@given(st.lists(st.sampled_from(list(SAID)), unique=True, min_size=1), st.sampled_from([" ", ", ", ";", "\n"]))
def test_several_corrections_in_one_text_count_as_each_by_itself(names: list[str], between: str) -> None:
    """On every kind of map, as on boards with nothing but discs."""
    for map_id, column in (("new-york-home", 0), ("rolling-america", 1)):
        texts = [SAID[name][column] for name in names]
        one, each = Answers((between.join(texts),)), Answers(tuple(texts))
        if column:
            assert one.sheet(map_id) == each.sheet(map_id)
            assert len(one.sheet(map_id)) == len(names)
        else:
            assert one.given(map_id) == each.given(map_id)
            found = one.given(map_id)
            assert len(found.marks) + len(found.ferries) + len(found.no_ferries) + len(found.tracks) == len(names)


def test_a_blank_or_a_mere_remark_beside_a_correction_takes_nothing_away() -> None:
    for text in ("", "  ", "# nothing"):
        assert Answers((text, "SOHO=37s")).given("new-york-home").soloists == {"SOHO": "s"}
        assert Answers((text, "TX=3")).sheet() == {"TX": Mark(Kind.NUMBER, 3)}
        with pytest.raises(BadBoard):
            Answers((text,)).sheet()
