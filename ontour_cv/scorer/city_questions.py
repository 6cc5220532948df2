"""What doubts about a board of New York mean for its score: the range, and which of them are worth asking about.

No ferry or soloist more ever makes the best route worth less, so the least is that without all those in doubt, and the
most that with all of them. What a doubtful place may hold is tried, mark by mark; where that is not known, or would be
too many boards, it is shut for the least, and for the most holds a star, which fits any number. The work is bounded:
where it does not suffice the range is wider than need be, and what could not be settled is asked about.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.city_board import UNREAD_SOLOIST, CityBoard, Pair, ordered_pairs
from ontour_cv.maps.city import INSTRUMENTS
from ontour_cv.maps.model import MapTemplate
from ontour_cv.route import Work
from ontour_cv.rules.city import city_of, city_score_range
from ontour_cv.scorer.city_drawn import Drawn
from ontour_cv.scorer.questions import plausible_marks
from ontour_cv.vision.decode import CellReading

MOST_CASES = 16
"""So many combinations of doubtful soloists are tried; beyond that each counts the largest step of any row."""

MOST_DOUBTS = 8
"""With more doubts than this those are asked about first that change the score by themselves."""

MOST_BOARDS = 12
"""So many boards are tried for what doubtful places may hold; of further places any mark is thought possible."""

MOST_WORK = 120_000
"""Labels of tours (``route.tour_sweep``) to take up for the range, and as many again for what to ask; about two seconds
each."""

SHARE = 8
"""One board takes no more than this part of the work left, so that the last of very many get some, too."""

BEGINNING, PLANNING = 100, 1500
"""What it takes to begin with a board, in labels, and to plan the way through a graph for the first time."""

Marks = tuple[Mark, ...]

Points = tuple[int, int]
"""The least and the most a board may be worth; equal where that is settled."""


@dataclass(frozen=True, slots=True)
class CityQuestions:
    """What the doubts mean: bounds of the score, and neighbourhoods and ferries (``~SOHO-STG``) to ask about.

    ``more``: doubts that are not asked about may matter once these are answered, or what was not read may add points.
    """

    score_range: tuple[int, int]
    ask: tuple[str, ...]
    more: bool = False


@dataclass(frozen=True, slots=True)
class _Doubts:
    """Everything in doubt.

    Attributes:
        known: places with the marks that may be there, at least two.
        places: places that may hold anything.
        soloists: with the letters that may be there.
        ferries: by their ends.
    """

    known: Mapping[str, Marks]
    places: tuple[str, ...]
    soloists: Mapping[str, tuple[str, ...]]
    ferries: tuple[Pair, ...]

    @property
    def bounded(self) -> tuple[str, ...]:
        """Each doubt but those about known marks, by the name it is asked under."""
        return (*dict.fromkeys((*self.places, *self.soloists)), *(f"~{a}-{b}" for a, b in self.ferries))

    def names(self, template: MapTemplate) -> tuple[str, ...]:
        """Each doubt by the name it is asked under: places in the map's order, then ferries."""
        doubted = {*self.known, *self.places, *self.soloists}
        return (*(r for r in template.ids if r in doubted), *(f"~{a}-{b}" for a, b in self.ferries))


