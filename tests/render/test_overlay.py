"""The annotated photo: what it must never do, and that it shows what it should."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
import readings
from numpy.typing import NDArray

from ontour_cv.errors import BadPhoto, NotWritten
from ontour_cv.geometry import Homography
from ontour_cv.render import palette
from ontour_cv.render.discs import find_discs
from ontour_cv.render.frame import LONGEST_PX, cut_frame, frame_board
from ontour_cv.render.overlay import draw_overlay
from ontour_cv.render.paint import Colour, empty_mask, fill
from ontour_cv.render.panel import plain
from ontour_cv.render.places import Wish, place_labels
from ontour_cv.scorer.drawing import findings_of, save_overlay
from ontour_cv.scorer.drawn import judge_drawn
from ontour_cv.scorer.report import Report
from ontour_cv.scorer.score import score_reading
from ontour_cv.vision.drawn import DrawnTour
from ontour_cv.vision.photo import Photo, load_photo

VIEWS = {
    "straight": {"width": 700},
    "small": {"width": 240},
    "turned": {"width": 600, "angle_deg": 95.0},
    "upside down": {"width": 600, "angle_deg": 178.0, "tilt": 0.3},
    "askew": {"width": 700, "angle_deg": -35.0, "tilt": 0.25},
}


def report(board: str = readings.GOLDEN, **more: object) -> Report:
    reading = readings.make_reading(board, **more)  # type: ignore[arg-type]
    return score_reading("anna.jpg", reading, readings.usa())


def share(picture: NDArray[np.uint8], colour: Colour) -> float:
    """Share of pixels that are nearly of a colour."""
    away = np.abs(picture.astype(int) - np.array(colour[::-1])).max(axis=2)
    return float((away < 25).mean())


@pytest.mark.parametrize("view", VIEWS)
def test_no_disc_is_touched(view: str) -> None:
    """What is written stays exactly as the photo has it."""
    made = report(doubts={"MC": {"16": 0.3}, "WA": {"27": 0.2}}, **VIEWS[view])
    reading = made.reading
    picture = draw_overlay(reading.photo, reading.placement, findings_of(made))
    frame = frame_board(reading.photo, reading.placement)
    plain = cut_frame(reading.photo, frame)
    discs = empty_mask(plain)
    for disc in find_discs(reading.placement, frame).values():
        fill(discs, disc.outline(0.97))
    touched = (picture[: plain.shape[0]] != plain).any(axis=2)
    assert not (touched & (discs == 255)).any()
    assert touched.any()


def test_of_the_drawn_tour_the_legs_that_the_best_does_not_have_are_shown() -> None:
    """Montana to Wyoming is on the best route, Wyoming to South Dakota is not; the way round does not matter."""
    made = report()
    drawn = judge_drawn(DrawnTour(True, ("MT", "WY", "SD"), 9.0), made.cells, made.score)
    findings = findings_of(replace(made, drawn=drawn))
    assert [set(leg) for leg in findings.drawn] == [{"WY", "SD"}]
    reading = made.reading
    plain, shown = (
        draw_overlay(reading.photo, reading.placement, told).astype(int) for told in (findings_of(made), findings)
    )
    frame = frame_board(reading.photo, reading.placement)
    ends = [find_discs(reading.placement, frame)[region].centre for region in ("WY", "SD")]
    x, y = np.round(np.mean(ends, axis=0)).astype(int)
    height = cut_frame(reading.photo, frame).shape[0]
    changed = (plain != shown[: len(plain)]).any(axis=2)[:height]
    assert changed[y, x]
    rows, columns = np.nonzero(changed)
    assert np.hypot(columns - x, rows - y).max() < np.hypot(*np.subtract(*ends))


@pytest.mark.parametrize("view", VIEWS)
def test_the_board_comes_out_upright_and_whole(view: str) -> None:
    reading = readings.make_reading(**VIEWS[view])  # type: ignore[arg-type]
    frame = frame_board(reading.photo, reading.placement)
    discs = find_discs(reading.placement, frame)
    west, east, north, south = (discs[region].centre for region in ("CA", "VA", "ND", "TX"))
    assert east[0] > west[0] and abs(east[1] - west[1]) < 0.35 * (east[0] - west[0])
    assert south[1] > north[1]
    centres = np.array([disc.centre for disc in discs.values()])
    assert (centres > 0).all() and (centres < np.array(frame.size)).all()
    assert max(frame.size) <= LONGEST_PX


def test_a_photo_taken_from_the_side_gives_the_same_picture() -> None:
    reading = readings.make_reading(width=700)
    plain = cut_frame(reading.photo, frame_board(reading.photo, reading.placement))
    height = reading.photo.bgr.shape[0]
    aside = Homography(np.array([[0, -1, height - 1], [1, 0, 0], [0, 0, 1]], dtype=float), "photo", "photo")
    photo = Photo("aside.jpg", np.ascontiguousarray(np.rot90(reading.photo.bgr, -1)))
    board_to_photo = reading.placement.board_to_photo.then(aside)
    cells = readings.place_cells(reading.placement.edition, board_to_photo, (height, photo.bgr.shape[0]))
    placement = replace(reading.placement, board_to_photo=board_to_photo, cells=cells)
    again = cut_frame(photo, frame_board(photo, placement))
    assert plain.shape == again.shape
    assert np.abs(plain.astype(int) - again).mean() < 1.0


def test_colours_tell_route_circles_doubts_and_problems() -> None:
    calm = report()
    picture = draw_overlay(calm.reading.photo, calm.reading.placement, findings_of(calm))
    board = picture[: cut_frame(calm.reading.photo, frame_board(calm.reading.photo, calm.reading.placement)).shape[0]]
    assert share(board, palette.CIRCLE) > 0.0005
    doubt, problem = share(picture, palette.DOUBT), share(picture, palette.PROBLEM)
    troubled = report(readings.GOLDEN.replace("NV=31", "NV=44"), doubts={"WA": {"x": 0.3}})
    picture = draw_overlay(troubled.reading.photo, troubled.reading.placement, findings_of(troubled))
    assert share(picture, palette.DOUBT) > doubt + 0.0002 and share(picture, palette.PROBLEM) > problem + 0.0002


@pytest.mark.parametrize("board", ["TX=.", "WA=21o", "WA=? OR=x CA=*"])
def test_boards_with_hardly_a_route_can_be_drawn(board: str) -> None:
    made = report(board, width=300)
    picture = draw_overlay(made.reading.photo, made.reading.placement, findings_of(made))
    assert picture.dtype == np.uint8 and picture.ndim == 3


def test_the_same_report_gives_the_same_picture() -> None:
    one, other = report(width=300), report(width=300)
    pictures = [draw_overlay(r.reading.photo, r.reading.placement, findings_of(r)) for r in (one, other)]
    assert np.array_equal(*pictures)


def test_the_panel_writes_only_letters_its_font_has() -> None:
    assert plain("\u00d6sterreich \u2013 \u201eReise\u201c, Stra\u00dfe\u2026") == "Osterreich - Reise, Strasse..."


def test_labels_keep_off_each_other_and_the_discs() -> None:
    reading = readings.make_reading(width=1200)
    frame = frame_board(reading.photo, reading.placement)
    discs = find_discs(reading.placement, frame)
    wishes = [Wish(region, 60, 34, True) for region in discs]
    spots = np.array(place_labels(wishes, discs, np.zeros((0, 2)), frame.size, 0.0))
    apart = np.abs(spots[:, None] - spots[None])
    over = (apart[..., 0] < 60) & (apart[..., 1] < 34) & ~np.eye(len(spots), dtype=bool)
    assert not over.any()
    for disc in discs.values():
        gap = np.maximum(np.abs(spots - disc.centre) - np.array([30, 17]), 0)
        assert (np.linalg.norm(gap, axis=1) > 1.0 * disc.radius_px).all()


@pytest.mark.parametrize("ending", [".jpg", ".PNG", ".webp"])
def test_files_are_written_in_the_format_of_their_ending(tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"drawn{ending}"
    save_overlay(report(width=300), target)
    picture = cv2.imread(str(target))
    assert picture is not None and picture.shape[1] > 300


@pytest.mark.parametrize("ending", [".jpg", ".PNG", ".webp"])
def test_no_overlay_is_taken_for_a_photo_of_a_board(tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"drawn{ending}"
    save_overlay(report(width=300), target)
    with pytest.raises(BadPhoto, match="is an overlay"):
        load_photo(target)


def test_a_file_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(NotWritten, match="cannot be written"):
        save_overlay(report(width=300), tmp_path / "no" / "such" / "folder.jpg")
