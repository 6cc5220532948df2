"""The best tour against independent answers, and what must hold for it whatever the board."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from pathlib import Path

import pytest
from cities import brute_force_tour, city, cp_sat_tour, load_city, renumbered, small_city, value
from graphs import small_graph, usa_board, usa_graph
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import lawful

from ontour_cv.route import RouteGraph, Tour, TourGraph, Work, best_total, best_tour, tour_of, tour_range, tour_sweep

BOARDS = sorted((Path(__file__).parents[1] / "fixtures" / "routes").glob("tour-*.json"))
GENEROUS_S = 30.0
"""Processor seconds for one board; the figures proper are in docs/route.md."""

cities = st.integers(0, 10**9).map(lambda seed: small_city(random.Random(seed), most=14))


def summed(graph: RouteGraph) -> TourGraph:
    """The same question as a tour: circles are soloists on a track that counts them one by one."""
    count = len(graph.names)
    kinds = tuple(0 if bonus else None for bonus in graph.bonus)
    return TourGraph(graph.names, graph.neighbours, graph.levels, (0,) * count, kinds, (tuple(range(count + 1)),), 1, 0)


@pytest.mark.parametrize("batch", range(6))
def test_every_answer_is_that_of_brute_force_on_six_thousand_small_graphs(batch: int) -> None:
    """Total and the very tour: which of the best comes first, and in which direction."""
    rng = random.Random(batch)
    for _ in range(1000):
        graph = small_city(rng)
        total, places = brute_force_tour(graph)
        tour = best_tour(graph)
        assert (tour.total, tour.places) == (total, places)


@pytest.mark.parametrize(("most", "widths"), [(1, ()), (1, (1,)), (3, ()), (6, (2,))])
@pytest.mark.parametrize("arrays", [False, True])
def test_of_more_equal_tours_than_are_followed_one_is_told_and_the_total_stays_proved(
    most: int, widths: tuple[int, ...], arrays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with brute force, whatever the passes before found; and the tour is lawful and worth what it says."""
    monkeypatch.setattr(tour_sweep, "_EQUALS", most)
    monkeypatch.setattr(tour_sweep, "_WIDTHS", widths)
    if arrays:
        monkeypatch.setattr(tour_sweep, "_MANY", 1)
        monkeypatch.setattr(tour_sweep, "_FEW", 0)
    rng = random.Random(most)
    others = 0
    for _ in range(250):
        graph = small_city(rng)
        total, first = brute_force_tour(graph)
        tour = best_tour(graph)
        path = tuple(graph.names.index(name) for name in tour.places)
        assert tour.total == total == value(graph, path)
        assert lawful(path, graph.neighbours, graph.levels)
        assert best_tour(graph) == tour
        others += tour.places != first
    assert others


@pytest.mark.parametrize("batch", range(2))
def test_whatever_the_work_the_range_holds_the_best_total_and_with_enough_is_no_wider(batch: int) -> None:
    """On small graphs by brute force."""
    rng = random.Random(batch)
    for _ in range(400):
        graph = small_city(rng)
        total, _ = brute_force_tour(graph)
        low, high = tour_range(graph, Work(rng.randrange(60)))
        assert low <= total <= high
        assert tour_range(graph, Work(10**9)) == (total, total)


@pytest.mark.parametrize("stars", [3, 14, 30])
def test_of_whole_cities_the_range_narrows_down_to_the_best_total(stars: int) -> None:
    graph = city(random.Random(stars), stars, 9)
    total = best_tour(graph).total
    for limit in (0, 300, 3_000, 30_000):
        work = Work(limit)
        low, high = tour_range(graph, work)
        assert low <= total <= high
        assert 0 <= work.left <= limit
    assert tour_range(graph, Work(10**9)) == (total, total)


@pytest.mark.parametrize(("stars", "ferries", "numbers"), [(0, 5, None), (4, 6, None), (9, 5, None), (6, 7, range(8))])
def test_whole_cities_agree_with_constraint_programming(stars: int, ferries: int, numbers: range | None) -> None:
    """By a solver that shares nothing with ours."""
    graph = city(random.Random(stars), stars, ferries, list(numbers) if numbers else None)
    assert best_tour(graph).total == cp_sat_tour(graph)


@pytest.mark.parametrize("stars", [0, 5, 12, 20, 30, 41])
def test_without_districts_and_with_an_even_track_it_is_the_best_route(stars: int) -> None:
    """On full USA boards, against the methods for sums."""
    graph = usa_graph(usa_board(random.Random(stars), stars))
    assert best_tour(summed(graph)).total == best_total(graph)


def test_without_districts_and_with_an_even_track_it_is_the_best_route_on_small_graphs() -> None:
    """The same on two thousand small ones."""
    rng = random.Random("sums")
    for _ in range(2000):
        graph = small_graph(rng)
        assert best_tour(summed(graph)).total == best_total(graph)


@pytest.mark.parametrize("stars", [2, 14, 25, 41])
def test_the_tour_is_lawful_and_worth_what_it_says(stars: int) -> None:
    """Counted afresh from its places, on boards too large to enumerate."""
    graph = city(random.Random(stars), stars, 8)
    tour = best_tour(graph)
    path = tuple(graph.names.index(name) for name in tour.places)
    assert lawful(path, graph.neighbours, graph.levels)
    assert tour.total == value(graph, path)
    assert tour == tour_of(graph, tour.places)


