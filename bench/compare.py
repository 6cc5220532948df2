"""Two networks, or two versions of anything, on the same photos: rows of ``bench.accuracy`` side by side, by tier.

Usage: python -m bench.compare BEFORE.jsonl AFTER.jsonl...

Only photos in both count. Choose by boards of ``--split valid``; the published rows are there to be measured on. How
many photos one of them reads exactly and the other does not says whether a difference is more than chance: an exact
binomial test on these alone (McNemar 1947).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from math import comb
from pathlib import Path

from bench.rows import Row, read_rows
from bench.stats import mean, table

Rows = Mapping[str, Row]


def main(arguments: list[str] | None = None) -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(prog="python -m bench.compare", description=__doc__.splitlines()[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path, nargs="+", help="several files are taken together")
    options = parser.parse_args(arguments)
    before = keyed(options.before)
    after = {key: row for path in options.after for key, row in keyed(path).items()}
    print(comparison(before, after))


def keyed(path: Path) -> dict[str, Row]:
    """The rows of a file by their key.

    Raises:
        SystemExit: there are none.
    """
    rows = {row["key"]: row for row in read_rows(path)}
    if not rows:
        raise SystemExit(f"{path} has no rows: measure with bench.accuracy --out {path}")
    return rows


def comparison(before: Rows, after: Rows) -> str:
    """A Markdown table for each tier.

    Raises:
        SystemExit: no photo is in both.
    """
    shared = [key for key in before if key in after]
    if not shared:
        raise SystemExit("no photo is in both: the same --seed, --map and --tier?")
    parts = []
    for tier in sorted({before[key]["tier"] for key in shared}, reverse=True):
        keys = [key for key in shared if before[key]["tier"] == tier]
        old, new = [before[key] for key in keys], [after[key] for key in keys]
        lines = [[name, told(old), told(new)] for name, told in FIGURES.items()]
        turned = [exact(b) - exact(a) for a, b in zip(old, new, strict=True)]
        won, lost = turned.count(1), turned.count(-1)
        chance = f"read exactly now and not before: {won}; before and not now: {lost}; p = {sign_test(won, lost):.2g}"
        parts.append(f"{tier}, {len(keys)} photos; {chance}\n\n{table(['', 'before', 'after'], lines)}")
    return "\n\n".join(parts)


def exact(row: Row) -> bool:
    """True when every cell was read as it is, its circle too."""
    return bool(row["found"]) and not row["wrong"]


def sign_test(won: int, lost: int) -> float:
    """How probable so uneven a split is when both are as good: two-sided, exact; 1 for none."""
    n, least = won + lost, min(won, lost)
    return min(1.0, 2 * sum(comb(n, k) for k in range(least + 1)) / 2**n)


def _cells(rows: Sequence[Row]) -> list[list[str | float | int]]:
    return [cell for row in rows if row["found"] for cell in row["wrong"]]


def _circle(cell: Sequence[str | float | int]) -> bool:
    """True when only the circle is wrong."""
    return str(cell[1]).rstrip("o") == str(cell[2]).rstrip("o")


def _mean(name: str) -> Callable[[Sequence[Row]], str]:
    def told(rows: Sequence[Row]) -> str:
        values = [float(len(row[name]) if isinstance(row[name], list) else row[name]) for row in rows if row["found"]]
        return f"{mean(values)[0]:.2f}"

    return told


FIGURES: dict[str, Callable[[Sequence[Row]], str]] = {
    "found": lambda rows: str(sum(row["found"] for row in rows)),
    "read exactly": lambda rows: str(sum(map(exact, rows))),
    "marks wrong": lambda rows: str(sum(not _circle(cell) for cell in _cells(rows))),
    "only the circle wrong": lambda rows: str(sum(map(_circle, _cells(rows)))),
    "wrong without a doubt": lambda rows: str(sum(not cell[4] for cell in _cells(rows))),
    "score outside its range": lambda rows: str(
        sum(not row["low"] <= row["best"] <= row["high"] for row in rows if row["found"])
    ),
    "doubtful a photo": _mean("uncertain"),
    "asked a photo": _mean("ask"),
}
"""What is compared."""


if __name__ == "__main__":
    main()
