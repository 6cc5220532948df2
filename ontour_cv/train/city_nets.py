"""The small network that sees pen lines on a board of New York, how it is trained, and what all its kin share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from ontour_cv.train.city_photos import CityShot

PATCH = 128
"""Side of what the ink network sees at a time in training, pixels."""


def block(
    before: int, after: int, size: tuple[int, int], step: tuple[int, int] = (1, 1), spread: int = 1
) -> list[nn.Module]:
    """A convolution with its norm and its ReLU; ``size`` and ``step`` down and across, taps ``spread`` pixels apart."""
    pad = (size[0] // 2 * spread, size[1] // 2 * spread)
    return [nn.Conv2d(before, after, size, step, pad, spread, bias=False), nn.BatchNorm2d(after), nn.ReLU()]


class InkNet(nn.Module):
    """Photo and print ``(N, 6, H, W)`` to logits of a pen line ``(N, 1, H / 2, W / 2)``.

    It sees some three disc radii round a pixel (dilated convolutions: Yu and Koltun 2016): a line goes on there.
    """

    def __init__(self, width: int = 24) -> None:
        super().__init__()
        layers: list[nn.Module] = [nn.Conv2d(6, width, 4, 2, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
        for spread in (1, 2, 4, 2, 1):
            layers += block(width, width, (3, 3), spread=spread)
        self.layers = nn.Sequential(*layers, nn.Conv2d(width, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Logits."""
        out: torch.Tensor = self.layers(x)
        return out


def train_ink(shots: Sequence[CityShot], steps: int, seed: int) -> InkNet:
    """The ink network, from the shots whose lines are all known."""
    torch.manual_seed(seed)
    rng = np.random.default_rng([seed, 1])
    known = [shot for shot in shots if shot.lines is not None]
    net = InkNet()
    for optimiser, pace in paced(net, steps, 6e-3):
        crops, wanted = zip(*(_patch(known[int(rng.integers(len(known)))], rng) for _ in range(12)), strict=True)
        logits = net(torch.from_numpy(np.stack(crops)))[:, 0]
        target = torch.from_numpy(np.stack(wanted).astype(np.int64))
        loss = functional.binary_cross_entropy_with_logits(
            logits, (target == 1).float(), weight=(target != 255).float(), pos_weight=torch.tensor(2.0)
        )
        stepped(loss, optimiser, pace)
    return net.eval()


def _patch(shot: CityShot, rng: np.random.Generator) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """A piece of a board, more often than not with a line in it, as it is or turned over."""
    assert shot.lines is not None
    height, width = shot.lines.shape
    half = PATCH // 2
    y, x = int(rng.integers(0, height - half + 1)), int(rng.integers(0, width - half + 1))
    inked = np.flatnonzero(shot.lines == 1)
    if len(inked) and rng.random() < 0.7:
        at = int(inked[int(rng.integers(len(inked)))])
        y = int(np.clip(at // width - half // 2, 0, height - half))
        x = int(np.clip(at % width - half // 2, 0, width - half))
    crop = shot.ink[:, 2 * y : 2 * y + PATCH, 2 * x : 2 * x + PATCH].astype(np.float32)
    target = shot.lines[y : y + half, x : x + half]
    if rng.random() < 0.5:
        crop, target = crop[:, :, ::-1], target[:, ::-1]
    if rng.random() < 0.5:
        crop, target = crop.transpose(0, 2, 1), target.T
    return np.ascontiguousarray(tinted(crop[None], rng)[0]), np.ascontiguousarray(target)


def tinted(crops: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Photo and print with their colours exchanged, all alike: ink has any colour."""
    order = rng.permutation(3)
    blocks = crops.shape[1] // 3
    return crops[:, np.concatenate([order + 3 * k for k in range(blocks)])]


def logits_of(
    net: nn.Module, images: NDArray[np.float16] | NDArray[np.float32], batch: int = 512
) -> NDArray[np.float64]:
    """Logits of many inputs: ``(N,)`` of a network with one answer, else ``(N, K)``."""
    out = []
    with torch.no_grad():
        for start in range(0, len(images), batch):
            part = torch.from_numpy(images[start : start + batch].astype(np.float32))
            out.append(net(part).squeeze(1).numpy())
    return np.concatenate(out).astype(np.float64) if out else np.empty(0)


def paced(
    net: nn.Module, steps: int, rate: float
) -> Iterator[tuple[torch.optim.Optimizer, torch.optim.lr_scheduler.LRScheduler]]:
    """The optimiser and its pace, once for each step."""
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps)
    net.train()
    for _ in range(steps):
        yield optimiser, pace


def stepped(loss: torch.Tensor, optimiser: torch.optim.Optimizer, pace: torch.optim.lr_scheduler.LRScheduler) -> None:
    """One step of training: ``loss`` down, the pace on."""
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    optimiser.step()
    pace.step()
