"""The network that looks for a disc that its outline alone does not show: covered with ink, blurred, or elsewhere."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ontour_cv.resources import models_dir
from ontour_cv.vision.rings import STEP
from ontour_cv.vision.shipped import card_of, loading, network

Array = NDArray[np.float64]

MODEL = "discs"
"""Name of the shipped model: ``models/discs.onnx`` and its card ``discs.json``."""

SIDE = 72
"""Side of a window, pixels of which ``rings.STEP`` make a disc radius; the predicted place is in its middle."""

STRIDE = 2
"""Pixels between the places the network answers for."""

LEAST_CONTRAST = 8.0
"""Windows with less contrast than this, levels, are stretched no further."""


class DiscNet:
    """The network, run by cv2.dnn; loaded once.

    Args:
        folder: where the model lies; the shipped one when None.

    Raises:
        BadTemplate: the model or its card is missing or damaged.
    """

    def __init__(self, folder: Path | None = None) -> None:
        folder = folder or models_dir()
        with loading(folder):
            self.card = card_of(folder, MODEL)
            self._net = network(folder, MODEL)
            self._temperature = float(self.card["temperature"])

    def log_likelihood(self, windows: NDArray[np.uint8]) -> Array:
        """How likely each window is with the disc's centre at each place, ``(N, S, S)``, natural log up to a constant.

        Args:
            windows: ``(N, SIDE, SIDE, 3)`` BGR; places as :func:`places` tells.
        """
        self._net.setInput(inputs(windows))
        answers = np.array(self._net.forward(), dtype=np.float64)[:, 0]
        return np.asarray(answers / self._temperature)


def inputs(windows: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Windows as the network sees them, ``(N, 3, SIDE, SIDE)``: each with its own light taken out."""
    values = windows.astype(np.float32).transpose(0, 3, 1, 2)
    values -= values.mean(axis=(1, 2, 3), keepdims=True)
    values /= np.maximum(values.std(axis=(1, 2, 3), keepdims=True), np.float32(LEAST_CONTRAST))
    return np.ascontiguousarray(values)


@cache
def places() -> Array:
    """Offset of each place from the middle of a window, ``(S, S, 2)`` disc radii."""
    at = (np.arange(SIDE // STRIDE) * STRIDE + (STRIDE - 1) / 2 - (SIDE - 1) / 2) / STEP
    return np.stack(np.meshgrid(at, at), axis=-1)


@cache
def disc_net() -> DiscNet:
    """The shipped network."""
    return DiscNet()
