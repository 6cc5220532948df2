"""The Europe map is a home edition: complete to the known totals, and never passed off as the printed one."""

from __future__ import annotations

from ontour_cv.maps.load import load_map
from ontour_cv.maps.shape import map_shape

EUROPE = load_map("europe-home")

SEA = {"CYP-GRC", "DEU-SWE", "DNK-SWE", "EST-SWE", "FRA-GBR", "GBR-ISL", "GRC-ITA", "ITA-MLT"}


def test_it_is_called_a_home_edition() -> None:
    assert EUROPE.title == "Europe (home edition)"
    assert not EUROPE.published


def test_it_has_the_totals_of_the_printed_map() -> None:
    assert (len(EUROPE.regions), len(EUROPE.edges()), len(EUROPE.cards)) == (39, 70, 39)


def test_eight_links_cross_the_sea() -> None:
    """Islands and overseas neighbours are reached by these links only."""
    links = {"-".join(edge) for edge in EUROPE.edges()}
    assert links >= SEA
    for island, ways in (("ISL", ["GBR"]), ("IRL", ["GBR"]), ("MLT", ["ITA"]), ("CYP", ["GRC"])):
        assert list(EUROPE.region(island).neighbours) == ways


def test_every_region_lies_in_one_of_two_halves_and_one_of_three_columns() -> None:
    for region in EUROPE.regions:
        half, column = region.areas
        assert half in ("North", "South")
        assert column in ("West", "Central", "East")


def test_every_country_has_one_card_and_no_area_is_rare() -> None:
    assert sorted(card.region for card in EUROPE.cards) == sorted(EUROPE.ids)
    for area in EUROPE.areas:
        assert sum(card.area == area for card in EUROPE.cards) >= 3


def test_no_way_is_longer_than_eight_links() -> None:
    assert map_shape(EUROPE).longest <= 8
