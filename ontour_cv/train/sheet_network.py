"""The sheet network: small residual nets over one cell and its mask, with six answers, read as one."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import nn

from ontour_cv.train.network import Residual, _conv
from ontour_cv.vision.sheet_glyphs import CLASSES, FEATURES, FEATURES_FROM, SHEET_HEADS

SPOT = 2.0
"""How much the place of the writing counts in the loss."""

WEIGHTS = {"kind": 1.0, "digit": 1.0, "circled": 0.7, "crossed": 0.5, "tens": 0.15, "ones": 0.15}
"""How much each answer counts in the loss; few crops are asked for the written number, so each counts for much."""


class SheetNet(nn.Module):
    """Inputs ``(N, 4, 64, 64)`` (``vision.sheet_glyphs.sheet_input``) to ``(N, 110)``: logits, spot, features.

    Three numbers behind the logits of the heads say where the writing is: x, y and the log of half its longer side, in
    half sides of the crop; the rest is the last hidden layer.

    Stride 2 four times; 0.39 million weights, so that the file stays under 0.85 MB. ReLU only, as ``train.network``.
    """

    def __init__(self, widths: tuple[int, int, int, int] = (24, 48, 96, 104), dropout: float = 0.2) -> None:
        super().__init__()
        a, b, c, d = widths
        self.body = nn.Sequential(
            _conv(4, a, 2, 5), _conv(a, a), _conv(a, b, 2), Residual(b), _conv(b, c, 2), Residual(c), _conv(c, d, 2)
        )  # fmt: skip
        self.squeeze = _conv(d, 32, 1, 1)
        self.join = nn.Sequential(
            nn.Flatten(), nn.Dropout(dropout), nn.Linear(32 * 16, FEATURES), nn.ReLU(inplace=True)
        )
        self.head = nn.Linear(FEATURES, FEATURES_FROM)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Logits, spots and features ``(N, 110)``."""
        seen: torch.Tensor = self.join(self.squeeze(self.body(x)))
        return torch.cat([self.head(seen), seen], dim=1)


class SheetNets(nn.Module):
    """Several networks read as one: answers and spots are the members' means, their last layers lie side by side.

    Args:
        members: networks that know different things: trained on other crops, or from another start.
    """

    def __init__(self, members: Iterable[SheetNet]) -> None:
        super().__init__()
        self.members = nn.ModuleList(members)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """As :meth:`SheetNet.forward`, with so many times the features: ``(N, 38 + 72 * members)``."""
        told = [member(x) for member in self.members]
        answers = told[0][:, :FEATURES_FROM]
        for one in told[1:]:  # OpenCV does not read a mean over stacked tensors
            answers = answers + one[:, :FEATURES_FROM]
        return torch.cat([answers / len(told), *(one[:, FEATURES_FROM:] for one in told)], dim=1)


def split_heads(logits: torch.Tensor) -> dict[str, torch.Tensor]:
    """The logits of each head by name."""
    parts = torch.split(logits[:, :CLASSES], [size for _, size in SHEET_HEADS], dim=1)
    return {name: part for (name, _), part in zip(SHEET_HEADS, parts, strict=True)}


def loss_of(logits: torch.Tensor, labels: torch.Tensor, spots: torch.Tensor) -> torch.Tensor:
    """Weighted mean cross-entropy of the heads, and how far the spot is off.

    Args:
        logits: ``(N, 110)`` of the network.
        labels: ``(N, 6)``, -1 where a question makes no sense.
        spots: ``(N, 3)`` x, y and half the longer side of the writing, NaN where there is none or nobody knows.
    """
    total = logits.new_zeros(())
    for column, (name, part) in enumerate(split_heads(logits).items()):
        known = labels[:, column] >= 0
        if known.any():
            total = total + WEIGHTS[name] * nn.functional.cross_entropy(part[known], labels[known, column])
    seen = torch.isfinite(spots[:, 0])
    if seen.any():
        total = total + SPOT * nn.functional.smooth_l1_loss(
            logits[seen, CLASSES:FEATURES_FROM], spot_target(spots[seen]), beta=0.1
        )
    return total


def spot_target(spots: torch.Tensor) -> torch.Tensor:
    """Spots as the network tells them: the size as a log."""
    return torch.cat([spots[:, :2], torch.log(spots[:, 2:])], dim=1)
