"""A board as sets of cells: who holds what, as bits in the map's order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.maps.model import MapTemplate, card_region


@dataclass(frozen=True, slots=True)
class Cells:
    """The board's cells; every set of cells is an int with a bit per region, in the map's order.

    Attributes:
        ids: the region ids.
        marks: what stands there.
        bit: region id -> its bit.
        areas: area -> its cells.
        card_area: card id -> the area it opens.
        valued: number -> the cells it stands in.
        numbers: cells with a number.
        stars: cells with a star.
        blocked: cells with an X.
        unread: cells that hold anything.
        empty: cells that hold nothing.
        circled: cells with a circle.
    """

    ids: tuple[str, ...]
    marks: tuple[Mark, ...]
    bit: Mapping[str, int]
    areas: Mapping[str, int]
    card_area: Mapping[str, str]
    valued: Mapping[int, int]
    numbers: int
    stars: int
    blocked: int
    unread: int
    empty: int
    circled: int

    @property
    def everything(self) -> int:
        """All cells."""
        return (1 << len(self.ids)) - 1

    def opened(self, card: str) -> int:
        """The cells that the card ``card`` opens."""
        return self.areas[self.card_area[card]]

    def shown(self, card: str) -> int:
        """The cell of the region that the card ``card`` shows."""
        return self.bit[card_region(card)]

    def names(self, mask: int) -> tuple[str, ...]:
        """The ids of the cells in ``mask``."""
        return tuple(name for name in self.ids if self.bit[name] & mask)


def cells_of(template: MapTemplate, board: BoardState) -> Cells:
    """The cells of ``board``; regions it does not name are empty."""
    empty = Mark(Kind.EMPTY)
    ids = template.ids
    marks = tuple(board.marks.get(region, empty) for region in ids)
    bit = {region: 1 << place for place, region in enumerate(ids)}
    valued: dict[int, int] = {}
    for region, mark in zip(ids, marks, strict=True):
        if mark.number is not None:
            valued[mark.number] = valued.get(mark.number, 0) | bit[region]

    def where(wanted: Iterable[bool]) -> int:
        return sum(1 << place for place, yes in enumerate(wanted) if yes)

    kinds = {kind: where(mark.kind is kind for mark in marks) for kind in Kind}
    return Cells(
        ids=ids,
        marks=marks,
        bit=bit,
        areas={a: where(a in r.areas for r in template.regions) for r in template.regions for a in r.areas},
        card_area={card.id: card.area for card in template.cards},
        valued=valued,
        numbers=kinds[Kind.NUMBER],
        stars=kinds[Kind.STAR],
        blocked=kinds[Kind.BLOCKED],
        unread=kinds[Kind.UNREAD],
        empty=kinds[Kind.EMPTY],
        circled=where(mark.circled for mark in marks),
    )
