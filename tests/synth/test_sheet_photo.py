"""Photos of filled sheets: the same for a seed, and the truth is where the picture has it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from ontour_cv.board import Kind, Mark
from ontour_cv.maps.load import load_map
from ontour_cv.press.sheet import ASPECT
from ontour_cv.synth.sheet_camera import frame_sheet, sample_bend
from ontour_cv.synth.sheet_hand import sample_sheet_writer
from ontour_cv.synth.sheet_ink import CROSSED_OUT, ERASED, GHOST, INK, PLAIN, RUB, box_traces, cell_traces
from ontour_cv.synth.sheet_paint import paint_traces
from ontour_cv.synth.sheet_photo import render_sheet
from ontour_cv.synth.sheet_play import sample_sheet
from ontour_cv.synth.sheet_shot import sample_sheet_shot

ROLLING = load_map("rolling-america")


@pytest.mark.parametrize("hard", [False, True])
def test_a_seed_gives_the_same_photo_again(hard: bool) -> None:
    one, again, other = (render_sheet(seed, hard=hard, long_side=1200) for seed in ((3, 1), (3, 1), (3, 2)))
    assert one.image.tobytes() == again.image.tobytes()
    assert str(one.sheet) == str(again.sheet)
    assert str(one.sheet) != str(other.sheet)
    assert one.image.dtype == np.uint8
    assert max(one.image.shape[:2]) == 1200


@pytest.mark.parametrize("hard", [False, True])
def test_every_cell_and_box_is_in_the_picture(hard: bool) -> None:
    for seed in range(3):
        shot = render_sheet((5, seed), hard=hard, long_side=1200)
        height, width = shot.image.shape[:2]
        assert set(shot.cells) == set(ROLLING.ids) == set(shot.ink)
        assert set(shot.boxes) == {box.id for box in ROLLING.boxes}
        for points in (*shot.cells.values(), *shot.boxes.values()):
            assert np.all(points >= 0)
            assert np.all(points <= [width - 1, height - 1])


def test_the_homography_carries_cells_to_their_places_where_the_paper_is_flat() -> None:
    shots = (render_sheet((7, seed), long_side=1200) for seed in range(40))
    shot = next(shot for shot in shots if shot.conditions["bend_deg"] == 0)
    for region in ROLLING.regions:
        points = np.array(region.outline)[None]
        seen = cv2.perspectiveTransform(points, shot.homography)[0]
        assert np.abs(seen - shot.cells[region.id]).max() < 4  # the lens's distortion is not in it


@pytest.mark.parametrize("seed", range(8))
def test_a_bent_sheet_s_points_lead_to_the_photo_and_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = np.random.default_rng(1).uniform([0, 0], [1, ASPECT], (50, 2))
    camera, shot = frame_sheet(sample_sheet_shot(rng, True), sample_bend(rng, True), points, 0.01)
    photo = camera.board_to_photo(points)
    assert np.abs(camera.photo_to_board(photo) - points).max() < 1e-6
    assert np.all(photo >= 0)
    assert np.all(photo <= np.array(shot.pose.size) - 1)


def test_the_boxes_crossed_are_as_many_as_the_truth_says() -> None:
    for seed in range(60):
        sheet, crossed = sample_sheet(ROLLING, np.random.default_rng(seed))
        said = sheet.boxes.said()
        for name, stem in (("rounds", "round"), ("change", "color"), ("guard", "guard"), ("dupe", "dupe")):
            assert sum(box.startswith(stem) for box in crossed) == said[name]


def test_sheets_come_unfinished_mended_and_with_all_kinds_of_marks() -> None:
    kinds, rounds = set(), set()
    for seed in range(80):
        sheet, _ = sample_sheet(ROLLING, np.random.default_rng(seed))
        kinds |= {(mark.kind, mark.number, mark.circled) for mark in sheet.marks.values()}
        rounds.add(sheet.boxes.rounds)
    assert kinds >= {(Kind.NUMBER, n, c) for n in range(1, 7) for c in (False, True)}
    assert kinds >= {(Kind.BLOCKED, None, False), (Kind.EMPTY, None, False)}
    assert len(rounds) > 4


CALIFORNIA = np.array(ROLLING.region("CA").outline)
RHODE_ISLAND = np.array(ROLLING.region("RI").outline)


def test_digits_shrink_into_small_cells() -> None:
    heights = {}
    for name, outline in (("CA", CALIFORNIA), ("RI", RHODE_ISLAND)):
        found = []
        for seed in range(40):
            rng = np.random.default_rng(seed)
            traces, _ = cell_traces(Mark(Kind.NUMBER, 4), outline, sample_sheet_writer(rng), rng)
            found.append(np.ptp(np.concatenate([t.points for t in traces if t.kind == INK])[:, 1]))
        heights[name] = float(np.median(found))
    assert heights["RI"] < 0.85 * heights["CA"]
    assert heights["RI"] < np.ptp(RHODE_ISLAND[:, 1])


@pytest.mark.parametrize(("roams", "least", "most"), [(0.0, 0.0, 0.4), (1.0, 0.65, 1.0)])
def test_who_roams_writes_all_over_a_long_cell_and_others_where_there_is_most_room(
    roams: float, least: float, most: float
) -> None:
    """How far down California the numbers' middles lie, as a share of its height; all of them lie in it."""
    found = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        writer = replace(sample_sheet_writer(rng), roams=roams, stray=0.0, mending=0.0)
        traces, _ = cell_traces(Mark(Kind.NUMBER, 4), CALIFORNIA, writer, rng)
        points = np.concatenate([trace.points for trace in traces])
        x, y = (points.min(axis=0) + points.max(axis=0)) / 2
        assert cv2.pointPolygonTest(CALIFORNIA.astype(np.float32), (float(x), float(y)), True) > 0.008
        found.append(y)
    assert least <= np.ptp(found) / np.ptp(CALIFORNIA[:, 1]) <= most


