"""Crops as a network's input."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from ontour_cv.vision.glyphs import standardised


def tensor(images: NDArray[np.uint8]) -> torch.Tensor:
    """The network's input from crops ``(N, 64, 64, 3)`` uint8, channels last in memory."""
    return torch.from_numpy(standardised(images)).contiguous(memory_format=torch.channels_last)
