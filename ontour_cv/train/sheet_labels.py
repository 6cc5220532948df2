"""What stands on a sheet as the numbers a network learns from.

A label row has a column per question of ``vision.sheet_glyphs.SHEET_HEADS``; -1 where a question makes no sense.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from ontour_cv.board import Kind, Mark
from ontour_cv.sheet import Sheet

NONE = 10
"""Class of a digit of the written number that is not there."""

_KINDS = {Kind.EMPTY: 0, Kind.NUMBER: 1, Kind.BLOCKED: 2}


def cell_label(mark: Mark) -> NDArray[np.int8]:
    """The label row of a cell."""
    digit = mark.number - 1 if mark.number is not None else -1
    return np.array([_KINDS[mark.kind], digit, int(mark.circled), -1, -1, -1], np.int8)


def box_label(crossed: bool) -> NDArray[np.int8]:
    """The label row of a box to cross off."""
    return np.array([-1, -1, -1, int(crossed), -1, -1], np.int8)


def count_label(number: int | None) -> NDArray[np.int8]:
    """The label row of the box for the number of Xs; None for nothing written."""
    if number is None:
        return np.array([-1, -1, -1, -1, NONE, NONE], np.int8)
    tens, ones = divmod(number, 10)
    return np.array([-1, -1, -1, -1, tens if tens else NONE, ones], np.int8)


def sheet_labels(sheet: Sheet, ids: tuple[str, ...], crossed: Collection[str]) -> NDArray[np.int8]:
    """Label rows ``(P, 6)`` of a sheet's cells and boxes; ``crossed`` names the boxes that are crossed off."""
    rows = []
    for name in ids:
        if name in sheet.marks:
            rows.append(cell_label(sheet.marks[name]))
        else:
            rows.append(count_label(sheet.boxes.x) if name == "numXs" else box_label(name in crossed))
    return np.stack(rows)
