"""A node of the search: what is settled about the turns, and the cheapest way to seat tasks on cells under it.

Rows are the tasks, then as many fillers as there are written cells: a filler on a cell says that no roll asked for what
is written there. Columns are the written cells, then a place for each task to be forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from ontour_cv.referee.assignment import FREE, Seating, bits, empty_seating
from ontour_cv.referee.blocked import Need
from ontour_cv.referee.cells import Cells
from ontour_cv.referee.tasks import Task, Turn


class Blocked(Enum):
    """What an X would be for a task."""

    SLIP = "a slip"
    MAYBE = "lawful, perhaps"
    LAWFUL = "lawful, and there is one"
    NEVER = "none: it is written with a card, and the other number's X is lawful after that"
    NEIGHBOUR = "the other number's X is lawful though no card was used for this one"


@dataclass(frozen=True, slots=True)
class Bans:
    """What may not be taken for a slip, when other explanations are looked for.

    Attributes:
        cells: cells without a slip (bits).
        tasks: tasks that were not forgotten.
        rolls: rolls whose numbers were not written with one card.
    """

    cells: int = 0
    tasks: frozenset[int] = frozenset()
    rolls: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Problem:
    """What stays the same in all nodes.

    Attributes:
        cells: the board.
        turns: the rolls.
        tasks: their tasks.
        needs: by turn, the ways in which its X can be lawful.
        bans: what may not be a slip.
    """

    cells: Cells
    turns: tuple[Turn, ...]
    tasks: tuple[Task, ...]
    needs: tuple[tuple[Need, ...], ...]
    bans: Bans

    @property
    def written(self) -> int:
        """Cells that are not empty."""
        return self.cells.everything & ~self.cells.empty


@dataclass(slots=True)
class Node:
    """What is settled, and the seating under it; made by ``root`` and ``child``, then left alone.

    Attributes:
        zero: by row, the columns for nothing.
        one: by row, the columns for one slip.
        cards: by task, which cards it may have been written with (bits).
        blocked: by task, what an X would be.
        keep: by task, the cells it may stand in.
        settled: turns whose X are settled.
        same_card: turns whose numbers were written with one card, a slip each.
        exchanged: setup turns with both numbers exchanged, a slip each.
        seating: the cheapest seating.
    """

    zero: list[int]
    one: list[int]
    cards: list[int]
    blocked: list[Blocked]
    keep: list[int]
    settled: frozenset[int]
    same_card: frozenset[int]
    exchanged: frozenset[int]
    seating: Seating

    @property
    def bound(self) -> int:
        """No explanation below this node has fewer slips."""
        return self.seating.bound + len(self.same_card) + len(self.exchanged)

    def copy(self) -> Node:
        """A node of its own with the same content."""
        return Node(
            self.zero[:],
            self.one[:],
            self.cards[:],
            self.blocked[:],
            self.keep[:],
            self.settled,
            self.same_card,
            self.exchanged,
            self.seating.copy(),
        )

    def cell(self, problem: Problem, task: int) -> int:
        """The cell of ``task`` as a bit; 0 when it was forgotten."""
        column = self.seating.column_of[task]
        return 1 << column if column < len(problem.cells.ids) else 0


def root(problem: Problem, exchanged: frozenset[int], most: int) -> Node | None:
    """The first node; None when more than ``most`` slips are needed.

    Args:
        problem: the board and the rolls.
        exchanged: setup turns taken as exchanged; their tasks must have been exchanged, too.
        most: the largest number of slips of interest.
    """
    count, regions = len(problem.tasks), len(problem.cells.ids)
    forgotten = ((1 << count) - 1) << regions
    written = problem.written & ~problem.bans.cells
    fillers = regions - problem.cells.empty.bit_count()
    open_turns = [index for index, some in enumerate(problem.needs) if some]
    maybe = {task for index in open_turns for task in problem.turns[index].tasks}
    node = Node(
        zero=[0] * count + [forgotten | problem.cells.unread] * fillers,
        one=[0] * count + [written & ~problem.cells.unread] * fillers,
        cards=[task.every_card for task in problem.tasks],
        blocked=[Blocked.MAYBE if task in maybe else Blocked.SLIP for task in range(count)],
        keep=[problem.cells.everything] * count,
        settled=frozenset(range(len(problem.turns))) - frozenset(open_turns),
        same_card=frozenset(),
        exchanged=exchanged,
        seating=_seating(problem, count, fillers),
    )
    return node if refresh(problem, node, range(count), most) else None


def _seating(problem: Problem, count: int, fillers: int) -> Seating:
    """Fillers and tasks have as many columns as they are; columns of empty cells are priced out."""
    seating = empty_seating(len(problem.cells.ids) + count)
    del seating.column_of[count + fillers :]
    del seating.price[count + fillers :]
    seating.priced = {0: seating.priced[0] & ~problem.cells.empty}
    for place in range(min(count, fillers)):
        seating.column_of[count + place] = len(problem.cells.ids) + place
        seating.row_of[len(problem.cells.ids) + place] = count + place
    return seating


def refresh(problem: Problem, node: Node, tasks: Iterable[int], most: int) -> bool:
    """Reckon the edges of ``tasks`` anew and seat who lost a place; False when ``most`` slips do not do."""
    regions, forgotten = len(problem.cells.ids), ((1 << len(problem.tasks)) - 1) << len(problem.cells.ids)
    for index in tasks:
        zero, one = _fits(problem, node, index)
        node.zero[index] = zero & node.keep[index]
        node.one[index] = one & node.keep[index] & ~zero & ~problem.bans.cells
        if index not in problem.bans.tasks and node.blocked[index] is not Blocked.NEVER:
            node.one[index] |= forgotten
    seating = node.seating
    for row, column in enumerate(seating.column_of):
        idle = row >= len(problem.tasks) and column >= regions
        if column != FREE and not idle and not seating.tight(row, node.zero[row], node.one[row]) >> column & 1:
            seating.release(row)
    extra = len(node.same_card) + len(node.exchanged)
    loose = [row for row, column in enumerate(seating.column_of) if column == FREE]
    return seating.bound + extra <= most and all(seating.seat(row, node.zero, node.one, most - extra) for row in loose)


def _fits(problem: Problem, node: Node, index: int) -> tuple[int, int]:
    """Cells for nothing and for one slip; the two may overlap."""
    task, cells = problem.tasks[index], problem.cells
    plain, ringed = cells.blocked & ~cells.circled, cells.blocked & cells.circled
    state = node.blocked[index]
    if state is Blocked.LAWFUL:
        return plain | cells.unread, ringed
    if state is Blocked.NEIGHBOUR:
        full = next(need.full for need in problem.needs[task.roll] if not need.cards)
        return (plain | cells.unread) & ~full, ((plain | cells.unread) & full) | (ringed & ~full) | task.out
    zero, one = task.fits(node.cards[index])
    if state is Blocked.NEVER:
        return zero, one & ~task.out
    if state is Blocked.MAYBE:
        return zero | plain | cells.unread, one | ringed
    return zero, one | plain


def claim(problem: Problem, node: Node, turn: int, need: Need) -> set[int]:
    """Settle that an X of ``turn`` was lawful by ``need``; the tasks whose edges change.

    Every later task, and this turn's own unless exempt, keeps out of the cells that were full by then; and what is
    unread among those was written.
    """
    node.settled |= {turn}
    node.blocked[need.task] = Blocked.LAWFUL
    own = set(problem.turns[turn].tasks)
    late = {task for later in problem.turns[turn + 1 :] for task in later.tasks}
    if need.other is not None:
        node.cards[need.other] &= need.cards
        node.blocked[need.other] = Blocked.NEVER if need.cards else Blocked.NEIGHBOUR
    for task in (own | late) - ({need.other} if need.exempt else set()):
        node.keep[task] &= ~need.full
    unread = need.full & problem.cells.unread
    if unread:
        for row in range(len(problem.tasks), len(node.zero)):
            node.zero[row] &= ~unread
            node.one[row] |= unread & ~problem.bans.cells
    return own | late


def mark_full(problem: Problem, node: Node) -> dict[int, int]:
    """Which turn filled each cell (by bit); what no roll asked for may have stood there from the start."""
    filled = {1 << cell: -1 for cell in bits(problem.written & ~problem.cells.unread)}
    for index, task in enumerate(problem.tasks):
        cell = node.cell(problem, index)
        if cell:
            filled[cell] = task.roll
    return filled
