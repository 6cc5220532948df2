"""What a short look says of photos of one board, each looked at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ontour_cv.scorer.any_map import AtAGlance, PlainlyASheet, score_any_photo
from ontour_cv.vision.photo import Photo, load_photo
from ontour_cv.vision.sheet_place import locate_sheet

FIXTURES = Path(__file__).parents[1] / "fixtures"
USA, SHEET = FIXTURES / "photos" / "01-plain.jpg", FIXTURES / "sheets" / "02-pencil.jpg"
NEW_YORK, NO_BOARD = FIXTURES / "cities" / "01-new-york.jpg", FIXTURES / "photos" / "no-board-chess.jpg"


@pytest.mark.parametrize(
    ("shown", "no_board"),
    [([USA], False), ([NO_BOARD, USA], False), ([SHEET], True), ([NO_BOARD, NEW_YORK], True)],
)
def test_of_a_board_one_photo_that_plainly_shows_a_city_speaks_for_all(shown: list[Path], no_board: bool) -> None:
    assert AtAGlance(shown).no_board(load_photo(shown[0])) is no_board


def test_a_photo_of_a_city_is_no_sheet() -> None:
    assert not AtAGlance([NEW_YORK]).sheet(load_photo(NEW_YORK))


def test_each_photo_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def plain(photo: Photo) -> None:
        asked.append(photo.name)

    monkeypatch.setattr("ontour_cv.scorer.sheet_score.plain_sheet", plain)
    look, photo = AtAGlance([NEW_YORK]), load_photo(NEW_YORK)
    assert look.no_board(photo)
    assert look.no_board(photo)
    assert not look.sheet(photo)
    assert asked == [photo.name]
    assert not look.sheets()


def test_a_sheet_lies_where_whoever_reads_it_would_find_it() -> None:
    """So it is not looked for again."""
    photo = load_photo(SHEET)
    look = AtAGlance([SHEET])
    assert look.sheet(photo)
    (there,) = look.sheets().values()
    found = locate_sheet(photo, there.model)
    np.testing.assert_array_equal(there.warp.apply(there.model.centres), found.warp.apply(found.model.centres))
    with pytest.raises(PlainlyASheet) as none:
        score_any_photo(SHEET)
    seen, placed = none.value.shown
    np.testing.assert_array_equal(seen.bgr, photo.bgr)
    np.testing.assert_array_equal(placed.warp.apply(placed.model.centres), found.warp.apply(found.model.centres))


def test_a_file_that_is_no_picture_shows_no_city(tmp_path: Path) -> None:
    (tmp_path / "board.jpg").write_text("no picture")
    assert not AtAGlance([tmp_path / "board.jpg", tmp_path / "not-there.jpg"]).no_board(load_photo(USA))
