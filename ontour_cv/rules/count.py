"""Counting a board: which numbers have no reversed partner, and what can have been written last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ontour_cv.board import BoardState, Kind, Mark


def reverse(number: int) -> int:
    """The number with its two digits exchanged: 31 -> 13, 9 (written 09) -> 90."""
    return number % 10 * 10 + number // 10


def is_double(number: int) -> bool:
    """True for 00, 11, 22 ... 99, which no rule ever lets a player write."""
    return number == reverse(number)


@dataclass(frozen=True, slots=True)
class Unpaired:
    """A number that is on the board more often than its reverse.

    Attributes:
        number: the number.
        regions: where it stands.
        partners: where its reverse stands, fewer of them.
    """

    number: int
    regions: tuple[str, ...]
    partners: tuple[str, ...]

    @property
    def excess(self) -> int:
        """How many of ``regions`` have no partner."""
        return len(self.regions) - len(self.partners)


@dataclass(frozen=True, slots=True)
class Tally:
    """The numbers of a board, doubles left out.

    Attributes:
        places: number -> the regions it stands in, in the map's order.
        marks: region -> what stands there.
    """

    places: Mapping[int, tuple[str, ...]]
    marks: Mapping[str, Mark]

    def unpaired(self) -> tuple[Unpaired, ...]:
        """Every number that is there more often than its reverse, smallest first."""
        found = []
        for number in sorted(self.places):
            partners = self.places.get(reverse(number), ())
            if len(self.places[number]) > len(partners):
                found.append(Unpaired(number, self.places[number], partners))
        return tuple(found)

    def circled(self, number: int) -> tuple[str, ...]:
        """The regions where ``number`` stands circled."""
        return tuple(region for region in self.places.get(number, ()) if self.marks[region].circled)

    def plain(self, number: int) -> tuple[str, ...]:
        """The regions where ``number`` stands without a circle."""
        return tuple(region for region in self.places.get(number, ()) if not self.marks[region].circled)

    def circled_pairs(self) -> tuple[tuple[int, int], ...]:
        """``(low number, count)`` for the reversed pairs of which both numbers are circled."""
        lows = [number for number in sorted(self.places) if number < reverse(number)]
        counts = [(low, min(len(self.circled(low)), len(self.circled(reverse(low))))) for low in lows]
        return tuple((low, count) for low, count in counts if count)


def tally(board: BoardState) -> Tally:
    """The numbers of ``board`` by place."""
    places: dict[int, tuple[str, ...]] = {}
    for region, mark in board.marks.items():
        if mark.number is not None and not is_double(mark.number):
            places[mark.number] = (*places.get(mark.number, ()), region)
    return Tally(places, board.marks)


def can_end(board: BoardState, numbers: Tally, star_always_circled: bool) -> bool:
    """True when some last turn explains the board: one star, one number, or both numbers of a roll, none from a card.

    The last turn is played without cards, so what it writes is not circled (but for stars that always are). What was
    written before it may hold as many unpaired numbers as there are X.
    """
    blocked = len(board.of_kind(Kind.BLOCKED))
    unpaired = sum(group.excess for group in numbers.unpaired())
    plain_star = any(star_always_circled or not board.marks[region].circled for region in board.of_kind(Kind.STAR))
    plain = [number for number in numbers.places if numbers.plain(number)]
    too_many = {group.number for group in numbers.unpaired()}
    if unpaired <= blocked and (plain_star or any(reverse(number) in plain for number in plain)):
        return True
    return any(unpaired + (-1 if number in too_many else 1) <= blocked for number in plain)
