"""``python -m ontour_cv.train.drawn``: the networks that tell drawn links from bare ones, from renders to the model.

Boards with drawn tours (``train.drawn_boards``) are cut into corridors by the reader's own cutter. First the corridor
network learns from single corridors, then both networks together from whole boards. Other boards set the temperature.
Everything follows from the seed.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from ontour_cv.resources import models_dir
from ontour_cv.train.drawn_boards import TourBoard, Workshop
from ontour_cv.train.export import halve
from ontour_cv.vision.drawn import MODEL, ends_of
from ontour_cv.vision.drawn_board import MOST_LOGIT, MOST_SPREAD
from ontour_cv.vision.drawn_lines import FEATURES, PLANES, view_links
from ontour_cv.vision.drawn_strips import ACROSS, ALONG

HIDDEN = 32
"""Width of what the corridor network hands on."""

BARE = 1.6
"""Bare corridors learnt from for each drawn one, while corridors are learnt one by one."""

BATCH = 128

TOGETHER = 4
"""Boards in a step, when whole boards are learnt from."""

VALIDATION_SEED = 1_000_000
"""Added to the seed: boards the temperature is set on."""


class LinkNet(nn.Module):
    """Three convolutions and two layers: corridors ``(N, PLANES, ALONG, ACROSS)`` to ``(N, 1 + HIDDEN)``.

    The first column is the logit of being drawn, the others are what the board network goes on with.
    """

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        before = PLANES
        for after, size, step in ((12, 5, 2), (24, 3, 2), (28, 3, 1)):
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
    """The perceptron that ``vision.drawn_board`` runs, and the features it gets."""

    def __init__(self, mean: NDArray[np.float32], spread: NDArray[np.float32], width: int = 56) -> None:
        super().__init__()
        self.register_buffer("mean", torch.from_numpy(mean))
        self.register_buffer("spread", torch.from_numpy(spread))
        sizes = (3 * (HIDDEN + FEATURES) + 7, width, width, 1)
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
        nn.init.zeros_(self.layers[-1].weight)  # type: ignore[arg-type]
        nn.init.zeros_(self.layers[-1].bias)  # type: ignore[arg-type]

    def forward(self, seen: torch.Tensor, features: torch.Tensor, ends: torch.Tensor) -> torch.Tensor:
        """Corrected logits ``(N,)`` of one board from what the corridor network gave, ``(N, 1 + HIDDEN)``."""
        known = ((features - self.mean) / self.spread).clamp(-MOST_SPREAD, MOST_SPREAD)  # type: ignore[operator]
        logits, x = seen[:, 0], features_of(torch.cat([seen, known], dim=1), ends)
        for k, layer in enumerate(self.layers):
            x = layer(x)
            if k + 1 < len(self.layers):
                x = torch.relu(x)
        return logits + x[:, 0]


def features_of(seen: torch.Tensor, ends: torch.Tensor) -> torch.Tensor:
    """``vision.drawn_board.board_features``, differentiable."""
    logits, hidden = seen[:, 0], seen[:, 1:]
    p = torch.sigmoid(logits)
    bare = 1 - p
    of_drawn = (p[:, None] * hidden).sum(0) / (p.sum() + 0.1)
    of_bare = (bare[:, None] * hidden).sum(0) / (bare.sum() + 0.1)
    degree = torch.zeros(int(ends.max()) + 1).index_add(0, ends.reshape(-1), p.repeat_interleave(2))
    others = degree[ends] - p[:, None]
    everywhere = torch.stack([p.sum() / 20, (p * bare).sum()]).expand(len(p), 2)
    clear = logits.clamp(-MOST_LOGIT, MOST_LOGIT)[:, None] / 4
    ranked = others.sort(dim=1, descending=True).values
    return torch.cat(
        [hidden, of_drawn.expand_as(hidden), of_bare.expand_as(hidden), clear, p[:, None], ranked,
         others.square().sum(1, keepdim=True), everywhere],
        dim=1,
    )  # fmt: skip


class Lessons:
    """Boards as tensors: inputs in half precision, labels, ends."""

    def __init__(self, boards: Sequence[TourBoard]) -> None:
        views = [view_links(board.strips) for board in boards]
        self.inputs = [view.planes.astype(np.float16) for view in views]
        self.features = [torch.from_numpy(view.features) for view in views]
        self.drawn = [board.drawn for board in boards]
        self.ends = [torch.from_numpy(ends_of(board.strips.links)) for board in boards]

    def corridors(self, rng: np.random.Generator) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Board and row of the corridors of one round, in any order: all drawn ones, and some bare ones afresh."""
        chosen = []
        for k, drawn in enumerate(self.drawn):
            bare = np.flatnonzero(~drawn)
            some = rng.choice(bare, min(len(bare), max(8, round(BARE * drawn.sum()))), replace=False)
            rows = np.concatenate([np.flatnonzero(drawn), some])
            chosen.append(np.column_stack([np.full(len(rows), k), rows]))
        both = rng.permutation(np.concatenate(chosen))
        return both[:, 0], both[:, 1]