def test_a_guarded_number_has_one_stroke_more_that_goes_round_it() -> None:
    for seed in range(20):
        plain, circled = (
            cell_traces(Mark(Kind.NUMBER, 5, circled), CALIFORNIA, sample_sheet_writer(np.random.default_rng(1)),
                        np.random.default_rng(seed))
            for circled in (False, True)
        )  # fmt: skip
        assert len(circled[0]) == len(plain[0]) + 1
        number = np.concatenate([t.points for t in plain[0] if t.kind == INK])
        ring = cv2.convexHull(circled[0][-1].points.astype(np.float32))
        inside = [cv2.pointPolygonTest(ring, (float(x), float(y)), False) >= 0 for x, y in number]
        assert np.mean(inside) > 0.6


def test_a_blank_cell_is_left_alone_unless_something_was_erased() -> None:
    erased = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        traces, how = cell_traces(Mark(Kind.EMPTY), CALIFORNIA, sample_sheet_writer(rng, hard=True), rng)
        assert (how == PLAIN) == (not traces)
        assert all(trace.kind in (GHOST, RUB) for trace in traces)
        erased += how == ERASED
    assert 0 < erased < 40


def test_what_was_crossed_out_stays_and_the_new_digit_comes_last() -> None:
    seen = set()
    for seed in range(400):
        rng = np.random.default_rng(seed)
        traces, how = cell_traces(Mark(Kind.NUMBER, 3), CALIFORNIA, sample_sheet_writer(rng, hard=True), rng)
        seen.add(how)
        assert traces[-1].kind == INK
        if how == ERASED:
            assert {trace.kind for trace in traces} == {INK, GHOST, RUB}
    assert {PLAIN, ERASED, CROSSED_OUT} <= seen


def test_only_the_last_digit_counts_of_what_was_crossed_out() -> None:
    rng = np.random.default_rng(8)
    writer = replace(sample_sheet_writer(rng), mending=1.0, rubber=0.0)
    outline = CALIFORNIA
    for _ in range(6):
        traces, how = cell_traces(Mark(Kind.NUMBER, 4), outline, writer, rng)
        counting = [trace for trace in traces if trace.counts]
        assert 0 < len(counting) < len(traces)
        if how == CROSSED_OUT:
            assert traces[-1].counts
            assert not traces[0].counts


def test_the_photo_tells_where_the_writing_is_that_counts() -> None:
    shot = render_sheet(31, long_side=1200)
    assert set(shot.writing) == {state for state, mark in shot.sheet.marks.items() if mark.kind is not Kind.EMPTY}
    for state, box in shot.writing.items():
        low, high = shot.cells[state].min(axis=0), shot.cells[state].max(axis=0)
        size = float((high - low).max())
        assert ((box.mean(axis=0) > low - 0.1 * size) & (box.mean(axis=0) < high + 0.1 * size)).all()


def test_a_crossed_box_has_ink_in_its_middle_and_little_outside() -> None:
    box = np.array([[0.4, 0.1], [0.44, 0.1], [0.44, 0.14], [0.4, 0.14]])
    for seed in range(30):
        rng = np.random.default_rng(seed)
        writer = sample_sheet_writer(rng)
        picture = np.full((360, 900, 3), 255, np.uint8)
        paint_traces(picture, box_traces(box, writer, rng), writer, 1500.0, (0.2, 0.0), rng)
        dark = picture.min(axis=2) < 225
        inner = dark[150:210, 300:360]
        assert inner.mean() > 0.02
        assert dark.sum() < 3 * max(inner.sum(), dark[140:220, 290:370].sum())


def test_hands_that_are_given_are_asked() -> None:
    class Known:
        def __init__(self) -> None:
            self.asked: list[float] = []

        def pick(self, rng: np.random.Generator, own: float):  # type: ignore[no-untyped-def]
            from ontour_cv.synth.strokes import parametric_hand

            self.asked.append(own)
            return parametric_hand(rng)

    known = Known()
    render_sheet(1, hands=known, own=0.25, long_side=1200)
    assert known.asked == [0.25]
