"""Finding a sheet in a picture: drawn plainly here, and as the synthetic camera sees it; everything else is refused."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from ontour_cv.errors import BoardNotFound, MirrorImage
from ontour_cv.geometry import Homography
from ontour_cv.maps.load import load_map
from ontour_cv.synth.decoys import make_decoy
from ontour_cv.synth.sheet_photo import SheetShot, render_sheet
from ontour_cv.vision import sheet_match
from ontour_cv.vision.cells import CROP_PX
from ontour_cv.vision.landmarks import working_copy
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.sheet_cells import cell_masks, cut_sheet
from ontour_cv.vision.sheet_follow import STRIDES, follow
from ontour_cv.vision.sheet_lines import (
    _bent,
    _filled,
    _judged,
    _laid_more_strictly,
    _level,
    _of_pieces,
    _Sights,
)
from ontour_cv.vision.sheet_match import GROWN, LEAST, MORE_GROWN, match_sheet
from ontour_cv.vision.sheet_model import sheet_model
from ontour_cv.vision.sheet_pieces import Pieces, find_pieces
from ontour_cv.vision.sheet_place import SheetPlacement, accepted, find_sheet, locate_sheet, obvious, shaky
from ontour_cv.vision.sheet_profiles import line_plane
from ontour_cv.vision.sheet_warp import SheetWarp

MODEL = sheet_model(load_map("rolling-america"))
Image = NDArray[np.uint8]


def plain_sheet(width: int = 1200, grey: bool = False) -> Image:
    """The sheet's outlines alone, drawn from the template: pale cells, dark lines, nothing written."""
    picture = np.full((round(0.72 * width), width, 3), 235, np.uint8)
    for k, outline in enumerate(MODEL.outlines):
        colour = np.full(3, 225) if grey else np.array([255, 190, 150])[[k % 3, (k + 1) % 3, (k + 2) % 3]]
        corners = np.round(outline * width * 16).astype(np.int32)
        cv2.fillPoly(picture, [corners], [int(v) for v in colour], cv2.LINE_AA, 4)
    for k, outline in enumerate(MODEL.outlines):
        corners = np.round(outline * width * 16).astype(np.int32)
        line = (70, 70, 70) if grey or k >= MODEL.cells else (60, 90, 150)
        cv2.polylines(picture, [corners], True, line, 4, cv2.LINE_AA, 4)
    return picture


def on_table(sheet: Image, roll: float, size: int = 1300) -> tuple[Image, Homography]:
    """A sheet turned by ``roll`` degrees and a little tilted on a plain table, and where its widths land."""
    height, width = sheet.shape[:2]
    turn = np.radians(roll)
    corners = np.array([[0, 0], [1, 0], [1, height / width], [0, height / width]])
    flat = (corners - corners.mean(axis=0)) * [1.0, 0.9]
    spun = flat @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * (1 + 0.1 * flat[:, :1])
    seen = spun * 0.72 * size + size / 2
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), seen.astype(np.float32)).astype(np.float64)
    lay = matrix @ np.diag([1 / width, 1 / width, 1.0])
    photo = cv2.warpPerspective(sheet, lay, (size, size), flags=cv2.INTER_AREA, borderValue=(60, 80, 100))
    return np.asarray(photo, dtype=np.uint8), Homography(matrix, "sheet", "photo")


def worst_error(found: SheetPlacement, true: Homography) -> float:
    """Largest distance of a cell's middle from the truth, sheet widths."""
    scale = np.sqrt(np.abs(np.linalg.det(true.jacobians(MODEL.middles))))
    return float((np.hypot(*(found.warp.apply(MODEL.middles) - true.apply(MODEL.middles)).T) / scale).max())


@pytest.mark.parametrize("roll", [0, 37, 90, 151, 180, 250])
def test_a_plain_sheet_is_found_at_any_turn(roll: int) -> None:
    photo, true = on_table(plain_sheet(), roll)
    found = locate_sheet(Photo("plain", photo), MODEL)
    assert worst_error(found, true) < 0.004
    assert found.matched >= 55
    assert obvious(Photo("plain", photo), MODEL)


def test_colour_is_not_needed() -> None:
    photo, true = on_table(plain_sheet(grey=True), 20)
    assert worst_error(locate_sheet(Photo("grey", photo), MODEL), true) < 0.004


