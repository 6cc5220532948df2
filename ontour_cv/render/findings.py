"""What an overlay tells, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ontour_cv.board import Mark
from ontour_cv.rules import Problem, Score


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything said about one board.

    Attributes:
        title: map, edition and rules in a few words.
        marks: what stands in every region.
        score: the best route and what it is worth.
        score_range: lowest and highest score the doubts allow.
        runners_up: doubtful region -> what else it may be, None when that could be anything.
        ask: doubtful regions that can change the score.
        more: True when other doubtful regions may, once these are settled.
        problems: where the board breaks the rules.
        visited: the regions visited in words, for example ``"23 states"``.
        poor: True when so much is in doubt that another photo is the better answer.
        drawn: legs of the tour the player drew that the best route does not have.
        sum: the score's parts in words where they are no places and circles; empty: those two.
        beside: region -> a letter shown with its mark, for boards with soloists.
        beside_else: region -> what that letter may be instead, in words.
        lines: pairs of regions joined by a line that was read, for boards with ferries.
        doubtful_lines: pairs of regions that a line may join or not; ``lines`` tells as what it was read.
        ask_lines: those of them that can change the score.
        by_water: legs of the best route by ferry or boat, as the route goes.
    """

    title: str
    marks: Mapping[str, Mark]
    score: Score
    score_range: tuple[int, int]
    runners_up: Mapping[str, Mark | None]
    ask: tuple[str, ...]
    problems: tuple[Problem, ...]
    visited: str
    poor: bool
    drawn: tuple[tuple[str, str], ...] = ()
    sum: str = ""
    beside: Mapping[str, str] = field(default_factory=dict)
    beside_else: Mapping[str, str] = field(default_factory=dict)
    lines: tuple[tuple[str, str], ...] = ()
    doubtful_lines: tuple[tuple[str, str], ...] = ()
    ask_lines: tuple[tuple[str, str], ...] = ()
    by_water: tuple[tuple[str, str], ...] = ()
    more: bool = False

    @property
    def faulty(self) -> frozenset[str]:
        """Ids of all regions with a problem."""
        return frozenset(region for problem in self.problems for region in problem.regions)

    @property
    def doubts(self) -> int:
        """How many regions and lines are in doubt."""
        return len(self.runners_up) + len(self.doubtful_lines)

    @property
    def beneath(self) -> tuple[tuple[str, str], ...]:
        """The lines to draw beside the best route: it shows those it takes, which stay only where they are in doubt."""
        taken = {frozenset(leg) for leg in self.by_water}
        read = [line for line in self.lines if frozenset(line) not in taken]
        return tuple(dict.fromkeys((*read, *self.doubtful_lines)))
