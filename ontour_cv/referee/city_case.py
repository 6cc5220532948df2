"""A board of New York against the rolls of its game: what each roll can have made the player write, and where.

Cells, tasks and turns are those of the other games (``cells``, ``tasks``); a card of New York opens the cells of its
boroughs. Which turns were spent on ferries is settled before (``city_ferries``); those have no tasks. The star of
Central Park belongs to no turn, so it counts as written at any time; ``city_verify`` looks at the time afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.city_board import UNREAD_SOLOIST, CityBoard
from ontour_cv.dealer.record import Roll
from ontour_cv.maps.city import INSTRUMENTS, City
from ontour_cv.maps.model import MapTemplate
from ontour_cv.referee.assignment import bits
from ontour_cv.referee.blocked import needs
from ontour_cv.referee.cells import Cells, cells_of
from ontour_cv.referee.node import Bans, Problem
from ontour_cv.referee.tasks import Task, Turn
from ontour_cv.rules import Variant
from ontour_cv.rules.city import park_filled

NO_TURN = -1
"""The turn of what belongs to none: the star of Central Park."""


@dataclass(frozen=True, slots=True)
class CityCase:
    """A board against the first rolls of a game.

    Attributes:
        template: the map.
        city: its city part.
        variant: the rules.
        board: the board, without circles.
        cells: its cells; each card has an area of its own name.
        rolls: the rolls.
        soloists: letter -> cells with that soloist beside a number.
        unsure: cells whose soloist could not be read.
        boroughs: borough -> its cells.
        park: the cells round Central Park.
    """

    template: MapTemplate
    city: City
    variant: Variant
    board: CityBoard
    cells: Cells
    rolls: tuple[Roll, ...]
    soloists: Mapping[str, int]
    unsure: int
    boroughs: Mapping[str, int]
    park: int

    @property
    def full(self) -> bool:
        """True when no cell is empty."""
        return not self.cells.empty

    @property
    def with_soloist(self) -> int:
        """Cells with a soloist that could be read."""
        return sum(self.soloists.values())

    def due(self, index: int) -> bool:
        """True when a ferry may have been drawn in that turn."""
        return self.city.ferry_due(tuple(self.city.card(card) for card in self.rolls[index].cards))

    def bonuses(self) -> tuple[bool, ...]:
        """Whether the star of Central Park was written, as far as the board leaves it open; the likelier first."""
        sure = park_filled(self.city, self.board.board, count_unread=False)
        perhaps = park_filled(self.city, self.board.board, count_unread=True)
        if sure:
            return (True, False) if self.full else (True,)
        return (False, True) if perhaps else (False,)


def make_city_case(
    template: MapTemplate, city: City, variant: Variant, board: CityBoard, rolls: Sequence[Roll]
) -> CityCase:
    """The board against ``rolls``. Circles and soloists that nothing can explain are left out: slips in any case."""
    plain = {region: replace(board.marks.get(region, Mark(Kind.EMPTY)), circled=False) for region in template.ids}
    state = BoardState(plain)
    cells = cells_of(template, state)
    boroughs = {area: sum(cells.bit[r.id] for r in template.regions if area in r.areas) for area in template.areas}
    areas = {card.id: sum(boroughs[area] for area in city.opens(card, template.areas)) for card in city.cards}
    cells = replace(cells, areas=areas, card_area={card.id: card.id for card in city.cards})

    def beside(letter: str) -> int:
        there = sum(cells.bit[region] for region, found in board.soloists.items() if found == letter)
        return there & (cells.numbers | cells.unread)

    return CityCase(
        template=template,
        city=city,
        variant=replace(variant, star_anywhere=True, x_last_resort=False),
        board=replace(board, board=state),
        cells=cells,
        rolls=tuple(rolls),
        soloists={letter: beside(letter) for letter in INSTRUMENTS},
        unsure=beside(UNREAD_SOLOIST),
        boroughs=boroughs,
        park=sum(cells.bit[region] for region in city.park),
    )


@dataclass(frozen=True, slots=True)
class CitySetting:
    """One way in which the turns can have been used, ready for the search.

    Attributes:
        problem: the turns that wrote, and what.
        skipped: turns spent on ferries.
        bonus: True when the star of Central Park was written; it is the last task then.
        paid: slips that this way takes by itself.
        keeps: task -> cells it has to stand in.
        timed: True when the star of Central Park is held to a turn.
    """

    problem: Problem
    skipped: frozenset[int]
    bonus: bool
    paid: int
    keeps: Mapping[int, int]
    timed: bool = False


def settings(case: CityCase, skipped: frozenset[int], bonus: bool, paid: int) -> Iterator[CitySetting]:
    """Every setting with these ferry turns: one, but for a park that was filled as the very last thing."""
    turns, tasks = _turns(case, skipped, bonus)
    ways = tuple(needs(case.cells, turn, case.variant, 0) if turn.tasks else () for turn in turns)
    problem = Problem(case.cells, turns, tasks, ways, Bans())
    if bonus or not park_filled(case.city, case.board.board, count_unread=False):
        yield CitySetting(problem, skipped, bonus, paid, {})
        return
    last = [
        turn for turn in turns if turn.tasks
    ]  # without the star, the park was filled when nothing was empty any more
    for task in last[-1].tasks if last else ():
        # What was written beside the park came last, so it cannot have left an X for the turn's other number.
        fitting = tuple(need for need in ways[turns.index(last[-1])] if need.task == task or not need.cards)
        other = tuple(fitting if turn is last[-1] else some for turn, some in zip(turns, ways, strict=True))
        yield CitySetting(replace(problem, needs=other), skipped, bonus, paid, {task: case.park})


def timed(case: CityCase, skipped: frozenset[int], paid: int) -> Iterator[CitySetting]:
    """Settings with the star of Central Park in a given cell, written by a given turn: all pairs that differ.

    Nothing is written beside the park after that turn, and no X before it counts on the star's cell being full. Much
    more to look at than :func:`settings`, so only asked for when an X came too early for the star.
    """
    plain = next(settings(case, skipped, True, paid)).problem
    star = len(plain.tasks) - 1
    matters = 0
    for need in chain.from_iterable(plain.needs):
        matters |= need.full
    places = (case.cells.stars | case.cells.unread) & ~case.park
    yield CitySetting(plain, skipped, True, paid, {star: places & ~matters}, timed=True)
    # Between two turns that can have an X the latest is the freest.
    turns = [index for index, some in enumerate(plain.needs) if some] + [len(plain.turns) - 1]
    for cell in bits(places & matters):
        for turn, same in product(dict.fromkeys(turns), (True, False)):
            late = {task: ~case.park for after in plain.turns[turn + 1 :] for task in after.tasks}
            if same:  # an X of the turn itself can come after the star, unless it is what filled the park
                late |= dict.fromkeys(plain.turns[turn].tasks, ~(case.park & case.cells.blocked))
            ways = tuple(
                tuple(need for need in some if index > turn - same or not need.full >> cell & 1)
                for index, some in enumerate(plain.needs)
            )
            yield CitySetting(replace(plain, needs=ways), skipped, True, paid, {**late, star: 1 << cell}, timed=True)


def _turns(case: CityCase, skipped: frozenset[int], bonus: bool) -> tuple[tuple[Turn, ...], tuple[Task, ...]]:
    writing = [index for index in range(len(case.rolls)) if index not in skipped]
    sizes = {index: 1 if case.rolls[index].double else 2 for index in writing}
    overflow = sum(sizes.values()) + bonus - len(case.cells.ids)
    if overflow == 1 and case.full and sizes[writing[-1]] == 2:
        sizes[writing[-1]] = 1  # one empty cell was left, which took one of the two numbers
    turns: list[Turn] = []
    tasks: list[Task] = []
    for index, roll in enumerate(case.rolls):
        some = list(_tasks(case, index, sizes.get(index, 0)))
        places = tuple(range(len(tasks), len(tasks) + len(some)))
        turns.append(Turn(roll, places, len(tasks) + bonus, len(some) < 2))
        tasks += some
    if bonus:
        tasks.append(_star(case, NO_TURN, case.park))
    return tuple(turns), tuple(tasks)


def _tasks(case: CityCase, index: int, size: int) -> Iterator[Task]:
    roll = case.rolls[index]
    if size == 0:
        return
    if roll.double:
        yield _star(case, index, 0)
    elif size == 1:
        yield _number(case, index, roll.numbers)
    else:
        for number in roll.numbers:
            yield _number(case, index, (number,))


def _star(case: CityCase, index: int, never: int) -> Task:
    """A star, which may stand anywhere but in ``never``."""
    cells = case.cells
    zero, one = (cells.stars | cells.unread) & ~never, cells.numbers & ~never
    return Task(index, (), ("",), (zero,), (one,), (cells.stars | cells.unread) & never)


def _number(case: CityCase, index: int, numbers: tuple[int, ...]) -> Task:
    """A number (one of several), with a card of its turn: it takes the soloist of its borough on that card along."""
    cells = case.cells
    right = 0
    for number in numbers:
        right |= cells.valued.get(number, 0)
    wrong = (cells.numbers | cells.stars) & ~right
    zero, one, opened = [], [], 0
    for card in case.rolls[index].cards:
        place, fits = cells.opened(card), agreeing(case, card)
        zero.append((right & fits) | (cells.unread & place))
        one.append((right & place & ~fits) | (wrong & fits))
        opened |= place
    return Task(index, numbers, case.rolls[index].cards, tuple(zero), tuple(one), (right | cells.unread) & ~opened)


def agreeing(case: CityCase, card_id: str) -> int:
    """Cells that the card opens and that have just the soloist it gives there; an unread soloist may be any or none."""
    card = case.city.card(card_id)
    found = 0
    for borough in case.city.opens(card, case.template.areas):
        letter = card.soloist_at(borough)
        fits = case.soloists[letter] if letter else ~case.with_soloist
        found |= case.boroughs[borough] & (fits | case.unsure)
    return found & case.cells.everything
