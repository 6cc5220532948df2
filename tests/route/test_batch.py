"""Layers in arrays against the same moves and searches made state by state."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from cities import brute_force_tour, city, small_city
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv.route import TourGraph, Work, best_tour, tour_range, tour_sweep
from ontour_cv.route.batch import Batch, joined, packed, unpacked
from ontour_cv.route.batch_moves import BatchMoves
from ontour_cv.route.frontier import State, Sweep
from ontour_cv.route.order import parts
from ontour_cv.route.plan import Step, plan
from ontour_cv.route.task import Task
from ontour_cv.route.tour_batch import BatchSearch
from ontour_cv.route.tour_labels import Labels
from ontour_cv.route.tour_sweep import tour_task

seeds = st.integers(0, 10**9).map(random.Random)


@pytest.fixture
def arrays_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """However small a layer is, it is taken up in arrays."""
    monkeypatch.setattr(tour_sweep, "_MANY", 1)
    monkeypatch.setattr(tour_sweep, "_FEW", 0)


def labels_of(graph: TourGraph) -> Labels:
    return Labels(graph.tracks, graph.district_count, graph.bonus, len(graph.names))


def task_of(graph: TourGraph, labels: Labels) -> Task:
    return tour_task(graph.route_graph(), graph.districts, graph.kinds, labels)


def whole_layers(task: Task) -> Iterator[tuple[Step, list[tuple[State, int]]]]:
    """Every step of every part, with all states that reach it and a label each, at most a thousand states."""
    sweep = Sweep(max(task.ranks))
    for part in parts(tuple(tuple(other for other, _ in pairs) for pairs in task.links)):
        slots, steps = plan(task, part)
        layer = {(0,) * slots: sum(points for place, points in enumerate(task.points) if part >> place & 1)}
        for step in steps:
            yield step, list(layer.items())
            following: dict[State, int] = {}
            for state, label in layer.items():
                for after, change in sweep.moves(step, state):
                    if after is not None:
                        following[after] = max(label + change, following.get(after, 0))
            layer = dict(sorted(following.items(), key=lambda item: -item[1])[:1000])


@pytest.mark.parametrize(
    ("stars", "ferries", "numbers"), [(9, 9, None), (14, 5, None), (30, 9, None), (12, 6, range(5))]
)
def test_the_moves_are_those_of_states_one_by_one(stars: int, ferries: int, numbers: range | None) -> None:
    """On layers of whole cities: the same states and complete tours, each with the same labels and links, as often."""
    graph = city(random.Random(stars), stars, ferries, list(numbers) if numbers else None)
    labels = labels_of(graph)
    task = task_of(graph, labels)
    bits = task.link_bits
    search = BatchSearch(max(task.ranks), bits, labels, ordered=True)
    moves, sweep = BatchMoves(max(task.ranks), bits, search.values), Sweep(max(task.ranks))
    seen = 0
    for step, layer in whole_layers(task):
        floor = sorted(labels.value(label >> bits) for _, label in layer)[len(layer) // 3] - 12
        expected: Counter[tuple[State | None, int]] = Counter()
        for state, label in layer:
            for after, change in sweep.moves(step, state):
                if labels.value(label + change >> bits) >= floor:
                    expected[after, label + change] += 1
        following, complete = moves.moves(step, packed(layer, bits), floor)
        found: Counter[tuple[State | None, int]] = Counter(pair for one in following for pair in unpacked(one, bits))
        found.update((None, label) for one in complete for _, label in unpacked(one, bits))
        assert found == expected
        seen += sum(expected.values())
    assert seen > 500


@given(seeds, st.integers(0, 200))
def test_a_layer_is_unpacked_as_it_was_packed(rng: random.Random, link_bits: int) -> None:
    """States, labels and links of any width, in order; also in two halves joined."""
    graph = city(rng, rng.randrange(20), 3)
    task = task_of(graph, labels_of(graph))
    step_layers = list(whole_layers(task))
    _, layer = step_layers[rng.randrange(len(step_layers) // 3)]
    pairs = [(state, (label >> task.link_bits) << link_bits | rng.getrandbits(link_bits)) for state, label in layer]
    batch = packed(pairs, link_bits)
    assert list(unpacked(batch, link_bits)) == pairs
    middle = len(batch) // 2
    halves: list[Batch] = [batch.part(0, middle), batch.part(middle, len(batch))]
    assert list(unpacked(joined(halves), link_bits)) == pairs


@given(seeds)
def test_labels_are_valued_and_compared_as_one_by_one(rng: random.Random) -> None:
    """Scores of random counts, and the lead of one over another."""
    graph = small_city(rng, most=14)
    labels = labels_of(graph)
    search = BatchSearch(1, 0, labels, ordered=True)
    places = [labels.of_place(kind, district) for kind, district in zip(graph.kinds, graph.districts, strict=True)]
    cases = []
    for _ in range(30):
        undecided = [place for place in places if rng.random() < 0.5]
        decided = [place for place in places if place not in undecided]
        one, two = (sum(place for place in decided if rng.random() < 0.6) for _ in range(2))
        cases.append((one, two, sum(undecided)))
    one, two, undecided = (np.array(column, dtype=np.int64) for column in zip(*cases, strict=True))
    assert search.values(one).tolist() == [labels.value(label) for label, _, _ in cases]
    expected = [labels.lead(labels.held(a, 0), labels.held(b, 0), labels.kinds(more)) for a, b, more in cases]
    assert search._lead(one, two, undecided).tolist() == expected


@given(seeds)
def test_the_labels_kept_are_those_kept_one_by_one(rng: random.Random) -> None:
    """Of some states, each with many labels of few points and of different links, in one word or the other.

    Where equal tours are not ordered, one of equal labels is enough.
    """
    graph = city(rng, rng.randrange(30), 12)
    labels = labels_of(graph)
    task = task_of(graph, labels)
    layers = list(whole_layers(task))
    at = rng.randrange(5, 15)
    step, layer = layers[at][0], layers[at + 1][1]
    ordered = rng.random() < 0.5
    scalar = tour_sweep._Search(task, labels, rng.choice([0, 12, 18]), ordered=ordered)
    pool = [label >> task.link_bits for label in rng.sample(task.points, 6)]
    pairs: list[tuple[State, int]] = []
    kept: list[tuple[State, int]] = []
    for state, _ in layer[:4]:
        rest = scalar._undecided(step, state)
        counts = [sum(rng.sample(pool, rng.randint(1, 4))) + rest for _ in range(12)]
        links = [link << rng.choice([0, task.link_bits - 5]) for link in rng.sample(range(1, 17), 12)]
        found = [count << task.link_bits | link for count, link in zip(counts, links, strict=True)]
        pairs += [(state, label) for label in found]
        values = {label: labels.value(label >> task.link_bits) for label in found}
        kept += [(state, label) for label in scalar._undominated(step, state, values)]
    rng.shuffle(pairs)
    search = BatchSearch(max(task.ranks), task.link_bits, labels, ordered)
    batch = search._undominated(step, packed(pairs, task.link_bits), scalar.floor)
    assert sorted(unpacked(batch, task.link_bits)) == sorted(kept)


@pytest.mark.usefixtures("arrays_from_the_start")
def test_in_arrays_too_every_answer_is_that_of_brute_force() -> None:
    """Total and the very tour, and the range with little work and with enough."""
    rng = random.Random("arrays")
    for _ in range(300):
        graph = small_city(rng)
        total, places = brute_force_tour(graph)
        tour = best_tour(graph)
        assert (tour.total, tour.places) == (total, places)
        low, high = tour_range(graph, Work(rng.randrange(60)))
        assert low <= total <= high
        assert tour_range(graph, Work(10**9)) == (total, total)


@pytest.mark.parametrize(("stars", "ferries"), [(3, 5), (20, 7), (35, 4)])
def test_a_city_has_the_same_tour_in_arrays(stars: int, ferries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of the best, with arrays from the start, in the usual way and with none."""
    graph = city(random.Random(stars), stars, ferries)
    tours = []
    for many, few in ((1, 0), (tour_sweep._MANY, tour_sweep._FEW), (50, 200), (10**9, 0)):
        monkeypatch.setattr(tour_sweep, "_MANY", many)
        monkeypatch.setattr(tour_sweep, "_FEW", few)
        tours.append(best_tour(graph))
    assert len(set(tours)) == 1


