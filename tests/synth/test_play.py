"""The simulator plays by the rulebook (facts: maps-and-rules 7a); checked from the log and from the finished board."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from ontour_cv.board import Kind, Mark
from ontour_cv.maps.model import Card, MapTemplate, Region
from ontour_cv.synth.play import Game, Turn, play_game, sample_board


@pytest.fixture(scope="module")
def games(usa: MapTemplate) -> list[Game]:
    return [play_game(usa, np.random.default_rng(seed)) for seed in range(150)]


def numbers(dice: tuple[int, int]) -> list[int]:
    return sorted((10 * dice[0] + dice[1], 10 * dice[1] + dice[0]))


def test_same_seed_plays_the_same_game(usa: MapTemplate) -> None:
    assert play_game(usa, np.random.default_rng(7)) == play_game(usa, np.random.default_rng(7))


def test_every_state_is_filled_once(usa: MapTemplate, games: list[Game]) -> None:
    for game in games:
        places = [place for turn in game.turns for place, _ in turn.written]
        assert sorted(places) == sorted(usa.ids)
        assert dict(game.board.marks) == {p: m for turn in game.turns for p, m in turn.written}


def test_setup_circles_low_then_high_on_four_different_cards(games: list[Game]) -> None:
    for game in games:
        first, second = game.turns[:2]
        for turn in (first, second):
            assert turn.phase == "setup"
            assert turn.dice[0] != turn.dice[1], "doubles are rolled again"
            assert [m.number for _, m in turn.written] == numbers(turn.dice)
            assert [p for p, _ in turn.written] == [c.region for c in turn.cards]
            assert all(m.circled for _, m in turn.written)
        assert len({c.region for t in (first, second) for c in t.cards}) == 4


def turns_of(games: list[Game]) -> list[Turn]:
    return [turn for game in games for turn in game.turns if turn.phase == "turn"]


def test_numbers_go_to_two_different_cards_and_are_circled_only_on_the_cards_own_state(
    usa: MapTemplate, games: list[Game]
) -> None:
    areas = {r.id: set(r.areas) for r in usa.regions}
    for turn in turns_of(games):
        written = [(p, m) for p, m in turn.written if m.kind is Kind.NUMBER]
        if len(written) != 2:
            continue
        assert sorted(m.number for _, m in written if m.number is not None) == numbers(turn.dice)
        lawful = any(
            a is not b
            and all(
                card.area in areas[place] and mark.circled == (place == card.region)
                for (place, mark), card in zip(written, (a, b), strict=True)
            )
            for a in turn.cards
            for b in turn.cards
        )
        assert lawful, turn


def test_doubles_or_three_cards_of_one_area_give_one_star_in_an_area_called(
    usa: MapTemplate, games: list[Game]
) -> None:
    areas = {r.id: set(r.areas) for r in usa.regions}
    for turn in turns_of(games):
        called = {c.area for c in turn.cards}
        starry = turn.dice[0] == turn.dice[1] or len(called) == 1
        stars = [(p, m) for p, m in turn.written if m.kind is Kind.STAR]
        assert bool(stars) <= starry
        if starry and stars:
            ((place, mark),) = turn.written
            assert areas[place] & called
            assert mark.circled == (place in {c.region for c in turn.cards})


def test_an_x_only_when_no_choice_of_cards_places_both_numbers(usa: MapTemplate, games: list[Game]) -> None:
    areas = {r.id: set(r.areas) for r in usa.regions}
    seen = 0
    for game in games:
        filled: set[str] = set()
        for turn in game.turns:
            blocked = sum(m.kind is Kind.BLOCKED for _, m in turn.written)
            if blocked and turn.dice[0] != turn.dice[1] and len({c.area for c in turn.cards}) > 1:
                seen += 1
                free = [r for r in usa.ids if r not in filled]
                room = [[r for r in free if c.area in areas[r]] for c in turn.cards]
                both = any(
                    x != y for i, a in enumerate(room) for j, b in enumerate(room) if i != j for x in a for y in b
                )
                assert not both
                assert blocked == (1 if any(room) else 2)
            filled |= {p for p, _ in turn.written}
    assert seen > 5, "the sample holds some X"


def test_the_last_turn_has_no_cards_and_no_circles_and_comes_with_at_most_two_empty_states(games: list[Game]) -> None:
    for game in games:
        last = [t for t in game.turns if t.phase == "last"]
        assert sum(len(t.written) for t in last) <= 2
        assert all(not t.cards and not m.circled for t in last for _, m in t.written)


def test_numbers_of_a_finished_board_obey_the_pair_law(games: list[Game]) -> None:
    for game in games:
        marks = list(game.board.marks.values())
        count = Counter(m.number for m in marks if m.number is not None)
        assert not any(n % 11 == 0 for n in count), "doubles are never written"
        unpaired = sum(abs(count[n] - count[10 * (n % 10) + n // 10]) for n in list(count)) / 2
        loose = {n for n in count if count[n] != count[10 * (n % 10) + n // 10]}
        unpaired = sum(max(0, count[n] - count[10 * (n % 10) + n // 10]) for n in loose)
        assert unpaired <= sum(m.kind is Kind.BLOCKED for m in marks) + 1


def test_cards_come_back_only_after_the_deck_ran_out(usa: MapTemplate, games: list[Game]) -> None:
    """The four setup cards stay out; the other 37 are all seen before one of them is seen again."""
    for game in games[:40]:
        setup = {c.region for t in game.turns[:2] for c in t.cards}
        drawn = [c.region for t in game.turns[2:] for c in t.cards]
        first_round = drawn[: len(usa.cards) - 4]
        assert len(set(first_round)) == len(first_round)
        assert not setup & set(drawn)


def test_an_unfinished_game_leaves_empty_states(usa: MapTemplate) -> None:
    board = play_game(usa, np.random.default_rng(3), max_turns=1).board
    assert sum(m.kind is Kind.NUMBER and m.circled for m in board.marks.values()) == 4
    assert sum(m.kind is Kind.EMPTY for m in board.marks.values()) == 37
    assert any(
        Mark(Kind.EMPTY) in sample_board(usa, np.random.default_rng(s), unfinished=1.0).marks.values() for s in range(5)
    )


def test_it_plays_any_map() -> None:
    ids = ["A", "B", "C", "D", "E", "F", "G", "H"]
    regions = tuple(
        Region(
            i, i, i, ("east" if k % 2 else "west",), tuple(ids[n] for n in (k - 1, k + 1) if 0 <= n < 8), (k / 8, 0.3)
        )
        for k, i in enumerate(ids)
    )
    cards = tuple(Card(r.id, r.areas[0]) for r in regions)
    template = MapTemplate("line", "A line", False, "classic", 7, regions, cards)
    for seed in range(40):
        board = play_game(template, np.random.default_rng(seed)).board
        assert all(mark.kind is not Kind.EMPTY for mark in board.marks.values())
