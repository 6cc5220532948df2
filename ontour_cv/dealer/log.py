"""Reading a game's log: every line is checked by playing it, so what is read is a game that can be.

A last line without its line break is a write that was cut off (power, kill -9) and never shown, because a line is on
disk before anything is shown. It counts when it is whole, and is left out otherwise. Blank lines at the end, as typing
leaves them, count for nothing. Anything else that does not read is damage: the log is refused, and the error says how
much of it is good.
"""

from __future__ import annotations

import codecs
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ontour_cv.dealer.form import MapMissing, NewerVersion, read_event, read_opening
from ontour_cv.dealer.game import Game, new_game
from ontour_cv.errors import BadLog
from ontour_cv.resources import program

LARGEST = 4_000_000
"""Bytes; a long game has about 4,000."""


class MapNotFound(BadLog):
    """A game's log may be whole, but nothing knows its map."""


@dataclass(frozen=True, slots=True)
class Log:
    """What a log file holds.

    Attributes:
        game: the game.
        changed: when its latest event was, as ISO 8601 in UTC; when it was created if none was.
        good: bytes of the file that are whole lines or a whole last line without its line break.
        torn: bytes of a cut-off last line after them, which count for nothing.
        open_line: True when the last whole line lacks its line break.
    """

    game: Game
    changed: str
    good: int
    torn: int
    open_line: bool


def load_game(path: Path) -> Game:
    """The game in the log ``path``; ``BadLog`` when there is none or it is damaged. Nothing is written."""
    return read_log(path).game


def read_log(path: Path) -> Log:
    """All that the log file ``path`` holds; ``BadLog`` when that is no game or a damaged one, ``MapNotFound`` too."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as fault:
        raise BadLog(f"{path} cannot be read: {fault.strerror}", "ontour-cv games lists the games.") from fault
    return parse_log(content, path)


def parse_log(content: bytes, path: Path) -> Log:
    """What the bytes of a log say; ``path`` is named in errors."""
    if len(content) > LARGEST or not content.strip(b"\0 \r\n"):
        what = "is too long for the log of a game" if content.strip(b"\0 \r\n") else "is empty, no log of a game"
        raise BadLog(f"{path} {what}", "ontour-cv games lists the games.")
    content = _without_blank_end(content)
    *lines, tail = content.split(b"\n")
    head = lines[0] if lines else tail
    game = _opened(head, path)
    changed, good = game.opening.created, len(head) + 1
    for number, line in enumerate(lines[1:], start=1):
        game, at = _played(game, line, number, path)
        changed, good = at or changed, good + len(line) + 1
    if not lines:
        return Log(game, changed, len(content), 0, True)
    if not tail:
        return Log(game, changed, good, 0, False)
    try:
        game, at = _played(game, tail, len(lines), path)
    except BadLog:
        return Log(game, changed, good, len(tail), False)
    return Log(game, at or changed, len(content), 0, True)


def good_part(content: bytes, path: Path) -> bytes:
    """The lines of a damaged log before its first bad one; ``BadLog`` when not even the first is good."""
    lines = content.split(b"\n")
    game, kept = _opened(lines[0], path), [lines[0]]
    for number, line in enumerate(lines[1:], start=1):
        try:
            game, _ = _played(game, line, number, path)
        except BadLog:
            break
        kept.append(line)
    return b"\n".join(kept) + b"\n"


def _without_blank_end(content: bytes) -> bytes:
    """The content up to the first line break after the last thing that is written there."""
    written = len(content.rstrip(b" \t\r\n"))
    return content[: content.find(b"\n", written) + 1] or content


def _opened(line: bytes, path: Path) -> Game:
    try:
        return new_game(read_opening(line.removeprefix(codecs.BOM_UTF8).decode("utf-8")))
    except NewerVersion as fault:
        raise BadLog(f"{path} was written by a newer ontour-cv: {fault}", "Update ontour-cv.") from fault
    except MapMissing as fault:
        raise MapNotFound(f"{path} cannot be read: {fault}", "Name the folder of its map with --maps-dir.") from fault
    except UnicodeDecodeError as fault:
        raise BadLog(f"{path} is not the log of a game: it is not text", "ontour-cv games lists them.") from fault
    except ValueError as fault:
        raise BadLog(f"{path} is not the log of a game: {fault}", "ontour-cv games lists the games.") from fault


def _played(game: Game, line: bytes, number: int, path: Path) -> tuple[Game, str]:
    """The game after the event in ``line``, and when that was."""
    try:
        event, at = read_event(line.decode("utf-8"), number)
        return game.after(event), at
    except ValueError as fault:
        what = "it is not text" if isinstance(fault, UnicodeDecodeError) else str(fault)
        raise BadLog(
            f"{path} is damaged: line {number + 1} does not fit, {what}. "
            f"The {_lines(number)} before it {'are' if number > 1 else 'is'} good: {_standing(game)}",
            f"{program()} deal rescue --game {shlex.quote(str(path))} copies the good part into a new file.",
        ) from fault


def _lines(number: int) -> str:
    return f"{number} lines" if number > 1 else "line"


def _standing(game: Game) -> str:
    rolls: Sequence[object] = game.now.rolls
    return f"{len(rolls)} {'roll' if len(rolls) == 1 else 'rolls'}, {game.now.left} {game.now.unit} left."
