"""``python -m bench.cities_page``: docs/cities-accuracy.md from the rows of ``bench.cities``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench.cities import NEW_YORK, PARIS, TIERS, exact, silent
from bench.rows import RESULTS, Row, read_rows
from bench.stats import Share, quantile, table

PAGE = Path(__file__).resolve().parent.parent / "docs" / "cities-accuracy.md"

PLACES = 43
"""Neighbourhoods of New York, each with four boxes."""

WANTED = {"cells right": 0.997, "ferries found": 0.99, "ferries not invented": 0.99, "soloists right": 0.995}
"""Asked for on ordinary photos of New York."""

HEAD = """# Photos of New York and Paris: how well they are read

Written by `python -m bench.cities_page` from `bench/results/cities.jsonl`, which `python -m bench.cities` measures; do
not edit.

Boards are played by the rules, printed in colour or as line art, and written by {hands};
then they are photographed, laid on {tables}. Soloists are ticked, crossed, filled or ringed, and
by every fifth player written as letters beside the numbers; ferries are drawn straight, bent, wobbly, dashed or in
another pen, wiped ink is left standing, and on many boards the player drew the route, too. How players of this board
draw is not known; all of that is invented. In brackets the 95 % interval.

- *Ferries found*: of those drawn; *ferries not invented*: of those read.
- *Soloists right*: of all neighbourhoods, whether there is one and which; *of those there*: where there is one;
  *of the written ones*: where it is a letter (half of the letters' shapes were never trained on).
- *Rows right*: boxes crossed off in a row, of the rows told; a row that is not sure is left out.
- *Exact*: every disc, ferry and soloist. *Silent*: something of that read wrongly without a doubt.
"""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(read_rows(RESULTS / "cities.jsonl")), encoding="utf-8")


def page(rows: Sequence[Row]) -> str:
    """The page's text."""
    recorded = any(row["hands"] == "recorded" for row in rows)
    hands = "recorded writers never trained on" if recorded else "hands made up by this project"
    tables = "photos of tables" if any(row["tables"] == "photos" for row in rows) else "made-up tables"
    parts = [HEAD.format(hands=hands, tables=tables)]
    new_york = [row for row in rows if row["map"] == NEW_YORK]
    if new_york:
        parts += [
            "## New York\n",
            table(["", *_names(new_york)], _new_york(new_york)),
            _wanted(new_york),
            _errors(new_york),
        ]
    paris = [row for row in rows if row["map"] == PARIS]
    if paris:
        parts += ["## Paris\n", table(["", *_names(paris)], _discs(paris))]
    return "\n".join(parts)


def _names(rows: Sequence[Row]) -> list[str]:
    """The tiers that were measured."""
    return [tier for tier in TIERS if any(row["tier"] == tier for row in rows)]


def _tiers(rows: Sequence[Row]) -> list[list[Row]]:
    return [[row for row in rows if row["tier"] == tier] for tier in _names(rows)]


def _line(name: str, shares: Sequence[Share]) -> list[str]:
    return [name, *(share.text() for share in shares)]


def _discs(rows: Sequence[Row]) -> list[list[str]]:
    tiers = _tiers(rows)
    found = [[row for row in tier if row["found"]] for tier in tiers]
    return [
        ["photos", *(str(len(tier)) for tier in tiers)],
        _line("located", [Share(sum(row["located"] for row in tier), len(tier)) for tier in tiers]),
        _line("cells right", [figures(tier)["cells right"] for tier in found]),
        _line("exact", [Share(sum(exact(row) for row in tier), len(tier)) for tier in tiers]),
        _line("something silent", [Share(sum(silent(row) > 0 for row in tier), len(tier)) for tier in found]),
        ["asked, a photo", *(f"{sum(r['ask'] for r in tier) / max(len(tier), 1):.2f}" for tier in found)],
        _line("score right, or asked", [Share(sum(_safe(row) for row in tier), len(tier)) for tier in found]),
        _line("score inside the range", [Share(sum(_inside(row) for row in tier), len(tier)) for tier in found]),
        ["milliseconds, median", *(f"{quantile((r['ms'] for r in tier), 0.5):.0f}" for tier in found)],
    ]


def _new_york(rows: Sequence[Row]) -> list[list[str]]:
    discs = _discs(rows)
    found = [[row for row in tier if row["found"]] for tier in _tiers(rows)]
    told = [figures(tier) for tier in found]
    names = (
        "ferries found", "ferries not invented", "soloists right", "of those there", "of the written ones",
        "rows right",
    )  # fmt: skip
    return [*discs[:3], *(_line(name, [one.get(name, Share(0, 0)) for one in told]) for name in names), *discs[3:]]


def _safe(row: Row) -> bool:
    return bool(row["read"] == row["best"] or row["ask"])


def _inside(row: Row) -> bool:
    return bool(row["low"] <= row["best"] <= row["high"])


def figures(rows: Sequence[Row]) -> dict[str, Share]:
    """The shares of the page, by name, over photos with a board."""
    cells = sum(row["cells"] for row in rows)
    shares = {"cells right": Share(cells - sum(len(row["wrong"]) for row in rows), cells)}
    if not rows or "ferries" not in rows[0]:
        return shares
    drawn = sum(row["ferries"] for row in rows)
    hit = drawn - sum(len(row["missed"]) for row in rows)
    invented = sum(len(row["invented"]) for row in rows)
    wrong = [one for row in rows for one in row["wrong_soloists"]]
    there, written = _there(rows), [row for row in rows if row["letters"]]
    crossed = [one for row in rows for one in row["wrong_rows"]]
    untold = sum(1 for _, _, seen in crossed if seen is None)
    rows_told = 4 * len(rows) - untold
    return shares | {
        "ferries found": Share(hit, drawn),
        "ferries not invented": Share(hit, hit + invented),
        "soloists right": Share(PLACES * len(rows) - len(wrong), PLACES * len(rows)),
        "of those there": Share(there - _missed(rows), there),
        "of the written ones": Share(_there(written) - _missed(written), _there(written)),
        "rows right": Share(rows_told - (len(crossed) - untold), rows_told),
    }


def _there(rows: Sequence[Row]) -> int:
    """Soloists on the boards."""
    return sum(row["soloists"] for row in rows)


def _missed(rows: Sequence[Row]) -> int:
    """Those of them that were read as none or as another one."""
    return sum(1 for row in rows for _, true, _, _ in row["wrong_soloists"] if true)


def _wanted(rows: Sequence[Row]) -> str:
    told = figures([row for row in rows if row["tier"] == "ordinary" and row["found"]])
    missed = [name for name, wanted in WANTED.items() if name in told and told[name].value < wanted]
    asked = ", ".join(f"{name} {wanted:.1%}".replace("%", " %") for name, wanted in WANTED.items())
    verdict = "All are met." if not missed else f"**Not met:** {', '.join(missed)}."
    return f"Wanted on ordinary photos: {asked}. {verdict}\n"


def _errors(rows: Sequence[Row]) -> str:
    lines = []
    for name, pick in (
        ("ferry missed", lambda row: [(one[0], one[1]) for one in row["missed"]]),
        ("ferry invented", lambda row: [(one[0], one[1]) for one in row["invented"]]),
        ("soloist wrong", lambda row: [(one[0], one[3]) for one in row["wrong_soloists"]]),
        ("disc wrong", lambda row: [(one[0], one[3]) for one in row["wrong"]]),
    ):
        counts = []
        for tier in _tiers(rows):
            ones = Counter(doubt for row in tier if row["found"] for _, doubt in pick(row))
            counts.append(f"{ones[1]} doubted, {ones[0]} not")
        lines.append([name, *counts])
    return "What was wrong, and whether it was doubted:\n\n" + table(["", *_names(rows)], lines)


if __name__ == "__main__":
    main()
