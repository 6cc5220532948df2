"""Sheets of paper: a board on one sheet or on two to be glued, with crop marks and marks that show the scale."""

from __future__ import annotations

from dataclasses import dataclass

from ontour_cv.press.design import ASPECT
from ontour_cv.press.drawing import Drawing, Group, Item, Pen, Shape, Text, rectangle
from ontour_cv.press.palette import GREY

MARGIN = 8.0
"""Millimetres at each edge of a sheet that printers may leave white."""

OVERLAP = 10.0
"""Width of the strip that both halves of a tiled board show, mm."""

TILED_WIDTH = 376.0
"""Width of a tiled board, mm: about the largest of which half fits on A4 and on Letter; its discs are 15.8 mm wide."""

_MARK = Pen(GREY, 0.2)


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper, upright, mm."""

    name: str
    width: float
    height: float


PAPERS = {
    "a4": Paper("a4", 210.0, 297.0),
    "letter": Paper("letter", 215.9, 279.4),
    "a3": Paper("a3", 297.0, 420.0),
}
"""Papers that can be printed on."""


def single_width(paper: Paper) -> float:
    """Width of the largest board that fits on one sheet turned sideways, mm, full tenths."""
    return int(10 * min(paper.height - 2 * MARGIN, (paper.width - 2 * MARGIN) / ASPECT)) / 10


def single_page(board: Drawing, paper: Paper, note: str) -> Drawing:
    """The board in the middle of one sheet turned sideways."""
    wide, high = paper.height, paper.width
    left, top = (wide - board.width) / 2, (high - board.height) / 2
    items: list[Item] = [Group(board.items, 1.0, (left, top))]
    items += crop_marks(left, top, left + board.width, top + board.height)
    items.append(Text((wide / 2, high - 2.2), note, 1.5, GREY))
    return Drawing(wide, high, tuple(items))


def tiled_pages(board: Drawing, paper: Paper, note: str) -> tuple[Drawing, Drawing]:
    """The board on two upright sheets: the left half with a strip to glue the right half on.

    Cut both along the crop marks, lay the right sheet's edge on the dashed line of the left one, glue.
    """
    cut = (board.width - OVERLAP) / 2
    top = (paper.height - board.height) / 2
    pages = []
    for side in range(2):
        low, high = (0.0, cut + OVERLAP) if side == 0 else (cut, board.width)
        left = (paper.width - (high - low)) / 2
        window = rectangle(low, 0, high, board.height)
        items: list[Item] = [Group(board.items, 1.0, (left - low, top), (window,))]
        items += crop_marks(left, top, left + high - low, top + board.height)
        if side == 0:
            items += _glue_marks(left + cut, top, top + board.height)
        words = f"{note}; sheet {side + 1} of 2, " + (
            "glue sheet 2 onto the marked strip" if side == 0 else "cut, glue on"
        )
        items.append(Text((paper.width / 2, paper.height - 2.2), words, 1.5, GREY))
        pages.append(Drawing(paper.width, paper.height, tuple(items)))
    return pages[0], pages[1]


def crop_marks(
    left: float, top: float, right: float, bottom: float, gap: float = 1.0, length: float = 4.0
) -> list[Item]:
    """Two short lines outside each corner of a rectangle, along which it is cut."""
    gap, length = 1.0, 4.0
    marks: list[Item] = []
    for x, away in ((left, -1), (right, 1)):
        for y, down in ((top, -1), (bottom, 1)):
            ends = (((x + away * gap, y), (x + away * (gap + length), y)),
                    ((x, y + down * gap), (x, y + down * (gap + length))))  # fmt: skip
            marks += [Shape((end,), None, _MARK, False) for end in ends]
    return marks


def _glue_marks(x: float, top: float, bottom: float) -> list[Item]:
    """Where the other sheet's edge comes to lie: marks at both ends, and small triangles on the strip."""
    marks: list[Item] = []
    for y, away in ((top, -1), (bottom, 1)):
        marks.append(Shape((((x, y + away * 1.0), (x, y + away * 5.0)),), None, Pen(GREY, 0.35, (0.9, 0.9)), False))
        tip = ((x, y + away * 1.2), (x + 2.4, y + away * 3.2), (x, y + away * 5.2))
        marks.append(Shape((tip,), GREY))
    return marks
