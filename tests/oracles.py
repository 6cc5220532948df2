"""Independent answers to check the package against: slow, plain, and sharing no code with it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

Levels = Sequence[int | None]


def lawful(path: Sequence[int], neighbours: Sequence[Sequence[int]], levels: Levels) -> bool:
    """The rule in one place: no place twice, each step a link, the levels (wild places left out) never fall."""
    numbers = [level for level in (levels[place] for place in path) if level is not None]
    return (
        len(set(path)) == len(path)
        and all(b in neighbours[a] for a, b in itertools.pairwise(path))
        and all(a <= b for a, b in itertools.pairwise(numbers))
    )


def every_lawful_path(neighbours: Sequence[Sequence[int]], levels: Levels) -> Iterator[tuple[int, ...]]:
    """Every lawful path, in every lawful direction, by plain depth-first enumeration."""

    def grow(path: list[int], reached: int | None) -> Iterator[tuple[int, ...]]:
        yield tuple(path)
        for place in neighbours[path[-1]]:
            level = levels[place]
            if place in path or (level is not None and reached is not None and level < reached):
                continue
            path.append(place)
            yield from grow(path, reached if level is None else level)
            path.pop()

    for start, level in enumerate(levels):
        yield from grow([start], level)


def brute_force_routes(
    names: Sequence[str], neighbours: Sequence[Sequence[int]], levels: Levels, bonus: Sequence[int]
) -> tuple[int, int, list[tuple[str, ...]]]:
    """Best total, most circles among those, and every best route as names in the stated order and direction.

    The order: by the alphabetical list of a route's links, each link as its two names in alphabetical order; a route of
    one place by its name. Direction: levels rising; where both directions are lawful, from the end whose name is first.
    """
    best = (0, 0)
    found: set[tuple[str, ...]] = set()
    for path in every_lawful_path(neighbours, levels):
        circles = sum(bonus[place] for place in path)
        value = (len(path) + circles, circles)
        if value < best:
            continue
        if value > best:
            best, found = value, set()
        walk = tuple(names[place] for place in path)
        if lawful(path[::-1], neighbours, levels):
            walk = min(walk, walk[::-1])
        found.add(walk)

    def order(walk: tuple[str, ...]) -> list[tuple[str, ...]]:
        if len(walk) == 1:
            return [walk]
        return sorted(tuple(sorted(pair)) for pair in itertools.pairwise(walk))

    return best[0], best[1], sorted(found, key=order)


def cp_sat_best(neighbours: Sequence[Sequence[int]], levels: Levels, bonus: Sequence[int]) -> tuple[int, int]:
    """Best total and most circles among those, by constraint programming: a circuit through an extra place 0.

    Every place carries the height reached there; it is its level, or for a wild place at least the height before.
    Needs ortools; the graph must have a place.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    numbers = [level for level in levels if level is not None] or [0]
    heights = [
        model.new_int_var(min(numbers), max(numbers), f"h{place}") if level is None else model.new_constant(level)
        for place, level in enumerate(levels)
    ]
    skipped = [model.new_bool_var(f"skip{place}") for place in range(len(levels))]
    arcs: list[tuple[int, int, cp_model.IntVar]] = []
    for place, others in enumerate(neighbours):
        arcs.append((place + 1, place + 1, skipped[place]))
        arcs.append((0, place + 1, model.new_bool_var(f"from{place}")))
        arcs.append((place + 1, 0, model.new_bool_var(f"to{place}")))
        for other in others:
            step = model.new_bool_var(f"{place}-{other}")
            arcs.append((place + 1, other + 1, step))
            model.add(heights[other] >= heights[place]).only_enforce_if(step)
    model.add_circuit(arcs)
    weight = 2 * len(levels)
    model.maximize(
        sum((weight * (1 + extra) + extra) * skip.negated() for extra, skip in zip(bonus, skipped, strict=True))
    )
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) != cp_model.OPTIMAL:
        raise RuntimeError("CP-SAT did not prove the best route")
    return divmod(round(solver.objective_value), weight)
