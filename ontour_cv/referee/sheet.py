"""``verify_sheet``: can this sheet of Rolling America have come out of this game, and if not: the fewest slips."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ontour_cv.board import Kind, Mark
from ontour_cv.dealer.bag import ROLLS, ROLLS_PER_ROUND, WILD
from ontour_cv.dealer.record import GameRecord, Phase
from ontour_cv.errors import BadLog
from ontour_cv.maps.model import MapTemplate
from ontour_cv.referee.sheet_case import Case, make_case
from ontour_cv.referee.sheet_moves import Limits, Step
from ontour_cv.referee.sheet_search import Effort, OutOfEffort, Search
from ontour_cv.referee.sheet_story import Story
from ontour_cv.referee.sheet_verdict import SheetVerdict
from ontour_cv.rules.rolling import View, sure_mistakes
from ontour_cv.sheet import POWERS, ROUNDS, Sheet

MOST_SLIPS = 6
"""More are not looked for: such a sheet is probably not from this game."""

EFFORT = 40_000
"""Places in the search to look at for one sheet, all questions together: a dozen seconds at the most, and less than
half a second for nine lawful sheets in ten (``docs/rolling.md``)."""

_UNCROSSED = "More colour changes or dupes were used than are crossed off."


def verify_sheet(template: MapTemplate, record: GameRecord, sheet: Sheet, effort: int = EFFORT) -> SheetVerdict:
    """Whether the sheet is a lawful outcome of the game, and the fewest mistakes that explain it when it is not.

    A sheet from before the log's end is checked against the rolls it shows; an unread state may hold anything.

    Args:
        template: the map the game was played on.
        record: every roll of the game.
        sheet: what stands on the sheet.
        effort: places in the search to look at.

    Raises:
        BadLog: the record is of another map or game.
    """
    _check(template, record)
    spent = Effort(effort)
    boxed = _boxed(sheet)
    proved, open_below = sure_mistakes(View(template, sheet)), False
    for rolls in _lengths(template, record, sheet, 0) if not proved else ():
        case = make_case(template, sheet, record.rolls[:rolls])
        # Half of what is left each time: a search that gets stuck leaves something for the next question.
        steps, none = _try(case, boxed, rolls, spent, (spent.most - spent.spent) // 2)
        open_below = open_below or (steps is None and not none)
        if steps is None and boxed != Limits(0):
            steps, _ = _try(case, Limits(0), rolls, spent, (spent.most - spent.spent) // 2)
        else:
            none = False
        if steps is not None:
            found = _verdict(template, sheet, case, steps, rolls)
            return replace(found, notes=(_UNCROSSED,) if none else ())
    return _fewest(template, record, sheet, (proved if open_below else max(1, proved), open_below), spent)


def _boxed(sheet: Sheet) -> Limits:
    """No mistakes, and the powers that are crossed off; all there are where nobody looked at the boxes."""
    said = sheet.boxes
    return Limits(0, POWERS if said.change is None else said.change, POWERS if said.dupe is None else said.dupe)


def _fewest(
    template: MapTemplate, record: GameRecord, sheet: Sheet, known: tuple[int, bool], spent: Effort
) -> SheetVerdict:
    """The verdict on a sheet that no lawful course was found for, with the powers that are crossed off.

    The search goes up from what is ``known``: how many mistakes are proved, and whether it is open that fewer than are
    looked for will do. At each number it goes through every part of the game that the sheet can show. One that stays
    open is passed over, so the explanation found may have more mistakes than are proved.
    """
    proved, open_below = known
    for slips in range(max(1, proved), MOST_SLIPS + 1):
        limits = _boxed(sheet)._replace(slips=slips)
        for rolls in _lengths(template, record, sheet, slips):
            case = make_case(template, sheet, record.rolls[:rolls])
            steps, sure = _try(case, limits, rolls, spent, (spent.most - spent.spent) // 2)
            if steps is not None:
                return replace(_verdict(template, sheet, case, steps, rolls), at_least=proved, decided=not open_below)
            open_below = open_below or not sure
        proved = proved if open_below else slips + 1
    whole = next(_lengths(template, record, sheet, 0))
    return SheetVerdict(False, not open_below, (), proved, (), (), whole)


def _try(case: Case, limits: Limits, rolls: int, spent: Effort, most: int) -> tuple[list[Step] | None, bool]:
    """The steps of an explanation or None, and whether that is proved."""
    here = Effort(most)
    try:
        return Search(case, limits, here, rolls).find(), True
    except OutOfEffort:
        return None, False
    finally:
        spent.spent += here.spent


def _verdict(template: MapTemplate, sheet: Sheet, case: Case, steps: list[Step], rolls: int) -> SheetVerdict:
    story = Story(template, sheet, case, steps)
    slips = story.slips()
    return SheetVerdict(
        legal=not slips,
        decided=True,
        slips=slips,
        at_least=len(slips),
        explanation=story.deeds(),
        notes=(),
        rolls=rolls,
    )


def _lengths(template: MapTemplate, record: GameRecord, sheet: Sheet, slips: int) -> Iterator[int]:
    """How many rolls the sheet can show with so many mistakes, likeliest first; fewer only where states are blank."""
    dealt = len(record.rolls)
    said = sheet.boxes.rounds
    most = dealt if said is None or said == ROUNDS else min(dealt, ROLLS_PER_ROUND * (said + 1))
    least = 0 if said is None else min(most, ROLLS_PER_ROUND * said)
    yield most
    kinds = {region.id: sheet.marks.get(region.id, Mark(Kind.EMPTY)).kind for region in template.regions}
    blank = [state for state, kind in kinds.items() if kind is Kind.EMPTY]
    unread = sum(kind is Kind.UNREAD for kind in kinds.values())
    if not blank and not unread:
        return
    filled = len(kinds) - len(blank)
    full = {region.areas for region in template.regions} - {template.region(state).areas for state in blank}
    idle = (ROLLS if full else 0) + slips
    for rolls in range(most - 1, least - 1, -1):
        # Every die fills a state unless its colour is full or it was forgotten; a dupe fills one more, as does a slip.
        if 2 * rolls <= filled + idle and filled - unread <= 2 * rolls + POWERS + slips:
            yield rolls


def _check(template: MapTemplate, record: GameRecord) -> None:
    record.check_map(template.id)
    colours = {*template.areas, WILD}
    if any(roll.phase is not Phase.DICE or not colours.issuperset(roll.colours) for roll in record.rolls):
        raise BadLog("the game has rolls that this map does not know", "Name the log of this game.")
