"""The filled board: the waist between the camera and the game.

Everything optical ends in a :class:`BoardState`; everything about the game starts from one. Its text form::

    WA=21o SD=*o WI=x NV=31 TX=.

One token per region: its id, ``=``, and what is written there.

======== =================================================================================================
``31``   a number, 0-99; ``9`` and ``09`` are the same
``*``    a star
``x``    a blocked region
``.``    an empty region
``?``    a region that could not be read
``o``    after any of these: the player circled it (``21o``, ``*o``); circles that break the rules
         (``xo``, ``.o``) can be drawn, so they can be written; the referee complains, not the parser
======== =================================================================================================

Reading is lenient, for people: any order, any case, any blanks or line breaks, commas or semicolons between tokens,
``#`` and the rest of its line is a comment, and a region that is not named is empty, as it is on a board where nobody
wrote. Printing is strict: the map's order, every region, two digits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum

from ontour_cv.errors import BadBoard

LAST_NUMBER = 99
"""The largest number two ten-sided dice can spell."""

EXPECTED = "expected a number 0-99, * (star), x (blocked), . (empty) or ? (unread), then o when circled"
SHOWN = ("21o", "*o", "x", "31", ".")
"""Marks that errors show as an example, on the map's first regions."""

_USA = ("WA", "SD", "WI", "NV", "TX")
_MARK = re.compile(r"(?P<what>[0-9]{1,3}|[*xX.?])(?P<circle>[oO]?)")
_LONGEST_QUOTE = 40


class Kind(Enum):
    """What is written in a cell; the value is its sign in board notation (numbers are digits)."""

    EMPTY = "."
    NUMBER = "#"
    STAR = "*"
    BLOCKED = "x"
    UNREAD = "?"


@dataclass(frozen=True, slots=True)
class Mark:
    """The content of one cell.

    Attributes:
        kind: what is written.
        number: 0-99 when ``kind`` is NUMBER, else None.
        circled: True when the player drew a circle round it.
    """

    kind: Kind
    number: int | None = None
    circled: bool = False

    def __post_init__(self) -> None:
        """``ValueError`` when the number does not go with the kind."""
        if (self.kind is Kind.NUMBER) != (self.number is not None):
            raise ValueError(f"{self.kind.name} does not go with the number {self.number}")
        if self.number is not None and not 0 <= self.number <= LAST_NUMBER:
            raise ValueError(f"{self.number} is not a number from 0 to {LAST_NUMBER}")

    def __str__(self) -> str:
        return format_mark(self)


@dataclass(frozen=True, slots=True)
class BoardState:
    """What stands in every region of a map, in the map's order.

    ``parse_board`` makes one from text and ``str()`` prints it; both ways lose nothing.
    """

    marks: Mapping[str, Mark]

    def __str__(self) -> str:
        return format_board(self)

    def of_kind(self, *kinds: Kind) -> tuple[str, ...]:
        """Ids of the regions that hold a mark of one of ``kinds``, in the map's order."""
        return tuple(region for region, mark in self.marks.items() if mark.kind in kinds)

    def replace(self, changes: Mapping[str, Mark]) -> BoardState:
        """The same board with some marks changed; ``KeyError`` for a region it does not have."""
        for region in changes:
            self.marks[region]
        return BoardState({**self.marks, **changes})


def parse_mark(text: str) -> Mark:
    """The mark written ``text`` in board notation; ``BadBoard`` quotes it and says what was expected."""
    match = _MARK.fullmatch(text)
    if match is None:
        raise BadBoard(f"{quote(text)} is not a mark: {EXPECTED}", _remedy(_USA, SHOWN))
    what, circled = match["what"].lower(), bool(match["circle"])
    if what.isdigit():
        if int(what) > LAST_NUMBER:
            no_number = f"{quote(text)} is no number from 0 to {LAST_NUMBER}: {EXPECTED}"
            raise BadBoard(no_number, _remedy(_USA, SHOWN))
        return Mark(Kind.NUMBER, int(what), circled)
    return Mark(Kind(what), None, circled)


