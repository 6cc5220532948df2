"""Whole games of New York, played by the rules by players who want long routes, soloists and all boroughs.

A source of boards and logs for tests and benchmarks. It knows the rules by itself and nothing of the referee, so the
two check each other.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.city_board import CityBoard, Pair, ordered_pairs
from ontour_cv.dealer.city import CityPosition, start_city
from ontour_cv.dealer.record import GameRecord
from ontour_cv.maps.city import INSTRUMENTS, City, CityCard
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules import VARIANTS

_EMPTY, _STAR, _CROSS = Mark(Kind.EMPTY), Mark(Kind.STAR), Mark(Kind.BLOCKED)


@dataclass(frozen=True, slots=True)
class PlayedCity:
    """A played game.

    Attributes:
        record: the game's rolls.
        boards: a board per player, at the end of the game.
        stories: per player what was done with each roll, in words.
    """

    record: GameRecord
    boards: tuple[CityBoard, ...]
    stories: tuple[tuple[str, ...], ...]


class _Dice:
    """Chance from a ``random.Random``."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def below(self, n: int) -> int:
        return self._rng.randrange(n)


def play_city(template: MapTemplate, rng: random.Random, players: int = 1, rolls: int | None = None) -> PlayedCity:
    """A game until somebody's map is full; ``rng`` gives dice, tastes and whims.

    Args:
        template: a map of New York.
        rng: where chance comes from.
        players: how many play.
        rolls: stop after so many rolls, before the end.
    """
    variant = VARIANTS[template.rules]
    position, chance, table = start_city(template, variant), _Dice(rng), CityTable(template, rng, players)
    while not table.full and (rolls is None or len(position.rolls) < rolls):
        position = position.after(position.draw(chance))
        table.turn(position)
    names = tuple(f"Player {number}" for number in range(1, players + 1))
    record = GameRecord(template.id, template.rules, names, position.rolls, table.full, stored=variant)
    return PlayedCity(record, table.boards(), table.stories())


class CityTable:
    """Players round a table, for a game that somebody else deals; ``rng`` gives their tastes and whims."""

    def __init__(self, template: MapTemplate, rng: random.Random, players: int) -> None:
        """Blank maps of New York for so many players."""
        assert template.city is not None, template.id
        self._players = [_Player(template, template.city, rng) for _ in range(players)]

    @property
    def full(self) -> bool:
        """Whether somebody's map is full, which ends the game."""
        return any(player.full for player in self._players)

    def turn(self, position: CityPosition) -> None:
        """Everybody plays the roll that lies on the table."""
        for player in self._players:
            player.turn(position, position.rolls[-1].dice)

    def boards(self) -> tuple[CityBoard, ...]:
        """The boards as they are."""
        return tuple(player.board() for player in self._players)

    def stories(self) -> tuple[tuple[str, ...], ...]:
        """Per player what was done with each roll, in words."""
        return tuple(tuple(player.story) for player in self._players)


