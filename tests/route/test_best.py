"""The best route against independent answers: brute force on small graphs, enumeration on whole boards."""

from __future__ import annotations

import random

import pytest
from boards import GOLDEN, GOLDEN_ROUTE
from graphs import small_graph, usa_board, usa_graph
from oracles import brute_force_routes, cp_sat_best, lawful

from ontour_cv.route import Route, RouteGraph, RouteSet, best_route, best_routes, best_total
from ontour_cv.route.memo import search
from ontour_cv.route.sweep import best_score
from ontour_cv.route.task import prepare, route_of, totals_only

EVERYTHING = 10**9


@pytest.mark.parametrize("batch", range(10))
def test_every_answer_is_that_of_brute_force_on_ten_thousand_small_graphs(batch: int) -> None:
    """Total, circles, the route, the number of best routes and each of them in order; by both methods."""
    rng = random.Random(batch)
    for _ in range(1000):
        graph = small_graph(rng)
        total, circles, routes = brute_force_routes(graph.names, graph.neighbours, graph.levels, graph.bonus)
        task = prepare(graph)
        by_memo, by_sweep = search(task, EVERYTHING), best_score(task)
        assert by_memo == by_sweep
        first = route_of(task, by_sweep)
        assert (first.total, first.circles, first.places) == (total, circles, routes[0])
        assert best_route(graph) == first
        assert best_total(graph) == total == best_score(totals_only(task))
        found = best_routes(graph, EVERYTHING)
        assert (found.total, found.circles, found.count, found.truncated) == (total, circles, len(routes), False)
        assert [route.places for route in found.routes] == routes


def test_the_golden_board_scores_thirty_and_the_known_route_is_among_the_best() -> None:
    """23 states and 7 circles, as an exhaustive search by others proved."""
    graph = usa_graph(GOLDEN)
    route = best_route(graph)
    assert (route.total, route.visited, route.circles) == (30, 23, 7)
    found = best_routes(graph)
    assert route == found.routes[0]
    assert GOLDEN_ROUTE in [each.places for each in found.routes]
    assert not found.truncated


def test_whole_boards_with_few_stars_agree_with_plain_enumeration() -> None:
    """Every best route of a full USA board, found by walking every lawful path there is."""
    rng = random.Random(41)
    for stars in (0, 1, 2, 3, 4, 5):
        graph = usa_graph(usa_board(rng, stars))
        total, circles, routes = brute_force_routes(graph.names, graph.neighbours, graph.levels, graph.bonus)
        found = best_routes(graph, EVERYTHING)
        assert (found.total, found.circles, [route.places for route in found.routes]) == (total, circles, routes)


@pytest.mark.parametrize("stars", [0, 4, 8, 12])
@pytest.mark.parametrize("numbers", [None, list(range(1, 13))])
def test_both_methods_give_the_same_route_on_whole_boards(stars: int, numbers: list[int] | None) -> None:
    """Also among equally good ones, since the order of ties depends on names alone."""
    rng = random.Random(stars)
    for _ in range(4):
        task = prepare(usa_graph(usa_board(rng, stars, numbers)))
        score = best_score(task)
        assert search(task, EVERYTHING) == score
        assert best_score(totals_only(task)) == task.total(score)


@pytest.mark.parametrize("stars", [20, 30, 41])
def test_a_listed_route_is_lawful_worth_what_it_says_and_listed_once(stars: int) -> None:
    """On boards with too many stars to enumerate; the listing is cut off and says so."""
    graph = usa_graph(usa_board(random.Random(stars), stars, blocked=0))
    found = best_routes(graph, limit=200)
    place = {name: position for position, name in enumerate(graph.names)}
    for route in found.routes:
        path = [place[name] for name in route.places]
        assert lawful(path, graph.neighbours, graph.levels)
        assert (route.visited, route.circles) == (len(path), sum(graph.bonus[p] for p in path))
        assert (route.total, route.circles) == (found.total, found.circles)
    assert len({frozenset(map(frozenset, zip(r.places, r.places[1:], strict=False))) for r in found.routes}) == len(
        found.routes
    )
    assert found.truncated == (found.count > 200)
    assert found.routes[0] == best_route(graph)


def test_an_empty_graph_has_an_empty_route() -> None:
    """A board with nothing on it scores 0 and has no best route to list."""
    empty = RouteGraph((), (), (), ())
    assert best_route(empty) == Route((), 0, 0)
    assert best_total(empty) == 0
    assert best_routes(empty) == RouteSet(0, 0, 0, 0, (), False)


def test_one_state_is_a_route() -> None:
    """A lone place scores a point, with a circle two; among equal lone places the alphabet decides."""
    graph = RouteGraph(("B", "A", "C"), ((), (), ()), (5, None, 7), (0, 0, 0))
    assert best_route(graph) == Route(("A",), 1, 0)
    assert [route.places for route in best_routes(graph).routes] == [("A",), ("B",), ("C",)]
    assert best_routes(graph, limit=2).truncated
    circled = RouteGraph(("B", "A", "C"), ((), (2,), (1,)), (5, None, 7), (1, 0, 0))
    assert best_route(circled) == Route(("B",), 1, 1)
    assert best_total(circled) == 2


def test_a_star_does_not_lower_the_number_reached() -> None:
    """9 * 3 is no route, in either direction it is 3 * 9."""
    line = RouteGraph(("A", "B", "C", "D"), ((1,), (0, 2), (1, 3), (2,)), (9, None, 3, 8), (0, 0, 0, 0))
    assert best_route(line).places == ("C", "B", "A")


@pytest.mark.parametrize(
    ("names", "neighbours", "bonus"),
    [
        (("A", "A"), ((), ()), (0, 0)),
        (("A", "B"), ((1,), ()), (0, 0)),
        (("A", "B"), ((0,), ()), (0, 0)),
        (("A", "B"), ((1, 1), (0,)), (0, 0)),
        (("A", "B"), ((2,), ()), (0, 0)),
        (("A", "B"), ((1,), (0,)), (0, 2)),
        (("A",), ((), ()), (0, 0)),
    ],
)
def test_what_is_no_graph_is_refused(
    names: tuple[str, ...], neighbours: tuple[tuple[int, ...], ...], bonus: tuple[int, ...]
) -> None:
    """Double names, one-sided, self, double or wild links, other bonuses, lengths that differ."""
    with pytest.raises(ValueError, match=r"\w"):
        RouteGraph(names, neighbours, (1, 2), bonus)


@pytest.mark.parametrize(("stars", "numbers"), [(0, None), (4, None), (9, None), (14, None), (6, range(1, 9))])
def test_whole_boards_agree_with_constraint_programming(stars: int, numbers: range | None) -> None:
    """Total and circles of full USA boards, by a solver that shares nothing with ours."""
    graph = usa_graph(usa_board(random.Random(1000 + stars), stars, list(numbers) if numbers else None))
    route = best_route(graph)
    assert (route.total, route.circles) == cp_sat_best(graph.neighbours, graph.levels, graph.bonus)
