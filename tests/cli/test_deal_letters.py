"""Large letters on the dealer's screens stand whole: nothing is drawn over them or cut off, on any map and terminal."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest
from dealt import CREATED

from ontour_cv.cli.deal_big import big_rows
from ontour_cv.cli.deal_canvas import Canvas
from ontour_cv.cli.deal_city import _draw_card
from ontour_cv.cli.deal_plain import score_hints
from ontour_cv.cli.deal_show import _canvas
from ontour_cv.cli.deal_table import Table, View
from ontour_cv.dealer.city import FULL
from ontour_cv.dealer.events import Undo
from ontour_cv.dealer.form import make_opening
from ontour_cv.dealer.game import Game, new_game
from ontour_cv.dealer.log import Log
from ontour_cv.maps.city import INSTRUMENTS
from ontour_cv.maps.load import load_map

SIZES = ((64, 20), (80, 24), (100, 30), (120, 35), (132, 43), (160, 45), (170, 45), (180, 48), (200, 50), (260, 70))
MAPS = ("usa", "europe-home", "paris-home", "new-york-home", "rolling-america")


@lru_cache
def station(map_id: str, rolls: int, players: tuple[str, ...] = ("Anna", "Ben")) -> Game:
    """A game of the map after so many rolls, or at its end."""
    game = new_game(make_opening(map_id, None, players, "1", CREATED))
    while game.done < rolls and not game.now.over:
        game = game.after(game.draw())
    return game


def screen(game: Game, width: int, height: int) -> Canvas:
    return _canvas(Table(Path("game.jsonl"), Log(game, CREATED, 0, 0, False)), width, height)


@pytest.mark.parametrize("map_id", MAPS)
@pytest.mark.parametrize("size", SIZES)
def test_large_letters_stand_whole(map_id: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Regions, states, numbers, titles and dice alike."""
    drawn: list[tuple[int, int, str, tuple[int, int]]] = []
    draw = Canvas.big

    def remember(self: Canvas, x: int, y: int, text: str, scale: tuple[int, int], style: str = "") -> None:
        drawn.append((x, y, text, scale))
        draw(self, x, y, text, scale, style)

    monkeypatch.setattr(Canvas, "big", remember)
    for rolls in (0, 1, 3, 6, 9, 10, 99 if map_id != "new-york-home" else 11):
        drawn.clear()
        canvas = screen(station(map_id, rolls), *size)
        for x, y, text, scale in drawn:
            rows = big_rows(text, *scale)
            assert y + len(rows) < size[1], text
            shown = ["".join(letter for letter, _ in row[x : x + len(rows[0])]) for row in canvas.cells[y:]]
            assert shown[: len(rows)] == rows, text


def test_all_regions_of_a_roll_are_of_one_size() -> None:
    """EAST is drawn no larger than NORTH beside it, so that its letters need no more rows."""
    text = "\n".join("".join(letter for letter, _ in row) for row in screen(station("usa", 9), 160, 45).cells)
    assert all(row in text for region in ("EAST", "NORTH") for row in big_rows(region, 1, 1))


@pytest.mark.parametrize(
    ("map_id", "rolls", "width", "words"),
    [
        ("rolling-america", 3, 80, "SPACE Round 2, roll 1, Ben rolls "),
        ("rolling-america", 3, 100, "SPACE Round 2 of 8 · roll 1 of 3, Ben rolls "),
        ("rolling-america", 3, 64, "SPACE Ben rolls "),
        ("usa", 4, 80, "SPACE Turn 3, Anna rolls "),
        ("new-york-home", 30, 64, "SPACE Anna rolls "),
        ("new-york-home", 30, 80, "SPACE Anna rolls "),
    ],
)
def test_the_last_row_says_who_rolls_next(map_id: str, rolls: int, width: int, words: str) -> None:
    """Where it is narrow the roll is named shorter, then not at all, and keys that ? tells are left out."""
    row = last_row(station(map_id, rolls), width)
    assert row.startswith(f" {words}")
    assert "U undo" in row
    assert row.endswith("? help  Q quit ")
    assert ("F map is full" in row) == (map_id == "new-york-home")


def test_the_last_row_cuts_a_long_name_and_not_that_it_rolls() -> None:
    row = last_row(station("rolling-america", 3, ("Anna", "Maximiliane-Charlotte von Hohenau")), 80)
    assert row.startswith(" SPACE Maximiliane-Charlotte… rolls ")


def test_the_last_row_says_what_space_shows_again() -> None:
    assert last_row(station("rolling-america", 4).after(Undo(1)), 80).startswith(" SPACE shows Round 2, roll 1 again ")


def last_row(game: Game, width: int) -> str:
    return "".join(letter for letter, _ in screen(game, width, 24).cells[-1])


@pytest.mark.parametrize(
    ("map_id", "sheet"), [("usa", "board"), ("new-york-home", "board"), ("rolling-america", "sheet")]
)
def test_the_end_asks_for_photos_whatever_the_game(map_id: str, sheet: str) -> None:
    """Boards of New York and sheets of Rolling America may be typed, too."""
    game = station(map_id, 30)
    game = game.after(FULL) if map_id == "new-york-home" else game
    hints = score_hints(Path("/elsewhere/our game.jsonl"), game)
    assert hints[:2] == (
        f"Photograph every {sheet}, then score them all:",
        "ontour-cv score *.jpg --game '/elsewhere/our game.jsonl'",
    )
    assert (f"Or type a {sheet}:" in hints) == (map_id != "usa")
    table = Table(Path("game.jsonl"), Log(game, CREATED, 0, 0, False), View.OVER)
    shown = "\n".join("".join(letter for letter, _ in row) for row in _canvas(table, 80, 24).cells)
    assert all(" ".join(line.split()) in shown for line in score_hints(table.path, game))


def test_boroughs_are_large_on_a_large_terminal() -> None:
    """Every card of New York, as wide and high as 170 columns and 45 rows have it; its soloist below the borough."""
    city = load_map("new-york-home").city
    assert city is not None
    for card in city.cards:
        canvas = Canvas(55, 19)
        _draw_card(canvas, (0, 0, 55, 19), card)
        text = "\n".join("".join(letter for letter, _ in row) for row in canvas.cells)
        rows = [row for row in text.split("\n") if "▀" in row or "█" in row]
        words = [word for borough in card.boroughs for word in borough.upper().split()] or ["FERRY"]
        assert all(line.strip() in text for word in words for line in big_rows(word, 1, 1)), card.id
        assert len(rows) == 4 * len(words)
        if card.soloist:
            soloist = " ".join(INSTRUMENTS[card.soloist].upper())
            before = text[: text.index(soloist)].rstrip(" │\n")
            last = big_rows(card.soloist_in.upper().split()[-1], 1, 1)[-1]
            assert before.endswith(last.strip()), card.id


def test_boroughs_stand_in_words_where_large_letters_do_not_fit() -> None:
    canvas = Canvas(25, 9)
    city = load_map("new-york-home").city
    assert city is not None
    card = next(card for card in city.cards if len(card.boroughs) == 3)
    _draw_card(canvas, (0, 0, 25, 9), card)
    text = "".join(letter for row in canvas.cells for letter, _ in row)
    assert all(borough in text for borough in card.boroughs)
