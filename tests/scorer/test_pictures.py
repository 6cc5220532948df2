"""Pictures of several boards: each is cut out whole, in the order one reads; a picture of one board stays as it is."""

from __future__ import annotations

import itertools
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sheets import Sheet, pose, shoot

from ontour_cv.errors import BadPhoto, BoardNotFound
from ontour_cv.maps.load import load_editions
from ontour_cv.scorer.pictures import every_board, in_rows, load_board_photo

cv2.setNumThreads(1)

EDITION = next(edition for edition in load_editions("usa") if edition.name != "own")
SIZE = (1500, 1100)


def _shot(seed: int) -> tuple[np.ndarray, np.ndarray]:
    sheet = Sheet(EDITION.cells, EDITION.radius)
    photo, centres, _ = shoot(sheet, pose(sheet, SIZE, 8, 0, 0), SIZE, seed)
    return photo, centres


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two boards side by side."""
    path = tmp_path_factory.mktemp("table") / "table.png"
    cv2.imwrite(str(path), np.concatenate([_shot(1)[0], _shot(2)[0]], axis=1))
    return path


def test_each_board_of_a_picture_has_its_number_and_is_whole(table: Path) -> None:
    boards = every_board(table, "usa")
    assert [board.name for board in boards] == ["table.png#1", "table.png#2"]
    whole = cv2.imread(str(table))
    for k, board in enumerate(boards):
        photo = load_board_photo(board, "usa")
        assert photo.name == str(board)
        assert photo.bgr.shape[0] <= whole.shape[0]
        assert photo.bgr.shape[1] < 0.7 * whole.shape[1]
        centres = _shot(k + 1)[1] + [k * SIZE[0], 0]
        match = cv2.matchTemplate(whole, photo.bgr[:80, :80], cv2.TM_SQDIFF)
        left, top = np.unravel_index(np.argmin(match), match.shape)[::-1]
        assert (centres > [left, top]).all()
        assert (centres < [left + photo.bgr.shape[1], top + photo.bgr.shape[0]]).all()


def test_a_number_that_is_not_there_is_told(table: Path) -> None:
    with pytest.raises(BadPhoto, match="shows 2 boards"):
        load_board_photo(table.with_name("table.png#3"), "usa")


def test_a_picture_of_one_board_or_none_keeps_its_name(tmp_path: Path) -> None:
    one, none, missing = tmp_path / "one.png", tmp_path / "none.png", tmp_path / "missing.png"
    cv2.imwrite(str(one), _shot(3)[0])
    cv2.imwrite(str(none), np.full((400, 600, 3), 90, np.uint8))
    assert [every_board(path, "usa") for path in (one, none, missing)] == [[one], [none], [missing]]
    assert load_board_photo(one).bgr.shape[:2] == SIZE[::-1]
    with pytest.raises(BoardNotFound):
        load_board_photo(none.with_name("none.png#1"), "usa")
    with pytest.raises(BadPhoto, match="does not exist"):
        load_board_photo(missing.with_name("missing.png#1"), "usa")


def test_a_file_may_have_such_a_name_itself(tmp_path: Path) -> None:
    path = tmp_path / "plain.png#2"
    path.write_bytes(cv2.imencode(".png", np.full((300, 400, 3), 200, np.uint8))[1].tobytes())
    assert load_board_photo(path).bgr.shape == (300, 400, 3)


@given(st.integers(1, 4), st.integers(1, 4), st.randoms(use_true_random=False))
def test_boards_are_counted_row_by_row_however_untidily_they_lie(rows: int, columns: int, chance: object) -> None:
    step, side = 100, 80
    shake = chance.randint  # type: ignore[attr-defined]
    boxes = []
    for row, column in itertools.product(range(rows), range(columns)):
        left, top = column * step + shake(-9, 9), row * step + shake(-9, 9)
        boxes.append((left, top, left + side, top + side))
    shuffled = list(boxes)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert in_rows(shuffled) == tuple(boxes)
