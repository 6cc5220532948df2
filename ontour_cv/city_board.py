"""The filled board of New York: a board, soloists beside its numbers, ferries, and the rows that were crossed off.

Its text form is that of a board (:mod:`ontour_cv.board`), with more signs::

    SOHO=37s STG=41 UES=* HARL=x ~SOHO-STG @s=1 @m=0

============== ============================================================================================
``37s``        a number with a soloist: ``s`` saxophone, ``m`` microphone, ``d`` drums, ``g`` guitar;
               ``37s+`` is the same, ``37+`` a soloist that could not be read
``~SOHO-STG``  a ferry between two neighbourhoods, either way round
``@s=1``       how many boxes of a soloist's row are crossed off; a row not named was not looked at
============== ============================================================================================

Circles mean nothing here, and only numbers have soloists; but what can be drawn can be written (``37os``, ``*s``), and
the referee complains, not the parser.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from ontour_cv.board import BoardState, Kind, Mark, format_mark, parse_token, quote, tokens
from ontour_cv.errors import BadBoard
from ontour_cv.maps.city import INSTRUMENTS

UNREAD_SOLOIST = "?"
"""Stands for a soloist that could not be read, perhaps none."""

MOST_BOXES = 9
"""So many boxes of a row can be crossed off on any map; on one with longer rows more (``parse_city_board``)."""

Pair = tuple[str, str]

_LETTERS = "".join(INSTRUMENTS)
_MARK = re.compile(rf"(?P<mark>(?:[0-9]{{1,3}}|[*xX.?])[oO]?)(?P<soloist>[{_LETTERS}{_LETTERS.upper()}]?)(?P<plus>\+?)")
SHOWN = ("37s", "41", "*", "x")
"""As ``board.SHOWN``, for boards of cities."""

_REMEDY = "A board of New York looks like: SOHO=37s STG=41 UES=* HARL=x ~SOHO-STG @s=1"
_EXPECTED = "expected a number 0-99, *, x, . or ?, then s, m, d or g for a soloist"


@dataclass(frozen=True, slots=True)
class CityBoard:
    """A whole board. ``parse_city_board`` makes one from text and ``str()`` prints it; both ways lose nothing.

    Attributes:
        board: what stands in every neighbourhood.
        soloists: region id -> letter of the soloist there, or ``UNREAD_SOLOIST``; those without are not in it.
        ferries: the ferries, each as two ids in the map's order, sorted by that order, none twice.
        tracks: letter of a soloist -> boxes crossed off in its row; rows nobody looked at are not in it.
    """

    board: BoardState
    soloists: Mapping[str, str] = field(default_factory=dict)
    ferries: tuple[Pair, ...] = ()
    tracks: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return format_city_board(self)

    @property
    def marks(self) -> Mapping[str, Mark]:
        """What stands in every neighbourhood, in the map's order."""
        return self.board.marks

    def ferries_at(self, region: str) -> tuple[str, ...]:
        """The other ends of the ferries at a neighbourhood."""
        return tuple(b if a == region else a for a, b in self.ferries if region in (a, b))


def parse_city_board(text: str, ids: Sequence[str] | None = None, most: int = MOST_BOXES) -> CityBoard:
    """The board written ``text``.

    Args:
        text: the notation above.
        ids: ids of the map's neighbourhoods, as in ``board.parse_board``. Without it the board has those that are
            named, and ferries must go between such.
        most: boxes of the map's longest row.

    Raises:
        BadBoard: the first token that does not parse, names something the map does not have, or says something twice.
    """
    marks: dict[str, Mark] = {}
    soloists: dict[str, str] = {}
    tracks: dict[str, int] = {}
    crossings: list[str] = []
    for token in tokens(text):
        if token.startswith("~"):
            crossings.append(token)
        elif token.startswith("@"):
            letter, boxes = _track(token, most)
            if letter in tracks:
                raise BadBoard(
                    f"{quote(token)}: @{letter} was already given as {tracks[letter]}", "Name each row once."
                )
            tracks[letter] = boxes
        else:
            region, mark, soloist = _cell(token, ids)
            if region in marks:
                given = format_cell(marks[region], soloists.get(region, ""))
                raise BadBoard(f"{quote(token)}: {region} was already given as {given}", "Name each one once.")
            marks[region] = mark
            if soloist:
                soloists[region] = soloist
    if not marks:
        raise BadBoard("the board names no neighbourhood at all; expected at least one like SOHO=37s", _REMEDY)
    order = tuple(marks) if ids is None else tuple(ids)
    empty = Mark(Kind.EMPTY)
    return CityBoard(
        BoardState({region: marks.get(region, empty) for region in order}),
        {region: soloists[region] for region in order if region in soloists},
        _ferries(crossings, order),
        {letter: tracks[letter] for letter in INSTRUMENTS if letter in tracks},
    )


