"""designs: printings of one design are one group, other boards and other maps are groups of their own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ontour_cv.maps.edition import Edition
from ontour_cv.vision.designs import SAME_DESIGN, alike, mean_board, mean_radius

FIRST = Edition("usa", "first", "", {"A": (0.1, 0.1), "B": (0.5, 0.2), "C": (0.9, 0.6)}, 0.02, "")


def moved(by: float, name: str = "moved", **changes: object) -> Edition:
    """The first edition with every disc ``by`` disc radii further right."""
    cells = {region: (x + by * FIRST.radius, y) for region, (x, y) in FIRST.cells.items()}
    return replace(FIRST, cells=cells, name=name, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(("by", "groups"), [(0.9 * SAME_DESIGN, 1), (1.1 * SAME_DESIGN, 2)])
def test_editions_whose_discs_lie_near_each_other_are_one_design(by: float, groups: int) -> None:
    assert len(alike([FIRST, moved(by)])) == groups


def test_another_map_is_another_design_wherever_its_discs_lie() -> None:
    assert len(alike([FIRST, moved(0.0, map="europe")])) == 2
    fewer = {"A": (0.1, 0.1), "B": (0.5, 0.2)}
    assert len(alike([FIRST, replace(FIRST, cells=fewer)])) == 2


def test_the_largest_group_comes_first_and_the_order_given_changes_nothing() -> None:
    editions = [moved(1.0, "far"), moved(0.1, "near"), FIRST]
    groups = alike(editions)
    assert [[edition.name for edition in group] for group in groups] == [["first", "near"], ["far"]]
    assert alike(editions[::-1]) == groups


def test_a_group_stands_in_the_middle_of_its_editions() -> None:
    group = [FIRST, moved(0.2, radius=0.03)]
    assert mean_board(group)[:, 0] == pytest.approx([x + 0.1 * FIRST.radius for x, _ in FIRST.cells.values()])
    assert mean_radius(group) == pytest.approx(0.025)
