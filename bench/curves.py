"""How far confidences can be trusted: reliability, and errors against the share of cells set aside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor, log10

from bench.measure import bin_confidence
from bench.rows import Row
from bench.stats import Share, percent, table
from bench.targets import found

Point = tuple[float, float]

LINES = (("#1f6f8b", "ordinary"), ("#c2571a", "hard"))
"""Colour and tier of the curves."""

BANDS = (0, 1, 2, 4, 6, 8, 12, 16, 20)
"""Bins (quarter decades of doubt) at which the bands of the reliability table begin."""


def pooled(rows: Sequence[Row]) -> dict[int, tuple[int, int]]:
    """Bin -> cells and right cells over all photos."""
    bins: dict[int, tuple[int, int]] = {}
    for row in found(rows):
        for name, (count, right) in row["bins"].items():
            n, k = bins.get(int(name), (0, 0))
            bins[int(name)] = (n + count, k + right)
    return dict(sorted(bins.items()))


def reliability(rows: Sequence[Row]) -> str:
    """Claimed confidence against the share of cells (mark and circle) that were right, Markdown."""
    bins = pooled(rows)
    lines = []
    for low, high in zip(BANDS, [*BANDS[1:], 99], strict=True):
        total = sum(n for k, (n, _) in bins.items() if low <= k < high)
        right = sum(r for k, (_, r) in bins.items() if low <= k < high)
        top = "100 %" if high == 99 else percent(bin_confidence(high))
        lines.append([f"{percent(bin_confidence(low))} to {top}", total, Share(right, total).text()])
    return table(["confidence", "cells", "right"], lines)


def reject_curve(rows: Sequence[Row]) -> list[Point]:
    """Error-reject curve: (share of cells set aside, share of errors in the rest), the least sure set aside first."""
    bins = pooled(rows)
    total = sum(n for n, _ in bins.values())
    left, wrong = total, sum(n - right for n, right in bins.values())
    points = [(0.0, wrong / total)] if total else []
    for count, right in bins.values():
        left, wrong = left - count, wrong - (count - right)
        if left:
            points.append((1 - left / total, wrong / left))
    return points


def reject_table(tiers: Mapping[str, Sequence[Row]]) -> str:
    """Errors that stay when a share of all cells is asked about, Markdown."""
    curves = {name: reject_curve(rows) for name, rows in tiers.items()}
    lines = []
    for aside in (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1):
        lines.append([percent(aside), *(_at(curve, aside) for curve in curves.values())])
    return table(["cells set aside", *(f"errors left, {name}" for name in curves)], lines)


def _at(curve: Sequence[Point], aside: float) -> str:
    """Errors left when at most this share is set aside, in words."""
    kept = [rate for share, rate in curve if share <= aside + 1e-12]
    return percent(kept[-1]) if kept else "-"


WIDTH, HEIGHT = 640, 400
LEFT, TOP, RIGHT, BOTTOM = 78, 24, 20, 52
FLOOR = 1e-5
"""Errors below this share are drawn on the axis: more cells would be needed to tell."""


def reject_chart(tiers: Mapping[str, Sequence[Row]]) -> str:
    """The error-reject curves as an SVG picture; both axes are logarithmic."""
    x_low, x_high, y_high = 1e-4, 0.3, 0.1
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13">',
        "<title>Errors left against cells set aside</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for x in (1e-4, 1e-3, 1e-2, 1e-1):
        at = _x(x, x_low, x_high)
        parts.append(_rule(at, TOP, at, HEIGHT - BOTTOM))
        parts.append(_text(at, HEIGHT - BOTTOM + 18, percent_tick(x), "middle"))
    for exponent in range(floor(log10(FLOOR)), 0):
        at = _y(10.0**exponent, y_high)
        parts.append(_rule(LEFT, at, WIDTH - RIGHT, at))
        parts.append(_text(LEFT - 8, at + 4, percent_tick(10.0**exponent), "end"))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "cells set aside, the least sure first", "middle"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(f'<text x="18" y="{middle}" transform="rotate(-90 18 {middle})" text-anchor="middle" fill="#333">'
                 "wrong cells among the rest</text>")  # fmt: skip
    for k, (colour, name) in enumerate(LINES):
        steps = _steps(reject_curve(tiers.get(name, ())), x_high)
        spots = " ".join(f"{_x(x, x_low, x_high):.1f},{_y(y, y_high):.1f}" for x, y in steps)
        parts.append(f'<polyline points="{spots}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        x, y = LEFT + 20, HEIGHT - BOTTOM - 50 + 20 * k
        parts.append(f'<line x1="{x}" y1="{y}" x2="{x + 26}" y2="{y}" stroke="{colour}" stroke-width="3"/>')
        parts.append(_text(x + 34, y + 4, name, "start"))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _steps(curve: Sequence[Point], most: float) -> list[Point]:
    """The curve as stairs up to ``most``: setting aside part of a bin is not promised to help."""
    stairs: list[Point] = []
    for share, rate in curve:
        if stairs:
            stairs.append((min(share, most), stairs[-1][1]))
        if share > most:
            break
        stairs.append((share, rate))
    return stairs


def percent_tick(value: float) -> str:
    """A power of ten as per cent."""
    return f"{100 * value:g} %"


def _x(share: float, low: float, high: float) -> float:
    part = (log10(min(max(share, low), high)) - log10(low)) / (log10(high) - log10(low))
    return LEFT + part * (WIDTH - LEFT - RIGHT)


def _y(rate: float, high: float) -> float:
    part = (log10(min(max(rate, FLOOR), high)) - log10(FLOOR)) / (log10(high) - log10(FLOOR))
    return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#ddd"/>'


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#333">{words}</text>'
