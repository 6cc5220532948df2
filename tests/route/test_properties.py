"""What must hold for the best route whatever the board."""

from __future__ import annotations

import random
from dataclasses import replace

from graphs import small_graph
from hypothesis import given, settings
from hypothesis import strategies as st

from ontour_cv.route import RouteGraph, best_route, best_routes, best_total

graphs = st.integers(0, 10**9).map(lambda seed: small_graph(random.Random(seed), most=14))


def renumbered(graph: RouteGraph, order: list[int]) -> RouteGraph:
    """The same graph with its places listed in another order."""
    turn = {old: new for new, old in enumerate(order)}
    return RouteGraph(
        tuple(graph.names[old] for old in order),
        tuple(tuple(turn[other] for other in graph.neighbours[old]) for old in order),
        tuple(graph.levels[old] for old in order),
        tuple(graph.bonus[old] for old in order),
    )


def without(graph: RouteGraph, place: int) -> RouteGraph:
    """The graph with one place blocked."""
    order = [p for p in range(len(graph.names)) if p != place]
    turn = {old: new for new, old in enumerate(order)}
    return RouteGraph(
        tuple(graph.names[old] for old in order),
        tuple(tuple(turn[other] for other in graph.neighbours[old] if other != place) for old in order),
        tuple(graph.levels[old] for old in order),
        tuple(graph.bonus[old] for old in order),
    )


@settings(max_examples=60)
@given(graphs, st.randoms(use_true_random=False))
def test_one_circle_more_adds_at_most_one_and_takes_nothing(graph: RouteGraph, rng: random.Random) -> None:
    """More circles never make the best route worse."""
    place = rng.randrange(len(graph.names))
    fewer = replace(graph, bonus=tuple(0 if p == place else b for p, b in enumerate(graph.bonus)))
    more = replace(graph, bonus=tuple(1 if p == place else b for p, b in enumerate(graph.bonus)))
    assert best_total(fewer) <= best_total(more) <= best_total(fewer) + 1


@settings(max_examples=60)
@given(graphs, st.randoms(use_true_random=False))
def test_a_place_taken_away_never_makes_the_route_better(graph: RouteGraph, rng: random.Random) -> None:
    """And a place no best route visits changes nothing."""
    place = rng.randrange(len(graph.names))
    less = without(graph, place)
    assert best_total(less) <= best_total(graph)
    if graph.names[place] not in best_route(graph).places:
        assert best_route(less) == best_route(graph)


@settings(max_examples=60)
@given(graphs, st.randoms(use_true_random=False))
def test_a_number_turned_into_a_star_never_makes_the_route_worse(graph: RouteGraph, rng: random.Random) -> None:
    """A star fits wherever the number did."""
    place = rng.randrange(len(graph.names))
    wild = replace(graph, levels=tuple(None if p == place else level for p, level in enumerate(graph.levels)))
    assert best_total(wild) >= best_total(graph)


@settings(max_examples=60)
@given(graphs, st.randoms(use_true_random=False))
def test_the_order_in_which_places_are_listed_does_not_matter(graph: RouteGraph, rng: random.Random) -> None:
    """The same routes, in the same order, with the same one first."""
    order = list(range(len(graph.names)))
    rng.shuffle(order)
    other = renumbered(graph, order)
    assert best_route(other) == best_route(graph)
    assert best_routes(other, 50) == best_routes(graph, 50)


@settings(max_examples=60)
@given(graphs)
def test_numbers_turned_round_turn_the_route_round(graph: RouteGraph) -> None:
    """With ab for 99 - ab the same lines are best, walked the other way, and as many of them."""
    turned = replace(graph, levels=tuple(None if level is None else 99 - level for level in graph.levels))
    found, mirrored = best_routes(graph, 50), best_routes(turned, 50)
    assert (found.total, found.circles, found.count) == (mirrored.total, mirrored.circles, mirrored.count)
    for one, two in zip(found.routes, mirrored.routes, strict=True):
        assert two.places in (one.places, one.places[::-1])


@settings(max_examples=40)
@given(graphs)
def test_only_the_order_of_numbers_counts_not_their_size(graph: RouteGraph) -> None:
    """1, 2, 3 and 10, 40, 97 are the same board."""
    stretched = replace(graph, levels=tuple(None if level is None else level**3 + 7 for level in graph.levels))
    assert best_routes(stretched, 50) == best_routes(graph, 50)
