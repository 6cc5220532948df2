"""Pictures on a terminal: every pixel in its place and colour, and only where they can be seen."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from ontour_cv.cli.blocks import UPPER, blocks, can_show, fitted


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_a_character_is_two_pixels_one_above_the_other(height: int, width: int, seed: int) -> None:
    picture = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    text = blocks(picture)
    assert text.plain == (UPPER * width + "\n") * -(-height // 2)
    for row in range(-(-height // 2)):
        for column in range(width):
            style = text.get_style_at_offset(Console(), row * (width + 1) + column)
            above, below = picture[2 * row, column], picture[min(2 * row + 1, height - 1), column]
            assert style.color is not None and style.bgcolor is not None
            assert tuple(style.color.get_truecolor()) == tuple(above[::-1])
            assert tuple(style.bgcolor.get_truecolor()) == tuple(below[::-1])


@given(st.integers(1, 60), st.integers(1, 60), st.integers(1, 60))
def test_a_picture_is_no_wider_than_the_window_and_keeps_its_shape(height: int, width: int, columns: int) -> None:
    picture = np.full((height, width, 3), 7, dtype=np.uint8)
    small = fitted(picture, columns)
    assert small.shape[1] == min(width, columns)
    assert abs(small.shape[0] - max(1.0, height * small.shape[1] / width)) <= 0.5
    assert (small == 7).all()


@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        ({"force_terminal": True, "color_system": "truecolor"}, True),
        ({"force_terminal": True, "color_system": None}, False),
        ({"force_terminal": False, "color_system": "truecolor"}, False),
    ],
)
def test_pictures_are_shown_where_somebody_sees_colours(settings: dict[str, object], shown: bool) -> None:
    console = Console(file=io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), **settings)  # type: ignore[arg-type]
    assert can_show(console) is shown


def test_a_terminal_without_these_characters_gets_none() -> None:
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert not can_show(Console(file=file, force_terminal=True, color_system="truecolor"))
