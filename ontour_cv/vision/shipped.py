"""Trained networks as they are shipped: each a file for cv2.dnn with a card beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.errors import BadTemplate

AT_ONCE = 14
"""Crops a network sees at a time: what they become on the way stays in the cache, and a board takes 4 % less time."""


@contextmanager
def loading(folder: Path, what: str = "reading model") -> Iterator[None]:
    """Whatever is missing or damaged while networks of a folder are loaded becomes ``BadTemplate``."""
    try:
        yield
    except (OSError, ValueError, KeyError, TypeError, cv2.error) as error:
        raise BadTemplate(f"the {what} in {folder} cannot be loaded", "Install ontour-cv again.") from error


def card_of(folder: Path, model: str) -> dict[str, Any]:
    """What a model's card says: temperatures, figures, how it was made."""
    card: dict[str, Any] = json.loads((folder / f"{model}.json").read_text(encoding="utf-8"))
    return card


def network(folder: Path, name: str) -> cv2.dnn.Net:
    """A network, run by the classic engine: the new one of OpenCV 5 is slower on nets this small."""
    return cv2.dnn.readNetFromONNX(str(folder / f"{name}.onnx"), cv2.dnn.ENGINE_CLASSIC)


def seen(net: cv2.dnn.Net, inputs: NDArray[np.float32], outputs: list[str]) -> list[NDArray[np.float32]]:
    """What a network makes of ``(N, ...)`` inputs, at least one, for each of its outputs."""
    parts = []
    for first in range(0, len(inputs), AT_ONCE):
        net.setInput(inputs[first : first + AT_ONCE])
        parts.append(net.forward(outputs))
    return [np.concatenate(part) for part in zip(*parts, strict=True)]
