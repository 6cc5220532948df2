"""Writes docs/speed.md from what ``bench.speed`` measured."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from typing import Any

from bench.rows import RESULTS
from bench.stats import quantile, table

PAGE = Path(__file__).resolve().parent.parent / "docs" / "speed.md"

MOST_WARM_MS, MOST_RATIO, MOST_MB = 400, 3.0, 500
"""What must not be exceeded."""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(json.loads((RESULTS / "speed.json").read_text(encoding="utf-8"))), encoding="utf-8")


def page(result: dict[str, Any]) -> str:
    """The whole page, Markdown."""
    m, (width, height) = result["machine"], result["pixels"]
    versions = f"Python {m['python']}, OpenCV {m['opencv']}, numpy {m['numpy']}"
    return f"""# Speed

Written by `python -m bench.speed`; a test checks that it agrees with `bench/results/speed.json`.
Photos: {width} x {height} pixels, rendered, JPEG. One core, one thread: {m["processor"]}, {versions}.
Wall time counts what other programs took meanwhile; processor time does not.

{_summary(result)}
## Warm: one process, one photo after another ({result["photos"]} photos)

{_stages(result["warm"])}
## Whole process, beside the floor

`ontour-cv score photo.jpg --json` against `bench/floor.py`, which only decodes the JPEG, warps 41 known cells and runs
the network, by turns ({len(result["whole"]["ours"])} pairs, same interpreter).

{_whole(result["whole"])}"""


def _summary(result: dict[str, Any]) -> str:
    whole = result["whole"]
    wall, cpu = (median(lap[what] for lap in result["warm"]) for what in ("wall", "cpu"))
    ratio, ratio_cpu = (ratios(whole, what) for what in ("wall", "cpu"))
    peak = max(run["peak_mb"] for run in whole["ours"])
    lines = [
        ["warm, all stages, median", f"≤ {MOST_WARM_MS} ms", f"{wall:.0f} ms ({cpu:.0f} ms of processor)",
         _verdict(wall <= MOST_WARM_MS)],
        ["whole process / floor, median of pairs", f"≤ {MOST_RATIO:g}",
         f"{ratio:.2f} ({ratio_cpu:.2f} in processor time)", _verdict(ratio <= MOST_RATIO)],
        ["peak memory", f"< {MOST_MB} MB", f"{peak:.0f} MB", _verdict(peak < MOST_MB)],
    ]  # fmt: skip
    return table(["", "target", "measured", "met"], lines)


def _verdict(met: bool) -> str:
    return "yes" if met else "**no**"


def ratios(whole: dict[str, list[dict[str, float]]], name: str) -> float:
    """Median over pairs of ours divided by the floor's."""
    return median(a[name] / b[name] for a, b in zip(whole["ours"], whole["floor"], strict=True))


def _stages(warm: list[dict[str, float]]) -> str:
    stages = list(dict.fromkeys(stage for lap in warm for stage in lap))
    names = {"wall": "**all, wall**", "cpu": "**all, processor**"}
    lines = []
    for stage in stages:
        values = [lap.get(stage, 0.0) for lap in warm]
        told = (median(values), quantile(values, 0.9), max(values))
        lines.append([names.get(stage, stage), *(f"{ms:.1f}" for ms in told)])
    return table(["stage", "median ms", "90 %", "most"], lines)


def _whole(whole: dict[str, list[dict[str, float]]]) -> str:
    lines = []
    for name, title in (("floor", "floor"), ("ours", "ontour-cv score")):
        runs = whole[name]
        wall, cpu = (f"{1000 * median(run[what] for run in runs):.0f}" for what in ("wall", "cpu"))
        lines.append([title, wall, cpu, f"{max(run['peak_mb'] for run in runs):.0f}"])
    return table(["process", "wall ms, median", "processor ms, median", "peak MB"], lines)


if __name__ == "__main__":
    main()
