"""The dealer's screen for a whole terminal: cards and dice large enough to be read from across the room.

Everything is drawn on colours of its own (cards, dice, stars) or in the terminal's own colours (numbers, words), so it
reads on light and on dark terminals; each card says its region in words and by a sign, so no colour is needed.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ontour_cv.cli.console import counted
from ontour_cv.cli.deal_big import big_height, big_width, most_across
from ontour_cv.cli.deal_canvas import Canvas
from ontour_cv.cli.deal_frame import draw_bar, draw_keys
from ontour_cv.cli.deal_plain import game_name, notes
from ontour_cv.dealer.game import Game
from ontour_cv.dealer.record import Phase
from ontour_cv.dealer.tell import Told, latest
from ontour_cv.maps.model import card_region
from ontour_cv.rules import NEW_YORK, ROLLING_AMERICA

SMALLEST = (64, 20)
"""Columns and rows below which plain lines are shown instead."""

# Okabe and Ito's colours, which people with any colour vision tell apart, each with letters that stand out.
_COLOURS = ("#ffffff on #0072b2", "#000000 on #d55e00", "#000000 on #00a878", "#000000 on #f0e442")
_MORE = ("#000000 on #cc79a7", "#000000 on #56b4e9", "#000000 on #e69f00", "#000000 on #bbbbbb")
_SIGNS = {"North": "▲", "South": "▼", "East": "▶", "West": "◀", "Central": "◆"}
_TITLE_ROOM = 105
"""Columns below which a title is not drawn larger, by its size in half rows a dot."""

_LEFT_ROOM = 27
"""Columns that the spaces left take beside the smallest large title."""

_DIE = "bold #000000 on #f5f1e6"
_STAR = "bold #000000 on #ffd54a"


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large things are drawn: ``letters`` and ``title`` in half rows a dot, ``area`` too (0: as plain text)."""

    letters: int
    title: int
    area: int

    @property
    def bar(self) -> int:
        """Rows of a card above the letters: frame and region, and a blank where the letters would touch it."""
        return 1 + (big_height(self.area) + (self.area + 1) % 2 if self.area else 0)

    @property
    def cards(self) -> int:
        """Rows of a card: frame and region, letters, name, frame."""
        return self.bar + big_height(self.letters) + 2

    @property
    def head(self) -> int:
        """Rows of the title."""
        return big_height(self.title) if self.title else 1

    def rows(self, advice: int) -> int:
        """Rows of everything: title, note, cards, numbers, advice, keys."""
        return self.head + 1 + self.cards + big_height(self.letters) + advice + 1


