"""Is there a player's circle round the disc? Every cell unrolled, beside what is print and what is this board's pen.

A printed ring and a drawn one look alike in a single cell; on the board they do not. What all discs have is print, and
what was drawn has the colour of what is written. So each cell is unrolled about its disc's centre, where a ring is a
line from edge to edge, and the network sees beside its colours how much of each place is this board's pen, and what
the board's discs look like on the average. What it makes of every cell goes through a small attention over all cells,
as the marks do (``vision.context``).

Some draw circles with another pen than the one they write with, of another colour or finer, and then a drawn ring looks
like print to a network that goes by the pen. A second network has learnt from such boards as well. It takes print for a
ring more often, so it counts a third, and more only as far as it is sure of circles that the first is sure are none: on
boards with one pen there are hardly any.

Some draw them far round the disc, where neither looks. A third network sees only what lies beyond the printed ring, and
is heard where it is sure of circles that the others are sure are none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.cells import AROUND, CELL, CellCrops, Window
from ontour_cv.vision.context import ContextNet
from ontour_cv.vision.pen import ground_and_pen, shares
from ontour_cv.vision.shipped import card_of, loading, network, seen

MODEL, PENS, FAR = "circles", "circles-pens", "circles-far"
"""Names of the shipped networks, for boards written with one pen and with several, and for circles far round the discs:
``models/circles.onnx`` and ``circles-context.npz`` and so on; their card is ``circles.json``."""

SURELY, AT_ODDS, ALWAYS = 4.0, 1.0, 0.3
"""Log-odds from which a network counts as sure; how many cells' worth of the one sure of a circle and the other of none
it takes to hear the second alone; and how much it counts on any board. On 100 boards by writers kept for validation
whose circles another pen drew 53 of 1,178 are missed and 8 surely so, where the first alone misses 305 and 160; on 100
boards with one pen it is one of 1,110 and none, in place of two and two. Never heard but where they are at odds, the
second leaves 55, 8, 1 and 1; counting half, 53, 7, 2 and 0."""

A_BOARD = 12
"""So many cells are a board; of fewer nothing can be said that one cell does not show by itself."""

Array = NDArray[np.float32]

Pen = tuple[Array, Array]
"""The ground of each disc, and the board's pen on it, ``(N, 3)`` each."""

ANGLES, AGAIN = 72, 8
"""Directions a cell is unrolled into, and how many of them are repeated at either end, for a ring has none."""


@dataclass(frozen=True, slots=True)
class View:
    """How a network sees a cell.

    Attributes:
        window: what of it is cut.
        inner: how far from its centre the unrolled cell begins, disc radii.
        outer: where it ends.
        depth: in how many steps.
    """

    window: Window
    inner: float
    outer: float
    depth: int


CLOSE = View(CELL, 0.42, 1.54, 28)
"""Steps of 0.83 pixels: rings on or near the printed one."""

BEYOND = View(AROUND, 1.15, 2.2, 20)
"""Steps of a pixel: rings that hardly touch the printed one."""

VIEWS: Mapping[str, View] = {MODEL: CLOSE, PENS: CLOSE, FAR: BEYOND}
"""What each of the networks sees."""

CHANNELS = 8
"""Colours (3), the board's average of them at that distance (3), share of pen, and what else the colour differs by."""

EVERY = 3
"""One in so many values is enough for an average over a board."""

CLASH = 3.0
"""What else a colour differs by is small; the network's inputs should be of one size."""


@lru_cache
def _grid(view: View) -> tuple[Array, Array]:
    """Where in a crop each place of the unrolled cell lies, ``(depth, ANGLES)`` each: x and y."""
    turn = 2 * np.pi * np.arange(ANGLES) / ANGLES
    reach = np.linspace(view.inner, view.outer, view.depth)[:, None] * view.window.px_per_radius
    middle = (view.window.px - 1) / 2
    return (middle + reach * np.cos(turn)).astype(np.float32), (middle + reach * np.sin(turn)).astype(np.float32)


def unrolled(images: NDArray[np.uint8], view: View = CLOSE, known: Pen | None = None) -> Array:
    """The cells of one board as a network sees them, ``(N, CHANNELS, depth, ANGLES)`` float32.

    Args:
        images: crops, ``(N, px, px, 3)`` uint8 BGR, of the view's window.
        view: which network's.
        known: what ``pen.ground_and_pen`` says of these crops, where that is known.
    """
    count = len(images)
    polar = np.stack([cv2.remap(image, *_grid(view), cv2.INTER_LINEAR) for image in images]).astype(np.float32)
    flat = images.reshape(count, -1, 3).astype(np.float32)
    seen = polar.reshape(count, -1, 3)
    spread = np.maximum(flat.reshape(count, -1).std(axis=1), 8.0)
    colours = (polar - flat.mean(axis=(1, 2))[:, None, None, None]) / spread[:, None, None, None]
    usual = np.median(colours.transpose(1, 3, 0, 2).reshape(view.depth, 3, -1)[..., ::EVERY], axis=2)
    ground, pen = known or ground_and_pen(flat, view.window)
    share, rest = shares(seen, ground, pen)
    out = np.empty((count, CHANNELS, view.depth, ANGLES), dtype=np.float32)
    out[:, :3] = colours.transpose(0, 3, 1, 2)
    out[:, 3:6] = usual.T[None, :, :, None]
    out[:, 6] = np.clip(share, -1, 2).reshape(count, view.depth, ANGLES)
    out[:, 7] = np.minimum(CLASH * rest, 4).reshape(count, view.depth, ANGLES)
    return out


