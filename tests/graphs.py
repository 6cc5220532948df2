"""Random graphs and USA boards to put to the route: one seed, one graph."""

from __future__ import annotations

import random
from functools import cache

from ontour_cv.board import parse_board
from ontour_cv.maps.load import load_map
from ontour_cv.maps.model import MapTemplate
from ontour_cv.route import RouteGraph
from ontour_cv.rules.classic import route_graph

ROLLS = [number for number in range(1, 99) if number % 11]


def small_graph(rng: random.Random, most: int = 7) -> RouteGraph:
    """A graph of 1 to ``most`` places, sparse or dense, perhaps in parts, with any share of stars, ties and circles."""
    count = rng.randint(1, most)
    names = [chr(ord("A") + place) for place in range(count)]
    rng.shuffle(names)
    density, wild, circled = rng.choice([0.15, 0.3, 0.5, 0.8]), rng.choice([0, 0.2, 0.5, 0.8]), rng.choice([0, 0.3, 1])
    greatest = rng.choice([1, 2, 3, 5, 9])
    if count > 7:
        density = min(density, 3 / count)
    near: list[list[int]] = [[] for _ in names]
    for one in range(count):
        for two in range(one):
            if rng.random() < density:
                near[one].append(two)
                near[two].append(one)
    return RouteGraph(
        tuple(names),
        tuple(map(tuple, near)),
        tuple(None if rng.random() < wild else rng.randint(1, greatest) for _ in names),
        tuple(int(rng.random() < circled) for _ in names),
    )


@cache
def usa() -> MapTemplate:
    """The USA map."""
    return load_map("usa")


@cache
def paris() -> MapTemplate:
    """The home edition of Paris: few places with many links, since boats go from any stop to any other."""
    return load_map("paris-home")


def usa_graph(board: str) -> RouteGraph:
    """The graph of a USA board in notation."""
    return route_graph(usa(), parse_board(board, usa().ids))


def paris_graph(board: str) -> RouteGraph:
    """The graph of a Paris board in notation."""
    return route_graph(paris(), parse_board(board, paris().ids))


def usa_board(rng: random.Random, stars: int, numbers: list[int] | None = None, blocked: int | None = None) -> str:
    """A filled USA board (see ``filled_board``)."""
    return filled_board(usa(), rng, stars, numbers, blocked)


def paris_board(rng: random.Random, stars: int, numbers: list[int] | None = None, blocked: int | None = None) -> str:
    """A filled Paris board (see ``filled_board``)."""
    return filled_board(paris(), rng, stars, numbers, blocked)


def filled_board(
    template: MapTemplate, rng: random.Random, stars: int, numbers: list[int] | None, blocked: int | None
) -> str:
    """A filled board in notation: so many stars, up to 3 X (or as many as said), the rest numbers, some circles.

    It is filled without regard to the rules of play: any board must be scored.
    """
    ids = list(template.ids)
    rng.shuffle(ids)
    crosses = min(rng.randint(0, 3) if blocked is None else blocked, len(ids) - stars)
    circled = rng.choice([0.1, 0.25, 0.5, 1.0])
    marks = {}
    for position, region in enumerate(ids):
        if position < stars:
            mark = "*"
        elif position < stars + crosses:
            marks[region] = "x"
            continue
        else:
            mark = f"{rng.choice(numbers or ROLLS):02d}"
        marks[region] = mark + "o" * (rng.random() < circled)
    return " ".join(f"{region}={marks[region]}" for region in template.ids)
