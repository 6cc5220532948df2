"""Dice out of a bag: Rolling America's dealer."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ontour_cv.dealer.bag import ROLLS, WILD, BagPosition
from ontour_cv.dealer.chance import Seeded, Unforeseen
from ontour_cv.dealer.events import Deal, Redo, Undo
from ontour_cv.dealer.form import event_line, make_opening, opening_line, read_event, read_opening
from ontour_cv.dealer.game import Game, new_game
from ontour_cv.dealer.log import load_game
from ontour_cv.dealer.play import deal_next, undo
from ontour_cv.dealer.record import Phase, Roll
from ontour_cv.dealer.store import create_game
from ontour_cv.dealer.tell import next_title, tell
from ontour_cv.maps.load import load_map
from ontour_cv.resources import more_maps

MAP = load_map("rolling-america")
WHEN = "2026-11-21T20:00:00Z"


def opened(seed: str | None = "1") -> Game:
    return new_game(make_opening("rolling-america", None, ("Anna", "Ben"), seed, WHEN))


def played(seed: str | None = "1") -> Game:
    game = opened(seed)
    while not game.now.over:
        game = game.after(game.draw())
    return game


def throw(*dice: tuple[str, int]) -> Deal:
    return Deal(Roll(Phase.DICE, (), (dice[0][1], dice[1][1]), (dice[0][0], dice[1][0])))


@pytest.mark.parametrize("seed", ["1", "2", None])
def test_every_round_rolls_six_of_seven_dice_and_there_are_eight_rounds(seed: str | None) -> None:
    rolls = played(seed).record.rolls
    assert len(rolls) == ROLLS == 24
    for start in range(0, ROLLS, 3):
        colours = [colour for roll in rolls[start : start + 3] for colour in roll.colours]
        assert len(set(colours)) == 6
        assert set(colours) < {*MAP.areas, WILD}
    assert {die for roll in rolls for die in roll.dice} <= set(range(1, 7))


def test_dice_and_colours_are_fair() -> None:
    """4,000 rolls: each count within six standard deviations of its mean."""
    position, chance = BagPosition(MAP), Unforeseen()
    faces: Counter[int] = Counter()
    first: Counter[str] = Counter()
    for _ in range(4000):
        roll = position.draw(chance).roll
        faces.update(roll.dice)
        first[roll.colours[0]] += 1
    assert all(abs(faces[n] - 8000 / 6) < 6 * (8000 * 5 / 36) ** 0.5 for n in range(1, 7))
    assert all(abs(first[c] - 4000 / 7) < 6 * (4000 * 6 / 49) ** 0.5 for c in (*MAP.areas, WILD))


def test_a_seed_means_the_same_dice_for_ever() -> None:
    rolls = [BagPosition(MAP).draw(Seeded("1", index)).roll for index in range(3)]
    assert [(roll.colours, roll.dice) for roll in rolls] == FROZEN


FROZEN = [(("wild", "blue"), (1, 6)), (("red", "blue"), (6, 6)), (("purple", "red"), (1, 3))]


@pytest.mark.parametrize(
    ("deal", "why"),
    [
        (throw(("red", 0), ("blue", 3)), "1 to 6"),
        (throw(("red", 7), ("blue", 3)), "1 to 6"),
        (throw(("red", 1), ("red", 3)), "different colours"),
        (throw(("pink", 1), ("red", 3)), "pink die is not in the bag"),
        (Deal(Roll(Phase.TURN, ("WA", "OR", "CA"), (1, 2))), "'turn'"),
        (Deal(Roll(Phase.DICE, ("WA",), (1, 2), ("red", "blue"))), "no cards"),
    ],
)
def test_what_no_bag_can_give_is_refused(deal: Deal, why: str) -> None:
    assert why in (BagPosition(MAP).problem(deal) or "")


def test_a_die_comes_once_a_round_and_all_are_back_for_the_next() -> None:
    position = BagPosition(MAP).after(throw(("red", 1), ("blue", 3)))
    assert "red die is not in the bag" in (position.problem(throw(("red", 1), ("wild", 3))) or "")
    position = position.after(throw(("green", 1), ("wild", 3))).after(throw(("purple", 1), ("orange", 3)))
    assert len(position.bag) == 7


def test_lines_of_the_log_read_back_and_carry_version_two() -> None:
    game = opened()
    line = opening_line(game.opening)
    assert line.startswith('{"ontour-cv game": 2')
    assert read_opening(line) == game.opening
    deal = throw(("red", 1), ("wild", 3))
    assert read_event(event_line(deal, 1, WHEN), 1) == (deal, WHEN)


def test_on_tour_is_still_written_in_version_one() -> None:
    assert opening_line(make_opening("usa", None, ("Anna",), None, WHEN)).startswith('{"ontour-cv game": 1')


@pytest.mark.parametrize(("map_id", "rules"), [("usa", "rolling"), ("rolling-america", "rulebook")])
def test_rules_of_another_game_are_refused(map_id: str, rules: str) -> None:
    with pytest.raises(ValueError, match="no rules called"):
        make_opening(map_id, rules, ("Anna",), None, WHEN)


@pytest.mark.parametrize("colours", [4, 5, 6])
def test_a_map_needs_colours_for_the_dice_of_a_round(tmp_path: Path, colours: int) -> None:
    """Six dice are drawn a round, one of which may be the wild one."""
    names = [f"c{number}" for number in range(colours)]
    ids = [f"A{number}" for number in range(colours)]
    regions = (
        f"[[region]]\nid = {name!r}\nname = {name!r}\nareas = [{colour!r}]\nneighbours = []\nlayout = [0.1, 0.1]\n"
        for name, colour in zip(ids, names, strict=True)
    )
    head = f"id = 'few'\ntitle = 'Few'\npublished = false\nrules = 'rolling'\nareas = {names}\nislands = {ids}\n"
    printed = f"[printed]\nregions = {colours}\nlinks = 0\ncards = 0\n"
    (tmp_path / "few.toml").write_text(head + printed + "".join(regions), encoding="utf-8")
    with more_maps([tmp_path]):
        if colours < 5:
            with pytest.raises(ValueError, match="the map Few has 4 colours; the dice of a round need 5 or more"):
                make_opening("few", None, ("Anna",), "1", WHEN)
            return
        game = new_game(make_opening("few", None, ("Anna",), "1", WHEN))
        while not game.now.over:
            game = game.after(game.draw())
        assert len(game.record.rolls) == 24


def test_rolls_are_taken_back_and_shown_again() -> None:
    game = played()
    back = game.after(Undo(4))
    assert (back.now.left, next_title(back)) == (4, "Round 7 of 8 · roll 3 of 3")
    assert back.after(Redo(4)).record == game.record
    assert next_title(game) == "Game over"


def test_what_is_told_names_round_roll_and_dice() -> None:
    game = opened().after(throw(("orange", 1), ("wild", 3))).after(throw(("red", 6), ("blue", 3)))
    game = game.after(throw(("green", 2), ("purple", 2)))
    told = tell(game, 2)
    assert (told.title, told.roller, told.left) == ("Round 1 of 8 · roll 3 of 3", "Anna", 21)
    assert told.advice[-1] == "Then cross off round 1."
    assert tell(game, 0).advice[0] == "Orange: write 1 in an orange state that borders no number but 1, 2."


def test_a_game_on_disk_is_the_game(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    create_game(path, opened("7").opening)
    for _ in range(5):
        log = deal_next(path)
    undo(path, 2)
    log = deal_next(path)
    assert load_game(path) == log.game
    assert log.game.done == 4
