"""City boards: soloists can be ticked, ferries and boats found, and what the map rules is what is printed."""

from __future__ import annotations

import itertools
import math
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from ontour_cv import resources
from ontour_cv.errors import BadTemplate
from ontour_cv.maps.city import INSTRUMENTS
from ontour_cv.maps.load import load_map
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.board import UNIT, BoardLook, draw_board, link_lines
from ontour_cv.press.city_cards import city_deck
from ontour_cv.press.city_panel import city_rules, draw_rows, row_boxes, waters_lines
from ontour_cv.press.design import ASPECT, load_design, read_design
from ontour_cv.press.drawing import Circle, Group, Item, Shape, Text
from ontour_cv.press.growth import soften
from ontour_cv.press.letters import text_width
from ontour_cv.press.names import place_names
from ontour_cv.press.panel import PANEL_TOP
from ontour_cv.press.tickboxes import CLEAR, block_box, distance, tick_boxes
from ontour_cv.press.waterside import SIGN, WATER

NEW_YORK, PARIS = load_map("new-york-home"), load_map("paris-home")
CITY = NEW_YORK.city
assert CITY is not None
assert PARIS.boats is not None


def flat(items: tuple[Item, ...]) -> list[Item]:
    return [one for item in items for one in (flat(item.items) if isinstance(item, Group) else [item])]


def test_every_disc_has_a_box_for_each_soloist_that_touches_nothing_else() -> None:
    design = load_design(NEW_YORK)
    ticks = tick_boxes(NEW_YORK, design)
    assert list(ticks) == list(NEW_YORK.ids)
    rectangles = [box for block in ticks.values() for box in block.values()]
    for region, block in ticks.items():
        assert list(block) == list(INSTRUMENTS)
        for box in block.values():
            assert 0 < box[0] < box[2] < 1
            assert 0 < box[1] < box[3] < ASPECT
        for spot in design.discs.values():
            assert distance(block_box(block), spot) > (CLEAR - 0.01) * design.radius, region
        for line in link_lines(NEW_YORK, design).values():
            for (ax, ay), (bx, by) in itertools.pairwise(line):
                for k in range(101):
                    dot = ((ax + (bx - ax) * k / 100) / UNIT, (ay + (by - ay) * k / 100) / UNIT)
                    assert distance(block_box(block), dot) > 0.1 * design.radius, region
    for one, other in itertools.combinations(rectangles, 2):
        assert one[0] > other[2] or other[0] > one[2] or one[1] > other[3] or other[1] > one[3]


def test_a_tick_box_is_nearest_to_its_own_disc() -> None:
    """Else a player might tick the neighbour's."""
    design = load_design(NEW_YORK)
    for region, block in tick_boxes(NEW_YORK, design).items():
        left, top, right, bottom = block_box(block)
        middle = ((left + right) / 2, (top + bottom) / 2)
        assert min(design.discs, key=lambda other: math.dist(design.discs[other], middle)) == region


def test_discs_at_the_water_and_no_others_have_a_boat_beside_them() -> None:
    design = load_design(NEW_YORK)
    drawing = draw_board(NEW_YORK, design, BoardLook(), 100.0)
    signs = [c.centre for c in flat(drawing.items) if isinstance(c, Circle) and c.pen and c.pen.colour == WATER]
    nearest = [min(design.discs, key=lambda r: math.dist(design.discs[r], (x / UNIT, y / UNIT))) for x, y in signs]
    coast = {region for region in NEW_YORK.ids if CITY.waters[region]}
    assert 0 < len(coast) < len(NEW_YORK.ids)
    assert sorted(nearest) == sorted(coast)
    for x, y in signs:
        spot = (x / UNIT, y / UNIT)
        assert min(math.dist(spot, disc) for disc in design.discs.values()) > (1 + SIGN) * design.radius
        assert min(distance(block_box(block), spot) for block in tick_boxes(NEW_YORK, design).values()) > 0


def test_rows_show_the_numbers_of_the_map() -> None:
    boxes = row_boxes(CITY, (0.1, 0.1))
    assert set(boxes) == {(letter, k) for letter, row in CITY.tracks.items() for k in range(len(row))}
    drawing = draw_board(NEW_YORK, load_design(NEW_YORK), BoardLook(), 100.0)
    words = [item.text for item in flat(drawing.items) if isinstance(item, Text)]
    for number in {number for row in CITY.tracks.values() for number in row}:
        assert words.count(str(number)) == sum(row.count(number) for row in CITY.tracks.values())


def test_a_rows_name_touches_neither_its_letter_nor_its_boxes() -> None:
    letters = {item.text: item for item in draw_rows(CITY, (0.0, 0.0), 100.0) if isinstance(item, Text)}
    left = min(box[0] for box in row_boxes(CITY, (0.0, 0.0)).values()) * 100
    for letter, word in ((letters[key.upper()], letters[name]) for key, name in INSTRUMENTS.items()):
        assert word.at[0] - letter.at[0] - text_width(letter.text, letter.size, letter.weight) > 0.5 * word.size
        assert left - word.at[0] - text_width(word.text, word.size) > 0.5 * word.size


def test_every_water_is_listed_with_its_neighbourhoods() -> None:
    listed = {(water, label) for water, labels in waters_lines(NEW_YORK, CITY) for label in labels.split()}
    assert listed == {(water, NEW_YORK.region(r).label) for r in NEW_YORK.ids for water in CITY.waters[r]}


