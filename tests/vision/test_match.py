"""Reading with the log: cells and writings are matched as a whole, and a clear slip is not read away."""

from __future__ import annotations

import itertools
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontour_cv.board import Kind, Mark
from ontour_cv.vision.decode import DOUBT, OVERRULED, decode
from ontour_cv.vision.glyphs import GlyphScores, log_softmax
from ontour_cv.vision.match import BLOCKED, EMPTY, LABELS, STAR, Match, likelihood, match
from ontour_cv.vision.prior import Prior
from ontour_cv.vision.script import Blunders, Place, Script, Slips, Writing

SHARP = Blunders(1e-12, 1e-12, 1e-12, 1e-12)
"""Eyes that are never surer than they should be."""


def seen(*cells: tuple[dict[str, float], dict[int, float], float]) -> GlyphScores:
    """What the eyes think of cells ``A``, ``B`` ...: chances of kinds and numbers, and of a circle."""
    kinds, numbers, circles = [], [], []
    for kind, number, circled in cells:
        kinds.append([kind.get(name, 1e-9) for name in ("empty", "number", "star", "x")])
        rest = max(1.0 - sum(number.values()), 1e-9) / 100
        numbers.append([number.get(n, 0.0) + rest for n in range(100)])
        circles.append([1.0 - circled, circled])
    tables = (np.log(np.clip(table, 1e-12, None)) for table in (kinds, numbers, circles))
    return GlyphScores(tuple("ABCDEFGH"[: len(cells)]), *(log_softmax(table) for table in tables))


def number(
    value: int, chance: float = 1.0 - 1e-8, circled: float = 1e-8
) -> tuple[dict[str, float], dict[int, float], float]:
    return {"number": 1.0}, {value: chance}, circled


def anywhere(value: int | None, turn: int, cells: str, circled: bool = False, means: int = 3) -> Writing:
    return Writing(value, tuple(Place(cell, circled, means) for cell in cells), turn, -4.0)


def test_the_log_settles_what_the_eyes_leave_open() -> None:
    """17 or 11 or 12? Only 12 was rolled and is not yet on the board."""
    script = Script((anywhere(21, 0, "AB"), anywhere(12, 0, "AB")), due=2)
    found = match(seen(number(21), ({"number": 1.0}, {17: 0.5, 11: 0.3, 12: 0.2}, 1e-6)), script)
    assert found.posterior[1, 12, 0] > 0.99
    assert found.lawful > 0.99


def test_regions_tell_which_of_two_numbers_stands_where() -> None:
    """Both cells are unreadable; the cards put 21 into A."""
    blank = ({"number": 1.0}, {12: 0.5, 21: 0.5}, 1e-6)
    found = match(seen(blank, blank), Script((anywhere(21, 0, "A", means=1), anywhere(12, 0, "AB", means=2)), due=2))
    assert found.posterior[0, 21, 0] > 0.99
    assert found.posterior[1, 12, 0] > 0.99


def test_a_circle_follows_from_where_a_number_stands() -> None:
    """On the state of the only card that opens it a number is circled, however pale the ring."""
    places = (Place("A", True, 1), Place("B", False, 1))
    script = Script((Writing(21, places, 0, -9.0), anywhere(12, 0, "B", means=2)), due=2)
    found = match(seen(number(21, circled=0.2), number(12)), script)
    assert found.posterior[0, 21, 1] > 0.99


def test_the_two_numbers_of_a_turn_need_different_cards() -> None:
    """One card alone opens both cells: if 12 stands in B, then A is not 21 but the other number that fits there."""
    script = Script((anywhere(27, 0, "AB"), anywhere(21, 1, "A", means=1), anywhere(12, 1, "B", means=1)), due=2)
    cell = ({"number": 1.0}, {21: 0.5, 27: 0.5}, 1e-6)
    assert match(seen(cell, number(12)), script).posterior[0, 27, 0] > 0.99