def format_cell(mark: Mark, soloist: str) -> str:
    """A mark and the soloist beside it, as notation has them."""
    return format_mark(mark) + ("+" if soloist == UNREAD_SOLOIST else soloist)


def format_city_board(city: CityBoard) -> str:
    """The board in notation, one line: neighbourhoods in the map's order, then ferries, then rows."""
    cells = (f"{region}={format_cell(mark, city.soloists.get(region, ''))}" for region, mark in city.marks.items())
    ferries = (f"~{a}-{b}" for a, b in city.ferries)
    rows = (f"@{letter}={boxes}" for letter, boxes in city.tracks.items())
    return " ".join((*cells, *ferries, *rows))


def ordered_pairs(pairs: Sequence[Pair], order: Sequence[str]) -> tuple[Pair, ...]:
    """Ferries as :class:`CityBoard` has them: ends and pairs in the order of the ids ``order``, none twice."""
    place = {region: index for index, region in enumerate(order)}
    turned = {(a, b) if place[a] < place[b] else (b, a) for a, b in pairs}
    return tuple(sorted(turned, key=lambda pair: (place[pair[0]], place[pair[1]])))


def _cell(token: str, ids: Sequence[str] | None) -> tuple[str, Mark, str]:
    region, sign, what = token.partition("=")
    match = _MARK.fullmatch(what)
    if sign and match is None:
        raise BadBoard(f"{quote(token)}: {_EXPECTED}", _REMEDY)
    found, mark = parse_token(f"{region}{sign}{match['mark'] if match else what}", ids, SHOWN)
    if match is None:
        return found, mark, ""
    return found, mark, match["soloist"].lower() or (UNREAD_SOLOIST if match["plus"] else "")


def _ferries(crossings: Sequence[str], order: Sequence[str]) -> tuple[Pair, ...]:
    found: list[Pair] = []
    for token in crossings:
        one, sign, other = token[1:].upper().partition("-")
        if not sign or not one or not other:
            raise BadBoard(f"{quote(token)} is no ferry; expected two neighbourhoods, like ~SOHO-STG", _REMEDY)
        for end in (one, other):
            if end not in order:
                close = get_close_matches(end[:40], order, n=1, cutoff=0.5)
                hint = f"; did you mean {close[0]}?" if close else ""
                raise BadBoard(f"{quote(token)}: there is no neighbourhood {quote(end)}{hint}", _REMEDY)
        if one == other:
            raise BadBoard(f"{quote(token)}: a ferry joins two neighbourhoods, not one with itself", _REMEDY)
        if (one, other) in found or (other, one) in found:
            raise BadBoard(f"{quote(token)}: this ferry was already given", "Name each ferry once.")
        found.append((one, other))
    return ordered_pairs(found, order)


def _track(token: str, most: int) -> tuple[str, int]:
    name, sign, value = token[1:].partition("=")
    letter = next((letter for letter, word in INSTRUMENTS.items() if name.lower() in (letter, word)), None)
    if letter is None:
        known = " ".join(f"@{letter}" for letter in INSTRUMENTS)
        raise BadBoard(f"{quote(token)} names no row of soloists", f"Rows are: {known}.")
    if not sign or not re.fullmatch("[0-9]|[1-9][0-9]{1,3}", value) or int(value) > most:
        raise BadBoard(f"{quote(token)}: expected @{letter}= and a number from 0 to {most}", _REMEDY)
    return letter, int(value)
