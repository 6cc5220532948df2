"""The filled board: the waist between the camera and the game.

Everything optical ends in a :class:`BoardState`; everything about the game starts from one. Its text form::

    WA=21o SD=*o WI=x NV=31 TX=.

one token per region: a number 0-99 (``9`` and ``09`` are the same), ``*`` a star, ``x`` a blocked region,
``.`` empty, ``?`` not read; an ``o`` after it says that the player circled it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


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


@dataclass(frozen=True, slots=True)
class BoardState:
    """What stands in every region of a map, in the map's order."""

    marks: Mapping[str, Mark]