@pytest.mark.parametrize(
    ("cell", "what"),
    [
        (number(31), (31, 0)),
        (number(21, circled=1 - 1e-9), (21, 1)),
        (number(12), (12, 0)),
        (({"x": 1.0}, {}, 0.0), (BLOCKED, 0)),
        (({"star": 1.0}, {}, 1e-9), (STAR, 0)),
        (({"empty": 1.0}, {}, 1e-9), (EMPTY, 0)),
    ],
)
def test_a_clear_slip_is_not_read_away(
    cell: tuple[dict[str, float], dict[int, float], float], what: tuple[int, int]
) -> None:
    """A number never rolled, a circle too many, swapped digits, an X, a star or nothing: clearly written, so read."""
    script = Script((anywhere(21, 0, "AB"), anywhere(12, 0, "AB")), due=2, blunders=SHARP)
    script = replace(script, writings=tuple(replace(w, skipped=Slips().blocked) for w in script.writings))
    found = match(seen(cell, number(12)), script)
    assert found.posterior[0][what] > 0.9
    assert found.lawful < 0.01
    assert found.slips == pytest.approx(1.0, abs=0.05)


def test_sure_eyes_are_trusted_only_so_far() -> None:
    """A reader that errs with full confidence now and then leaves a doubt where its reading would be a slip."""
    script = Script((anywhere(21, 0, "AB"), anywhere(12, 0, "AB")), due=2, blunders=Blunders(digit=1e-3))
    found = match(seen(number(31), number(12)), script)
    assert found.posterior[0, 21, 0] > 0.1


def test_a_hidden_cell_may_hold_whatever_is_missing() -> None:
    """Nobody is accused of a number that may stand outside the picture."""
    script = Script((anywhere(21, 0, "AB"), anywhere(12, 0, "AB")), due=2)
    found = match(seen(number(21), number(55)), script, hidden=("B",))
    assert found.lawful > 0.999
    assert not found.posterior[1].any()


def test_a_board_in_the_middle_of_a_game_is_no_slip() -> None:
    """The last writings may be missing; a single empty cell on a finished board is more likely glare."""
    empty = ({"empty": 1.0 - 1e-3, "number": 1e-3}, {12: 0.2}, 1e-6)
    writings = (anywhere(21, 0, "AB"), anywhere(12, 0, "AB"))
    assert match(seen(number(21), empty), Script(writings, 2, early=1)).posterior[1, EMPTY, 0] > 0.9
    assert match(seen(number(21), empty), Script(writings, 2, early=4)).posterior[1, 12, 0] > 0.3


def test_a_circle_is_given_up_only_where_the_other_number_needs_the_card() -> None:
    """A ring hardly to be seen where the card's own state would have one: overlooked, unless 12 took the card."""
    script = Script(
        (Writing(21, (Place("A", True, 1), Place("A", False, 2, 0.0, 1)), 0, -9.0), anywhere(12, 0, "BC", means=3)), 2
    )
    pale = number(21, circled=1e-2)
    assert match(seen(pale, number(12)), script).posterior[0, 21, 1] > 0.4
    needed = replace(script, writings=(script.writings[0], anywhere(12, 0, "BC", means=1)))
    assert match(seen(pale, number(12)), needed).posterior[0, 21, 0] > 0.95


def test_where_one_cell_was_left_only_the_last_turn_has_a_number_to_spare() -> None:
    """31 was rolled in the last turn, with one cell left for 13 and 31: no reason to doubt that 12 stands somewhere."""
    writings = (anywhere(21, 0, "AB"), anywhere(12, 0, "AB"), anywhere(13, 1, "ABC"), anywhere(31, 1, "ABC"))
    vague = ({"number": 1.0}, {31: 0.9, 12: 0.1}, 1e-6)
    found = match(seen(number(21), vague, number(13)), Script(writings, due=3))
    assert found.posterior[1, 12, 0] > 0.99
    open_end = match(seen(number(21), number(12), ({"number": 1.0}, {31: 0.6, 13: 0.4}, 1e-6)), Script(writings, 3))
    assert open_end.posterior[2, 31, 0] == pytest.approx(0.6, abs=0.02)
    assert open_end.lawful > 0.99


