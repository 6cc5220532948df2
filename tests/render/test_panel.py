"""What the panel says of a doubt: what else the mark may be, and the soloist beside it."""

from __future__ import annotations

import pytest

from ontour_cv.board import parse_mark
from ontour_cv.render.findings import Findings
from ontour_cv.render.panel import _notes, perhaps
from ontour_cv.rules import Score


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
    assert ("the score is the same" in text) != more
    assert ("asked about later" in text) == more
