"""Writes docs/several.md from what ``bench.several`` measured; a test checks that they agree.

Usage: python -m bench.several_page
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench.rows import RESULTS, Row, read_rows
from bench.stats import Share, mean, table

PAGE = Path(__file__).resolve().parent.parent / "docs" / "several.md"

COLUMNS = ("read", "boards found", "cells right", "boards exact", "scores right", "silent errors", "doubtful a board",
           "asked a board")  # fmt: skip
"""What :func:`line` tells."""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(read_rows(RESULTS / "several.jsonl")), encoding="utf-8")


def page(rows: Sequence[Row]) -> str:
    """The whole page, Markdown."""
    head = """# Several photos of one board

Written by `python -m bench.several_page` from `bench/results/several.jsonl`; a test checks that they agree. Make the
figures again with `python -m bench.several`.
"""
    if not rows:
        return head + "\nNot measured yet.\n"
    tiers, models = (sorted({row[name] for row in rows}) for name in ("tier", "model"))
    names = list(rows[0]["ways"])
    lines = [line(name, rows) for name in names]
    return f"""{head}
{len(rows)} boards, {", ".join(tiers)} photos; every further photo shows the same ink by another camera pose in another
light. Network: `{", ".join(models)}`. Cells are marks with their circles, of boards that were found; a silent error is
a wrong cell that is not in `uncertain`; boards and scores count all boards.

{table(COLUMNS, lines)}
"""


def line(name: str, rows: Sequence[Row]) -> list[object]:
    """One way of reading, counted over all boards."""
    found = [(row, row["ways"][name]) for row in rows if row["ways"].get(name) is not None]
    cells = sum(row["cells"] for row, _ in found)
    wrong, silent = (sum(way[what] for _, way in found) for what in ("wrong", "silent"))
    doubtful, asked = (mean([float(way[what]) for _, way in found])[0] for what in ("uncertain", "ask"))
    return [
        name,
        Share(len(found), len(rows)).short(),
        Share(cells - wrong, cells).text(),
        Share(sum(not way["wrong"] for _, way in found), len(rows)).text(),
        Share(sum(way["score"] for _, way in found), len(rows)).text(),
        Share(silent, cells).text(),
        f"{doubtful:.2f}",
        f"{asked:.2f}",
    ]


if __name__ == "__main__":
    main()
