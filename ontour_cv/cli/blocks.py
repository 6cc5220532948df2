"""Pictures on a terminal: two pixels a character, one above the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

UPPER = "▀"
"""The upper half of a character in one colour; the background is the lower one."""


def can_show(console: Console) -> bool:
    """Whether a console shows colours, and these characters."""
    return console.is_terminal and console.color_system is not None and "utf" in console.encoding.lower()


def fitted(picture: NDArray[np.uint8], columns: int) -> NDArray[np.uint8]:
    """A picture ``(H, W, 3)`` uint8 BGR made small enough for so many columns: lines that wrap show nothing."""
    import cv2

    height, width = picture.shape[:2]
    if width <= columns:
        return picture
    size = (max(1, columns), max(1, round(height * columns / width)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def blocks(picture: NDArray[np.uint8]) -> Text:
    """A picture ``(H, W, 3)`` uint8 BGR as ``W`` columns and half as many lines as it has rows."""
    from rich.color import Color
    from rich.style import Style
    from rich.text import Text

    out = Text(no_wrap=True)
    rows = picture if len(picture) % 2 == 0 else np.concatenate([picture, picture[-1:]])
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        for above, below in zip(upper.tolist(), lower.tolist(), strict=True):
            colours = [Color.from_rgb(*reversed(bgr)) for bgr in (above, below)]
            out.append(UPPER, Style(color=colours[0], bgcolor=colours[1]))
        out.append("\n")
    return out
