"""Boards are drawn so that a player can use them: nothing in the way, true to scale, the same every time."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import pytest

from ontour_cv.maps.load import load_map
from ontour_cv.press.board import UNIT, BoardLook, draw_board, link_lines
from ontour_cv.press.design import ASPECT, BoardDesign, load_design
from ontour_cv.press.drawing import Circle, Drawing, Group, Item, Text
from ontour_cv.press.letters import text_width
from ontour_cv.press.palette import WHITE
from ontour_cv.press.waterside import WATER

MAPS = ("europe-home", "new-york-home", "paris-home", "usa")


def flat(items: tuple[Item, ...], scale: float = 1.0) -> Iterator[tuple[Item, float]]:
    for item in items:
        if isinstance(item, Group):
            yield from flat(item.items, scale * item.scale)
        else:
            yield item, scale


@pytest.fixture(scope="module", params=MAPS)
def drawn(request: pytest.FixtureRequest) -> tuple[BoardDesign, Drawing, str]:
    template = load_map(request.param)
    design = load_design(template)
    return design, draw_board(template, design, BoardLook(), 300.0), request.param


@pytest.mark.parametrize("map_id", MAPS)
def test_no_link_touches_a_disc_it_does_not_belong_to(map_id: str) -> None:
    template = load_map(map_id)
    design = load_design(template)
    for ends, line in link_lines(template, design).items():
        for region, (x, y) in design.discs.items():
            if region not in ends:
                assert gap((x * UNIT, y * UNIT), line) > 1.2 * design.radius * UNIT, (ends, region)


@pytest.mark.parametrize("map_id", MAPS)
def test_discs_keep_apart_and_lie_on_the_board(map_id: str) -> None:
    design = load_design(load_map(map_id))
    spots = list(design.discs.values())
    for k, one in enumerate(spots):
        assert design.radius < one[0] < 1 - design.radius
        assert design.radius < one[1] < ASPECT - design.radius
        assert all(math.dist(one, other) > 2.9 * design.radius for other in spots[:k])


def test_every_region_has_a_white_disc_of_the_stated_size_with_its_label(
    drawn: tuple[BoardDesign, Drawing, str],
) -> None:
    design, drawing, map_id = drawn
    items = list(flat(drawing.items))
    circles = [(c, s) for c, s in items if isinstance(c, Circle) and c.fill == WHITE and c.pen is not None]
    discs = [(c, s) for c, s in circles if c.pen is not None and c.pen.colour != WATER]
    assert len(discs) == len(design.discs)
    for circle, scale in discs:
        assert circle.pen is not None
        assert 2 * scale * (circle.radius + circle.pen.width / 2) == pytest.approx(2 * design.radius * 300)
    words = [item.text for item, _ in items if isinstance(item, Text)]
    assert all(region.label in words for region in load_map(map_id).regions)


def test_labels_are_pale_enough_to_write_over(drawn: tuple[BoardDesign, Drawing, str]) -> None:
    """Black ink on them keeps a contrast of 4 to 1 (relative luminance, WCAG 2)."""
    _design, drawing, map_id = drawn
    labels = {region.label for region in load_map(map_id).regions}
    for item, _ in flat(drawing.items):
        if isinstance(item, Text) and item.text in labels and item.weight:
            red, green, blue = ((v / 255) ** 2.2 for v in item.colour)
            assert (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) / 0.05 > 4, item


def test_all_words_stay_on_the_board(drawn: tuple[BoardDesign, Drawing, str]) -> None:
    _, drawing, _ = drawn
    for item, _ in flat(drawing.items):
        if isinstance(item, Text):
            width = text_width(item.text, item.size, item.weight)
            left = item.at[0] - {"left": 0.0, "middle": width / 2, "right": width}[item.align]
            assert left > 0.5, item
            assert left + width < UNIT - 0.5, item
            assert 0.5 < item.at[1] < ASPECT * UNIT - 0.5, item


def gap(spot: tuple[float, float], line: tuple[tuple[float, float], ...]) -> float:
    best = math.inf
    for (ax, ay), (bx, by) in itertools.pairwise(line):
        t = ((spot[0] - ax) * (bx - ax) + (spot[1] - ay) * (by - ay)) / math.dist((ax, ay), (bx, by)) ** 2
        t = min(1.0, max(0.0, t))
        best = min(best, math.dist(spot, (ax + t * (bx - ax), ay + t * (by - ay))))
    return best
