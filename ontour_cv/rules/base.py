"""What every ruleset has: problems as values, a score, and the data in which variants differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ontour_cv.board import BoardState
from ontour_cv.maps import city, game
from ontour_cv.maps.model import MapTemplate
from ontour_cv.route import RouteSet

ON_TOUR, ROLLING_AMERICA, NEW_YORK = "on-tour", game.SHEETS, city.GAME
"""The games there are: cards and a route; coloured dice and the fewest Xs; cards, ferries and soloists."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing on a board that the rules do not allow.

    Attributes:
        rule: short name of the rule, for programs; each ruleset lists its own.
        regions: ids of the regions concerned, in the map's order.
        text: what is wrong, one sentence for people.
    """

    rule: str
    regions: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Score:
    """What a route is worth.

    Attributes:
        total: the points, ``visited + circles``.
        visited: regions on the route.
        circles: circled regions on the route.
        route: ids of the regions, in the order of travel.
    """

    total: int
    visited: int
    circles: int
    route: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """Where the ways to play the same game differ. Read from a file by ``rules.load``; the fields there are these.

    Attributes:
        key: the name used on the command line.
        title: the name for people, after "a game played ...".
        game: which game it is a way to play: ``ON_TOUR``, ``ROLLING_AMERICA`` or ``NEW_YORK``; the fields below are
            about On Tour, of New York there is only ``shuffle_early``.
        star_always_circled: True: every star is circled; False: only one written in the very state of a card.
        star_anywhere: True: the star of doubles goes into any empty state; False: into an area of the cards.
        x_anywhere: True: an X goes into any empty state; False: into one of the areas the cards show.
        x_last_resort: True: an X is lawful only when no choice of cards and states lets both numbers be written; False:
            also when the player wrote one number where it took the other's last place. Only a game's log can tell.
        tie_by_circles: True: of equal totals the one with more circles visited wins; False: they share the win.
        shuffle_early: True: when fewer cards are left than a roll needs, they are shuffled with the discards; False:
            the rest is drawn first, then from the shuffled discards.
        setup_rolls: dice rolls of the setup; each seeds two circled numbers.
    """

    key: str
    title: str
    game: str = ON_TOUR
    star_always_circled: bool = False
    star_anywhere: bool = False
    x_anywhere: bool = True
    x_last_resort: bool = False
    tie_by_circles: bool = False
    shuffle_early: bool = False
    setup_rolls: int = 2


class Ruleset(Protocol):
    """A game's rules as far as a finished board is concerned."""

    @property
    def variant(self) -> Variant:
        """The data of this way to play."""
        ...

    def problems(self, template: MapTemplate, board: BoardState) -> tuple[Problem, ...]:
        """Every problem of the board; empty when it can be the end of a correct game."""
        ...

    def score(self, template: MapTemplate, board: BoardState) -> Score:
        """The best route's worth, whatever the problems."""
        ...

    def best(self, template: MapTemplate, board: BoardState, limit: int) -> RouteSet:
        """All best routes, at most ``limit`` of them written out."""
        ...
