"""Where errors come from: by hazard on the cell, by condition of the photo, by digit, by stage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from bench.measure import HAZARDS
from bench.rows import Row
from bench.stats import Share, quantile, table
from bench.targets import bare, boards_right, cells_right, found, located, silent_cells, wrong_circle, wrong_mark


def cell_hazards(rows: Sequence[Row]) -> str:
    """Cells by what lies on them, Markdown; a cell with two hazards counts in both."""
    names = {"none": "none of these", **HAZARDS}
    lines = []
    for name, words in names.items():
        total = sum(row["hazard_cells"][name] for row in found(rows))
        hit = [cell for row in found(rows) for cell in row["wrong"] if _lies_on(name, str(cell[5]))]
        marks, circles = sum(map(wrong_mark, hit)), sum(map(wrong_circle, hit))
        silent = sum(not cell[4] for cell in hit)
        title = words if name in ("none", words) else f"{name}: {words}"
        lines.append([title, total, Share(marks, total).short(), Share(circles, total).short(), silent])
    return table(["hazard on the cell", "cells", "mark wrong", "circle wrong", "silent"], lines)


def _lies_on(name: str, hazards: str) -> bool:
    listed = set(hazards.split(",")) - {""}
    return listed <= {"circled"} if name == "none" else name in listed


Group = Callable[[Row], str]

GROUPS: Mapping[str, Group] = {
    "edition": lambda row: "nobody measured it" if "jitter" in row["edition"] else "known",
    "palette": lambda row: str(row["scene"]["palette"]),
    "tilt": lambda row: _band(float(row["scene"]["tilt_deg"]), (10, 20, 30, 40), "°"),
    "disc radius": lambda row: _band(float(row["radius_px"]), (16, 20, 30, 45), " px"),
    "discs in glare": lambda row: str(int(row["scene"]["glare_discs"])),
    "deepest shadow": lambda row: _band(100 * float(row["scene"]["shadow"]), (20, 40, 60), " %"),
    "strokes of notes on discs": lambda row: _band(float(row["scene"]["notes"]), (1, 10, 25), ""),
}
"""Conditions of a photo, each sorting photos into named groups."""


def _band(value: float, edges: Sequence[float], unit: str) -> str:
    """The interval a value lies in, in words."""
    if value < edges[0]:
        return f"below {edges[0]:g}{unit}"
    for low, high in pairwise(edges):
        if value < high:
            return f"{low:g}-{high:g}{unit}"
    return f"{edges[-1]:g}{unit} and more"


def photo_conditions(rows: Sequence[Row]) -> str:
    """Photos by what they were like, Markdown."""
    lines = []
    for title, group in GROUPS.items():
        groups: dict[str, list[Row]] = {}
        for row in rows:
            groups.setdefault(group(row), []).append(row)
        for name in sorted(groups, key=_band_order):
            some = groups[name]
            shares = (located(some), cells_right(some), boards_right(some))
            lines.append([f"{title}: {name}", len(some), *(s.short() for s in shares), silent_cells(some).hits])
    return table(["photos with", "photos", "located", "cells right", "boards right", "silent errors"], lines)


def _band_order(name: str) -> tuple[int, float, str]:
    number = name.removeprefix("below ").split("-")[0].split(" ")[0].rstrip("°")
    if not number.replace(".", "").isdigit():
        return 1, 0.0, name
    return 0, float(number) - (0.5 if name.startswith("below") else 0.0), name


def confusions(rows: Sequence[Row], most: int = 15) -> str:
    """The commonest misreadings, Markdown: digits where one digit is wrong, else whole marks."""
    counts: Counter[tuple[str, str]] = Counter()
    for row in found(rows):
        for cell in row["wrong"]:
            counts.update(differences(str(cell[1]), str(cell[2])))
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]
    return table(["written", "read as", "times"], [[a, b, n] for (a, b), n in ranked])


def differences(written: str, read: str) -> list[tuple[str, str]]:
    """What went wrong between two marks in board notation, as pairs of names."""
    pairs = []
    a, b = bare(written), bare(read)
    if a != b:
        if a.isdigit() and b.isdigit():
            pairs += [(x, y) for x, y in zip(a, b, strict=True) if x != y]
        else:
            names = {".": "empty", "*": "star", "x": "X", "?": "unread"}
            pairs.append((names.get(a, "number"), names.get(b, "number")))
    if written.endswith("o") != read.endswith("o"):
        pairs.append(("circle", "no circle") if written.endswith("o") else ("no circle", "circle"))
    return pairs


def pair_law(rows: Sequence[Row]) -> str:
    """What decoding the board as a whole brings, Markdown."""
    total = sum(row["cells"] for row in found(rows))
    alone = sum(row["alone"] for row in found(rows))
    right = cells_right(rows)
    lines = [
        ["each cell by itself", Share(alone, total).text()],
        ["the board as a whole", Share(total - right.hits, total).text()],
    ]
    return table(["numbers and signs decoded", "wrong"], lines)


def stage_times(rows: Sequence[Row]) -> str:
    """Milliseconds per stage, Markdown."""
    stages = list(dict.fromkeys(stage for row in found(rows) for stage in row["ms"]))
    lines = []
    for stage in stages:
        values = [float(row["ms"].get(stage, 0.0)) for row in found(rows)]
        lines.append([stage, *(f"{quantile(values, q):.1f}" for q in (0.5, 0.9, 0.99))])
    totals = [sum(row["ms"].values()) for row in found(rows)]
    lines.append(["**all**", *(f"{quantile(totals, q):.0f}" for q in (0.5, 0.9, 0.99))])
    return table(["stage", "median ms", "90 %", "99 %"], lines)
