"""The networks of ferry lines: one for strips, one that thinks a board over; how the second is written to a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

from ontour_cv.train.city_nets import block
from ontour_cv.train.drawn_nets import everywhere, halved, in_company
from ontour_cv.vision.city_lines import (
    BETWEEN,
    CERTAIN,
    EXPLAINED,
    LAYERS,
    OWN,
    PARTS,
    ROUNDS,
    Tangle,
)
from ontour_cv.vision.city_paths import ACROSS, ALONG
from ontour_cv.vision.drawn_board import MESSAGES, MOST_LOGIT

HIDDEN = 32
"""Width of what the network of strips hands on."""


class LineNet(nn.Module):
    """A strip along a line ``(N, 6, ALONG, ACROSS)`` to ``(N, 1 + HIDDEN)``.

    The first column is the logit of being drawn, the others are what the network of boards goes on with.
    """

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = [*block(6, 20, (5, 3), (1, 2)), *block(20, 32, (5, 3), (2, 2))]
        self.layers = nn.Sequential(*layers, *block(32, 32, (5, 3)), *block(32, 32, (5, 3), (2, 1)))
        long, wide = ALONG // 4, (ACROSS + 3) // 4
        self.most = nn.MaxPool2d((long, wide))
        self.mean = nn.AvgPool2d((long, wide))
        self.parts = nn.AvgPool2d((long // 4, wide))
        self.body = nn.Sequential(nn.Linear(32 * 6, HIDDEN), nn.ReLU())
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(HIDDEN, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """See the class."""
        seen = self.layers(x)
        parts = [self.most(seen), self.mean(seen), self.parts(seen)]
        hidden = self.body(torch.cat([part.flatten(1) for part in parts], dim=1))
        return torch.cat([self.head(self.drop(hidden)), hidden], dim=1)


@dataclass(frozen=True, slots=True, eq=False)
class Knot:
    """``vision.city_lines.Tangle`` as tensors."""

    ends: torch.Tensor
    own: torch.Tensor
    free: torch.Tensor
    hearer: torch.Tensor
    teller: torch.Tensor
    covered: torch.Tensor
    between: torch.Tensor

    @classmethod
    def of(cls, tangle: Tangle) -> Knot:
        """The same, for training."""
        plain = (tangle.ends, tangle.own, tangle.free, *tangle.pairs.T.copy(), tangle.covered, tangle.between)
        return cls(*(torch.from_numpy(part) for part in plain))


class JudgeNet(nn.Module):
    """The network that ``vision.city_lines.LineJudge`` runs."""

    def __init__(self, width: int = 64) -> None:
        super().__init__()
        sizes = {"enter": (3 * HIDDEN + 6 + EXPLAINED + OWN, width)}
        for k in range(ROUNDS):
            sizes |= {f"tell{k}": (2 * width + BETWEEN + 1, width), f"hear{k}": (2 * width + EXPLAINED + 2, width)}
            sizes[f"judge{k}"] = (width, 1)
        self.layers = nn.ModuleDict({name: nn.Linear(*sizes[name]) for name in LAYERS})
        self.drop = nn.Dropout(0.1)
        for k in range(ROUNDS):
            nn.init.zeros_(self.layers[f"judge{k}"].weight)  # type: ignore[arg-type]
            nn.init.zeros_(self.layers[f"judge{k}"].bias)  # type: ignore[arg-type]

    def forward(self, seen: torch.Tensor, knot: Knot) -> torch.Tensor:
        """Corrected logits ``(N,)`` of one board from what the network of strips gave, ``(N, 1 + HIDDEN)``."""
        first, hidden = seen[:, 0], seen[:, 1:]
        own = first.clamp(-MOST_LOGIT, MOST_LOGIT)[:, None] / 4
        x = torch.relu(self.layers["enter"](features_of(first, self.drop(hidden), knot)))
        logits = first
        for k in range(ROUNDS):
            p = torch.sigmoid(logits)
            said = torch.cat([x[knot.teller], x[knot.hearer], knot.between, p[knot.teller, None]], dim=1)
            told = torch.relu(self.layers[f"tell{k}"](said))
            heard = torch.zeros(len(x), told.shape[1]).index_add(0, knot.hearer, told)
            known = torch.cat([x, MESSAGES * heard, explained(p, knot), p[:, None], own], dim=1)
            x = x + torch.relu(self.layers[f"hear{k}"](known))
            logits = logits + self.layers[f"judge{k}"](x)[:, 0]
        return logits


def features_of(first: torch.Tensor, hidden: torch.Tensor, knot: Knot) -> torch.Tensor:
    """``vision.city_lines.lines_features``, differentiable."""
    p, _, company = in_company(first, hidden, knot.ends)
    return torch.cat([*company, everywhere(p, 8), explained(p, knot), knot.own], dim=1)


def explained(p: torch.Tensor, knot: Knot) -> torch.Tensor:
    """``vision.city_lines.explained``, differentiable."""
    said = torch.log1p(-CERTAIN * knot.covered * p[knot.teller, None])
    of_parts = 1 - torch.zeros(len(p), PARTS).index_add(0, knot.hearer, said).exp()
    there = knot.free > 0
    least = torch.where(there, of_parts, 1.0).min(dim=1).values
    spread = torch.where(there, of_parts, 0.0).var(dim=1)
    return torch.stack([(of_parts * knot.free).sum(1), least, of_parts.max(dim=1).values, spread], dim=1)


def write_judge(judge: JudgeNet, path: Path) -> None:
    """Writes the network of boards as ``.npz``, in half precision."""
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, **halved(judge.layers))  # type: ignore[arg-type]