@dataclass(slots=True)
class _Player:
    """One player: the board so far, and tastes drawn once."""

    template: MapTemplate
    city: City
    rng: random.Random
    marks: dict[str, Mark] = field(init=False)
    soloists: dict[str, str] = field(init=False)
    ferries: list[Pair] = field(init=False)
    borough: dict[str, str] = field(init=False)
    aim: dict[str, float] = field(init=False)
    story: list[str] = field(init=False)
    starred: bool = field(init=False)
    whim: float = field(init=False)
    keen: float = field(init=False)

    def __post_init__(self) -> None:
        """A blank map, and a plan in which the numbers rise from borough to borough and across each of them."""
        self.marks = dict.fromkeys(self.template.ids, _EMPTY)
        self.soloists, self.ferries, self.story, self.starred = {}, [], [], False
        self.borough = {region.id: region.areas[0] for region in self.template.regions}
        boroughs = list(self.template.areas)
        self.rng.shuffle(boroughs)
        self.aim = {}
        for borough in boroughs:
            across, down = self.rng.uniform(-1, 1), self.rng.uniform(-1, 1)
            inside = [region for region in self.template.regions if borough in region.areas]
            inside.sort(key=lambda region: across * region.layout[0] + down * region.layout[1])
            for region in inside:
                self.aim[region.id] = 100 * (len(self.aim) + 0.5) / len(self.marks)
        self.whim, self.keen = self.rng.choice((0.0, 5.0, 25.0)), self.rng.uniform(0.2, 0.9)

    @property
    def free(self) -> list[str]:
        return [region for region, mark in self.marks.items() if mark.kind is Kind.EMPTY]

    @property
    def full(self) -> bool:
        return not self.free

    def board(self) -> CityBoard:
        """The board as it is, its rows crossed off for the soloists on it where the player did so."""
        return CityBoard(
            BoardState(dict(self.marks)), dict(self._in_order()), ordered_pairs(self.ferries, list(self.marks))
        )

    def _in_order(self) -> list[tuple[str, str]]:
        return [(region, self.soloists[region]) for region in self.marks if region in self.soloists]

    def turn(self, position: CityPosition, dice: tuple[int, int]) -> None:
        """A roll: a ferry where one is due and wanted, else a star or both numbers."""
        cards = position.open_cards(position.rolls[-1])
        line = self._ferry_wanted() if position.ferry_due(position.rolls[-1]) else None
        if line:
            self.ferries.append(line)
            self.story.append(f"ferry {line[0]}-{line[1]}")
        elif dice[0] == dice[1]:
            self._put(self._star_place(self.free), _STAR, "star")
        else:
            self._numbers([10 * dice[0] + dice[1], 10 * dice[1] + dice[0]], cards)

    def _numbers(self, numbers: list[int], cards: Sequence[CityCard]) -> None:
        """Both numbers as cheap as can be; one may take the other's last place, at a whim."""
        self.rng.shuffle(numbers)
        if len(self.free) == 1:
            self._last(numbers, cards)
            return
        plan = None if self.rng.random() < 0.1 else self._plan(numbers, cards)
        used: list[CityCard] = []
        for index, number in enumerate(numbers):
            if not self.free:
                return
            chosen = plan[index] if plan else None
            if chosen is None or self.marks[chosen[0]].kind is not Kind.EMPTY:
                chosen = self._best(number, [card for card in cards if card not in used])
            if chosen is None:
                self._put(self._cross_place(), _CROSS, f"{number:02d}: X")
            else:
                used.append(chosen[1])
                self._write(chosen[0], number, chosen[1])

    def _last(self, numbers: Sequence[int], cards: Sequence[CityCard]) -> None:
        for number in numbers:
            chosen = self._best(number, cards)
            if chosen is not None:
                self._write(chosen[0], number, chosen[1])
                return
        self._put(self.free[0], _CROSS, "X in the last one")

    def _plan(self, numbers: Sequence[int], cards: Sequence[CityCard]) -> tuple[tuple[str, CityCard], ...] | None:
        """Place and card for each number, cards and places different; None when there is no such choice."""
        best: tuple[float, tuple[tuple[str, CityCard], ...]] | None = None
        for first, second in permutations(cards, 2):
            for a in self._places(numbers[0], first):
                for b in self._places(numbers[1], second):
                    cost = a[0] + b[0]
                    if a[1] != b[1] and (best is None or cost < best[0]):
                        best = cost, ((a[1], first), (b[1], second))
        return best[1] if best else None

    def _places(self, number: int, card: CityCard) -> list[tuple[float, str]]:
        """The cheapest places for a number with a card."""
        opened = self.city.opens(card, self.template.areas)
        rated = [(self._cost(r, number, card), r) for r in self.free if self.borough[r] in opened]
        return sorted(rated)[:3]

    def _best(self, number: int, cards: Sequence[CityCard]) -> tuple[str, CityCard] | None:
        rated = [(cost, place, index) for index, card in enumerate(cards) for cost, place in self._places(number, card)]
        if not rated:
            return None
        _, place, index = min(rated)
        return place, cards[index]

    def _cost(self, region: str, number: int, card: CityCard) -> float:
        joy = 6.0 if card.soloist_at(self.borough[region]) else 0.0
        return abs(self.aim[region] - number) - joy + self.whim * self.rng.random()

    def _write(self, region: str, number: int, card: CityCard) -> None:
        soloist = card.soloist_at(self.borough[region])
        if soloist:
            self.soloists[region] = soloist
        self._put(region, Mark(Kind.NUMBER, number), f"{number:02d}{soloist} with {card.id}")

    def _put(self, region: str, mark: Mark, what: str) -> None:
        """Write, and write the star of Central Park at once when this fills it."""
        self.marks[region] = mark
        self.story.append(f"{what} in {region}")
        counts = {Kind.NUMBER, Kind.STAR} | ({Kind.BLOCKED} if self.city.park_counts_x else set())
        if not self.starred and region in self.city.park:
            self.starred = all(self.marks[place].kind in counts for place in self.city.park)
            if self.starred and self.free:
                self._put(self._star_place(self.free), _STAR, "park star")

    def _star_place(self, free: Sequence[str]) -> str:
        """Where a star helps most: between written neighbours."""

        def worth(region: str) -> float:
            near = self.template.region(region).neighbours
            return sum(self.marks[other].kind is Kind.NUMBER for other in near) + self.rng.random()

        return max(free, key=worth)

    def _cross_place(self) -> str:
        """Where an X harms least: at the edge of the map."""
        return min(self.free, key=lambda region: (len(self.template.region(region).neighbours), self.rng.random()))

    def _ferry_wanted(self) -> Pair | None:
        """A ferry that joins boroughs no ferry joins yet; between others at a whim only."""
        joined = {frozenset((self.borough[a], self.borough[b])) for a, b in self.ferries}
        lines = [line for line in self._lines() if line not in self.ferries]
        new = [line for line in lines if frozenset((self.borough[line[0]], self.borough[line[1]])) not in joined]
        if not new or self.rng.random() > self.keen * (0.8 if len(self.ferries) < 4 else 0.15):
            return None
        return min(new, key=lambda line: abs(self.aim[line[0]] - self.aim[line[1]]) + 20 * self.rng.random())

    def _lines(self) -> list[Pair]:
        rules = self.city.ferries
        if rules.per_board and len(self.ferries) >= rules.per_board:
            return []
        ends = [end for line in self.ferries for end in line]
        open_ = [
            r for r in self.marks if self.city.waters[r] and not (rules.per_place and ends.count(r) >= rules.per_place)
        ]
        return [
            (a, b)
            for index, a in enumerate(open_)
            for b in open_[index + 1 :]
            if self.borough[a] != self.borough[b] and self.city.may_cross(a, b)
        ]


def crossed_rows(template: MapTemplate, route: Sequence[str], board: CityBoard) -> dict[str, int]:
    """Boxes a player crosses off for the soloists on a route, by letter."""
    assert template.city is not None, template.id
    met = [board.soloists.get(region, "") for region in route]
    return {letter: min(met.count(letter), len(template.city.tracks[letter])) for letter in INSTRUMENTS}
