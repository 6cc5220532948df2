"""What doubts about a board of New York mean for its score: the range, and which of them are worth asking about.

No place, ferry or soloist more ever makes the best route worth less. So the least is that with everything doubtful left
out, and the most that with all of it, and with a star, which fits any number, in each doubtful place.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.city_board import UNREAD_SOLOIST, CityBoard, Pair, ordered_pairs
from ontour_cv.maps.city import INSTRUMENTS
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules.city import city_of, city_score
from ontour_cv.scorer.city_drawn import Drawn
from ontour_cv.vision.decode import CellReading

MOST_CASES = 16
"""So many combinations of doubtful soloists are tried; beyond that each counts the largest step of any row."""

MOST_DOUBTS = 12
"""With more doubts than this all are asked about, unseen: the photo is better taken again."""


@dataclass(frozen=True, slots=True)
class CityQuestions:
    """What the doubts mean: bounds of the score, and neighbourhoods and ferries (``~SOHO-STG``) to ask about."""

    score_range: tuple[int, int]
    ask: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Doubts:
    """Everything in doubt: places, soloists with the letters that may be there, ferries."""

    places: tuple[str, ...]
    soloists: Mapping[str, tuple[str, ...]]
    ferries: tuple[Pair, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Each doubt by the name it is asked under."""
        return (*dict.fromkeys((*self.places, *self.soloists)), *(f"~{a}-{b}" for a, b in self.ferries))


def city_questions(
    template: MapTemplate, board: CityBoard, cells: Mapping[str, CellReading], drawn: Drawn | None = None
) -> CityQuestions:
    """What the doubts about a board mean for its score.

    Args:
        template: the map.
        board: as it was read.
        cells: its places, with the doubts about them.
        drawn: soloists and ferries with the doubts about them; None when those of the board are certain.
    """
    doubts = _doubts(template, board, cells, drawn)
    everything = frozenset(doubts.names)
    low, high = _value(template, board, doubts, frozenset()), _value(template, board, doubts, everything)
    if low == high:
        return CityQuestions((low, high), ())
    if len(everything) > MOST_DOUBTS:
        return CityQuestions((low, high), doubts.names)
    ask = []
    for name in doubts.names:
        alone = _value(template, board, doubts, frozenset((name,)))
        without = _value(template, board, doubts, everything - {name})
        if alone != low or without != high:
            ask.append(name)
    # Doubts that matter only together with others: none alone is the answer, so all are asked.
    return CityQuestions((low, high), tuple(ask) or doubts.names)


def city_range(
    template: MapTemplate, board: CityBoard, cells: Mapping[str, CellReading], drawn: Drawn | None = None
) -> tuple[int, int]:
    """Bounds of the score over everything in doubt; exact when nothing is."""
    doubts = _doubts(template, board, cells, drawn)
    return _value(template, board, doubts, frozenset()), _value(template, board, doubts, frozenset(doubts.names))


def _doubts(template: MapTemplate, board: CityBoard, cells: Mapping[str, CellReading], drawn: Drawn | None) -> _Doubts:
    places = tuple(r for r in template.ids if cells[r].doubtful or cells[r].mark.kind is Kind.UNREAD)
    soloists: dict[str, tuple[str, ...]] = {}
    for region in template.ids:
        letter = board.soloists.get(region, "")
        others = drawn.open_soloists.get(region) if drawn is not None else None
        if letter == UNREAD_SOLOIST:
            soloists[region] = tuple(INSTRUMENTS)
        elif others is not None:
            every = tuple(INSTRUMENTS) if UNREAD_SOLOIST in others else (letter, *others)
            soloists[region] = tuple(choice for choice in every if choice)
        elif letter and region in places:
            soloists[region] = (letter,)
    ferries = tuple(drawn.open_ferries) if drawn is not None else ()
    return _Doubts(places, soloists, ferries)


def _value(template: MapTemplate, board: CityBoard, doubts: _Doubts, there: frozenset[str]) -> int:
    """The most the board is worth when of the doubts only those named in ``there`` may be something."""
    star, shut = Mark(Kind.STAR), Mark(Kind.BLOCKED)
    marks = {r: (star if r in there else shut) if r in doubts.places else mark for r, mark in board.marks.items()}
    lines = [pair for pair in board.ferries if pair not in doubts.ferries]
    lines += [pair for pair in doubts.ferries if f"~{pair[0]}-{pair[1]}" in there]
    sure = {r: letter for r, letter in board.soloists.items() if r not in doubts.soloists}
    maybe = {r: letters for r, letters in doubts.soloists.items() if r in there}
    known = {r: letters for r, letters in maybe.items() if r not in doubts.places}
    cases = 1
    for letters in known.values():
        cases *= max(1, len(letters))
    extra = 0
    if cases > MOST_CASES:
        known, extra = {}, len(known)
    # A star in a doubtful place has no soloist, whose number might have one.
    extra += sum(r in doubts.places for r in maybe)
    order = list(board.marks)
    best = max(
        city_score(
            template,
            replace(board, board=BoardState(marks), soloists={**sure, **chosen}, ferries=ordered_pairs(lines, order)),
        ).total
        for chosen in _choices(known)
    )
    return best + extra * _largest_step(template)


def _choices(known: Mapping[str, tuple[str, ...]]) -> Iterable[dict[str, str]]:
    """Every choice of a letter for each region."""
    regions = [region for region, letters in known.items() if letters]
    for letters in itertools.product(*(known[region] for region in regions)):
        yield dict(zip(regions, letters, strict=True))


def _largest_step(template: MapTemplate) -> int:
    """The most that one soloist more can add, whatever its row."""
    rows = city_of(template).tracks.values()
    return max((b - a for row in rows for a, b in itertools.pairwise((0, *itertools.accumulate(row, max)))), default=0)
