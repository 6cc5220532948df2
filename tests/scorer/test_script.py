"""Rolls as what had to be written: every played game follows its script, and the script says no more than the rules."""

from __future__ import annotations

import numpy as np
import pytest

from ontour_cv.board import Kind
from ontour_cv.dealer.record import GameRecord, Phase, Roll
from ontour_cv.maps.load import load_map
from ontour_cv.rules import BGA, RULEBOOK, VARIANTS
from ontour_cv.scorer.script import FULL_AREA, UNFINISHED, script_of
from ontour_cv.synth.play import play_game
from ontour_cv.vision.script import Slips

USA = load_map("usa")


def record(*rolls: Roll, over: bool = False) -> GameRecord:
    return GameRecord("usa", "rulebook", ("Anna",), rolls, over)


@pytest.mark.parametrize("seed", range(25))
def test_a_played_game_follows_its_script(seed: int) -> None:
    """Whatever the simulator wrote, the script has it: number or star, place, and circle."""
    game = play_game(USA, np.random.default_rng(seed))
    rolls = tuple(Roll(Phase(t.phase), tuple(c.region for c in t.cards), t.dice) for t in game.turns)
    script = script_of(record(*rolls, over=True), USA, RULEBOOK)
    assert script.due == len(USA.ids)
    for turn, played in enumerate(game.turns):
        writings = {w.number: w for w in script.writings if w.turn == turn}
        for region, mark in played.written:
            if mark.kind is not Kind.BLOCKED:
                places = {(p.cell, p.circled) for p in writings[mark.number].places}
                assert (region, mark.circled) in places


def test_the_setup_gives_the_low_number_to_the_first_card() -> None:
    script = script_of(record(Roll(Phase.SETUP, ("NV", "WA"), (7, 3))), USA, RULEBOOK)
    assert [(w.number, [(p.cell, p.circled) for p in w.places]) for w in script.writings] == [
        (37, [("NV", True)]),
        (73, [("WA", True)]),
    ]
    assert (script.due, script.early) == (2, 1)


def test_circle_and_card_hang_together() -> None:
    """NV's card opens the South with a circle in NV; MT's card opens MT among the North, circled."""
    script = script_of(record(Roll(Phase.TURN, ("NV", "MT", "WA"), (1, 2))), USA, RULEBOOK)
    places = {(p.cell, p.circled): p.means for p in script.writings[0].places}
    assert places["NV", True] == 0b001
    assert places["NV", False] == 0b100, "in the West by WA's card, uncircled"
    assert places["MT", True] == 0b010
    assert places["TX", False] == 0b001
    assert ("TX", True) not in places
    assert ("NY", True) not in places


def test_a_card_is_given_up_where_its_own_state_is_not_circled() -> None:
    """NV uncircled, by WA's card, gives up NV's; nowhere else is a circle to be had."""
    script = script_of(record(Roll(Phase.TURN, ("NV", "MT", "WA"), (1, 2))), USA, RULEBOOK)
    declined = {(p.cell, p.circled): p.declined for p in script.writings[0].places if p.declined}
    assert declined["NV", False] == 0b001
    assert declined.get(("MT", False), 0b010) == 0b010
    assert not any(circled for _, circled in declined)
    assert {cell for cell, _ in declined} <= {"NV", "MT", "WA"}


def test_doubles_and_three_cards_of_one_area_are_stars() -> None:
    doubles = script_of(record(Roll(Phase.TURN, ("NV", "MT", "WA"), (4, 4))), USA, RULEBOOK).writings
    alike = script_of(record(Roll(Phase.TURN, ("NV", "AL", "TX"), (4, 5))), USA, RULEBOOK).writings
    assert [w.number for w in (*doubles, *alike)] == [None, None]
    assert {p.cell for p in alike[0].places} == {r.id for r in USA.regions if "South" in r.areas}
    assert {p.cell for p in alike[0].places if p.circled} == {"NV", "AL", "TX"}
    ringed = script_of(record(Roll(Phase.TURN, ("NV", "MT", "WA"), (4, 4))), USA, BGA).writings
    assert all(place.circled for place in ringed[0].places)


def test_with_the_star_of_doubles_anywhere_it_may_stand_in_every_state_and_only_theirs() -> None:
    free = VARIANTS["free-star"]
    doubles = script_of(record(Roll(Phase.TURN, ("NV", "MT", "WA"), (4, 4))), USA, free).writings
    alike = script_of(record(Roll(Phase.TURN, ("NV", "AL", "TX"), (4, 5))), USA, free).writings
    assert {p.cell for p in doubles[0].places} == set(USA.ids)
    assert {p.cell for p in doubles[0].places if p.circled} == {"NV", "MT", "WA"}
    assert {p.cell for p in alike[0].places} == {r.id for r in USA.regions if "South" in r.areas}


def test_an_x_is_impossible_while_there_must_be_room() -> None:
    """On the first turn no area is full."""
    script = script_of(record(Roll(Phase.TURN, ("NV", "MT", "WA"), (1, 2))), USA, RULEBOOK)
    assert {w.skipped for w in script.writings} == {script.slips.blocked}


def test_an_x_is_possible_once_the_other_number_can_have_filled_the_last_state_of_two_cards() -> None:
    """Eleven states are in the West, so with ten of them filled before, the turn's first number may fill the last."""
    earlier = [Roll(Phase.TURN, ("NV", "MT", "GA"), (1, 2))] * 5
    west = Roll(Phase.TURN, ("CA", "WA", "MN"), (3, 4))
    assert [USA.card(card).area for card in west.cards] == ["West", "West", "North"]
    for turns, weight in ((4, Slips().blocked), (5, FULL_AREA)):
        script = script_of(record(*earlier[:turns], west), USA, RULEBOOK)
        assert {writing.skipped for writing in script.writings[-2:]} == {weight}


def test_the_last_turn_with_one_state_writes_one_number() -> None:
    turns = [Roll(Phase.TURN, ("NV", "MT", "WA"), (1, 2))] * 20
    script = script_of(record(*turns, Roll(Phase.LAST, (), (5, 6)), over=True), USA, RULEBOOK)
    assert script.due == 41
    assert len(script.writings) == 42
    assert not any(place.circled for place in script.writings[-1].places)
    assert script.early == UNFINISHED
