"""One printed edition of a map: where its cells lie on the board. Positions only, never a picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """Where the printed discs of one edition lie.

    Board frame: units of the board's width, origin at its top left corner, x right, y down, seen straight
    from above. All editions of a map lie in the same frame as the map's rough layout (``Region.layout``).

    Attributes:
        map: id of the map.
        name: edition name, for example ``"2019"``.
        title: name for people.
        cells: region id -> disc centre ``(x, y)`` in the board frame, for every region of the map.
        radius: the discs' radius in the board frame (about 0.019).
        measured: how and from what the positions were measured.
        sums: where players write what they counted, visited places, visited circles and total: the middle of each box,
            its width and its height ``(x, y, width, height)`` in the board frame; empty when that is not known.
        boxed: whether boxes to be marked are printed beside the discs, as New York's for soloists.
    """

    map: str
    name: str
    title: str
    cells: Mapping[str, tuple[float, float]]
    radius: float
    measured: str
    sums: tuple[tuple[float, float, float, float], ...] = ()
    boxed: bool = False
