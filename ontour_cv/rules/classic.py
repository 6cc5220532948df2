"""The rules of On Tour (USA and Europe), as far as a finished board shows them.

Every problem found is a real one: a board that a correct game can end with has none. The other way round it holds for
what counting can tell (which marks there are, not where), but a board does not show the cards, so some impossible ones
pass. The rules checked, by their short names:

============= ====================================================================================================
unknown       a state that the map does not have
unread        a state that could not be read; nothing is claimed about it, and it may be whatever the others need
empty         a state without a mark: the game ends when none is left
circle        a circle round an X or round nothing
double        00, 11 ... 99: doubles become a star, or are rolled again in the setup
pairs         every roll writes ab and ba; only an X, or a last turn with one empty state, leaves a number alone
setup         the setup circles four numbers, two rolls, so two reversed pairs are circled as a whole
last-turn     the last turn has no cards, so it writes no circle and no X; something on the board must be its work
x-area        an X is written when an area that the cards show is full: so there is an area that was full without any X
star-circle   in variants that always circle a star: one without its circle
============= ====================================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.maps.model import MapTemplate
from ontour_cv.route import RouteGraph, RouteSet, best_route, best_routes
from ontour_cv.rules.base import Problem, Score, Variant
from ontour_cv.rules.count import Tally, Unpaired, can_end, is_double, reverse, tally

_EMPTY = Mark(Kind.EMPTY)


@dataclass(frozen=True, slots=True)
class Classic:
    """The rules of one variant; without any state of its own."""

    variant: Variant

    def problems(self, template: MapTemplate, board: BoardState) -> tuple[Problem, ...]:
        """Every problem of ``board``, in the order of the table above; empty for a correct finished board."""
        full = on_map(template, board)
        numbers = tally(full)
        return (
            *_unknown(template, board),
            *_unfinished(template, full),
            *_circles(full),
            *_doubles(full),
            *_pairs(template, full, numbers),
            *self._setup(full, numbers),
            *self._last_turn(full, numbers),
            *_blocked_areas(template, full),
            *self._star_circles(full),
        )

    def score(self, template: MapTemplate, board: BoardState) -> Score:
        """The worth of the best route, as the board is written, whatever its problems."""
        graph = route_graph(template, board)
        if not graph.names:
            return Score(0, 0, 0, ())
        route = best_route(graph)
        return Score(route.visited + route.circles, route.visited, route.circles, route.places)

    def best(self, template: MapTemplate, board: BoardState, limit: int) -> RouteSet:
        """All best routes of the board, at most ``limit`` of them written out."""
        return best_routes(route_graph(template, board), limit)

    def _setup(self, board: BoardState, numbers: Tally) -> Iterator[Problem]:
        """Unread states may hold what is missing, so each of them excuses one."""
        unread = len(board.of_kind(Kind.UNREAD))
        circled = tuple(region for region in board.of_kind(Kind.NUMBER) if board.marks[region].circled)
        rolls = self.variant.setup_rolls
        if len(circled) + unread < 2 * rolls:
            have = f"only {_listed(board, circled)} here" if circled else "there is none here"
            text = f"The setup circles {2 * rolls} numbers, {have}."
            yield Problem("setup", circled, text)
            return
        pairs = numbers.circled_pairs()
        if sum(count for _, count in pairs) + unread < rolls:
            whole = " and ".join(f"{low:02d}/{reverse(low):02d}" for low, _ in pairs)
            have = f"only {whole} is here" if whole else "there is none here"
            text = (
                f"The setup is {rolls} rolls, each circled as a number and its reverse, so {rolls} such pairs must be "
                f"circled; {have}. Circled: {_listed(board, circled)}."
            )
            yield Problem("setup", circled, text)

    def _last_turn(self, board: BoardState, numbers: Tally) -> Iterator[Problem]:
        open_question = board.of_kind(Kind.EMPTY, Kind.UNREAD) or _double_places(board)
        if open_question or _unexplained(board, numbers) > 0:
            return
        if not can_end(board, numbers, 2 * self.variant.setup_rolls, self.variant.star_always_circled):
            yield _nothing_last(board, numbers)

    def _star_circles(self, board: BoardState) -> Iterator[Problem]:
        plain = tuple(region for region in board.of_kind(Kind.STAR) if not board.marks[region].circled)
        if self.variant.star_always_circled and plain:
            text = f"{_names(plain)}: a star is always circled when playing {self.variant.title}."
            yield Problem("star-circle", plain, text)


def on_map(template: MapTemplate, board: BoardState) -> BoardState:
    """``board`` with exactly the map's regions in the map's order; those it does not name are empty."""
    return BoardState({region: board.marks.get(region, _EMPTY) for region in template.ids})


def route_graph(template: MapTemplate, board: BoardState) -> RouteGraph:
    """The graph a route may use: numbers and stars; blocked, empty and unread regions are no part of it."""
    full = on_map(template, board)
    names = full.of_kind(Kind.NUMBER, Kind.STAR)
    index = {region: i for i, region in enumerate(names)}
    neighbours = (template.reach(region) for region in names)
    return RouteGraph(
        names=names,
        neighbours=tuple(tuple(index[other] for other in others if other in index) for others in neighbours),
        levels=tuple(full.marks[region].number for region in names),
        bonus=tuple(int(full.marks[region].circled) for region in names),
    )


def _unknown(template: MapTemplate, board: BoardState) -> Iterator[Problem]:
    strange = tuple(region for region in board.marks if region not in template.ids)
    if strange:
        yield Problem("unknown", strange, f"{_names(strange)}: not on the map {template.title}.")


def _unfinished(template: MapTemplate, board: BoardState) -> Iterator[Problem]:
    unread = board.of_kind(Kind.UNREAD)
    if unread:
        yield Problem("unread", unread, f"{_names(unread)}: not readable, so the route goes round it.")
    empty = board.of_kind(Kind.EMPTY)
    if empty:
        text = f"{_names(empty)}: nothing written, but a game ends only when every {template.space} is filled."
        yield Problem("empty", empty, text)


def _circles(board: BoardState) -> Iterator[Problem]:
    for kind, what in ((Kind.BLOCKED, "an X is never circled"), (Kind.EMPTY, "there is a circle round nothing")):
        wrong = tuple(region for region in board.of_kind(kind) if board.marks[region].circled)
        if wrong:
            yield Problem("circle", wrong, f"{_names(wrong)}: {what}.")


def _double_places(board: BoardState) -> tuple[str, ...]:
    numbers = {region: board.marks[region].number for region in board.of_kind(Kind.NUMBER)}
    return tuple(region for region, number in numbers.items() if number is not None and is_double(number))


def _doubles(board: BoardState) -> Iterator[Problem]:
    doubles = _double_places(board)
    if doubles:
        text = f"{_listed(board, doubles)}: two equal digits are never written, such a roll becomes a star."
        yield Problem("double", doubles, text)


def _unexplained(board: BoardState, numbers: Tally) -> int:
    """How many unpaired numbers are left when every excuse is used up; zero or less for a lawful board."""
    excuses = len(board.of_kind(Kind.BLOCKED, Kind.UNREAD)) + 1
    return sum(group.excess for group in numbers.unpaired()) - excuses


def _pairs(template: MapTemplate, board: BoardState, numbers: Tally) -> Iterator[Problem]:
    if _unexplained(board, numbers) <= 0:
        return
    groups = numbers.unpaired()
    alone = sum(group.excess for group in groups)
    blocked, unread = len(board.of_kind(Kind.BLOCKED)), len(board.of_kind(Kind.UNREAD))
    excuses = [f"{blocked} X"] * bool(blocked) + [f"{unread} unread"] * bool(unread)
    excuses.append(f"a last turn with one empty {template.space}")
    text = (
        f"Every roll is written both ways, but {'; '.join(_alone(group) for group in groups)}. That is {alone} numbers "
        f"alone; {' and '.join(excuses)} can explain {blocked + unread + 1}."
    )
    regions = _ordered(board, [region for group in groups for region in group.regions])
    yield Problem("pairs", regions, text)


def _nothing_last(board: BoardState, numbers: Tally) -> Problem:
    alone = [region for group in numbers.unpaired() for region in group.regions]
    if _unexplained(board, numbers) == 0:
        regions = _ordered(board, alone)
        what = f"One of {_listed(board, regions)} was" if len(regions) > 1 else f"{_listed(board, regions)} was"
        return Problem("last-turn", regions, f"{what} the last number of the game, so it cannot be circled.")
    text = (
        "The last turn is played without cards, so it writes no circle and no X; but nothing on this board can "
        "have been written last."
    )
    return Problem("last-turn", (), text)


def _alone(group: Unpaired) -> str:
    """``NV 31 has no 13``, or how many there are of each."""
    number, partner = f"{group.number:02d}", f"{reverse(group.number):02d}"
    if not group.partners:
        have = "has" if len(group.regions) == 1 else "have"
        return f"{' and '.join(f'{region} {number}' for region in group.regions)} {have} no {partner}"
    return f"{number} is in {_names(group.regions)} and {partner} only in {_names(group.partners)}"


def _blocked_areas(template: MapTemplate, board: BoardState) -> Iterator[Problem]:
    """The first X needs an area all full of numbers and stars: so one area has neither an X nor an empty state."""
    blocked = board.of_kind(Kind.BLOCKED)
    never_full = set(board.of_kind(Kind.BLOCKED, Kind.EMPTY))
    areas = dict.fromkeys(area for region in template.regions for area in region.areas)
    members = {area: {region.id for region in template.regions if area in region.areas} for area in areas}
    if blocked and areas and all(members[area] & never_full for area in areas):
        text = (
            f"{_names(blocked)}: an X may be written only when every {template.space} of an area on the cards is full, "
            f"but each area ({', '.join(areas)}) has an X or an empty {template.space}, so none was full when the "
            "first X was written."
        )
        yield Problem("x-area", blocked, text)


def _ordered(board: BoardState, regions: Iterable[str]) -> tuple[str, ...]:
    wanted = set(regions)
    return tuple(region for region in board.marks if region in wanted)


def _names(regions: Iterable[str]) -> str:
    return ", ".join(regions)


def _listed(board: BoardState, regions: Iterable[str]) -> str:
    """``NV 31, AZ 50``."""
    return ", ".join(f"{region} {_content(board.marks[region])}" for region in regions)


def _content(mark: Mark) -> str:
    return f"{mark.number:02d}" if mark.number is not None else {Kind.STAR: "star"}.get(mark.kind, mark.kind.value)
