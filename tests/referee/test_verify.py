"""The referee with the log: honest play is never accused, and the verdict is that of a referee that plays forwards."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import SLIPS, crowded, honest, planted
from refereeing import Forward, careless, small_game, small_map

from ontour_cv.board import BoardState, Kind, Mark, parse_board
from ontour_cv.dealer.record import GameRecord, Phase, Roll
from ontour_cv.errors import BadLog
from ontour_cv.maps.load import load_map
from ontour_cv.maps.model import Card, MapTemplate, Region
from ontour_cv.referee import MOST_SLIPS, search, struck, verify
from ontour_cv.rules import BGA, RULEBOOK

USA = load_map("usa")
SEEDS = st.integers(0, 10**9)


def difference(seed: int) -> tuple[int, int]:
    """Fewest slips by the package and by playing forwards, on a small map; more than 3 count as 4."""
    rng = random.Random(seed)
    template = small_map(rng, rng.choice([1, 2, 3, 4, 4, 5, 5, 6]))
    setups = rng.choice([0, 0, 1]) if 3 < len(template.regions) < 6 else 0
    record = small_game(rng, template, setups)
    board = careless(rng, template, record)
    always, strict = rng.random() < 0.25, rng.random() < 0.3
    free = rng.random() < 0.3
    variant = replace(RULEBOOK, star_always_circled=always, x_last_resort=strict, star_anywhere=free)
    verdict = verify(template, variant, record, board)
    idle = sum(mark.circled for mark in board.marks.values() if mark.kind is Kind.EMPTY)
    found = len(verdict.slips) if verdict.complete else MOST_SLIPS + 1 + idle
    assert verdict.legal == (found == 0)
    return min(found, 4), min(Forward(template, record, board, always, strict, 3, free).slips(), 4)


@settings(max_examples=300, deadline=None)
@given(seed=SEEDS)
def test_the_fewest_slips_are_those_of_playing_forwards(seed: int) -> None:
    found, truth = difference(seed)
    assert found == truth


def test_the_second_bound_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked for at every node, it still only proves what is so."""
    monkeypatch.setattr(search, "PATIENCE", 0)
    for seed in range(300):
        found, truth = difference(seed)
        assert found == truth, seed


@pytest.mark.parametrize(
    ("dice", "anywhere", "legal"), [((3, 3), False, True), ((3, 3), True, False), ((1, 4), True, True)]
)
def test_with_the_star_of_doubles_anywhere_only_that_of_three_cards_can_become_an_x(
    dice: tuple[int, int], anywhere: bool, legal: bool
) -> None:
    """All three cards open the North, which is full; the South has room for a star that may go anywhere."""
    regions = tuple(Region(r, r, r, ("North" if r in "ABC" else "South",), (), (0.1, 0.1)) for r in "ABCDEF")
    cards = tuple(Card(region.id, region.areas[0]) for region in regions)
    tiny = MapTemplate("tiny", "Tiny", False, "rulebook", 0, regions, cards)
    turns = ((("A", "B", "D"), (1, 2)), (("C", "D", "E"), (1, 3)), (("A", "B", "C"), dice))
    rolls = tuple(Roll(Phase.TURN, cards, dice) for cards, dice in turns)
    record = GameRecord("tiny", "rulebook", ("Anna",), rolls, False)
    board = parse_board("A=12o B=21o C=13o D=31o E=x F=.", tiny.ids)
    verdict = verify(tiny, replace(RULEBOOK, star_anywhere=anywhere), record, board)
    assert verdict.legal == legal
    assert [slip.kind for slip in verdict.slips] == ([] if legal else ["x-needless"])


