"""Writes docs/game.md from the rows in bench/results/game.jsonl; a test checks that they agree.

Usage: python -m bench.game_page
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from bench.rows import RESULTS, Row, read_rows
from bench.slips import KINDS
from bench.stats import Share, mean, quantile, table
from bench.targets import TIERS, bare, verdict

PAGE = Path(__file__).resolve().parent.parent / "docs" / "game.md"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(read_rows(RESULTS / "game.jsonl")), encoding="utf-8")


def page(rows: Sequence[Row]) -> str:
    """The whole page, Markdown."""
    fair = {tier: [row for row in rows if row["tier"] == tier and row["kind"] == "fair"] for tier in TIERS}
    slip = {tier: [row for row in rows if row["tier"] == tier and row["kind"] == "slip"] for tier in TIERS}
    parts = [_intro(rows, fair, slip)]
    for tier in TIERS:
        parts += [f"## {tier.capitalize()} photos, the same without and with the log\n", _readings(fair[tier])]
    everything = [row for some in fair.values() for row in some]
    planted = [row for some in slip.values() for row in some]
    parts += ["## Boards without a slip\n", _accused(fair), "## Boards with one planted slip\n", _by_tier(slip)]
    parts += ["By what was planted, all tiers:\n", _by_kind(planted), _times(everything + planted)]
    return "\n".join(parts)


def _intro(rows: Sequence[Row], fair: dict[str, list[Row]], slip: dict[str, list[Row]]) -> str:
    models = ", ".join(sorted({f"`{row['model']}`" for row in rows}))
    hands = {"recorded": "the recorded pen strokes of writers the network never saw", "own": "our own pen shapes"}
    whose = " and ".join(hands[name] for name in sorted({row["hands"] for row in rows}, reverse=True))
    counts = ", ".join(f"{len(fair[tier])} {tier} boards as played and {len(slip[tier])} with a slip" for tier in TIERS)
    return f"""# Reading with the log of the game

Written by `python -m bench.game_page` from `bench/results/game.jsonl`; a test checks that they agree. Make the figures
again with `python -m bench.game`.

Fresh rendered photos, tiers as in [accuracy.md](accuracy.md): {counts}.
Handwriting: {whose}. Network: {models}.

