"""A card's texts stay clear of one another and of its small map."""

from __future__ import annotations

import pytest

from ontour_cv.maps.load import load_map
from ontour_cv.press.cards import deck
from ontour_cv.press.design import load_design, made_up
from ontour_cv.press.drawing import Group, Text

DESCENDER, CAPITAL = 0.28, 1.0
"""How far letters reach below and above their base line, in sizes (heights of a capital)."""


@pytest.mark.parametrize("map_id", ["usa", "europe-home", "paris-home"])
def test_no_name_touches_its_abbreviation_the_next_line_or_the_small_map(map_id: str) -> None:
    template = load_map(map_id)
    design = load_design(template)
    tops = [y for outline in design.land.values() for _, y in outline]
    for card in deck(template, design, lineart=False):
        area, *texts = [item for item in card.items if isinstance(item, Text)]
        (locator,) = [item for item in card.items if isinstance(item, Group)]
        map_top = locator.shift[1] + locator.scale * min(tops) * 100.0
        baselines = [text.at[1] + DESCENDER * text.size for text in texts]
        ceilings = [text.at[1] - CAPITAL * text.size for text in texts]
        assert baselines[-1] <= map_top, texts[-1].text
        assert all(below >= above.at[1] for above, below in zip(texts, ceilings[1:], strict=False))
        assert area.text


@pytest.mark.parametrize(("map_id", "words"), [("usa", ("state", "states")), ("europe-home", ("country", "countries"))])
def test_a_board_calls_its_places_as_the_map_does(map_id: str, words: tuple[str, str]) -> None:
    template = load_map(map_id)
    assert (load_design(template).place, load_design(template).places) == words
    assert (made_up(template).place, made_up(template).places) == words
