"""The networks of drawn tours, one for corridors, one that thinks a board over, and how they are written to files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ontour_cv.train.export import write_onnx
from ontour_cv.vision.drawn import MODEL, ends_of
from ontour_cv.vision.drawn_board import BETWEEN, LAYERS, MESSAGES, MOST_LOGIT, MOST_SPREAD, neighbours
from ontour_cv.vision.drawn_lines import FEATURES, PLANES
from ontour_cv.vision.drawn_strips import ACROSS, ALONG, LinkStrips

CONVOLUTIONS = ((32, 5, 2), (48, 3, 2), (64, 3, 1))
"""Channels, size and step of the corridor network's convolutions."""

HIDDEN = 48
"""Width of what the corridor network hands on."""


class LinkNet(nn.Module):
    """Three convolutions and two layers: corridors ``(N, PLANES, ALONG, ACROSS)`` to ``(N, 1 + HIDDEN)``.

    The first column is the logit of being drawn, the others are what the board network goes on with.
    """

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        before = PLANES
        for after, size, step in CONVOLUTIONS:
            layers += [nn.Conv2d(before, after, size, step, size // 2), nn.BatchNorm2d(after), nn.ReLU()]
            before = after
        side = (ALONG // 8) * ((ACROSS + 3) // 4 // 2)
        self.body = nn.Sequential(*layers, nn.MaxPool2d(2), nn.Flatten(), nn.Linear(before * side, HIDDEN), nn.ReLU())
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(HIDDEN, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """See the class."""
        hidden = self.body(x)
        return torch.cat([self.head(self.drop(hidden)), hidden], dim=1)


class BoardNet(nn.Module):
    """The network that ``vision.drawn_board`` runs, and the features it gets."""

    def __init__(self, mean: NDArray[np.float32], spread: NDArray[np.float32], width: int = 64) -> None:
        super().__init__()
        self.register_buffer("mean", torch.from_numpy(mean))
        self.register_buffer("spread", torch.from_numpy(spread))
        sizes = {"enter": (3 * (HIDDEN + FEATURES) + 7, width), "leave": (width, 1)}
        for k in range(2):
            sizes |= {f"tell{k}": (2 * width + BETWEEN, width), f"hear{k}": (2 * width, width)}
        self.layers = nn.ModuleDict({name: nn.Linear(*sizes[name]) for name in LAYERS})
        self.drop = nn.Dropout(0.1)
        nn.init.zeros_(self.layers["leave"].weight)  # type: ignore[arg-type]
        nn.init.zeros_(self.layers["leave"].bias)  # type: ignore[arg-type]

    def forward(self, seen: torch.Tensor, features: torch.Tensor, graph: Graph) -> torch.Tensor:
        """Corrected logits ``(N,)`` of one board from what the corridor network gave, ``(N, 1 + HIDDEN)``."""
        known = ((features - self.mean) / self.spread).clamp(-MOST_SPREAD, MOST_SPREAD)  # type: ignore[operator]
        logits = seen[:, 0]
        x = self._through("enter", self.drop(features_of(torch.cat([seen, known], dim=1), graph.ends)))
        teller, hearer = graph.pairs[:, 0], graph.pairs[:, 1]
        for k in range(2):
            told = self._through(f"tell{k}", torch.cat([x[teller], x[hearer], graph.between], dim=1))
            heard = torch.zeros(len(x), told.shape[1]).index_add(0, hearer, told)
            x = x + self._through(f"hear{k}", torch.cat([x, MESSAGES * heard], dim=1))
        return logits + self.layers["leave"](x)[:, 0]

    def _through(self, name: str, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.layers[name](x))


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """How a board's links hang together: ``vision.drawn_board.neighbours`` as tensors."""

    ends: torch.Tensor
    pairs: torch.Tensor
    between: torch.Tensor

    @classmethod
    def of(cls, strips: LinkStrips) -> Graph:
        """The graph of a board's links."""
        ends = ends_of(strips.links)
        pairs, between = neighbours(ends, strips.steps)
        return cls(torch.from_numpy(ends), torch.from_numpy(pairs), torch.from_numpy(between))


def features_of(seen: torch.Tensor, ends: torch.Tensor) -> torch.Tensor:
    """``vision.drawn_board.board_features``, differentiable."""
    p, others, company = in_company(seen[:, 0], seen[:, 1:], ends)
    return torch.cat([*company, others.square().sum(1, keepdim=True), everywhere(p, 20)], dim=1)


def in_company(
    logits: torch.Tensor, hidden: torch.Tensor, ends: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, list[torch.Tensor]]:
    """``vision.drawn_board.in_company``, differentiable."""
    p = torch.sigmoid(logits)
    bare = 1 - p
    of_drawn = (p[:, None] * hidden).sum(0) / (p.sum() + 0.1)
    of_bare = (bare[:, None] * hidden).sum(0) / (bare.sum() + 0.1)
    degree = torch.zeros(int(ends.max()) + 1).index_add(0, ends.reshape(-1), p.repeat_interleave(2))
    others = degree[ends] - p[:, None]
    clear = logits.clamp(-MOST_LOGIT, MOST_LOGIT)[:, None] / 4
    ranked = others.sort(dim=1, descending=True).values
    company = [hidden, of_drawn.expand_as(hidden), of_bare.expand_as(hidden), clear, p[:, None], ranked]
    return p, others, company


def everywhere(p: torch.Tensor, usual: float) -> torch.Tensor:
    """``vision.drawn_board.everywhere``, differentiable."""
    return torch.stack([p.sum() / usual, (p * (1 - p)).sum()]).expand(len(p), 2)


def halved(layers: nn.ModuleDict) -> dict[str, NDArray[np.float16]]:
    """Weights and biases by the names that ``vision.drawn_board.layers_in`` reads, in half precision."""
    return {
        f"{k}.{name}": value.numpy().astype(np.float16)
        for k, layer in layers.items()
        for name, value in layer.state_dict().items()
    }


def export(net: LinkNet, board_net: BoardNet, folder: Path, member: str = MODEL) -> None:
    """Writes the corridor network as ONNX, opset 18, any batch size, and the board's as .npz; in half precision."""
    write_onnx(net, folder / f"{member}.onnx", (PLANES, ALONG, ACROSS), "corridors", ("seen",))
    weights: dict[str, NDArray[Any]] = {**halved(board_net.layers)}
    weights |= {name: getattr(board_net, name).numpy() for name in ("mean", "spread")}
    np.savez(folder / f"{member}-board.npz", **weights)  # type: ignore[arg-type]


def put_on_card(folder: Path, member: str, facts: dict[str, Any]) -> dict[str, Any]:
    """What the model's card says of a member, written beside what it says of the others; returns the whole card.

    Where a member is new, so are the limits from which on a tour is told (``vision.drawn.Member``): those of the first.
    """
    path = folder / f"{MODEL}.json"
    card: dict[str, Any] = {"members": {}}
    if path.exists():
        card = json.loads(path.read_text(encoding="utf-8"))
    known = card["members"].get(member, {"margin": 1.7, "most_cost": 12.0, "nothing": 1.5})
    card["members"][member] = known | facts
    path.write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    return card
