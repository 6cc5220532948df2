"""Writes docs/cli.md from the help pages of the program itself; a test compares the two.

Usage: python docs/make_cli.py
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).with_name("cli.md")
TITLE = """# The command line

Written by `python docs/make_cli.py` from `ontour-cv --help`; a test checks that it is up to date.
"""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """The whole page, Markdown."""
    from typer.main import get_command

    from ontour_cv.cli.app import app

    pages = _pages(get_command(app))
    return "\n".join([TITLE, *(_block(" ".join(("ontour-cv", *words)), _help(*words)) for words in pages)])


def _pages(command: Any, *words: str) -> Iterator[tuple[str, ...]]:
    """The words that call a command, and those of every command below it."""
    yield words
    for name, below in getattr(command, "commands", {}).items():
        yield from _pages(below, *words, name)


def _block(title: str, text: str) -> str:
    return f"## {title}\n\n```text\n{text}\n```\n"


def _help(*command: str) -> str:
    """A help page as it looks 100 columns wide, without colours, wherever this runs."""
    plain = {"TERMINAL_WIDTH": "100", "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "PYTHONUTF8": "1"}
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "PYTHONPATH") if name in os.environ}
    program = [sys.executable, "-m", "ontour_cv", *command, "--help"]
    root = Path(__file__).resolve().parent.parent
    done = subprocess.run(program, env=kept | plain, cwd=root, capture_output=True, encoding="utf-8", check=True)
    return "\n".join(line.rstrip() for line in done.stdout.strip("\n").splitlines())


if __name__ == "__main__":
    main()
