"""The context network: looks at all cells of a board at once and mends what each cell left open.

A person who cannot tell a 1 from a 7 looks at the writer's other ones; a ring is printed or drawn depending on what
the other discs look like. The network gets, for every cell, what the mark network saw (its last hidden layer and its
logits), and adds a correction to the logits. Attention over cells (Vaswani et al. 2017), no positions: any map.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ontour_cv.train.network import HEADS, MarkNet
from ontour_cv.train.tensors import tensor

LOGITS = sum(HEADS.values())


class Block(nn.Module):
    """Attention and a small perceptron, each beside a shortcut, normalised before."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """``(B, N, width)`` to the same shape."""
        b, n, w = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, n, 3, self.heads, w // self.heads).permute(2, 0, 3, 1, 4)
        weights = torch.softmax(q @ k.transpose(-1, -2) / (w // self.heads) ** 0.5, dim=-1)
        x = x + self.drop(self.out((weights @ v).transpose(1, 2).reshape(b, n, w)))
        out: torch.Tensor = x + self.drop(self.down(torch.relu(self.up(self.norm2(x)))))
        return out


class ContextNet(nn.Module):
    """Features ``(B, N, F)`` and logits ``(B, N, 26)`` of a board's cells to corrected logits ``(B, N, 26)``."""

    def __init__(self, features: int = 192, width: int = 96, heads: int = 4, depth: int = 2) -> None:
        super().__init__()
        self.enter = nn.Linear(features + LOGITS, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(depth))
        self.norm = nn.LayerNorm(width)
        self.leave = nn.Linear(width, LOGITS)
        nn.init.zeros_(self.leave.weight)
        nn.init.zeros_(self.leave.bias)

    def forward(self, features: torch.Tensor, logits: torch.Tensor) -> torch.Tensor:
        """See the class."""
        x = self.enter(torch.cat([features, logits / 4], dim=-1))
        for block in self.blocks:
            x = block(x)
        out: torch.Tensor = logits + self.leave(self.norm(x))
        return out


def look(net: MarkNet, images: NDArray[np.uint8], batch: int = 512) -> tuple[torch.Tensor, torch.Tensor]:
    """The mark network's last hidden layer ``(N, 192)`` and logits ``(N, 26)`` for crops ``(N, 64, 64, 3)``."""
    net.eval()
    hidden = []
    with torch.no_grad():
        for start in range(0, len(images), batch):
            hidden.append(net.join(net.body(tensor(images[start : start + batch]))).float())
        seen = torch.cat(hidden)
        return seen, net.head(seen)


def save_contexts(nets: Sequence[ContextNet], path: Path) -> None:
    """Writes the weights as one ``.npz`` for ``vision.context``: names ``0.enter.weight`` and so on, float16."""
    weights = {f"{k}.{name}": value for k, net in enumerate(nets) for name, value in net.state_dict().items()}
    np.savez(path, **{name: value.numpy().astype(np.float16) for name, value in weights.items()})
