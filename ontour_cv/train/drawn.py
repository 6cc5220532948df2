"""``python -m ontour_cv.train.drawn``: the networks that tell drawn links from bare ones, from renders to the model.

Boards with drawn tours (``train.drawn_boards``) are cut into corridors by the reader's own cutter. First the corridor
network learns from single corridors, then both networks together from whole boards. Other boards set the temperature.
Everything follows from the seed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from ontour_cv.resources import models_dir
from ontour_cv.train.drawn_boards import TourBoard, Workshop
from ontour_cv.train.drawn_nets import BoardNet, Graph, LinkNet, export, put_on_card
from ontour_cv.train.half import autocast
from ontour_cv.train.temperature import temperature
from ontour_cv.vision.drawn import MODEL, TURNS
from ontour_cv.vision.drawn_lines import PLANES, view_links

COLOURS = 3
"""Where the planes of the colours begin, three of them and three of their contrast: they may change places."""

BARE = 1.6
"""Bare corridors learnt from for each drawn one, while corridors are learnt one by one."""

BATCH = 128

TOGETHER = 4
"""Boards in a step, when whole boards are learnt from."""

VALIDATION_SEED = 1_000_000
"""Added to the seed: boards the temperature is set on."""


FINE = 80
"""Steps to one in which inputs, at most 1.5, are kept, one byte each: thousands of boards fit into memory."""


class Lessons:
    """Boards as tensors: inputs as bytes, labels, graphs."""

    def __init__(self, boards: Iterable[TourBoard]) -> None:
        self.inputs: list[NDArray[np.int8]] = []
        self.features: list[torch.Tensor] = []
        self.drawn: list[NDArray[np.bool_]] = []
        self.graphs: list[Graph] = []
        for board in boards:
            view = view_links(board.strips)
            self.inputs.append(np.rint(view.planes * FINE).astype(np.int8))
            self.features.append(torch.from_numpy(view.features))
            self.drawn.append(board.drawn)
            self.graphs.append(Graph.of(board.strips))

    def planes(self, board: int, rows: Sequence[int] | None = None) -> NDArray[np.float32]:
        """The corridor network's input for a board's links, or for some of them."""
        kept = self.inputs[board] if rows is None else self.inputs[board][rows]
        return np.asarray(kept, dtype=np.float32) / np.float32(FINE)

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
    """Corridors from the other end or the other side, and in other colours."""
    for axis in (2, 3):
        turned = rng.random(len(crops)) < 0.5
        crops[turned] = np.flip(crops[turned], axis)
    order = rng.permutation(3) if rng.random() < 0.5 else np.arange(3)
    crops = crops[:, [0, 1, 2, *(COLOURS + order), *(COLOURS + 3 + order), PLANES - 1]]
    crops[:, COLOURS : COLOURS + 3] *= rng.uniform(0.9, 1.1, (len(crops), 1, 1, 1)).astype(np.float32)
    return torch.from_numpy(crops).contiguous(memory_format=torch.channels_last)


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
            crops = varied(np.concatenate([lessons.planes(b, [r]) for b, r in picked]), rng)
            target = torch.tensor([float(lessons.drawn[b][r]) for b, r in picked])
            with autocast():
                seen = net(crops)[:, 0].float()
            losses.append(_step(functional.binary_cross_entropy_with_logits(seen, target), optimiser, pace))
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
    board_net.train()
    for _ in range(rounds):
        order = rng.permutation(len(lessons.drawn))
        losses = []
        for start in range(0, len(order) - TOGETHER + 1, TOGETHER):
            picked = order[start : start + TOGETHER]
            crops = torch.cat([varied(lessons.planes(k), rng) for k in picked])
            with autocast():
                every = net(crops).float()
            seen = torch.split(every, [len(lessons.drawn[k]) for k in picked])
            parts = zip(seen, picked, strict=True)
            second = torch.cat([board_net(part, lessons.features[k], lessons.graphs[k]) for part, k in parts])
            target = torch.from_numpy(np.concatenate([lessons.drawn[k] for k in picked]).astype(np.float32))
            loss = functional.binary_cross_entropy_with_logits(second, target)
            loss = loss + 0.5 * functional.binary_cross_entropy_with_logits(every[:, 0], target)
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
    board_net.eval()
    with torch.no_grad():
        return [
            board_net(_seen(net, torch.from_numpy(lessons.planes(k))), features, graph).numpy()
            for k, (features, graph) in enumerate(zip(lessons.features, lessons.graphs, strict=True))
        ]


def _seen(net: LinkNet, corridors: torch.Tensor) -> torch.Tensor:
    """What the corridor network sees, turned about as ``vision.drawn`` does."""
    return torch.stack([net(corridors.flip(axes)) for axes in TURNS]).mean(dim=0)


def calibrate(logits: Sequence[NDArray[np.float32]], lessons: Lessons) -> tuple[float, float]:
    """The temperature with the least log-loss on these boards, and the share of links judged wrongly."""
    found = torch.from_numpy(np.concatenate(logits))
    target = torch.from_numpy(np.concatenate(lessons.drawn).astype(np.float32))
    wrong = float(((found > 0) != (target > 0)).float().mean())
    return temperature(found, target), wrong


def finish(net: LinkNet, board_net: BoardNet, given: argparse.Namespace, how: dict[str, str]) -> None:
    """Calibrates the networks on boards they never saw, writes them, and tells the card and the terminal.

    Args:
        net: the corridor network.
        board_net: the board's.
        given: the command's options.
        how: what the card says of how they were made.
    """
    kept = Workshop(given.seed + VALIDATION_SEED, given.free)
    checked = Lessons(kept.boards("photo", given.check, given.keep))
    heat, wrong = calibrate(logits_of(net, board_net, checked), checked)
    given.out.mkdir(parents=True, exist_ok=True)
    export(net, board_net, given.out, given.member)
    card = put_on_card(given.out, given.member, {"temperature": heat, "links_wrong": round(wrong, 5)} | how)
    sys.stdout.write(json.dumps(card, indent=2) + "\n")


def main() -> None:
    """Paint, train, calibrate, write the model and its card."""
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.train.drawn", description=__doc__)
    parser.add_argument("--flat", type=int, default=800, help="boards painted flat")
    parser.add_argument("--photos", type=int, default=3600, help="boards photographed, 2.5 MB each in memory")
    parser.add_argument("--check", type=int, default=300, help="photographed boards the temperature is set on")
    parser.add_argument("--rounds", type=int, nargs=2, default=[14, 7], help="over corridors, over whole boards")
    parser.add_argument("--seed", type=int, default=301, help="of the boards")
    parser.add_argument("--start", type=int, default=1, help="seed of the networks' first weights, and of all order")
    parser.add_argument("--free", type=float, default=0.0, help="share of tours drawn in any manner")
    parser.add_argument("--member", default=MODEL, help="name of the networks, of which several read together")
    parser.add_argument("--keep", type=Path, help="folder to keep the boards in: a second run paints none again")
    parser.add_argument("--out", type=Path, default=models_dir())
    given = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    shop = Workshop(given.seed, given.free)
    series = (("photo", given.photos), ("flat", given.flat))
    lessons = Lessons(board for name, count in series for board in shop.boards(name, count, given.keep))
    torch.manual_seed(given.start)
    rng = np.random.default_rng(given.start)
    known = torch.cat(lessons.features).numpy()
    net, board_net = LinkNet(), BoardNet(known.mean(axis=0), known.std(axis=0) + 1e-3)
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    learn_corridors(net, lessons, given.rounds[0], 4e-3, rng)
    learn_boards(net, board_net, lessons, given.rounds[1], 1.5e-3, rng)
    made = (
        f"python -m ontour_cv.train.drawn --flat {given.flat} --photos {given.photos} --check {given.check} "
        f"--rounds {given.rounds[0]} {given.rounds[1]} --seed {given.seed} --start {given.start} --free {given.free} "
        f"--member {given.member}"
    )
    finish(net, board_net, given, {"made_with": made})


if __name__ == "__main__":
    main()