def test_an_x_that_need_not_have_been_speaks_against_a_reading() -> None:
    """Either 12 or 13 was crossed out; somebody who knows the order of play says that 13 had to be."""
    writings = tuple(replace(anywhere(n, turn, "ABC"), skipped=-4.0) for turn, n in enumerate((21, 12, 13)))
    vague = ({"number": 1.0}, {12: 0.4, 13: 0.6}, 1e-6)
    scores = seen(number(21), vague, ({"x": 1.0}, {}, 1e-9))
    script = Script(writings, due=3)
    assert match(scores, script).posterior[1, 13, 0] == pytest.approx(0.6, abs=0.02)
    told = match(scores, replace(script, judge=lambda board: (int(board["B"] == (13, 0)),) * 2))
    assert told.posterior[1, 12, 0] > 0.99
    assert np.allclose(told.posterior.sum(axis=(1, 2)), 1.0)
    silent = match(scores, replace(script, judge=lambda _: None))
    assert np.allclose(silent.posterior, match(scores, script).posterior)


def test_decode_uses_the_script_when_there_is_one() -> None:
    """Mark, confidence, runner-up and the chance of a lawful board all come from the match."""
    script = Script((anywhere(21, 0, "AB"), anywhere(12, 0, "AB")), due=2)
    scores = seen(number(21), ({"number": 1.0}, {17: 0.6, 12: 0.4}, 1e-6))
    read = decode(scores, Prior(script=script))
    assert read.cells["B"].mark == Mark(Kind.NUMBER, 12)
    assert read.lawful is not None
    assert read.lawful > 0.99
    assert decode(scores, Prior()).lawful is None


@pytest.mark.parametrize(("told", "doubtful"), [(12, False), (17, True)])
def test_a_cell_that_the_script_overrules_is_doubted_sooner(told: int, doubtful: bool) -> None:
    """The eyes see a 12 for certain. Equally probable readings: 12 is clear where they agree, 17 a doubt where not."""
    found = np.zeros((2, LABELS, 2))
    found[0, 21, 0] = 1.0
    found[1, told, 0], found[1, 45, 0] = OVERRULED - 0.003, 0.003 + 1.0 - OVERRULED
    script = Script((anywhere(21, 0, "AB"), anywhere(12, 0, "AB")), due=2)
    with patch("ontour_cv.vision.decode.match", return_value=Match(found, 1.0, 0.0)):
        read = decode(seen(number(21), number(12)), Prior(script=script)).cells["B"]
    assert read.mark == Mark(Kind.NUMBER, told)
    assert DOUBT < read.confidence < OVERRULED
    assert read.doubtful == doubtful
    assert read.overruled == (Mark(Kind.NUMBER, 12) if doubtful else None)


def test_a_cell_outside_the_picture_holds_what_is_nowhere_else() -> None:
    """Where the script leaves it no choice; of many such cells nothing is said, and without a script never."""
    script = Script((anywhere(21, 0, "AB"), anywhere(12, 0, "AB")), due=2)
    scores = seen(number(37), number(12))
    outside = decode(scores, Prior(script=script), unseen=("A",))
    assert outside.cells["A"].mark == Mark(Kind.NUMBER, 21)
    assert outside.cells["A"].confidence > 0.9
    assert outside.lawful is not None
    assert outside.lawful > 0.9
    cells = "ABCDE"
    many = Script(tuple(anywhere(n, turn, cells) for turn, n in enumerate((21, 12, 31, 13, 45))), due=5)
    three = decode(seen(*[number(n) for n in (21, 12, 31, 13, 45)]), Prior(script=many), unseen=("A", "B", "C"))
    assert all(three.cells[cell].mark.kind is Kind.UNREAD for cell in "ABC")
    assert decode(scores, Prior(), unseen=("A",)).cells["A"].mark.kind is Kind.UNREAD


Cause = tuple[int | None, float, bool, int, int]
"""Who wrote something: the writing, the weight, whether it is a slip, the means, and the means given up."""

Way = tuple[int, int, int | None, float, bool, int, int]
"""What one cell holds: label and circle, then the cause with the likelihood in its weight."""


