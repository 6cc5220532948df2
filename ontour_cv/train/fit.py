"""Trains a mark network and its context network on shards while they are being painted; with checkpoints and a log.

The schedule decides which shards a step may draw from, not the clock, so a run is repeatable: step ``s`` uses the
first ``1 + s // steps_per_shard`` shards and waits for the last of them to be there.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ontour_cv.train.context import ContextNet
from ontour_cv.train.half import autocast
from ontour_cv.train.network import MarkNet, losses, split_heads
from ontour_cv.train.sets import Sets
from ontour_cv.train.shards import GROUP
from ontour_cv.train.soup import between
from ontour_cv.train.tensors import standardised

BOARDS = 5
"""Boards in a batch; ``GROUP`` cells of each."""


class Reader(nn.Module):
    """A member: each cell by itself, then all cells of a board together."""

    def __init__(self) -> None:
        super().__init__()
        self.marks = MarkNet()
        self.context = ContextNet()

    def forward(self, x: torch.Tensor, group: int = GROUP) -> tuple[torch.Tensor, torch.Tensor]:
        """Crops ``(B * group, 3, 64, 64)``, board by board, to logits ``(B * group, 26)`` alone and together."""
        hidden = self.marks.join(self.marks.body(x))
        alone = self.marks.head(hidden)
        boards = len(x) // group
        together = self.context(hidden.view(boards, group, 1, -1), alone.view(boards, group, 1, -1))
        return alone, together.flatten(0, 1)


class Pool:
    """Shards as they come, left on disk: the system keeps in memory what there is room for, once for all runs."""

    group = GROUP
    """Cells of one board."""

    def __init__(self, folder: Path, pattern: str, count: int) -> None:
        self.paths = [folder / pattern.format(k) for k in range(count)]
        self.images: list[NDArray[np.uint8]] = []
        self.labels: list[NDArray[np.int8]] = []

    def grow(self, count: int) -> None:
        """Loads shards until ``count`` are there, waiting for those still being painted."""
        while len(self.images) < min(count, len(self.paths)):
            path = self.paths[len(self.images)]
            while not path.exists():
                time.sleep(0.5)
            self.images.append(np.load(path, mmap_mode="r"))
            self.labels.append(np.load(path.with_suffix(".labels.npy")))

    def batch(
        self, rng: np.random.Generator, boards: int = BOARDS, fresh: float = 0.35
    ) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """All cells of some boards, a share of ``fresh`` of them from the newest shard while there are more to come."""
        newest = len(self.images) - 1
        fresh = fresh if len(self.images) < len(self.paths) else 0.0
        which = np.where(rng.random(boards) < fresh, newest, rng.integers(0, newest + 1, boards))
        starts = [int(rng.integers(len(self.images[w]) // GROUP)) * GROUP for w in which]
        images = np.concatenate([self.images[w][s : s + GROUP] for w, s in zip(which, starts, strict=True)])
        labels = np.concatenate([self.labels[w][s : s + GROUP] for w, s in zip(which, starts, strict=True)])
        return images, labels


def varied(images: NDArray[np.uint8], rng: np.random.Generator, group: int = GROUP) -> NDArray[np.uint8]:
    """The same boards seen a little differently: ``(B * group, 64, 64, 3)`` to the same shape.

    Light, ink and focus change for a board as a whole, since its cells are read in the light of one another; each
    cell by itself is moved and turned, and now and then partly hidden.
    """
    out = np.empty_like(images)
    for start in range(0, len(images), group):
        board = relit(images[start : start + group], rng)
        out[start : start + group] = [_hidden(moved(cell, rng), rng) for cell in board]
    return out


def relit(cells: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Colours changed about, darker or paler tones, softer focus, grain: each now and then."""
    chance = rng.random(4)
    if chance[0] < 0.12:
        cells = cells[..., rng.permutation(3)]
    elif chance[0] < 0.16:
        cells = np.repeat(cells.mean(axis=3, keepdims=True).astype(np.uint8), 3, axis=3)
    if chance[1] < 0.3:
        tones = 255 * (np.arange(256) / 255) ** np.exp(rng.normal(0, 0.3))
        cells = tones.astype(np.uint8)[cells]
    if chance[2] < 0.1:
        width = rng.uniform(0.4, 1.1)
        cells = np.stack([cv2.GaussianBlur(cell, (0, 0), width) for cell in cells]).astype(np.uint8)
    if chance[3] < 0.15:
        grain = rng.normal(0, rng.uniform(2, 10), cells.shape)
        cells = np.clip(cells + grain, 0, 255).astype(np.uint8)
    return cells


