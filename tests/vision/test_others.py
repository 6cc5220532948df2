"""Other boards in the picture: those wholly in it are told with their place, none is made of clutter or of cut ones."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from sheets import Sheet, pose, shoot

from ontour_cv.maps.edition import Edition
from ontour_cv.maps.load import load_editions
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.others import OtherBoard, other_boards
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import Placement, register

cv2.setNumThreads(1)

EDITION = next(edition for edition in load_editions("usa") if edition.name != "own")
(PRINTED,) = load_editions("europe-home")
SIZE = (1500, 1100)


def _shot(
    seed: int, tilt: float = 10, roll: float = 0, size: tuple[int, int] = SIZE, edition: Edition = EDITION
) -> tuple[np.ndarray, np.ndarray]:
    sheet = Sheet(edition.cells, edition.radius)
    photo, centres, _ = shoot(sheet, pose(sheet, size, tilt, roll, roll), size, seed)
    return photo, centres


def _others(picture: np.ndarray, *more: Edition) -> tuple[Placement, tuple[OtherBoard, ...]]:
    photo = Photo("test", np.ascontiguousarray(picture))
    candidates = find_discs(photo)
    placement = register(photo, candidates, [EDITION])
    return placement, other_boards((picture.shape[1], picture.shape[0]), candidates, placement, more)


@pytest.mark.parametrize(("along", "ways"), [(1, {"left", "right"}), (0, {"above", "below"})])
def test_a_second_board_is_told_with_its_side_and_outline(along: int, ways: set[str]) -> None:
    """Either of the two may be the one that is read; the other one is told."""
    (one, here), (two, there) = _shot(1), _shot(2, 15)
    step = np.array([SIZE[0] if along else 0, 0 if along else SIZE[1]])
    placement, (other,) = _others(np.concatenate([one, two], axis=along))
    scored = np.mean([cell.centre_photo for cell in placement.cells.values()], axis=0)
    first = np.linalg.norm(scored - here.mean(axis=0)) < np.linalg.norm(scored - there.mean(axis=0) - step)
    truth = there + step if first else here
    assert other.where == (sorted(ways, key=["right", "below", "left", "above"].index)[0 if first else 1])
    inside = [cv2.pointPolygonTest(other.outline.astype(np.float32), (float(x), float(y)), True) for x, y in truth]
    assert min(inside) > -15


def test_every_board_of_four_is_told() -> None:
    rows = [np.concatenate([_shot(seed, 8)[0] for seed in pair], axis=1) for pair in ((1, 2), (3, 4))]
    _, others = _others(np.concatenate(rows, axis=0))
    assert len(others) == 3


def test_a_board_of_another_print_is_told_too() -> None:
    two = [_shot(1)[0], _shot(2, edition=PRINTED)[0]]
    for picture, where in ((two, "right"), (two[::-1], "left")):
        table = np.concatenate(picture, axis=1)
        assert [other.where for other in _others(table, EDITION, PRINTED)[1]] == [where]
        assert _others(table)[1] == ()


def test_a_board_alone_has_no_other() -> None:
    assert _others(_shot(4, 20, 45)[0])[1] == ()
    assert _others(_shot(4, 20, 45)[0], *load_editions("usa"), *load_editions("europe-home"))[1] == ()


def test_half_a_board_beside_is_none_to_be_scored() -> None:
    half = _shot(5)[0][:, : SIZE[0] // 2]
    assert _others(np.concatenate([_shot(6)[0], half], axis=1))[1] == ()
    assert _others(np.concatenate([_shot(6)[0], half], axis=1), *load_editions("usa"))[1] == ()


def test_dots_beside_a_board_are_no_board() -> None:
    rng = np.random.default_rng(7)
    dots = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    for x, y in rng.uniform((30, 30), (SIZE[0] - 30, SIZE[1] - 30), (120, 2)):
        cv2.circle(dots, (round(x), round(y)), 18, (250, 250, 250), -1, cv2.LINE_AA)
    assert _others(np.concatenate([_shot(8)[0], dots], axis=1))[1] == ()
    assert _others(np.concatenate([_shot(8)[0], dots], axis=1), *load_editions("usa"))[1] == ()
