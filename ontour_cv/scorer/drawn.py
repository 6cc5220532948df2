"""The tour the player drew: what it is worth, whether it is lawful, and where a better one leaves it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ontour_cv.board import LAST_NUMBER, BoardState, Kind
from ontour_cv.rules import Problem, Score
from ontour_cv.vision.decode import CellReading
from ontour_cv.vision.drawn import LEAST_PLACES, DrawnTour, LinkReader, read_drawn
from ontour_cv.vision.drawn_path import Link, Price
from ontour_cv.vision.glyphs import GlyphScores
from ontour_cv.vision.read import Stopwatch
from ontour_cv.vision.sums import tells

if TYPE_CHECKING:
    from ontour_cv.scorer.report import Report

NUMBER_FALLS, BLOCKED, EMPTY = "number-falls", "visits-x", "visits-empty"
"""Short names of what a drawn tour can do wrong."""

SLIP = 2.0
"""What each breach on a drawn tour costs, log-odds. Of 303 rendered tours kept for validation, a sixth of which break a
rule, fewer were read wrongly with 2 than with 0, and more were read than with 4."""

SHORT = 1.5
"""What each end costs at which the tour could lawfully go on, log-odds: players who draw a tour draw all of it."""

LEFT_OUT = 1.0
"""What each leg costs on whose way another place could lawfully have been visited, log-odds: three in four
players leave out none. It settles whether a line goes past a disc or stops there, as between Kentucky and Virginia."""


NO_TOUR = "No drawn tour was read."
"""What is said where :func:`drawn_sentences` has nothing to say, to somebody who asked."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawn tour, judged by the marks as read.

    Attributes:
        places: region ids in the order of travel; empty when no tour was drawn, or it could not be read.
        read: False when it cannot be told for sure whether and which tour is drawn.
        seen: True when links enough for a tour are drawn beyond much doubt, read or not.
        score: what the tour counts, lawful or not; None without a tour.
        problems: where it breaks the rules of a route.
        sure: False when a mark on it is in doubt, so that score and problems may be otherwise.
        advice: how the best route goes on where they part, or that the tour is as good; empty when there is nothing
            to say.
    """

    places: tuple[str, ...]
    read: bool
    seen: bool
    score: Score | None
    problems: tuple[Problem, ...]
    sure: bool
    advice: str

    @property
    def nothing(self) -> bool:
        """True when no tour was drawn."""
        return self.read and not self.places


def with_tour(report: Report, boxes: GlyphScores | None = None) -> Report:
    """The report with the tour drawn on its board; nothing else in it changes.

    ``boxes``: what is seen in the score boxes, from ``vision.sums.see_boxes``: it tells what was counted.
    """
    watch = Stopwatch()
    reading = report.reading
    links = report.template.ways()
    price = price_by(report.board, links, boxes)
    seen = read_drawn(reading.candidates.working, reading.placement, links, link_reader(), price)
    drawn = judge_drawn(seen, report.cells, report.score)
    watch.lap("drawn")
    return replace(report, drawn=drawn, timings_ms={**report.timings_ms, **watch.timings_ms})


def price_by(board: BoardState, links: Sequence[Link], boxes: GlyphScores | None = None) -> Price:
    """How unlikely a drawn tour is by the marks, and by what its player wrote into the score boxes.

    Players know the rules of a route and seldom break them, they seldom stop where they could go on, and seldom go past
    what lies on the way. And who counts a tour writes mostly what it counts.
    """
    near = nearby(links)
    costs, untold = None, 0.0
    if boxes is not None:
        told = tells(boxes, len(board.marks))
        costs, untold = told.max() - told, float(told.max() - np.log(np.exp(told).mean()))

    def price(places: tuple[str, ...]) -> float:
        ways = (places, places[::-1])
        odd = min(oddness(way, board, near) for way in ways)
        if costs is None or not places:
            return odd + untold
        return odd + float(costs[len(places), sum(board.marks[region].circled for region in places)])

    return price


def oddness(places: tuple[str, ...], board: BoardState, near: Mapping[str, set[str]]) -> float:
    """What a tour costs that is travelled this way round; ``near`` as :func:`nearby` gives it."""
    return (
        SLIP * len(tour_problems(places, board))
        + SHORT * loose_ends(places, board, near)
        + LEFT_OUT * left_out(places, board, near)
    )


def nearby(links: Sequence[Link]) -> dict[str, set[str]]:
    """Region id -> the regions at the other ends of its links."""
    near: dict[str, set[str]] = {}
    for one, other in links:
        near.setdefault(one, set()).add(other)
        near.setdefault(other, set()).add(one)
    return near


def loose_ends(places: tuple[str, ...], board: BoardState, near: Mapping[str, set[str]]) -> int:
    """At how many of its ends a tour could lawfully be longer."""
    if not places:
        return 0
    numbers = [number for region in places if (number := board.marks[region].number) is not None]
    lowest, highest = (numbers[0], numbers[-1]) if numbers else (LAST_NUMBER, 0)

    def room(region: str, least: int, most: int) -> bool:
        return any(_fits(other, places, board, least, most) for other in near.get(region, ()))

    return room(places[0], 0, lowest) + room(places[-1], highest, LAST_NUMBER)


def left_out(places: tuple[str, ...], board: BoardState, near: Mapping[str, set[str]]) -> int:
    """On how many of its legs a tour could lawfully have visited another place."""
    numbers = [board.marks[region].number for region in places]
    least, ahead = 0, []
    for number in numbers[:-1]:
        least = least if number is None else number
        ahead.append(least)
    most, behind = LAST_NUMBER, []
    for number in numbers[:0:-1]:
        most = most if number is None else number
        behind.append(most)
    return sum(
        any(_fits(other, places, board, low, high) for other in near.get(here, set()) & near.get(there, set()))
        for (here, there), low, high in zip(pairwise(places), ahead, reversed(behind), strict=True)
    )


def _fits(region: str, places: tuple[str, ...], board: BoardState, least: int, most: int) -> bool:
    """True where a tour that does not visit the region could, between these numbers."""
    mark = board.marks[region]
    if region in places or mark.kind in (Kind.BLOCKED, Kind.EMPTY):
        return False
    return mark.number is None or least <= mark.number <= most


@cache
def link_reader() -> LinkReader:
    """The networks for links, loaded once."""
    return LinkReader()


def judge_drawn(tour: DrawnTour, cells: Mapping[str, CellReading], best: Score) -> Drawn:
    """What a drawn tour is worth on a board as read, beside its best route."""
    if not tour.places:
        return without_places(tour)
    board = BoardState({region: cell.mark for region, cell in cells.items()})
    places = directed(tour.places, board, best)
    circles = sum(board.marks[region].circled for region in places)
    score = Score(len(places) + circles, len(places), circles, places)
    problems = tour_problems(places, board)
    sure = not any(cells[region].doubtful for region in places)
    return Drawn(places, True, True, score, problems, sure, advice_on(score, problems, best))


def without_places(tour: DrawnTour) -> Drawn:
    """What is said where no tour was read: none is drawn, or it cannot be told."""
    return Drawn((), tour.read, tour.clear >= LEAST_PLACES - 1, None, (), True, "")


def directed(places: tuple[str, ...], board: BoardState, best: Score) -> tuple[str, ...]:
    """The way a tour is meant: of two that which breaks less, of two lawful ones that of the best route."""
    ways = (places, places[::-1])
    return min(ways, key=lambda way: (len(tour_problems(way, board)), -_steps_shared(way, best.route)))


def tour_problems(places: tuple[str, ...], board: BoardState) -> tuple[Problem, ...]:
    """Where a tour breaks the rules of a route, travelled in this direction."""
    found = []
    reached: tuple[str, int] | None = None
    for region in places:
        mark = board.marks[region]
        if mark.kind is Kind.BLOCKED:
            found.append(Problem(BLOCKED, (region,), f"it goes through {region}, which is crossed out"))
        elif mark.kind is Kind.EMPTY:
            found.append(Problem(EMPTY, (region,), f"it goes through {region}, where nothing is written"))
        elif mark.number is not None:
            if reached is not None and mark.number < reached[1]:
                text = f"the number falls from {reached[1]:02d} in {reached[0]} to {mark.number:02d} in {region}"
                found.append(Problem(NUMBER_FALLS, (reached[0], region), text))
            reached = region, mark.number
    return tuple(found)


def _steps_shared(places: tuple[str, ...], route: tuple[str, ...]) -> int:
    return len(set(pairwise(places)) & set(pairwise(route)))


def advice_on(drawn: Score, problems: tuple[Problem, ...], best: Score) -> str:
    """Where the best route first leaves the drawn one; only a tour without fault is compared point by point."""
    if not problems and drawn.total >= best.total:
        return "no route is better"
    onward = dict(pairwise(best.route))
    own = dict(pairwise(drawn.route))
    for here in drawn.route:
        there = onward.get(here)
        if there is not None and there != own.get(here):
            return f"from {here} go to {there}" + (f", not {own[here]}" if here in own else "")
    if best.route and best.route[0] not in drawn.route:
        return f"begin in {best.route[0]}"
    return ""


def drawn_sentences(drawn: Drawn, best: Score) -> list[str]:
    """A drawn tour in sentences for people; none when no tour was drawn."""
    if drawn.score is None:
        return ["A tour seems to be drawn, but it could not be read for sure."] if drawn.seen else []
    whether = "" if drawn.sure else ", if all marks on it are read rightly"
    told = [f"You drew {drawn.score.total}, the best is {best.total}{whether}: {drawn.advice}."]
    if not drawn.advice:
        told = [f"You drew {drawn.score.total}, the best is {best.total}{whether}."]
    return [*told, *(f"The drawn tour breaks a rule{whether}: {problem.text}." for problem in drawn.problems)]
