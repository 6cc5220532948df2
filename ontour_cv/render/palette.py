"""Colours of everything drawn over a photo. Boards are red to green on black, so the route takes blue to pink."""

from __future__ import annotations

from ontour_cv.render.paint import Colour

ROUTE: tuple[Colour, ...] = ((37, 99, 235), (124, 58, 237), (219, 39, 119))
"""Start to finish."""

CIRCLE: Colour = (34, 211, 238)
FERRY: Colour = (13, 148, 136)
DOUBT: Colour = (251, 191, 36)
PROBLEM: Colour = (239, 68, 68)
GOOD: Colour = (74, 222, 128)
WHITE: Colour = (255, 255, 255)
NIGHT: Colour = (15, 23, 42)
SLATE: Colour = (51, 65, 85)
MIST: Colour = (203, 213, 225)
BLACK: Colour = (0, 0, 0)
