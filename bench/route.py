"""How long the best route takes, on random boards and on the worst that search could construct.

``python -m bench.route`` measures and writes ``docs/route.md``; ``--boards N`` sets the random boards per row.
"""

from __future__ import annotations

import argparse
import platform
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from graphs import paris, paris_board, paris_graph, usa, usa_board, usa_graph  # noqa: E402
from oracles import cp_sat_best  # noqa: E402

from ontour_cv.route import RouteGraph, best_route, best_routes, best_total  # noqa: E402
from ontour_cv.route.best import MEMORIES  # noqa: E402
from ontour_cv.route.memo import search  # noqa: E402
from ontour_cv.route.subsets import best_of_sets  # noqa: E402
from ontour_cv.route.sweep import best_score  # noqa: E402
from ontour_cv.route.task import prepare  # noqa: E402

WORST = ROOT / "tests" / "fixtures" / "routes"
STARS = (range(0, 9), range(9, 16), range(16, 21), range(21, 26), range(26, 37), range(37, 42))
PARIS_STARS = (range(0, 8), range(8, 13), range(13, 17), range(17, 21))


@dataclass(frozen=True, slots=True)
class Row:
    """The measurements of one kind of boards, seconds of processor time; ``hard``: how many the memo search gave up."""

    name: str
    one: tuple[float, ...]
    every: tuple[float, ...]
    total: tuple[float, ...]
    hard: int


def random_rows(boards: int) -> Iterator[tuple[str, list[RouteGraph]]]:
    """Name and boards of each row of random USA boards; the same ones every time."""
    for stars in STARS:
        rng = random.Random(f"stars {stars.start}")
        some = [usa_board(rng, rng.choice(stars)) for _ in range(boards)]
        yield f"{stars.start}-{stars.stop - 1} stars", list(map(usa_graph, some))
    for greatest in (12, 4, 1):
        rng = random.Random(f"ties {greatest}")
        numbers = list(range(1, greatest + 1))
        name = f"only {greatest} different numbers" if greatest > 1 else "one number only"
        some = [usa_board(rng, rng.randint(0, 41), numbers) for _ in range(boards)]
        yield f"{name}, 0-41 stars", list(map(usa_graph, some))


def paris_rows(boards: int) -> Iterator[tuple[str, list[RouteGraph]]]:
    """Likewise of Paris."""
    for stars in PARIS_STARS:
        rng = random.Random(f"paris {stars.start}")
        some = [paris_board(rng, rng.choice(stars)) for _ in range(boards)]
        yield f"{stars.start}-{stars.stop - 1} stars", list(map(paris_graph, some))
    rng = random.Random("paris ties")
    some = [paris_board(rng, rng.randint(0, 20), [1, 2, 3, 4]) for _ in range(boards)]
    yield "only 4 different numbers, 0-20 stars", list(map(paris_graph, some))


def measure(name: str, graphs: Sequence[RouteGraph]) -> Row:
    """Time the three questions on each board; listing all best routes on every third only when there are many."""
    best_route(graphs[0])
    listed = graphs if len(graphs) < 50 else graphs[::3]
    best_total.cache_clear()
    return Row(
        name,
        tuple(_seconds(best_route, graph) for graph in graphs),
        tuple(_seconds(best_routes, graph) for graph in listed),
        tuple(_seconds(best_total, graph) for graph in listed),
        sum(search(prepare(graph), MEMORIES) is None for graph in graphs),
    )


def agreement(boards: int) -> tuple[int, int]:
    """On how many random boards CP-SAT and both own methods were compared, and on how many they differed."""
    rng = random.Random("agreement")
    differ = 0
    for _ in range(boards):
        graph = usa_graph(usa_board(rng, rng.randint(0, 18), rng.choice([None, None, list(range(1, 13))])))
        task = prepare(graph)
        truth = cp_sat_best(graph.neighbours, graph.levels, graph.bonus)
        own = {best_score(task), search(task, 10**9) or 0}
        differ += {(task.total(score), task.circles(score)) for score in own} != {truth} or len(own) > 1
    return boards, differ


