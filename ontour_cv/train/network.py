"""The mark network: a small residual net over one cell, with four answers."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

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


More = tuple[int, int, int]
"""How many residual blocks a network has beyond the usual ones at 32, 16 and 8 pixels."""

STAGES = (1, 3, 5)
"""The parts of the body behind which further blocks stand."""


class MarkNet(nn.Module):
    """Crops ``(N, 3, 64, 64)`` (see ``vision.glyphs.blob``) to logits ``(N, 26)``: the heads of ``HEADS`` side by side.

    Stride 2 four times (64 to 4 pixels); about 0.9 million weights and 36 million multiply-adds a cell, 11 million more
    for every block of ``more``. ReLU only: GELU crashed cv2.dnn of OpenCV 5.0.

    Args:
        more: further residual blocks. They begin as the identity, so a network that has learnt can be made deeper and
            answers as before (Chen et al. 2016, "Net2Net").
        widths: channels at 32, 16, 8 and 4 pixels.
        hidden: width of the last hidden layer.
        dropout: before it.
    """

    def __init__(
        self, more: More = (0, 0, 0), widths: tuple[int, int, int, int] = (24, 48, 96, 144), hidden: int = 192,
        dropout: float = 0.3,
    ) -> None:  # fmt: skip
        super().__init__()
        self.more = more
        a, b, c, d = widths
        usual: list[nn.Module] = [
            _conv(3, a, 2, 5), _conv(a, a), _conv(a, b, 2), Residual(b), _conv(b, c, 2), Residual(c), _conv(c, d, 2)
        ]  # fmt: skip
        parts: OrderedDict[str, nn.Module] = OrderedDict()
        for k, part in enumerate(usual):
            parts[str(k)] = part
            if k in STAGES:
                stage = STAGES.index(k)
                parts |= {f"{k}+{n}": _unlearnt(Residual(widths[stage])) for n in range(more[stage])}
        self.body = nn.Sequential(parts)
        self.join = nn.Sequential(nn.Flatten(), nn.Dropout(dropout), nn.Linear(d * 16, hidden), nn.ReLU(inplace=True))
        self.head = nn.Linear(hidden, sum(HEADS.values()))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Logits ``(N, 26)`` of crops ``(N, 3, 64, 64)``."""
        out: torch.Tensor = self.head(self.join(self.body(x)))
        return out


def _unlearnt(block: Residual) -> Residual:
    """The block as the identity: its second batch norm is silent until it learns."""
    norm = block.second[1]
    assert isinstance(norm, nn.BatchNorm2d)
    nn.init.zeros_(norm.weight)
    return block


def more_of(state: Mapping[str, torch.Tensor]) -> More:
    """How many further blocks the network of these parameters has; their names may have a prefix."""
    names = {part for name in state for part in name.split(".") if "+" in part}
    first, second, third = (sum(name.startswith(f"{k}+") for name in names) for k in STAGES)
    return first, second, third


def split_heads(logits: torch.Tensor) -> dict[str, torch.Tensor]:
    """The logits of each head by name."""
    parts = torch.split(logits, list(HEADS.values()), dim=1)
    return dict(zip(HEADS, parts, strict=True))


def losses(logits: torch.Tensor, labels: torch.Tensor) -> dict[str, torch.Tensor]:
    """Mean cross-entropy of each head; the digits' only over cells that hold a number.

    Args:
        logits: ``(N, 26)``.
        labels: ``(N, 4)`` integers, see ``train.labels.COLUMNS``; -1 means not applicable.
    """
    out = {}
    for column, (name, part) in enumerate(split_heads(logits).items()):
        out[name] = nn.functional.cross_entropy(part, labels[:, column].long(), ignore_index=-1)
    return out
