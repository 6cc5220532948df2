"""What a sheet of Rolling America alone can prove, and its score."""

from __future__ import annotations

import itertools
import random

import pytest

from ontour_cv.maps.load import load_map
from ontour_cv.rules.clashes import fewest_to_blame
from ontour_cv.rules.rolling import sheet_problems, sheet_score
from ontour_cv.sheet import parse_sheet

MAP = load_map("rolling-america")


def rules_broken(text: str) -> list[str]:
    return [problem.rule for problem in sheet_problems(MAP, parse_sheet(text, MAP.ids))]


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("WA=3 OR=4 ID=3", []),
        ("WA=3 OR=5", ["neighbours"]),
        ("WA=3o OR=5", []),  # a guarded number blocks nobody
        ("WA=3 OR=5o", []),
        ("AZ=1 CO=6 UT=x NM=x", ["x", "x"]),  # corners touch only
        ("AK=1 HI=6", []),  # immune
        ("AK=x HI=6", ["x"]),  # any number fits there
        ("WA=xo OR=1 AK=1 HI=1", ["circle", "x"]),
        ("WA=.o", ["circle"]),
        ("WA=1o OR=1o ID=1o CA=1o", ["guards"]),
        ("NY=1 @guard=1", ["boxes"]),
        ("NY=1o @guard=1", []),
        ("NY=1 @rounds=0 @x=49", []),
        ("NY=1 @x=48", ["boxes"]),
        ("WA=? OR=1", ["unread"]),
    ],
)
def test_problems_of_small_sheets(text: str, broken: list[str]) -> None:
    assert rules_broken(text) == broken


GREEN_BLOCKED = "CO=1 WY=1 NE=1 KS=1 NM=1 OK=1 TX=x AR=1 LA=1"


def test_an_x_needs_one_number_that_was_kept_out_of_every_blank_state_of_its_colour() -> None:
    assert rules_broken(GREEN_BLOCKED) == []
    assert rules_broken(GREEN_BLOCKED.replace("CO=1", "CO=.")) == []  # the ones about Colorado keep a 3 out
    assert rules_broken("WY=x NE=1 CO=1 KS=.") == ["x"]  # any number fits into Texas
    assert rules_broken("TX=x LA=5o CO=1 KS=1 NE=1 NM=5o OK=2o WY=1") == ["x"]  # guarded neighbours keep nothing out


def test_an_unread_neighbour_may_have_kept_a_number_out() -> None:
    guarded = "CO=3 WY=3 NE=3 KS=3 NM=3o OK=3o TX=x AR=3o"
    assert rules_broken(f"{guarded} LA=3") == []  # which keeps a 1 out
    assert rules_broken(f"{guarded} LA=.") == ["x"]
    assert rules_broken(f"{guarded} LA=?") == ["unread"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("WY=x NE=1 CO=1", "Wyoming cannot have been forced: any number fits into Texas, which is still blank."),
        ("WY=x CO=3 NE=3", "Wyoming cannot have been forced: any number fits into Texas, which is still blank."),
        ("HI=x", "Hawaii cannot have been forced: any number fits into AK, AZ, CA, ID, NV, OR, UT and WA, which are"),
        ("CO=3 WY=3 NE=3 KS=3 NM=3o OK=3o TX=x AR=3o", "any number would have fitted into Texas."),
        ("ME=x NH=. MA=5 VT=1 NY=2 CT=6 RI=6 NJ=3", "any number would have fitted into Maine."),
        (
            "CT=5 MA=3o ME=x NH=2 NJ=x NY=5 RI=5 VT=3o DE=5 PA=5",
            "1 or more of the Xs in Maine and New Jersey cannot have been forced: no one number is kept out of all",
        ),
    ],
)
def test_why_an_x_cannot_have_been_forced_is_told(text: str, told: str) -> None:
    (problem,) = [one for one in sheet_problems(MAP, parse_sheet(text, MAP.ids)) if one.rule == "x"]
    assert told in problem.text