def test_hairlines_in_the_colour_of_the_cells_are_seen_at_the_third_look() -> None:
    """Cells in a few colours, borders five levels darker: nearly all that the first looks see is the boxes."""
    width = 1500
    picture = np.full((round(0.72 * width), width, 3), 235, np.uint8)
    for thick, darker in ((-1, 0), (2, 5)):
        for k, outline in enumerate(MODEL.outlines):
            corners = np.round(outline * width * 16).astype(np.int32)
            tone = np.array([[150, 190, 240], [240, 190, 150], [160, 220, 160]])[k % 3 if k >= MODEL.cells else 0]
            colour = [int(v) - darker for v in tone]
            if thick < 0:
                cv2.fillPoly(picture, [corners], colour, cv2.LINE_AA, 4)
            else:
                cv2.polylines(picture, [corners], True, colour, thick, cv2.LINE_AA, 4)
    photo, true = on_table(picture, 12, 1500)
    early = find_sheet(Photo("hairlines", photo), MODEL, looks=2)
    assert early is None or early.matched < 45
    found = locate_sheet(Photo("hairlines", photo), MODEL)
    assert worst_error(found, true) < 0.006


def test_a_mirrored_sheet_is_refused_by_name() -> None:
    photo, _ = on_table(plain_sheet(), 10)
    with pytest.raises(MirrorImage, match="mirror image of a sheet"):
        locate_sheet(Photo("mirror", np.ascontiguousarray(photo[:, ::-1])), MODEL)


def middle_errors(shot: SheetShot, found: SheetPlacement) -> NDArray[np.float64]:
    """Distances of the cells' middles from the truth, sheet widths."""
    middles = np.array([outline.mean(axis=0) for outline in MODEL.outlines[: MODEL.cells]])
    true = np.array([shot.cells[name].mean(axis=0) for name in MODEL.ids[: MODEL.cells]])
    scale = np.sqrt(np.abs(np.linalg.det(found.warp.axes(middles))))
    return np.asarray(np.hypot(*(found.warp.apply(middles) - true).T) / scale)


@pytest.mark.parametrize(("seed", "hard"), [(11, False), (12, False), (13, True), (14, True), (15, True)])
def test_filled_sheets_under_the_synthetic_camera_are_located(seed: int, hard: bool) -> None:
    shot = render_sheet(seed, hard=hard, long_side=1280)
    errors = middle_errors(shot, locate_sheet(Photo("shot", shot.image), MODEL))
    assert np.median(errors) < 0.003
    assert np.quantile(errors, 0.9) < 0.01


@pytest.mark.parametrize("kind", ["sudoku", "page", "disc-grid", "chess", "noise", "other-map"])
def test_other_pictures_are_refused(kind: str) -> None:
    image, _ = make_decoy(np.random.default_rng(3), kind, "ordinary", 1000)
    found = find_sheet(Photo(kind, image), MODEL)
    assert found is None or not accepted(found)
    assert not obvious(Photo(kind, image), MODEL)


def test_pictures_of_nothing_are_refused() -> None:
    with pytest.raises(BoardNotFound, match="no sheet"):
        locate_sheet(Photo("grey", np.full((400, 600, 3), 128, np.uint8)), MODEL)


def test_rings_about_one_middle_are_no_sheet() -> None:
    """A target's rings enclose areas none of which is another's neighbour."""
    target = np.full((1280, 1280, 3), 245, np.uint8)
    for ring in range(14):
        cv2.circle(target, (640, 640), 14 * (ring + 1), (40, 40, 40), 2, cv2.LINE_AA)
    photo = Photo("target", target)
    assert len(find_pieces(working_copy(photo, 1280), (1280, 1280))) >= LEAST
    with pytest.raises(BoardNotFound):
        locate_sheet(photo, MODEL)


def test_crops_show_the_cell_where_the_mask_says() -> None:
    """A sheet whose cell for Wyoming alone is black: its crop is black inside the mask and pale outside."""
    sheet = np.full((864, 1200, 3), 255, np.uint8)
    row = MODEL.ids.index("WY")
    cv2.fillPoly(sheet, [np.round(MODEL.outlines[row] * 1200).astype(np.int32)], (0, 0, 0))
    photo, _ = on_table(plain_sheet(), 30)
    found = locate_sheet(Photo("plain", photo), MODEL)
    black, _ = on_table(sheet, 30)
    crops = cut_sheet(Photo("black", black), found.warp, MODEL)
    mask = cell_masks(MODEL)[row] > 127
    crop = crops.images[row].mean(axis=2)
    assert crops.images.shape == (len(MODEL.ids), CROP_PX, CROP_PX, 3)
    assert crop[mask].mean() < 30
    assert crop[~mask].mean() > 200
    assert crops.inside.all()


