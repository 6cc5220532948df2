"""How commands print: a console for people, JSON for programs."""

from __future__ import annotations

import json
import sys
import textwrap
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

PLAIN_WIDTH = 120
"""Columns when the output goes into a file or another program."""


def make_console(stderr: bool = False) -> Console:
    """A console that is plain where nobody looks: no colours, no wrapping at a guess."""
    from rich.console import Console

    console = Console(stderr=stderr, highlight=False)
    return console if console.is_terminal else Console(stderr=stderr, highlight=False, width=PLAIN_WIDTH)


def make_table(title: str, console: Console) -> Table:
    """A table with its title on the left, ruled where somebody looks; without a title it has no headings either."""
    from rich import box
    from rich.table import Table

    style = box.ROUNDED if console.is_terminal else None
    return Table(
        title=title or None, title_justify="left", box=style, header_style="bold", pad_edge=bool(style),
        show_header=bool(title),
    )  # fmt: skip


def print_route(stops: Iterable[str], console: Console) -> None:
    """The stops with arrows between, broken only between stops and only where somebody looks."""
    arrow = " → " if "utf" in console.encoding.lower() else " > "
    # textwrap, unlike rich, does not break at a no-break space.
    text = arrow.join(stop.replace(" ", "\N{NO-BREAK SPACE}") for stop in stops)
    lines = textwrap.wrap(text, console.width) if console.is_terminal else [text]
    for line in lines:
        console.print(line, markup=False, soft_wrap=True)


def print_paragraph(text: str, console: Console) -> None:
    """A sentence or more: wrapped where somebody looks, one line elsewhere."""
    console.print(text, markup=False, soft_wrap=not console.is_terminal)


def print_indented(text: str, console: Console, glue: str = "") -> None:
    """Text set in by four columns, wrapped at blanks; ``glue`` prints as a blank but does not break."""
    from rich.text import Text

    for line in textwrap.wrap(text, max(console.width - 4, 20), break_long_words=False, break_on_hyphens=False):
        console.print(Text("    " + (line.replace(glue, " ") if glue else line)), soft_wrap=True)


def printable(text: str) -> str:
    """A file's name as it is told: what would move the cursor or colour the terminal is a ``?``."""
    return "".join("?" if unicodedata.category(sign) == "Cc" else sign for sign in text)


def counted(number: int, noun: str) -> str:
    """So many of something: ``1 point``, ``2 points``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def percent(p: float) -> str:
    """A probability in words: never 0 or 100 %."""
    return "<1 %" if p < 0.01 else ">99 %" if p > 0.99 else f"{p:.0%}".replace("%", " %")


def print_json(value: object) -> None:
    """``value`` as indented JSON on stdout."""
    plain = "utf" not in (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=plain) + "\n")