def test_a_region_that_lies_in_no_area_is_told_as_that() -> None:
    """As a map of one's own may have it; no card ever opens it."""
    regions = tuple(replace(region, areas=()) if region.id == "AL" else region for region in USA.regions)
    bare = replace(USA, regions=regions, cards=tuple(card for card in USA.cards if card.region != "AL"))
    record = GameRecord("usa", "rulebook", ("Anna",), (Roll(Phase.TURN, ("WA", "OR", "MN"), (1, 2)),), False)
    (slip,) = verify(bare, RULEBOOK, record, parse_board("AL=12 MT=21", USA.ids)).slips
    assert slip.text.startswith("Turn 1, 12: AL is in no area, but the cards showed West (WA)")


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, always=st.booleans())
def test_honest_play_is_legal(seed: int, always: bool) -> None:
    """By both ways to circle stars; the simulator writes an X only as a last resort, so the strict reading agrees."""
    record, board = honest(USA, random.Random(seed), always)
    variant = BGA if always else RULEBOOK
    for reading in (variant, replace(variant, x_last_resort=True)):
        verdict = verify(USA, reading, record, board)
        assert verdict.legal
        assert (verdict.slips, verdict.faulty, verdict.at_least) == ((), frozenset(), 0)


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_the_explanation_writes_every_region_once_with_a_card_of_its_own(seed: int) -> None:
    record, board = honest(USA, random.Random(seed))
    deeds = verify(USA, RULEBOOK, record, board).explanation
    assert sorted(str(deed.region) for deed in deeds) == sorted(USA.ids)
    for index, roll in enumerate(record.rolls):
        mine = [deed for deed in deeds if deed.roll == index]
        cards = [deed.card for deed in mine if deed.card]
        assert len(set(cards)) == len(cards)
        assert set(cards) <= set(roll.cards)
        for deed in mine:
            assert deed.mark is not None
            assert deed.number is None or deed.mark.kind is Kind.BLOCKED or deed.number == deed.mark.number


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_a_board_photographed_early_is_checked_as_far_as_it_goes(seed: int) -> None:
    rng = random.Random(seed)
    record, board = honest(USA, rng)
    count = rng.randrange(2, len(record.rolls))
    deeds = [deed for deed in verify(USA, RULEBOOK, record, board).explanation if deed.roll >= count]
    early = board.replace({str(deed.region): Mark(Kind.EMPTY) for deed in deeds})
    verdict = verify(USA, RULEBOOK, record, early)
    assert verdict.legal
    assert verdict.rolls == count


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_unread_regions_accuse_nobody(seed: int) -> None:
    rng = random.Random(seed)
    record, board = honest(USA, rng)
    hidden = board.replace({region: Mark(Kind.UNREAD) for region in rng.sample(USA.ids, 5)})
    assert verify(USA, RULEBOOK, record, hidden).legal


@pytest.mark.parametrize("kind", SLIPS)
def test_a_planted_slip_is_named_or_leaves_a_lawful_board(kind: str) -> None:
    """One slip was made, so one is enough; the region it stands in is among those that can be the faulty one."""
    illegal = 0
    for seed in range(20):
        made = planted(USA, random.Random(f"{kind} {seed}"), kind)
        verdict = verify(USA, RULEBOOK, made.record, made.board)
        if verdict.legal:
            continue
        illegal += 1
        sets = (verdict.slips, *verdict.others)
        assert {len(slips) for slips in sets} == {1}
        assert made.region in {region for slips in sets for slip in slips for region in slip.regions}
    assert illegal > 5


def test_another_game_is_told_so_at_once() -> None:
    record, _ = honest(USA, random.Random(1))
    _, board = honest(USA, random.Random(2))
    verdict = verify(USA, RULEBOOK, record, board)
    assert (verdict.legal, verdict.complete, verdict.slips) == (False, False, ())
    assert verdict.at_least == MOST_SLIPS + 1


def test_an_empty_board_is_a_game_not_begun() -> None:
    record, _ = honest(USA, random.Random(1))
    verdict = verify(USA, RULEBOOK, record, BoardState({}))
    assert (verdict.legal, verdict.rolls, verdict.explanation) == (True, 0, ())


def test_a_log_of_another_map_is_refused() -> None:
    record, board = honest(USA, random.Random(1))
    with pytest.raises(BadLog, match="'europe'"):
        verify(USA, RULEBOOK, replace(record, map_id="europe"), board)
    strange = replace(record, rolls=(Roll(Phase.SETUP, ("ZZ", "NV"), (1, 2)),))
    with pytest.raises(BadLog, match="ZZ"):
        verify(USA, RULEBOOK, strange, board)


def test_equal_rolls_do_not_drown_the_search() -> None:
    """21 southern regions, 18 turns with one southern card and 1 free last roll: two turns used a card twice."""
    record, board = crowded(1)
    verdict = verify(USA, RULEBOOK, record, board)
    assert verdict.complete
    assert [slip.kind for slip in verdict.slips] == ["same-card"] * 2
    assert verdict.at_least == 2


def test_the_struck_board_lacks_the_faulty_regions_only() -> None:
    made = planted(USA, random.Random(3), "a number never rolled")
    verdict = verify(USA, RULEBOOK, made.record, made.board)
    left = struck(made.board, verdict)
    assert verdict.faulty == {made.region}
    assert {r for r in USA.ids if left.marks[r] != made.board.marks[r]} == {made.region}
    assert left.marks[made.region].kind is Kind.EMPTY


def test_a_circle_round_nothing_is_a_slip() -> None:
    record = GameRecord("usa", "rulebook", ("A",), (Roll(Phase.SETUP, ("ID", "NV"), (3, 1)),), False)
    verdict = verify(USA, RULEBOOK, record, parse_board("ID=13o NV=31o TX=.o", USA.ids))
    assert [slip.text for slip in verdict.slips] == ["TX: there is a circle round nothing."]
    assert verdict.at_least == 1
