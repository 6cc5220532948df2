"""Maps of one's own, however odd: each is printed as it is meant, or refused with what to mend."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ontour_cv.errors import BadTemplate
from ontour_cv.maps.load import load_map
from ontour_cv.press.board import BoardLook, draw_board
from ontour_cv.press.design import made_up
from ontour_cv.press.letters import printable
from ontour_cv.press.palette import choose_colours


def test_an_area_that_no_region_lies_in_has_a_colour_of_its_own_in_the_legend() -> None:
    new_york = load_map("new-york-home")
    more = replace(new_york, areas=("Atlantis", *new_york.areas), city=None)
    colours = choose_colours(more, lineart=False).areas
    assert {area: colours[area] for area in new_york.areas} == choose_colours(new_york, lineart=False).areas
    assert len(set(colours.values())) == len(more.areas)
    assert draw_board(more, made_up(more), BoardLook(), 300.0).items


def test_two_regions_at_one_place_are_both_named() -> None:
    usa = load_map("usa")
    there = usa.region("TX").layout
    both = replace(usa, regions=tuple(replace(r, layout=there) if r.id == "WA" else r for r in usa.regions))
    with pytest.raises(BadTemplate, match=r"WA.*TX|TX.*WA") as refusal:
        made_up(both)
    assert "layout" in refusal.value.remedy


@pytest.mark.parametrize(
    ("text", "printed"), [("Łódź", "Łódz"), ("Świętokrzyskie", "Swietokrzyskie"), ("São Paulo", "São Paulo")]
)
def test_a_letter_that_the_typeface_lacks_is_printed_without_its_accents(text: str, printed: str) -> None:
    assert printable(text) == printed


@pytest.mark.parametrize(("text", "letter"), [("Москва", "М"), ("北京 city", "北")])
def test_a_text_that_cannot_be_printed_is_told_with_its_letters(text: str, letter: str) -> None:
    with pytest.raises(BadTemplate, match=f"{text}.*{letter}"):
        printable(text)
