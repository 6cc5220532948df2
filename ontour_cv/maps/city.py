"""What a map of New York has beyond a map of On Tour: waters and ferries, soloists and their tracks, Central Park."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

GAME = "new-york"
"""The game of such maps, as files of rules name it."""

INSTRUMENTS: Mapping[str, str] = {"s": "saxophone", "m": "microphone", "d": "drums", "g": "guitar"}
"""The soloists, by the letter that stands for each in notation and, written by hand, on a board."""


@dataclass(frozen=True, slots=True)
class CityCard:
    """One card of a city's deck.

    Attributes:
        id: its name in logs.
        boroughs: the boroughs it opens; none of a ferry card.
        soloist: letter of its soloist; empty without one.
        soloist_in: the borough its soloist stands in; empty without one.
    """

    id: str
    boroughs: tuple[str, ...]
    soloist: str = ""
    soloist_in: str = ""

    @property
    def ferry(self) -> bool:
        """True for a ferry card."""
        return not self.boroughs

    def soloist_at(self, borough: str) -> str:
        """Letter of the soloist that a number written in ``borough`` with this card gets; empty for none."""
        return self.soloist if borough == self.soloist_in else ""


@dataclass(frozen=True, slots=True)
class Ferries:
    """When a ferry may be drawn instead of writing, and where.

    Attributes:
        with_card: when a ferry card lies open.
        common_borough: when the three cards have a borough in common.
        card_opens: True: a ferry card opens every borough, without a soloist; False: none.
        same_water: True: it joins neighbourhoods at the same water; False: any two that lie at some water.
        per_place: so many at a neighbourhood at most; 0: any number.
        per_board: so many on a board at most; 0: any number.
    """

    with_card: bool
    common_borough: bool
    card_opens: bool
    same_water: bool
    per_place: int
    per_board: int


@dataclass(frozen=True, slots=True)
class City:
    """The city's own part of a map.

    Attributes:
        waters: region id -> the waters it lies at; none when it is landlocked.
        cards: the deck.
        park: ids of the regions round the park.
        park_counts_x: True: an X fills its region for the star of the park.
        bonus: points of a route through all boroughs.
        tracks: letter of an instrument -> the numbers on its row, from the left.
        ferries: when and where ferries may be drawn.
    """

    waters: Mapping[str, tuple[str, ...]]
    cards: tuple[CityCard, ...]
    park: tuple[str, ...]
    park_counts_x: bool
    bonus: int
    tracks: Mapping[str, tuple[int, ...]]
    ferries: Ferries

    def card(self, card_id: str) -> CityCard:
        """The card of that id; ``KeyError`` when the deck has none."""
        for card in self.cards:
            if card.id == card_id:
                return card
        raise KeyError(card_id)

    def opens(self, card: CityCard, boroughs: tuple[str, ...]) -> tuple[str, ...]:
        """Those of ``boroughs`` that ``card`` opens."""
        return boroughs if card.ferry and self.ferries.card_opens else card.boroughs

    def may_cross(self, one: str, other: str) -> bool:
        """True when both regions lie at water that a ferry between them could use; boroughs are left aside."""
        if not self.ferries.same_water:
            return bool(self.waters[one] and self.waters[other])
        return bool(set(self.waters[one]) & set(self.waters[other]))

    def ferry_due(self, cards: tuple[CityCard, ...]) -> bool:
        """True when these open cards let a player draw a ferry instead of writing."""
        if self.ferries.with_card and any(card.ferry for card in cards):
            return True
        return self.ferries.common_borough and bool(cards) and bool(set.intersection(*(set(c.boroughs) for c in cards)))

    def soloist_points(self, counts: Mapping[str, int]) -> int:
        """Points of so many soloists of each instrument (by letter): the highest number crossed off on each row."""
        points = 0
        for letter, row in self.tracks.items():
            crossed = min(counts.get(letter, 0), len(row))
            points += max(row[:crossed], default=0)
        return points


@dataclass(frozen=True, slots=True)
class Boats:
    """River boats, which go from stop to stop.

    Attributes:
        stops: ids of the regions with a stop, along the river.
        most_stops: a boat goes at most so many stops along ``stops``; 0: from any stop to any other.
    """

    stops: tuple[str, ...]
    most_stops: int = 0

    def reach(self, region_id: str) -> tuple[str, ...]:
        """The stops a boat from ``region_id`` goes to; none without a stop there."""
        if region_id not in self.stops:
            return ()
        here = self.stops.index(region_id)
        far = self.most_stops or len(self.stops)
        return tuple(stop for place, stop in enumerate(self.stops) if 0 < abs(place - here) <= far)
