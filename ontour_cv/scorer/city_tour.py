"""The tour a player drew on a board of New York: read, judged by the marks and soloists as read, beside the best route.

By land a leg is drawn along a printed link, as on other maps. Across the water the ferry's line stands there already:
some go over it again, some take it as it is. So every ferry may be part of the tour or not, and what tells is whether
the legs by land hang together: no other way does a tour get from one borough to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf, log

from ontour_cv.board import BoardState
from ontour_cv.city_board import Pair
from ontour_cv.rules import Score
from ontour_cv.rules.city import CityScore, route_score
from ontour_cv.scorer.city_report import CityReport
from ontour_cv.scorer.drawn import (
    Drawn,
    advice_on,
    directed,
    link_reader,
    loose_ends,
    nearby,
    oddness,
    tour_problems,
    without_places,
)
from ontour_cv.vision.drawn import DrawnTour, read_drawn
from ontour_cv.vision.drawn_path import Link, Price
from ontour_cv.vision.read import Stopwatch

TAKEN = 0.01
"""What it costs to travel by a ferry that is surely drawn, log-odds: hardly anything, only that ties are settled."""

ABANDONED = 1.2
"""What an end costs at which a drawn ferry could lawfully be taken, log-odds. Most players draw all of their tour, and
of one that ends at a ferry the ferry's line is the rest; but some stop there. Less than the reader's margin: such
a tour is not told, it would be a guess."""

LEAST_LEGS = 2
"""Ferries alone, one behind the other, are no tour: so many legs by land there must be."""


def with_city_tour(report: CityReport) -> CityReport:
    """The report with the tour drawn on its board; nothing else in it changes."""
    watch = Stopwatch()
    reading, links = report.reading, report.template.edges()
    ferries = ferry_costs(report, links)
    price = city_price(report.board.board, links, tuple(pair for pair, cost in ferries.items() if cost <= TAKEN))
    seen = read_drawn(reading.candidates.working, reading.placement, links, link_reader(), price, ferries)
    tour = judge_city_tour(seen, report)
    watch.lap("tour")
    return replace(report, tour=tour, timings_ms={**report.timings_ms, **watch.timings_ms})


def ferry_costs(report: CityReport, links: Sequence[Link]) -> dict[Pair, float]:
    """The ferries that may be travelled, and what that costs: little where they are surely drawn, more where not.

    One along a printed link is that link's line.
    """
    by_land = {frozenset(link) for link in links}
    chances = dict.fromkeys(report.drawn.ferries, 1.0) | dict(report.drawn.open_ferries)
    return {
        pair: max(TAKEN, log((1 - chance) / chance) if chance < 1 else TAKEN)
        for pair, chance in chances.items()
        if frozenset(pair) not in by_land
    }


def city_price(board: BoardState, links: Sequence[Link], ferries: tuple[Pair, ...]) -> Price:
    """How unlikely a drawn tour is by the marks, as ``scorer.drawn.price_by``.

    ``ferries`` are those that are surely drawn: of one that may not be there, nobody could say that it was left.
    """
    near, by_water = nearby(links), nearby(ferries)
    by_land = {frozenset(link) for link in links}

    def price(places: tuple[str, ...]) -> float:
        if places and sum(frozenset(step) in by_land for step in pairwise(places)) < LEAST_LEGS:
            return inf
        ways = (places, places[::-1])
        return min(oddness(way, board, near) + ABANDONED * loose_ends(way, board, by_water) for way in ways)

    return price


def judge_city_tour(tour: DrawnTour, report: CityReport) -> Drawn:
    """What a drawn tour is worth on a board as read, beside its best route."""
    if not tour.places:
        return without_places(tour)
    board, best = report.board, plain(report.score)
    places = directed(tour.places, board.board, best)
    score = plain(route_score(report.template, board, places))
    problems = tour_problems(places, board.board)
    unsure = {*report.uncertain, *report.drawn.open_soloists}
    ferries = {frozenset(pair) for pair in report.drawn.open_ferries}
    sure = unsure.isdisjoint(places) and not any(frozenset(step) in ferries for step in pairwise(places))
    return Drawn(places, True, True, score, problems, sure, advice_on(score, problems, best))


def plain(score: CityScore) -> Score:
    """The total and the route, as other maps have them; New York has no circles."""
    return Score(score.total, score.visited, 0, score.route)
