"""The Rolling America map is the printed sheet."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import networkx as nx
import pytest

from ontour_cv.maps.check import map_problems
from ontour_cv.maps.load import load_map
from ontour_cv.maps.shape import map_shape

SHEET = load_map("rolling-america")


def test_it_has_50_states_106_borders_six_colours_and_no_cards() -> None:
    assert len(SHEET.ids) == 50
    assert list(SHEET.ids) == sorted(SHEET.ids)
    assert len(SHEET.edges()) == 106
    assert SHEET.cards == ()
    assert SHEET.published
    assert map_problems(SHEET) == ()


def test_every_state_has_one_colour_and_green_is_the_smallest() -> None:
    assert all(len(region.areas) == 1 for region in SHEET.regions)
    counted = Counter(region.areas[0] for region in SHEET.regions)
    assert counted == {"orange": 9, "blue": 9, "red": 9, "yellow": 8, "purple": 8, "green": 7}


def test_only_alaska_and_hawaii_border_nothing() -> None:
    assert [region.id for region in SHEET.regions if not region.neighbours] == ["AK", "HI"]
    assert SHEET.islands == ("AK", "HI")
    assert map_shape(SHEET).dead_ends == ("ME",)


def test_the_mainland_is_planar() -> None:
    assert nx.check_planarity(nx.Graph(SHEET.edges()))[0]


@pytest.mark.parametrize("a,b", [("UT", "NM"), ("AZ", "CO"), ("IN", "WI"), ("IL", "MI"), ("NJ", "RI"), ("MD", "WV")])
def test_corners_and_slips_of_other_lists_are_no_borders(a: str, b: str) -> None:
    assert b not in SHEET.region(a).neighbours


@pytest.mark.parametrize("a,b", [("CT", "NJ"), ("PA", "VA"), ("PA", "DE"), ("MI", "WI")])
def test_borders_that_only_the_sheet_has(a: str, b: str) -> None:
    assert b in SHEET.region(a).neighbours


def test_an_island_with_a_border_and_a_mainland_without_one_are_faults() -> None:
    assert any("called an island" in text for text in map_problems(replace(SHEET, islands=("AK", "HI", "ME"))))
    assert any("no way leads" in text for text in map_problems(replace(SHEET, islands=("AK",))))


def test_bordering_outlines_touch_and_no_outline_is_far_from_its_layout() -> None:
    """Outlines are traced by hand: two neighbours come within three hundredths of the sheet's width."""

    def corners(state: str) -> list[tuple[float, float]]:
        points = SHEET.region(state).outline
        turned = [*points[1:], points[0]]
        steps = [k / 12 for k in range(12)]
        return [
            (x + (u - x) * k, y + (v - y) * k) for (x, y), (u, v) in zip(points, turned, strict=True) for k in steps
        ]

    for a, b in SHEET.edges():
        gap = min(abs(x - u) + abs(y - v) for x, y in corners(a) for u, v in corners(b))
        assert gap < 0.03, (a, b, gap)


def test_the_sheet_has_17_boxes_to_cross_off_and_one_to_write_in() -> None:
    kinds = Counter(box.id.rstrip("0123456789") for box in SHEET.boxes)
    assert kinds == {"round": 8, "color": 3, "guard": 3, "dupe": 3, "numXs": 1}
