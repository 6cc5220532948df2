"""The cheapest way to give every row a column of its own, for costs 0 and 1 and sets of columns kept as bits.

The Hungarian method (Kuhn 1955, Munkres 1957) with integer prices. Columns of equal price are kept as one bit set, so
the tight columns of a row are two ANDs. Removing edges, or raising a cost from 0 to 1, keeps the prices valid: after a
branch only the rows that lost their column are seated anew. The sum of all prices is a lower bound at every moment,
and the cost itself once every row is seated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

FREE = -1
"""What ``column_of`` and ``row_of`` hold where nobody sits."""


@dataclass(slots=True)
class Seating:
    """Rows on columns, with the prices that prove it the cheapest. It changes as the search goes on.

    Attributes:
        column_of: by row, its column.
        row_of: by column, its row.
        price: by row, the price of the row.
        priced: price of columns -> those columns, as bits.
        bound: the sum of all prices.
    """

    column_of: list[int]
    row_of: list[int]
    price: list[int]
    priced: dict[int, int]
    bound: int

    def copy(self) -> Seating:
        """A seating of its own with the same content."""
        return Seating(self.column_of[:], self.row_of[:], self.price[:], dict(self.priced), self.bound)

    def tight(self, row: int, zero: int, one: int) -> int:
        """Columns whose cost for ``row`` is just its price and theirs; ``zero`` and ``one``: columns of that cost."""
        price = self.price[row]
        return (zero & self.priced.get(-price, 0)) | (one & self.priced.get(1 - price, 0))

    def release(self, row: int) -> None:
        """Let ``row`` stand up."""
        self.row_of[self.column_of[row]] = FREE
        self.column_of[row] = FREE

    def seat(self, row: int, zero: list[int], one: list[int], most: int) -> bool:
        """Give ``row`` a column, others moving as needed; False when the bound exceeds ``most`` or there is no way.

        Args:
            row: a row without a column.
            zero: by row, its columns of cost 0.
            one: by row, its columns of cost 1.
            most: the largest bound of interest.
        """
        tree, came_from, reached, done = [row], {}, 0, 0
        while True:
            while done < len(tree):
                here = tree[done]
                done += 1
                new = self.tight(here, zero[here], one[here]) & ~reached
                reached |= new
                for column in bits(new):
                    came_from[column] = here
                    if self.row_of[column] == FREE:
                        self._turn(column, came_from)
                        return True
                    tree.append(self.row_of[column])
            step = self._slack(tree, reached, zero, one)
            if step is None or self.bound + step > most:
                return False
            self._raise(tree, reached, step)
            done = 0

    def _slack(self, tree: list[int], reached: int, zero: list[int], one: list[int]) -> int | None:
        """How far the tree's prices can rise; None when nothing lies outside it."""
        best: int | None = None
        levels = [(price, columns & ~reached) for price, columns in self.priced.items() if columns & ~reached]
        for row in tree:
            for price, columns in levels:
                slack = 0 if zero[row] & columns else 1 if one[row] & columns else None
                if slack is not None and (best is None or slack - self.price[row] - price < best):
                    best = slack - self.price[row] - price
        return best

    def _raise(self, tree: list[int], reached: int, step: int) -> None:
        for row in tree:
            self.price[row] += step
        moved: dict[int, int] = {}
        for price, columns in self.priced.items():
            for key, some in ((price, columns & ~reached), (price - step, columns & reached)):
                if some:
                    moved[key] = moved.get(key, 0) | some
        self.priced = moved
        self.bound += step

    def _turn(self, column: int, came_from: dict[int, int]) -> None:
        """Move everybody along the way that led to the free ``column``."""
        while column != FREE:
            row = came_from[column]
            self.row_of[column] = row
            self.column_of[row], column = column, self.column_of[row]


def empty_seating(size: int) -> Seating:
    """Nobody seated, all prices 0, ``size`` rows and columns."""
    return Seating([FREE] * size, [FREE] * size, [0] * size, {0: (1 << size) - 1}, 0)


def bits(mask: int) -> Iterator[int]:
    """The places of the ones in ``mask``, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
