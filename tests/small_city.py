"""A city small enough to play every course of a game: an oracle for the referee of New York."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.city_board import CityBoard, Pair
from ontour_cv.dealer.record import GameRecord, Phase, Roll
from ontour_cv.maps.city import City, CityCard, Ferries
from ontour_cv.maps.model import MapTemplate, Region
from ontour_cv.rules import VARIANTS

IDS = ("A1", "A2", "A3", "B1", "B2", "B3", "C1")
PARK = ("A1", "B1")
CARDS = (
    CityCard("F1", ()),
    CityCard("F2", ()),
    CityCard("K1", ("A",), "s", "A"),
    CityCard("K2", ("A", "B"), "d", "B"),
    CityCard("K3", ("B",)),
    CityCard("K4", ("A", "C"), "s", "C"),
    CityCard("K5", ("B", "C"), "m", "B"),
    CityCard("K6", ("A", "B"), "s", "A"),
)
PAIRS: tuple[Pair, ...] = (("A3", "C1"), ("B3", "C1"))
Cells = tuple[str, ...]
"""What stands in each region as notation has it: ``""``, ``*``, ``x``, ``12``, ``12s``."""

Outcome = tuple[Cells, frozenset[Pair]]


def small_city(park_counts_x: bool = True, card_opens: bool = False) -> MapTemplate:
    regions = tuple(
        Region(name, name, name, (name[0],), tuple(o for o in IDS if o[0] == name[0] and o != name), (0.1 * k, 0.1))
        for k, name in enumerate(IDS)
    )
    waters = {name: ("Sound",) if name in ("A3", "C1") else () for name in IDS}
    waters |= {"B3": ("Bay",), "C1": ("Sound", "Bay")}
    tracks = dict.fromkeys("smdg", (1, 2, 4))
    ferries = Ferries(True, True, card_opens, True, 0, 0)
    city = City(waters, CARDS, PARK, park_counts_x, 7, tracks, ferries)
    return MapTemplate("small", "Small", False, "new-york", 6, regions, (), ("A", "B", "C"), city=city)


def random_rolls(rng: random.Random, count: int) -> tuple[Roll, ...]:
    """Rolls of few digits, so that numbers come again."""
    cards = [card.id for card in CARDS]
    return tuple(
        Roll(Phase.TURN, tuple(rng.sample(cards, 3)), (rng.randint(1, 3), rng.randint(1, 3))) for _ in range(count)
    )


def record_of(rolls: tuple[Roll, ...]) -> GameRecord:
    return GameRecord("small", "new-york", ("Anna",), rolls, False, stored=VARIANTS["new-york"])


def board_of(outcome: Outcome) -> CityBoard:
    cells, ferries = outcome
    marks = {name: _mark(cell.rstrip("smdg")) for name, cell in zip(IDS, cells, strict=True)}
    soloists = {name: cell[-1] for name, cell in zip(IDS, cells, strict=True) if cell[-1:] in tuple("smdg")}
    return CityBoard(BoardState(marks), soloists, tuple(pair for pair in PAIRS if pair in ferries))


def _mark(text: str) -> Mark:
    kinds = {"": Kind.EMPTY, "*": Kind.STAR, "x": Kind.BLOCKED}
    return Mark(kinds[text]) if text in kinds else Mark(Kind.NUMBER, int(text))


class Courses:
    """Every course of a game: the boards it can lead to after each number of rolls."""

    def __init__(self, template: MapTemplate) -> None:
        assert template.city is not None
        self.city = template.city

    def outcomes(self, rolls: tuple[Roll, ...]) -> set[Outcome]:
        """The boards after some of the rolls, from none to all; a full map ends the game."""
        now = {(("",) * len(IDS), frozenset[Pair](), False)}
        seen = set(now)
        for roll in rolls:
            now = {after for state in now if "" in state[0] for after in self._turn(state, roll)}
            seen |= now
        return {(cells, ferries) for cells, ferries, _ in seen}

    def _turn(
        self, state: tuple[Cells, frozenset[Pair], bool], roll: Roll
    ) -> Iterator[tuple[Cells, frozenset[Pair], bool]]:
        cells, ferries, starred = state
        cards = [self.city.card(card) for card in roll.cards]
        if self._due(cards):
            yield from ((cells, ferries | {pair}, starred) for pair in PAIRS if pair not in ferries)
        if roll.double:
            for after, star in self._put(cells, starred, "*", range(len(IDS))):
                yield after, ferries, star
            return
        low, high = roll.numbers
        for first, second in ((low, high), (high, low)):
            for after, star in self._both(cells, starred, (first, second), cards):
                yield after, ferries, star

    def _both(
        self, cells: Cells, starred: bool, numbers: tuple[int, int], cards: list[CityCard]
    ) -> Iterator[tuple[Cells, bool]]:
        single = cells.count("") == 1
        for after, star, card in self._one(cells, starred, numbers[0], cards):
            if single or "" not in after:
                yield after, star
                continue
            rest = [other for other in cards if other is not card]
            for last, last_star, _ in self._one(after, star, numbers[1], rest):
                yield last, last_star

    def _one(
        self, cells: Cells, starred: bool, number: int, cards: list[CityCard]
    ) -> Iterator[tuple[Cells, bool, CityCard | None]]:
        found = False
        for card in cards:
            for place, name in enumerate(IDS):
                if not cells[place] and name[0] in self._opens(card):
                    found = True
                    for after, star in self._put(cells, starred, f"{number}{card.soloist_at(name[0])}", [place]):
                        yield after, star, card
        if not found:
            for after, star in self._put(cells, starred, "x", range(len(IDS))):
                yield after, star, None

    def _put(self, cells: Cells, starred: bool, what: str, places: range | list[int]) -> Iterator[tuple[Cells, bool]]:
        for place in places:
            if cells[place]:
                continue
            after = (*cells[:place], what, *cells[place + 1 :])
            park = [after[IDS.index(name)] for name in PARK]
            due = not starred and all(park) and (self.city.park_counts_x or "x" not in park)
            if not due or "" not in after:
                yield after, starred or due
                continue
            for star in range(len(IDS)):
                if not after[star]:
                    yield (*after[:star], "*", *after[star + 1 :]), True

    def _opens(self, card: CityCard) -> tuple[str, ...]:
        return ("A", "B", "C") if card.ferry and self.city.ferries.card_opens else card.boroughs

    def _due(self, cards: list[CityCard]) -> bool:
        return any(card.ferry for card in cards) or bool(set.intersection(*(set(card.boroughs) for card in cards)))


def changed(rng: random.Random, outcome: Outcome) -> Outcome:
    """The board with one thing done otherwise."""
    cells, ferries = list(outcome[0]), set(outcome[1])
    place = rng.randrange(len(IDS))
    if rng.random() < 0.2:
        ferries ^= {rng.choice(PAIRS)}
    elif rng.random() < 0.3 and cells[place][:1].isdigit():
        cells[place] = cells[place][:2] + rng.choice(["", "s", "d", "m"])
    elif rng.random() < 0.5:
        other = rng.randrange(len(IDS))
        cells[place], cells[other] = cells[other], cells[place]
    else:
        cells[place] = rng.choice(["", "*", "x", "12", "21", "13", "31s", "23d", "32"])
    return tuple(cells), frozenset(ferries)


def without_turns(template: MapTemplate) -> MapTemplate:
    """The same city by another name, for logs that do not belong to it."""
    return replace(template, id="other")
