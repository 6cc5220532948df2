"""The hardest boards known are still solved and counted exactly, in seconds."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from graphs import usa_graph

from ontour_cv.route import best_route, best_routes, best_total

BOARDS = sorted((Path(__file__).parents[1] / "fixtures" / "routes").glob("*.txt"))
GENEROUS_S = 30.0
"""Processor seconds for one question; the figures proper are in docs/route.md."""


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_the_hardest_boards_are_solved_and_counted(path: Path) -> None:
    """Total, circles and number of best routes as noted, all three questions at one, far from running away."""
    text = path.read_text(encoding="utf-8")
    total, circles, count = map(int, re.findall(r"\d+", text.splitlines()[0]))
    graph = usa_graph(text)
    start = time.process_time()
    found = best_routes(graph, limit=3)
    assert time.process_time() - start < GENEROUS_S
    assert (found.total, found.circles, found.count) == (total, circles, count)
    assert best_route(graph) == found.routes[0]
    assert best_total(graph) == total


def test_there_are_hard_boards_to_test() -> None:
    """The folder was found."""
    assert len(BOARDS) >= 5
