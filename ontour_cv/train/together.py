"""Trains context networks that hear all members, on boards no member has seen: ``python -m ontour_cv.train.together``.

On boards a mark network learnt from it is surer, and its hidden layer says more, than on a stranger's. So the members
are finished first and do not change; they look at fresh boards once, and the context network learns from what they
answer, in minutes. For thousands of steps it finds little, then within a few hundred that numbers come in reversed
pairs, which reading knows too (``vision.pairs``): a third fewer numbers wrong by itself are hardly fewer after that.
Judge it by photos (``bench.compare``), not by its own answers.

With ``--own`` the members' own context networks go on instead, for what they learnt beside their members goes by boards
these knew. They are shown few reversed pairs: where all networks go by that law, and reading once more, two digits of a
pair misread alike leave no doubt. And they are shown boards painted cell by cell, and mostly empty ones.
"""

from __future__ import annotations

import argparse
import copy
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ontour_cv.train.context import ContextNet, context_of, look
from ontour_cv.train.fit import Reader, pace, varied
from ontour_cv.train.network import losses
from ontour_cv.train.sets import load_file, train_files
from ontour_cv.train.soup import between
from ontour_cv.vision.glyphs import KINDS

EMPTY, NUMBER = KINDS.index("empty"), KINDS.index("number")
"""Among the labels of kinds."""

CIRCLED = 3
"""Column of labels."""

BOARDS = 24
"""In a batch."""

WIDTH = 128
"""Of the network: with 192 and a layer more, 6,000 steps left it where it began."""

DEAF = 0.15
"""See ``ContextNet``."""

PARTIAL, LEAST = 0.4, 24
"""Share of batches that show only some cells of their boards, and how many of those at least."""

FEWEST, PARTNERS = 10, 0.2
"""Of boards that show few reversed pairs: cells at least, and the share of pairs that stay. Of any twenty numbers one
has its reverse among them about as often by chance, so that a partner says nothing, neither for nor against."""

HOLLOW = 0.25
"""Share of batches of such boards that are emptied. Finished boards are full: networks that learnt from them alone took
a board with nothing but print for one full of numbers, though the members saw nothing in any cell of it. Of circles
nothing is learnt there, for there are none."""

KEEP = 0.998
"""How much of the running mean of the weights each step keeps, at most; the mean is what is saved."""


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """What the members say of some boards: all of the same number of cells.

    Attributes:
        hidden: ``(B, N, M, F)`` float16.
        logits: ``(B, N, M, 26)`` float32.
        labels: ``(B, N, 4)`` int8.
    """

    hidden: NDArray[np.float16]
    logits: NDArray[np.float32]
    labels: NDArray[np.int8]


def hear(
    members: Sequence[Reader], images: NDArray[np.uint8], labels: NDArray[np.int8],
    rng: np.random.Generator | None = None,
) -> Heard:  # fmt: skip
    """The members' answers to boards ``(B, N, 64, 64, 3)``; with ``rng``, to boards seen a little differently."""
    boards, cells = images.shape[:2]
    flat = images.reshape(-1, *images.shape[2:])
    if rng is not None:
        flat = varied(flat, rng, cells)
    seen = [look(member.marks, flat) for member in members]
    hidden, logits = (torch.stack([both[k] for both in seen], 1).view(boards, cells, len(seen), -1) for k in range(2))
    return Heard(hidden.numpy().astype(np.float16), logits.numpy(), labels)


