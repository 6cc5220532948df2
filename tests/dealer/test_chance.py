"""Seeds mean the same game for ever; dice and cards are fair."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from dealt import opening
from scipy.stats import chisquare

from ontour_cv.dealer.chance import Seeded, Unforeseen, chance_of
from ontour_cv.dealer.deck import Deck
from ontour_cv.dealer.events import Undo
from ontour_cv.dealer.game import new_game
from ontour_cv.dealer.record import Roll

FAIR = 0.001
"""Probability below which a count is called unfair. The streams are fixed, so these tests never fail by chance."""


def test_a_seed_is_the_stream_its_docstring_states() -> None:
    digest = hashlib.sha256(b"ontour-cv dealer 1|tour|3|0").digest()
    words = [int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4)]
    chance = Seeded("tour", 3)
    assert [chance.below(10) for _ in range(8)] == [word % 10 for word in words]


def test_streams_are_frozen() -> None:
    """Literal values: whatever changes them breaks every seed that somebody kept."""
    chance = Seeded("1", 0)
    assert [chance.below(10) for _ in range(10)] == [9, 7, 0, 7, 5, 6, 5, 1, 3, 0]
    chance = Seeded("Zürich 2026", 7)
    assert [chance.below(41) for _ in range(10)] == [3, 40, 8, 3, 13, 30, 21, 12, 18, 8]


def test_a_seeded_game_is_frozen() -> None:
    """The first rolls of the game of seed 1 on the USA map, card for card."""
    game = new_game(opening("1"))
    for _ in range(5):
        game = game.after(game.draw())
    assert [(roll.dice, " ".join(roll.cards)) for roll in game.record.rolls] == [
        ((9, 7), "NV OK"),
        ((6, 1), "AZ GA"),
        ((2, 8), "MO SC NE2"),
        ((3, 6), "NM ID SD"),
        ((6, 7), "KY PA IA"),
    ]


def test_words_that_would_favour_small_numbers_are_passed_over() -> None:
    """Below 3 * 2**30 a quarter of all words is refused; the rest comes in order."""
    n = 3 * 2**30
    chance, words = Seeded("x", 0), _words("x", 0)
    assert [chance.below(n) for _ in range(20)] == list(islice((w for w in words if w < n), 20))


def test_dice_are_uniform_and_independent() -> None:
    """Chi-square over the hundred faces of two dice, ten thousand rolls of a thousand seeds."""
    pairs = Counter(
        (chance.below(10), chance.below(10))
        for seed in range(1000)
        for roll in range(10)
        for chance in [Seeded(str(seed), roll)]
    )
    counts = [pairs[a, b] for a in range(10) for b in range(10)]
    assert chisquare(counts).pvalue > FAIR


def test_every_order_of_a_deck_is_equally_likely() -> None:
    """Chi-square over the 24 orders of four cards."""
    deck = Deck(("A", "B", "C", "D"))
    orders = Counter(deck.draw(4, Seeded(str(seed), 0)) for seed in range(6000))
    assert len(orders) == 24
    assert chisquare(list(orders.values())).pvalue > FAIR


def test_every_card_comes_equally_often_in_every_place() -> None:
    """Chi-square over 41 cards, first and third place of the first turn, 4,100 games."""
    first, third = Counter(), Counter()
    for seed in range(4100):
        cards = Deck(tuple(map(str, range(41)))).draw(3, Seeded(str(seed), 2))
        first[cards[0]] += 1
        third[cards[2]] += 1
    for counts in (first, third):
        assert len(counts) == 41
        assert chisquare(list(counts.values())).pvalue > FAIR


def test_without_a_seed_nothing_repeats() -> None:
    assert isinstance(chance_of(None, 0), Unforeseen)
    draws = {tuple(chance_of(None, 0).below(1000) for _ in range(8)) for _ in range(20)}
    assert len(draws) == 20


def test_a_roll_after_an_undo_is_a_new_one_and_the_same_for_the_same_choices() -> None:
    def choices() -> tuple[Roll, Roll]:
        game = new_game(opening("9"))
        game = game.after(game.draw())
        first = game.record.rolls[0]
        game = game.after(Undo(1))
        return first, game.after(game.draw()).record.rolls[0]

    assert choices() == choices()
    assert choices()[0] != choices()[1]


def _words(seed: str, roll: int) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(f"ontour-cv dealer 1|{seed}|{roll}|{block}".encode()).digest()
        yield from (int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4))
        block += 1