def varied(crops: NDArray[np.float32], rng: np.random.Generator) -> torch.Tensor:
    """Corridors from the other end or the other side."""
    if rng.random() < 0.5:
        crops = crops[:, :, ::-1]
    if rng.random() < 0.5:
        crops = crops[:, :, :, ::-1]
    return torch.from_numpy(np.ascontiguousarray(crops))


def learn_corridors(net: LinkNet, lessons: Lessons, rounds: int, rate: float, rng: np.random.Generator) -> None:
    """The corridor network alone, from corridors of all boards in any order."""
    steps = rounds * (len(lessons.corridors(np.random.default_rng(0))[0]) // BATCH)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=max(steps, 1))
    net.train()
    for _ in range(rounds):
        boards, rows = lessons.corridors(rng)
        losses = []
        for start in range(0, len(rows) - BATCH + 1, BATCH):
            if pace.last_epoch >= steps:
                break
            picked = list(zip(boards[start : start + BATCH], rows[start : start + BATCH], strict=True))
            crops = varied(np.stack([lessons.inputs[b][r] for b, r in picked]).astype(np.float32), rng)
            target = torch.tensor([float(lessons.drawn[b][r]) for b, r in picked])
            losses.append(_step(functional.binary_cross_entropy_with_logits(net(crops)[:, 0], target), optimiser, pace))
        sys.stderr.write(f"corridors: loss {np.mean(losses):.4f}\n")


def learn_boards(
    net: LinkNet, board_net: BoardNet, lessons: Lessons, rounds: int, rate: float, rng: np.random.Generator
) -> None:
    """Both networks together, from whole boards."""
    parameters = [*net.parameters(), *board_net.parameters()]
    steps = rounds * (len(lessons.drawn) // TOGETHER)
    optimiser = torch.optim.AdamW(parameters, lr=rate, weight_decay=1e-3)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=max(steps, 1))
    net.train()
    for _ in range(rounds):
        order = rng.permutation(len(lessons.drawn))
        losses = []
        for start in range(0, len(order) - TOGETHER + 1, TOGETHER):
            picked = order[start : start + TOGETHER]
            crops = torch.cat([varied(lessons.inputs[k].astype(np.float32), rng) for k in picked])
            seen = torch.split(net(crops), [len(lessons.drawn[k]) for k in picked])
            parts = zip(seen, picked, strict=True)
            second = torch.cat([board_net(part, lessons.features[k], lessons.ends[k]) for part, k in parts])
            target = torch.from_numpy(np.concatenate([lessons.drawn[k] for k in picked]).astype(np.float32))
            first = torch.cat([part[:, 0] for part in seen])
            loss = functional.binary_cross_entropy_with_logits(second, target)
            loss = loss + 0.5 * functional.binary_cross_entropy_with_logits(first, target)
            losses.append(_step(loss, optimiser, pace))
        sys.stderr.write(f"boards: loss {np.mean(losses):.4f}\n")


def _step(loss: torch.Tensor, optimiser: torch.optim.Optimizer, pace: torch.optim.lr_scheduler.LRScheduler) -> float:
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    optimiser.step()
    pace.step()
    return float(loss.detach())


def logits_of(net: LinkNet, board_net: BoardNet, lessons: Lessons) -> list[NDArray[np.float32]]:
    """What both networks think of each link, board by board."""
    net.eval()
    with torch.no_grad():
        return [
            board_net(net(torch.from_numpy(inputs.astype(np.float32))), features, ends).numpy()
            for inputs, features, ends in zip(lessons.inputs, lessons.features, lessons.ends, strict=True)
        ]


def calibrate(logits: Sequence[NDArray[np.float32]], lessons: Lessons) -> tuple[float, float]:
    """The temperature with the least log-loss on these boards, and the share of links judged wrongly."""
    found = torch.from_numpy(np.concatenate(logits))
    target = torch.from_numpy(np.concatenate(lessons.drawn).astype(np.float32))
    heats = np.exp(np.linspace(np.log(0.4), np.log(4.0), 60))
    losses = [float(functional.binary_cross_entropy_with_logits(found / heat, target)) for heat in heats]
    wrong = float(((found > 0) != (target > 0)).float().mean())
    return round(float(heats[int(np.argmin(losses))]), 3), wrong


def export(net: LinkNet, board_net: BoardNet, folder: Path) -> None:
    """Writes the corridor network as ONNX, opset 18, any batch size, and the board's as .npz; in half precision."""
    import onnx

    path = folder / f"{MODEL}.onnx"
    sample = torch.zeros(2, PLANES, ALONG, ACROSS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the older exporter's graph is what cv2.dnn reads best
        torch.onnx.export(
            net.eval(), (sample,), str(path), input_names=["corridors"], output_names=["seen"], opset_version=18,
            dynamic_axes={name: {0: "links"} for name in ("corridors", "seen")}, dynamo=False,
        )  # fmt: skip
    model = onnx.load(path)
    halve(model.graph)
    onnx.save(model, path)
    weights = {
        f"{k}.{name}": value.numpy().astype(np.float16)
        for k, layer in enumerate(board_net.layers)
        for name, value in layer.state_dict().items()
    }
    weights |= {name: getattr(board_net, name).numpy() for name in ("mean", "spread")}
    np.savez(folder / f"{MODEL}-board.npz", **weights)


def main() -> None:
    """Paint, train, calibrate, write the model and its card."""
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.train.drawn", description=__doc__)
    parser.add_argument("--flat", type=int, default=900, help="boards painted flat")
    parser.add_argument("--photos", type=int, default=240, help="boards photographed")
    parser.add_argument("--check", type=int, default=30, help="photographed boards the temperature is set on")
    parser.add_argument("--rounds", type=int, nargs=2, default=[30, 8], help="over corridors, over whole boards")
    parser.add_argument("--seed", type=int, default=201)
    parser.add_argument("--margin", type=float, default=3.0, help="log-odds the runner-up must lie behind")
    parser.add_argument("--most-cost", type=float, default=3.0, help="log-odds that may be otherwise than they look")
    parser.add_argument("--keep", type=Path, help="folder to keep the boards in: a second run paints none again")
    parser.add_argument("--out", type=Path, default=models_dir())
    given = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    shop = Workshop(given.seed)
    series = (("flat", given.flat), ("photo", given.photos))
    lessons = Lessons([board for name, count in series for board in shop.boards(name, count, given.keep)])
    torch.manual_seed(given.seed)
    rng = np.random.default_rng(given.seed)
    known = torch.cat(lessons.features).numpy()
    net, board_net = LinkNet(), BoardNet(known.mean(axis=0), known.std(axis=0) + 1e-3)
    learn_corridors(net, lessons, given.rounds[0], 4e-3, rng)
    learn_boards(net, board_net, lessons, given.rounds[1], 1.5e-3, rng)
    kept = Workshop(given.seed + VALIDATION_SEED)
    checked = Lessons(list(kept.boards("photo", given.check, given.keep)))
    temperature, wrong = calibrate(logits_of(net, board_net, checked), checked)
    given.out.mkdir(parents=True, exist_ok=True)
    export(net, board_net, given.out)
    card = {
        "temperature": temperature,
        "margin": given.margin,
        "most_cost": given.most_cost,
        "links_wrong": round(wrong, 5),
        "made_with": f"python -m ontour_cv.train.drawn --flat {given.flat} --photos {given.photos} "
        f"--check {given.check} --rounds {given.rounds[0]} {given.rounds[1]} --seed {given.seed} "
        f"--margin {given.margin} --most-cost {given.most_cost}",
    }
    (given.out / f"{MODEL}.json").write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    sys.stdout.write(json.dumps(card, indent=2) + "\n")


if __name__ == "__main__":
    main()