def draw_table(game: Game, width: int, height: int, notice: str) -> Canvas:
    """What lies on the table, ``width`` columns by ``height`` rows.

    Args:
        game: the game.
        width: columns of the terminal.
        height: rows of the terminal.
        notice: something out of the ordinary to say; may be empty.
    """
    told = latest(game)
    if told is None:
        return draw_words(game, _title(game), _players(game), width, height, notice)
    canvas = Canvas(width, height)
    advice = textwrap.wrap(" ".join(told.advice), width - 2)
    sizes = _sizes(width, height, told, len(advice))
    _draw_title(canvas, told, sizes)
    note = notice or " ".join(notes(told)) or who(told, game)
    canvas.centre(0, sizes.head, width, note, "bold")
    spare = height - sizes.rows(len(advice))  # first between cards and dice, then below, then above
    top = sizes.head + 1 + spare // 3
    _draw_cards(canvas, told, game, sizes, top)
    _draw_roll(canvas, told, sizes, top + sizes.cards + (spare + 2) // 3)
    for row, line in enumerate(advice):
        canvas.put(1, height - 1 - len(advice) + row, line, "bold" if row == 0 else "")
    draw_keys(canvas, game)
    return canvas


def draw_over(game: Game, width: int, height: int, notice: str, hints: Sequence[str]) -> Canvas:
    """The end, and in ``hints`` how to score the boards."""
    return draw_words(game, ("GAME", "OVER"), hints, width, height, notice, ended=True)


def draw_words(
    game: Game, big: Sequence[str], small: Sequence[str], width: int, height: int, notice: str, ended: bool = False
) -> Canvas:
    """A few words across the screen, one or two of them large."""
    canvas = Canvas(width, height)
    draw_bar(canvas, game_name(game), game.opening.variant.title)
    canvas.centre(0, 1, width, notice, "bold")
    lines = [line for text in small for line in textwrap.wrap(text, width - 4) or [""]]
    room = (height - 4 - len(lines)) // len(big)
    letters = max(map(len, big))
    down = max(1, min(2 * (room - 1) // 7, most_across(letters, width - 4, 99)))
    y = 2 + max(0, (height - 4 - len(lines) - len(big) * (big_height(down) + 1)) // 2)
    for text in big:
        across = most_across(letters, width - 4, down)
        canvas.big((width - big_width(len(text), across)) // 2, y, text, (across, down), "bold")
        y += big_height(down) + 1
    for line in lines:
        canvas.centre(0, y, width, line)
        y += 1
    draw_keys(canvas, game, ended)
    return canvas


def _sizes(width: int, height: int, told: Told, advice: int) -> Sizes:
    """The largest letters that fit, then a large title, then large regions."""
    largest = _largest_area(told.areas, width)
    title_room = big_width(len(_title_words(told)), 1) + _LEFT_ROOM
    widest = max(1, (width - 3) // 36)  # two dice, two numbers of two digits, and space between
    for letters in range(widest, 0, -1):
        for title, area in ((3, 2), (3, 1), (2, 2), (2, 1), (1, 2), (1, 1), (2, 0), (1, 0), (0, 0)):
            sizes = Sizes(letters, title, area)
            wide = width >= _TITLE_ROOM * title and (not title or width >= title_room)
            if wide and area <= largest and sizes.rows(advice) <= height:
                return sizes
    return Sizes(1, 0, 0)


def _largest_area(areas: Sequence[str], width: int) -> int:
    """The largest size in which the regions of all cards of a roll fit on them; 0 when some fit as plain text only."""
    letters, room = max(map(len, areas), default=0), _card_width(len(areas), width) - 4
    return next((size for size in (2, 1) if letters and big_width(letters, size) <= room), 0)


def _card_width(cards: int, width: int) -> int:
    return (width - 1) // max(1, cards) - 1


def _draw_title(canvas: Canvas, told: Told, sizes: Sizes) -> None:
    left = f"{counted(told.left, 'space')} left after this"
    if not sizes.title:
        draw_bar(canvas, told.title.upper(), left)
        return
    words = _title_words(told)
    across = most_across(len(words), canvas.width * 2 // 3, sizes.title)
    canvas.big(1, 0, words, (across, sizes.title), "bold")
    number = f"{told.left}"
    across = min(across, sizes.title)
    x = canvas.width - big_width(len(number), across) - 1
    canvas.big(x, 0, number, (across, sizes.title), "bold")
    canvas.put(x - len("spaces left ") - 1, sizes.head - 1, "spaces left ")


def _title_words(told: Told) -> str:
    return told.title.upper().replace(" · ", "  ")


def who(told: Told, game: Game) -> str:
    """Who rolled; after an undo what the keys do."""
    undone = f"{game.undone} taken back: SPACE or R shows the next again, N deals anew"
    return undone if game.undone else f"{told.roller} rolled"


def _title(game: Game) -> tuple[str, ...]:
    if game.opening.variant.game == NEW_YORK:
        return "NEW", "YORK"
    return ("ROLLING", "AMERICA") if game.opening.variant.game == ROLLING_AMERICA else ("ON", "TOUR")


def _players(game: Game) -> tuple[str, ...]:
    names = game.opening.players
    return (f"{names[0]} rolls first" + (f", then {', '.join(names[1:])}" if names[1:] else ""), "", "SPACE begins")


def _draw_cards(canvas: Canvas, told: Told, game: Game, sizes: Sizes, top: int) -> None:
    cards = told.deal.roll.cards
    if not cards:
        across = most_across(9, canvas.width - 4, sizes.letters)
        x = (canvas.width - big_width(9, across)) // 2
        canvas.big(x, top + 1, "LAST TURN", (across, sizes.letters), "bold")
        return
    width = _card_width(len(cards), canvas.width)
    left = (canvas.width - len(cards) * (width + 1) + 1) // 2
    for place, (card, area) in enumerate(zip(cards, told.areas, strict=True)):
        _draw_card(canvas, left + place * (width + 1), top, width, (card, area), game, sizes)


def _draw_card(canvas: Canvas, x: int, y: int, width: int, card: tuple[str, str], game: Game, sizes: Sizes) -> None:
    state, area = card_region(card[0]), card[1]
    template = game.opening.template
    style = _style(template.areas.index(area) if area in template.areas else 0)
    canvas.frame(x, y, width, sizes.cards, style)
    sign = _SIGNS.get(area, "•")
    if sizes.area:
        left = x + (width - big_width(len(area), sizes.area)) // 2
        canvas.big(left, y + 1, area.upper(), (sizes.area, sizes.area), style)
    else:
        canvas.centre(x, y, width, f" {sign} {' '.join(area.upper())} {sign} ", f"bold {style}")
    across = most_across(len(state), width - 2, sizes.letters)
    middle = x + (width - big_width(len(state), across)) // 2
    canvas.big(middle, y + sizes.bar, state, (across, sizes.letters), f"bold {style}")
    canvas.centre(x + 1, y + sizes.cards - 2, width - 2, template.region(state).name, f"bold {style}")


def _draw_roll(canvas: Canvas, told: Told, sizes: Sizes, y: int) -> None:
    """Both dice, and the numbers or the star they make; in the setup each number stands under its card."""
    roll, across = told.deal.roll, sizes.letters
    rows = big_height(sizes.letters)
    wide = big_width(2, across)
    die = min(big_width(1, across) + 4, 6 * sizes.letters)
    numbers = [f"{number:02d}" for number in roll.numbers]

    def dice(x: int) -> None:
        for place, digit in enumerate(roll.dice):
            _draw_die(canvas, x + place * (die + 1), y, die, rows, digit, sizes)

    def number(x: int, text: str) -> None:
        canvas.big(x, y, text, (across, sizes.letters), "bold")

    if roll.phase is Phase.SETUP:
        die = max(7, min(die, (canvas.width // 2 - wide - 3) // 2))
        dice((canvas.width - 2 * die - 1) // 2)
        number(canvas.width // 4 - wide // 2 - 1, numbers[0])
        number(canvas.width - canvas.width // 4 - wide // 2, numbers[1])
        return
    both = 2 * wide + 2 * across
    left = (canvas.width - (2 * die + 1) - both) // 3
    dice(left)
    _draw_numbers(canvas, told, (canvas.width - left - both, y, both, rows), sizes, number)


def _draw_numbers(
    canvas: Canvas, told: Told, box: tuple[int, int, int, int], sizes: Sizes, number: Callable[[int, str], None]
) -> None:
    x, y, width, rows = box
    if told.star:
        canvas.fill(x - 1, y, width + 2, rows, _STAR)
        across = most_across(4, width, sizes.letters)
        canvas.big(x + (width - big_width(4, across)) // 2, y, "STAR", (across, sizes.letters), _STAR)
        return
    low, high = (f"{value:02d}" for value in told.deal.roll.numbers)
    number(x, low)
    number(x + width - big_width(2, sizes.letters), high)


def _draw_die(canvas: Canvas, x: int, y: int, width: int, rows: int, digit: int, sizes: Sizes) -> None:
    canvas.frame(x, y, width, rows, _DIE)
    down = max(1, (rows - 2) * 2 // 7)
    across = most_across(1, width - 2, max(1, down))
    middle = x + (width - big_width(1, across)) // 2
    canvas.big(middle, y + (rows - big_height(down) + 1) // 2, f"{digit}", (across, down), _DIE)


def _style(index: int) -> str:
    styles = _COLOURS + _MORE
    return styles[index % len(styles)]
