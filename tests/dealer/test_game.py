"""A game is the fold of its events, and it is dealt as the rulebook has it."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from dealt import CREATED, opening, wander
from hypothesis import given, settings
from hypothesis import strategies as st

from ontour_cv.dealer.chance import Seeded
from ontour_cv.dealer.deal import start
from ontour_cv.dealer.deck import Deck
from ontour_cv.dealer.events import Deal, Redo, Undo
from ontour_cv.dealer.form import make_opening
from ontour_cv.dealer.game import Game, new_game
from ontour_cv.dealer.record import Phase, Roll
from ontour_cv.dealer.tell import latest, roller, tell
from ontour_cv.maps.model import Card
from ontour_cv.resources import more_maps
from ontour_cv.rules import RULEBOOK

seeds = st.integers(0, 10**6)
games = settings(max_examples=25)


def played(seed: int, rules: str | None = None) -> Game:
    return wander(seed, rules, undos=0.0)[0]


@games
@given(seeds)
def test_replaying_the_events_gives_the_same_game(seed: int) -> None:
    game, events = wander(seed)
    again = new_game(game.opening)
    for event in events:
        again = again.after(event)
    assert again == game


@games
@given(seeds, st.integers(1, 30))
def test_undo_then_redo_is_the_identity(seed: int, steps: int) -> None:
    game = played(seed)
    steps = min(steps, game.done)
    back = game.after(Undo(steps))
    assert back.record.rolls == game.record.rolls[: game.done - steps]
    assert replace(back.after(Redo(steps)), events=game.events) == game
    single = back
    for _ in range(steps):
        single = single.after(Redo(1))
    assert single.record == game.record


@games
@given(seeds)
def test_the_setups_cards_never_return_and_none_repeats_before_the_deck_is_used_up(seed: int) -> None:
    game = played(seed)
    rolls = game.record.rolls
    gone = {card for roll in rolls[:2] for card in roll.cards}
    assert len(gone) == 4
    drawn = [card for roll in rolls[2:] for card in roll.cards]
    assert not gone & set(drawn)
    assert len(set(drawn[:37])) == len(drawn[:37])
    # The 37th card is the first of the 13th turn; the two beside it come from the discards, and all three differ.
    assert all(len(set(roll.cards)) == len(roll.cards) for roll in rolls)
    second = drawn[37:74]
    assert len(set(second)) == len(second) or len(second) > 34


@games
@given(seeds, st.sampled_from(["rulebook", "bga"]))
def test_spaces_are_counted_down_to_none(seed: int, rules: str) -> None:
    """Independent count: 41, two for a pair and one for a star; the last turn comes with two or one left."""
    game = played(seed, rules)
    left = 41
    for number, roll in enumerate(game.record.rolls):
        areas = {card.area for card in game.opening.template.cards if card.region in roll.cards}
        due = Phase.SETUP if number < 2 else Phase.TURN if left > 2 else Phase.LAST
        assert roll.phase is due
        assert len(roll.cards) == {Phase.SETUP: 2, Phase.TURN: 3, Phase.LAST: 0}[due]
        star = roll.double or (due is Phase.TURN and len(areas) == 1)
        left -= 1 if star or left == 1 else 2
        assert game.places[number + 1].left == left
    assert left == 0
    assert game.record.over


def test_doubles_of_the_setup_are_rolled_again_and_shown() -> None:
    rerolled = [deal.rerolled for seed in range(60) for deal in played(seed).deals[:2]]
    assert any(rerolled)
    assert all(a == b for pairs in rerolled for a, b in pairs)
    assert not any(deal.roll.double for seed in range(60) for deal in played(seed).deals[:2])


def test_doubles_with_two_spaces_left_bring_one_more_last_turn_and_with_one_end_the_game() -> None:
    game = until_last(2)
    game = game.after(Deal(Roll(Phase.LAST, (), (4, 4))))
    assert (game.now.left, game.now.over, game.now.phase) == (1, False, Phase.LAST)
    assert latest(game).advice[-1] == "Then one more last turn."
    over = game.after(Deal(Roll(Phase.LAST, (), (4, 4))))
    assert over.now.over
    assert game.after(Deal(Roll(Phase.LAST, (), (4, 5)))).now.over


@pytest.mark.parametrize(
    ("left", "dice", "advice"),
    [
        (2, (4, 5), ("Write 45 and 54 in the two empty states, as you like.", "No cards, no circles.")),
        (1, (4, 5), ("Write 45 or 54 in the last empty state.", "No cards, no circles.")),
        (2, (4, 4), ("Doubles: write a star in either empty state.", "No circle.", "Then one more last turn.")),
        (1, (4, 4), ("Doubles: write a star in the last empty state.", "No circle.")),
    ],
)
def test_what_the_last_turn_writes_is_told(left: int, dice: tuple[int, int], advice: tuple[str, ...]) -> None:
    game = until_last(2)
    if left == 1:
        game = game.after(Deal(Roll(Phase.LAST, (), (3, 3))))
    assert game.now.left == left
    told = latest(game.after(Deal(Roll(Phase.LAST, (), dice))))
    assert told is not None
    assert told.advice == advice


def test_a_deck_shuffled_early_holds_the_rest_of_the_pile_and_the_discards() -> None:
    """Three cards of the four, none of them twice; what was not drawn and was not discarded stays in."""
    deck = Deck(("A",), ("B", "C", "D"), early=True)
    assert deck.problem(("B", "C", "D")) is None
    assert deck.problem(("B", "B", "C")) == "the cards B B C are not all different"
    after = deck.without(("B", "C", "D"), keep=True)
    assert (after.pile, after.discards) == (("A",), ("B", "C", "D"))
    drawn = Deck(("A",), ("B", "C", "D")).problem(("B", "C", "D"))
    assert drawn is not None, "without that rule the rest of the pile comes first"


def until_last(left: int) -> Game:
    for seed in range(100):
        game = played(seed)
        for done, place in enumerate(game.places):
            if place.left == left:
                return game.after(Undo(game.done - done)) if done < game.done else game
    raise AssertionError("no such game")


def test_a_roll_after_an_undo_drops_what_was_taken_back() -> None:
    game = played(3)
    fresh = game.after(Undo(5))
    fresh = fresh.after(fresh.draw())
    assert fresh.undone == 0
    assert fresh.record.rolls[:-1] == game.record.rolls[: game.done - 5]
    assert fresh.record.rolls[-1] != game.record.rolls[game.done - 5]
    assert fresh.problem(Redo(1)) == "there are no rolls to show again"


def test_what_cannot_be_is_refused() -> None:
    game = new_game(opening())
    setup = Roll(Phase.SETUP, ("NV", "MN"), (3, 7))
    for deal in (
        Deal(replace(setup, phase=Phase.TURN)),
        Deal(replace(setup, cards=("NV",))),
        Deal(replace(setup, cards=("NV", "NV"))),
        Deal(replace(setup, cards=("NV", "XX"))),
        Deal(replace(setup, dice=(3, 3))),
        Deal(replace(setup, dice=(3, 10))),
        Deal(setup, rerolled=((1, 2),)),
        Undo(1),
        Redo(1),
        Undo(0),
    ):
        assert game.problem(deal)
        with pytest.raises(ValueError, match=re.escape(game.problem(deal) or "")):
            game.after(deal)
    game = game.after(Deal(setup, rerolled=((1, 1),)))
    assert game.problem(Deal(Roll(Phase.SETUP, ("NV", "OR"), (3, 7))))
    with pytest.raises(ValueError, match="over"):
        played(1).draw()


def test_the_rest_of_the_pile_is_drawn_before_the_discards_are_shuffled() -> None:
    class Highest:
        def below(self, n: int) -> int:
            return n - 1

    deck = Deck(("A",), ("B", "C", "D", "E"))
    cards = deck.draw(3, Highest())
    assert cards[0] == "A"
    assert deck.problem(cards) is None
    assert deck.problem(("B", "A", "C")) is not None
    after = deck.without(cards, keep=True)
    assert set(after.pile) == {"B", "C", "D", "E"} - set(cards)
    assert after.discards == cards


def test_players_take_turns_to_roll_from_the_first_roll_on() -> None:
    game = new_game(opening(players=("Anna", "Ben", "Cleo")))
    for _ in range(7):
        game = game.after(game.draw())
    assert [tell(game, i).roller for i in range(7)] == ["Anna", "Ben", "Cleo", "Anna", "Ben", "Cleo", "Anna"]
    assert roller(game, 7) == "Ben"


def test_a_star_turn_says_where_the_star_may_go_and_when_it_is_circled() -> None:
    cards = ("TX", "TN", "WI")
    for rules, circle, circled in (("rulebook", "Circle it on TX, TN or WI.", cards), ("bga", "Circle it.", ())):
        game = setup_done(rules).after(Deal(Roll(Phase.TURN, cards, (6, 6))))
        told = latest(game)
        assert told.star
        assert told.advice[0] == "Doubles: write a star in South or Central."
        assert told.advice[1] == circle
        assert told.circled == circled
        assert told.left_before - told.left == 1


def test_by_house_rules_the_star_of_doubles_goes_anywhere_but_not_that_of_three_cards() -> None:
    doubles = latest(setup_done("free-star").after(Deal(Roll(Phase.TURN, ("TX", "TN", "WI"), (6, 6)))))
    assert doubles.advice == ("Doubles: write a star in any empty state.", "Circle it on TX, TN or WI.")
    alike = latest(setup_done("free-star").after(Deal(Roll(Phase.TURN, ("TX", "TN", "KY"), (1, 6)))))
    assert alike.advice[0] == "Three cards of one region: write a star in South."


def test_three_cards_of_one_region_are_a_star_turn_whatever_the_dice() -> None:
    told = latest(setup_done().after(Deal(Roll(Phase.TURN, ("TX", "TN", "KY"), (1, 6)))))
    assert told.star
    assert told.advice[0] == "Three cards of one region: write a star in South."


def setup_done(rules: str | None = None) -> Game:
    game = new_game(opening(rules=rules))
    game = game.after(Deal(Roll(Phase.SETUP, ("AL", "AR"), (1, 2))))
    return game.after(Deal(Roll(Phase.SETUP, ("AZ", "CA"), (1, 3))))


@pytest.mark.parametrize("count", [1, 2, 8, 9, 40])
def test_any_number_can_play(count: int) -> None:
    names = tuple(f"P{i}" for i in range(count))
    game = new_game(make_opening("usa", None, names, "s", CREATED))
    assert game.after(game.draw()).record.players == names


def test_the_same_seed_and_choices_give_the_same_game() -> None:
    assert wander(77)[1] == wander(77)[1]
    shuffled = random.Random(1).sample(range(1000), 20)
    assert len({tuple(played(seed).record.rolls) for seed in shuffled}) == 20


@pytest.mark.parametrize(("spaces", "cards"), [(5, 7), (7, 7), (8, 9), (20, 11), (39, 39), (60, 40)])
def test_maps_of_any_size_are_dealt_to_their_end(spaces: int, cards: int) -> None:
    """Cut or doubled from the USA map: even and odd numbers of spaces, decks down to the smallest."""
    usa = opening().template
    regions = tuple(replace(region, id=f"R{i}") for i, region in enumerate((usa.regions * 2)[:spaces]))
    deck = tuple(Card(f"R{i}", card.area) for i, card in enumerate((usa.cards * 2)[:cards]))
    template = replace(usa, regions=regions, cards=deck)
    for seed in range(20):
        place, deals = start(template, RULEBOOK), 0
        while not place.over:
            place = place.after(place.draw(Seeded(str(seed), deals)))
            deals += 1
        lasts = [roll for roll in place.rolls if roll.phase is Phase.LAST]
        assert 1 <= len(lasts) <= 2
        assert all(roll.double for roll in lasts[:-1])


def row_of(spaces: int) -> str:
    """A map of spaces in a row, each with three cards, as a file has it."""
    areas = '["N", "S", "W"]'
    text = f'id = "row"\ntitle = "Row"\npublished = false\nrules = "rulebook"\nareas = {areas}\n'
    text += f"[printed]\nregions = {spaces}\nlinks = {spaces - 1}\ncards = {3 * spaces}\n"
    for k in range(spaces):
        near = [f"R{other}" for other in (k - 1, k + 1) if 0 <= other < spaces]
        text += f'[[region]]\nid = "R{k}"\nname = "{k}"\nareas = {areas}\nneighbours = {near}\n'
        text += f"layout = [0.{k + 1}, 0.2]\ncards = {areas}\n"
    return text


@pytest.mark.parametrize(("spaces", "enough"), [(3, False), (4, True), (5, True)])
def test_a_setup_needs_a_space_for_each_of_its_numbers(tmp_path: Path, spaces: int, enough: bool) -> None:
    """However many cards there are of each space; and a game that can be opened can be dealt to its end."""
    (tmp_path / "row.toml").write_text(row_of(spaces), encoding="utf-8")
    with more_maps([tmp_path]):
        if not enough:
            with pytest.raises(ValueError, match="cards of 3 spaces; the setup writes in 4"):
                make_opening("row", None, ("Anna",), "1", CREATED)
            return
        for seed in range(20):
            game = new_game(make_opening("row", None, ("Anna",), str(seed), CREATED))
            while not game.now.over:
                game = game.after(game.draw())
            seeded = [game.now.regions(roll) for roll in game.record.rolls[:2]]
            assert len({region for regions in seeded for region in regions}) == 4