def moved(cell: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Half of them by whole pixels, which keeps them sharp; the others turned, sheared and zoomed a little as well."""
    side = cell.shape[0]
    if rng.random() < 0.5:
        return np.roll(cell, rng.integers(-2, 3, 2), (0, 1))
    turn, middle = rng.normal(0, np.radians(3.5)), (side - 1) / 2
    linear = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) + rng.normal(0, 0.03, (2, 2))
    shift = middle - linear @ np.array([middle, middle]) + rng.uniform(-2, 2, 2)
    matrix = np.column_stack([linear, shift])
    out = cv2.warpAffine(cell, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(out, dtype=np.uint8)


def _hidden(cell: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    if rng.random() < 0.04:
        cell = cell.copy()
        x, y, w, h = *rng.integers(0, 50, 2), *rng.integers(6, 22, 2)
        cell[y : y + h, x : x + w] = rng.integers(0, 256, 3)
    return cell


def evaluate(
    net: nn.Module, images: NDArray[np.uint8], labels: NDArray[np.int8], group: int = GROUP
) -> dict[str, float]:
    """Share of wrong answers per head and of wrong numbers, and the log-loss, together; numbers also alone."""
    net.eval()
    device = next(net.parameters()).device
    with torch.no_grad():
        seen = (torch.from_numpy(images[k : k + 16 * group]).to(device) for k in range(0, len(images), 16 * group))
        parts = [net(standardised(crops), group) for crops in seen]
    alone, together = (torch.cat([part[k] for part in parts]).float().cpu() for k in range(2))
    target = torch.from_numpy(labels.astype(np.int64))
    number = target[:, 0] == 1
    out = {"loss": sum(v.item() for v in losses(together, target).values())}
    for name, logits in (("number alone", alone), ("number", together)):
        best = {head: part.argmax(1) for head, part in split_heads(logits).items()}
        out[name] = ((best["tens"] != target[:, 1]) | (best["ones"] != target[:, 2]))[number].float().mean().item()
    for column, head in ((0, "kind"), (3, "circled")):
        known = target[:, column] >= 0
        out[head] = (split_heads(together)[head].argmax(1) != target[:, column])[known].float().mean().item()
    net.train()
    return out


def pace(step: int, steps: int, warm: int) -> float:
    """The share of the highest learning rate at a step: up over ``warm`` steps, and down to a hundredth by a cosine."""
    return min(1.0, (step + 1) / warm) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * step / steps)))


class Batches(torch.utils.data.Dataset[tuple[torch.Tensor, torch.Tensor]]):
    """The batches of a run by their step: each depends on the seed and its step alone, whoever makes it."""

    def __init__(self, pool: Pool | Sets, args: argparse.Namespace) -> None:
        self.pool, self.seed, self.steps, self.ready = pool, args.seed, args.steps, args.ready
        self.per_shard = max(1, int(args.steps * 0.85) // args.count)

    def __len__(self) -> int:
        """Steps of the run."""
        return int(self.steps)

    def __getitem__(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Crops ``(B * group, 64, 64, 3)`` uint8, seen a little differently, and labels ``(B * group, 4)`` int64."""
        rng = np.random.default_rng((self.seed, step))
        self.pool.grow(self.ready + step // self.per_shard)
        images, labels = self.pool.batch(rng)
        return torch.from_numpy(varied(images, rng, self.pool.group)), torch.from_numpy(labels.astype(np.int64))


def fit(args: argparse.Namespace) -> None:
    """The whole run; see ``--help``."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    net = Reader().to(args.device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    average = torch.optim.swa_utils.get_ema_multi_avg_fn(0.999)  # type: ignore[no-untyped-call]
    mean = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=average, use_buffers=True)
    shipped = Reader().to(args.device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    state = torch.load(args.start, weights_only=True, map_location=args.device) if args.start else net.state_dict()
    if args.start:
        net.load_state_dict(state)
        mean.module.load_state_dict(state)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=0.05)
    pool: Pool | Sets
    if args.sets:
        pool = Sets(args.sets, boards=args.boards)
        valid = pool.held_out()
    else:
        pool = Pool(args.shards, "train-{:04d}.npy", args.count)
        valid = np.load(args.shards / "valid-0000.npy"), np.load(args.shards / "valid-0000.labels.npy")
    start = time.perf_counter()
    batches = torch.utils.data.DataLoader(Batches(pool, args), batch_size=None, num_workers=args.workers)
    for step, (images, target) in enumerate(batches):
        rate = args.lr * pace(step, args.steps, 500)
        for group in optimiser.param_groups:
            group["lr"] = rate
        learn(net, optimiser, images.to(args.device), target.to(args.device), pool.group)
        mean.update_parameters(net)
        if step % 500 == 499 or step == args.steps - 1:
            shipped.load_state_dict(between(mean.module.state_dict(), state, args.stay))
            report = {k: round(v, 5) for k, v in evaluate(shipped, *valid, pool.group).items()}
            seconds = time.perf_counter() - start
            print(step + 1, f"{seconds:.0f}s lr {rate:.5f} files {len(pool.images)}", report, flush=True)  # noqa: T201
            torch.save({name: part.cpu() for name, part in shipped.state_dict().items()}, args.out)


def learn(
    net: Reader, optimiser: torch.optim.Optimizer, images: torch.Tensor, target: torch.Tensor, group: int
) -> None:
    """One step: crops ``(B * group, 64, 64, 3)`` uint8 and labels ``(B * group, 4)``, on the network's device."""
    with autocast(images.device):
        both = net(standardised(images), group)
    parts = [loss for logits in both for loss in losses(logits.float(), target).values()]
    optimiser.zero_grad(set_to_none=True)
    torch.stack(parts).sum().backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
    optimiser.step()


def options(words: list[str] | None = None) -> argparse.Namespace:
    """The settings of a run from command-line words; those of this process when None."""
    parser = argparse.ArgumentParser(description="Train the mark network on shards of cells.")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--shards", type=Path, help="folder of shards of cells")
    source.add_argument("--sets", type=Path, nargs="+", help="folders of whole boards or shards, equally often")
    parser.add_argument("--out", type=Path, required=True, help="checkpoint (a state dict)")
    parser.add_argument("--count", type=int, default=80, help="how many train shards there will be")
    parser.add_argument("--ready", type=int, default=2, help="how many shards to wait for before the first step")
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--boards", type=int, default=4, help="in a batch of --sets")
    parser.add_argument("--device", type=torch.device, default=torch.device("cpu"), help="cpu or cuda")
    parser.add_argument("--workers", type=int, default=0, help="processes that make batches; the batches are the same")
    parser.add_argument("--start", type=Path, help="checkpoint to go on from")
    parser.add_argument("--stay", type=float, default=0.0, help="share of the start's weights that stays in the end")
    args = parser.parse_args(words)
    if args.stay and not args.start:
        parser.error("--stay needs --start: nothing was there before")
    return args


if __name__ == "__main__":
    fit(options())
