"""The best route over sets of places: against brute force, the other methods, and constraint programming."""

from __future__ import annotations

import random
import re
import time
from itertools import islice
from pathlib import Path

import pytest
from graphs import paris_board, paris_graph, small_graph
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import brute_force_routes, cp_sat_best, lawful

from ontour_cv.route import best, best_route, best_routes, best_total, subset_count, subsets
from ontour_cv.route.memo import search
from ontour_cv.route.subset_count import count_routes
from ontour_cv.route.subsets import best_of_sets, ranked, sets_worth
from ontour_cv.route.sweep import all_best
from ontour_cv.route.task import prepare, route_of

EVERYTHING = 10**9
BOARDS = sorted((Path(__file__).parents[1] / "fixtures" / "routes" / "paris").glob("*.txt"))
GENEROUS_S = 30.0
"""Processor seconds for one question; the figures proper are in docs/route.md."""


@pytest.mark.parametrize("batch", range(4))
@pytest.mark.parametrize("written_out", [14, 40, subsets.WRITTEN_OUT])
def test_every_answer_is_that_of_brute_force_on_small_graphs(
    batch: int, written_out: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Score, number and order of all best routes, also when most links have to be decided one by one."""
    monkeypatch.setattr(subsets, "WRITTEN_OUT", written_out)
    monkeypatch.setattr(subset_count, "LOWER", 1 + batch)
    rng = random.Random(f"sets {batch}")
    for _ in range(300):
        graph = small_graph(rng)
        total, circles, routes = brute_force_routes(graph.names, graph.neighbours, graph.levels, graph.bonus)
        task = prepare(graph)
        score = best_of_sets(task)
        assert (task.total(score), task.circles(score)) == (total, circles)
        if len(routes[0]) > 1:
            assert [route_of(task, score + links).places for links in ranked(task, score)] == routes
            assert count_routes(task, score) == len(routes)


@pytest.mark.parametrize("stars", [0, 3, 6, 9, 12])
def test_it_gives_the_memo_searchs_route_on_whole_paris_boards(stars: int) -> None:
    """The very same one among equally good ones."""
    rng = random.Random(stars)
    for _ in range(3):
        task = prepare(paris_graph(paris_board(rng, stars, rng.choice([None, [1, 2, 3, 4, 5, 6, 7]]))))
        score = best_of_sets(task)
        assert search(task, EVERYTHING) == score + next(ranked(task, score))


@pytest.mark.parametrize("stars", [1, 4, 7])
def test_it_lists_and_counts_as_the_sweep_does_on_whole_paris_boards(stars: int) -> None:
    """Every best route, in order."""
    task = prepare(paris_graph(paris_board(random.Random(stars), stars)))
    score = best_of_sets(task)
    swept = all_best(task, score)
    assert count_routes(task, score) == swept.count
    assert list(ranked(task, score)) == [swept.links(position) for position in range(swept.count)]


@pytest.mark.parametrize("stars", [2, 8, 16, 19])
def test_whole_paris_boards_agree_with_constraint_programming(stars: int) -> None:
    """Total and circles, by a solver that shares nothing with ours."""
    graph = paris_graph(paris_board(random.Random(100 + stars), stars, blocked=1))
    route = best_route(graph)
    assert (route.total, route.circles) == cp_sat_best(graph.neighbours, graph.levels, graph.bonus)


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_the_hardest_boards_of_paris_are_solved_counted_and_listed(path: Path) -> None:
    """Total, circles and number of routes as noted; the routes listed are lawful, different and worth it."""
    text = path.read_text(encoding="utf-8")
    graph = paris_graph(text)
    start = time.process_time()
    found = best_routes(graph, limit=50)
    assert time.process_time() - start < GENEROUS_S
    assert [found.total, found.circles, found.count] == [int(n) for n in re.findall(r"\d+", text.splitlines()[0])]
    assert best_total(graph) == found.total
    assert best_route(graph) == found.routes[0]
    place = {name: position for position, name in enumerate(graph.names)}
    for route in found.routes:
        steps = [place[name] for name in route.places]
        assert lawful(steps, graph.neighbours, graph.levels)
        assert (len(steps), sum(graph.bonus[p] for p in steps)) == (found.visited, found.circles)
    links = [sorted(tuple(sorted(pair)) for pair in zip(r.places, r.places[1:], strict=False)) for r in found.routes]
    assert links == sorted(links)
    assert len(set(map(tuple, links))) == len(links) == 50


def test_there_are_hard_boards_of_paris_to_test() -> None:
    """The folder was found."""
    assert len(BOARDS) >= 4


@settings(max_examples=60)
@given(
    st.sets(st.integers(1, 255), min_size=1), st.lists(st.integers(1, 5), min_size=8, max_size=8), st.integers(0, 40)
)
def test_the_sets_worth_a_score_are_those_whose_points_sum_up_to_it(
    sets: set[int], points: list[int], score: int
) -> None:
    """Against adding up each."""
    worth = {places: sum(points[p] for p in range(8) if places >> p & 1) for places in sets}
    found = sets_worth(sum(1 << places for places in sets), points, score)
    assert sorted(found) == sorted(places for places in sets if worth[places] >= score)


def test_paris_with_many_stars_goes_through_subsets_and_few_stars_do_not_need_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The quick method is asked first."""
    asked: list[int] = []
    monkeypatch.setattr(best, "best_of_sets", lambda task: asked.append(1) or best_of_sets(task))
    best_route(paris_graph(paris_board(random.Random(3), 3)))
    assert not asked
    best_route(paris_graph(paris_board(random.Random(17), 17)))
    assert asked


def test_links_are_listed_as_many_as_asked_for() -> None:
    """A list of best routes is cut off and says so; the count stays exact."""
    graph = paris_graph(paris_board(random.Random(12), 12, blocked=0))
    found = best_routes(graph, limit=5)
    assert len(found.routes) == 5 < found.count
    assert found.truncated
    task = prepare(graph)
    score = best_of_sets(task)
    assert [route_of(task, score + links) for links in islice(ranked(task, score), 5)] == list(found.routes)
