"""Shares with their uncertainty, and Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

Z95 = 1.959964
"""Normal quantile of a two-sided 95 % interval."""


@dataclass(frozen=True, slots=True)
class Share:
    """``hits`` of ``total``."""

    hits: int
    total: int

    @property
    def value(self) -> float:
        """The share itself; 0 of 0 is 0."""
        return self.hits / self.total if self.total else 0.0

    def interval(self) -> tuple[float, float]:
        """Its 95 % interval by Wilson (1927), sound near 0 and 1; (0, 1) for nothing measured."""
        if not self.total:
            return 0.0, 1.0
        n, p, z2 = self.total, self.value, Z95 * Z95
        middle = (p + z2 / (2 * n)) / (1 + z2 / n)
        half = Z95 * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n)
        low = 0.0 if self.hits == 0 else max(0.0, middle - half)
        high = 1.0 if self.hits == n else min(1.0, middle + half)
        return low, high

    def text(self) -> str:
        """As in ``99.81 % (99.7-99.9), 10231 of 10250``; a dash when nothing was measured."""
        if not self.total:
            return "-"
        low, high = self.interval()
        return f"{percent(self.value)} ({percent(low, unit='')}-{percent(high, unit='')}), {self.hits} of {self.total}"

    def short(self) -> str:
        """As in ``99.81 %``; a dash when nothing was measured."""
        return percent(self.value) if self.total else "-"


def percent(value: float, unit: str = " %") -> str:
    """A share in per cent: two decimals where they matter (near 0 and 100), else one; whole ends stay whole."""
    shown = 100 * value
    if shown in (0, 100):
        return f"{shown:.0f}{unit}"
    if shown < 0.1 or shown > 99.9:
        return f"{shown:.3f}{unit}"
    return f"{shown:.2f}{unit}" if shown < 3 or shown > 97 else f"{shown:.1f}{unit}"


def mean(values: Sequence[float]) -> tuple[float, float]:
    """Mean and half its 95 % interval (normal); (0, 0) for no values."""
    if not values:
        return 0.0, 0.0
    middle = sum(values) / len(values)
    if len(values) < 2:
        return middle, 0.0
    variance = sum((v - middle) ** 2 for v in values) / (len(values) - 1)
    return middle, Z95 * sqrt(variance / len(values))


def quantile(values: Iterable[float], share: float) -> float:
    """The smallest value that at least ``share`` of all do not exceed; 0 for no values."""
    ordered = sorted(values)
    if not ordered:
        return 0.0
    rank = -(-len(ordered) * share // 1)
    return ordered[min(len(ordered) - 1, max(0, int(rank) - 1))]


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; all columns but the first are aligned right."""
    rule = ["---", *("---:" for _ in head[1:])]
    lines = [list(head), rule, *([str(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
