"""New York's dealer: ferry cards among the others, and a table that says when a map is full."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontour_cv.dealer.chance import Seeded
from ontour_cv.dealer.city import FULL, CityPosition
from ontour_cv.dealer.deal import Position
from ontour_cv.dealer.events import Deal, Undo
from ontour_cv.dealer.form import event_line, make_opening, opening_line, read_event, read_opening
from ontour_cv.dealer.game import Game, new_game
from ontour_cv.dealer.log import load_game
from ontour_cv.dealer.play import deal_next, declare_full, undo
from ontour_cv.dealer.record import Phase, Roll
from ontour_cv.dealer.store import create_game
from ontour_cv.dealer.tell import latest, next_title
from ontour_cv.errors import UsageError
from ontour_cv.maps.load import load_map
from ontour_cv.maps.model import card_region

MAP = load_map("new-york-home")
WHEN = "2026-11-21T20:00:00Z"


def opened(map_id: str = "new-york-home", seed: str | None = "1") -> Game:
    return new_game(make_opening(map_id, None, ("Anna", "Ben"), seed, WHEN))


def after(rolls: int) -> Game:
    game = opened()
    for _ in range(rolls):
        game = game.after(game.draw())
    return game


def turn(dice: tuple[int, int], *cards: str) -> Deal:
    return Deal(Roll(Phase.TURN, cards, dice))


def told(*deals: Deal) -> str:
    game = opened()
    for deal in deals:
        game = game.after(deal)
    found = latest(game)
    assert found is not None
    return " ".join(found.advice)


def test_nothing_is_seeded_and_every_roll_has_three_cards() -> None:
    game = after(5)
    assert all(roll.phase is Phase.TURN and len(set(roll.cards)) == 3 for roll in game.record.rolls)
    assert next_title(game) == "Turn 6"


def test_a_roll_is_told_with_its_numbers_its_star_or_its_ferry() -> None:
    assert "Write 37 and 73" in told(turn((7, 3), "B01", "B04", "B07"))
    assert "ferry" not in told(turn((7, 3), "B01", "B04", "B07"))  # Manhattan, Bronx, Queens
    assert "Or draw a ferry" in told(turn((7, 3), "F1", "B04", "B07"))
    assert "Or draw a ferry" in told(turn((7, 3), "B01", "B02", "B15"))  # Manhattan on all three
    assert "star in any empty" in told(turn((7, 7), "B01", "B04", "B07"))


def test_the_table_says_when_a_map_is_full_and_that_ends_the_game() -> None:
    game = after(24)
    over = game.after(FULL)
    assert over.now.over and over.record.over
    assert over.record.rolls == game.record.rolls
    assert next_title(over) == "Game over"
    assert over.after(Undo()).now.over is False
    with pytest.raises(ValueError, match="over"):
        over.after(game.draw())


def test_a_map_cannot_be_full_before_enough_was_rolled() -> None:
    """Two a roll, and one star for Central Park: 43 neighbourhoods take 21 rolls."""
    game = opened()
    for place in range(21):
        assert game.problem(FULL) is not None, place
        game = game.after(turn((1, 2), *game.draw().roll.cards))
    assert game.problem(FULL) is None


def test_a_roll_of_doubles_fills_one_space_at_most() -> None:
    game = opened()
    for place in range(21):
        game = game.after(turn((3, 3) if place == 7 else (1, 2), *game.draw().roll.cards))
    assert game.problem(FULL) == "no map can be full yet: at least 1 space is empty on every board"
    assert game.now.left == 1
    assert game.after(turn((3, 3), *game.draw().roll.cards)).problem(FULL) is None


def test_turns_are_counted_and_the_end_is_no_turn() -> None:
    game = after(23)
    told = latest(game)
    assert told is not None
    assert (told.number, told.title) == (23, "Turn 23")
    ended = latest(game.after(FULL))
    assert ended is not None
    assert (ended.number, ended.title, ended.star) == (23, "A map is full", False)


def test_the_deck_is_drawn_to_its_end_before_it_is_shuffled() -> None:
    first = [card for roll in after(13).record.rolls for card in roll.cards]
    assert len(set(first)) == 39


def test_the_same_seed_is_the_same_game() -> None:
    assert after(9).record == after(9).record
    assert opened(seed="2").draw() != opened(seed="3").draw()


@pytest.mark.parametrize(
    ("deal", "why"),
    [
        (turn((1, 2), "B01", "B02"), "2 cards"),
        (turn((1, 2), "B01", "B02", "B01"), "different"),
        (turn((1, 2), "B01", "B02", "B99"), "B99"),
        (turn((1, 10), "B01", "B02", "B03"), "0 to 9"),
        (Deal(Roll(Phase.LAST, (), (1, 2))), "'last'"),
        (Deal(Roll(Phase.TURN, ("B01", "B02", "B03"), (1, 2)), ((1, 1),)), "again"),
    ],
)
def test_what_cannot_be_dealt_is_refused(deal: Deal, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        opened().after(deal)


def test_a_log_holds_the_end_as_a_line_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    create_game(path, opened().opening)
    assert path.read_text().startswith('{"ontour-cv game": 4, "map": "new-york-home"')
    with pytest.raises(UsageError, match="full yet"):
        declare_full(path)
    for _ in range(30):
        deal_next(path)
    declare_full(path)
    assert '"event": "full"' in path.read_text().splitlines()[-1]
    assert load_game(path).record.over
    with pytest.raises(UsageError, match="over"):
        deal_next(path)
    undo(path)
    assert not load_game(path).record.over


def test_every_line_reads_as_it_was_written() -> None:
    game = after(3)
    assert read_opening(opening_line(game.opening)) == game.opening
    for number, event in enumerate((*game.deals, FULL), start=1):
        assert read_event(event_line(event, number, WHEN), number) == (event, WHEN)


def test_other_games_know_no_full_map() -> None:
    game = opened("usa")
    assert "full" in (game.problem(FULL) or "")


def test_paris_never_seeds_an_arrondissement_twice() -> None:
    """It has two cards of each; the second is put back."""
    for seed in range(60):
        game = opened("paris-home", f"{seed}")
        for _ in range(2):
            game = game.after(game.draw())
        seeded = [card_region(card) for roll in game.record.rolls for card in roll.cards]
        assert len(set(seeded)) == 4
    twice = Deal(Roll(Phase.SETUP, ("P1/Centre", "P1/Right Bank"), (1, 2)))
    with pytest.raises(ValueError, match="twice"):
        opened("paris-home").after(twice)


def test_paris_is_played_to_its_end() -> None:
    game = opened("paris-home")
    while not game.now.over:
        game = game.after(game.draw())
    assert isinstance(game.now, Position)
    assert len(game.record.rolls) >= 10


def test_a_city_position_draws_what_it_takes() -> None:
    now = opened().now
    assert isinstance(now, CityPosition)
    for roll in range(60):
        deal = now.draw(Seeded("x", roll))
        assert now.problem(deal) is None
        now = now.after(deal)