Boards not found count as wrong boards and have no cells. A silent error is a wrong mark or circle that is not in
`uncertain`. Slip prices and the limits of trust were set on other photos by other writers.
"""


def found(rows: Sequence[Row]) -> list[Row]:
    """Photos in which a board was found."""
    return [row for row in rows if row["found"]]


def cells_right(rows: Sequence[Row], how: str) -> Share:
    """Cells with number or sign and circle right; ``how`` is ``"alone"`` or ``"log"``."""
    total = sum(row[how]["cells"] for row in found(rows))
    return Share(total - sum(len(row[how]["wrong"]) for row in found(rows)), total)


def marks_right(rows: Sequence[Row], how: str) -> Share:
    """Cells with number or sign right, whatever the circle."""
    total = sum(row[how]["cells"] for row in found(rows))
    wrong = sum(bare(cell[1]) != bare(cell[2]) for row in found(rows) for cell in row[how]["wrong"])
    return Share(total - wrong, total)


def boards_right(rows: Sequence[Row], how: str) -> Share:
    """Boards read without any error."""
    return Share(sum(not row[how]["wrong"] for row in found(rows)), len(rows))


def scores_right(rows: Sequence[Row], how: str) -> Share:
    """Boards scored rightly without help."""
    return Share(sum(row[how]["best"] == row[how]["read"] for row in found(rows)), len(rows))


def silent(rows: Sequence[Row], how: str) -> Share:
    """Cells that are wrong and not in ``uncertain``."""
    total = sum(row[how]["cells"] for row in found(rows))
    return Share(sum(not cell[4] for row in found(rows) for cell in row[how]["wrong"]), total)


def asked(rows: Sequence[Row], how: str, what: str) -> tuple[float, float]:
    """Mean number of cells a board, and half its interval; ``what`` is ``"ask"`` or ``"uncertain"``."""
    values = [row[how][what] for row in found(rows)]
    return mean([float(value if isinstance(value, int) else len(value)) for value in values])


def named(row: Row) -> str:
    """How the planted slip was brought up: ``"told"`` for sure, ``"asked"`` as a question, or ``"missed"``.

    A slip counts as brought up when it is one that the referee names with the true board before it.
    """
    true = set(row["slips"])
    if row["found"] and row["fits"]:
        if true & set(row["told"]):
            return "told"
        if true & {*row["asked"], *row["pointed"], *row["others"]}:
            return "asked"
    return "missed"


SHARES: tuple[tuple[str, Callable[[Sequence[Row], str], Share]], ...] = (
    ("cells right, mark and circle", cells_right),
    ("marks right", marks_right),
    ("boards exactly right", boards_right),
    ("scores right without help", scores_right),
    ("silent errors, cells", silent),
)


def _readings(rows: Sequence[Row]) -> str:
    lines = [[name, share(rows, "alone").text(), share(rows, "log").text()] for name, share in SHARES]
    for name, what in (("cells asked (`ask`), mean per board", "ask"), ("cells in doubt, mean per board", "uncertain")):
        pair = [asked(rows, how, what) for how in ("alone", "log")]
        lines.append([name, *(f"{middle:.2f} ± {half:.2f}" for middle, half in pair)])
    met = ""
    if rows and rows[0]["tier"] == "hard":
        right, ask = boards_right(rows, "log").value, asked(rows, "log", "ask")[0]
        met = f"\nWanted with the log: boards exactly right ≥ 98 %: {verdict(right >= 0.98, rows)}; "
        met += f"cells asked ≤ 0.3: {verdict(ask <= 0.3, rows)}.\n"
    return table(["", "without", "with the log"], lines) + met


def _accused(fair: dict[str, list[Row]]) -> str:
    lines: list[list[object]] = []
    for tier, some in fair.items():
        rows = [row for row in found(some) if row["lawful"]]
        lines.append([
            tier, len(rows), sum(bool(row["told"]) for row in rows), sum(bool(row["asked"]) for row in rows),
            sum(bool(row["pointed"]) for row in rows), sum(not row["fits"] for row in rows),
        ])  # fmt: skip
    head = ["", "lawful boards", "accused", "asked about a slip", "a doubt pointed out", "taken for another game's"]
    met = verdict(all(not line[2] for line in lines), [row for some in fair.values() for row in some])
    return table(head, lines) + f"\nWanted: none accused: {met}.\n"


def _by_tier(slip: dict[str, list[Row]]) -> str:
    every = [row for some in slip.values() for row in some]
    return table(_HEAD, [[name, *_counts(some)] for name, some in (*slip.items(), ("all", every))]) + (
        "\n*Lawful all the same*: the board can have come about without a slip: nothing to say. Of the others,\n"
        "*told*: named as a slip; *asked*: named as a question, because a state is in doubt. Wanted of all: told or\n"
        f"asked ≥ 99 %: {verdict(brought_up(every).value >= 0.99, _broken(every))}.\n"
    )


def _by_kind(rows: Sequence[Row]) -> str:
    return table(_HEAD, [[words, *_counts([r for r in rows if r["planted"] == kind])] for kind, words in KINDS.items()])


_HEAD = ["planted", "photos", "lawful all the same", "told", "asked", "told or asked"]


def _counts(rows: Sequence[Row]) -> list[object]:
    ways = [named(row) for row in _broken(rows)]
    lawful = sum(row["lawful"] for row in rows)
    return [len(rows), lawful, ways.count("told"), ways.count("asked"), brought_up(rows).text()]


def brought_up(rows: Sequence[Row]) -> Share:
    """Boards whose slip is told or asked about, of those that have no lawful explanation."""
    ways = [named(row) for row in _broken(rows)]
    return Share(len(ways) - ways.count("missed"), len(ways))


def _broken(rows: Sequence[Row]) -> list[Row]:
    return [row for row in found(rows) if not row["lawful"]]


def _times(rows: Sequence[Row]) -> str:
    values = [row["ms"][1] for row in found(rows)]
    return (
        "\nProcessor time for everything that comes after the network (decoding, referee, route, questions), with the\n"
        f"log: median {quantile(values, 0.5):.0f} ms, 90 % {quantile(values, 0.9):.0f} ms, "
        f"99 % {quantile(values, 0.99):.0f} ms, measured while other programs ran.\n"
    )


if __name__ == "__main__":
    main()