def wrapped(planes: Array) -> Array:
    """The same with the first and last directions repeated at the other end."""
    return np.ascontiguousarray(np.concatenate([planes[..., -AGAIN:], planes, planes[..., :AGAIN]], axis=-1))


class CircleReader:
    """The networks that tell drawn circles from printed rings, loaded once for any number of boards.

    Args:
        folder: where the model lies (see ``MODEL``).

    Raises:
        BadTemplate: the model or its card is missing or damaged.
    """

    def __init__(self, folder: Path) -> None:
        with loading(folder):
            self.card = card = card_of(folder, MODEL)
            self._lapse = float(card["lapse"])
            self._parts = {name: _Part(folder, name, card[name]) for name in VIEWS if name in card}
            self._parts[MODEL]

    def odds(self, images: NDArray[np.uint8], part: str = MODEL) -> NDArray[np.float64]:
        """Log-odds of a circle in each cell of a board, ``(N,)``, by one of the networks alone.

        Args:
            images: all cells of the board, ``(N, px, px, 3)`` uint8 BGR, of the window of ``VIEWS[part]``.
            part: which.
        """
        return self._parts[part].odds(wrapped(unrolled(images, VIEWS[part])))

    def beside(self, circled: NDArray[np.float64], crops: CellCrops, known: Pen | None = None) -> NDArray[np.float64]:
        """What the mark networks say, and these beside them: log-probabilities ``(N, 2)`` of no circle, a circle.

        Args:
            circled: the same, as the mark networks have it.
            crops: all cells of the board; circles far round are looked for where ``around`` was cut.
            known: what ``pen.ground_and_pen`` says of ``crops.images``, where that is known.
        """
        if len(crops.images) < A_BOARD:
            return circled
        marks = circled[:, 1] - circled[:, 0]
        close = wrapped(unrolled(crops.images, CLOSE, known))
        odds = pooled([part.beside(marks, close) for name, part in self._parts.items() if VIEWS[name] == CLOSE])
        if crops.around is not None and FAR in self._parts:
            odds = widened(odds, self._parts[FAR].beside(marks, wrapped(unrolled(crops.around, BEYOND))))
        sure = 1.0 / (1.0 + np.exp(np.stack([odds, -odds], axis=1)))
        return np.asarray(np.log((1.0 - self._lapse) * sure + self._lapse / 2), dtype=np.float64)


class _Part:
    """One of the networks, with what its entry in the card says."""

    def __init__(self, folder: Path, name: str, entry: Mapping[str, float]) -> None:
        self._marks, self._own, self._temperature = (float(entry[k]) for k in ("marks", "own", "temperature"))
        self._net = network(folder, name)
        self._context = ContextNet(folder / f"{name}-context.npz", "0.")

    def odds(self, cells: Array) -> NDArray[np.float64]:
        """Log-odds of a circle in each cell, ``(N,)``, by this network alone; ``cells`` from :func:`wrapped`."""
        hidden, logits = seen(self._net, cells, ["hidden", "logits"])
        return self._context.correct(hidden[None], np.asarray(logits, dtype=np.float64)[None])[:, 0]

    def beside(self, marks: NDArray[np.float64], cells: Array) -> NDArray[np.float64]:
        """The same, calibrated, with the log-odds that the mark networks have, ``(N,)``."""
        odds: NDArray[np.float64] = (self._marks * marks + self._own * self.odds(cells)) / self._temperature
        return odds


def pooled(odds: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """What the networks for one pen and for several say together of a board, ``(N,)`` log-odds; see ``AT_ODDS``.

    Args:
        odds: ``(N,)`` of each; of one alone what it says.
    """
    first, *others = odds
    if not others:
        return first
    (second,) = others
    share = max(ALWAYS, against(second, first))
    return np.asarray((1 - share) * first + share * second, dtype=np.float64)


def widened(close: NDArray[np.float64], far: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is said of a board's circles near the discs and far round them, together, ``(N,)`` log-odds.

    Args:
        close: ``(N,)`` of those near.
        far: ``(N,)`` of those far round; it is heard for circles only, on a board where it is sure of some.
    """
    return np.asarray(close + against(far, close) * np.maximum(far - close, 0.0), dtype=np.float64)


def against(told: NDArray[np.float64], before: NDArray[np.float64]) -> float:
    """How far a network is sure of circles that were sure to be none before: 0 to 1, see ``AT_ODDS``."""
    cells = np.clip(told / SURELY, 0, 1) * np.clip(-before / SURELY, 0, 1)
    return float(min(cells.sum() / AT_ODDS, 1.0))
