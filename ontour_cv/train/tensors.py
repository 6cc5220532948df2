"""Crops as a network's input."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray


def tensor(images: NDArray[np.uint8]) -> torch.Tensor:
    """The network's input from crops ``(N, 64, 64, 3)`` uint8, channels last in memory."""
    return standardised(torch.from_numpy(images))


def standardised(images: torch.Tensor) -> torch.Tensor:
    """``vision.glyphs.standardised`` of crops ``(N, H, W, 3)`` uint8 on any device, channels last in memory."""
    x = images.float()
    mean = x.mean(dim=(1, 2, 3), keepdim=True)
    spread = x.std(dim=(1, 2, 3), keepdim=True, correction=0).clamp(min=8.0)
    return ((x - mean) / spread).permute(0, 3, 1, 2)
