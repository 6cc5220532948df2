"""Marks as the numbers a network learns from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontour_cv.board import Kind, Mark

KIND_ORDER = (Kind.EMPTY, Kind.NUMBER, Kind.STAR, Kind.BLOCKED)
"""The same order as ``vision.glyphs.KINDS``."""

COLUMNS = ("kind", "tens", "ones", "circled")
"""Columns of a label row; tens and ones are -1 where there is no number."""


def label_of(mark: Mark) -> NDArray[np.int8]:
    """A label row, ``(4,)`` int8, see ``COLUMNS``."""
    tens, ones = divmod(mark.number, 10) if mark.number is not None else (-1, -1)
    return np.array([KIND_ORDER.index(mark.kind), tens, ones, int(mark.circled)], dtype=np.int8)
