"""Boards of New York with all lines that might be ferries: what the networks of ferry lines learn from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.city_board import CityBoard
from ontour_cv.train.city_photos import CityStudio
from ontour_cv.vision.city_flat import Box, CityLayout, FlatBoard, darkening
from ontour_cv.vision.city_paths import Lines, cut_strips, trace_lines, without_folds, without_writing
from ontour_cv.vision.city_read import CityReader

FINE = 48
"""Steps to one in which strips, at most 2.6, are kept, one byte each."""

TICKS_SEEN = 0.99
"""Share of the ticked boxes that reading knows of when it looks for lines."""

WRITTEN = 4
"""On every so manieth photo soloists are written beside the numbers; on the others boxes are ticked."""


@dataclass(frozen=True, slots=True, eq=False)
class FerryBoard:
    """The lines of a board that might be drawn.

    Attributes:
        strips: ``(N, 6, ALONG, ACROSS)`` int8, ``FINE`` steps to one.
        lines: the lines.
        rows: ``(N,)`` which of the layout's pairs each joins.
        drawn: ``(N,)`` whether each is a ferry.
        lost: how many ferries had too little ink to be looked at.
    """

    strips: NDArray[np.int8]
    lines: Lines
    rows: NDArray[np.intp]
    drawn: NDArray[np.bool_]
    lost: int

    def planes(self, rows: NDArray[np.intp] | None = None) -> NDArray[np.float32]:
        """The input for all lines, or for some."""
        kept = self.strips if rows is None else self.strips[rows]
        return np.asarray(kept, dtype=np.float32) / np.float32(FINE)

    def some(self, rows: NDArray[np.intp]) -> FerryBoard:
        """The same with some of its lines; ferries among the others are lost."""
        lost = self.lost + int(self.drawn.sum()) - int(self.drawn[rows].sum())
        return FerryBoard(self.strips[rows], self.lines.some(rows), self.rows[rows], self.drawn[rows], lost)


@dataclass(frozen=True, slots=True, eq=False)
class InkedBoard:
    """A photo of a board before lines are traced in it.

    Attributes:
        ink: ``(h, w)`` the ink map, without what is no line's.
        dark: ``(h, w)`` how much darker the photo is than the print, log units.
        board: what was drawn.
        layout: the board's.
        most_cost: lines with less ink are given up, as in ``Lines.costs``.
    """

    ink: NDArray[np.float32]
    dark: NDArray[np.float32]
    board: CityBoard
    layout: CityLayout
    most_cost: float

    def labelled(self, lines: Lines) -> FerryBoard:
        """Those of the lines with enough ink to be looked at, and which of them were drawn."""
        strips = cut_strips(self.ink, self.dark, lines, self.layout)
        there = {frozenset(pair) for pair in self.board.ferries}
        drawn = np.array([frozenset(pair) in there for pair in self.layout.pairs])
        kept = np.rint(np.clip(strips * FINE, -127, 127)).astype(np.int8)
        whole = FerryBoard(kept, lines, np.arange(len(drawn)), drawn, 0)
        return whole.some(np.flatnonzero(lines.costs <= self.most_cost))


def boards_of(studio: CityStudio, reader: CityReader, count: int) -> Iterator[FerryBoard]:
    """Photos ``0 .. count - 1`` in which the board is found and more than one line might be."""
    for one in inked_boards(studio, reader, count):
        board = one.labelled(trace_lines(one.ink, one.layout))
        if len(board.drawn) > 1:
            yield board


def inked_boards(studio: CityStudio, reader: CityReader, count: int) -> Iterator[InkedBoard]:
    """Photos ``0 .. count - 1`` in which the board is found, as reading sees them before lines are traced."""
    most_cost = float(reader.card["most_cost"])
    for k in range(count):
        written = k % WRITTEN == WRITTEN - 1
        found = studio.photograph(k, letters=written)
        if found is not None:
            rng = np.random.default_rng([studio.seed, k, 77])
            ink = ink_of(found[0], found[1], reader, rng, ticked=not written)
            yield InkedBoard(ink, darkening(found[0]), found[1], studio.layout, most_cost)


def ink_of(
    flat: FlatBoard, board: CityBoard, reader: CityReader, rng: np.random.Generator, ticked: bool
) -> NDArray[np.float32]:
    """The ink map that lines of a board laid flat are traced in, ``(h, w)``; nearly all ticks known."""
    layout = flat.layout
    told = board.soloists.items() if ticked else ()
    marked: list[Box] = [layout.boxes[region][letter] for region, letter in told if rng.random() < TICKS_SEEN]
    return without_writing(without_folds(reader.ink(flat)), layout, marked)
