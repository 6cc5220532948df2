"""The dealer's screens fit their terminal, say everything in words, and need no colour."""

from __future__ import annotations

from pathlib import Path

import pytest
from dealt import opening, wander
from rich.cells import cell_len

from ontour_cv.cli.deal_big import big_height, big_rows, big_width
from ontour_cv.cli.deal_canvas import Canvas, shortened
from ontour_cv.cli.deal_frame import draw_lines, draw_list
from ontour_cv.cli.deal_plain import HELP, HINT, history_lines
from ontour_cv.cli.deal_screen import draw_over, draw_table
from ontour_cv.dealer.events import Undo
from ontour_cv.dealer.game import Game, new_game
from ontour_cv.dealer.tell import latest

SIZES = [(64, 20), (80, 24), (100, 30), (132, 43), (160, 45), (240, 67)]
FAMILY = ("Anna", "Maximiliane-Charlotte von und zu Hohenau", "健太郎", "🎸 Rocky")


def text_of(canvas: Canvas) -> str:
    return "\n".join("".join(letter for letter, _ in row) for row in canvas.cells)


def stations(rules: str | None = None) -> list[Game]:
    """A game at every roll from the empty table to the end, and one with rolls taken back."""
    game = new_game(opening("3", FAMILY, rules))
    found = [game]
    while not game.now.over:
        game = game.after(game.draw())
        found.append(game)
    return [*found, game.after(Undo(4))]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_screen_fits_its_terminal_exactly(width: int, height: int) -> None:
    notice = "The deck was used up; the discards were shuffled. " * 4
    games = [*stations()[::3], *stations("bga")[-3:]]
    canvases = [draw_table(game, width, height, text) for game in games for text in ("", notice)]
    canvases += [draw_over(games[-2], width, height, "", ("Score:", "ontour-cv score *.jpg --game " + "x" * 90))]
    canvases += [draw_list("History", history_lines(game), width, height) for game in games]
    canvases += [draw_list("Help", HELP.splitlines(), width, height), draw_lines(HELP.splitlines(), width, height)]
    for canvas in canvases:
        assert len(canvas.cells) == height
        assert {sum(cell_len(letter) for letter, _ in row) for row in canvas.cells} == {width}
    assert {line.cell_len for line in canvases[1].lines()} == {width}


def test_nothing_is_said_by_colour_alone() -> None:
    """Without any style the screen still names region, state, title, spaces, who rolled and who is next."""
    game = new_game(opening("1", ("Anna", "Ben", "Cleo")))
    for _ in range(7):
        game = game.after(game.draw())
    text = text_of(draw_table(game, 80, 24, ""))
    for words in ("TURN 5", "27 spaces left", "Anna rolled", "Turn 6, Ben rolls", "◆ C E N T R A L ◆", "▲ N O R T H ▲"):
        assert words in text
    for words in ("Indiana", "North Dakota", "Virginia", "Write 56 and 65", "SPACE", "U undo", "Q quit"):
        assert words in text
    for letters in ("IN", "ND", "VA", "56", "65"):
        rows = big_rows(letters, 2, 2)
        assert all(row.rstrip() in text for row in rows), letters


def test_cards_and_numbers_do_not_overlap_the_words() -> None:
    """Whatever the size, the advice stands whole above the keys."""
    for width, height in SIZES:
        for game in stations()[1::4]:
            text = " ".join(text_of(draw_table(game, width, height, "")).split())
            for sentence in latest(game).advice:
                assert sentence in text, (width, height, sentence)


def test_letters_grow_with_the_terminal() -> None:
    game = stations()[5]
    full = [text_of(draw_table(game, width, height, "")).count("█") for width, height in SIZES]
    assert full == sorted(full)
    assert full[-1] > 4 * full[1]


@pytest.mark.parametrize(("width", "height"), [(60, 20), (40, 10), (20, 5), (1, 1)])
def test_the_smallest_screens_name_the_keys_in_their_last_row(width: int, height: int) -> None:
    canvas = draw_lines([f"Line {number}" for number in range(30)], width, height, HINT)
    assert len(canvas.cells) == height
    assert text_of(canvas).splitlines()[-1].rstrip() == shortened(HINT, width)


def test_a_history_that_is_too_long_shows_its_end() -> None:
    game = wander(5, undos=0.0)[0]
    text = text_of(draw_list("History", history_lines(game), 80, 20))
    assert history_lines(game)[-1].strip() in text
    assert f"{game.done - 17} more before these" in text
    assert "↑ or U earlier  any other key: back to the game" in text


def test_a_history_is_shown_from_where_it_was_scrolled_to() -> None:
    game = wander(5, undos=0.0)[0]
    lines = history_lines(game)
    middle = text_of(draw_list("History", lines, 80, 10, back=3))
    assert [line.strip() in middle for line in lines[-11:]] == [False] + [True] * 7 + [False] * 3
    assert "↑ or U earlier  ↓ or SPACE later  any other key: back to the game" in middle
    first = text_of(draw_list("History", lines, 64, 10, back=len(lines)))
    assert lines[0].strip() in first
    assert " ↓ or SPACE later  any other key" in first
    assert " Any key: back to the game" in text_of(draw_list("History", lines[:5], 64, 10))


def test_big_letters_have_the_size_they_tell() -> None:
    for across, down in ((1, 1), (2, 2), (3, 2), (4, 5)):
        rows = big_rows("NE2", across, down)
        assert len(rows) == big_height(down)
        assert {len(row) for row in rows} == {big_width(3, across)}
    assert len({tuple(big_rows(letter, 1, 1)) for letter in "ABCDEFGHIJKLMNPQRSTUVWXYZ0123456789"}) == 35


def test_a_canvas_cuts_what_lies_outside_and_knows_wide_letters() -> None:
    canvas = Canvas(6, 2)
    canvas.put(-1, 0, "abc健太郎z")
    canvas.put(0, 5, "below")
    canvas.fill(4, 1, 10, 10, "on red")
    assert [line.cell_len for line in canvas.lines()] == [6, 6]
    assert text_of(canvas).split("\n")[0].startswith("bc健太")
    assert cell_len(shortened("健太郎健太郎", 5)) <= 5


def test_the_picture_in_the_readme_is_what_the_screen_shows() -> None:
    """When this fails: python docs/make_dealer.py."""
    import importlib.util

    page = Path(__file__).parent.parent.parent / "docs" / "make_dealer.py"
    spec = importlib.util.spec_from_file_location("make_dealer", page)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert page.with_name("dealer.svg").read_text(encoding="utf-8") == made.screen()
