"""The dealer's screen for New York: three cards with their boroughs and soloists, and both numbers, large."""

from __future__ import annotations

import textwrap

from ontour_cv.cli.deal_big import big_height, big_width, most_across
from ontour_cv.cli.deal_canvas import Canvas
from ontour_cv.cli.deal_frame import draw_bar, draw_keys
from ontour_cv.cli.deal_plain import notes
from ontour_cv.cli.deal_screen import who
from ontour_cv.dealer.city import CityPosition
from ontour_cv.dealer.game import Game
from ontour_cv.dealer.tell import Told
from ontour_cv.dealer.tell_city import card_lines
from ontour_cv.maps.city import INSTRUMENTS, CityCard

# Okabe and Ito's colours, one for each borough's first card line; a card says everything in words, too.
_STYLES = {
    "Manhattan": "#ffffff on #0072b2",
    "Bronx": "#000000 on #d55e00",
    "Queens": "#000000 on #00a878",
    "Brooklyn": "#000000 on #f0e442",
    "Staten Island": "#000000 on #cc79a7",
}
_OTHER, _FERRY, _STAR = "#000000 on #bbbbbb", "#000000 on #56b4e9", "bold #000000 on #ffd54a"


def draw_city(told: Told, game: Game, width: int, height: int, notice: str) -> Canvas:
    """The cards and dice on the table, ``width`` columns by ``height`` rows; ``notice`` as in ``draw_table``."""
    canvas = Canvas(width, height)
    before = game.places[game.done - 1]
    assert isinstance(before, CityPosition)
    roll = told.deal.roll
    draw_bar(canvas, told.title.upper(), f"dice {roll.dice[0]} and {roll.dice[1]}")
    canvas.centre(0, 1, width, notice or " ".join(notes(told)) or who(told, game), "bold")
    advice = [line for text in told.advice for line in textwrap.wrap(text, width - 2)]
    cards = before.open_cards(roll)
    room = height - 4 - len(advice)
    tall = min(room - 4, max(7, room // 2))
    each = (width - len(cards) - 1) // len(cards)
    for place, card in enumerate(cards):
        _draw_card(canvas, (1 + place * (each + 1), 2, each, tall), card)
    _draw_numbers(canvas, told, 2 + tall, room - tall)
    for row, line in enumerate(advice):
        canvas.put(1, height - 1 - len(advice) + row, line, "bold" if row == 0 else "")
    draw_keys(canvas, game)
    return canvas


def _draw_card(canvas: Canvas, box: tuple[int, int, int, int], card: CityCard) -> None:
    x, y, width, height = box
    style = _FERRY if card.ferry else _STYLES.get(card.boroughs[0], _OTHER)
    canvas.frame(x, y, width, height, style)
    if card.ferry:
        across = most_across(5, width - 4, 2)
        if big_width(5, across) <= width - 4 and big_height(across) <= height - 2:
            top = y + (height - big_height(across)) // 2
            canvas.big(x + (width - big_width(5, across)) // 2, top, "FERRY", (across, across), style)
            return
    if not card.ferry and _draw_boroughs(canvas, box, card, style):
        return
    lines = [part for line in card_lines(card) for part in textwrap.wrap(line, width - 4)]
    gap = 2 if 2 * len(lines) - 1 <= height - 2 else 1
    top = y + max(1, (height - (len(lines) - 1) * gap) // 2)
    for row, line in enumerate(lines[: height - 2]):
        canvas.centre(x + 1, top + row * gap, width - 2, line, f"bold {style}")


def _draw_boroughs(canvas: Canvas, box: tuple[int, int, int, int], card: CityCard, style: str) -> bool:
    """The card's boroughs in large letters, the soloist below the one it stands in; False when they do not fit."""
    x, y, width, height = box
    parts = [_borough_lines(card, borough) for borough in card.boroughs]
    lines = [line for part in parts for line in part]
    rows = sum(big_height(1) if large else 1 for _, large in lines)
    widest = max(big_width(len(words), 1) if large else len(words) for words, large in lines)
    spare = height - 2 - rows
    if widest > width - 2 or spare < 0:
        return False
    gap = min(2, spare // (len(parts) + 1))
    y += 1 + (spare - gap * (len(parts) - 1)) // 2
    for part in parts:
        for words, large in part:
            if large:
                canvas.big(x + (width - big_width(len(words), 1)) // 2, y, words, (1, 1), f"bold {style}")
            else:
                canvas.centre(x + 1, y, width - 2, words, f"bold {style}")
            y += big_height(1) if large else 1
        y += gap
    return True


def _borough_lines(card: CityCard, borough: str) -> list[tuple[str, bool]]:
    """A borough's words, and its soloist's, each with whether it is large."""
    lines = [(word, True) for word in borough.upper().split()]
    return lines + ([(" ".join(INSTRUMENTS[card.soloist].upper()), False)] if card.soloist_at(borough) else [])


def _draw_numbers(canvas: Canvas, told: Told, top: int, room: int) -> None:
    """Both numbers, or the star they make, as large as the room lets."""
    words = "STAR" if told.star else " ".join(f"{number:02d}" for number in told.deal.roll.numbers)
    down = max(1, 2 * (room - 1) // 7)
    across = most_across(len(words), canvas.width - 4, 2 * down)
    down = min(down, across)
    x = (canvas.width - big_width(len(words), across)) // 2
    y = top + max(0, (room - big_height(down)) // 2)
    style = _STAR if told.star else "bold"
    if told.star:
        canvas.fill(x - 2, y, big_width(len(words), across) + 4, big_height(down), style)
    canvas.big(x, y, words, (across, down), style)
