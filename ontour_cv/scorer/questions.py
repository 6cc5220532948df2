"""What the doubts of a reading mean for the score: its range, and the cells worth asking about.

The score is a function of the doubtful cells. It is explored as a reduced ordered decision diagram: one cell a level,
one branch for each mark the cell may hold, a level dropped where all its branches are equal. Such a diagram is
canonical (Bryant 1986), so the score depends on a cell exactly when the cell is left in it.

A branch ends as soon as its bounds meet: a route stays possible when a cell turns from blocked into any mark, or from
any mark into a circled star; so the board with every open cell blocked bounds the score from below, and with every open
cell starred from above. A cell of which only the circle is in doubt keeps its mark in both. What the budget leaves
unexplored stays open: its bounds join the range and its cells are asked for, so that nothing that matters is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.rules import Score
from ontour_cv.vision.decode import CellReading

ScoreOf = Callable[[BoardState], Score]
"""Best route of a board. Its total may depend on numbers by their order only, and must not fall when a cell turns from
blocked into any mark, or from any mark into a star with the same circle."""

BUDGET = 300
"""Work allowed, in scorings of a board with few stars (about 1.5 ms each)."""

COVERED = 0.95
"""A doubtful cell whose known marks are together less probable than this may hold anything."""

ENOUGH = 0.998
"""Marks of a doubtful cell are considered, most probable first, until they are together this probable."""

_GONE = Mark(Kind.BLOCKED)


@dataclass(frozen=True, slots=True)
class Questions:
    """What the doubts mean for the score.

    Attributes:
        score_range: lowest and highest best-route score over everything the doubtful cells may hold.
        ask: the doubtful cells whose answer can change the score, in the map's order.
    """

    score_range: tuple[int, int]
    ask: tuple[str, ...]


def find_questions(cells: Mapping[str, CellReading], score_of: ScoreOf, budget: int = BUDGET) -> Questions:
    """The range of the score and the cells to ask about, for all the cells of a board in the map's order.

    Both are exact while the budget lasts and every doubtful cell has its list of plausible marks; beyond that they can
    only be too wide: the true score is never outside the range, and no cell that matters is missing.
    """
    known: dict[str, tuple[Mark, ...]] = {}
    unknown: list[str] = []
    board = {region: cell.mark for region, cell in cells.items()}
    for region, cell in cells.items():
        marks = plausible_marks(cell)
        if marks is None:
            unknown.append(region)
        elif len(marks) > 1:
            known[region] = marks
        else:
            board[region] = marks[0]
    explorer = _Explorer(board, known, unknown, _Scores(score_of), budget)
    diagram = explorer.explore()
    levels = set(_levels(diagram, len(explorer.order)))
    asked = {explorer.order[level] for level in levels}
    leaves = tuple(_leaves(diagram))
    bounds = min(low for low, _ in leaves), max(high for _, high in leaves)
    return Questions(bounds, tuple(region for region in cells if region in asked))


def plausible_marks(cell: CellReading) -> tuple[Mark, ...] | None:
    """What the cell may hold, the reading first, marks of equal effect once; None when it may hold anything."""
    if cell.mark.kind is Kind.UNREAD:
        return None
    if not cell.doubtful:
        return (cell.mark,)
    marks, covered = [cell.mark], cell.confidence
    for mark, p in cell.alternatives:
        if covered < ENOUGH:
            marks.append(mark)
            covered += p
    if covered < COVERED or any(mark.kind is Kind.UNREAD for mark in marks):
        return None
    return tuple(dict.fromkeys(_GONE if mark.kind in (Kind.EMPTY, Kind.BLOCKED) else mark for mark in marks))


@dataclass(frozen=True, slots=True)
class _Open:
    """A branch left unexplored: the score lies in the range and may depend on every cell from ``level`` on.

    ``serial`` keeps two of them from being taken for equal.
    """

    level: int
    low: int
    high: int
    serial: int


@dataclass(frozen=True, slots=True)
class _Branch:
    """The score depends on the cell of ``level``: one child for each of its plausible marks."""

    level: int
    children: tuple[_Diagram, ...]


_Diagram = int | _Open | _Branch


class _Scores:
    """Scores of boards, each kind of board solved once, and a count of the work."""

    def __init__(self, score_of: ScoreOf) -> None:
        self._score_of = score_of
        self._known: dict[tuple[object, ...], Score] = {}
        self.work = 0

    def __call__(self, marks: Mapping[str, Mark]) -> Score:
        key = _order_key(marks)
        if key not in self._known:
            self._known[key] = self._score_of(BoardState(dict(marks)))
            self.work += _work(marks)
        return self._known[key]


class _Explorer:
    """Builder of the diagram; ``order`` holds the cell of each level: those with known choices, strongest first."""

    def __init__(
        self,
        board: dict[str, Mark],
        known: Mapping[str, tuple[Mark, ...]],
        unknown: list[str],
        scores: _Scores,
        budget: int,
    ) -> None:
        self._choices = known
        self._best = {region: _best(marks) for region, marks in known.items()}
        self._best.update(dict.fromkeys(unknown, Mark(Kind.STAR, circled=True)))
        self._worst = {region: _worst(marks) for region, marks in known.items()} | dict.fromkeys(unknown, _GONE)
        self._board = board
        self._scores = scores
        self._budget = budget
        self._serial = 0
        self.order = [*known, *unknown]
        self.order[: len(known)] = self._strongest_first(list(known))

    def explore(self, level: int = 0) -> _Diagram:
        """The diagram of the cells from ``level`` on, the earlier ones being set on the board."""
        low, high = self._bounds(self.order[level:])
        if low == high:
            return low
        if level >= len(self._choices):
            return self._open(level, low, high)
        region = self.order[level]
        children: list[_Diagram] = []
        for mark in self._choices[region]:
            self._board[region] = mark
            spent = self._scores.work >= self._budget
            children.append(self._open(level + 1, low, high) if spent else self.explore(level + 1))
        return children[0] if all(child == children[0] for child in children) else _Branch(level, tuple(children))

    def _open(self, level: int, low: int, high: int) -> _Open:
        self._serial += 1
        return _Open(level, low, high, self._serial)

    def _bounds(self, open_cells: list[str]) -> tuple[int, int]:
        most = self._scores(self._board | {region: self._best[region] for region in open_cells})
        if not any(region in most.route for region in open_cells):
            return most.total, most.total  # the best route needs none of them, so it is there whatever they are
        least = self._scores(self._board | {region: self._worst[region] for region in open_cells})
        return least.total, most.total

    def _strongest_first(self, known: list[str]) -> list[str]:
        """Deciding the cells that move the bounds most lets the bounds meet soonest."""
        trial = 2 * len(known) * _work(self._board | self._best)
        if len(known) < 2 or trial > self._budget:
            return known
        strength = {region: self._swing(region) for region in known}
        return sorted(known, key=lambda region: -strength[region])

    def _swing(self, region: str) -> int:
        """How much the cell alone moves the two bounds."""
        least, most = self._board | self._worst, self._board | self._best
        up = self._scores(least | {region: self._best[region]}).total - self._scores(least).total
        down = self._scores(most).total - self._scores(most | {region: self._worst[region]}).total
        return up + down


def _best(marks: tuple[Mark, ...]) -> Mark:
    """A mark at least as good as each of these on every route."""
    visible = [mark for mark in marks if mark != _GONE]
    if not visible:
        return _GONE
    circled = any(mark.circled for mark in visible)
    same = len({(mark.kind, mark.number) for mark in visible}) == 1
    return replace(visible[0], circled=circled) if same else Mark(Kind.STAR, circled=circled)


def _worst(marks: tuple[Mark, ...]) -> Mark:
    """A mark at most as good as each of these on every route."""
    same = len({(mark.kind, mark.number) for mark in marks}) == 1
    return replace(marks[0], circled=all(mark.circled for mark in marks)) if same else _GONE


def _work(marks: Mapping[str, Mark]) -> int:
    """Rough cost of scoring a board, in boards with few stars: measured, it doubles with each star above eight."""
    stars = sum(mark.kind is Kind.STAR for mark in marks.values())
    return int(2 ** min(max(stars - 8, 0), 8))


def _order_key(marks: Mapping[str, Mark]) -> tuple[object, ...]:
    """Equal for boards of equal score: only the order of the numbers counts."""
    numbers = sorted({mark.number for mark in marks.values() if mark.number is not None})
    rank = {number: i for i, number in enumerate(numbers)}
    key: list[object] = []
    for mark in marks.values():
        if mark.kind is Kind.NUMBER and mark.number is not None:
            key.append((rank[mark.number], mark.circled))
        else:
            key.append(mark.circled if mark.kind is Kind.STAR else None)
    return tuple(key)


def _leaves(diagram: _Diagram) -> Iterator[tuple[int, int]]:
    """Lowest and highest score of every leaf."""
    if isinstance(diagram, int):
        yield diagram, diagram
    elif isinstance(diagram, _Open):
        yield diagram.low, diagram.high
    else:
        for child in diagram.children:
            yield from _leaves(child)


def _levels(diagram: _Diagram, end: int) -> Iterator[int]:
    """The levels the score depends on, or may depend on."""
    if isinstance(diagram, _Open):
        yield from range(diagram.level, end)
    elif isinstance(diagram, _Branch):
        yield diagram.level
        for child in diagram.children:
            yield from _levels(child, end)
