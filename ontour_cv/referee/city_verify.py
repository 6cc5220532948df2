"""``verify_city``: can this board of New York have come out of this game, and if not: the fewest slips.

A board shows neither which turns were spent on ferries nor when the star of Central Park was written. Both are
inferred: every choice of ferry turns that counting does not rule out is looked at, the fewest slips first
(``city_ferries``), and each by the exact search of the other games (``search``). The search has a budget in places
looked at; where it ends, the answer is "not decided", and nobody is accused of more than was proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ontour_cv.city_board import CityBoard
from ontour_cv.dealer.record import GameRecord, Phase
from ontour_cv.errors import BadLog
from ontour_cv.maps.city import City
from ontour_cv.maps.model import MapTemplate
from ontour_cv.referee.city_case import CityCase, CitySetting, make_city_case, settings, timed
from ontour_cv.referee.city_ferries import ferry_choices
from ontour_cv.referee.city_search import Effort, Explanation, OutOfEffort, explain
from ontour_cv.referee.city_story import CityStory, loose_slips
from ontour_cv.referee.city_verdict import CityVerdict
from ontour_cv.referee.verdict import Slip
from ontour_cv.rules.city import city_of

MOST_SLIPS = 6
"""More are not looked for: such a board is probably not from this game."""

EFFORT = 4000
"""Places in the search to look at for one board, all questions together; a few seconds at worst."""

MOST_STEPS = 100_000
"""Steps of counting which turns can have been ferries, for one number of slips; more leave it undecided."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """What was found for one number of slips: an explanation, none for certain, or nothing certain."""

    case: CityCase | None
    found: Explanation | None
    sure: bool


def verify_city(template: MapTemplate, record: GameRecord, board: CityBoard, effort: int = EFFORT) -> CityVerdict:
    """Whether the board is a lawful outcome of the game, and the fewest slips that explain it when it is not.

    A board from before the log's end is checked against the rolls it shows; an unread neighbourhood may hold anything,
    an unread soloist may be any or none.

    Args:
        template: the map the game was played on.
        record: every roll of the game.
        board: what stands on the board.
        effort: places in the search to look at.

    Raises:
        BadLog: the record is of another map or game.
    """
    city = city_of(template)
    _check(template, city, record)
    loose = loose_slips(template, board)
    cases = [
        make_city_case(template, city, record.variant, board, record.rolls[:count])
        for count in range(len(record.rolls), -1, -1)
    ]
    left = Effort(effort)
    proved, open_below = 0, False
    for slips in range(MOST_SLIPS + 1):
        answer = _answer(cases, slips, left)
        if answer.case is not None and answer.found is not None:
            decided = not open_below and answer.sure
            return _verdict(answer.case, answer.found, board, loose, (proved, decided))
        open_below = open_below or not answer.sure
        proved = proved if open_below else slips + 1
    return _unexplained(loose, proved, open_below, len(record.rolls))


def _answer(cases: list[CityCase], slips: int, left: Effort) -> _Answer:
    """An explanation with ``slips`` slips or fewer; the longest part of the game first."""
    sure = True
    budget = Effort(left.left // 2)  # half of what is left each time, so that something is left for the next question
    before = budget.left
    steps = Effort(MOST_STEPS)
    try:
        for case in cases:
            choices, every = _choices(case, slips, steps)
            sure = sure and every
            found = explain(_settings(case, choices), slips, budget)
            if found is not None:
                timed = _timed(case, found, choices, slips, budget)
                return _Answer(case, timed or found, sure and timed is not None)
    except OutOfEffort:
        sure = False
    finally:
        left.left -= before - budget.left
    return _Answer(None, None, sure)


def _timed(
    case: CityCase,
    found: Explanation,
    choices: list[tuple[int, frozenset[int], bool, int]],
    slips: int,
    budget: Effort,
) -> Explanation | None:
    """An explanation in which the star of Central Park came in time for every X; None when none was found."""
    if CityStory(case, found).star_in_time():
        return found
    try:
        return explain(
            (one for _, turns, bonus, paid in sorted_choices(choices) if bonus for one in timed(case, turns, paid)),
            slips,
            budget,
        )
    except OutOfEffort:
        return None


def _choices(case: CityCase, slips: int, steps: Effort) -> tuple[list[tuple[int, frozenset[int], bool, int]], bool]:
    """The choices of ferry turns to look at, and whether these are all."""
    found = []
    try:
        for bonus in case.bonuses():
            for choice in ferry_choices(case, bonus, slips, steps):
                found.append((choice.at_least, choice.turns, bonus, choice.paid))
    except OutOfEffort:
        return found, False
    return found, True


def _settings(case: CityCase, choices: list[tuple[int, frozenset[int], bool, int]]) -> Iterator[CitySetting]:
    for _, turns, bonus, paid in sorted_choices(choices):
        yield from settings(case, turns, bonus, paid)


def sorted_choices(
    choices: list[tuple[int, frozenset[int], bool, int]],
) -> list[tuple[int, frozenset[int], bool, int]]:
    """The likeliest first, in an order that depends on nothing else."""
    return sorted(choices, key=lambda choice: (choice[0], not choice[2], sorted(choice[1])))


def _verdict(
    case: CityCase, found: Explanation, board: CityBoard, loose: tuple[Slip, ...], proved: tuple[int, bool]
) -> CityVerdict:
    story = CityStory(case, found)
    slips = (*story.slips(), *loose)
    least, decided = proved
    return CityVerdict(
        legal=not slips and decided,
        decided=decided,
        complete=True,
        slips=slips,
        at_least=least + len(loose),
        explanation=story.deeds(),
        ferry_turns=tuple(sorted(found.setting.skipped)),
        faulty=frozenset(region for slip in slips if slip.kind != "ferry" for region in slip.regions),
        faulty_ferries=_faulty_ferries(board, loose),
        rolls=len(case.rolls),
    )


def _unexplained(loose: tuple[Slip, ...], proved: int, open_below: bool, rolls: int) -> CityVerdict:
    return CityVerdict(
        legal=False,
        decided=not open_below,
        complete=False,
        slips=(),
        at_least=proved + len(loose),
        explanation=(),
        ferry_turns=(),
        faulty=frozenset(),
        faulty_ferries=(),
        rolls=rolls,
    )


def _faulty_ferries(board: CityBoard, loose: tuple[Slip, ...]) -> tuple[tuple[str, str], ...]:
    """Ferries that may not go where they go; of too many nobody can say which."""
    named = {slip.regions for slip in loose if slip.kind == "ferry"}
    return tuple(pair for pair in board.ferries if pair in named)


def _check(template: MapTemplate, city: City, record: GameRecord) -> None:
    record.check_map(template.id)
    cards = {card.id for card in city.cards}
    strange = sorted({card for roll in record.rolls for card in roll.cards} - cards)
    if strange or any(roll.phase is not Phase.TURN for roll in record.rolls):
        what = f"cards that the map lacks: {', '.join(strange)}" if strange else "rolls that New York does not know"
        raise BadLog(f"the game has {what}", "Name the log of this game.")
