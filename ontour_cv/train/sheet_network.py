"""The sheet network: a small residual net over one cell and its mask, with six answers."""

from __future__ import annotations

import torch
from torch import nn

from ontour_cv.train.network import Residual, _conv
from ontour_cv.vision.sheet_glyphs import SHEET_HEADS

WEIGHTS = {"kind": 1.0, "digit": 1.0, "circled": 0.7, "crossed": 0.5, "tens": 0.15, "ones": 0.15}
"""How much each answer counts in the loss; few crops are asked for the written number, so each counts for much."""


class SheetNet(nn.Module):
    """Inputs ``(N, 4, 64, 64)`` (``vision.sheet_glyphs.sheet_input``) to logits ``(N, 35)``, heads side by side.

    Stride 2 four times; 0.39 million weights, so that the file stays under 0.85 MB. ReLU only, as ``train.network``.
    """

    def __init__(self, widths: tuple[int, int, int, int] = (24, 48, 96, 104), dropout: float = 0.2) -> None:
        super().__init__()
        a, b, c, d = widths
        self.body = nn.Sequential(
            _conv(4, a, 2, 5), _conv(a, a), _conv(a, b, 2), Residual(b), _conv(b, c, 2), Residual(c), _conv(c, d, 2)
        )  # fmt: skip
        self.squeeze = _conv(d, 32, 1, 1)
        self.join = nn.Sequential(nn.Flatten(), nn.Dropout(dropout), nn.Linear(32 * 16, 72), nn.ReLU(inplace=True))
        self.head = nn.Linear(72, sum(size for _, size in SHEET_HEADS))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Logits ``(N, 35)``."""
        out: torch.Tensor = self.head(self.join(self.squeeze(self.body(x))))
        return out


def split_heads(logits: torch.Tensor) -> dict[str, torch.Tensor]:
    """The logits of each head by name."""
    parts = torch.split(logits, [size for _, size in SHEET_HEADS], dim=1)
    return {name: part for (name, _), part in zip(SHEET_HEADS, parts, strict=True)}


def loss_of(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Weighted mean cross-entropy of the heads; labels ``(N, 6)``, -1 where a question makes no sense."""
    total = logits.new_zeros(())
    for column, (name, part) in enumerate(split_heads(logits).items()):
        known = labels[:, column] >= 0
        if known.any():
            total = total + WEIGHTS[name] * nn.functional.cross_entropy(part[known], labels[known, column])
    return total
