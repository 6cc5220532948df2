"""Maps of one's own, however odd: each is printed as it is meant, or refused with what to mend."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from ontour_cv.errors import BadTemplate
from ontour_cv.maps.load import load_map
from ontour_cv.press.board import BoardLook, draw_board
from ontour_cv.press.cards import INSET, WIDTH, deck
from ontour_cv.press.design import ASPECT, load_design, made_up, read_design
from ontour_cv.press.drawing import Item, Text
from ontour_cv.press.letters import printable, text_width
from ontour_cv.press.palette import choose_colours
from ontour_cv.press.panel import draw_panel
from ontour_cv.resources import templates_dir


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


def test_the_name_of_a_water_stands_on_one_line(tmp_path: Path) -> None:
    source = (templates_dir() / "boards" / "new-york-home.toml").read_text(encoding="utf-8")
    assert "[words]" in source
    path = tmp_path / "new-york-home.toml"
    path.write_text(source.replace("[words]", '[words]\n"East\\nRiver" = [[0.5, 0.5]]'), encoding="utf-8")
    with pytest.raises(BadTemplate, match=r"words.*control characters"):
        read_design(path, load_map("new-york-home"))


def texts_of(items: tuple[Item, ...]) -> list[Text]:
    return [item for item in items if isinstance(item, Text)]


@pytest.mark.parametrize(
    "title", ["Donaudampfschifffahrtselektrizitätenhauptbetriebswerk", "A very " * 20 + "long title"]
)
def test_a_title_too_long_for_the_panel_ends_in_dots_and_stays_legible(title: str) -> None:
    usa = replace(load_map("usa"), title=title)
    name = texts_of(draw_panel(usa, made_up(usa), choose_colours(usa, lineart=False), 400.0))[0]
    assert name.text.endswith("...")
    assert name.size >= 4.0, "1 % of the board's width"
    assert text_width(name.text, name.size, name.weight) <= 0.2 * 400.0


@pytest.mark.parametrize("count", [1, 6, 7, 12, 15])
def test_the_legend_names_every_area_beside_the_rules_and_on_the_board(count: int) -> None:
    usa = load_map("usa")
    areas = tuple(f"Area number {k}" for k in range(count))
    regions = tuple(replace(region, areas=(areas[k % count],)) for k, region in enumerate(usa.regions))
    many = replace(usa, areas=areas, regions=regions)
    drawn = texts_of(draw_panel(many, made_up(many), choose_colours(many, lineart=False), 400.0))
    shown = [text for text in drawn if text.text.startswith("Area num")]
    assert len(shown) == count
    rules = min(text.at[0] for text in drawn if text.text.startswith("Start"))
    assert all(text.at[0] + text_width(text.text, text.size, text.weight) < rules for text in shown)
    assert all(text.at[1] < ASPECT * 400.0 for text in shown)
    rows = sorted(text.at[1] for text in shown if text.at[0] == shown[0].at[0])
    assert all(lower - upper > text.size for upper, lower in pairwise(rows) for text in shown)


def test_a_long_name_stays_on_its_card() -> None:
    usa = load_map("usa")
    name = "A very very long name of a region with Donaudampfschifffahrtsgesellschaft"
    regions = tuple(replace(region, name=name) if region.id == "WA" else region for region in usa.regions)
    long = replace(usa, regions=regions)
    card = next(
        one for one in deck(long, load_design(usa), lineart=False) if any(t.text == "WA" for t in texts_of(one.items))
    )
    lines = [text for text in texts_of(card.items) if text.text.startswith("A very") or text.text.endswith("...")]
    assert len(lines) == 2
    assert all(text_width(text.text, text.size, text.weight) < WIDTH - 2 * INSET for text in lines)
