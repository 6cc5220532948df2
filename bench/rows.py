"""Result files: one JSON object a line, appended as it is measured, so that a run that was stopped goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]
"""One measured thing; ``key`` names it within its file."""

RESULTS = Path(__file__).with_name("results")
"""Where result files lie unless told otherwise."""


def read_rows(path: Path) -> list[Row]:
    """The rows of a file in the order of their keys, the last of each key; none when there is no such file.

    Raises:
        ValueError: a line other than the last is damaged; the last may have been cut off by a stopped run.
    """
    if not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    rows: dict[str, Row] = {}
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
        except ValueError as error:
            if number == len(lines):
                break
            raise ValueError(f"{path}:{number} is no JSON: {error}") from error
        rows[row["key"]] = row
    return [rows[key] for key in sorted(rows)]


class RowWriter:
    """Appends rows to a file; what it already holds is not measured again.

    Args:
        path: the file; made with its folder when missing. A line that a stopped run left half written is dropped.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        done = read_rows(path)
        self._keys = {row["key"] for row in done}
        if path.is_file() and not path.read_bytes().endswith(b"\n"):
            path.write_text("".join(as_line(row) for row in done), encoding="utf-8")
        self._path = path

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def missing(self, keys: list[str]) -> Iterator[str]:
        """Those of ``keys`` that are not in the file."""
        return (key for key in keys if key not in self._keys)

    def append(self, row: Row) -> None:
        """Adds a row, on disk when this returns."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(as_line(row))
        self._keys.add(row["key"])


def as_line(row: Row) -> str:
    """A row as one compact line."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"