@settings(max_examples=60)
@given(cities, st.randoms(use_true_random=False))
def test_a_soloist_more_never_lowers_the_total(graph: TourGraph, rng: random.Random) -> None:
    """Tracks never fall."""
    place = rng.randrange(len(graph.names))
    if graph.tracks:
        kind = rng.randrange(len(graph.tracks))
        without = replace(graph, kinds=tuple(None if p == place else k for p, k in enumerate(graph.kinds)))
        more = replace(without, kinds=tuple(kind if p == place else k for p, k in enumerate(without.kinds)))
        assert best_tour(more).total >= best_tour(without).total


@settings(max_examples=60)
@given(cities, st.randoms(use_true_random=False))
def test_a_place_taken_away_never_makes_the_tour_better(graph: TourGraph, rng: random.Random) -> None:
    """And a place the best tour does not visit changes nothing."""
    place = rng.randrange(len(graph.names))
    tour, less = best_tour(graph), renumbered(graph, [p for p in range(len(graph.names)) if p != place])
    assert best_tour(less).total <= tour.total
    if graph.names[place] not in tour.places:
        assert best_tour(less) == tour


@settings(max_examples=60)
@given(cities, st.randoms(use_true_random=False))
def test_the_order_in_which_places_are_listed_does_not_matter(graph: TourGraph, rng: random.Random) -> None:
    """The very same tour, since its order goes by names."""
    order = list(range(len(graph.names)))
    rng.shuffle(order)
    assert best_tour(renumbered(graph, order)) == best_tour(graph)


@settings(max_examples=60)
@given(cities)
def test_numbers_turned_round_turn_the_tour_round(graph: TourGraph) -> None:
    """With ab for 99 - ab the same line is best, walked the other way."""
    tour = best_tour(graph)
    turned = best_tour(replace(graph, levels=tuple(None if x is None else 99 - x for x in graph.levels)))
    assert turned.total == tour.total
    assert turned.places in (tour.places, tour.places[::-1])


@settings(max_examples=60)
@given(cities)
def test_the_bonus_adds_at_most_itself(graph: TourGraph) -> None:
    """And nothing when no tour touches every district."""
    plain = best_tour(replace(graph, bonus=0)).total
    assert plain <= best_tour(graph).total <= plain + graph.bonus


def test_an_empty_city_has_an_empty_tour() -> None:
    """Nothing visited, no soloist, no district."""
    assert best_tour(TourGraph((), (), (), (), (), ((0, 1), (0,)), 5, 7)) == Tour((), 0, (0, 0), False, 0)


def test_one_place_is_a_tour() -> None:
    """Its soloist counts, and with one district it touches all of them; the alphabet decides between equals."""
    lone = TourGraph(("B", "A", "C"), ((), (), ()), (5, None, 7), (0, 0, 0), (0, 0, None), ((0, 3),), 1, 7)
    assert best_tour(lone) == Tour(("A",), 1, (1,), True, 11)


def test_a_district_without_a_place_keeps_the_bonus_away() -> None:
    """When every place of a district is crossed out no route can touch it."""
    pair = TourGraph(("A", "B"), ((1,), (0,)), (1, 2), (0, 1), (None, None), (), 3, 7)
    assert best_tour(pair).total == 2
    assert best_tour(replace(pair, district_count=2)).total == 9


def test_past_the_end_of_a_track_soloists_earn_nothing_more() -> None:
    """Three on a track of two numbers earn the second one."""
    line = TourGraph(("A", "B", "C"), ((1,), (0, 2), (1,)), (1, 2, 3), (0, 0, 0), (0, 0, 0), ((0, 1, 5),), 1, 0)
    assert best_tour(line) == Tour(("A", "B", "C"), 3, (3,), True, 8)


def test_a_track_that_rises_late_is_worth_a_detour() -> None:
    """Fewer places, but the third soloist is worth more than those left out."""
    # A fan: 1 leads to a line of four plain places, or to two places with soloists.
    graph = TourGraph(
        ("S", "P", "Q", "R", "T", "X", "Y"),
        ((1, 5), (0, 2), (1, 3), (2, 4), (3,), (0, 6), (5,)),
        (1, 2, 3, 4, 5, 2, 3),
        (0,) * 7,
        (0, None, None, None, None, 0, 0),
        ((0, 0, 0, 9),),
        1,
        0,
    )
    assert best_tour(graph) == Tour(("S", "X", "Y"), 3, (3,), True, 12)


@pytest.mark.parametrize(
    "change",
    [
        {"districts": (0, 2)},
        {"districts": (0,)},
        {"kinds": (None, 1)},
        {"kinds": (None,)},
        {"tracks": ((),)},
        {"tracks": ((1, 2),)},
        {"tracks": ((0, 2, 1),)},
        {"district_count": 0},
        {"bonus": -1},
        {"neighbours": ((1,), ())},
    ],
)
def test_what_has_no_score_is_refused(change: dict[str, object]) -> None:
    """Unknown districts and kinds, lengths that differ, tracks that fall or begin above 0, a negative bonus."""
    graph = TourGraph(("A", "B"), ((1,), (0,)), (1, 2), (0, 1), (None, 0), ((0, 1),), 2, 7)
    with pytest.raises(ValueError, match=r"\w"):
        replace(graph, **change)  # type: ignore[arg-type]


def test_a_tour_visits_no_place_twice() -> None:
    """Asking what such a walk is worth is a mistake of the caller."""
    graph = TourGraph(("A", "B"), ((1,), (0,)), (1, 2), (0, 0), (None, None), (), 1, 0)
    with pytest.raises(ValueError, match="twice"):
        tour_of(graph, ("A", "B", "A"))


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_the_hardest_cities_are_solved(path: Path) -> None:
    """Total as noted, far from running away."""
    graph, total = load_city(path)
    start = time.process_time()
    assert best_tour(graph).total == total
    assert time.process_time() - start < GENEROUS_S
