"""The exact best route on a bare graph with levels and bonuses: knows a graph, not a game.

``best_route(RouteGraph(...))`` is the one call most need. What a route is, and which of several best ones is *the*
best, is said in ``graph``; how it is found and proved, in ``memo`` (quick on most boards), ``frontier`` (sure on
every board) and ``subsets`` (sure on few places with many links). ``best_tour(TourGraph(...))`` is the same for scores
that are no sum over places (``tour``).
"""

from ontour_cv.route.best import best_route, best_routes, best_total
from ontour_cv.route.graph import Route, RouteGraph, RouteSet
from ontour_cv.route.tour import Tour, TourGraph, best_tour, tour_of, tour_range
from ontour_cv.route.tour_sweep import Work

__all__ = [
    "Route",
    "RouteGraph",
    "RouteSet",
    "Tour",
    "TourGraph",
    "Work",
    "best_route",
    "best_routes",
    "best_total",
    "best_tour",
    "tour_of",
    "tour_range",
]