@dataclass(slots=True)
class _Solver:
    """Boards scored one after another, with an end to the work."""

    template: MapTemplate
    left: int
    planned: set[tuple[frozenset[str], tuple[Pair, ...]]] = field(default_factory=set)

    def points(self, board: CityBoard) -> Points:
        """What the best route is worth, as far as the work allows."""
        graph = frozenset(board.board.of_kind(Kind.NUMBER, Kind.STAR)), board.ferries
        self.left -= BEGINNING + PLANNING * (graph not in self.planned)
        self.planned.add(graph)
        work = Work(max(0, self.left) // SHARE)
        given = work.left
        found = city_score_range(self.template, board, work)
        self.left -= given - work.left
        return found


def city_questions(
    template: MapTemplate, board: CityBoard, cells: Mapping[str, CellReading], drawn: Drawn | None = None
) -> CityQuestions:
    """What the doubts about a board mean for its score.

    Of very many doubts (``MOST_DOUBTS``), and where the range could not be settled, only those are asked about that
    change the score by themselves, or all when there is none. Their answers leave fewer, and may bring up others; so
    nothing is asked only where the score is certain, as far as ferries and soloists were read: where not, ``more`` is
    set, for the range knows nothing of them.

    Args:
        template: the map.
        board: as it was read.
        cells: its places, with the doubts about them.
        drawn: soloists and ferries with the doubts about them; None when those of the board are certain.
    """
    doubts = _doubts(template, board, cells, drawn)
    everything = frozenset(doubts.bounded)
    solver = _Solver(template, MOST_WORK)
    lows, highs = (_by_marks(solver, board, doubts, there) for there in (frozenset[str](), everything))
    low, high = min(least for least, _ in lows.values()), max(most for _, most in highs.values())
    names = doubts.names(template)
    partly = drawn is not None and not drawn.complete
    if low == high:
        return CityQuestions((low, high), (), partly)
    solver = _Solver(template, MOST_WORK)
    settled = all(least == most for least, most in (*lows.values(), *highs.values()))
    if len(names) > MOST_DOUBTS or not settled:
        first = _by_themselves(solver, board, cells, doubts)
        ask = tuple(name for name in names if name in first) or names
        return CityQuestions((low, high), ask, partly or len(ask) < len(names))
    matter = {r for k, r in enumerate(doubts.known) if any(_depends(values, k) for values in (lows, highs))}
    read = next(iter(lows))
    for marks in dict.fromkeys((read, min(lows, key=lambda m: lows[m]), max(highs, key=lambda m: highs[m]))):
        told = _told(board, doubts, marks)
        for name in everything - matter:
            alone = _value(solver, told, doubts, frozenset((name,)))
            without = _value(solver, told, doubts, everything - {name})
            if alone != lows[marks] or without != highs[marks]:
                matter.add(name)
    # Doubts that matter only together with others: none alone is the answer, so all are asked.
    ask = tuple(name for name in names if name in matter) or names
    return CityQuestions((low, high), ask, partly or (bool(everything) and len(ask) < len(names)))


def _by_themselves(
    solver: _Solver, board: CityBoard, cells: Mapping[str, CellReading], doubts: _Doubts
) -> frozenset[str]:
    """The doubts each of which changes what the board as read is worth, while all others stay as they were read.

    Those, too, of which that could not be settled.
    """
    others: dict[str, list[CityBoard]] = {}
    for region in (*doubts.known, *doubts.places):
        marks = plausible_marks(cells[region]) or (Mark(Kind.STAR), Mark(Kind.BLOCKED))
        others[region] = [replace(board, board=BoardState({**board.marks, region: mark})) for mark in marks]
    for region, letters in doubts.soloists.items():
        told = [replace(board, soloists={**board.soloists, region: letter}) for letter in ("", *letters)]
        others.setdefault(region, []).extend(told)
    for pair in doubts.ferries:
        lines = [line for line in board.ferries if line != pair] + [pair] * (pair not in board.ferries)
        others[f"~{pair[0]}-{pair[1]}"] = [replace(board, ferries=ordered_pairs(lines, list(board.marks)))]
    worth = solver.points(board)
    if worth[0] < worth[1]:
        return frozenset(others)
    return frozenset(name for name, boards in others.items() if any(solver.points(one) != worth for one in boards))


def _by_marks(solver: _Solver, board: CityBoard, doubts: _Doubts, there: frozenset[str]) -> dict[Marks, Points]:
    """The worth for each choice of marks for the known places, that read first; of the others as :func:`_value`."""
    every = itertools.product(*doubts.known.values())
    return {marks: _value(solver, _told(board, doubts, marks), doubts, there) for marks in every}


def _told(board: CityBoard, doubts: _Doubts, marks: Marks) -> CityBoard:
    """The board with these marks in the known places."""
    return replace(board, board=BoardState({**board.marks, **dict(zip(doubts.known, marks, strict=True))}))


def _depends(values: Mapping[Marks, Points], place: int) -> bool:
    """True when another mark in one place alone ever makes another value."""
    found: dict[Marks, Points] = {}
    return any(found.setdefault((*marks[:place], *marks[place + 1 :]), v) != v for marks, v in values.items())


def _doubts(template: MapTemplate, board: CityBoard, cells: Mapping[str, CellReading], drawn: Drawn | None) -> _Doubts:
    marks = {r: plausible_marks(cells[r]) for r in template.ids}
    known: dict[str, Marks] = {}
    boards = 1
    for region in sorted(marks, key=lambda r: len(marks[r] or ())):
        some = marks[region]
        if some is not None and 1 < len(some) <= MOST_BOARDS // boards:
            known[region] = some
            boards *= len(some)
    places = tuple(r for r, some in marks.items() if (some is None or len(some) > 1) and r not in known)
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
    return _Doubts(known, places, soloists, ferries)


def _value(solver: _Solver, board: CityBoard, doubts: _Doubts, there: frozenset[str]) -> Points:
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
    found = [
        solver.points(
            replace(board, board=BoardState(marks), soloists={**sure, **chosen}, ferries=ordered_pairs(lines, order))
        )
        for chosen in _choices(known)
    ]
    more = extra * _largest_step(solver.template)
    return max(least for least, _ in found) + more, max(most for _, most in found) + more


def _choices(known: Mapping[str, tuple[str, ...]]) -> Iterable[dict[str, str]]:
    """Every choice of a letter for each region."""
    regions = [region for region, letters in known.items() if letters]
    for letters in itertools.product(*(known[region] for region in regions)):
        yield dict(zip(regions, letters, strict=True))


def _largest_step(template: MapTemplate) -> int:
    """The most that one soloist more can add, whatever its row."""
    rows = city_of(template).tracks.values()
    return max((b - a for row in rows for a, b in itertools.pairwise((0, *itertools.accumulate(row, max)))), default=0)
