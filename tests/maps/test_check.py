"""The map's referee finds every kind of slip in a map; the broken maps are built by hand from a sound one."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from ontour_cv.maps.check import edition_problems, map_problems
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.game import game_of
from ontour_cv.maps.load import load_map
from ontour_cv.maps.model import Card, MapTemplate
from ontour_cv.resources import more_maps
from ontour_cv.rules import VARIANTS

USA = load_map("usa")
NEW_YORK = load_map("new-york-home")


def own_rules(folder: Path) -> AbstractContextManager[None]:
    """Rules of one's own beside those that the program brings along: good ones and bad ones."""
    (folder / "rules").mkdir()
    for key, more in {
        "own-city": 'extends = "new-york"',
        "own-tour": 'extends = "bga"',
        "own-endless": 'extends = "own-endless"',
        "own-broken": "extends = ",
    }.items():
        (folder / "rules" / f"{key}.toml").write_text(f'key = "{key}"\ntitle = "{key}"\n{more}\n', encoding="utf-8")
    return more_maps([folder])


def with_neighbours(**links: tuple[str, ...]) -> MapTemplate:
    regions = tuple(replace(region, neighbours=links.get(region.id, region.neighbours)) for region in USA.regions)
    return replace(USA, regions=regions)


def test_a_link_listed_on_one_side_only_is_found() -> None:
    assert "NY lists NE2, but NE2 does not list NY" in map_problems(with_neighbours(NE2=()))


def test_a_region_nothing_leads_to_is_found() -> None:
    problems = map_problems(with_neighbours(NE2=(), NY=("MC", "PA")))
    assert "no way leads from AL to NE2" in problems
    assert "89 links are listed but 90 are printed" in problems


def test_a_neighbour_that_is_itself_or_unknown_or_listed_twice_is_found() -> None:
    problems = map_problems(with_neighbours(NE2=("NY", "NY", "NE2", "HI")))
    assert "NE2 lists NY twice" in problems
    assert "NE2 lists itself as a neighbour" in problems
    assert "NE2 lists HI, which is not on the map" in problems


def test_wrong_counts_are_found_and_unsaid_ones_are_not_checked() -> None:
    fewer = replace(USA, cards=USA.cards[:-1])
    assert "40 cards are listed but 41 are printed" in map_problems(fewer)
    assert map_problems(replace(fewer, deck=None)) == ()


def test_cards_for_regions_or_areas_that_do_not_exist_are_found() -> None:
    cards = (*USA.cards[:-1], Card("HI", "West"), Card("AL", "Mars"))
    problems = map_problems(replace(USA, cards=cards))
    assert "the card HI is for a region that is not on the map" in problems
    assert "the card AL opens 'Mars', which is not among the areas" in problems
    assert "the card AL is in the deck 2 times" in problems


def test_a_shared_label_must_be_declared_and_a_declared_one_must_be_shared() -> None:
    assert "the label 'NE' is printed 2 times but is not among the shared labels" in map_problems(
        replace(USA, shared_labels=())
    )
    assert "the shared label 'TX' is not printed twice" in map_problems(replace(USA, shared_labels=("NE", "TX")))


@pytest.mark.parametrize(("areas", "count"), [((), 0), (("orange", "red"), 2)])
def test_a_state_of_a_sheet_has_one_colour(areas: tuple[str, ...], count: int) -> None:
    """Elsewhere a region may lie in several areas, or, where nobody plays by cards, in none."""
    sheet = load_map("rolling-america")
    regions = tuple(replace(r, areas=areas) if r.id == "WA" else r for r in sheet.regions)
    assert map_problems(replace(sheet, regions=regions)) == (f"WA must have one colour, not {count}",)
    assert "no areas are listed, which are the colours of the dice" in map_problems(replace(sheet, areas=()))
    bare = tuple(replace(region, areas=()) for region in USA.regions)
    assert map_problems(replace(USA, regions=bare, cards=(), areas=(), deck=None)) == ()


def test_an_empty_map_has_problems_and_does_not_crash() -> None:
    assert map_problems(replace(USA, regions=(), cards=()))


def test_discs_that_lie_on_one_another_or_belong_to_another_map_are_found() -> None:
    cells = {region.id: region.layout for region in USA.regions}
    sound = Edition("usa", "layout", "The layout itself", cells, 0.0195, "not at all")
    assert edition_problems(sound, USA) == ()
    twice = replace(sound, map="europe", cells={**cells, "NV": cells["UT"]})
    problems = edition_problems(twice, USA)
    assert "it is for the map 'europe', not 'usa'" in problems
    assert "NV and UT lie on one another" in problems


@pytest.mark.parametrize("rules", ["new-york", "own-city"])
def test_the_rules_of_new_york_need_a_city(tmp_path: Path, rules: str) -> None:
    """Rules of one's own that extend them, too."""
    with own_rules(tmp_path):
        (problem,) = map_problems(replace(USA, rules=rules))
        assert "[city]" in problem
        assert map_problems(replace(NEW_YORK, rules=rules)) == ()


@pytest.mark.parametrize("rules", ["rulebook", "bga", "rolling", "own-tour"])
def test_a_city_needs_the_rules_of_new_york(tmp_path: Path, rules: str) -> None:
    with own_rules(tmp_path):
        (problem,) = map_problems(replace(NEW_YORK, rules=rules))
        assert "[city]" in problem and repr(rules) in problem


@pytest.mark.parametrize("rules", ["nonesuch", "own-broken", "own-endless", "../rules/bga"])
def test_rules_that_cannot_be_read_are_told_by_whoever_plays_by_them(tmp_path: Path, rules: str) -> None:
    with own_rules(tmp_path):
        assert map_problems(replace(NEW_YORK, rules=rules)) == map_problems(replace(USA, rules=rules)) == ()


def test_a_map_is_of_the_game_that_its_rules_are_of(tmp_path: Path) -> None:
    """As those who play by the rules read them."""
    with own_rules(tmp_path):
        for key in ("rulebook", "bga", "rolling", "new-york", "own-city", "own-tour"):
            assert game_of(key) == VARIANTS[key].game
