"""A board laid flat lies on its print: discs, boxes and rows are where the design has them, in either look."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.press.design import load_design
from ontour_cv.scorer.city_layout import city_layout
from ontour_cv.synth.photograph import Settings, render_print
from ontour_cv.synth.printed import make_print
from ontour_cv.vision.city_boxes import BOX_PX, MARGIN, box_planes, boxes_inside, cut_boxes, find_rows
from ontour_cv.vision.city_flat import FlatBoard, lay_flat
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import Placement, register

TEMPLATE = load_map("new-york-home")
LAYOUT = city_layout(TEMPLATE)
BLANK = BoardState(dict.fromkeys(TEMPLATE.ids, Mark(Kind.EMPTY)))
LOOKS = pytest.mark.parametrize("lineart", [False, True], ids=["colour", "line art"])


@cache
def placed(lineart: bool) -> tuple[Placement, FlatBoard]:
    sheet = make_print(TEMPLATE, load_design(TEMPLATE), lineart, 1500)
    rng = np.random.default_rng(3)
    picture, _ = render_print(sheet, BLANK, Settings("ordinary", 1500, notes=0.0), rng)
    photo = Photo("blank", picture)
    placement = register(photo, find_discs(photo), load_editions(TEMPLATE.id))
    return placement, lay_flat(photo, placement, LAYOUT)


@LOOKS
def test_the_look_is_recognised_and_the_photo_is_like_it(lineart: bool) -> None:
    _, flat = placed(lineart)
    assert np.array_equal(flat.print_, LAYOUT.printed(lineart))
    away = np.abs(flat.colours - flat.printed).max(axis=2)
    assert np.median(away[flat.inside]) < 0.08


@LOOKS
def test_discs_lie_where_they_were_found(lineart: bool) -> None:
    placement, flat = placed(lineart)
    spots = flat.to_photo(np.array([LAYOUT.discs[region] for region in TEMPLATE.ids]))
    for region, spot in zip(TEMPLATE.ids, spots, strict=True):
        place = placement.cells[region]
        assert np.linalg.norm(np.linalg.solve(place.axes_photo, spot - place.centre_photo)) < 0.15


@LOOKS
def test_rows_are_found_within_a_fifth_of_a_box(lineart: bool) -> None:
    _, flat = placed(lineart)
    boxes = [box for row in LAYOUT.rows.values() for box in row]
    shift, match = find_rows(flat, boxes)
    side = boxes[0][2] - boxes[0][0]
    assert np.hypot(*shift) < 0.2 * side
    assert match > 0.6


@LOOKS
def test_a_box_cut_out_of_the_photo_is_like_the_one_cut_out_of_the_print(lineart: bool) -> None:
    _, flat = placed(lineart)
    boxes = [box for block in LAYOUT.boxes.values() for box in block.values()]
    inside = boxes_inside(flat, boxes)
    cut = cut_boxes(flat, boxes)[inside]
    assert cut.shape[1:] == (6, BOX_PX, BOX_PX)
    alike = [np.corrcoef(one[:3].mean(axis=0).ravel(), one[3:].mean(axis=0).ravel())[0, 1] for one in cut]
    assert np.median(alike) > 0.7


def test_a_long_stroke_and_a_line_that_passes_differ_in_what_is_round_the_box() -> None:
    """Within the close view both go from edge to edge; the wide one shows where the stroke ends."""
    flat = placed(False)[1]
    block = next(iter(LAYOUT.boxes.values()))
    left, top, right, bottom = block["s"]
    side, middle = right - left, np.array([(left + right) / 2, (top + bottom) / 2])
    seen = []
    for reach in (1.6 * MARGIN / 2, 4.0):
        ends = flat.to_photo(middle + reach * side * np.array([(0.0, -1.0), (0.0, 1.0)]))
        picture = flat.photo.bgr.copy()
        cv2.line(picture, *(tuple(int(v) for v in end) for end in np.round(ends)), (20, 20, 20), 4)
        seen.append(box_planes(replace(flat, photo=Photo("drawn", picture)), [block["s"]], [1])[0])
    stroke, line = seen
    middle_rows = slice(BOX_PX // 3, 2 * BOX_PX // 3)
    assert np.array_equal(stroke[:3, middle_rows], line[:3, middle_rows])
    assert (stroke[9:, :3] - line[9:, :3]).max() > 1
