"""Other boards in the picture are told in a line, sides named once; without one nothing is said."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from ontour_cv.cli.score_uses import show_others
from ontour_cv.vision.others import OtherBoard


def _told(*ways: str) -> str:
    stream = io.StringIO()
    show_others([OtherBoard(where, np.zeros((4, 2)), 90.0) for where in ways], Console(file=stream, width=200))
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


def test_a_board_alone_needs_no_word() -> None:
    assert _told() == ""
