"""How long the best tour takes on New York boards, random ones and the worst that search could construct.

``python -m bench.tour`` measures and writes ``docs/tour.md``; ``--boards N`` sets the random boards per row.
"""

from __future__ import annotations

import argparse
import itertools
import json
import platform
import random
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from cities import ROLLS, cp_sat_tour, load_city  # noqa: E402

from ontour_cv.maps.load import load_map  # noqa: E402
from ontour_cv.route import TourGraph, best_tour  # noqa: E402

WORST = ROOT / "tests" / "fixtures" / "routes"
MAP = "new-york-home"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of random boards: how many stars and ferries, and which numbers (None: all that dice give)."""

    name: str
    stars: range
    ferries: range
    numbers: tuple[int, ...] | None = None


KINDS = (
    Kind("0-8 stars, 2-6 ferries", range(9), range(2, 7)),
    Kind("9-15 stars, 2-8 ferries", range(9, 16), range(2, 9)),
    Kind("16-25 stars, 2-9 ferries", range(16, 26), range(2, 10)),
    Kind("26-43 stars, 2-9 ferries", range(26, 44), range(2, 10)),
    Kind("only 4 different numbers, 0-43 stars, 2-9 ferries", range(44), range(2, 10), (1, 2, 3, 4)),
    Kind("10-29 stars, 12-15 ferries", range(10, 30), range(12, 16)),
    Kind("0-43 stars, 16-30 ferries", range(44), range(16, 31)),
    Kind("0-43 stars, all 66 ferries", range(44), range(66, 67)),
)


def random_board(rng: random.Random, kind: Kind) -> TourGraph:
    """A full board: stars, numbers, ferries and soloists anywhere, without regard to the rules of play."""
    template = load_map(MAP)
    city = template.city
    assert city is not None
    names = template.ids
    place = {name: position for position, name in enumerate(names)}
    borough = {region.id: template.areas.index(region.areas[0]) for region in template.regions}
    pairs = [
        (one, two)
        for one, two in itertools.combinations(names, 2)
        if borough[one] != borough[two] and city.may_cross(one, two)
    ]
    near = {region.id: set(region.neighbours) for region in template.regions}
    for one, two in rng.sample(pairs, rng.choice(kind.ferries)):
        near[one].add(two)
        near[two].add(one)
    stars = rng.choice(kind.stars)
    marks = [None] * stars + [rng.choice(kind.numbers or ROLLS) for _ in names[stars:]]
    rng.shuffle(marks)
    tracks = tuple((0, *track) for track in city.tracks.values())
    return TourGraph(
        names=names,
        neighbours=tuple(tuple(sorted(place[other] for other in near[name])) for name in names),
        levels=tuple(marks),
        districts=tuple(borough[name] for name in names),
        kinds=tuple(rng.randrange(len(tracks)) if rng.random() < 0.45 else None for _ in names),
        tracks=tracks,
        district_count=len(template.areas),
        bonus=city.bonus,
    )


def random_rows(boards: int) -> Iterator[tuple[str, list[TourGraph]]]:
    """Name and boards of each row; the same ones every time."""
    for kind in KINDS:
        rng = random.Random(kind.name)
        yield kind.name, [random_board(rng, kind) for _ in range(boards)]


def measure(graphs: Sequence[TourGraph]) -> list[float]:
    """Seconds of processor time for each board's best tour, in increasing order."""
    times = []
    for graph in graphs:
        start = time.process_time()
        best_tour(graph)
        times.append(time.process_time() - start)
    return sorted(times)


def agreement(boards: int) -> int:
    """On how many of so many random boards CP-SAT finds another total."""
    rng = random.Random("agreement")
    graphs = [random_board(rng, KINDS[k % 2]) for k in range(boards)]
    return sum(best_tour(graph).total != cp_sat_tour(graph) for graph in graphs)


def page(rows: Sequence[tuple[str, list[float]]], compared: int, differ: int) -> str:
    """``docs/tour.md``."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    template = load_map(MAP)
    lines = [
        "# The best tour: how long it takes",
        "",
        "Written by `python -m bench.tour`; do not edit.",
        "",
        f"Full boards of {template.title} ({len(template.ids)} {template.space_plural}, {template.links} land links),",
        "filled at random without regard to the rules of play, ferries between any two at the same water. Milliseconds",
        f"of processor time in one process, everything loaded, Python {platform.python_version()} on",
        f"{platform.machine()}. Every answer is proved.",
        "",
        "| boards | number | p50 | p99 | max |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, times in rows:
        picks = (times[len(times) // 2], times[max(0, -(-99 * len(times) // 100) - 1)], times[-1])
        lines.append(f"| {name} | {len(times)} | " + " | ".join(f"{1000 * pick:,.0f}" for pick in picks) + " |")
    lines += [
        "",
        f"Peak memory of the process over all of it: {peak:.0f} MB.",
        "",
        "The worst boards are `tour-*.json` in `tests/fixtures/routes`: one with 8 ferries, by hill climbing over",
        "marks, soloists and ferries for the most labels in the sweep, and the slowest random one, with 15 ferries.",
        "",
        f"Compared with CP-SAT (constraint programming, no code shared) on {compared} random boards of 0 to 15",
        f"stars: {differ} differ.",
        "",
    ]
    return "\n".join(lines)


def main(words: list[str] | None = None) -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=100, help="random boards per row")
    parser.add_argument("--check", type=int, default=20, help="boards to compare with CP-SAT")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "tour.md")
    given = parser.parse_args(words)
    worst = [load_city(path)[0] for path in sorted(WORST.glob("tour-*.json"))]
    rows = []
    for name, graphs in [*random_rows(given.boards), ("worst found by search", worst)]:
        rows.append((name, measure(graphs)))
        print(json.dumps({"boards": name, "max_s": round(rows[-1][1][-1], 3)}), flush=True)
    given.out.write_text(page(rows, given.check, agreement(given.check)), encoding="utf-8")


if __name__ == "__main__":
    main()
