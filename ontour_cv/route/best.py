"""The best route, all best routes, or only the best total: the three questions and which method answers them."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from ontour_cv.route.graph import Route, RouteGraph, RouteSet
from ontour_cv.route.memo import search
from ontour_cv.route.subset_count import count_routes
from ontour_cv.route.subsets import PLACES, best_of_sets, ranked
from ontour_cv.route.sweep import all_best, best_score
from ontour_cv.route.task import Task, best_single, prepare, route_of, totals_only

MEMORIES = 12_000
"""Memories allowed to the memo search before the frontier method takes over (about 20 ms)."""

DENSE, DENSE_MEMORIES = 6, 1_500_000
"""From so many links a place on a frontier is never narrow. Such is Paris with its boats, and few enough places go
through their subsets; with more of them the memo search may at least remember more (some 4 s)."""


LISTED = 300
"""So many best routes are counted one by one where routes are listed in order anyway."""


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
    best = task.without_links(_best(task, settled=False))
    if best == best_single(task)[0]:
        count = task.points.count(best)
        places = [place for place, points in enumerate(task.points) if points == best]
        routes = tuple(Route((task.names[place],), 1, task.circles(best)) for place in places[:limit])
    elif _by_subsets(task):
        first = list(islice(ranked(task, best), max(limit, LISTED) + 1))
        count = len(first) if len(first) <= max(limit, LISTED) else count_routes(task, best)
        routes = tuple(route_of(task, best + links) for links in first[:limit])
    else:
        goal = all_best(task, best)
        count = goal.count
        routes = tuple(route_of(task, best + (goal.links(position) or 0)) for position in range(min(limit, count)))
    circles = task.circles(best)
    return RouteSet(task.total(best), task.total(best) - circles, circles, count, routes, len(routes) < count)


def _best(task: Task, settled: bool = True) -> int:
    """The greatest score of a route: by the quick method, or when that would take too long, by a sure one.

    Unless ``settled``, the links field may be left clear, and which of the best routes comes first is not asked.
    """
    few = _by_subsets(task)
    score = search(task, DENSE_MEMORIES if _dense(task) and not few else MEMORIES)
    if score is not None:
        return score
    if not few:
        return best_score(task)
    best = best_of_sets(task)
    return best + next(ranked(task, best), 0) if settled and task.link_bits else best


def _by_subsets(task: Task) -> bool:
    """Whether dynamic programming over subsets is the sure method for this task; otherwise the sweep is."""
    return _dense(task) and len(task.names) <= PLACES


def _dense(task: Task) -> bool:
    return sum(map(len, task.links)) >= DENSE * len(task.names)