def test_two_xs_of_a_colour_were_both_blank_when_the_first_was_written() -> None:
    """Maine is kept from 3 and up by New Hampshire's 1, Connecticut from 4 and down by 6s: no number fits neither."""
    text = "ME=x NH=1 VT=1 MA=x NY=2 CT=6o RI=6o NJ=3o"
    assert "x" in rules_broken("ME=x NH=. MA=5 VT=1 NY=2 CT=6 RI=6 NJ=3")
    assert "guards" not in rules_broken(text)


def test_blanks_at_the_end_need_a_full_colour() -> None:
    full = " ".join(f"{state}=3" for state in MAP.ids)
    assert rules_broken(f"{full} @rounds=8 @dupe=2") == []
    assert rules_broken(f"{full} @rounds=8 @dupe=1") == ["dice"]
    assert rules_broken(f"{full} @rounds=7") == []
    assert rules_broken(f"{full} @rounds=6") == ["dice"]
    one_of_each = ("AK", "MI", "TX", "FL", "GA", "ME")
    blanks = " ".join(f"{state}=3" for state in MAP.ids if state not in one_of_each)
    assert rules_broken(f"{blanks} @rounds=8") == ["blank"]
    assert rules_broken(blanks) == []  # nobody says that the game is over


@pytest.mark.parametrize(
    ("full", "powers", "least"),
    [
        ("green", "@change=0 @dupe=0", 40),  # eight wild dice, so that each of its own was passed over
        ("red", "@change=0 @dupe=0", 41),  # nine states: one die of its own was needed
        ("red", "@change=1 @dupe=0", 40),
        ("red", "@change=0 @dupe=1", 40),
        ("red blue", "@change=0 @dupe=0", 42),
        ("red blue", "@change=2 @dupe=1", 39),
        ("red blue", "", 36),  # nobody looked, so all powers may have helped
    ],
)
def test_dice_are_passed_over_only_where_their_colour_was_filled_by_others(full: str, powers: str, least: int) -> None:
    colour = {state: MAP.region(state).areas[0] for state in MAP.ids}
    others = [state for state in MAP.ids if colour[state] not in full.split()]
    blank = {next(state for state in others if colour[state] == one) for one in {colour[state] for state in others}}
    order = [*(state for state in MAP.ids if state not in others), *(state for state in others if state not in blank)]

    def filled(count: int) -> str:
        return " ".join(f"{state}=3" for state in order[:count])

    assert rules_broken(f"{filled(least)} @rounds=8 {powers}") == []
    assert rules_broken(f"{filled(least - 1)} @rounds=8 {powers}") == ["blank"]


def test_a_colour_filled_faster_than_its_die_comes() -> None:
    orange = " ".join(f"{s}=3" for s in MAP.ids if "orange" in MAP.region(s).areas)
    assert rules_broken(f"{orange} @rounds=2 @change=0 @dupe=0") == ["dice"]
    assert rules_broken(f"{orange} @rounds=2 @change=3 @dupe=0") == []


def test_the_score_counts_xs_blanks_and_sure_mistakes() -> None:
    text = " ".join(f"{state}=3" for state in MAP.ids).replace("CO=3", "CO=6").replace("AK=3", "AK=.")
    score = sheet_score(MAP, parse_sheet(f"{text} @change=2 @guard=0 @dupe=1", MAP.ids))
    assert (score.crossed, score.blanks, score.mistakes, score.total) == (0, 1, 1, 2)  # Colorado is to blame alone
    assert score.powers == 3


def test_the_fewest_to_blame_is_the_least_of_all_ways() -> None:
    rng = random.Random(5)
    for _ in range(300):
        names = "ABCDEFGH"
        pairs = [pair for pair in itertools.combinations(names, 2) if rng.random() < 0.3]
        least = min(
            n for n in range(9) for some in itertools.combinations(names, n) if all({*pair} & {*some} for pair in pairs)
        )
        blamed = fewest_to_blame(pairs)
        assert all({*pair} & blamed for pair in pairs)
        assert len(blamed) == least


def test_a_sheet_of_random_digits_is_blamed_in_no_time() -> None:
    rng = random.Random(6)
    for _ in range(50):
        text = " ".join(f"{state}={rng.randint(1, 6)}" for state in MAP.ids)
        assert sheet_score(MAP, parse_sheet(text, MAP.ids)).mistakes > 5
