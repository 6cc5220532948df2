"""The best route, all best routes, or only the best total: the three questions and which method answers them."""

from __future__ import annotations

from functools import lru_cache

from ontour_cv.route.graph import Route, RouteGraph, RouteSet
from ontour_cv.route.memo import search
from ontour_cv.route.sweep import all_best, best_score
from ontour_cv.route.task import Task, best_single, prepare, route_of, totals_only

MEMORIES = 12_000
"""Memories allowed to the memo search before the frontier method takes over (about 20 ms)."""

DENSE, DENSE_MEMORIES = 6, 1_500_000
"""From so many links a place on a frontier is never narrow, so there the memo search may remember more (some 4 s).
Such is Paris with its boats; 16 stars on 20 places stay within it, and games have five or so."""


def best_route(graph: RouteGraph) -> Route:
    """The first of the best routes of ``graph`` (see ``graph``), proved; a route of no place on an empty graph."""
    if not graph.names:
        return Route((), 0, 0)
    task = prepare(graph)
    return route_of(task, _best(task))


@lru_cache(maxsize=4096)
def best_total(graph: RouteGraph) -> int:
    """Only the score of the best route: cheaper than the route, and remembered; for asking about many like boards."""
    return _best(totals_only(prepare(graph))) if graph.names else 0


def best_routes(graph: RouteGraph, limit: int = 1000) -> RouteSet:
    """All best routes of ``graph``: their exact number, and the first ``limit`` of them in the stated order.

    The first one listed is ``best_route``. A line that may be walked both ways is one route.
    """
    if not graph.names:
        return RouteSet(0, 0, 0, 0, (), False)
    task = prepare(graph)
    best = task.without_links(_best(task))
    if best == best_single(task)[0]:
        count = task.points.count(best)
        places = [place for place, points in enumerate(task.points) if points == best]
        routes = tuple(Route((task.names[place],), 1, task.circles(best)) for place in places[:limit])
    else:
        goal = all_best(task, best)
        count = goal.count
        routes = tuple(route_of(task, best + (goal.links(position) or 0)) for position in range(min(limit, count)))
    circles = task.circles(best)
    return RouteSet(task.total(best), task.total(best) - circles, circles, count, routes, len(routes) < count)


def _best(task: Task) -> int:
    """The greatest score of a route: by the quick method, or when that would take too long, by the sure one."""
    links = sum(map(len, task.links))
    score = search(task, DENSE_MEMORIES if links >= DENSE * len(task.names) else MEMORIES)
    return best_score(task) if score is None else score