def fit(
    heard: Sequence[Heard], steps: int, seed: int, rate: float = 1.5e-3, report: int = 1000,
    start: ContextNet | None = None, device: torch.device | None = None, pairs: bool = True,
) -> ContextNet:  # fmt: skip
    """A context network that learnt from some sets of boards, each drawn from equally often.

    Args:
        heard: the sets.
        steps: batches.
        seed: the same gives the same.
        rate: highest learning rate.
        report: a line is printed after so many steps; 0 for none.
        start: a network to go on from.
        device: where it learns; None for the processor.
        pairs: whether boards show their reversed pairs, or few of them.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    members, features = heard[0].hidden.shape[2:]
    net = ContextNet(members, features, start.enter.out_features if start else WIDTH, deaf=DEAF)
    if start is not None:
        net.load_state_dict(start.state_dict())
    net = net.to(device)
    mean = copy.deepcopy(net)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.02)
    begun = time.perf_counter()
    for step in range(steps):
        part = heard[int(rng.integers(len(heard)))]
        hidden, logits, target = (value.to(device) for value in (_batch if pairs else _lone)(part, rng))
        now = rate * pace(step, steps, 200)
        for group in optimiser.param_groups:
            group["lr"] = now
        loss = torch.stack(list(losses(net(hidden, logits).flatten(0, 1), target).values())).sum()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        keep = min(KEEP, (1 + step) / (10 + step))
        with torch.no_grad():
            for old, new in zip(mean.parameters(), net.parameters(), strict=True):
                old.lerp_(new, 1 - keep)
        if report and step % report == report - 1:
            print(step + 1, f"{time.perf_counter() - begun:.0f}s loss {loss.item():.4f}", flush=True)  # noqa: T201
    return mean.cpu().eval()


def _batch(heard: Heard, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Some boards, now and then only some of their cells."""
    cells = heard.labels.shape[1]
    boards = rng.integers(len(heard.labels), size=BOARDS)
    count = int(rng.integers(min(LEAST, cells), cells + 1)) if rng.random() < PARTIAL else cells
    return _taken(heard, boards[:, None], np.sort(rng.permutation(cells)[:count])[None])


