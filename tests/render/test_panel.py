"""What the panel says of a doubt: what else the mark may be, and the soloist beside it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ontour_cv.board import parse_mark
from ontour_cv.render.findings import Findings
from ontour_cv.render.panel import UNITS, _entries, _notes, add_panel, perhaps
from ontour_cv.rules import Problem, Score

BARE = Findings("", {}, Score(19, 13, 6, ()), (19, 19), {}, (), (), "", False)


@pytest.mark.parametrize(
    ("other", "letter", "said"),
    [
        ("25", None, ", perhaps 25"),
        (None, "g", ", perhaps g"),
        ("25", "no soloist", ", perhaps 25 or no soloist"),
        ("26o", None, ", perhaps circled"),
        (None, None, ""),
    ],
)
def test_a_doubt_names_the_mark_and_the_letter_that_may_stand_there_instead(
    other: str | None, letter: str | None, said: str
) -> None:
    findings = Findings(
        "", {"A": parse_mark("26")}, Score(0, 0, 0, ()), (0, 0),
        {"A": None if other is None else parse_mark(other)}, ("A",), (), "", False,
        beside={"A": "s"}, beside_else={} if letter is None else {"A": letter},
    )  # fmt: skip
    assert perhaps(findings, "A") == said


@pytest.mark.parametrize("more", [False, True])
def test_a_doubt_nobody_asks_about_is_called_harmless_only_where_it_is(more: bool) -> None:
    """Where very much is in doubt, only what matters by itself is asked about first; the rest may matter with it."""
    marks = {"A": parse_mark("26"), "B": parse_mark("31")}
    findings = Findings(
        "", marks, Score(2, 2, 0, ("A", "B")), (1, 2),
        {"A": parse_mark("36"), "B": parse_mark("37")}, ("A",), (), "", False, more=more,
    )  # fmt: skip
    (text,) = [note.text for note in _notes(findings) if "B 31" in note.text]
    assert ("unlikely to matter for the score" in text) != more
    assert ("asked about later" in text) == more


@pytest.mark.parametrize(
    "long",
    [
        replace(BARE, visited="13 arrondissements"),
        replace(BARE, title="Europe (home edition), edition nobody measured, with an X as a last resort only" * 2),
        replace(BARE, sum="at least 12 neighbourhoods + 11 for soloists + 4 for all boroughs"),
    ],
)
@pytest.mark.parametrize("width", [300, 900])
def test_no_line_however_long_runs_into_the_legend(long: Findings, width: int) -> None:
    board = np.zeros((10, width, 3), np.uint8)
    short = replace(long, title="", visited="", sum="1" if long.sum else "")
    beside = round(38.8 / UNITS * width)
    assert np.array_equal(add_panel(board, long)[:, beside:], add_panel(board, short)[:, beside:])


@pytest.mark.parametrize(("sum_", "word"), [("", "by boat"), ("12 neighbourhoods + 11 for soloists", "by ferry")])
def test_a_leg_by_water_is_called_as_its_game_calls_it(sum_: str, word: str) -> None:
    """Boats go in Paris, ferries in New York; whoever drew ferries looks in vain for a boat."""
    assert "water" not in _entries(replace(BARE, sum=sum_))
    assert _entries(replace(BARE, sum=sum_, by_water=(("A", "B"),)))["water"] == word


def test_the_notes_begin_below_the_legend() -> None:
    board, slip = np.zeros((10, 900, 3), np.uint8), Problem("slip", (), "A star is where none may be. " * 3)
    marks, doubts = {"A": parse_mark("26")}, {"A": None}
    told = replace(BARE, marks=marks, runners_up=doubts, drawn=(("A", "B"),), problems=(slip,))
    unit = 900 / UNITS
    panel = add_panel(board, told)[10:]
    legend_ends, notes_begin = round(8.9 * unit), round(10.0 * unit)
    assert (panel[legend_ends + 1 : notes_begin] == panel[0, 0]).all()
