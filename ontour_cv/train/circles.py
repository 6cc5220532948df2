"""Trains the network that tells drawn circles from printed rings: ``python -m ontour_cv.train.circles --sets DIR``.

``DIR`` holds whole boards as reading cuts them (``train.painter --boards 4000 --as-read usa europe-home``), and
``boards-valid-*.npz`` of writers never trained on, for the weights with which it is heard beside the mark networks.
An hour and a quarter on one core. A ring has no beginning: every cell is turned about by chance and mirrored now and
then, so one board is many; and one in eight lies under a reflection.

``--part circles-pens`` trains the second network, for boards whose circles are drawn with another pen, and ``--part
circles-far`` the third, for circles far round the discs; half of those they learn from should be such (``train.painter
--rings 0.5``).
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from ontour_cv.resources import models_dir
from ontour_cv.train.context import ContextNet, save_contexts
from ontour_cv.train.export import CAUTION, LEAST_CIRCLE_LAPSE, write_onnx
from ontour_cv.train.fit import moved, pace, relit
from ontour_cv.train.half import autocast
from ontour_cv.train.sets import AROUND, IMAGES, Sets, load_sets
from ontour_cv.vision.cells import CellCrops
from ontour_cv.vision.circles import AGAIN, ANGLES, CHANNELS, CLOSE, FAR, MODEL, VIEWS, View, unrolled, wrapped
from ontour_cv.vision.glyphs import MarkReader

WIDTHS, FAR_WIDTHS = (24, 32, 48, 48), (16, 24, 32, 32)
"""Channels of the convolutions; the network for circles far round the discs needs fewer."""

FEATURES, WIDTH = 64, 48
"""What is handed on of every cell, and the width of the network that looks at all of them."""

BOARDS = 8
"""In a batch."""

VEILED = 0.12
"""Share of cells learnt from under a reflection besides those the camera gave one. What rings were still missed on hard
boards of validation writers, read with their log, was under one."""

KEEP = 0.998
"""How much of the running mean of the weights each step keeps, at most; the mean is what is saved."""


class CircleNet(nn.Module):
    """Unrolled cells to what they look like, each by itself, and then on their board."""

    def __init__(self, part: str = MODEL) -> None:
        super().__init__()
        self.view = view = VIEWS[part]
        a, b, c, d = FAR_WIDTHS if part == FAR else WIDTHS
        self.body = nn.Sequential(
            *_conv(CHANNELS, a, (3, 5), (1, 2)), *_conv(a, b, (3, 3), (2, 2)), *_conv(b, c, (3, 3), (2, 2)),
            *_conv(c, d, (3, 3), (1, 1)),
        )  # fmt: skip
        self.join = nn.Sequential(nn.Dropout(0.2), nn.Linear(2 * d * view.depth // 4, FEATURES), nn.ReLU())
        self.head = nn.Linear(FEATURES, 1)
        self.context = ContextNet(1, FEATURES, WIDTH, depth=1, answers=1)

    def alone(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Cells ``(N, CHANNELS, depth, ANGLES + 2 * AGAIN)`` to features ``(N, FEATURES)`` and logits ``(N, 1)``."""
        seen = self.body(x)
        hidden = self.join(torch.cat([seen.mean(3), seen.amax(3)], dim=1).flatten(1))
        return hidden, self.head(hidden)

    def forward(self, x: torch.Tensor, cells: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Boards of so many cells, one after the other, to logits ``(N,)`` by themselves and on their board."""
        hidden, logits = self.alone(x)
        boards = len(x) // cells
        told = self.context(hidden.view(boards, cells, 1, -1), logits.view(boards, cells, 1, 1))
        return logits[:, 0], told.flatten()


class Outputs(nn.Module):
    """What is exported: features and logits of every cell by itself."""

    def __init__(self, net: CircleNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Features and logits."""
        return self.net.alone(x)


def _conv(before: int, after: int, size: tuple[int, int], step: tuple[int, int]) -> list[nn.Module]:
    pad = (size[0] // 2, size[1] // 2)
    return [nn.Conv2d(before, after, size, step, pad, bias=False), nn.BatchNorm2d(after), nn.ReLU()]


def main(words: Sequence[str] | None = None) -> None:
    """Train, calibrate and write the network."""
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.train.circles", description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=Path, nargs="+", required=True, help="folders of whole boards, equally often")
    parser.add_argument("--steps", type=int, default=12000, help=f"batches of {BOARDS} boards")
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="checkpoint to weigh and write, or with --steps to go on from")
    parser.add_argument("--checkpoint", type=Path, help="where the state dict goes, at every report")
    parser.add_argument("--model", type=Path, default=models_dir(), help="folder of the mark networks, and of this one")
    parser.add_argument("--part", choices=VIEWS, default=MODEL, help="which of the networks")
    parser.add_argument("--how", help="a sentence on how it was trained, for the card")
    args = parser.parse_args(words)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    paths = [path for folder in args.sets for path in sorted(folder.glob("boards-valid-*.npz"))]
    if not paths:
        parser.error("no boards-valid-*.npz: make them with train.painter --boards 400 --split valid --as-read usa")
    crops = AROUND if args.part == FAR else IMAGES
    held = load_sets(paths, crops)
    net = CircleNet(args.part)
    if args.start:
        net.load_state_dict(torch.load(args.start, weights_only=True))
    if args.steps:
        net = fit(net, Sets(args.sets, crops), args.steps, args.lr, args.seed, held, checkpoint=args.checkpoint)
    elif args.checkpoint:
        torch.save(net.state_dict(), args.checkpoint)
    usual = f"python -m ontour_cv.train.circles --steps {args.steps} --seed {args.seed} --part {args.part}"
    write(net.eval(), held, args.model, args.how or usual, args.part, load_sets(paths)[0])


def fit(
    net: CircleNet, pool: Sets, steps: int, rate: float, seed: int,
    held: tuple[NDArray[np.uint8], NDArray[np.int8]], report: int = 500, checkpoint: Path | None = None,
) -> CircleNet:  # fmt: skip
    """The network after so many batches: the running mean of its weights; told of, and kept, at every report."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    pool.boards = BOARDS
    mean = copy.deepcopy(net)
    optimiser = torch.optim.AdamW(net.train().parameters(), lr=rate, weight_decay=0.05)
    start, recent = time.perf_counter(), []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = rate * pace(step, steps, 200)
        images, labels = pool.batch(rng)
        x = torch.from_numpy(
            np.concatenate([varied(b, rng, net.view) for b in np.split(images, len(images) // pool.group)])
        )
        wanted = torch.from_numpy(labels[:, 3].astype(np.float32))
        with autocast():
            both = net(x, pool.group)
        loss = torch.stack([log_loss(logits.float(), wanted) for logits in both]).sum()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        _average(mean, net, min(KEEP, (1 + step) / (10 + step)))
        recent.append(loss.item() / 2)
        if report and (step % report == report - 1 or step == steps - 1):
            logits = answers(mean, held[0])
            target = torch.from_numpy(held[1][..., 3].astype(np.float32))
            told = f"loss {np.mean(recent[-report:]):.4f}, held out {log_loss(logits, target):.5f}"
            told += f", {wrong_in(logits, target)} wrong"
            sys.stderr.write(f"{step + 1} {time.perf_counter() - start:.0f}s {told}\n")
            if checkpoint:
                torch.save(mean.state_dict(), checkpoint)
    return mean


def _average(mean: CircleNet, net: CircleNet, keep: float) -> None:
    with torch.no_grad():
        for old, new in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
            if old.is_floating_point():
                old.lerp_(new, 1 - keep)


def varied(cells: NDArray[np.uint8], rng: np.random.Generator, view: View = CLOSE) -> NDArray[np.float32]:
    """A board's cells seen a little differently and unrolled from anywhere, ready for the network."""
    planes = unrolled(np.stack([veiled(moved(cell, rng), rng) for cell in relit(cells, rng)]), view)
    planes = np.stack([np.roll(plane, int(rng.integers(ANGLES)), axis=-1) for plane in planes])
    return wrapped(planes[..., ::-1] if rng.random() < 0.5 else planes)


def veiled(cell: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The share ``VEILED`` of cells under a reflection, brightest in it or beside it, the others as they are."""
    if rng.random() >= VEILED:
        return cell
    side = cell.shape[0]
    y, x = np.mgrid[:side, :side] / side
    across, down = rng.uniform(-0.3, 1.3, 2)
    slant = rng.uniform(0, np.pi)
    along = (x - across) * np.cos(slant) + (y - down) * np.sin(slant)
    aside = (y - down) * np.cos(slant) - (x - across) * np.sin(slant)
    wide, narrow = rng.uniform(0.4, 1.5), rng.uniform(0.25, 1.0)
    light = (rng.uniform(0.4, 1.1) * np.exp(-((along / wide) ** 2 + (aside / narrow) ** 2) / 2))[..., None]
    left = np.maximum(1.0 - light, 0.03) if rng.random() < 0.5 else 1.0
    lit = cell * left + 255.0 * light * rng.uniform(0.9, 1.05, 3)
    return np.asarray(np.clip(lit, 0, 255), dtype=np.uint8)


def log_loss(logits: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """Mean over the cells that are known (not -1)."""
    known = wanted >= 0
    return functional.binary_cross_entropy_with_logits(logits[known], wanted[known])


def wrong_in(logits: torch.Tensor, wanted: torch.Tensor) -> int:
    """How many of the cells that are known are taken for the other."""
    return int((((logits > 0) != (wanted > 0.5)) & (wanted >= 0)).sum())


def answers(net: CircleNet, boards: NDArray[np.uint8]) -> torch.Tensor:
    """Logits of boards ``(B, N, px, px, 3)``, ``(B, N)``."""
    net.eval()
    with torch.no_grad():
        seen = (torch.from_numpy(wrapped(unrolled(cells, net.view))) for cells in boards)
        return torch.stack([net(planes, boards.shape[1])[1] for planes in seen])


def write(
    net: CircleNet, held: tuple[NDArray[np.uint8], NDArray[np.int8]], folder: Path, how: str, part: str = MODEL,
    cells: NDArray[np.uint8] | None = None,
) -> None:  # fmt: skip
    """Writes one of the networks, ``circles.onnx`` and ``circles-context.npz`` say, and its entry in their card.

    It is weighed beside the mark networks in the folder, which see ``cells``, those of ``held`` where None.
    """
    own = answers(net, held[0]).double().flatten()
    reader = MarkReader(folder, circles=False)
    told = [told_by_marks(reader, each) for each in (held[0] if cells is None else cells)]
    target = torch.from_numpy(held[1][..., 3].astype(np.float64)).flatten()
    both = torch.stack([torch.from_numpy(np.concatenate(told)), own])
    weights = weighed(both, target)
    shape = (CHANNELS, net.view.depth, ANGLES + 2 * AGAIN)
    write_onnx(Outputs(net), folder / f"{part}.onnx", shape, "cells", ("hidden", "logits"))
    save_contexts([net.context], folder / f"{part}-context.npz")
    entry: dict[str, Any] = {
        "marks": round(weights[0], 4),
        "own": round(weights[1], 4),
        "temperature": CAUTION,
        "held_out": held_out(both, weights, target),
        "trained": how,
    }
    path = folder / f"{MODEL}.json"
    card: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"name": MODEL}
    card |= {"lapse": LEAST_CIRCLE_LAPSE, part: entry}
    files = [folder / f"{name}{end}" for name in VIEWS for end in (".onnx", "-context.npz")]
    card["sha256"] = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in files if p.exists()}
    text = json.dumps(card, indent=1) + "\n"
    path.write_text(text, encoding="utf-8")
    sys.stdout.write(text)


def held_out(odds: torch.Tensor, weights: tuple[float, float], target: torch.Tensor) -> dict[str, object]:
    """How well circles are told by mark networks, by a network of circles and by both, ``(2, N)`` log-odds."""
    opinions = {"marks": odds[0], "own": odds[1], "both": weights[0] * odds[0] + weights[1] * odds[1]}
    return {
        name: {"log_loss": round(float(log_loss(logits, target)), 5), "wrong": wrong_in(logits, target)}
        for name, logits in opinions.items()
    } | {"cells": int((target >= 0).sum())}


def told_by_marks(reader: MarkReader, cells: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Log-odds of circles on a board as the mark networks have them, ``(N,)``."""
    crops = CellCrops(tuple(str(k) for k in range(len(cells))), cells, np.ones(len(cells)))
    circled = reader.read(crops).circled
    return np.asarray(circled[:, 1] - circled[:, 0])


def weighed(odds: torch.Tensor, target: torch.Tensor) -> tuple[float, float]:
    """How much each of two log-odds ``(2, N)`` counts: logistic regression without a constant."""
    weights = torch.full((2,), 0.5, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=100)

    def cost() -> torch.Tensor:
        optimiser.zero_grad()
        loss = log_loss((weights[:, None] * odds).sum(0), target)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    optimiser.step(cost)  # type: ignore[no-untyped-call]
    first, second = weights.tolist()
    return first, second


if __name__ == "__main__":
    main()
