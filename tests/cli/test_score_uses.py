"""Other boards in the picture are told in a line, sides named once; without one nothing is said."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from ontour_cv.cli.score_uses import show_others
from ontour_cv.vision.others import OtherBoard


def _told(*ways: str, what: str = "board") -> str:
    stream = io.StringIO()
    show_others([OtherBoard(where, np.zeros((4, 2)), 90.0, what) for where in ways], Console(file=stream, width=200))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("ways", "told"),
    [
        (("right",), "Another board is in the picture (to the right) and not scored"),
        (("left", "left", "below"), "3 more boards are in the picture (to the left, below) and not scored"),
    ],
)
def test_others_are_counted_and_placed(ways: tuple[str, ...], told: str) -> None:
    assert told in _told(*ways)


def test_sheets_are_called_sheets_unless_there_are_boards_among_them() -> None:
    assert "Another sheet is in the picture (above)" in _told("above", what="sheet")
    assert "2 more sheets are in the picture" in _told("left", "right", what="sheet")
    stream = io.StringIO()
    mixed = [OtherBoard("left", np.zeros((4, 2)), 90.0), OtherBoard("right", np.zeros((4, 2)), 90.0, "sheet")]
    show_others(mixed, Console(file=stream, width=200))
    assert "2 more boards are in the picture" in stream.getvalue()


def test_a_board_alone_needs_no_word() -> None:
    assert _told() == ""