def format_mark(mark: Mark) -> str:
    """The mark in board notation, numbers with two digits."""
    what = mark.kind.value if mark.number is None else f"{mark.number:02d}"
    return what + ("o" if mark.circled else "")


def parse_board(text: str, ids: Sequence[str] | None = None) -> BoardState:
    """The board written ``text``.

    Args:
        text: board notation.
        ids: ids of the map's regions; the board then has exactly these, in this order, those not named being empty.
            Without it the board has the regions that are named, in that order.

    Raises:
        BadBoard: the first token that does not parse, names no region of the map, or names one twice.
    """
    marks: dict[str, Mark] = {}
    for token in tokens(text):
        region, mark = parse_token(token, ids)
        if region in marks:
            raise BadBoard(f"{quote(token)}: {region} was already given as {marks[region]}", "Name each region once.")
        marks[region] = mark
    if not marks:
        one = like(ids or _USA, SHOWN[:1])
        raise BadBoard(f"the board names no region at all; expected at least one like {one}", _remedy(ids, SHOWN))
    if ids is None:
        return BoardState(marks)
    empty = Mark(Kind.EMPTY)
    return BoardState({region: marks.get(region, empty) for region in ids})


def format_board(state: BoardState) -> str:
    """The board in notation, one line, every region in the board's order."""
    return " ".join(f"{region}={format_mark(mark)}" for region, mark in state.marks.items())


def tokens(text: str) -> list[str]:
    """The tokens, without comments and a byte-order mark; blanks round an ``=`` do not split one."""
    lines = [re.sub(r"(^|\s)#.*", "", line) for line in text.removeprefix("\ufeff").splitlines()]
    return re.sub(r"[^\S\n]*=[^\S\n]*", "=", re.sub(r"[,;]", " ", "\n".join(lines))).split()


def like(ids: Sequence[str], shown: Sequence[str]) -> str:
    """The first spaces of a map with these marks, in notation, to be copied: another map's would be refused."""
    return " ".join(f"{region}={mark}" for region, mark in zip(ids, shown, strict=False))


def _remedy(ids: Sequence[str] | None, shown: Sequence[str]) -> str:
    return f"A board looks like: {like(ids or _USA, shown)}"


def parse_token(token: str, ids: Sequence[str] | None, shown: Sequence[str] = SHOWN) -> tuple[str, Mark]:
    """The region and the mark that one token of notation names; ``BadBoard`` quotes it when it does not parse.

    Args:
        token: the token.
        ids: ids of the map's regions; None for any.
        shown: marks of the game, which an error shows on the map's first regions.
    """
    region, sign, what = token.partition("=")
    one, remedy = like(ids or _USA, shown[:1]), _remedy(ids, shown)
    if not sign:
        raise BadBoard(f"{quote(token)} has no '='; expected a region and its mark, like {one}", remedy)
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", region):
        raise BadBoard(f"{quote(token)} does not begin with a region; expected letters, then =, like {one}", remedy)
    region = region.upper()
    if ids is not None and region not in ids:
        raise BadBoard(f"{quote(token)}: the map has no region {quote(region)}{_suggest(region, ids)}", _known(ids))
    try:
        return region, parse_mark(what)
    except BadBoard as fault:
        raise BadBoard(f"{quote(token)}: {fault.message}", remedy) from None


def _suggest(region: str, ids: Sequence[str]) -> str:
    close = get_close_matches(region[:_LONGEST_QUOTE], ids, n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(close)}?" if close else ""


def _known(ids: Sequence[str]) -> str:
    return f"Its regions are: {' '.join(ids)}."


def quote(text: str) -> str:
    """``text`` as errors show it: in quotes, and shortened when it is long."""
    shown = text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
    return repr(shown)
