"""Rolling America: games played by the rules, and the same sheets with slips, before the referee with the log.

``python -m bench.rolling`` measures and writes ``docs/rolling.md``; ``--games N``, ``--logs N``
and ``--slips N`` set how many are played, judged with their logs, and judged with a slip.
"""

from __future__ import annotations

import argparse
import platform
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ontour_cv.board import Kind, Mark
from ontour_cv.maps.load import load_map
from ontour_cv.referee.sheet import EFFORT, verify_sheet
from ontour_cv.referee.sheet_verdict import SheetVerdict
from ontour_cv.rules.rolling import sheet_problems, sheet_score
from ontour_cv.sheet import Sheet
from ontour_cv.synth.play_rolling import play_rolling

ROOT = Path(__file__).resolve().parents[1]
MAP = load_map("rolling-america")


@dataclass(frozen=True, slots=True)
class Row:
    """What became of some sheets: how often each answer, and the seconds of processor time."""

    name: str
    answers: Counter[str]
    seconds: tuple[float, ...]


def answer(verdict: SheetVerdict) -> str:
    """The verdict in a word."""
    if verdict.legal:
        return "legal"
    if verdict.decided:
        return "mistakes, the fewest proved"
    if verdict.slips:
        return "mistakes, perhaps not the fewest"
    return "proved not legal, nothing found" if verdict.at_least else "not decided"


def planted(sheet: Sheet, rng: random.Random) -> Sheet:
    """One number of the sheet written wrongly."""
    state = rng.choice([state for state, mark in sheet.marks.items() if mark.kind is Kind.NUMBER])
    old = sheet.marks[state]
    new = Mark(Kind.NUMBER, rng.choice([n for n in range(1, 7) if n != old.number]), old.circled)
    return Sheet(sheet.board.replace({state: new}), sheet.boxes)


def measure(games: int, logs: int, slips: int) -> tuple[list[Row], list[int], int]:
    """The rows, the Xs of every game, and how many honest sheets the referee accused without the log."""
    honest, wrong = Row("played by the rules", Counter(), ()), Row("one number changed", Counter(), ())
    times: tuple[list[float], list[float]] = ([], [])
    crosses, accused = [], 0
    for seed in range(games):
        game = play_rolling(MAP, random.Random(f"rolling {seed}"))
        accused += bool(sheet_problems(MAP, game.sheet))
        crosses.append(sheet_score(MAP, game.sheet).total)
        sheets = [(honest, times[0], game.sheet)] if seed < logs else []
        if seed < slips:
            sheets.append((wrong, times[1], planted(game.sheet, random.Random(seed))))
        for row, spent, sheet in sheets:
            start = time.process_time()
            row.answers[answer(verify_sheet(MAP, game.record, sheet))] += 1
            spent.append(time.process_time() - start)
        if seed % 50 == 49:
            print(seed + 1, dict(honest.answers), dict(wrong.answers), flush=True)
    rows = [
        Row(row.name, row.answers, tuple(spent)) for row, spent in zip((honest, wrong), times, strict=True) if spent
    ]
    return rows, crosses, accused


def page(rows: Sequence[Row], crosses: Sequence[int], accused: int) -> str:
    """``docs/rolling.md``."""
    lines = [
        "# Rolling America: the referee, measured",
        "",
        "Written by `python -m bench.rolling`; do not edit. What the referee does, and how the rules are read, "
        "stands in",
        "[rolling-america.md](rolling-america.md).",
        "",
        f"{len(crosses)} whole games, dealt by the dealer's bag and played by a simulator that knows the rules by "
        "itself:",
        f"{min(crosses)} to {max(crosses)} Xs, {sum(crosses) / len(crosses):.1f} on average. The sheet alone, "
        "without the",
        f"log: {accused} of {len(crosses)} accused. With the log, up to {EFFORT:,} places of the search a sheet; "
        "seconds of",
        f"processor time, Python {platform.python_version()} on {platform.machine()}:",
        "",
        "| sheets | number | answer | of them | p50 | p90 | max |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        ordered = sorted(row.seconds)
        picks = [ordered[len(ordered) // 2], ordered[len(ordered) * 9 // 10], ordered[-1]]
        times = " | ".join(f"{pick:.2f}" for pick in picks)
        for place, (name, number) in enumerate(row.answers.most_common()):
            head = f"{row.name} | {len(ordered)}" if place == 0 else " | "
            lines.append(f"| {head} | {name} | {number} | {times if place == 0 else ' |  | '} |")
    lines += [
        "",
        "A number changed can still be lawful: another use of the powers may explain the sheet. *Not decided* is "
        "said as",
        "such, with what is proved; nobody is accused by it. On small maps every verdict is compared with plain "
        "enumeration",
        "(`tests/referee/test_sheet.py`).",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--logs", type=int, default=1000)
    parser.add_argument("--slips", type=int, default=100)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "rolling.md")
    given = parser.parse_args()
    given.out.write_text(page(*measure(given.games, given.logs, given.slips)), encoding="utf-8")


if __name__ == "__main__":
    main()
