"""The ranking and the table of doubts on narrow terminals: nothing that tells boards or answers apart is cut off."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO

import pytest
from rich.console import Console

from ontour_cv.cli.score_doubts import table_of
from ontour_cv.cli.score_ranking import Line, show_lines


def shown(width: int, show: Callable[[Console], None]) -> str:
    """What stands in the columns on a terminal so wide, each column's lines after one another."""
    console = Console(width=width, force_terminal=True, color_system=None, file=(file := StringIO()))
    show(console)
    rows = [re.findall(r"[^│]+", line) for line in file.getvalue().splitlines() if line.startswith("│")]
    return "|".join("".join(cell.strip() for cell in column) for column in zip(*rows, strict=True))


@pytest.mark.parametrize("width", [80, 60, 40])
def test_on_a_narrow_terminal_the_ranking_has_every_name_in_full(width: int) -> None:
    photos = [f"IMG_20261121_20153{k}.jpg" for k in range(4)]
    lines = [Line(k + 1, True, photo, (31, 26, 5), ["place still open"]) for k, photo in enumerate(photos[:3])]
    text = shown(
        width, lambda console: show_lines("Photo", ("Points", "Visited", "Circles"), lines, photos[3:], console)
    )
    assert "…" not in text
    assert all(photo in text for photo in photos)


@pytest.mark.parametrize("width", [80, 60, 40])
def test_on_a_narrow_terminal_the_doubts_have_every_answer_in_full(width: int) -> None:
    row = ("GA Georgia", "49 circled (88 %)", "47 (5 %), 41 (3 %)", "perhaps later", "GA=49o or GA=47")
    text = shown(width, lambda console: console.print(table_of("State", [row], console)))
    assert "…" not in text
    assert "GA=49o" in text and "GA=47" in text
