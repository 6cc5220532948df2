"""A drawing as data: a display list in millimetres that paper and pixels are made from.

Frame: origin at the top left corner, x right, y down. Later items lie over earlier ones.
"""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]
Colour = tuple[int, int, int]
"""Red, green, blue, 0-255."""


@dataclass(frozen=True, slots=True)
class Pen:
    """A line with round ends: its colour, its width in mm, and the dash pattern in mm (empty: solid)."""

    colour: Colour
    width: float
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """Polygons or lines through points; several ``parts`` are filled together by the even-odd rule."""

    parts: tuple[tuple[Point, ...], ...]
    fill: Colour | None = None
    pen: Pen | None = None
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle; the pen's line lies half inside and half outside of ``radius``."""

    centre: Point
    radius: float
    fill: Colour | None = None
    pen: Pen | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text.

    Attributes:
        at: a point on the base line: its left end, its middle or its right end, as ``align`` says.
        text: what is written.
        size: height of a capital, mm.
        colour: of the letters.
        align: ``"left"``, ``"middle"`` or ``"right"``.
        weight: how much bolder than regular, as a share of the capital's height; 0 is regular, 0.06 bold.
        halo: colour of a soft edge round the letters, or None.
    """

    at: Point
    text: str
    size: float
    colour: Colour
    align: str = "middle"
    weight: float = 0.0
    halo: Colour | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Items drawn smaller and elsewhere: each point becomes ``shift + scale * point``.

    Attributes:
        items: what is drawn, in coordinates of their own.
        scale: of lengths.
        shift: where their origin lies, mm.
        window: polygons in the items' coordinates outside of which nothing is drawn; empty for no bounds.
    """

    items: tuple[Item, ...]
    scale: float = 1.0
    shift: Point = (0.0, 0.0)
    window: tuple[tuple[Point, ...], ...] = ()


Item = Shape | Circle | Text | Group


@dataclass(frozen=True, slots=True)
class Drawing:
    """A whole picture: its size in mm and its items."""

    width: float
    height: float
    items: tuple[Item, ...]


def rectangle(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    """The corners of a rectangle."""
    return (left, top), (right, top), (right, bottom), (left, bottom)


def rounded(left: float, top: float, right: float, bottom: float, radius: float) -> tuple[Point, ...]:
    """A rectangle whose corners are rounded by ``radius``, as a polygon."""
    from math import cos, pi, sin

    corners = ((right - radius, bottom - radius), (left + radius, bottom - radius),
               (left + radius, top + radius), (right - radius, top + radius))  # fmt: skip
    steps = 8
    return tuple(
        (x + radius * cos((quarter + k / steps) * pi / 2), y + radius * sin((quarter + k / steps) * pi / 2))
        for quarter, (x, y) in enumerate(corners)
        for k in range(steps + 1)
    )


def blend(one: Colour, other: Colour, share: float) -> Colour:
    """The colour ``share`` of the way from ``one`` to ``other``."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue
