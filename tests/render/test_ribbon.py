"""The route's ribbon: whole by land, dashed by ferry and boat."""

from __future__ import annotations

import numpy as np
import pytest

from ontour_cv.render.discs import Disc
from ontour_cv.render.ribbon import draw_ribbon, lay_ribbon

RADIUS_PX = 20.0
GROUND = 90


def seen_along(apart_px: float, by_water: tuple[tuple[str, str], ...]) -> list[bool]:
    """Whether the ribbon of the route A, B covers each pixel straight between their rings."""
    discs = {name: Disc(np.array([60.0 + x, 60.0]), RADIUS_PX * np.eye(2)) for name, x in (("A", 0), ("B", apart_px))}
    picture = np.full((120, round(apart_px) + 120, 3), GROUND, np.uint8)
    draw_ribbon(picture, lay_ribbon(("A", "B"), discs, by_water), discs, RADIUS_PX)
    way = picture[60, round(60 + 1.5 * RADIUS_PX) : round(60 + apart_px - 1.5 * RADIUS_PX)].astype(int)
    return (np.ptp(way, axis=1) + (way.min(axis=1) > 2 * GROUND) > 0).tolist()


def runs(seen: list[bool]) -> int:
    """How many pieces of ribbon there are."""
    return sum(here and not before for before, here in zip([False, *seen], seen, strict=False))


@pytest.mark.parametrize("apart_px", [90.0, 150.0, 400.0])
def test_a_leg_by_land_is_drawn_whole(apart_px: float) -> None:
    assert all(seen_along(apart_px, ()))


@pytest.mark.parametrize("apart_px", [90.0, 150.0, 400.0])
def test_a_leg_by_water_is_drawn_in_dashes_with_one_in_its_middle_for_the_arrow(apart_px: float) -> None:
    seen = seen_along(apart_px, (("A", "B"),))
    assert not all(seen)
    assert seen[len(seen) // 2]
    assert runs(seen) % 2 == 1
    assert runs(seen) >= apart_px / 100


def test_the_other_way_round_is_another_leg() -> None:
    assert all(seen_along(150.0, (("B", "A"),)))
