"""A bare graph with levels and bonuses, and what a best route on it is.

A **route** is a line drawn through places of the graph: no place twice, each next place a neighbour of the one before,
and along it the levels never fall (equal is fine). A wild place (level ``None``) fits anywhere and does not lower the
level reached. It is written in the direction in which its levels do not fall; where they fall in neither (all of them
equal, or only wild places), it is still one line and one route, written from the end whose name comes first.

The **best** routes have the greatest ``visited + circles`` and, among these, the most circles. Of several best routes
the **first** is the one that comes first when each is written as the alphabetical list of its links (each link as its
two names in alphabetical order); a route of one place has no link and goes by its name. This order depends on names
alone, not on how the places are numbered and not on the method that finds the route.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RouteGraph:
    """The places a route may visit; blocked and empty ones are simply left out.

    Attributes:
        names: the place names, all different.
        neighbours: for each place the positions (in ``names``) of the places a link leads to; both sides list a link.
        levels: for each place its number, or None when it is wild.
        bonus: for each place 1 when it earns one point more (a circle), else 0.

    Raises:
        ValueError: lengths differ, a name is double, a link is listed on one side only, twice or to itself, or a bonus
            is not 0 or 1.
    """

    names: tuple[str, ...]
    neighbours: tuple[tuple[int, ...], ...]
    levels: tuple[int | None, ...]
    bonus: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse what is not a simple undirected graph."""
        count = len(self.names)
        if not count == len(self.neighbours) == len(self.levels) == len(self.bonus):
            raise ValueError("names, neighbours, levels and bonus must have the same length")
        if len(set(self.names)) != count:
            raise ValueError("place names must differ")
        if not set(self.bonus) <= {0, 1}:
            raise ValueError("a bonus is 0 or 1")
        for place, others in enumerate(self.neighbours):
            if len(set(others)) != len(others):
                raise ValueError(f"{self.names[place]} lists a neighbour twice")
            for other in others:
                if not 0 <= other < count or other == place or place not in self.neighbours[other]:
                    raise ValueError(f"{self.names[place]}: the link to place {other} is not listed on both sides")


@dataclass(frozen=True, slots=True)
class Route:
    """One route: its places in the order of travel, how many they are, and how many of them are circled."""

    places: tuple[str, ...]
    visited: int
    circles: int

    @property
    def total(self) -> int:
        """The score: places visited plus circles visited."""
        return self.visited + self.circles


@dataclass(frozen=True, slots=True)
class RouteSet:
    """All best routes of a graph.

    Attributes:
        total: the best score.
        visited: places on each best route.
        circles: circles on each best route.
        count: exactly how many best routes there are (a line walked both ways counts once); 0 on an empty graph.
        routes: the first of them in the stated order, as many as were asked for.
        truncated: True when ``routes`` does not hold all of them.
    """

    total: int
    visited: int
    circles: int
    count: int
    routes: tuple[Route, ...]
    truncated: bool
