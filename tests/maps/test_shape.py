"""The shape of a map: distances and bottlenecks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ontour_cv.maps.load import load_map
from ontour_cv.maps.shape import map_shape


def test_the_usa_map_is_nine_links_long_and_new_england_is_a_dead_end() -> None:
    """Ten states from the far west to New England, which has a single link, as the printed map has it."""
    shape = map_shape(load_map("usa"))
    assert shape.longest == 9
    assert "NE2" in shape.ends
    assert shape.dead_ends == ("NE2",)
    assert "NY" in shape.narrows


def test_a_map_in_two_parts_has_no_shape() -> None:
    """A distance that does not exist is not reported as one."""
    usa = load_map("usa")
    alone = replace(usa.regions[0], neighbours=())
    others = tuple(replace(r, neighbours=tuple(n for n in r.neighbours if n != alone.id)) for r in usa.regions[1:])
    with pytest.raises(ValueError, match="not connected"):
        map_shape(replace(usa, regions=(alone, *others)))
