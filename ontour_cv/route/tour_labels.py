"""What a score that is no sum depends on, as one integer: how many places, soloists of each kind, places per district.

A **label** has a field for each of these counts, all of the same width: places lowest, then the kinds, then the
districts. Labels of disjoint sets of places are added. Inside a sweep a label counts what a route *may still come to
have*: the places on it and all that are not lost yet. Its value is therefore an upper bound, and exact once the route
is complete.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Held:
    """What is certain: the counts of places already on the route. ``districts`` has a bit for each one touched."""

    visited: int
    kinds: tuple[int, ...]
    districts: int


class Labels:
    """Building, valuing and comparing labels for given tracks, districts and bonus.

    Attributes:
        bits: width of a field.
        mask: a field of ones.
        tracks: for each kind what 0, 1, 2 ... soloists are worth, up to all places.
        districts: how many there are.
        bonus: points for touching all of them.
    """

    def __init__(self, tracks: Sequence[Sequence[int]], districts: int, bonus: int, places: int) -> None:
        """For a graph of ``places`` places; ``tracks`` as in ``TourGraph``."""
        self.bits = places.bit_length()
        self.mask = (1 << self.bits) - 1
        self.bonus = bonus
        self.tracks = [[*track, *[track[-1]] * (places + 1 - len(track))] for track in tracks]
        self._kinds = range(len(self.tracks))
        self.districts = districts
        self._values: dict[int, int] = {}
        self._losses: dict[tuple[int, int, int, int], int] = {}

    def of_place(self, kind: int | None, district: int) -> int:
        """The label of one place."""
        label = 1 | 1 << self.bits * (1 + len(self.tracks) + district)
        return label if kind is None else label | 1 << self.bits * (1 + kind)

    def value(self, label: int) -> int:
        """The score of a route with these counts."""
        known = self._values.get(label)
        if known is not None:
            return known
        counts = self._counts(label)
        score = counts[0] + sum(self.tracks[kind][counts[1 + kind]] for kind in self._kinds)
        if all(counts[1 + len(self.tracks) :]):
            score += self.bonus
        self._values[label] = score
        return score

    def held(self, label: int, undecided: int) -> Held:
        """What a route surely has: its label less that of all places not yet decided."""
        counts = self._counts(label - undecided)
        first = 1 + len(self.tracks)
        return Held(counts[0], tuple(counts[1:first]), sum(1 << d for d in range(self.districts) if counts[first + d]))

    def kinds(self, label: int) -> tuple[int, ...]:
        """For each kind, how many soloists it counts."""
        return tuple(self._counts(label)[1 : 1 + len(self.tracks)])

    def lead(self, one: Held, two: Held, undecided: tuple[int, ...]) -> int:
        """By how much ``one`` is ahead of ``two`` at least, when both go on in the same way, whatever way that is.

        A track need not rise evenly, so for each kind the least lead over all counts still possible is taken.
        """
        lead = one.visited - two.visited
        if two.districts & ~one.districts:
            lead -= self.bonus
        if one.kinds != two.kinds:
            for kind in self._kinds:
                if one.kinds[kind] != two.kinds[kind]:
                    lead += self._least(kind, undecided[kind], one.kinds[kind], two.kinds[kind])
        return lead

    def _least(self, kind: int, undecided: int, one: int, two: int) -> int:
        key = (kind, undecided, one, two)
        known = self._losses.get(key)
        if known is None:
            track = self.tracks[kind]
            known = self._losses[key] = min(track[one + more] - track[two + more] for more in range(undecided + 1))
        return known

    def _counts(self, label: int) -> list[int]:
        fields = 1 + len(self.tracks) + self.districts
        return [label >> self.bits * field & self.mask for field in range(fields)]