@pytest.mark.usefixtures("arrays_from_the_start")
def test_labels_too_wide_for_arrays_are_searched_one_by_one() -> None:
    """Twenty districts need more bits than an integer of an array has."""
    rng = random.Random(1)
    small = city(rng, 10, 4)
    districts = tuple(place % 20 for place in range(len(small.names)))
    graph = TourGraph(small.names, small.neighbours, small.levels, districts, small.kinds, small.tracks, 20, 7)
    assert not BatchSearch.takes(43, 9, labels_of(graph))
    assert BatchSearch.takes(43, 9, labels_of(small))
    tour = best_tour(graph)
    assert tour.total == best_tour(TourGraph(*(getattr(graph, name) for name in TourGraph.__slots__))).total
    assert tour.visited == len(tour.places)


def test_boards_as_games_make_them_need_no_arrays() -> None:
    """The numbers library takes longer to load than they take to solve."""
    code = (
        "import sys\n"
        "from ontour_cv.board import BoardState, Kind, Mark\n"
        "from ontour_cv.city_board import CityBoard, ordered_pairs\n"
        "from ontour_cv.maps.load import load_map\n"
        "from ontour_cv.rules.city import city_score\n"
        "city = load_map('new-york-home')\n"
        "star = Mark(Kind.STAR)\n"
        "marks = {r: Mark(Kind.NUMBER, 1 + 37 * k % 98) if k % 5 else star for k, r in enumerate(city.ids)}\n"
        "print(city_score(city, CityBoard(BoardState(marks), {}, ())) is not None, 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True, timeout=60)
    assert done.stdout.split() == ["True", "False"]
