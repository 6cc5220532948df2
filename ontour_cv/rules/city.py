"""The rules of New York, as far as a board shows them, and what its best route is worth.

Every problem found is a real one: a board that a correct game can end with has none. Empty neighbourhoods are none, for
the game ends for all when the first map is full. What the printed rules leave open is read from the map
(``maps.city``).
The rules checked, by their short names:

============= ====================================================================================================
unknown       a neighbourhood that the map does not have
unread        a neighbourhood or a soloist that could not be read; it may be whatever the others need
circle        there are no circles in New York
soloist       a soloist beside a star, an X or nothing: only numbers have them
double        00, 11 ... 99: doubles become a star
pairs         every roll writes ab and ba; only an X, or the last empty neighbourhood, leaves a number alone
ferry         a ferry within a borough, to a landlocked neighbourhood, between two waters, or too many of them
park          all neighbourhoods round the park are filled and there was room, but no star stands elsewhere
x-area        an X is written when all boroughs of a card are full: so one was full without any X
tracks        more boxes crossed off in a row than there are soloists of that kind on the board
============= ====================================================================================================
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ontour_cv.board import BoardState, Kind, Mark, format_mark
from ontour_cv.city_board import UNREAD_SOLOIST, CityBoard, Pair
from ontour_cv.maps.city import INSTRUMENTS, City
from ontour_cv.maps.model import MapTemplate
from ontour_cv.route import TourGraph, Work, best_tour, tour_range
from ontour_cv.rules.base import Problem
from ontour_cv.rules.count import is_double, reverse, tally

_EMPTY = Mark(Kind.EMPTY)


@dataclass(frozen=True, slots=True)
class CityScore:
    """What a route through New York is worth.

    Attributes:
        total: the points, ``visited + soloist_points + bonus``.
        visited: neighbourhoods on the route.
        soloists: letter of a soloist -> how many of them are on the route.
        soloist_points: the highest number crossed off in each row, added up.
        bonus: points for all boroughs; 0 when the route misses one.
        boroughs: the boroughs the route visits, in the map's order.
        route: ids of the neighbourhoods, in the order of travel.
    """

    total: int
    visited: int
    soloists: Mapping[str, int]
    soloist_points: int
    bonus: int
    boroughs: tuple[str, ...]
    route: tuple[str, ...]


def score_document(score: CityScore) -> dict[str, object]:
    """A score as JSON has it."""
    return {
        "total": score.total,
        "visited": score.visited,
        "soloists": {INSTRUMENTS[letter]: count for letter, count in score.soloists.items()},
        "soloist_points": score.soloist_points,
        "boroughs": list(score.boroughs),
        "bonus": score.bonus,
    }


def city_of(template: MapTemplate) -> City:
    """The city part of a map of New York; ``ValueError`` when the map is none."""
    if template.city is None:
        raise ValueError(f"the map {template.id!r} is no city map")
    return template.city


def whole_board(template: MapTemplate, board: CityBoard) -> BoardState:
    """The board with exactly the map's neighbourhoods in the map's order; those it does not name are empty."""
    return BoardState({region: board.marks.get(region, _EMPTY) for region in template.ids})


def city_problems(template: MapTemplate, board: CityBoard) -> tuple[Problem, ...]:
    """Every problem of ``board``, in the order of the table above; empty for one that a correct game can end with."""
    full = whole_board(template, board)
    return (
        *_unknown(template, board),
        *_unread(full, board),
        *_circles(full),
        *_soloists(full, board),
        *_doubles(full),
        *_pairs(full),
        *ferry_problems(template, board.ferries),
        *_park(template, full),
        *_blocked(template, full),
        *_tracks(template, board),
    )


def city_score(template: MapTemplate, board: CityBoard) -> CityScore:
    """The worth of the best route, proved, as the board is written, whatever its problems."""
    tour = best_tour(tour_graph(template, board))
    return route_score(template, board, tour.places)


def city_score_range(template: MapTemplate, board: CityBoard, work: Work) -> tuple[int, int]:
    """The least and the most points of the best route, both proved; equal when the work sufficed."""
    return tour_range(tour_graph(template, board), work)


def route_score(template: MapTemplate, board: CityBoard, route: tuple[str, ...]) -> CityScore:
    """What a route through these neighbourhoods is worth; that it is lawful is not looked at."""
    city = city_of(template)
    on_route = {template.region(region).areas[0] for region in route}
    boroughs = tuple(area for area in template.areas if area in on_route)
    found = Counter(board.soloists.get(region, "") for region in route if board.marks[region].number is not None)
    soloists = {letter: found[letter] for letter in INSTRUMENTS}
    points = city.soloist_points(soloists)
    bonus = city.bonus if len(boroughs) == len(template.areas) else 0
    return CityScore(len(route) + points + bonus, len(route), soloists, points, bonus, boroughs, route)


def tour_graph(template: MapTemplate, board: CityBoard) -> TourGraph:
    """The graph a route may use: numbers and stars, joined by land and by the ferries that are drawn.

    An unread soloist counts as none.
    """
    city = city_of(template)
    full = whole_board(template, board)
    names = full.of_kind(Kind.NUMBER, Kind.STAR)
    index = {region: place for place, region in enumerate(names)}
    letters = list(INSTRUMENTS)
    soloists = {r: s for r, s in board.soloists.items() if s in INSTRUMENTS and r in index}
    ways = [dict.fromkeys((*template.region(region).neighbours, *board.ferries_at(region))) for region in names]
    return TourGraph(
        names=names,
        neighbours=tuple(tuple(index[other] for other in others if other in index) for others in ways),
        levels=tuple(full.marks[region].number for region in names),
        districts=tuple(template.areas.index(template.region(region).areas[0]) for region in names),
        kinds=tuple(
            letters.index(soloists[region]) if region in soloists and full.marks[region].number is not None else None
            for region in names
        ),
        tracks=tuple((0, *city.tracks[letter]) for letter in letters),
        district_count=len(template.areas),
        bonus=city.bonus,
    )


def ferry_problems(template: MapTemplate, ferries: Iterable[Pair]) -> Iterator[Problem]:
    """What is wrong with the ferries drawn, each by itself and all together."""
    city = city_of(template)
    drawn = [pair for pair in ferries if set(pair) <= set(template.ids)]
    for pair in drawn:
        reason = ferry_reason(template, pair)
        if reason:
            yield Problem("ferry", pair, f"The ferry {pair[0]}-{pair[1]}: {reason}.")
    at = Counter(end for pair in drawn for end in pair)
    most = city.ferries.per_place
    crowded = tuple(region for region in template.ids if most and at[region] > most)
    if crowded:
        yield Problem(
            "ferry", crowded, f"{', '.join(crowded)}: more ferries than {most}, which are the most at one place."
        )
    if city.ferries.per_board and len(drawn) > city.ferries.per_board:
        yield Problem("ferry", (), f"{len(drawn)} ferries are drawn; {city.ferries.per_board} are the most on a board.")


def ferry_reason(template: MapTemplate, pair: Pair) -> str:
    """Why no ferry can go between these two neighbourhoods; empty when one can."""
    city = city_of(template)
    one, other = pair
    landlocked = [region for region in pair if not city.waters[region]]
    if landlocked:
        return f"{' and '.join(landlocked)} {'is' if len(landlocked) == 1 else 'are'} landlocked"
    if template.region(one).areas == template.region(other).areas:
        return f"both ends are in {template.region(one).areas[0]}, but a ferry joins two boroughs"
    if not city.may_cross(one, other):
        return f"{one} lies at {_waters(city, one)}, {other} at {_waters(city, other)}, not at the same water"
    return ""


def park_filled(city: City, board: BoardState, count_unread: bool) -> bool:
    """True when every neighbourhood round the park is filled, an X and what is unread as told."""
    kinds = {Kind.NUMBER, Kind.STAR} | ({Kind.BLOCKED} if city.park_counts_x else set())
    kinds |= {Kind.UNREAD} if count_unread else set()
    return all(board.marks[region].kind in kinds for region in city.park)


def _waters(city: City, region: str) -> str:
    return " and ".join(city.waters[region])


def _unknown(template: MapTemplate, board: CityBoard) -> Iterator[Problem]:
    strange = tuple(region for region in board.marks if region not in template.ids)
    if strange:
        yield Problem("unknown", strange, f"{', '.join(strange)}: not on the map {template.title}.")


def _unread(full: BoardState, board: CityBoard) -> Iterator[Problem]:
    unread = full.of_kind(Kind.UNREAD)
    if unread:
        yield Problem("unread", unread, f"{', '.join(unread)}: not readable, so the route goes round it.")
    some = tuple(region for region in full.marks if board.soloists.get(region) == UNREAD_SOLOIST)
    if some:
        yield Problem("unread", some, f"{', '.join(some)}: the soloist is not readable, so none is counted.")


def _circles(full: BoardState) -> Iterator[Problem]:
    circled = tuple(region for region, mark in full.marks.items() if mark.circled)
    if circled:
        yield Problem("circle", circled, f"{', '.join(circled)}: there are no circles in New York.")


def _soloists(full: BoardState, board: CityBoard) -> Iterator[Problem]:
    kinds = (Kind.NUMBER, Kind.UNREAD)
    wrong = tuple(region for region, mark in full.marks.items() if region in board.soloists and mark.kind not in kinds)
    if wrong:
        yield Problem("soloist", wrong, f"{', '.join(wrong)}: only a number has a soloist.")


def _doubles(full: BoardState) -> Iterator[Problem]:
    doubles = tuple(r for r, mark in full.marks.items() if mark.number is not None and is_double(mark.number))
    if doubles:
        text = f"{_listed(full, doubles)}: two equal digits are never written, such a roll becomes a star."
        yield Problem("double", doubles, text)


def _pairs(full: BoardState) -> Iterator[Problem]:
    """A number whose reverse is missing needs an X, an unread one, or the last empty neighbourhood."""
    groups = tally(full).unpaired()
    alone = sum(group.excess for group in groups)
    blocked, unread = len(full.of_kind(Kind.BLOCKED)), len(full.of_kind(Kind.UNREAD))
    last = 0 if full.of_kind(Kind.EMPTY) else 1
    if alone <= blocked + unread + last:
        return
    regions = tuple(region for region in full.marks if any(region in group.regions for group in groups))
    missing = ", ".join(f"{group.number:02d} without {reverse(group.number):02d}" for group in groups)
    excuses = [f"{blocked} X"] * bool(blocked) + [f"{unread} unread"] * bool(unread) + ["the last empty one"] * last
    can = (
        f"{' and '.join(excuses)} can explain {blocked + unread + last}" if excuses else "nothing here can explain one"
    )
    numbers = "number" if alone == 1 else "numbers"
    text = f"Every roll is written both ways, but there is {missing}. That is {alone} {numbers} alone; {can}."
    yield Problem("pairs", regions, text)


def _park(template: MapTemplate, full: BoardState) -> Iterator[Problem]:
    """Where a neighbourhood is still empty, one was empty when the fifth was filled, so the star was due."""
    city = city_of(template)
    if not full.of_kind(Kind.EMPTY) or not park_filled(city, full, count_unread=False):
        return
    elsewhere = [region for region in full.of_kind(Kind.STAR, Kind.UNREAD) if region not in city.park]
    if not elsewhere:
        text = (
            f"{', '.join(city.park)} are filled, which gives a star at once in an empty neighbourhood, but no star "
            "stands anywhere else."
        )
        yield Problem("park", city.park, text)


def _blocked(template: MapTemplate, full: BoardState) -> Iterator[Problem]:
    """Where ferry cards open nothing, two of them in a turn leave a number without a card, whatever is full."""
    city = city_of(template)
    blocked = full.of_kind(Kind.BLOCKED)
    if not blocked or (not city.ferries.card_opens and sum(card.ferry for card in city.cards) > 1):
        return
    never_full = {template.region(region).areas[0] for region in full.of_kind(Kind.BLOCKED, Kind.EMPTY)}
    if never_full >= set(template.areas):
        text = (
            f"{', '.join(blocked)}: an X may be written only when the boroughs of a card are full, but each borough "
            "has an X or an empty neighbourhood, so none was full when the first X was written."
        )
        yield Problem("x-area", blocked, text)


def _tracks(template: MapTemplate, board: CityBoard) -> Iterator[Problem]:
    city = city_of(template)
    for letter, crossed in board.tracks.items():
        row = len(city.tracks[letter])
        places = [r for r, s in board.soloists.items() if s in (letter, UNREAD_SOLOIST) and r in template.ids]
        if crossed > min(row, len(places)):
            have = f"{len(places)} on the board" if len(places) < row else f"{row} boxes"
            are = "is" if min(row, len(places)) == 1 else "are"
            text = f"The row of the {INSTRUMENTS[letter]} has {crossed} crossed off, but there {are} {have}."
            yield Problem("tracks", tuple(r for r in template.ids if r in places), text)


def _listed(full: BoardState, regions: Iterable[str]) -> str:
    return ", ".join(f"{region} {format_mark(full.marks[region])}" for region in regions)
