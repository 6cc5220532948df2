"""The best tour on a graph whose score is no sum over places: rows of soloists, and a bonus for every district.

What a route is stands in ``graph``: no place twice, along links, levels never fall, a wild place fits anywhere. A
**tour** is such a route; its score is

* a point for each place visited, and
* for each kind of soloist the entry of its track at the number of places of that kind on the route (past the end of
  the track, its last entry), and
* the bonus when the route touches every district.

The best tour has the greatest total. Of several best ones the **first** is taken: at the alphabetically first link that
only one of two tours uses (a link as its two names in alphabetical order), the one that uses it comes first; of best
tours of one place, the alphabetically first name. This depends on names alone. On boards with far more ferries than a
game makes there may be too many equal tours to tell the first; then it is one of them, the same every time. A tour is
written in the direction in which its levels do not fall; where both directions are lawful, from the end whose name
comes first.

Every total is proved: see ``tour_sweep``.
"""

from __future__ import annotations

from dataclasses import dataclass

from ontour_cv.route.graph import RouteGraph
from ontour_cv.route.task import Task, route_of
from ontour_cv.route.tour_labels import Labels
from ontour_cv.route.tour_sweep import Work, best_label, tour_task, value_range


@dataclass(frozen=True, slots=True)
class TourGraph:
    """The places a tour may visit; blocked and empty ones are simply left out.

    Attributes:
        names: the place names, all different.
        neighbours: for each place the positions (in ``names``) of the places a link or a ferry leads to; both sides
            list it.
        levels: for each place its number, or None when it is wild.
        districts: for each place the number of its district, from 0.
        kinds: for each place the number of its soloist's kind, from 0, or None when it has none.
        tracks: for each kind what 0, 1, 2 ... soloists are worth; begins with 0 and never falls.
        district_count: how many districts must be touched for the bonus, also those that have no place left.
        bonus: points for touching all districts.

    Raises:
        ValueError: it is no simple undirected graph (see ``RouteGraph``), lengths differ, a district or kind is
            unknown, a track does not begin with 0 or falls, or the bonus is negative.
    """

    names: tuple[str, ...]
    neighbours: tuple[tuple[int, ...], ...]
    levels: tuple[int | None, ...]
    districts: tuple[int, ...]
    kinds: tuple[int | None, ...]
    tracks: tuple[tuple[int, ...], ...]
    district_count: int
    bonus: int

    def __post_init__(self) -> None:
        """Refuse what has no score."""
        self.route_graph()
        if not len(self.names) == len(self.districts) == len(self.kinds):
            raise ValueError("names, districts and kinds must have the same length")
        if self.district_count < 1 or any(not 0 <= district < self.district_count for district in self.districts):
            raise ValueError("districts are numbered from 0 to below their count, which is at least 1")
        if any(kind is not None and not 0 <= kind < len(self.tracks) for kind in self.kinds):
            raise ValueError("each kind of soloist needs a track")
        for track in self.tracks:
            if not track or track[0] != 0 or list(track) != sorted(track):
                raise ValueError("a track begins with 0 and never falls")
        if self.bonus < 0:
            raise ValueError("the bonus must not be negative")

    def route_graph(self) -> RouteGraph:
        """The bare graph: the same places, links and levels, without soloists and districts."""
        return RouteGraph(self.names, self.neighbours, self.levels, (0,) * len(self.names))


@dataclass(frozen=True, slots=True)
class Tour:
    """One tour.

    Attributes:
        places: the names in the order of travel.
        visited: how many places.
        soloists: for each kind, how many places of that kind.
        all_districts: whether every district is touched.
        total: the score.
    """

    places: tuple[str, ...]
    visited: int
    soloists: tuple[int, ...]
    all_districts: bool
    total: int


def tour_of(graph: TourGraph, places: tuple[str, ...]) -> Tour:
    """The tour through these places (names, in order) with its score; that it is lawful is not looked at.

    Raises:
        ValueError: a name is unknown, or stands twice.
    """
    if len(set(places)) != len(places):
        raise ValueError("a tour visits no place twice")
    positions = [graph.names.index(name) for name in places]
    soloists = tuple(sum(graph.kinds[p] == kind for p in positions) for kind in range(len(graph.tracks)))
    everywhere = len({graph.districts[p] for p in positions}) == graph.district_count
    earned = sum(track[min(count, len(track) - 1)] for track, count in zip(graph.tracks, soloists, strict=True))
    total = len(places) + earned + graph.bonus * everywhere
    return Tour(places, len(places), soloists, everywhere, total)


def best_tour(graph: TourGraph) -> Tour:
    """The first of the best tours of ``graph`` (see above), proved; a tour of no place on an empty graph."""
    if not graph.names:
        return tour_of(graph, ())
    task, labels = _task(graph)
    return tour_of(graph, route_of(task, best_label(task, labels)).places)


def tour_range(graph: TourGraph, work: Work) -> tuple[int, int]:
    """The least and the most that the best tour of ``graph`` is worth, both proved; equal when ``work`` sufficed.

    ``work`` is used up as labels are taken up; with none left the range is from 0 to all places there are.
    """
    if not graph.names or work.left <= 0:
        return 0, tour_of(graph, graph.names).total
    return value_range(*_task(graph), work)


def _task(graph: TourGraph) -> tuple[Task, Labels]:
    labels = Labels(graph.tracks, graph.district_count, graph.bonus, len(graph.names))
    return tour_task(graph.route_graph(), graph.districts, graph.kinds, labels), labels
