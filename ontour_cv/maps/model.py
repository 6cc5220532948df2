"""A map as the rules see it: regions, who borders whom, and the cards."""

from __future__ import annotations

from dataclasses import dataclass

from ontour_cv.maps.city import Boats, City


@dataclass(frozen=True, slots=True)
class Region:
    """One place to write in (a state, a country).

    Attributes:
        id: unique short name used in board notation, for example ``"NE2"``.
        name: the full name, for example ``"New England"``.
        label: the abbreviation printed on the board (``"NE"`` is printed twice); empty when nothing is printed.
        areas: the areas a card may call for in order to write here.
        neighbours: ids of the regions a printed line leads to, sorted.
        layout: rough position ``(x, y)`` in units of the board's width, x right and y down.
        outline: corners of the printed cell in the same units; empty where cells are discs.
    """

    id: str
    name: str
    label: str
    areas: tuple[str, ...]
    neighbours: tuple[str, ...]
    layout: tuple[float, float]
    outline: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Box:
    """A printed box to cross off or to write in: its rectangle in units of the board's width, x right and y down."""

    id: str
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Card:
    """One card of the deck: a region and the area it opens.

    Attributes:
        region: id of the region.
        area: the area.
        id: its name in logs: the region's id, or where that has several cards both, ``P16/West``.
    """

    region: str
    area: str
    id: str = ""

    def __post_init__(self) -> None:
        """A card without a name is called as its region."""
        object.__setattr__(self, "id", self.id or self.region)


def card_region(card_id: str) -> str:
    """The region a card shows: what its id begins with, ``MN`` or, where a region has several cards, ``P16/West``."""
    return card_id.partition("/")[0]


@dataclass(frozen=True, slots=True)
class MapTemplate:
    """A whole map. Regions are in file order, which is also the order of ids in notation.

    Attributes:
        id: the name used on the command line, for example ``"usa"``.
        title: the name for people.
        published: False for home editions that only resemble a printed map.
        rules: key of the ruleset this map is played with (``rules.RULESETS``).
        links: how many links the printed map has, for checking.
        areas: the areas cards or dice may name.
        shared_labels: labels that are printed on more than one region.
        spaces: how many regions the printed map has, for checking; None when nobody said.
        deck: how many cards the printed deck has, for checking; None when nobody said.
        islands: ids of regions that have no link on purpose.
        boxes: printed boxes beside the regions.
        space: what players call one region, for example ``"state"``.
        space_plural: what they call several of them.
        boats: river boats, which a route may use beside the links; None without.
        city: what only a map of New York has; its deck is there, and ``cards`` is empty. None elsewhere.
    """

    id: str
    title: str
    published: bool
    rules: str
    links: int
    regions: tuple[Region, ...]
    cards: tuple[Card, ...]
    areas: tuple[str, ...] = ()
    shared_labels: tuple[str, ...] = ()
    spaces: int | None = None
    deck: int | None = None
    islands: tuple[str, ...] = ()
    boxes: tuple[Box, ...] = ()
    space: str = "space"
    space_plural: str = "spaces"
    boats: Boats | None = None
    city: City | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """All region ids, in the map's order."""
        return tuple(region.id for region in self.regions)

    def region(self, region_id: str) -> Region:
        """The region of that id; ``KeyError`` when the map has none."""
        for region in self.regions:
            if region.id == region_id:
                return region
        raise KeyError(region_id)

    def card(self, card_id: str) -> Card:
        """The card of that id; ``KeyError`` when the deck has none."""
        for card in self.cards:
            if card.id == card_id:
                return card
        raise KeyError(card_id)

    def reach(self, region_id: str) -> tuple[str, ...]:
        """Where a route can go next from a region: its neighbours, then where boats go that do not border it."""
        near = self.region(region_id).neighbours
        boats = self.boats.reach(region_id) if self.boats else ()
        return (*near, *(stop for stop in boats if stop not in near))

    def counted(self, count: int) -> str:
        """So many regions, as players say it: ``"1 state"``."""
        return f"{count} {self.space if count == 1 else self.space_plural}"

    def edges(self) -> tuple[tuple[str, str], ...]:
        """Every link once, as sorted pairs in sorted order; boats are no links."""
        pairs = {tuple(sorted((r.id, other))) for r in self.regions for other in r.neighbours}
        return tuple(sorted((a, b) for a, b in pairs))

    def ways(self) -> tuple[tuple[str, str], ...]:
        """Every two regions between which a route can go, links and boats, as sorted pairs in sorted order."""
        pairs = {tuple(sorted((r.id, other))) for r in self.regions for other in self.reach(r.id)}
        return tuple(sorted((a, b) for a, b in pairs))
