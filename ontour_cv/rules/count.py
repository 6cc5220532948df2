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


def can_end(board: BoardState, numbers: Tally, seeds: int, star_always_circled: bool) -> bool:
    """True when some last turns explain the board.

    The last turn finds one or two empty states and has no cards, so it writes no circle and no X: a star (then, if a
    state is left, there is one more such turn), or one number of a roll, or both. One empty state is left by a roll
    before, when there is any after the setup, or else by a star on the last turn but one. What was written earlier may
    hold as many unpaired numbers as there are X.

    Args:
        board: a full board.
        numbers: its tally.
        seeds: how many numbers the setup writes.
        star_always_circled: True when a star's circle needs no card.
    """
    blocked = len(board.of_kind(Kind.BLOCKED))
    unpaired = {group.number: group.excess for group in numbers.unpaired()}
    alone = sum(unpaired.values())
    stars = sum(star_always_circled or not board.marks[region].circled for region in board.of_kind(Kind.STAR))
    plain = {number for number in numbers.places if numbers.plain(number)}
    rolled = sum(len(places) for places in numbers.places.values()) - seeds
    both_last = alone <= blocked and any(reverse(number) in plain for number in plain)
    star_last = alone <= blocked and stars > 0 and (rolled > 0 or blocked > 1 or stars > 1)
    one_can = any(alone + (-1 if number in unpaired else 1) <= blocked for number in plain)
    one_last = one_can and (rolled > 1 or blocked > 1 or stars > 0)
    return both_last or star_last or one_last