def _lone(heard: Heard, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Some boards, as many cells of each as leave few reversed pairs; now and then fewer, or mostly empty ones."""
    hollow = np.flatnonzero((heard.labels[..., 0] == EMPTY).sum(axis=1) >= 2)
    if len(hollow) and rng.random() < HOLLOW:
        boards = rng.choice(hollow, BOARDS)
        cells = np.stack([emptied(heard.labels[board], rng) for board in boards])
        hidden, logits, target = _taken(heard, boards[:, None], cells)
        target[:, CIRCLED] = -1
        return hidden, logits, target
    boards = rng.integers(len(heard.labels), size=BOARDS)
    orders = [partners_last(heard.labels[board], rng) for board in boards]
    count = max(FEWEST, min(lone for _, lone in orders))
    if rng.random() < PARTIAL:
        count = int(rng.integers(FEWEST, count + 1))
    return _taken(heard, boards[:, None], np.stack([order[:count] for order, _ in orders]))


def emptied(labels: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.intp]:
    """As many cells as the board has, any share of them empty: its empty ones again and again, and some others.

    Args:
        labels: ``(N, 4)``; some cell is empty.
        rng: chance.
    """
    order, lone = partners_last(labels, rng)
    others = order[:lone][labels[order[:lone], 0] != EMPTY][: round(rng.random() * len(labels))]
    again = rng.choice(np.flatnonzero(labels[:, 0] == EMPTY), len(labels) - len(others))
    return np.concatenate([again, others])


def partners_last(labels: NDArray[np.int8], rng: np.random.Generator) -> tuple[NDArray[np.intp], int]:
    """A board's cells by chance, one number of most reversed pairs and cells not to be learnt from last.

    Args:
        labels: ``(N, 4)``.
        rng: chance.

    Returns:
        all cells' rows ``(N,)``, and how many of them come before those.
    """
    first: list[int] = []
    last: list[int] = []
    lone: Counter[tuple[int, int]] = Counter()
    for cell in rng.permutation(len(labels)):
        kind, tens, ones, _ = (int(value) for value in labels[cell])
        number = kind == NUMBER and tens != ones
        if kind < 0:
            last.append(cell)
        elif number and lone[ones, tens] and rng.random() >= PARTNERS:
            lone[ones, tens] -= 1
            last.append(cell)
        else:
            lone[tens, ones] += number
            first.append(cell)
    return np.array(first + last), len(first)


def _taken(
    heard: Heard, boards: NDArray[np.intp], cells: NDArray[np.intp]
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """What is said of these cells ``(B, C)`` of boards ``(B, 1)``."""
    hidden, logits = (torch.from_numpy(part[boards, cells]).float() for part in (heard.hidden, heard.logits))
    return hidden, logits, torch.from_numpy(heard.labels[boards, cells].astype(np.int64)).flatten(0, 1)


def sets_of(members: Sequence[Reader], folders: Sequence[Path], views: int, seed: int) -> list[Heard]:
    """What the members say of every ``boards-train-*.npz`` or shard of each folder, seen ``views`` times.

    Raises:
        ValueError: a folder without boards to train on.
    """
    rng = np.random.default_rng(seed)
    out = []
    for folder in folders:
        files = (load_file(path) for path in train_files(folder))
        parts = [hear(members, *file, rng if view else None) for file in files for view in range(views)]
        out.append(Heard(*(np.concatenate([getattr(p, name) for p in parts]) for name in Heard.__slots__)))
    return out


def of_one(heard: Heard, member: int) -> Heard:
    """What one of the members says of them."""
    one = slice(member, member + 1)
    return Heard(heard.hidden[:, :, one], heard.logits[:, :, one], heard.labels)


def main(words: list[str] | None = None) -> None:
    """Command line: see ``--help``."""
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.train.together", description="Train context networks.")
    parser.add_argument("checkpoints", type=Path, nargs="+", help="of the members")
    parser.add_argument("--sets", type=Path, nargs="+", required=True, help="folders of whole boards, equally often")
    parser.add_argument("--out", type=Path, required=True, help="folder for context-0.pt (member-0.pt) and so on")
    parser.add_argument("--own", action="store_true", help="members' own context networks instead, on few pairs")
    parser.add_argument("--count", type=int, default=1, help="networks")
    parser.add_argument("--steps", type=int, default=10000)
    parser.add_argument("--views", type=int, default=2, help="how often each board is seen; all but once a bit changed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=1.5e-3, help="highest learning rate")
    parser.add_argument("--start", type=Path, help="context network to go on from (train.shipped writes it)")
    parser.add_argument("--stay", type=float, default=0.0, help="share of what it goes on from that stays in the end")
    parser.add_argument("--device", type=torch.device, default=torch.device("cpu"), help="cpu or cuda")
    args = parser.parse_args(words)
    if args.stay and not (args.own or args.start):
        parser.error("--stay needs --start: nothing was there before")
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    start = load_context(args.start) if args.start else None
    members = [load_reader(path).to(args.device) for path in args.checkpoints]
    heard = sets_of(members, args.sets, args.views, args.seed)
    for k, member in enumerate(members if args.own else ()):
        parts = [of_one(part, k) for part in heard]
        net = fit(parts, args.steps, args.seed, args.rate, 1000, member.context, args.device, pairs=False)
        member.context = staying(net, member.context.cpu(), args.stay)
        torch.save(member.cpu().state_dict(), args.out / f"member-{k}.pt")
    for k in range(0 if args.own else args.count):
        net = fit(heard, args.steps, args.seed + k, args.rate, start=start, device=args.device)
        net = staying(net, start, args.stay) if start else net
        torch.save(net.state_dict(), args.out / f"context-{k}.pt")


def staying(after: ContextNet, before: ContextNet, stay: float) -> ContextNet:
    """The network with a share of what it was before; see ``train.soup.between``."""
    after.load_state_dict(between(after.state_dict(), before.state_dict(), stay))
    return after


def load_reader(path: Path) -> Reader:
    """A member from its checkpoint."""
    reader = Reader()
    reader.load_state_dict(torch.load(path, weights_only=True))
    return reader.eval()


def load_context(path: Path) -> ContextNet:
    """A context network from its checkpoint."""
    return context_of(torch.load(path, weights_only=True))


if __name__ == "__main__":
    main()
