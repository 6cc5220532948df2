"""The filled sheet of Rolling America: a board of digits, and the boxes beside it.

Its text form is that of a board (:mod:`ontour_cv.board`), with digits for numbers and tokens for the boxes::

    WA=3 OR=3o CA=x NV=. @rounds=8 @change=2 @guard=1 @dupe=3 @x=7

============== ==================================================================================
``WA=3``       a number, 1-6; ``3o``: guarded, so circled; ``x``, ``.``, ``?`` as on a board
``@rounds=8``  rounds crossed off, 0-8
``@change=2``  colour changes crossed off, 0-3
``@guard=1``   guards crossed off, 0-3
``@dupe=3``    dupes crossed off, 0-3
``@x=7``       what is written in the box for the number of Xs, 0-99
============== ==================================================================================

A state that is not named is blank; a box that is not named was not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches

from ontour_cv.board import BoardState, Kind, Mark, format_mark, parse_token, quote, tokens
from ontour_cv.errors import BadBoard

SIDES = 6
"""The largest number on a die."""

ROUNDS, POWERS = 8, 3
"""Rounds of a game, and boxes of each power."""

MOST = {"rounds": ROUNDS, "change": POWERS, "guard": POWERS, "dupe": POWERS, "x": 99}
"""What can stand in each token for boxes, at most."""

SHOWN = ("3", "3o", "x", ".")
"""As ``board.SHOWN``, for sheets."""

_REMEDY = "A sheet looks like: WA=3 OR=3o CA=x NV=. @rounds=8 @change=2 @guard=1 @dupe=3 @x=7"
_MARK = re.compile("(0?[1-6]|[xX.?])[oO]?")
_EXPECTED = "expected a number 1-6, x, . (blank) or ? (unread), then o when circled"


@dataclass(frozen=True, slots=True)
class Boxes:
    """What is crossed off and written beside the map; None where nobody looked.

    Attributes:
        rounds: rounds crossed off, 0-8.
        change: colour changes crossed off, 0-3.
        guard: guards crossed off, 0-3.
        dupe: dupes crossed off, 0-3.
        x: the number of Xs as the player wrote it.
    """

    rounds: int | None = None
    change: int | None = None
    guard: int | None = None
    dupe: int | None = None
    x: int | None = None

    def __post_init__(self) -> None:
        """``ValueError`` when there are not so many boxes."""
        for name, value in self.said().items():
            if not 0 <= value <= MOST[name]:
                raise ValueError(f"{name} is {value}; expected 0 to {MOST[name]}")

    def said(self) -> dict[str, int]:
        """The boxes that were looked at, by the name of their token, in the order of the notation."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole sheet. ``parse_sheet`` makes one from text and ``str()`` prints it; both ways lose nothing."""

    board: BoardState
    boxes: Boxes = Boxes()

    def __str__(self) -> str:
        return format_sheet(self)

    @property
    def marks(self) -> Mapping[str, Mark]:
        """What stands in every state, in the map's order."""
        return self.board.marks


def parse_sheet(text: str, ids: Sequence[str] | None = None) -> Sheet:
    """The sheet written ``text``.

    Args:
        text: the notation above.
        ids: ids of the map's states, as in ``board.parse_board``.

    Raises:
        BadBoard: the first token that does not parse, names no state or box, or names one twice.
    """
    marks: dict[str, Mark] = {}
    boxes: dict[str, int] = {}
    for token in tokens(text):
        if token.startswith("@"):
            name, value = _box(token)
            if name in boxes:
                raise BadBoard(f"{quote(token)}: @{name} was already given as {boxes[name]}", "Name each box once.")
            boxes[name] = value
            continue
        if "=" in token and not _MARK.fullmatch(token.partition("=")[2]):
            raise BadBoard(f"{quote(token)}: {_EXPECTED}", _REMEDY)
        state, mark = parse_token(token, ids, SHOWN)
        if state in marks:
            raise BadBoard(f"{quote(token)}: {state} was already given as {format_cell(marks[state])}", "Name it once.")
        marks[state] = mark
    if not marks:
        raise BadBoard("the sheet names no state at all; expected at least one like WA=3", _REMEDY)
    blank = Mark(Kind.EMPTY)
    whole = marks if ids is None else {state: marks.get(state, blank) for state in ids}
    return Sheet(BoardState(whole), Boxes(**boxes))


def format_cell(mark: Mark) -> str:
    """A mark as sheets have it: numbers with one digit."""
    return format_mark(mark) if mark.number is None else f"{mark.number}{'o' * mark.circled}"


def format_sheet(sheet: Sheet) -> str:
    """The sheet in notation, one line: every state in the map's order, then the boxes that were looked at."""
    states = (f"{state}={format_cell(mark)}" for state, mark in sheet.marks.items())
    return " ".join((*states, *(f"@{name}={value}" for name, value in sheet.boxes.said().items())))


def _box(token: str) -> tuple[str, int]:
    name, sign, value = token[1:].partition("=")
    name = name.lower()
    if name not in MOST:
        close = get_close_matches(name, MOST, n=1, cutoff=0.4)
        hint = f"; did you mean @{close[0]}?" if close else ""
        known = " ".join(f"@{box}" for box in MOST)
        raise BadBoard(f"{quote(token)} names no box of the sheet{hint}", f"Boxes are: {known}.")
    if not sign or not re.fullmatch("[0-9]{1,3}", value) or int(value) > MOST[name]:
        raise BadBoard(f"{quote(token)}: expected @{name}= and a number from 0 to {MOST[name]}", _REMEDY)
    return name, int(value)
