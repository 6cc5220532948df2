"""Random graphs and whole cities to put to the best tour, and independent answers for them."""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import replace
from pathlib import Path

from graphs import small_graph, usa
from oracles import every_lawful_path, lawful

from ontour_cv.route import TourGraph

TRACK = (0, 1, 2, 4, 6, 9, 12)
ROLLS = [number for number in range(1, 99) if number % 11]


def small_city(rng: random.Random, most: int = 7) -> TourGraph:
    """A graph of 1 to ``most`` places with soloists, districts (some without a place) and tracks of any shape."""
    graph = small_graph(rng, most)
    kinds = rng.randint(0, 4)
    share = rng.choice([0.3, 0.6, 1.0])
    districts = rng.randint(1, 4)
    return TourGraph(
        graph.names,
        graph.neighbours,
        graph.levels,
        tuple(rng.randrange(districts) for _ in graph.names),
        tuple(rng.randrange(kinds) if kinds and rng.random() < share else None for _ in graph.names),
        tuple(random_track(rng) for _ in range(kinds)),
        districts,
        rng.choice([0, 1, 3, 7]),
    )


def random_track(rng: random.Random) -> tuple[int, ...]:
    """A track of any length that never falls: even, steep at the end, steep at the beginning, or flat in between."""
    steps = rng.choice([(1,), (0, 1), (0, 0, 5), (0, 1, 2, 3)])
    return tuple(itertools.accumulate((rng.choice(steps) for _ in range(rng.randint(0, 5))), initial=0))


def city(rng: random.Random, stars: int, ferries: int, numbers: list[int] | None = None) -> TourGraph:
    """A full board of 41 places in five districts joined by a land link or two and by ferries.

    The places and links are those of the USA map, cut into five districts from west to east: only links inside a
    district, and one between the last two districts, are by land.
    """
    regions = sorted(usa().regions, key=lambda region: region.layout)
    district = {region.id: 5 * position // len(regions) for position, region in enumerate(regions)}
    names = tuple(sorted(district))
    near = {name: {n for n in usa().region(name).neighbours if district[n] == district[name]} for name in names}
    across = [(a, b) for a, b in itertools.combinations(names, 2) if district[a] != district[b]]
    for one, two in rng.sample(across, ferries):
        near[one].add(two)
        near[two].add(one)
    marks = [None] * stars + [rng.choice(numbers or ROLLS) for _ in names[stars:]]
    rng.shuffle(marks)
    place = {name: position for position, name in enumerate(names)}
    return TourGraph(
        names,
        tuple(tuple(sorted(place[other] for other in near[name])) for name in names),
        tuple(marks),
        tuple(district[name] for name in names),
        tuple(rng.randrange(4) if rng.random() < 0.5 else None for _ in names),
        (TRACK,) * 4,
        5,
        7,
    )


def value(graph: TourGraph, path: tuple[int, ...]) -> int:
    """The score of a path, straight from the rules."""
    score = len(path)
    for kind, track in enumerate(graph.tracks):
        count = sum(graph.kinds[place] == kind for place in path)
        score += track[count] if count < len(track) else track[-1]
    if {graph.districts[place] for place in path} == set(range(graph.district_count)):
        score += graph.bonus
    return score


def brute_force_tour(graph: TourGraph) -> tuple[int, tuple[str, ...]]:
    """The best total and the first of the best tours in the stated order and direction, by plain enumeration."""
    best, tours = 0, set()
    for path in every_lawful_path(graph.neighbours, graph.levels):
        score = value(graph, path)
        if score < best:
            continue
        if score > best:
            best, tours = score, set()
        walk = tuple(graph.names[place] for place in path)
        if lawful(path[::-1], graph.neighbours, graph.levels):
            walk = min(walk, walk[::-1])
        tours.add(walk)

    def order(walk: tuple[str, ...]) -> tuple[list[tuple[str, str] | tuple[()]], tuple[str, ...]]:
        """Links in order, then what sorts after every link: so a list that goes on comes before one that ends."""
        links = sorted(tuple(sorted(pair)) for pair in itertools.pairwise(walk))
        return [*links, ("\uffff",)], walk

    return best, min(tours, key=order)


def renumbered(graph: TourGraph, order: list[int]) -> TourGraph:
    """The same city with its places listed in another order (a shorter list leaves places out)."""
    turn = {old: new for new, old in enumerate(order)}
    return replace(
        graph,
        names=tuple(graph.names[old] for old in order),
        neighbours=tuple(tuple(turn[other] for other in graph.neighbours[old] if other in turn) for old in order),
        levels=tuple(graph.levels[old] for old in order),
        districts=tuple(graph.districts[old] for old in order),
        kinds=tuple(graph.kinds[old] for old in order),
    )


def cp_sat_tour(graph: TourGraph) -> int:
    """The best total by constraint programming: a circuit through an extra place 0, tracks as table look-ups.

    Shares no code with the package. Needs ortools; the graph must have a place.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    numbers = [level for level in graph.levels if level is not None] or [0]
    heights = [
        model.new_int_var(min(numbers), max(numbers), "") if level is None else model.new_constant(level)
        for level in graph.levels
    ]
    on = [model.new_bool_var("") for _ in graph.names]
    arcs = []
    for place, others in enumerate(graph.neighbours):
        arcs += [(place + 1, place + 1, ~on[place]), (0, place + 1, model.new_bool_var(""))]
        arcs.append((place + 1, 0, model.new_bool_var("")))
        for other in others:
            step = model.new_bool_var("")
            arcs.append((place + 1, other + 1, step))
            model.add(heights[other] >= heights[place]).only_enforce_if(step)
    model.add_circuit(arcs)
    terms = [sum(on)]
    for kind, track in enumerate(graph.tracks):
        count = model.new_int_var(0, len(on), "")
        model.add(count == sum(on[place] for place, own in enumerate(graph.kinds) if own == kind))
        worth = model.new_int_var(0, track[-1], "")
        model.add_element(count, [*track, *[track[-1]] * (len(on) + 1 - len(track))], worth)
        terms.append(worth)
    everywhere = model.new_bool_var("")
    for district in range(graph.district_count):
        touched = [on[place] for place, own in enumerate(graph.districts) if own == district]
        model.add(sum(touched) >= 1).only_enforce_if(everywhere)
    model.maximize(sum(terms) + graph.bonus * everywhere)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) != cp_model.OPTIMAL:
        raise RuntimeError("CP-SAT did not prove the best tour")
    return round(solver.objective_value)


def load_city(path: Path) -> tuple[TourGraph, int]:
    """A stored city and its best total."""
    data = json.loads(path.read_text(encoding="utf-8"))
    total = data.pop("total")
    return TourGraph(**{key: _frozen(field) for key, field in data.items()}), total


def _frozen(field: object) -> object:
    return tuple(map(_frozen, field)) if isinstance(field, list) else field
