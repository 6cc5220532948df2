"""Training in half precision where the processor is made for it."""

from __future__ import annotations

import time
from functools import cache

import torch


def autocast(device: torch.device | None = None) -> torch.autocast:
    """The context that networks learn in: bfloat16 where that is faster, else single precision.

    With matrix units for bfloat16 a step takes half as long, as on any graphics card of today; a processor without them
    imitates it, ten times as slow as in single precision. Which it is shows once, within a second.

    Args:
        device: what they learn on; None for the processor.
    """
    kind = "cpu" if device is None else device.type
    return torch.autocast(kind, dtype=torch.bfloat16, enabled=kind != "cpu" or _faster())


@cache
def _faster() -> bool:
    with torch.random.fork_rng(devices=()):  # what follows from a seed shall not depend on who asked first
        return _seconds(half=True) < _seconds(half=False)


def _seconds(half: bool) -> float:
    """Best time of three for a convolution there and back."""
    layer, x = torch.nn.Conv2d(32, 32, 3, padding=1), torch.zeros(8, 32, 32, 32)
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=half):
            layer(x).float().sum().backward()
        times.append(time.perf_counter() - begun)
    return min(times)
