"""The best score as a function of the doubtful cells.

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
from dataclasses import dataclass, field, replace

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.rules import Score

ScoreOf = Callable[[BoardState], Score]
"""Best route of a board. Its total may depend on numbers by their order only, and must not fall when a cell turns from
blocked into any mark, or from any mark into a star with the same circle."""

BUDGET = 300
"""Work allowed, in scorings of a board with few stars (about 1.5 ms each)."""

GONE = Mark(Kind.BLOCKED)
"""Stands for every mark that no route can visit."""

Choices = dict[str, tuple[Mark, ...] | None]
"""What each doubtful cell may hold: at least two marks, or None for anything."""


@dataclass(frozen=True, slots=True)
class Dependence:
    """How the score depends on the doubtful cells.

    Attributes:
        low: the score is never less.
        high: the score is never more.
        cells: the cells it depends on; more than those only when it is not settled.
        settled: False when the budget ran out, or a cell may hold anything.
    """

    low: int
    high: int
    cells: frozenset[str]
    settled: bool


def explore(board: Mapping[str, Mark], choices: Choices, score_of: ScoreOf, budget: int = BUDGET) -> Dependence:
    """How the score of ``board`` depends on ``choices``, as exactly as the ``budget`` allows."""
    explorer = _Explorer(board, choices, _Scores(score_of), budget)
    root = explorer.grow()
    diagram = _reduced(root)
    leaves = tuple(_leaves(root))
    cells = frozenset(explorer.order[level] for level in _levels(diagram, len(explorer.order)))
    settled = all(leaf.low == leaf.high for leaf in leaves)
    return Dependence(min(leaf.low for leaf in leaves), max(leaf.high for leaf in leaves), cells, settled)


def by_themselves(
    board: Mapping[str, Mark], choices: Choices, score_of: ScoreOf, budget: int = BUDGET
) -> frozenset[str]:
    """The cells of ``choices`` each of which can change the score of ``board`` while the others stay as they are.

    None where that would take more than the ``budget``.
    """
    anything = (GONE, Mark(Kind.STAR, circled=True))
    if _work(board) * sum(len(marks or anything) for marks in choices.values()) > budget:
        return frozenset()
    scores = _Scores(score_of)
    total = scores(board).total
    return frozenset(
        region
        for region, marks in choices.items()
        if any(scores({**board, region: mark}).total != total for mark in marks or anything)
    )


@dataclass(slots=True, eq=False)
class _Node:
    """A choice of marks for the cells before ``level``, and what the score can then be."""

    level: int
    marks: dict[str, Mark]
    low: int
    high: int
    children: list[_Node] = field(default_factory=list)


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
    """Grows the tree of choices; ``order`` is the cell of each level: the strongest first, the unknown ones last."""

    def __init__(self, board: Mapping[str, Mark], choices: Choices, scores: _Scores, budget: int) -> None:
        self._known = {region: marks for region, marks in choices.items() if marks is not None}
        unknown = [region for region in choices if region not in self._known]
        star = Mark(Kind.STAR, circled=True)
        self._best = {region: _best(marks) for region, marks in self._known.items()} | dict.fromkeys(unknown, star)
        self._worst = {region: _worst(marks) for region, marks in self._known.items()} | dict.fromkeys(unknown, GONE)
        self._board = dict(board)
        self._scores = scores
        self._budget = budget
        self.order = [*self._strongest_first(), *unknown]

    def grow(self) -> _Node:
        """The tree, grown until every branch is settled or the budget spent: where the range is widest first."""
        root = self._node(0, {})
        unsettled = [root] if self._can_split(root) else []
        upper = False
        while unsettled and self._scores.work < self._budget:
            upper = not upper
            node = max(unsettled, key=_promise if upper else _danger)
            unsettled.remove(node)
            region = self.order[node.level]
            node.children = [self._node(node.level + 1, node.marks | {region: mark}) for mark in self._known[region]]
            unsettled += [child for child in node.children if self._can_split(child)]
        return root

    def _can_split(self, node: _Node) -> bool:
        return node.low < node.high and node.level < len(self._known)

    def _node(self, level: int, marks: dict[str, Mark]) -> _Node:
        board, rest = self._board | marks, self.order[level:]
        most = self._scores(board | {region: self._best[region] for region in rest})
        if not any(region in most.route for region in rest):
            # The best route needs none of the open cells: it is there whatever they are.
            return _Node(level, marks, most.total, most.total)
        least = self._scores(board | {region: self._worst[region] for region in rest})
        return _Node(level, marks, least.total, most.total)

    def _strongest_first(self) -> list[str]:
        """Deciding the cells that move the bounds most lets the bounds meet soonest."""
        trial = 2 * len(self._known) * _work(self._board | self._best)
        if len(self._known) < 2 or trial > self._budget:
            return list(self._known)
        strength = {region: self._swing(region) for region in self._known}
        return sorted(strength, key=lambda region: -strength[region])

    def _swing(self, region: str) -> int:
        """How much the cell alone moves the two bounds."""
        least, most = self._board | self._worst, self._board | self._best
        up = self._scores(least | {region: self._best[region]}).total - self._scores(least).total
        down = self._scores(most).total - self._scores(most | {region: self._worst[region]}).total
        return up + down


def _best(marks: tuple[Mark, ...]) -> Mark:
    """A mark at least as good as each of these on every route."""
    visible = [mark for mark in marks if mark != GONE]
    if not visible:
        return GONE
    circled = any(mark.circled for mark in visible)
    same = len({(mark.kind, mark.number) for mark in visible}) == 1
    return replace(visible[0], circled=circled) if same else Mark(Kind.STAR, circled=circled)


def _worst(marks: tuple[Mark, ...]) -> Mark:
    """A mark at most as good as each of these on every route."""
    same = len({(mark.kind, mark.number) for mark in marks}) == 1
    return replace(marks[0], circled=all(mark.circled for mark in marks)) if same else GONE


def _work(marks: Mapping[str, Mark]) -> int:
    """Rough cost of scoring a board, in boards with few stars; measured: threefold with every other star above six."""
    stars = sum(mark.kind is Kind.STAR for mark in marks.values())
    return round(3 ** (min(max(stars - 6, 0), 10) / 2))


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


@dataclass(frozen=True, slots=True)
class _Branch:
    """The score depends on the cell of ``level``: one child for each of its plausible marks."""

    level: int
    children: tuple[_Diagram, ...]


_Diagram = int | _Node | _Branch
"""A settled score, a branch left open, or a choice. Open branches are equal only to themselves."""


def _promise(node: _Node) -> tuple[int, int]:
    """The branch with the highest score still possible comes first, the deeper one of two: it is sooner settled."""
    return node.high, node.level


def _danger(node: _Node) -> tuple[int, int]:
    """The branch with the lowest score still possible comes first."""
    return -node.low, node.level


def _reduced(node: _Node) -> _Diagram:
    """The tree without the levels that make no difference."""
    if not node.children:
        return node.low if node.low == node.high else node
    children = tuple(_reduced(child) for child in node.children)
    return children[0] if all(child == children[0] for child in children) else _Branch(node.level, children)


def _leaves(node: _Node) -> Iterator[_Node]:
    if not node.children:
        yield node
    for child in node.children:
        yield from _leaves(child)


def _levels(diagram: _Diagram, end: int) -> Iterator[int]:
    """The levels the score depends on, or may depend on."""
    if isinstance(diagram, _Node):
        yield from range(diagram.level, end)
    elif isinstance(diagram, _Branch):
        yield diagram.level
        for child in diagram.children:
            yield from _levels(child, end)
