"""New York is a home edition: true to geography, complete by itself, and its open rules stand in its file."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from ontour_cv.errors import BadTemplate
from ontour_cv.maps.city import City, CityCard
from ontour_cv.maps.load import load_map, read_map
from ontour_cv.maps.rulings import house_rulings
from ontour_cv.resources import map_dirs

NEW_YORK = load_map("new-york-home")
SOURCE = next(d / "new-york-home.toml" for d in map_dirs() if (d / "new-york-home.toml").is_file())


def city() -> City:
    assert NEW_YORK.city is not None
    return NEW_YORK.city


def borough(region: str) -> str:
    return NEW_YORK.region(region).areas[0]


def test_it_is_called_a_home_edition() -> None:
    assert NEW_YORK.title == "New York (home edition)"
    assert not NEW_YORK.published


def test_only_brooklyn_and_queens_meet_by_land() -> None:
    crossings = {tuple(sorted((borough(a), borough(b)))) for a, b in NEW_YORK.edges()}
    assert {pair for pair in crossings if pair[0] != pair[1]} == {("Brooklyn", "Queens")}


def test_each_water_has_neighbourhoods_of_two_boroughs() -> None:
    shores: dict[str, set[str]] = {}
    for region, waters in city().waters.items():
        for water in waters:
            shores.setdefault(water, set()).add(borough(region))
    assert shores and all(len(boroughs) > 1 for boroughs in shores.values())


def test_some_neighbourhoods_of_each_borough_lie_at_water_and_some_are_landlocked() -> None:
    for area in NEW_YORK.areas:
        inside = [bool(city().waters[region.id]) for region in NEW_YORK.regions if area in region.areas]
        assert set(inside) == {True, False}


def test_the_deck_is_three_ferries_and_thirty_seven_cards_with_a_soloist_in_one_of_one_to_three_boroughs() -> None:
    ferries = [card for card in city().cards if card.ferry]
    others = [card for card in city().cards if not card.ferry]
    assert (len(ferries), len(others)) == (3, 37)
    assert all(1 <= len(card.boroughs) <= 3 and card.soloist_in in card.boroughs for card in others)
    assert all(9 <= count <= 10 for count in Counter(card.soloist for card in others).values())


def test_boroughs_are_on_cards_about_as_often_as_they_have_neighbourhoods() -> None:
    shown = Counter(area for card in city().cards for area in card.boroughs)
    sizes = Counter(region.areas[0] for region in NEW_YORK.regions)
    for area in NEW_YORK.areas:
        assert 0.7 < (shown[area] / shown.total()) / (sizes[area] / sizes.total()) < 1.4


def test_five_neighbourhoods_surround_central_park() -> None:
    assert len(city().park) == 5
    assert {borough(region) for region in city().park} == {"Manhattan"}


def test_discs_lie_clear_of_one_another() -> None:
    places = [region.layout for region in NEW_YORK.regions]
    assert min(math.dist(a, b) for a, b in combinations(places, 2)) > 0.055
    assert all(0.03 < x < 0.97 and 0.03 < y < 0.67 for x, y in places)


def test_a_ferry_is_due_with_a_ferry_card_or_a_common_borough() -> None:
    by_boroughs = {card.boroughs: card for card in city().cards}
    ferry, queens = by_boroughs[()], by_boroughs[("Queens",)]
    both, bronx = by_boroughs[("Manhattan", "Queens")], by_boroughs[("Bronx",)]
    assert city().ferry_due((ferry, queens, bronx))
    assert city().ferry_due((queens, both, queens))
    assert not city().ferry_due((queens, both, bronx))


def test_a_ferry_card_may_open_every_borough_and_another_card_its_own_only() -> None:
    assert NEW_YORK.city is not None
    ferry, other = CityCard("F", ()), CityCard("B", ("Queens",), "s", "Queens")
    assert NEW_YORK.city.opens(ferry, NEW_YORK.areas) == ()
    wide = replace(NEW_YORK.city, ferries=replace(NEW_YORK.city.ferries, card_opens=True))
    assert wide.opens(ferry, NEW_YORK.areas) == NEW_YORK.areas
    assert wide.opens(other, NEW_YORK.areas) == ("Queens",)


def test_a_row_of_soloists_is_worth_its_highest_number_crossed_off() -> None:
    rows = {"s": (1, 2, 4), "m": (2, 5), "d": (1,), "g": (3, 3)}
    mine = replace(city(), tracks=rows)
    assert mine.soloist_points({"s": 2, "m": 1, "d": 5}) == 2 + 2 + 1
    assert mine.soloist_points({}) == 0


def test_every_ruling_told_follows_the_file(tmp_path: Path) -> None:
    """Changing a ruling needs no code: what is told changes with the data."""
    changed = SOURCE.read_text(encoding="utf-8")
    for before, after in (
        ("common_borough = true", "common_borough = false"),
        ("same_water = true", "same_water = false"),
        ("per_place = 0", "per_place = 2"),
        ("card_opens = false", "card_opens = true"),
        ("park_counts_x = true", "park_counts_x = false"),
        ("drums = [1, 2, 4, 6, 9, 12]", "drums = [2, 7]"),
    ):
        assert before in changed
        changed = changed.replace(before, after)
    path = tmp_path / "new-york-home.toml"
    path.write_text(changed, encoding="utf-8")
    before_, after_ = house_rulings(NEW_YORK), house_rulings(read_map(path))
    assert sum(a != b for a, b in zip(before_, after_, strict=True)) == 6
    assert any("2 at a neighbourhood" in ruling for ruling in after_)
    assert any("drums: 2 7" in ruling for ruling in after_)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('soloist = "saxophone"', 'soloist = "piano"', "piano"),
        ('boroughs = ["Manhattan"]', 'boroughs = ["Jersey"]', "Manhattan"),
        ("drums = [1, 2, 4, 6, 9, 12]", "drums = [2, 1]", "never fall"),
        ("drums = [1, 2, 4, 6, 9, 12]", "drums = [1, -1]", "zero or more"),
        ('park = ["UWS"', 'park = ["UWX"', "UWX"),
        ("bonus = 7 ", "bonuss = 7 ", "bonus"),
        ("with_card = true", "with_card = 1", "with_card"),
        ("common_borough = true", "common_borough = 1", "common_borough"),
        ('neighbours = ["HARL"]', "neighbours = []", "WASH"),
        ('id = "F2"', 'id = "F1"', "F1"),
        ('boroughs = ["Manhattan"]', 'boroughs = ["Manhattan", "Bronx", "Queens", "Brooklyn"]', "4 boroughs; 3 are"),
    ],
)  # fmt: skip
def test_a_slip_in_the_file_is_named(tmp_path: Path, before: str, after: str, said: str) -> None:
    text = SOURCE.read_text(encoding="utf-8")
    assert before in text
    path = tmp_path / "new-york-home.toml"
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(BadTemplate) as fault:
        read_map(path)
    assert said in fault.value.message