def brute_force(scores: GlyphScores, script: Script) -> tuple[np.ndarray, float]:
    """The same sums, by listing every way to fill the cells."""
    table = np.exp(likelihood(scores, script.blunders))
    cells = scores.ids
    ways: list[list[Way]] = []
    for row in range(len(cells)):
        some: list[Way] = []
        for label, circled in itertools.product(range(LABELS), range(2)):
            chance = float(table[row, label, circled])
            if chance > 1e-10:
                some += [
                    (label, circled, i, chance * w, s, m, given)
                    for i, w, s, m, given in causes(script, cells[row], label, circled)
                ]
        ways.append([way for way in some if way[3] > 1e-10])
    total, clean = np.zeros(table.shape), 0.0
    for joint in itertools.product(*ways):
        used = [way[2] for way in joint if way[2] is not None]
        if len(set(used)) < len(used):
            continue
        weight, slip = ending(script, len(cells), joint, set(used))
        weight *= float(np.prod([way[3] for way in joint]))
        alike = same_means(script, cells, joint)
        weight *= float(np.exp(script.slips.means)) ** alike
        weight *= float(np.exp(script.declined)) ** given_up(script, joint)
        for row, way in enumerate(joint):
            total[row, way[0], way[1]] += weight
        clean += weight * (1 - slip) * (not alike and not any(way[4] for way in joint))
    mass = total[0].sum()
    return total / mass, clean / mass


