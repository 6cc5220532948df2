"""``verify_sheet``: can this sheet of Rolling America have come out of this game, and if not: the fewest slips."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

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
    lengths = list(_lengths(template, record, sheet))
    sure = sure_mistakes(View(template, sheet))
    for rolls in lengths if not sure else ():
        case = make_case(template, sheet, record.rolls[:rolls])
        # Half of what is left each time: a search that gets stuck leaves something for the next question.
        steps, none = _try(case, boxed, rolls, spent, (spent.most - spent.spent) // 2)
        if steps is None and boxed != Limits(0):
            steps, _ = _try(case, Limits(0), rolls, spent, (spent.most - spent.spent) // 2)
        else:
            none = False
        if steps is not None:
            found = _verdict(template, sheet, case, steps, rolls)
            return replace(found, notes=(_UNCROSSED,) if none else ())
    return _fewest(template, record, sheet, lengths[0], spent)


def _boxed(sheet: Sheet) -> Limits:
    """No mistakes, and the powers that are crossed off; all there are where nobody looked at the boxes."""
    said = sheet.boxes
    return Limits(0, POWERS if said.change is None else said.change, POWERS if said.dupe is None else said.dupe)


def _fewest(template: MapTemplate, record: GameRecord, sheet: Sheet, rolls: int, spent: Effort) -> SheetVerdict:
    """The verdict on a sheet that no lawful course was found for, with the powers that are crossed off.

    The search goes up from what the sheet alone proves. A number of mistakes that stays open is passed over, so the
    explanation found may have more than are proved.
    """
    case = make_case(template, sheet, record.rolls[:rolls])
    proved, open_below = sure_mistakes(View(template, sheet)), False
    for slips in range(proved, MOST_SLIPS + 1):
        limits = _boxed(sheet)._replace(slips=slips)
        steps, sure = _try(case, limits, rolls, spent, (spent.most - spent.spent) // 2)
        if steps is not None:
            return replace(_verdict(template, sheet, case, steps, rolls), at_least=proved, decided=not open_below)
        open_below = open_below or not sure
        proved = proved if open_below else slips + 1
    return SheetVerdict(False, not open_below, (), proved, (), (), rolls)


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


def _lengths(template: MapTemplate, record: GameRecord, sheet: Sheet) -> Iterator[int]:
    """How many rolls the sheet can show, the likeliest first; the last ones only when states are blank."""
    dealt = len(record.rolls)
    said = sheet.boxes.rounds
    most = dealt if said is None or said == ROUNDS else min(dealt, ROLLS_PER_ROUND * (said + 1))
    least = 0 if said is None else min(most, ROLLS_PER_ROUND * said)
    yield most
    blank = [state for state in template.ids if str(sheet.marks.get(state, ".")).startswith(".")]
    if not blank:
        return
    filled = len(template.ids) - len(blank)
    full = {region.areas for region in template.regions} - {template.region(state).areas for state in blank}
    for rolls in range(most - 1, least - 1, -1):
        # Every die fills a state unless its colour is full; a dupe fills one more.
        if 2 * rolls <= filled + (ROLLS if full else 0) and filled <= 2 * rolls + POWERS:
            yield rolls


def _check(template: MapTemplate, record: GameRecord) -> None:
    record.check_map(template.id)
    colours = {*template.areas, WILD}
    if any(roll.phase is not Phase.DICE or not colours.issuperset(roll.colours) for roll in record.rolls):
        raise BadLog("the game has rolls that this map does not know", "Name the log of this game.")
