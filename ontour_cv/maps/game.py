"""Which game a map is for, as far as the file of its rules says: maps know no rules, and ``rules.load`` reads them."""

from __future__ import annotations

import tomllib

from ontour_cv import resources

SHEETS = "rolling-america"
"""The game of maps that are sheets, whose regions have colours, as files of rules name it."""


def game_of(rules: str) -> str | None:
    """The game of the rules called ``rules``; None when no file tells, whose faults whoever plays by it is told."""
    seen: set[str] = set()
    while rules not in seen:
        seen.add(rules)
        try:
            table = tomllib.loads(_file_text(rules))
        except (OSError, ValueError):
            return None
        if "game" in table:
            return str(table["game"])
        rules = str(table.get("extends"))
    return None


def _file_text(rules: str) -> str:
    """The text of the file of these rules; empty without one."""
    folders = (resources.rules_dir(), *resources.extra_rules_dirs())
    paths = (folder / f"{rules}.toml" for folder in folders)
    path = next((path for path in paths if path.is_file() and path.stem == rules), None)
    return "" if path is None else path.read_text(encoding="utf-8")
