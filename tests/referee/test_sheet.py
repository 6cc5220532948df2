"""The referee of Rolling America with the log, against play by the rules and against plain enumeration."""

from __future__ import annotations

import random
from functools import cache

import pytest

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.dealer.record import GameRecord, Phase, Roll
from ontour_cv.errors import BadLog
from ontour_cv.maps.load import load_map
from ontour_cv.maps.model import MapTemplate, Region
from ontour_cv.referee.sheet import verify_sheet
from ontour_cv.referee.sheet_verdict import KINDS, SheetVerdict
from ontour_cv.rules.rolling import sheet_problems
from ontour_cv.sheet import Boxes, Sheet, parse_sheet
from ontour_cv.synth.play_rolling import PlayedSheet, play_rolling

MAP = load_map("rolling-america")
SMALL_EFFORT = 1500


def replayed(template: MapTemplate, sheet: Sheet, verdict: SheetVerdict) -> None:
    """Play the explanation forwards, by the rules: every die must land where it had to."""
    colour = {region.id: region.areas[0] for region in template.regions}
    links = {region.id: region.neighbours for region in template.regions}
    there: dict[str, Mark] = {}
    used = {"change": 0, "dupe": 0}

    def fits(state: str, number: int) -> bool:
        near = [there[other] for other in links[state] if other in there]
        return all(m.number is None or m.circled or abs(m.number - number) <= 1 for m in near)

    for deed in verdict.explanation:
        anywhere = deed.changed or deed.colour == "wild"
        blank = [s for s in template.ids if s not in there and (anywhere or colour[s] == deed.colour)]
        used["change"] += deed.changed
        used["dupe"] += len(deed.regions) > 1
        assert all(state in blank for state in deed.regions), deed
        if deed.kind == "pass":
            assert not blank, deed
        elif deed.kind == "x":
            assert not any(fits(state, deed.number) for state in blank), deed
            assert sheet.marks[deed.regions[0]].kind is Kind.BLOCKED
            there[deed.regions[0]] = sheet.marks[deed.regions[0]]
        for state in deed.regions if deed.kind == "write" else ():
            mark = sheet.marks[state]
            assert mark.number == deed.number, deed
            assert mark.circled or fits(state, deed.number), deed
            there[state] = mark
    assert all(state in there or mark.kind is Kind.EMPTY for state, mark in sheet.marks.items())
    assert max(used.values()) <= 3


def games(count: int, start: int = 0) -> list[PlayedSheet]:
    return [play_rolling(MAP, random.Random(seed)) for seed in range(start, start + count)]


def test_games_played_by_the_rules_are_never_accused() -> None:
    """Alone or with the log: legal, or at worst not decided; and every explanation replays."""
    legal = 0
    for game in games(8):
        assert sheet_problems(MAP, game.sheet) == ()
        verdict = verify_sheet(MAP, game.record, game.sheet, SMALL_EFFORT)
        assert verdict.legal or not verdict.decided
        assert verdict.at_least == 0
        hardly = verify_sheet(MAP, game.record, game.sheet, 3)
        assert (hardly.legal, hardly.decided, hardly.at_least, hardly.mistakes) == (False, False, 0, 0)
        if verdict.legal:
            legal += 1
            assert verdict.rolls == 24
            replayed(MAP, game.sheet, verdict)
    assert legal >= 5


def test_a_sheet_from_before_the_end_is_checked_against_the_rolls_it_shows() -> None:
    early = play_rolling(MAP, random.Random(4), rounds=4)
    whole = play_rolling(MAP, random.Random(4))
    assert whole.record.rolls[:12] == early.record.rolls
    sheet = Sheet(early.sheet.board, Boxes(rounds=4))
    verdict = verify_sheet(MAP, whole.record, sheet, SMALL_EFFORT)
    assert (verdict.legal, verdict.rolls) == (True, 12)
    replayed(MAP, sheet, verdict)


@pytest.mark.parametrize("boxes", [Boxes(), Boxes(rounds=4), Boxes(rounds=3)])
def test_a_slip_on_a_sheet_from_before_the_end_is_one_slip(boxes: Boxes) -> None:
    """The dice that came later are not called forgotten."""
    early = play_rolling(MAP, random.Random(0), rounds=4)
    whole = play_rolling(MAP, random.Random(0))
    state = next(s for s, mark in early.sheet.marks.items() if mark.number == 1)
    sheet = Sheet(early.sheet.board.replace({state: Mark(Kind.NUMBER, 2)}), boxes)
    verdict = verify_sheet(MAP, whole.record, sheet)
    assert (verdict.decided, verdict.at_least, verdict.rolls) == (True, 1, 12)
    assert [slip.regions for slip in verdict.slips] == [(state,)]


