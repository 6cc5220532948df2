"""Where a command gets its board from: words on the command line, a file, or stdin."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ontour_cv import city_board, sheet
from ontour_cv.board import SHOWN, BoardState, like, parse_board
from ontour_cv.city_board import MOST_BOXES, CityBoard, parse_city_board
from ontour_cv.errors import BadBoard
from ontour_cv.maps.city import INSTRUMENTS
from ontour_cv.maps.load import map_called
from ontour_cv.maps.model import MapTemplate
from ontour_cv.sheet import Sheet, parse_sheet

LARGEST_FILE = 100_000
"""Bytes; a board has about 300, and one with a remark on every state not many more."""

BoardWords = Annotated[
    list[str],
    typer.Argument(
        metavar="BOARD|FILE",
        help="A board like WA=21o SD=*o WI=x NV=31 (spaces not named are empty), a file with one, or - for stdin.",
    ),
]


def full_map_id(name: str | None) -> str | None:
    """What ``--map`` names, in full: the beginning of a map's id will do. ``auto`` stays what it is."""
    return name if name in (None, "auto") else map_called(name)


MapOption = Annotated[
    str,
    typer.Option(
        "--map", metavar="MAP", callback=full_map_id, help="Which map, or how it begins; ontour-cv maps lists them."
    ),
]
RulesOption = Annotated[
    str | None,
    typer.Option("--rules", metavar="RULES", help="Which rules; ontour-cv maps lists them. Default: the map's own."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def read_board(words: Sequence[str], template: MapTemplate) -> BoardState:
    """The board that ``words`` spell or name; ``BadBoard`` when they do neither."""
    return parse_board(_text(words, like(template.ids, SHOWN)), template.ids)


def read_sheet(words: Sequence[str], template: MapTemplate) -> Sheet:
    """The sheet of Rolling America that ``words`` spell or name; ``BadBoard`` when they do neither."""
    return parse_sheet(_text(words, like(template.ids, sheet.SHOWN)), template.ids)


def read_city_board(words: Sequence[str], template: MapTemplate) -> CityBoard:
    """The board of New York that ``words`` spell or name; ``BadBoard`` when they do neither."""
    return parse_rows_checked(_text(words, like(template.ids, city_board.SHOWN)), template)


def parse_rows_checked(text: str, template: MapTemplate) -> CityBoard:
    """The board of New York written ``text``; ``BadBoard`` also for more boxes crossed off in a row than it has."""
    rows = template.city.tracks if template.city else {}
    board = parse_city_board(text, template.ids, max((MOST_BOXES, *map(len, rows.values()))))
    for letter, boxes in board.tracks.items():
        if boxes > len(rows[letter]):
            raise BadBoard(
                f"@{letter}={boxes}: the row of the {INSTRUMENTS[letter]} has {len(rows[letter])} boxes", "Count again."
            )
    return board


def _text(words: Sequence[str], example: str) -> str:
    if len(words) != 1:
        return " ".join(words)
    word, expected = words[0], f"regions and their marks, like {example.partition(' ')[0]}"
    if not word.strip():
        raise BadBoard(f"the board is empty; expected {expected}", f"Write a board like: {example}")
    if word == "-":
        return _decoded(sys.stdin.buffer.read(LARGEST_FILE + 1), "stdin", example)
    if _is_there(word):
        return _file_text(Path(word), example)
    if "=" in word:
        return word
    short = word if len(word) <= 60 else word[:59] + "…"
    raise BadBoard(
        f"{short!r} is neither a file nor a board; expected {expected}",
        f"Check the file's name. Write a board like: {example}",
    )


def _is_there(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # too long for a file name, or a NUL in it: so it is a board's text
        return False


def _file_text(path: Path, example: str) -> str:
    try:
        with path.open("rb") as file:
            return _decoded(file.read(LARGEST_FILE + 1), str(path), example)
    except OSError as fault:
        raise BadBoard(f"{path} cannot be read: {fault.strerror}", "Name a text file that holds a board.") from fault


def _decoded(content: bytes, name: str, example: str) -> str:
    # PowerShell's > writes UTF-16 on Windows, and other programs there a mark before UTF-8.
    encoding = "utf-16" if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as fault:
        raise BadBoard(
            f"{name} is not a text with a board; expected one like {example}", "For a photo: ontour-cv score."
        ) from fault
    if len(content) > LARGEST_FILE:
        raise BadBoard(f"{name} is too long for a board; expected at most {LARGEST_FILE} bytes", "Name another file.")
    return text
