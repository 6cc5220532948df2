"""What has to be reached, and what was: the first table of docs/accuracy.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.rows import Row
from bench.stats import Share, mean, percent, table

TIERS = ("ordinary", "hard")
"""The tiers with targets, in the order of the table's columns."""


def found(rows: Sequence[Row]) -> list[Row]:
    """Photos in which a board was found, rightly placed or not."""
    return [row for row in rows if row["found"]]


def marks_right(row: Row) -> bool:
    """Every mark and circle right, where the board lies."""
    return bool(row["located"]) and not row["wrong"]


def wrong_mark(cell: Sequence[object]) -> bool:
    """True when number or sign are wrong; False when only the circle is. ``cell`` is an entry of ``row["wrong"]``."""
    return bare(cell[1]) != bare(cell[2])


def wrong_circle(cell: Sequence[object]) -> bool:
    """True when the circle is wrong, whatever the mark."""
    return str(cell[1]).endswith("o") != str(cell[2]).endswith("o")


def bare(mark: object) -> str:
    """Board notation without the circle."""
    return str(mark).removesuffix("o")


def located(rows: Sequence[Row]) -> Share:
    """Photos whose board was found where it is."""
    return Share(sum(row["located"] for row in rows), len(rows))


def cells_right(rows: Sequence[Row]) -> Share:
    """Cells with the right number or sign, of all photos in which a board was found."""
    wrong = sum(wrong_mark(cell) for row in found(rows) for cell in row["wrong"])
    total = sum(row["cells"] for row in found(rows))
    return Share(total - wrong, total)


def circles_right(rows: Sequence[Row]) -> Share:
    """Cells rightly called circled or not circled."""
    wrong = sum(wrong_circle(cell) for row in found(rows) for cell in row["wrong"])
    total = sum(row["cells"] for row in found(rows))
    return Share(total - wrong, total)


def drawn_circles_read(rows: Sequence[Row]) -> Share:
    """Of the circles players drew, those that were read."""
    missed = sum(str(cell[1]).endswith("o") and wrong_circle(cell) for row in found(rows) for cell in row["wrong"])
    total = sum(row["circled"] for row in found(rows))
    return Share(total - missed, total)


def boards_right(rows: Sequence[Row]) -> Share:
    """Photos read without any error; one in which no board was found is not."""
    return Share(sum(row["found"] and marks_right(row) for row in rows), len(rows))


def silent_cells(rows: Sequence[Row]) -> Share:
    """Cells with a wrong mark or circle that are not listed as uncertain."""
    silent = sum(not cell[4] for row in found(rows) for cell in row["wrong"])
    return Share(silent, sum(row["cells"] for row in found(rows)))


def silent_scores(rows: Sequence[Row]) -> Share:
    """Photos with a wrong score and nothing asked."""
    return Share(sum(row["read"] != row["best"] and row["ask"] == 0 for row in found(rows)), len(rows))


def scores_right(rows: Sequence[Row]) -> Share:
    """Photos scored rightly without help."""
    return Share(sum(row["read"] == row["best"] for row in found(rows)), len(rows))


def scores_in_range(rows: Sequence[Row]) -> Share:
    """Photos whose true score lies in ``score_range``, of those in which a board was found."""
    return Share(sum(row["low"] <= row["best"] <= row["high"] for row in found(rows)), len(found(rows)))


@dataclass(frozen=True, slots=True)
class Target:
    """One line of the table.

    Attributes:
        name: what is counted.
        share: how.
        bounds: the target of each tier, a share.
        least: True when the bound is the least allowed, False when the most.
    """

    name: str
    share: Callable[[Sequence[Row]], Share]
    bounds: tuple[float, float]
    least: bool = True

    def asked_for(self, tier: int) -> str:
        """The bound in words."""
        bound = self.bounds[tier]
        return percent(bound) if bound == 1 else f"{'≥' if self.least else '≤'} {100 * bound:g} %"

    def met(self, rows: Sequence[Row], tier: int) -> bool:
        """True when the measured share itself (not its interval) keeps the bound."""
        value = self.share(rows).value
        return value >= self.bounds[tier] if self.least else value <= self.bounds[tier]


TARGETS = (
    Target("photos located", located, (1.0, 0.99)),
    Target("cells right without help", cells_right, (0.998, 0.993)),
    Target("circles right", circles_right, (0.997, 0.99)),
    Target("boards exactly right without help", boards_right, (0.95, 0.85)),
    Target("silent errors (wrong and not in `uncertain`), cells", silent_cells, (0.0005, 0.001), least=False),
    Target("score wrong and `ask` empty, photos", silent_scores, (0.005, 0.01), least=False),
)
"""The shares that have to be reached."""

OTHER_MAPS = (
    Target("photos located", located, (1.0, 0.99)),
    Target("cells right without help", cells_right, (0.997, 0.99)),
    Target("circles right", circles_right, (0.997, 0.99)),
    Target("boards exactly right without help", boards_right, (0.93, 0.80)),
    Target("silent errors (wrong and not in `uncertain`), cells", silent_cells, (0.001, 0.001), least=False),
)
"""The shares that have to be reached on every map but the first."""

MOST_ASKED = (0.5, 2.0)
"""Cells in ``ask``, mean per board, that each tier may need."""

MORE = (
    ("drawn circles read", drawn_circles_read),
    ("scores right without help", scores_right),
    ("true score within `score_range`", scores_in_range),
)
"""Figures without a target."""


def target_table(tiers: Sequence[Sequence[Row]], targets: Sequence[Target] = TARGETS) -> str:
    """Target and measurement per tier, Markdown; ``tiers`` holds the rows of each of ``TIERS``."""
    lines = []
    for target in targets:
        line = [target.name]
        for k, rows in enumerate(tiers):
            line += [target.asked_for(k), target.share(rows).text(), verdict(target.met(rows, k), rows)]
        lines.append(line)
    asked = ["cells asked (`ask`), mean per board"]
    for k, rows in enumerate(tiers):
        middle, half = mean([float(row["ask"]) for row in found(rows)])
        met = middle <= MOST_ASKED[k]
        asked += [f"≤ {MOST_ASKED[k]:g}", f"{middle:.2f} ± {half:.2f}", verdict(met, rows)]
    lines.append(asked)
    in_all = ["the same until nothing is open, each question answered"]
    for rows in tiers:
        middle, half = mean([float(row.get("ask_all", row["ask"])) for row in found(rows)])
        in_all += ["", f"{middle:.2f} ± {half:.2f}", ""]
    lines.append(in_all)
    for name, share in MORE:
        lines.append([name, *(part for rows in tiers for part in ("", share(rows).text(), ""))])
    head = ["", *(part for tier in TIERS for part in (f"{tier}: target", "measured (95 % interval)", "met"))]
    return table(head, lines)


def verdict(met: bool, rows: Sequence[Row]) -> str:
    """In a word."""
    return ("yes" if met else "**no**") if rows else "-"
