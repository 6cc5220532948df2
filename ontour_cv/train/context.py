"""The context network: looks at all cells of a board at once and mends what each cell left open.

A person who cannot tell a 1 from a 7 looks at the writer's other ones; a ring is printed or drawn depending on what
the other discs look like. The network gets, for every cell, what the mark networks saw (their last hidden layers and
logits), and adds a correction to the logits' mean. Attention over cells (Vaswani et al. 2017), no positions: any map.

Each mark network learns beside one of its own (``train.fit``); one more, which hears them all, is trained afterwards on
boards they never saw (``train.together``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ontour_cv.train.network import HEADS, MarkNet
from ontour_cv.train.tensors import standardised
from ontour_cv.vision.context import SCALE

LOGITS = sum(HEADS.values())

FEATURES = 192
"""Width of a mark network's last hidden layer."""


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
    """What ``M`` mark networks think of a board's cells to one opinion of each.

    Args:
        members: how many mark networks it hears.
        features: width of their hidden layer.
        width: its own.
        heads: of attention.
        depth: layers.
        answers: how many logits each of them gives, and it gives in turn.
        deaf: share of the hidden layers' values hidden from it while it learns. Mark networks show more of hands they
            have learnt than of others; without, it learns to rely on that.
    """

    def __init__(
        self, members: int = 1, features: int = FEATURES, width: int = 96, heads: int = 4, depth: int = 2,
        deaf: float = 0.0, answers: int = LOGITS,
    ) -> None:  # fmt: skip
        super().__init__()
        self.members = members
        self.deaf = nn.Dropout(deaf)
        self.enter = nn.Linear(members * (features + answers), width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(depth))
        self.norm = nn.LayerNorm(width)
        self.leave = nn.Linear(width, answers)
        self.share = nn.Parameter(torch.ones(answers))
        nn.init.zeros_(self.leave.weight)
        nn.init.zeros_(self.leave.bias)

    def forward(self, hidden: torch.Tensor, logits: torch.Tensor) -> torch.Tensor:
        """Hidden layers ``(B, N, M, F)`` and logits ``(B, N, M, 26)`` to logits ``(B, N, 26)``."""
        x = self.enter(torch.cat([self.deaf(hidden.flatten(2)), logits.flatten(2) / 4], dim=-1))
        for block in self.blocks:
            x = block(x)
        out: torch.Tensor = self.share * logits.mean(2) + self.leave(self.norm(x))
        return out


def context_of(state: Mapping[str, torch.Tensor]) -> ContextNet:
    """The network these parameters belong to, ready to read; of mark networks of the usual width."""
    width, inside = state["enter.weight"].shape
    depth = sum(name.endswith("qkv.weight") for name in state)
    net = ContextNet(inside // (FEATURES + LOGITS), width=width, depth=depth)
    net.load_state_dict(state)
    return net.eval()


def look(net: MarkNet, images: NDArray[np.uint8], batch: int = 512) -> tuple[torch.Tensor, torch.Tensor]:
    """The mark network's last hidden layer ``(N, 192)`` and logits ``(N, 26)`` for crops ``(N, 64, 64, 3)``."""
    net.eval()
    hidden, device = [], net.head.weight.device
    with torch.no_grad():
        for start in range(0, len(images), batch):
            crops = torch.from_numpy(images[start : start + batch]).to(device)
            hidden.append(net.join(net.body(standardised(crops))).float())
        seen = torch.cat(hidden)
        return seen.cpu(), net.head(seen).cpu()


def save_contexts(nets: Sequence[ContextNet], path: Path) -> None:
    """Writes the weights as one ``.npz`` for ``vision.context``: names ``0.enter.weight`` and so on."""
    weights = {f"{k}.{name}": value.numpy() for k, net in enumerate(nets) for name, value in net.state_dict().items()}
    arrays: dict[str, NDArray[np.generic]] = {}
    for name, value in weights.items():
        if value.ndim == 2:
            scale = np.maximum(np.abs(value).max(axis=1) / 127, 1e-6).astype(np.float16)
            arrays[name] = np.rint(value / scale[:, None].astype(np.float32)).clip(-127, 127).astype(np.int8)
            arrays[name + SCALE] = scale
        else:
            arrays[name] = value.astype(np.float16)
    np.savez(path, **arrays)  # type: ignore[arg-type]  # numpy's stubs take the names for its own option