def causes(script: Script, cell: str, label: int, circled: int) -> list[Cause]:
    """Who can have written that there: writing, weight, whether it is a slip."""
    if label in (EMPTY, BLOCKED):
        return [(None, 1.0, False, 0, 0)]
    slips = script.slips
    found: list[Cause] = []
    for i, writing in enumerate(script.writings):
        for turned in (False, True):
            value = STAR if writing.number is None else writing.number
            if turned and (value >= 100 or value % 11 == 0):
                continue
            if label != (10 * (value % 10) + value // 10 if turned else value):
                continue
            price = slips.swapped if turned else 0.0
            here = [place for place in writing.places if place.cell == cell]
            for place in here:
                if place.circled == bool(circled):
                    found.append((i, float(np.exp(price + place.weight)), turned, place.means, place.declined))
                else:
                    found.append((i, float(np.exp(price + (slips.ring if circled else slips.circle))), True, 0, 0))
            if not here:
                found.append((i, float(np.exp(price + slips.place + slips.ring * circled)), True, 0, 0))
    stranger = slips.star if label == STAR else slips.double if label % 11 == 0 else slips.stranger
    return [*found, (None, float(np.exp(stranger)), True, 0, 0)]


def same_means(script: Script, cells: tuple[str, ...], joint: tuple[Way, ...]) -> int:
    """How many turns have both writings put down, in their places, by one and the same means alone."""
    used: dict[int, list[int]] = {}
    for _, _, i, _, _, means, _ in joint:
        if i is not None and means:
            used.setdefault(script.writings[i].turn, []).append(means)
    return sum(len(m) == 2 and m[0] == m[1] and bin(m[0]).count("1") == 1 for m in used.values())


def given_up(script: Script, joint: tuple[Way, ...]) -> int:
    """How many writings gave up means for a circle that the other one of their turn could have done without."""
    count = 0
    for _, _, i, _, _, _, declined in joint:
        if i is not None and declined:
            others = [way for way in joint if way[2] not in (None, i) and turn_of(script, way) == turn_of(script, i)]
            count += not any(way[5] and way[5] & ~declined == 0 and not way[6] for way in others)
    return count


def turn_of(script: Script, who: Way | int) -> int:
    i = who if isinstance(who, int) else who[2]
    assert i is not None
    return script.writings[i].turn


def ending(script: Script, size: int, joint: tuple[Way, ...], used: set[int]) -> tuple[float, float]:
    """Weight of what is missing and of the X marks, and the share of it that is a slip."""
    missing = [i for i in range(len(script.writings)) if i not in used]
    crosses = sum(way[0] == BLOCKED for way in joint)
    excess = sum(way[0] == EMPTY for way in joint) - (size - script.due)
    weight, slip = 1.0, 0.0
    spare = len(script.writings) - script.due if script.due == size else 0
    final = max(w.turn for w in script.writings)
    if sum(script.writings[i].turn == final for i in missing) < spare:
        weight, slip = float(np.exp(script.slips.forgotten)), 1.0
    if excess > 0:
        last = range(len(script.writings) - excess, len(script.writings))
        early = excess >= script.early and set(last) <= set(missing)
        weight *= 0.05 if early else float(np.exp(script.slips.forgotten * excess))
        slip = max(slip, 0.0 if early else 1.0)
    if crosses:
        ways = [list(some) for some in itertools.combinations(missing, crosses)]
        each = [float(np.prod([np.exp(script.writings[i].skipped) for i in some])) for some in ways]
        easy = [all(script.writings[i].skipped > script.slips.blocked for i in some) for some in ways]
        if not ways:
            return weight * float(np.exp(script.slips.blocked * crosses)), 1.0
        weight *= sum(each)
        slip = 1 - (1 - slip) * sum(w for w, fine in zip(each, easy, strict=True) if fine) / sum(each)
    return weight, slip


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_posterior_equals_brute_force(seed: int) -> None:
    """Three cells, any script, any picture: the same probabilities as by listing every way to fill them."""
    rng = np.random.default_rng(seed)
    scores, script = random_case(rng, 3)
    with patch("ontour_cv.vision.lattice.DROP", 1e-20):
        found = match(scores, script)
    oracle, lawful = brute_force(scores, script)
    assert np.allclose(found.posterior, oracle, atol=2e-3)
    assert found.lawful == pytest.approx(lawful, abs=2e-3)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_the_order_of_cells_and_turns_does_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores, script = random_case(rng, 4)
    order = rng.permutation(4)
    shuffled = GlyphScores(
        tuple(scores.ids[i] for i in order), scores.kind[order], scores.number[order], scores.circled[order]
    )
    turned = replace(script, early=9)
    mixed = replace(turned, writings=tuple(script.writings[i] for i in rng.permutation(len(script.writings))))
    with patch("ontour_cv.vision.lattice.DROP", 1e-20):
        one, other = match(scores, turned), match(shuffled, mixed)
    assert np.allclose(other.posterior, one.posterior[order], atol=1e-3)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_no_log_overrules_a_cell_beyond_the_odds_of_a_slip(seed: int) -> None:
    """Whatever the script says: a cell the eyes are sure of keeps its content when any single slip explains it."""
    rng = np.random.default_rng(seed)
    _, script = random_case(rng, 4)
    label = int(rng.choice([n for n in range(1, 98) if n % 11]))
    cells = [number(label, 1 - 1e-11, 1e-11), *(number(int(n)) for n in rng.integers(0, 100, 3))]
    assert match(seen(*cells), script).posterior[0, label, 0] > 0.99


MEANS = [(1, 0.0, 0), (2, 1.0, 0), (3, -4.0, 0), (1, 0.0, 2), (2, 0.0, 1), (2, 1.0, 0)]
"""Means, weight, means given up."""


def random_case(rng: np.random.Generator, size: int) -> tuple[GlyphScores, Script]:
    """A script of a few writings over ``size`` cells, and a picture that is clear in some and vague in others."""
    cells = "ABCD"[:size]
    writings = []
    for turn in range((size + 1) // 2):
        pair = [(12, 21), (13, 31), (12, 21), (None,)][int(rng.integers(4))]
        for value in pair:
            places = [
                Place(cell, bool(rng.random() < 0.3), *MEANS[int(rng.integers(len(MEANS)))])
                for cell in cells
                if rng.random() < 0.7
            ]
            writings.append(Writing(value, tuple(places), turn, float(rng.choice([-4.0, -8.0]))))
    looks = []
    for _ in cells:
        some = rng.choice([12, 21, 13, 31, 44, 17], 3, replace=False)
        share = rng.dirichlet([0.5, 0.5, 0.5])
        kind = rng.dirichlet([0.05, 1.0, 0.15, 0.1])
        kinds = dict(zip(("empty", "number", "star", "x"), kind.tolist(), strict=True))
        looks.append((kinds, dict(zip(some.tolist(), share.tolist(), strict=True)), float(rng.beta(0.2, 0.5))))
    script = Script(tuple(writings), min(len(writings), size), early=int(rng.choice([1, 4])), blunders=SHARP)
    return seen(*looks), script