def test_a_map_of_discs_is_no_sheet() -> None:
    with pytest.raises(ValueError, match="no outlines"):
        sheet_model(load_map("usa"))


FOLD, LEANING = 0.5, 0.65
"""Where the folded sheet is folded, and how narrow what lies beyond looks: without following it is 0.19 off."""


def folded(points: NDArray[np.float64], leaning: float = LEANING) -> NDArray[np.float64]:
    """Where points of a folded sheet lie on the flat picture of it, sheet widths."""
    x, y = points.T
    return np.column_stack([np.where(x < FOLD, x, FOLD + leaning * (x - FOLD)), y])


def folded_sheet(roll: float, leaning: float = LEANING) -> tuple[Image, Homography]:
    """A sheet folded along an upright line on a table: both parts are flat, but no homography holds both."""
    flat = plain_sheet()
    height, width = flat.shape[:2]
    x = (np.arange(width, dtype=np.float64) + 0.5) / width
    back = np.where(x < FOLD, x, FOLD + (x - FOLD) / leaning) * width - 0.5
    rows = np.tile(np.arange(height, dtype=np.float32)[:, None], (1, width))
    columns = np.tile(back.astype(np.float32), (height, 1))
    picture = cv2.remap(flat, columns, rows, cv2.INTER_LINEAR, borderValue=(235, 235, 235))
    return on_table(np.asarray(picture, dtype=np.uint8), roll)


@pytest.mark.parametrize("roll", [0, 100])
def test_a_folded_sheet_is_laid_right_on_both_sides_of_the_fold(roll: int) -> None:
    photo, true = folded_sheet(roll)
    found = locate_sheet(Photo("folded", photo), MODEL)
    scale = np.sqrt(np.abs(np.linalg.det(true.jacobians(MODEL.middles))))
    off = np.hypot(*(found.warp.apply(MODEL.middles) - true.apply(folded(MODEL.middles))).T) / scale
    assert off.max() < 0.012


def test_cells_that_ink_has_cut_in_two_are_followed_by_their_lines() -> None:
    photo, true = folded_sheet(0, 0.85)
    working = working_copy(Photo("folded", photo), 1280)
    pieces = find_pieces(working, (photo.shape[1], photo.shape[0]))
    places, size = (
        true.apply(folded(MODEL.centres, 0.85)),
        np.sqrt(np.abs(np.linalg.det(true.jacobians(MODEL.centres)))),
    )
    inked = [MODEL.ids.index(state) for state in ("IN", "KY", "TN", "MS", "NY")]
    gap = np.hypot(*(pieces.centres[:, None] - places[None, inked]).transpose(2, 0, 1)).min(axis=1)
    left = gap > 0.015 * size.mean()
    less = Pieces(pieces.centres[left], pieces.moments[left], pieces.areas[left], pieces.size)
    plane, scale = line_plane(Photo("folded", photo), true.apply(np.array([[0.0, 0.0], [1.0, 0.0]])))
    flat = SheetWarp(true, np.empty((0, 2)), np.empty((0, 2)))
    seen, known = follow(plane, scale, less, MODEL, flat, MODEL.centres[:, 0] < FOLD - 0.05)
    assert known[: MODEL.cells].mean() > 0.9
    assert known[inked].all()
    off = np.hypot(*(seen - places).T) / size
    assert off[inked].max() < 0.01
    assert np.hypot(*(true.apply(MODEL.centres) - places).T)[inked].max() > 0.015 * size.mean()


def test_a_part_of_the_sheet_that_is_not_where_it_should_be_has_no_support() -> None:
    sheet = plain_sheet()
    sheet[:, 880:] = 235  # the east is not in the picture
    photo, _ = on_table(sheet, 0)
    found = find_sheet(Photo("half", photo), MODEL)
    assert found is not None
    assert found.support is not None
    east = MODEL.centres[: MODEL.cells, 0] > 0.8
    assert found.support[: MODEL.cells][east].max() < 0.5
    west = MODEL.centres[: MODEL.cells, 0] < 0.6
    assert np.median(found.support[: MODEL.cells][west]) > 0.9
    assert shaky(found)[: MODEL.cells][east].all()


@pytest.mark.parametrize(("lost", "doubted"), [(5, 5), (6, 50)])
def test_a_sheet_with_many_cells_astray_is_doubted_where_it_seems_right_too(lost: int, doubted: int) -> None:
    found = locate_sheet(Photo("plain", on_table(plain_sheet(), 0)[0]), MODEL)
    support = np.where(np.arange(len(MODEL.ids)) < lost, 0.3, 0.9)
    assert shaky(replace(found, support=support, filled=None))[: MODEL.cells].sum() == doubted
    assert not shaky(replace(found, support=support)).any()  # each has its piece of paper in its place


