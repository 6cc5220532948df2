"""Is there a player's circle round the disc? Every cell unrolled, beside what is print and what is this board's pen.

A printed ring and a drawn one look alike in a single cell; on the board they do not. What all discs have is print, and
what was drawn has the colour of what is written. So each cell is unrolled about its disc's centre, where a ring is a
line from edge to edge, and the network sees beside its colours how much of each place is this board's pen, and what
the board's discs look like on the average. What it makes of every cell goes through a small attention over all cells,
as the marks do (``vision.context``).
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.cells import CROP_PX, PX_PER_RADIUS
from ontour_cv.vision.context import ContextNet
from ontour_cv.vision.pen import ground_and_pen, shares
from ontour_cv.vision.shipped import card_of, loading, network

MODEL = "circles"
"""Name of the shipped model: ``models/circles.onnx``, ``circles-context.npz`` and their card ``circles.json``."""

A_BOARD = 12
"""So many cells are a board; of fewer nothing can be said that one cell does not show by itself."""

Array = NDArray[np.float32]

ANGLES, AROUND = 72, 8
"""Directions a cell is unrolled into, and how many of them are repeated at either end, for a ring has none."""

INNER, OUTER, DEPTH = 0.42, 1.54, 28
"""From where to where, disc radii, and in how many steps of 0.83 pixels."""

CHANNELS = 8
"""Colours (3), the board's average of them at that distance (3), share of pen, and what else the colour differs by."""

EVERY = 3
"""One in so many values is enough for an average over a board."""

CLASH = 3.0
"""What else a colour differs by is small; the network's inputs should be of one size."""


def _grid() -> tuple[Array, Array]:
    """Where in a crop each place of the unrolled cell lies, ``(DEPTH, ANGLES)`` each: x and y."""
    turn = 2 * np.pi * np.arange(ANGLES) / ANGLES
    reach = np.linspace(INNER, OUTER, DEPTH)[:, None] * PX_PER_RADIUS
    middle = (CROP_PX - 1) / 2
    return (middle + reach * np.cos(turn)).astype(np.float32), (middle + reach * np.sin(turn)).astype(np.float32)


_X, _Y = _grid()


def unrolled(images: NDArray[np.uint8]) -> Array:
    """The cells of one board as the network sees them, ``(N, CHANNELS, DEPTH, ANGLES)`` float32.

    Args:
        images: crops, ``(N, CROP_PX, CROP_PX, 3)`` uint8 BGR.
    """
    count = len(images)
    polar = np.stack([cv2.remap(image, _X, _Y, cv2.INTER_LINEAR) for image in images]).astype(np.float32)
    flat = images.reshape(count, -1, 3).astype(np.float32)
    seen = polar.reshape(count, -1, 3)
    spread = np.maximum(flat.reshape(count, -1).std(axis=1), 8.0)
    colours = (polar - flat.mean(axis=(1, 2))[:, None, None, None]) / spread[:, None, None, None]
    usual = np.median(colours.transpose(1, 3, 0, 2).reshape(DEPTH, 3, -1)[..., ::EVERY], axis=2)
    ground, pen = ground_and_pen(flat)
    share, rest = shares(seen, ground, pen)
    out = np.empty((count, CHANNELS, DEPTH, ANGLES), dtype=np.float32)
    out[:, :3] = colours.transpose(0, 3, 1, 2)
    out[:, 3:6] = usual.T[None, :, :, None]
    out[:, 6] = np.clip(share, -1, 2).reshape(count, DEPTH, ANGLES)
    out[:, 7] = np.minimum(CLASH * rest, 4).reshape(count, DEPTH, ANGLES)
    return out


def wrapped(planes: Array) -> Array:
    """The same with the first and last directions repeated at the other end."""
    return np.ascontiguousarray(np.concatenate([planes[..., -AROUND:], planes, planes[..., :AROUND]], axis=-1))


class CircleReader:
    """The network that tells drawn circles from printed rings, loaded once for any number of boards.

    Args:
        folder: where the model lies (see ``MODEL``).

    Raises:
        BadTemplate: the model or its card is missing or damaged.
    """

    def __init__(self, folder: Path) -> None:
        with loading(folder):
            self.card = card = card_of(folder, MODEL)
            self._marks, self._own = float(card["marks"]), float(card["own"])
            self._temperature, self._lapse = float(card["temperature"]), float(card["lapse"])
            self._net = network(folder, MODEL)
            self._context = ContextNet(folder / f"{MODEL}-context.npz", "0.")

    def odds(self, images: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Log-odds of a circle in each cell of a board, ``(N,)``, by this network alone.

        Args:
            images: all cells of the board, ``(N, CROP_PX, CROP_PX, 3)`` uint8 BGR.
        """
        self._net.setInput(wrapped(unrolled(images)))
        hidden, logits = self._net.forward(["hidden", "logits"])
        seen = np.asarray(hidden, dtype=np.float32)[None]
        return self._context.correct(seen, np.asarray(logits, dtype=np.float64)[None])[:, 0]

    def beside(self, circled: NDArray[np.float64], images: NDArray[np.uint8]) -> NDArray[np.float64]:
        """What the mark networks say, and this one beside them: log-probabilities ``(N, 2)`` of no circle, a circle.

        Args:
            circled: the same, as the mark networks have it.
            images: all cells of the board.
        """
        if len(images) < A_BOARD:
            return circled
        odds = self._marks * (circled[:, 1] - circled[:, 0]) + self._own * self.odds(images)
        sure = 1.0 / (1.0 + np.exp(np.stack([odds, -odds], axis=1) / self._temperature))
        return np.asarray(np.log((1.0 - self._lapse) * sure + self._lapse / 2), dtype=np.float64)
