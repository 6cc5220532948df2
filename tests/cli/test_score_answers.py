"""Answers to a photo whose map is not known yet: any map's notation is taken, and what no map has is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontour_cv.board import Kind, Mark
from ontour_cv.cli.score_answers import Answers, read_answers
from ontour_cv.errors import BadBoard

PHOTO = Path("a.jpg")


def test_each_kind_of_map_takes_its_own_notation() -> None:
    assert Answers(("NV=31",)).marks() == {"NV": Mark(Kind.NUMBER, 31)}
    assert Answers(("SOHO=37s", "~SOHO-STG")).given("new-york-home").ferries == (("SOHO", "STG"),)
    assert Answers(("@rounds=8",)).sheet() == {"@rounds": 8}


@pytest.mark.parametrize("text", ["NV=31", "SOHO=37s", "~SOHO-STG", "~SOHO-STG=.", "@s=1", "@rounds=8", "AK=x"])
def test_what_some_map_takes_is_taken(text: str) -> None:
    assert read_answers([text], [PHOTO])[PHOTO].texts == (text,)


@pytest.mark.parametrize("text", ["NV=999", "nonsense", "~SOHO", "@never=3", "@s=9", "NV"])
def test_what_no_map_takes_is_refused_before_a_photo_is_looked_at(text: str) -> None:
    with pytest.raises(BadBoard):
        read_answers([text], [PHOTO])


def test_what_is_of_another_map_is_refused_by_a_board_with_discs_only() -> None:
    with pytest.raises(BadBoard, match="37s"):
        Answers(("SOHO=37s",)).marks()
