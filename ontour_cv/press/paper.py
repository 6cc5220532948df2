"""Sheets of paper: a board on one sheet or on two to be glued, with crop marks and marks that show the scale."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ontour_cv.press.design import ASPECT
from ontour_cv.press.drawing import Drawing, Group, Item, Pen, Shape, Text, rectangle
from ontour_cv.press.letters import shorten, text_width
from ontour_cv.press.palette import GREY

MARGIN = 8.0
"""Millimetres at each edge of a sheet that printers may leave white."""

OVERLAP = 10.0
"""Width of the strip that both halves of a tiled board show, mm."""

TILED_WIDTH = 376.0
"""Width of a tiled board, mm: about the largest of which half fits on A4 and on Letter; its discs are 15.8 mm wide."""

FOOT = 5.3
"""From the paper's lower edge to the base line of its foot, mm: no letter comes nearer than 4.8, where printers end."""

FOOT_SIZES = (1.5, 1.15)
"""Height of its capitals, mm: where there is room, and at least."""

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
    items.append(foot(note, wide, high, board.width))
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
        room = high - low if side else 2 * cut - (high - low)  # the glue marks stand right of it
        items.append(foot(words, paper.width, paper.height, room))
        pages.append(Drawing(paper.width, paper.height, tuple(items)))
    return pages[0], pages[1]


def foot(words: str, wide: float, high: float, room: float) -> Text:
    """The line at the foot of a page, between marks ``room`` apart.

    Where it is too long, its title goes without what stands in brackets behind it, and is shortened.
    """
    largest, least = FOOT_SIZES
    room -= 3.0
    size = max(least, min(largest, largest * room / text_width(words, largest)))
    title, sign, rest = words.partition(", ontour-cv")
    if sign and text_width(words, size) > room:
        title = re.sub(r" \([^()]*\)$", "", title)
        words = shorten(title, size, room - text_width(sign + rest, size)) + sign + rest
    return Text((wide / 2, high - FOOT), words, size, GREY)


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
