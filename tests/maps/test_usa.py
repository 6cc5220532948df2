"""The USA map is the printed one."""

from __future__ import annotations

from collections import Counter

import networkx as nx
import pytest

from ontour_cv.maps.check import map_problems
from ontour_cv.maps.load import load_map

USA = load_map("usa")


def test_it_has_41_states_in_alphabetical_order_90_links_and_41_cards() -> None:
    assert len(USA.ids) == 41
    assert list(USA.ids) == sorted(USA.ids)
    assert len(USA.edges()) == 90
    assert sorted(card.region for card in USA.cards) == list(USA.ids)
    assert map_problems(USA) == ()


def test_the_graph_is_planar_and_nine_links_across_from_washington_to_new_england() -> None:
    graph = nx.Graph(USA.edges())
    assert nx.check_planarity(graph)[0]
    assert nx.diameter(graph) == 9
    assert nx.shortest_path_length(graph, "WA", "NE2") == 9


@pytest.mark.parametrize("a,b", [("GA", "NC"), ("MC", "WV"), ("AZ", "CO"), ("UT", "NM"), ("FL", "SC"), ("IL", "MI")])
def test_states_without_a_printed_line_are_no_neighbours(a: str, b: str) -> None:
    assert b not in USA.region(a).neighbours


def test_new_england_is_a_dead_end_and_shares_its_label_with_nebraska() -> None:
    assert USA.region("NE2").neighbours == ("NY",)
    assert [region.id for region in USA.regions if region.label == "NE"] == ["NE", "NE2"]


def test_the_cards_open_areas_as_often_as_counted_on_the_printed_deck() -> None:
    counted = {"South": 10, "North": 10, "East": 8, "Central": 7, "West": 6}
    assert Counter(card.area for card in USA.cards) == counted


def test_every_state_lies_in_a_row_and_a_column() -> None:
    sizes = Counter(region.areas for region in USA.regions)
    assert sizes == {
        ("North", "West"): 5,
        ("South", "West"): 6,
        ("North", "Central"): 9,
        ("South", "Central"): 6,
        ("North", "East"): 6,
        ("South", "East"): 9,
    }


def test_the_layout_has_west_at_the_left_and_north_at_the_top() -> None:
    x = {region.id: region.layout[0] for region in USA.regions}
    y = {region.id: region.layout[1] for region in USA.regions}
    assert x["CA"] < x["CO"] < x["MO"] < x["VA"] < x["NE2"]
    assert y["WA"] < y["OR"] < y["NV"] < y["AZ"]
    assert all(0 < value < 1 for value in x.values())
    assert all(0 < value < 0.66 for value in y.values())