def paris_agreement(boards: int) -> tuple[int, int]:
    """The same for Paris, with up to 20 stars."""
    rng = random.Random("agreement")
    differ = 0
    for _ in range(boards):
        graph = paris_graph(paris_board(rng, rng.randint(0, 20), rng.choice([None, None, [1, 2, 3, 4, 5]])))
        task = prepare(graph)
        score = best_of_sets(task)
        truth = cp_sat_best(graph.neighbours, graph.levels, graph.bonus)
        differ += (task.total(score), task.circles(score)) != truth or best_total(graph) != truth[0]
    return boards, differ


def page(rows: Sequence[Row], paris_: Sequence[Row], compared: tuple[int, int], compared_: tuple[int, int]) -> str:
    """``docs/route.md``."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"""# The best route: how long it takes

Written by `python -m bench.route`; do not edit.

Full boards of the {usa().title} map ({len(usa().regions)} states, {usa().links} links), filled at
random without regard to the rules of play. Milliseconds of processor time in one process, everything loaded,
Python {platform.python_version()} on {platform.machine()}. *One route* is what scoring asks for, *total*
what is asked of many like boards to find the doubtful cells that matter, *all* counts every best route
exactly and lists up to 1,000. The memo search settles most boards; *hard* says how many needed the frontier
sweep (more than {MEMORIES:,} memories). Every answer is proved.

{_table(rows)}

The worst boards are those in `tests/fixtures/routes`, found by hill climbing over marks and circles for the
most states in the sweep.

Compared with CP-SAT (constraint programming, no code shared) on {compared[0]} random boards of 0 to 18
stars, by both methods: {compared[1]} differ.

## Paris

Likewise full boards of {paris().title}: few places ({len(paris().regions)}), with many links, since boats go from any
stop to any other. *Hard* boards are settled by dynamic programming over sets of places.

{_table(paris_)}

The worst boards are those in `tests/fixtures/routes/paris`, the slowest of some hundred random ones. Compared with
CP-SAT on {compared_[0]} random boards of 0 to 20 stars: {compared_[1]} differ.

Peak memory of the process over all of it: {peak:.0f} MB.
"""


def main(words: list[str] | None = None) -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=300, help="random boards per row")
    parser.add_argument("--check", type=int, default=60, help="boards to compare with CP-SAT")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "route.md")
    given = parser.parse_args(words)
    worst = ("worst found by search", [usa_graph(text) for text in _stored(WORST)])
    paris_worst = ("worst found by search", [paris_graph(text) for text in _stored(WORST / "paris")])
    rows = _measured([*random_rows(given.boards), worst])
    paris_ = _measured([*paris_rows(given.boards), paris_worst])
    given.out.write_text(page(rows, paris_, agreement(given.check), paris_agreement(given.check)), encoding="utf-8")


def _stored(folder: Path) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))]


def _measured(kinds: Sequence[tuple[str, list[RouteGraph]]]) -> list[Row]:
    rows = []
    for name, graphs in kinds:
        rows.append(measure(name, graphs))
        print(f"{name}: one route max {max(rows[-1].one):.3f} s, all max {max(rows[-1].every):.3f} s", flush=True)
    return rows


def _table(rows: Sequence[Row]) -> str:
    lines = [
        "| boards | number | hard | one route: p50 | p99 | max | total: p50 | p99 | max | all: p50 | p99 | max |",
        "| --- " * 12 + "|",
    ]
    for row in rows:
        spreads = " | ".join(_spread(times) for times in (row.one, row.total, row.every))
        lines.append(f"| {row.name} | {len(row.one)} | {row.hard} | {spreads} |")
    return "\n".join(lines)


def _seconds(ask: Callable[[RouteGraph], object], graph: RouteGraph) -> float:
    start = time.process_time()
    ask(graph)
    return time.process_time() - start


def _spread(seconds: Sequence[float]) -> str:
    """Median, 99th percentile (nearest rank) and maximum in milliseconds."""
    ordered = sorted(seconds)
    picks = (ordered[len(ordered) // 2], ordered[max(0, -(-99 * len(ordered) // 100) - 1)], ordered[-1])
    return " | ".join(f"{1000 * pick:.1f}" if pick < 0.1 else f"{1000 * pick:,.0f}" for pick in picks)


if __name__ == "__main__":
    main()
