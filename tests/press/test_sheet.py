"""The drawn sheet: cells where the template has them, borders shared exactly, within the paper's margins."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import cv2
import numpy as np
import pypdfium2
import pytest

from ontour_cv.errors import BadTemplate
from ontour_cv.maps.load import load_map
from ontour_cv.press.drawing import Drawing, Group, Item, Text
from ontour_cv.press.paper import MARGIN, PAPERS, Paper
from ontour_cv.press.pdf import make_pdf
from ontour_cv.press.raster import paint
from ontour_cv.press.sheet import ASPECT, draw_sheet, own_look
from ontour_cv.press.sheet_pages import PER_PAGE, sheet_page, sheet_width
from ontour_cv.press.sheet_shapes import LINE, tidy_outlines

ROLLING = load_map("rolling-america")
CELLS, BOXES = tidy_outlines(ROLLING)
Outline = tuple[tuple[float, float], ...]


def sides(outline: Outline) -> list[tuple[Outline, Outline]]:
    return list(zip(outline, (*outline[1:], outline[0]), strict=True))  # type: ignore[arg-type]


def shared(one: Outline, other: Outline) -> float:
    """Length of the border that two outlines have in common, exactly."""
    total = 0.0
    for (ax, ay), (bx, by) in sides(one):  # type: ignore[misc]
        for (cx, cy), (dx, dy) in sides(other):  # type: ignore[misc]
            if ax == bx == cx == dx:
                total += max(0.0, min(max(ay, by), max(cy, dy)) - max(min(ay, by), min(cy, dy)))
            if ay == by == cy == dy:
                total += max(0.0, min(max(ax, bx), max(cx, dx)) - max(min(ax, bx), min(cx, dx)))
    return total


def test_cells_have_the_borders_of_the_map_and_no_others() -> None:
    found = {tuple(sorted((a, b))) for a, b in combinations(CELLS, 2) if shared(CELLS[a], CELLS[b]) > 0.005}
    assert found == set(ROLLING.edges())


@pytest.mark.parametrize("region", ROLLING.regions, ids=lambda region: region.id)
def test_a_drawn_cell_lies_half_a_line_round_the_template_s(region: object) -> None:
    given = np.array(region.outline, dtype=np.float32)  # type: ignore[attr-defined]
    ring = np.array(CELLS[region.id], dtype=np.float32)  # type: ignore[attr-defined]
    away = [cv2.pointPolygonTest(ring, (float(x), float(y)), True) for x, y in given]
    assert max(abs(a) for a in away) < 0.008  # a pixel or two of the source's picture, which was 800 wide
    assert abs(np.median(away) - LINE / 2) < 0.0025


def test_boxes_of_a_row_stand_side_by_side() -> None:
    for stem, count in (("round", 8), ("color", 3), ("guard", 3), ("dupe", 3)):
        row = [np.array(BOXES[f"{stem}{k + 1}"]) for k in range(count)]
        assert len({(box[:, 1].min(), box[:, 1].max()) for box in row}) == 1
        for left, right in pairwise(row):
            assert left[:, 0].max() == right[:, 0].min()


def test_an_outline_of_slanting_sides_cannot_be_drawn() -> None:
    odd = replace(ROLLING.regions[0], outline=((0.0, 0.0), (0.1, 0.02), (0.05, 0.1)))
    with pytest.raises(BadTemplate, match="level and upright"):
        sheet_page(replace(ROLLING, regions=(odd, *ROLLING.regions[1:])), PAPERS["a4"], 2, False)


@pytest.mark.parametrize("lineart", [False, True])
def test_every_cell_is_coloured_as_its_die_and_pale_enough_to_write_on(lineart: bool) -> None:
    look = own_look(ROLLING, lineart)
    picture = paint(draw_sheet(ROLLING, look, 100.0), 10.0)
    for region in ROLLING.regions:
        filled = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillPoly(filled, [np.round(np.array(region.outline) * 1000).astype(np.int32)], 255)
        inner = cv2.erode(filled, np.ones((21, 21), np.uint8)) > 0
        tones = np.unique(picture[inner].reshape(-1, 3), axis=0)
        fill = look.tones[region.areas[0]].fill
        assert tones.tolist() == [list(fill[::-1])]
        assert min(fill) > 165


def words(items: tuple[Item, ...]) -> list[Text]:
    inner = [words(item.items) for item in items if isinstance(item, Group)]
    return [item for item in items if isinstance(item, Text)] + [text for texts in inner for text in texts]


def test_nothing_is_printed_in_a_state_and_numbers_only_in_the_round_boxes() -> None:
    texts = words(draw_sheet(ROLLING, own_look(ROLLING), 100.0).items)
    for text in texts:
        spot = (text.at[0] / 100, (text.at[1] - text.size / 2) / 100)
        inside = [name for name, ring in CELLS.items() if cv2.pointPolygonTest(np.float32(ring), spot, False) >= 0]
        assert inside == []
    boxes = {k: f"round{k}" for k in range(1, 9)}
    printed = {text.text: text.at for text in texts if text.text.isdigit()}
    assert set(printed) == {str(k) for k in boxes}
    for k, name in boxes.items():
        at = printed[str(k)]
        assert cv2.pointPolygonTest(np.float32(BOXES[name]), (at[0] / 100, at[1] / 100), False) > 0


def sheet_groups(page: Drawing) -> list[Group]:
    return [item for item in page.items if isinstance(item, Group)]


@pytest.mark.parametrize("paper", PAPERS.values(), ids=lambda paper: paper.name)
@pytest.mark.parametrize("per_page", PER_PAGE)
def test_sheets_keep_the_margins_and_do_not_overlap(paper: Paper, per_page: int) -> None:
    page = sheet_page(ROLLING, paper, per_page, False)
    groups = sheet_groups(page)
    assert len(groups) == per_page
    width = groups[0].items[0].scale * 100  # type: ignore[union-attr]
    below = MARGIN
    for group in groups:
        left, top = group.shift
        assert left >= MARGIN - 1e-6
        assert left + width <= page.width - MARGIN + 1e-6
        assert top >= below - 1e-6
        below = top + ASPECT * width
    assert below <= page.height - MARGIN + 1e-6


def test_the_pdf_shows_in_another_program_what_the_camera_is_shown() -> None:
    page = sheet_page(ROLLING, PAPERS["a4"], 1, False)
    scale = 10.0
    shown = pypdfium2.PdfDocument(make_pdf([page], "sheet"))[0].render(scale=scale * 25.4 / 72).to_numpy()
    drawn = paint(page, scale)
    shown = cv2.resize(shown, drawn.shape[1::-1], interpolation=cv2.INTER_AREA)
    difference = np.abs(cv2.blur(shown, (9, 9)).astype(int) - cv2.blur(drawn, (9, 9))).max(axis=2)
    assert difference.mean() < 5.0  # OpenCV's lines are up to a pixel wider
    assert np.mean(difference <= 3) > 0.85
    ((left, top),) = [group.shift for group in sheet_groups(page)]
    width = sheet_width(PAPERS["a4"], 1)
    for region in ROLLING.regions:
        x, y = np.array(region.layout) * width + (left, top)
        if cv2.pointPolygonTest(np.float32(region.outline), region.layout, True) > 0.01:
            fill = own_look(ROLLING).tones[region.areas[0]].fill
            assert np.abs(shown[round(scale * y), round(scale * x)].astype(int) - fill[::-1]).max() <= 2
