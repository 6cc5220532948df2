"""Trains the sheet network on shards while they are being painted; with checkpoints and a log."""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from ontour_cv.resources import models_dir
from ontour_cv.train.sheet_network import SheetNet, loss_of, split_heads
from ontour_cv.train.sheet_shards import Shard
from ontour_cv.vision.sheet_glyphs import sheet_input

BATCH = 160
"""Crops in a batch."""

KINDS = ("flat", "photo")
"""Kinds of shards: painted flat, and cut from rendered photos."""

PHOTOS = 0.5
"""Share of a batch that is cut from photos."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A run.

    Attributes:
        shards: folder of the shards.
        out: checkpoint.
        counts: how many shards of each kind there will be.
        steps: batches.
        rate: highest learning rate.
        seed: of all chance.
        start: checkpoint to go on from; None begins with the body of the shipped mark network.
    """

    shards: Path
    out: Path
    counts: dict[str, int]
    steps: int
    rate: float
    seed: int
    start: Path | None = None


class Pool:
    """Shards of both kinds in memory, as they come."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._shards: dict[str, list[Shard]] = {kind: [] for kind in KINDS}

    def grow(self, share: float) -> None:
        """Loads shards until that share of each kind is there, waiting for those still being painted."""
        for kind, count in self._plan.counts.items():
            while len(self._shards[kind]) < max(1, math.ceil(share * count)) and count:
                path = self._plan.shards / f"{kind}-train-{len(self._shards[kind]):03d}.npz"
                while not path.exists():
                    time.sleep(0.5)
                self._shards[kind].append(Shard.load(path))

    def batch(self, rng: np.random.Generator) -> Shard:
        """A batch of both kinds."""
        photos = round(PHOTOS * BATCH) if self._shards["photo"] else 0
        parts = []
        for kind, count in (("photo", photos), ("flat", BATCH - photos)):
            held = self._shards[kind]
            for which, many in zip(*np.unique(rng.integers(0, len(held), count), return_counts=True), strict=True):
                shard = held[which]
                rows = rng.integers(0, len(shard.places), many)
                parts.append((shard.images[rows], shard.places[rows], shard.labels[rows]))
        return Shard(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def varied(images: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The same cells seen a little differently: moved by up to two pixels, some in grey, some partly hidden."""
    out = images.copy()
    for k in range(len(out)):
        dx, dy = rng.integers(-2, 3, 2)
        out[k] = np.roll(out[k], (dy, dx), (0, 1))
        chance = rng.random()
        if chance < 0.08:
            out[k] = out[k].mean(axis=2, keepdims=True).astype(np.uint8)
        elif chance < 0.3:
            out[k] = out[k][..., rng.permutation(3)]
    return out


def warm_start(net: SheetNet) -> None:
    """The body of the shipped mark network's first member, as far as the layers have its shape; the mask starts at 0.

    In the file each convolution holds its batch norm already, which here begins as the identity.
    """
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(models_dir() / "marks.onnx").graph
    arrays = [np.asarray(numpy_helper.to_array(t), dtype=np.float32) for t in graph.initializer]
    kernels = [a for a in arrays if a.ndim == 4]
    convs = [m for m in net.body.modules() if isinstance(m, torch.nn.Conv2d)]
    with torch.no_grad():
        for conv, kernel in zip(convs, kernels, strict=False):
            outside, inside = min(conv.weight.shape[0], kernel.shape[0]), min(conv.weight.shape[1], kernel.shape[1])
            if conv.weight.shape[2:] == kernel.shape[2:]:
                conv.weight.zero_()
                conv.weight[:outside, :inside] = torch.from_numpy(kernel[:outside, :inside].copy())
        mask = convs[0].weight[:, 3:]
        mask.normal_(0, 0.02)


def evaluate(net: torch.nn.Module, shard: Shard, masks: NDArray[np.uint8]) -> dict[str, float]:
    """Share of wrong answers of each head, and the loss."""
    logits = predict(net, shard, masks)
    target = torch.from_numpy(shard.labels.astype(np.int64))
    out = {"loss": float(loss_of(logits, target))}
    for column, (name, part) in enumerate(split_heads(logits).items()):
        known = target[:, column] >= 0
        out[name] = float((part[known].argmax(1) != target[known, column]).float().mean())
    return out


def predict(net: torch.nn.Module, shard: Shard, masks: NDArray[np.uint8]) -> torch.Tensor:
    """Logits ``(N, 35)`` of a shard."""
    net.eval()
    parts = []
    with torch.no_grad():
        for k in range(0, len(shard.places), 512):
            x = sheet_input(shard.images[k : k + 512], masks[shard.places[k : k + 512]])
            parts.append(net(torch.from_numpy(x)).float())
    net.train()
    return torch.cat(parts)


def fit(plan: Plan, masks: NDArray[np.uint8]) -> None:
    """The whole run; the checkpoint is the mean of the late weights."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.manual_seed(plan.seed)
    rng = np.random.default_rng(plan.seed)
    net = SheetNet()
    if plan.start:
        net.load_state_dict(torch.load(plan.start, weights_only=True))
    else:
        warm_start(net)
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    average = torch.optim.swa_utils.get_ema_multi_avg_fn(0.998)  # type: ignore[no-untyped-call]
    mean = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=average, use_buffers=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=plan.rate, weight_decay=0.05)
    pool, begun = Pool(plan), time.perf_counter()
    for step in range(plan.steps):
        if step % 20 == 0:
            pool.grow(1.0 if plan.start else min(1.0, step / plan.steps / 0.75))
        batch = pool.batch(rng)
        rate = plan.rate * min(1.0, (step + 1) / 200) * (0.01 + 0.495 * (1 + math.cos(math.pi * step / plan.steps)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        x = torch.from_numpy(sheet_input(varied(batch.images, rng), masks[batch.places]))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = net(x.contiguous(memory_format=torch.channels_last))
        loss = loss_of(logits.float(), torch.from_numpy(batch.labels.astype(np.int64)))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        mean.update_parameters(net)
        if step % 250 == 249 or step == plan.steps - 1:
            _log(plan, mean.module, masks, step + 1, time.perf_counter() - begun, float(loss.detach()))


def _log(plan: Plan, net: torch.nn.Module, masks: NDArray[np.uint8], step: int, seconds: float, loss: float) -> None:
    torch.save(net.state_dict(), plan.out)
    row: dict[str, object] = {"step": step, "seconds": round(seconds), "train": round(loss, 4)}
    for kind in KINDS:
        path = plan.shards / f"{kind}-valid-000.npz"
        if path.exists():
            row[kind] = {name: round(v, 5) for name, v in evaluate(net, Shard.load(path), masks).items()}
    with plan.out.with_suffix(".log.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