def test_where_nothing_of_a_sheet_is_seen_its_place_is_left_alone() -> None:
    flat = Homography(np.diag([600.0, 600.0, 1.0]), "sheet", "photo")
    nothing = _Sights(np.zeros(0, dtype=int), np.zeros((0, 2)), np.zeros(0), np.zeros(0))
    assert _level(SheetWarp(flat, np.empty((0, 2)), np.empty((0, 2))), nothing, MODEL) is flat


@pytest.mark.parametrize("block", [("ME", "NH", "VT", "MA", "RI", "CT", "NJ", "DE"), ("WA", "OR", "CA", "NV", "AK")])
def test_a_block_of_states_taken_for_its_neighbours_is_laid_anew(block: tuple[str, ...]) -> None:
    """Laid from the cells whose paper is in its place; the block lies on lines, too, but not on its own."""
    photo, true = on_table(plain_sheet(), 20)
    picture = Photo("plain", photo)
    working = working_copy(picture, 1280)
    pieces = find_pieces(working, (photo.shape[1], photo.shape[0]))
    left, top, right, _ = MODEL.extent
    plane, scale = line_plane(picture, true.apply(np.array([[left, top], [right, top]])))
    off = np.isin(MODEL.ids, block)[:, None] * [-0.05, 0.02]
    warp = SheetWarp(true, np.empty((0, 2)), np.empty((0, 2)))
    every = np.ones(len(MODEL.ids), dtype=bool)
    wrong = _bent(warp, true, _of_pieces(warp, MODEL, every, true.apply(MODEL.centres + off)), MODEL)
    fit = replace(_judged(plane, scale, wrong, MODEL), filled=_filled(wrong, pieces, MODEL))
    rows = [MODEL.ids.index(name) for name in block]
    assert np.hypot(*(wrong.bend(MODEL.centres)[rows]).T).min() > 0.02
    mended = _laid_more_strictly(plane, scale, fit, pieces, MODEL)
    assert mended.log_odds > fit.log_odds
    found = mended.warp.apply(MODEL.centres) - true.apply(MODEL.centres)
    assert np.hypot(*found.T).max() < 0.006 * 0.72 * 1300


@pytest.mark.parametrize("steep", [0.35, 0.4])
def test_short_strides_follow_narrow_states_round_a_bend(steep: float) -> None:
    """The east bends down ever more steeply; nothing is seen but pieces of paper, and only the west is sure."""
    east = np.maximum(MODEL.centres[:, 0] - 0.45, 0.0)
    bent = MODEL.centres + np.column_stack([-0.4 * steep * east**2, 2 * steep * east**2])
    true = Homography(np.diag([1000.0, 1000.0, 1.0]), "sheet", "photo")
    pieces = Pieces(true.apply(bent), MODEL.moments * 1e6, MODEL.areas * 1e6, (1300, 1300))
    flat = SheetWarp(true, np.empty((0, 2)), np.empty((0, 2)))
    blank = np.zeros((1300, 1300), np.uint8)
    states = np.arange(len(MODEL.ids)) < MODEL.cells
    off = {}
    for strides in STRIDES:
        seen, known = follow(blank, 1.0, pieces, MODEL, flat, MODEL.centres[:, 0] < 0.45, strides)
        wrong = ~known | (np.hypot(*(seen - true.apply(bent)).T) > 1.0)
        off[strides] = int(wrong[states].sum())
    long, short = STRIDES
    assert off[short] <= 1
    assert off[long] > 5


def test_a_longer_look_grows_maps_that_many_squares_beside_the_sheet_outdo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Squares of a table witness for each other, so their pairs come first; none of these grows into a sheet."""
    true = np.array([[1000.0, 0.0, 100.0], [0.0, 1000.0, 100.0]])
    pieces = Pieces(MODEL.centres * 1000 + 100, MODEL.moments * 1e6, MODEL.areas * 1e6, (1300, 1300))
    anchor = MODEL.centres[20]
    squares = [(np.array([[90.0, 0.0, 40.0 * k], [0.0, 90.0, 40.0]]), anchor) for k in range(GROWN)]
    monkeypatch.setattr(sheet_match, "_guesses", lambda *_: iter([*squares, (true, anchor)]))
    assert match_sheet(pieces, MODEL) == []
    assert match_sheet(pieces, MODEL, MORE_GROWN)[0].matched == len(MODEL.ids)