def test_states_of_an_early_sheet_that_were_not_read_may_be_blank() -> None:
    rolls = tuple(Roll(Phase.DICE, (), dice, ("red", "blue")) for dice in ((3, 3), (3, 3), (4, 4), (4, 4)))
    record = GameRecord(MAP.id, "rolling", ("Anna",), rolls, False)
    others = [region.id for region in MAP.regions if region.areas[0] not in ("red", "blue")][:6]
    verdict = verify_sheet(MAP, record, parse_sheet(f"GA=3 MI=3 {'=? '.join(others)}=?", MAP.ids))
    assert verdict.legal


def test_boxes_that_are_not_crossed_off_are_noted_but_cost_nothing() -> None:
    rolls = (Roll(Phase.DICE, (), (3, 3), ("red", "blue")),)
    record = GameRecord(MAP.id, "rolling", ("Anna",), rolls, False)
    sheet = parse_sheet("TX=3 MI=3 @change=0 @dupe=0", MAP.ids)
    verdict = verify_sheet(MAP, record, sheet)
    assert verdict.legal
    assert verdict.notes == ("More colour changes or dupes were used than are crossed off.",)
    assert verify_sheet(MAP, record, parse_sheet("TX=3 MI=3 @change=1", MAP.ids)).notes == ()


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("GA=3 MI=3", []),
        ("GA=3 SC=3 MI=3", []),  # a dupe
        ("GA=3 MI=4", ["number"]),
        ("GA=3", ["forgotten"]),
        ("GA=3 MI=x", ["x-needless"]),
        ("GA=3 MI=3 AK=6", ["extra"]),
        ("GA=3 MI=3 AK=xo", ["extra"]),
    ],
)
def test_each_kind_of_slip_has_its_name(text: str, kinds: list[str]) -> None:
    rolls = (Roll(Phase.DICE, (), (3, 3), ("red", "blue")),)
    record = GameRecord(MAP.id, "rolling", ("Anna",), rolls, False)
    verdict = verify_sheet(MAP, record, parse_sheet(text, MAP.ids))
    assert [slip.kind for slip in verdict.slips] == kinds
    assert all(slip.kind in KINDS and slip.text.endswith(".") for slip in verdict.slips)


def test_the_log_of_another_map_is_refused() -> None:
    sheet = parse_sheet("WA=3", MAP.ids)
    with pytest.raises(BadLog, match="'usa'"):
        verify_sheet(MAP, GameRecord("usa", "rulebook", ("Anna",), (), False), sheet)
    for roll in (Roll(Phase.TURN, ("WA",), (1, 2)), Roll(Phase.DICE, (), (1, 2), ("red", "pink"))):
        with pytest.raises(BadLog, match="rolls that this map does not know"):
            verify_sheet(MAP, GameRecord(MAP.id, "rolling", ("Anna",), (roll,), False), sheet)


TINY = MapTemplate(
    "tiny",
    "Tiny",
    False,
    "rolling",
    5,
    tuple(
        Region(name, name, "", (colour,), tuple(near), (0.0, 0.0))
        for name, colour, near in (
            ("A", "red", "BC"),
            ("B", "red", "ACD"),
            ("C", "red", "AB"),
            ("D", "blue", "BE"),
            ("E", "blue", "D"),
            ("F", "blue", ""),
        )
    ),
    (),
    ("red", "blue"),
    islands=("F",),
)


