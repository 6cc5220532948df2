"""Paris is a home edition: twenty arrondissements on two banks, which only boats join."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import combinations

from ontour_cv.maps.check import map_problems
from ontour_cv.maps.city import Boats
from ontour_cv.maps.load import load_map
from ontour_cv.maps.model import card_region
from ontour_cv.maps.rulings import house_rulings

PARIS = load_map("paris-home")

LEFT = {"P5", "P6", "P7", "P13", "P14", "P15"}
SEINE = {"P1", "P4", "P5", "P6", "P7", "P8", "P12", "P13", "P15", "P16"}


def test_it_is_called_a_home_edition() -> None:
    assert PARIS.title == "Paris (home edition)"
    assert not PARIS.published
    assert len(house_rulings(PARIS)) == 4


def test_no_link_crosses_the_river() -> None:
    assert {region.id for region in PARIS.regions if "Left Bank" in region.areas} == LEFT
    assert all((a in LEFT) == (b in LEFT) for a, b in PARIS.edges())


def test_boats_stop_at_the_river_and_go_from_any_stop_to_any_other() -> None:
    assert PARIS.boats is not None
    assert set(PARIS.boats.stops) == SEINE
    for stop in SEINE:
        assert SEINE - {stop} <= set(PARIS.reach(stop))
    assert set(PARIS.reach("P18")) == set(PARIS.region("P18").neighbours)


def test_boats_need_two_stops_of_the_map() -> None:
    def problems(*stops: str) -> tuple[str, ...]:
        return map_problems(replace(PARIS, boats=Boats((*sorted(SEINE), *stops) if len(stops) > 1 else stops)))

    assert "boats need two stops or more" in problems("P1")
    assert problems("P10", "P99") == ("the boat stop P99 is not on the map",)
    assert map_problems(replace(PARIS, boats=Boats(("P1", "P7")))) == ()


def test_a_map_may_let_boats_go_a_few_stops_only() -> None:
    boats = Boats(("A", "B", "C", "D"), most_stops=1)
    assert boats.reach("B") == ("A", "C")
    assert boats.reach("Z") == ()


def test_each_arrondissement_has_a_card_for_each_area_it_lies_in() -> None:
    assert len(PARIS.cards) == len({card.id for card in PARIS.cards}) == 40
    for region in PARIS.regions:
        assert {card.area for card in PARIS.cards if card.region == region.id} == set(region.areas)
    assert all(card_region(card.id) == card.region for card in PARIS.cards)


def test_three_cards_of_one_area_are_about_as_rare_as_on_the_usa_map() -> None:
    """There it is 3.3 %; here each area has its share of the forty cards."""
    sizes = Counter(card.area for card in PARIS.cards).values()
    chance = sum(math.comb(size, 3) for size in sizes) / math.comb(40, 3)
    assert 0.02 < chance < 0.06


def test_discs_lie_clear_of_one_another() -> None:
    assert min(math.dist(a.layout, b.layout) for a, b in combinations(PARIS.regions, 2)) > 0.055


def test_ways_are_links_and_boats_each_once() -> None:
    ways = {frozenset(way) for way in PARIS.ways()}
    assert len(ways) == len(PARIS.ways())
    assert ways == {frozenset((here, there)) for here in PARIS.ids for there in PARIS.reach(here)}
    assert ways > {frozenset(link) for link in PARIS.edges()}
