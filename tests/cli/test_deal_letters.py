"""Large letters on the dealer's screens stand whole: nothing is drawn over them or cut off, on any map and terminal."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest
from dealt import CREATED

from ontour_cv.cli.deal_big import big_rows
from ontour_cv.cli.deal_canvas import Canvas
from ontour_cv.cli.deal_show import _canvas
from ontour_cv.cli.deal_table import Table
from ontour_cv.dealer.form import make_opening
from ontour_cv.dealer.game import Game, new_game
from ontour_cv.dealer.log import Log

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
