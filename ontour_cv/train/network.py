"""The mark network: a small residual net over one cell, with four answers."""

from __future__ import annotations

import torch
from torch import nn

HEADS = {"kind": 4, "tens": 10, "ones": 10, "circled": 2}
"""Answer -> number of classes, in output order."""


def _conv(inside: int, outside: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    conv = nn.Conv2d(inside, outside, size, stride, size // 2, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outside), nn.ReLU(inplace=True))


class Residual(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """``(N, width, H, W)`` to the same shape."""
        return torch.relu(x + self.second(self.first(x)))


class MarkNet(nn.Module):
    """Crops ``(N, 3, 64, 64)`` (see ``vision.glyphs.blob``) to logits ``(N, 26)``: the heads of ``HEADS`` side by side.

    Stride 2 four times (64 to 4 pixels); about 0.9 million weights and 36 million multiply-adds a cell. ReLU only:
    GELU crashed cv2.dnn of OpenCV 5.0.
    """

    def __init__(
        self, widths: tuple[int, int, int, int] = (24, 48, 96, 144), hidden: int = 192, dropout: float = 0.3
    ) -> None:
        super().__init__()
        a, b, c, d = widths
        self.body = nn.Sequential(
            _conv(3, a, 2, 5), _conv(a, a), _conv(a, b, 2), Residual(b), _conv(b, c, 2), Residual(c), _conv(c, d, 2)
        )  # fmt: skip
        self.join = nn.Sequential(nn.Flatten(), nn.Dropout(dropout), nn.Linear(d * 16, hidden), nn.ReLU(inplace=True))
        self.head = nn.Linear(hidden, sum(HEADS.values()))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Logits ``(N, 26)`` of crops ``(N, 3, 64, 64)``."""
        out: torch.Tensor = self.head(self.join(self.body(x)))
        return out


def split_heads(logits: torch.Tensor) -> dict[str, torch.Tensor]:
    """The logits of each head by name."""
    parts = torch.split(logits, list(HEADS.values()), dim=1)
    return dict(zip(HEADS, parts, strict=True))


def losses(logits: torch.Tensor, labels: torch.Tensor) -> dict[str, torch.Tensor]:
    """Mean cross-entropy of each head; the digits' only over cells that hold a number. Nothing known is no loss.

    Args:
        logits: ``(N, 26)``.
        labels: ``(N, 4)`` integers, see ``train.labels.COLUMNS``; -1 means not applicable.
    """
    out = {}
    for column, (name, part) in enumerate(split_heads(logits).items()):
        target = labels[:, column].long()
        total = nn.functional.cross_entropy(part, target, ignore_index=-1, reduction="sum")
        out[name] = total / (target >= 0).sum().clamp(min=1)
    return out