def test_the_printed_rules_are_those_of_the_map() -> None:
    said = " ".join(city_rules(NEW_YORK, CITY))
    assert "a ferry card lies open" in said
    other = replace(CITY, bonus=5, ferries=replace(CITY.ferries, with_card=False, same_water=False))
    changed = " ".join(city_rules(NEW_YORK, other))
    assert "a ferry card lies open" not in changed
    assert "common" in changed
    assert "5 for all boroughs" in changed
    never = replace(other, ferries=replace(other.ferries, common_borough=False))
    assert "draw a ferry" not in " ".join(city_rules(NEW_YORK, never))


def test_city_cards_name_their_boroughs_and_the_soloist_where_it_plays() -> None:
    cards = city_deck(NEW_YORK, CITY, load_design(NEW_YORK), lineart=False)
    assert len(cards) == len(CITY.cards) == 40
    for card, drawing in zip(CITY.cards, cards, strict=True):
        texts = [item for item in flat(drawing.items) if isinstance(item, Text)]
        words = [text.text for text in texts]
        assert all(borough in words for borough in card.boroughs)
        assert ("Ferry" in words) == card.ferry
        if card.soloist:
            (own,) = [text for text in texts if text.text == card.soloist_in]
            (sign,) = [text for text in texts if text.text == card.soloist.upper()]
            assert abs(own.at[1] - sign.at[1]) < 2.0
        (locator,) = [item for item in drawing.items if isinstance(item, Group)]
        (window,) = locator.window
        top = locator.shift[1] + locator.scale * min(y for _, y in window)
        bottom = locator.shift[1] + locator.scale * max(y for _, y in window)
        assert all(text.at[1] < top or text.at[1] - text.size > bottom for text in texts)


def test_no_link_of_paris_crosses_the_seine_and_every_stop_is_at_it() -> None:
    design = load_design(PARIS)
    river = design.water["seine"]
    sides = list(zip(river, [*river[1:], river[0]], strict=True))
    for ends in PARIS.edges():
        a, b = (design.discs[end] for end in ends)
        assert not any(crosses(a, b, p, q) for p, q in sides), ends
    assert set(design.piers) == set(PARIS.boats.stops)
    for region, pier in design.piers.items():
        nearest = min(math.dist(pier, point) for point in dense(sides))
        assert nearest < 0.3 * design.radius, region
        assert min(design.discs, key=lambda other: math.dist(design.discs[other], pier)) == region


def test_a_design_without_a_stop_of_the_map_is_refused(tmp_path: Path) -> None:
    text = (resources.templates_dir() / "boards" / "paris-home.toml").read_text(encoding="utf-8")
    pier = tomllib.loads(text)["piers"]["P12"]
    path = tmp_path / "paris-home.toml"
    path.write_text(text.replace(f"P12 = [{pier[0]:.4f}, {pier[1]:.4f}]", ""), encoding="utf-8")
    with pytest.raises(BadTemplate, match="piers"):
        read_design(path, PARIS)


def dense(sides: list[tuple[tuple[float, float], tuple[float, float]]]) -> list[tuple[float, float]]:
    return [(a + (c - a) * k / 20, b + (d - b) * k / 20) for (a, b), (c, d) in sides for k in range(20)]


def crosses(a: tuple[float, float], b: tuple[float, float], p: tuple[float, float], q: tuple[float, float]) -> bool:
    def side(u: tuple[float, float], v: tuple[float, float], w: tuple[float, float]) -> float:
        return (v[0] - u[0]) * (w[1] - u[1]) - (v[1] - u[1]) * (w[0] - u[0])

    return side(a, b, p) * side(a, b, q) < 0 and side(p, q, a) * side(p, q, b) < 0


@pytest.mark.parametrize("template", [NEW_YORK, PARIS], ids=lambda template: template.id)
def test_no_coast_is_cut_off_by_the_edge_of_the_board(template: MapTemplate) -> None:
    """Each is drawn whole, with a little water round it."""
    for name, outline in load_design(template).land.items():
        for x, y in soften(outline, 2):
            assert 0.003 < x < 0.997, name
            assert 0.003 < y < ASPECT - 0.003, name


def test_a_name_keeps_off_a_coast_where_another_side_is_free() -> None:
    """Below the disc is the first choice; with a coast there, it is not taken."""
    region = PARIS.regions[0]
    template = replace(PARIS, regions=(region,))
    centre = {region.id: (50.0, 30.0)}
    ((_, free),) = [spot for spot, _ in place_names(template, centre, 2.4, [], 0.6)[region.id]]
    assert free > 32.4
    coast = ((40.0, free - 0.3), (60.0, free - 0.3))
    ((_, kept),) = [spot for spot, _ in place_names(template, centre, 2.4, [], 0.6, coasts=[coast])[region.id]]
    assert kept < 32.4


@pytest.mark.parametrize("lineart", [False, True])
def test_the_seine_does_not_run_over_the_score_boxes(lineart: bool) -> None:
    """What is drawn of it below the map is covered again before the furniture is drawn."""
    design = load_design(PARIS)
    items = flat(draw_board(PARIS, design, BoardLook(lineart), UNIT).items)
    shapes = [item for item in items if isinstance(item, Shape)]
    river = next(k for k, item in enumerate(shapes) if len(item.parts[0]) > 300)
    assert max(y for _, y in shapes[river].parts[0]) > PANEL_TOP * UNIT
    cover = [item for item in shapes[river + 1 :] if item.fill is not None and len(item.parts[0]) == 4]
    assert any(
        min(x for x, _ in item.parts[0]) <= 0
        and max(x for x, _ in item.parts[0]) >= UNIT
        and min(y for _, y in item.parts[0]) == pytest.approx(PANEL_TOP * UNIT)
        and max(y for _, y in item.parts[0]) >= ASPECT * UNIT
        for item in cover
    )
