"""What is known about sheets before one is looked at, told by who knows the rules: the camera does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BlanksOf = Callable[[Mapping[str, int]], NDArray[np.float64]]
"""Boxes crossed off, by token, to the probability of each number of blank cells, ``(cells + 1,)``."""


@dataclass(frozen=True, slots=True)
class SheetPrior:
    """What is known about sheets beforehand; costs are natural logs.

    Attributes:
        neighbours: pairs of cells between which numbers hardly ever differ by more than ``step``.
        step: that difference.
        clash_cost: of two uncircled neighbours that differ by more, none of them a slip.
        slip_cost: of a number that is a player's slip: it may clash with its neighbours, however many they are.
        circles: most circles there should be; each more costs ``circle_cost``.
        circle_cost: see there.
        guard_cost: of circles and crossed guard boxes that disagree in number.
        odd_circle_cost: of a circle round an X or round nothing.
        in_row: how probable the boxes of a token are crossed off from the first one on.
        counted: how probable a written number is that of the Xs and blanks on the sheet; else it is any.
        blanks: how probable each number of blanks is, from the crossed boxes; None: nothing is known of it.
    """

    neighbours: tuple[tuple[str, str], ...] = ()
    step: int = 1
    clash_cost: float = 0.0
    slip_cost: float = float("inf")
    circles: int = 50
    circle_cost: float = 0.0
    guard_cost: float = 0.0
    odd_circle_cost: float = 3.0
    in_row: Mapping[str, float] | None = None
    counted: float = 0.0
    blanks: BlanksOf | None = None
