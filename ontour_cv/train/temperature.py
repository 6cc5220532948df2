"""The temperature that makes a network's probabilities honest (Guo et al. 2017)."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn import functional

LEAST, MOST, TRIED = 0.4, 4.0, 60
"""Temperatures looked at, evenly by their logarithm."""


def temperature(logits: torch.Tensor, target: torch.Tensor) -> float:
    """The temperature with the least log-loss.

    Args:
        logits: ``(N,)`` of something being so, or ``(N, K)`` of K classes.
        target: ``(N,)`` 0 or 1, floating like the logits; or the class, int64.
    """
    loss = functional.cross_entropy if logits.dim() > 1 else functional.binary_cross_entropy_with_logits
    heats = np.exp(np.linspace(np.log(LEAST), np.log(MOST), TRIED))
    return round(float(min(heats, key=lambda heat: float(loss(logits / heat, target)))), 3)
