"""The dealer as lines of text: for pipes, screen readers, and whoever likes it plain."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from ontour_cv.dealer.game import Game
from ontour_cv.dealer.log import Log
from ontour_cv.dealer.record import Phase
from ontour_cv.dealer.shelf import games_dir
from ontour_cv.dealer.tell import Told, can_be_full, next_title, roller, tell
from ontour_cv.dealer.tell_dice import dice_words
from ontour_cv.maps.model import card_region
from ontour_cv.maps.rulings import house_rulings
from ontour_cv.resources import program
from ontour_cv.rules import NEW_YORK, ROLLING_AMERICA

HELP = """\
SPACE or Enter  next roll (or the one taken back)
U  undo: take the latest roll back, any number of times
R  redo: show a roll again that was taken back
N  new: deal another roll in place of those taken back
H  history: every roll so far; arrows scroll a long one
F  New York: somebody's map is full, so the game is over (U takes it back)
?  this help
Q or S  save and quit; everything is saved all the time anyway"""

HINT, BACK = "SPACE or Enter next  ? help  Q quit", "Any key: back to the game"
"""The keys in a line, at the table and under a list."""


def table_lines(log: Log, script: Path | None = None) -> Iterator[str]:
    """What lies on the table, and who is next; ``script`` as in :func:`prompt`."""
    game = log.game
    if game.done:
        yield from roll_lines(tell(game, game.done - 1), game)
    else:
        yield from opening_lines(game)
    yield prompt(game, script)


def opening_lines(game: Game) -> Iterator[str]:
    """Map, rules and players of a game."""
    opening = game.opening
    least = " at the least" if opening.variant.game == NEW_YORK else ""
    yield f"{game_name(game)}, {opening.variant.title}. {game.now.left} {game.now.unit}{least}."
    yield from (f"House ruling: {ruling}" for ruling in house_rulings(opening.template))
    yield f"Players, in the order they roll: {', '.join(opening.players)}."


def roll_lines(told: Told, game: Game) -> Iterator[str]:
    """One roll, in full."""
    roll, template = told.deal.roll, game.opening.template
    if roll.phase is Phase.DICE:
        yield f"{told.title}. {told.roller} rolls {dice_words(roll)}."
        yield from (f"  {sentence}" for sentence in told.advice)
        yield f"  Rolls left after it: {told.left}."
        return
    if roll.phase is Phase.FULL:
        yield f"{told.title}. {told.advice[0]}"
        return
    yield f"{told.title}. {told.roller} rolls {roll.dice[0]} and {roll.dice[1]}."
    yield from (f"  {note}" for note in notes(told))
    for card, area in zip(roll.cards, told.areas, strict=True):
        if game.opening.variant.game == NEW_YORK:
            yield f"  Card: {area}"
        else:
            yield f"  Card: {area.upper()}, {card_region(card)} {template.region(card_region(card)).name}"
    yield f"  {'STAR' if told.star else '   '.join(f'{number:02d}' for number in roll.numbers)}"
    yield from (f"  {sentence}" for sentence in told.advice)
    if game.opening.variant.game != NEW_YORK:
        yield f"  Spaces left after it: {told.left}."


def notes(told: Told) -> Iterator[str]:
    """What else happened with a roll."""
    if told.deal.rerolled:
        doubles = ", ".join(f"{a}{b}" for a, b in told.deal.rerolled)
        yield f"Doubles are rolled again in the setup: {doubles}."
    if told.shuffled:
        yield "The deck was used up; the discards were shuffled."


def prompt(game: Game, script: Path | None = None) -> str:
    """What comes next, and the keys for it; for scripts, which have none, the commands: ``script`` is the file."""
    if game.undone:
        rolls = "1 roll is" if game.undone == 1 else f"{game.undone} rolls are"
        redo = "Enter or r" if script is None else f"{program()} deal redo --game {shlex.quote(str(script))}"
        return f"{rolls} taken back: {redo} shows the next of them again, {_key('n', 'deal next', script)} deals anew."
    if game.now.over:
        return "Game over once that is written." if game.opening.variant.game != NEW_YORK else "Game over."
    full = f" {_key('f', 'deal full', script)} when a map is full." if can_be_full(game) else ""
    return f"Next: {next_title(game)}, {roller(game, game.done)} rolls.{full}"


def _key(key: str, command: str, script: Path | None) -> str:
    return key if script is None else command


def history_lines(game: Game) -> list[str]:
    """A line a roll, oldest first."""
    rolls = [tell(game, index) for index in range(game.done)]
    names = max((len(told.roller) for told in rolls), default=0)
    return [_history(told, names) for told in rolls]


def _history(told: Told, names: int) -> str:
    roll = told.deal.roll
    if roll.phase is Phase.DICE:
        return f"{told.title.replace(' · roll', ',').replace(' of 3', '')}  {told.roller:<{names}}  {dice_words(roll)}"
    if roll.phase is Phase.FULL:
        return told.title
    title = told.title.split(" · ")[0].replace(" of 2", "")
    numbers = " *   * " if told.star else "  ".join(f"{number:02d}" for number in roll.numbers) + " "
    cards = "  ".join(f"{card_region(card)} {area}" for card, area in zip(roll.cards, told.areas, strict=True))
    return f"{title:<8} {told.roller:<{names}}  {roll.dice[0]} {roll.dice[1]}  {numbers} {cards or 'no cards'}"


def game_name(game: Game) -> str:
    """What the game is called: ``On Tour USA``, ``Rolling America``."""
    opening = game.opening
    return opening.template.title if opening.variant.game == ROLLING_AMERICA else f"On Tour {opening.template.title}"


def score_hints(path: Path, game: Game) -> tuple[str, ...]:
    """How to score the boards of a game that is over; a game in its usual folder goes by its name."""
    name = shlex.quote(path.stem if path.parent == games_dir() else str(path))
    played = game.opening.variant.game
    sheet = "sheet" if played == ROLLING_AMERICA else "board"
    photos = (f"Photograph every {sheet}, then score them all:", f"{program()} score *.jpg --game {name}")
    typed = {ROLLING_AMERICA: "WA=3 OR=4 CA=x", NEW_YORK: "SOHO=37s STG=41 ~SOHO-STG"}.get(played)
    return (*photos, f"Or type a {sheet}:", f"{program()} check --game {name} '{typed}'") if typed else photos


def cut_off(log: Log) -> str:
    """That a write was cut off."""
    return f"The file's last line was cut off ({log.torn} bytes) and is left out; it had never been shown."