def fewest(sheet: Sheet, rolls: tuple[Roll, ...]) -> int:  # noqa: C901 - every rule in one place
    """The fewest mistakes, by trying everything: states one by one, no groups, no bounds."""
    marks = {state: mark for state, mark in sheet.marks.items() if mark.kind is not Kind.EMPTY}
    colour = {region.id: region.areas[0] for region in TINY.regions}
    links = {region.id: region.neighbours for region in TINY.regions}
    circles = sum(mark.circled and mark.number is not None for mark in marks.values())

    def clash(state: str, number: int, there: frozenset[str], bare: frozenset[str]) -> bool:
        near = [marks[other] for other in links[state] if other in there and other not in bare]
        return any(m.number is not None and not m.circled and abs(m.number - number) > 1 for m in near)

    def written(
        state: str, there: frozenset[str], bare: frozenset[str]
    ) -> list[tuple[frozenset[str], frozenset[str], int]]:
        mark = marks[state]
        after = there | {state}
        if mark.circled:
            guards = sum(marks[s].circled and marks[s].number is not None for s in there)
            return [(after, bare, int(guards >= 3))]
        found = [(after, bare, int(clash(state, mark.number or 0, there, bare)))]
        if circles + len(bare) < 3:
            found.append((after, bare | {state}, 1))
        return found

    @cache
    def least(  # noqa: C901
        roll: int, left: tuple[tuple[str, int], ...], there: frozenset[str], bare: frozenset[str], c: int, d: int
    ) -> int:
        if not left:
            if roll == len(rolls):
                return len(marks) - len(there)
            dice = tuple(zip(rolls[roll].colours, rolls[roll].dice, strict=True))
            return min(least(roll + 1, order, there, bare, c, d) for order in (dice, dice[::-1]))
        (die, number), rest = left[0], left[1:]
        best = 1 + least(roll, rest, there, bare, c, d)
        for state in marks.keys() - there:
            # By no die at all, or by this one, wrongly.
            best = min(
                best,
                1 + least(roll, left, there | {state}, bare, c, d),
                1 + least(roll, rest, there | {state}, bare, c, d),
            )
        for changed in (False, True) if die != "wild" and c < 3 else (False,):
            states = [s for s in TINY.ids if changed or die in ("wild", colour[s])]
            blank = [s for s in states if s not in there]
            if not blank and not changed:
                best = min(best, least(roll, rest, there, bare, c, d))
            closed = all(clash(s, number, there, bare) for s in blank)
            for state in blank:
                mark = marks.get(state)
                if mark and mark.kind is Kind.BLOCKED and closed:
                    best = min(best, mark.circled + least(roll, rest, there | {state}, bare, c + changed, d))
                if mark and mark.number == number:
                    for one, naked, cost in written(state, there, bare):
                        best = min(best, cost + least(roll, rest, one, naked, c + changed, d))
                        for other in blank if d < 3 else ():
                            if other not in one and other in marks and marks[other].number == number:
                                for two, nude, more in written(other, one, naked):
                                    best = min(best, cost + more + least(roll, rest, two, nude, c + changed, d + 1))
        return best

    return least(0, (), frozenset(), frozenset(), 0, 0)


def tiny_sheet(rng: random.Random) -> Sheet:
    def mark() -> Mark:
        what = rng.choices(("number", "x", "blank"), (6, 2, 2))[0]
        if what == "blank":
            return Mark(Kind.EMPTY)
        circled = rng.random() < 0.15
        return (
            Mark(Kind.BLOCKED, None, circled) if what == "x" else Mark(Kind.NUMBER, rng.choice((1, 2, 3, 5)), circled)
        )

    return Sheet(BoardState({state: mark() for state in TINY.ids}))


@pytest.mark.parametrize("part", range(4))
def test_the_fewest_mistakes_are_those_that_trying_everything_finds(part: int) -> None:
    rng = random.Random(part)
    seen = set()
    for _ in range(12):
        sheet = tiny_sheet(rng)
        if all(mark.kind is Kind.EMPTY for mark in sheet.marks.values()):
            continue
        rolls = tuple(
            Roll(
                Phase.DICE,
                (),
                (rng.choice((1, 2, 3, 5)), rng.choice((1, 2, 3, 5))),
                tuple(rng.sample(("red", "blue", "wild"), 2)),
            )
            for _ in range(rng.choice((2, 3)))
        )
        # Told to be of the end of the game, so that all rolls count.
        record = GameRecord("tiny", "rolling", ("Anna",), rolls, False)
        verdict = verify_sheet(TINY, record, Sheet(sheet.board, Boxes(rounds=len(rolls) // 3 + 7)), 10**6)
        truth = fewest(sheet, rolls)
        assert verdict.decided
        assert len(verdict.slips) == verdict.at_least == min(truth, 7), (str(sheet), rolls, verdict)
        if verdict.legal:
            replayed(TINY, sheet, verdict)
        seen.add(truth)
        # Of nothing said, so that it may be from before the end where states are blank.
        early = verify_sheet(TINY, record, sheet, 10**6)
        if any(mark.kind is Kind.EMPTY for mark in sheet.marks.values()):
            truth = min(fewest(sheet, rolls[:count]) for count in range(len(rolls) + 1))
        assert early.decided
        assert len(early.slips) == early.at_least == min(truth, 7), (str(sheet), rolls, early)
    assert {0, 1, 2} & seen
