"""What somebody vouches for, in place of what was read."""

from __future__ import annotations

from ontour_cv.board import Kind, Mark
from ontour_cv.vision.decode import CellReading


def vouched(mark: Mark) -> CellReading:
    """A correction is certain. One that says "unread" is taken at its word: the cell may hold anything."""
    unread = mark.kind is Kind.UNREAD
    return CellReading(mark, 0.0 if unread else 1.0, (), doubtful=unread)
