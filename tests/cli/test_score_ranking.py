"""The ranking and the table of doubts on narrow terminals: nothing that tells boards or answers apart is cut off."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO

import pytest
from readings import cell_reading
from rich.console import Console

from ontour_cv.board import parse_mark
from ontour_cv.cli.score_doubts import answers_of, poor_text, table_of
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


@pytest.mark.parametrize(
    ("read", "others", "answers"),
    [
        (".", {"x": 0.02, "*": 0.01}, [".", "*"]),
        ("x", {".": 0.2, "31": 0.1}, ["x", "31"]),
        ("31", {"x": 0.2, ".": 0.1}, ["31", "x"]),
        (".", {"x": 0.02}, [".", "x"]),
        ("?", {}, []),
        (".", {}, ["."]),
    ],
)
def test_the_answers_offered_are_worth_something_else(read: str, others: dict[str, float], answers: list[str]) -> None:
    """Nothing and an X count alike: which of the two it is changes no score."""
    assert [str(mark) for mark in answers_of(cell_reading(parse_mark(read), others))] == answers


@pytest.mark.parametrize(("marks", "blank"), [((".", "."), True), ((".", "31"), False)])
def test_a_board_on_which_nothing_stands_is_not_called_poorly_readable(marks: tuple[str, ...], blank: bool) -> None:
    text = poor_text([cell_reading(parse_mark(mark)) for mark in marks], "2 of 2 are in doubt.", "nearer")
    assert ("Nothing seems to be written on it" in text) == blank
    assert ("2 of 2 are in doubt" in text) != blank
    assert "ake the photo again: nearer." in text
