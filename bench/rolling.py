"""Rolling America: games played by the rules, and the same sheets with a slip, before the referee with the log.

Usage: python -m bench.rolling [--games 1000] [--start N] [--stop N]

A row a game, written as it comes; a stopped run goes on. In every tenth game a number of the sheet is also changed and
judged. Then docs/rolling.md is written from all rows.
"""

from __future__ import annotations

import argparse
import platform
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from bench.rows import RESULTS, Row, RowWriter, read_rows
from bench.stats import quantile, table
from ontour_cv.board import Kind, Mark
from ontour_cv.dealer.record import GameRecord
from ontour_cv.maps.load import load_map
from ontour_cv.maps.model import MapTemplate
from ontour_cv.referee.sheet import EFFORT, verify_sheet
from ontour_cv.referee.sheet_verdict import SheetVerdict
from ontour_cv.rules.rolling import sheet_problems, sheet_score
from ontour_cv.sheet import Sheet
from ontour_cv.synth.play_rolling import play_rolling

PAGE = Path(__file__).resolve().parents[1] / "docs" / "rolling.md"

PLANTED = 10
"""In every so many games a slip is planted, too."""


def main(arguments: list[str] | None = None) -> None:
    """Play and judge as the command line asks, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.rolling", description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--stop", type=int)
    parser.add_argument("--out", type=Path, default=RESULTS / "rolling.jsonl")
    given = parser.parse_args(arguments)
    writer = RowWriter(given.out)
    for k in range(given.start, given.games if given.stop is None else given.stop):
        if f"rolling-{k:05d}" not in writer:
            row = play_one(k)
            writer.append(row)
            if row["alone"] or row["honest"]["answer"].startswith("mistakes") or k % 50 == 49:
                print(row, file=sys.stderr, flush=True)
    if given.out == RESULTS / "rolling.jsonl":
        PAGE.write_text(page(read_rows(given.out)), encoding="utf-8")


@cache
def rolling_map() -> MapTemplate:
    """The map."""
    return load_map("rolling-america")


def play_one(k: int) -> Row:
    """Game ``k``, judged with its log; every tenth with a slip as well."""
    template = rolling_map()
    game = play_rolling(template, random.Random(f"rolling {k}"))
    row: Row = {
        "key": f"rolling-{k:05d}",
        "xs": sheet_score(template, game.sheet).total,
        "alone": len(sheet_problems(template, game.sheet)),
        "honest": judged(game.record, game.sheet),
        "machine": f"Python {platform.python_version()} on {platform.machine()}",
    }
    return row | ({"planted": judged(game.record, planted(game.sheet, random.Random(k)))} if k % PLANTED == 0 else {})


def judged(record: GameRecord, sheet: Sheet) -> Row:
    """The referee's answer, and the seconds of processor time it took."""
    start = time.process_time()
    verdict = verify_sheet(rolling_map(), record, sheet)
    return {"answer": answer(verdict), "s": round(time.process_time() - start, 3)}


def answer(verdict: SheetVerdict) -> str:
    """The verdict in a few words."""
    if verdict.legal:
        return "legal"
    if verdict.decided:
        return "mistakes, the fewest proved"
    if not verdict.at_least:
        return "not decided"
    return "mistakes, perhaps not the fewest" if verdict.slips else "proved not legal, nothing found"


def planted(sheet: Sheet, rng: random.Random) -> Sheet:
    """One number of the sheet written wrongly."""
    state = rng.choice([state for state, mark in sheet.marks.items() if mark.kind is Kind.NUMBER])
    old = sheet.marks[state]
    new = Mark(Kind.NUMBER, rng.choice([n for n in range(1, 7) if n != old.number]), old.circled)
    return Sheet(sheet.board.replace({state: new}), sheet.boxes)


def page(rows: Sequence[Row]) -> str:
    """``docs/rolling.md``."""
    crosses = [row["xs"] for row in rows]
    lines = [*_lines("played by the rules", [row["honest"] for row in rows])]
    lines += _lines("one number changed", [row["planted"] for row in rows if "planted" in row])
    heads = ["sheets", "number", "answer", "of them", "p50", "p90", "max"]
    accused = sum(row["alone"] > 0 for row in rows)
    machines = ", ".join(sorted({row["machine"] for row in rows}))
    return f"""# Rolling America: the referee, measured

Written by `python -m bench.rolling` from `bench/results/rolling.jsonl`; a test checks that they agree. What the referee
does, and how the rules are read, stands in [rolling-america.md](rolling-america.md).

{len(rows)} whole games, dealt by the dealer's bag and played by a simulator that knows the rules by itself:
{min(crosses)} to {max(crosses)} Xs, {sum(crosses) / len(crosses):.1f} on average. The sheet alone, without the log:
{accused} of {len(rows)} accused. With the log, up to {EFFORT:,} places of the search a sheet; seconds of processor
time, {machines}:

{table(heads, lines)}
A number changed can still be lawful: another use of the powers may explain the sheet. *Not decided* is said as such,
with what is proved; nobody is accused by it. On small maps every verdict is compared with plain enumeration
(`tests/referee/test_sheet.py`).
"""


def _lines(name: str, found: Sequence[Row]) -> list[list[object]]:
    """A line per answer, the commonest first; the times stand on the first."""
    if not found:
        return []
    seconds = [one["s"] for one in found]
    times = [f"{value:.2f}" for value in (quantile(seconds, 0.5), quantile(seconds, 0.9), max(seconds))]
    counts = Counter(one["answer"] for one in found).most_common()
    return [
        [
            name if place == 0 else "",
            len(found) if place == 0 else "",
            word,
            number,
            *(times if place == 0 else [""] * 3),
        ]
        for place, (word, number) in enumerate(counts)
    ]


if __name__ == "__main__":
    main()
