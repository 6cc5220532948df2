"""Writes docs/sheets.md from the rows in bench/results; a test checks that they agree.

Usage: python -m bench.sheets_page
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench.rows import RESULTS, Row, read_rows
from bench.sheets import TIERS
from bench.stats import Share, percent, quantile, table

PAGE = Path(__file__).resolve().parent.parent / "docs" / "sheets.md"

WANTED = {"ordinary": (0.997, 0.93, 0.001), "hard": (0.99, 0.80, None)}
"""Targets of each tier: cells right, sheets exactly right, silent errors at most."""

INTRO = """# Reading sheets of Rolling America, measured

Written by `python -m bench.sheets_page` from `bench/results/sheets.jsonl`; a test checks that they agree. The rows are
made by `python -m bench.sheets`.

Every photo is rendered: a played game (a fifth with slips), a pencil, pen or felt tip, a sheet of this project's own
drawing in the published sheet's proportions (coloured, pale, grey), lying on a table, curled or folded, photographed.
The writers were never trained on, and three in five of them write in long states wherever there is room; recorded 1s
that lie on their side were left out. *Hard* photos are dim, tilted up to 45 degrees, turned any way, strongly curled,
with faint pencils and other sheets beside. **Real photos have not been measured: there were none.**

A sheet is *exactly right* when all 50 states, the circles, the crossed boxes and the written number are. A *silent*
error is a wrong state that no doubt was told about.
"""


def main() -> None:
    """Write the page."""
    rows, refusals = read_rows(RESULTS / "sheets.jsonl"), read_rows(RESULTS / "sheets-refusal.jsonl")
    PAGE.write_text(page(rows, refusals), encoding="utf-8")


def page(rows: Sequence[Row], refusals: Sequence[Row]) -> str:
    """The whole page, Markdown."""
    tiers = {tier: [row for row in rows if row["tier"] == tier] for tier in TIERS}
    parts = [INTRO, _origin(rows), _figures(tiers), _unmet(tiers), _wrong(tiers), _refused(refusals)]
    return "\n".join(part for part in parts if part)


def _origin(rows: Sequence[Row]) -> str:
    models = sorted({row["model"] for row in rows})
    hands, tables = {row["hands"] for row in rows}, {row["tables"] for row in rows}
    return (
        f"Network {', '.join(models)}; handwriting: {', '.join(sorted(hands))}; tables: {', '.join(sorted(tables))}.\n"
    )


def _figures(tiers: dict[str, list[Row]]) -> str:
    names = [
        "photos",
        "located",
        "states right",
        "circles right",
        "sheets exactly right",
        "sheets with all states right",
        "silent errors",
        "box rows right",
        "score right",
        "true score inside the range",
        "states in doubt a sheet",
        "asked a sheet",
        "milliseconds of one core (median, 9 in 10)",
    ]
    columns = [_column(tier, rows) for tier, rows in tiers.items()]
    head = ["", *(tier.capitalize() for tier in tiers)]
    return table(head, [[name, *(column[k] for column in columns)] for k, name in enumerate(names)])


def _column(tier: str, rows: Sequence[Row]) -> list[str]:
    cells_wanted, exact_wanted, silent_wanted = WANTED[tier]
    found = [row for row in rows if row["located"]]
    cells = sum(row["cells"] for row in found)
    wrong = [cell for row in found for cell in row["wrong"]]
    silent = sum(not cell[4] for cell in wrong)
    exact = sum(not row["wrong"] and not row["boxes"] for row in found)
    states = sum(not row["wrong"] for row in found)
    rings = sum(cell[1].endswith("o") != cell[2].endswith("o") for cell in wrong)
    boxes = sum(row["boxes_read"] for row in found)
    wrong_boxes = sum(len(row["boxes"]) for row in found)
    inside = sum(row["low"] <= row["best"] <= row["high"] for row in found)
    times = [row["cpu_ms"] for row in found]
    doubts = sum(sum(not name.startswith("@") for name in row["uncertain"]) for row in found)
    count = max(1, len(found))
    most = "" if silent_wanted is None else f" (wanted: {percent(silent_wanted)} or less)"
    return [
        str(len(rows)),
        Share(len(found), len(rows)).text(),
        f"{Share(cells - len(wrong), cells).text()} (wanted: {percent(cells_wanted)})",
        Share(cells - rings, cells).text(),
        f"{Share(exact, len(rows)).text()} (wanted: {percent(exact_wanted)})",
        Share(states, len(rows)).text(),
        f"{Share(silent, cells).text()}{most}",
        Share(boxes - wrong_boxes, boxes).text(),
        Share(sum(row["best"] == row["read"] for row in found), len(rows)).text(),
        Share(inside, len(found)).text(),
        f"{doubts / count:.2f}",
        f"{sum(row['ask'] for row in found) / count:.2f}",
        f"{quantile(times, 0.5):.0f}, {quantile(times, 0.9):.0f}",
    ]


def _unmet(tiers: dict[str, list[Row]]) -> str:
    """Which targets are missed, in words."""
    missed = []
    for tier, rows in tiers.items():
        cells_wanted, exact_wanted, silent_wanted = WANTED[tier]
        found = [row for row in rows if row["located"]]
        cells = sum(row["cells"] for row in found)
        wrong = [cell for row in found for cell in row["wrong"]]
        exact = sum(not row["wrong"] and not row["boxes"] for row in found)
        silent = sum(not cell[4] for cell in wrong)
        missed += [f"states right ({tier})"] * (cells - len(wrong) < cells_wanted * cells)
        missed += [f"sheets exactly right ({tier})"] * (exact < exact_wanted * len(rows))
        missed += [f"silent errors ({tier})"] * (silent_wanted is not None and silent > silent_wanted * cells)
    if not missed:
        return "Every target is met.\n"
    return f"**Targets not met:** {', '.join(missed)}.\n"


def _wrong(tiers: dict[str, list[Row]]) -> str:
    parts = ["## What goes wrong\n"]
    for tier, rows in tiers.items():
        found = [row for row in rows if row["located"]]
        kinds = Counter(_kind(cell[1], cell[2]) for row in found for cell in row["wrong"])
        mended = Counter(cell[5] for row in found for cell in row["wrong"])
        lines = [[name, count] for name, count in kinds.most_common()]
        parts.append(f"{tier.capitalize()}:\n")
        parts.append(table(["error", "states"], lines) if lines else "No state was wrong.\n")
        if mended:
            told = ", ".join(f"{name} {count}" for name, count in mended.most_common())
            parts.append(f"By what had been done to the state: {told}.\n")
    return "\n".join(parts)


def _kind(true: str, read: str) -> str:
    if read == "?":
        return "not in the picture, or unread"
    if true.rstrip("o") == read.rstrip("o"):
        return "circle missed" if true.endswith("o") else "circle imagined"
    names = {"x": "X", ".": "blank"}
    one, other = (names.get(text.rstrip("o"), "number") for text in (true, read))
    return "another number" if one == other == "number" else f"{one} read as {other}"


def _refused(refusals: Sequence[Row]) -> str:
    if not refusals:
        return ""
    kinds = sorted({row["kind"] for row in refusals})
    lines = []
    for kind in kinds:
        some = [row for row in refusals if row["kind"] == kind]
        lines.append([kind, len(some), sum(row["sheet"] for row in some), max(row["log_odds"] for row in some)])
    head = ["picture", "photos", "taken for a sheet", "highest evidence"]
    return "## Pictures without a sheet\n\nEach was searched for a sheet.\n\n" + table(head, lines)


if __name__ == "__main__":
    main()
