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
