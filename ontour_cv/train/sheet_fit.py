"""Trains the sheet network on shards while they are being painted; with checkpoints and a log."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from ontour_cv.resources import models_dir
from ontour_cv.train.half import autocast
from ontour_cv.train.sheet_network import WEIGHTS, SheetNet, loss_of, split_heads
from ontour_cv.train.sheet_pool import KINDS, Pool, looks_of
from ontour_cv.train.sheet_shards import Shard
from ontour_cv.train.shipped import readers_of
from ontour_cv.train.soup import between
from ontour_cv.vision.sheet_cells import window_masks
from ontour_cv.vision.sheet_glyphs import sheet_input

LOGGED = 1000
"""Steps from checkpoint to checkpoint."""

LEVEL_FROM = 0.68
"""Part of the run up to which rows that were read badly come more often (Schaul et al. 2016, "Prioritized experience
replay"); the rest is level, so that the network knows again how often it is right."""

GROWN_AT_START = 0.55
"""Share of the shards that are waited for when a run goes on from a checkpoint."""

FAINT = 0.08
"""Share of the crops that are seen in fainter ink than they were painted in."""


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
        minutes: end after that time at the latest, the rate falling all the same; None for all the steps.
        stay: share of the weights it began with that the checkpoint keeps (:func:`blended`).
        device: where it learns.
        looks: which crops it learns from (``sheet_pool.LOOKS``).
    """

    shards: Path
    out: Path
    counts: dict[str, int]
    steps: int
    rate: float
    seed: int
    start: Path | None = None
    minutes: float | None = None
    stay: float = 0.0
    device: str = "cpu"
    looks: str = "all"


def varied(
    batch: Shard, masks: NDArray[np.uint8], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.float32]]:
    """The same crops seen and written a little differently: bent, some faint, some grey, some recoloured.

    Args:
        batch: ``N`` crops.
        masks: ``(N, H, W)`` of theirs.
        rng: chance.

    Returns:
        images, masks and spots as ``Shard`` has them.
    """
    images, masks, spots = batch.images.copy(), masks.copy(), batch.spots.copy()
    for k in range(len(images)):
        matrix = _bent(rng)
        images[k], masks[k] = _seen(images[k], masks[k], matrix)
        spots[k, :2] = matrix[:, :2] @ spots[k, :2] + matrix[:, 2] * 2 / images.shape[1]
        spots[k, 2] *= np.sqrt(np.linalg.det(matrix[:, :2]))
        chance = rng.random()
        if chance < FAINT:
            images[k] = _fainter(images[k], float(rng.uniform(0.2, 0.6)))
        elif chance < 0.16:
            images[k] = images[k].mean(axis=2, keepdims=True).astype(np.uint8)
        elif chance < 0.38:
            images[k] = images[k][..., rng.permutation(3)]
    return images, masks, spots


def _bent(rng: np.random.Generator) -> NDArray[np.float64]:
    """An affine map about the middle, ``(2, 3)`` pixels: a shift of a pixel or two, half the time turn and slant."""
    matrix = np.eye(2, 3)
    if rng.random() < 0.5:
        angle = rng.normal(0, 0.05)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        matrix[:, :2] = turn @ np.diag(np.exp(rng.normal(0, 0.06, 2))) @ [[1.0, rng.normal(0, 0.08)], [0.0, 1.0]]
    matrix[:, 2] = rng.integers(-2, 3, 2)
    return matrix


def _seen(
    image: NDArray[np.uint8], mask: NDArray[np.uint8], about: NDArray[np.float64]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """A crop and its mask under an affine map about the middle."""
    side = image.shape[0]
    middle = np.full(2, (side - 1) / 2)
    matrix = about.copy()
    matrix[:, 2] += middle - about[:, :2] @ middle
    moved = [cv2.warpAffine(one, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE) for one in (image, mask)]
    return np.asarray(moved[0], np.uint8), np.asarray(moved[1], np.uint8)


def _fainter(image: NDArray[np.uint8], share: float) -> NDArray[np.uint8]:
    """Thin dark lines paler by a share."""
    paper = cv2.morphologyEx(image, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)).astype(np.float32)
    return np.asarray(image + (paper - image) * np.float32(share) + np.float32(0.5), dtype=np.uint8)


def masks_of(masks: NDArray[np.uint8], shard: Shard) -> NDArray[np.uint8]:
    """The mask of every crop, as its window shows it."""
    out = masks[shard.places]
    close = ~shard.whole
    out[close] = window_masks(out[close], shard.windows[close].astype(np.float64))
    return out


def warm_start(net: SheetNet) -> None:
    """The body of the shipped mark network's first member, as far as the layers have its shape; the mask starts at 0.

    In the file each convolution holds its batch norm already, which here begins as the identity.
    """
    shipped = readers_of(models_dir())[0].marks
    kernels = [m.weight.detach() for m in shipped.body.modules() if isinstance(m, torch.nn.Conv2d)]
    convs = [m for m in net.body.modules() if isinstance(m, torch.nn.Conv2d)]
    with torch.no_grad():
        for conv, kernel in zip(convs, kernels, strict=False):
            outside, inside = min(conv.weight.shape[0], kernel.shape[0]), min(conv.weight.shape[1], kernel.shape[1])
            if conv.weight.shape[2:] == kernel.shape[2:]:
                conv.weight.zero_()
                conv.weight[:outside, :inside] = kernel[:outside, :inside]
        mask = convs[0].weight[:, 3:]
        mask.normal_(0, 0.02)


def extended(state: dict[str, torch.Tensor], net: SheetNet) -> dict[str, torch.Tensor]:
    """A checkpoint for ``net``; one from before spots were told begins with those of chance."""
    own = net.state_dict()
    return {k: torch.cat([state[k], part[len(state[k]) :]]) if part.ndim else state[k] for k, part in own.items()}


def evaluate(net: torch.nn.Module, shard: Shard, masks: NDArray[np.uint8]) -> dict[str, float]:
    """Share of wrong answers of each head that is asked anything, and the loss."""
    logits = predict(net, shard, masks)
    target = torch.from_numpy(shard.labels.astype(np.int64))
    out = {"loss": float(loss_of(logits, target, torch.from_numpy(shard.spots)))}
    for column, (name, part) in enumerate(split_heads(logits).items()):
        known = target[:, column] >= 0
        if known.any():
            out[name] = float((part[known].argmax(1) != target[known, column]).float().mean())
    return out


def predict(net: torch.nn.Module, shard: Shard, masks: NDArray[np.uint8]) -> torch.Tensor:
    """Outputs ``(N, 110)`` for a shard."""
    net.eval()
    parts = []
    with torch.no_grad():
        for k in range(0, len(shard.places), 512):
            x = sheet_input(shard.images[k : k + 512], masks_of(masks, shard.rows(slice(k, k + 512))))
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
        net.load_state_dict(extended(torch.load(plan.start, weights_only=True), net))
    else:
        warm_start(net)
    first = {name: part.clone() for name, part in net.state_dict().items()}
    net = net.to(plan.device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    average = torch.optim.swa_utils.get_ema_multi_avg_fn(0.998)  # type: ignore[no-untyped-call]
    mean = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=average, use_buffers=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=plan.rate, weight_decay=0.05)
    pool, begun = Pool(plan.shards, plan.counts, plan.looks), time.perf_counter()
    done, step = 0.0, 0
    while done < 1.0:
        if step % 20 == 0:
            pool.grow(min(1.0, GROWN_AT_START * bool(plan.start) + done))
        rate = plan.rate * min(1.0, (step + 1) / 200) * (0.01 + 0.495 * (1 + math.cos(math.pi * done)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        batch, origin = pool.batch(rng, done >= LEVEL_FROM)
        loss, each = _step(net, optimiser, batch, masks, rng)
        pool.note(origin, each)
        mean.update_parameters(net)
        step += 1
        seconds = time.perf_counter() - begun
        done = max(step / plan.steps, seconds / 60 / plan.minutes if plan.minutes else 0.0)
        if step % LOGGED == 0 or done >= 1.0:
            _log(plan, blended(mean.module, first, plan.stay), masks, step, seconds, loss)


def blended(net: torch.nn.Module, first: Mapping[str, torch.Tensor], stay: float) -> SheetNet:
    """The network with weights between those it has and those it began with (``train.soup``).

    Args:
        net: a :class:`SheetNet`.
        first: the weights it began with.
        stay: their share, 0 to 1.
    """
    out = SheetNet()
    out.load_state_dict(between({name: part.cpu() for name, part in net.state_dict().items()}, first, stay))
    return out


def _step(
    net: SheetNet, optimiser: torch.optim.Optimizer, batch: Shard, masks: NDArray[np.uint8], rng: np.random.Generator
) -> tuple[float, NDArray[np.float64]]:
    """One batch learnt; its loss, and how badly each row was read, ``(BATCH,)``."""
    images, shown, spots = varied(batch, masks_of(masks, batch), rng)
    device = next(net.parameters()).device
    x = torch.from_numpy(sheet_input(images, shown)).to(device)
    with autocast(device):
        logits = net(x.contiguous(memory_format=torch.channels_last))
    labels = torch.from_numpy(batch.labels.astype(np.int64))
    loss = loss_of(logits.float(), labels.to(device), torch.from_numpy(spots).to(device))
    optimiser.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
    optimiser.step()
    return float(loss.detach()), row_losses(logits.detach().float().cpu(), labels)


def row_losses(logits: torch.Tensor, labels: torch.Tensor) -> NDArray[np.float64]:
    """How badly each row is read, ``(N,)``: the heads' cross-entropies, weighed as in training."""
    total = torch.zeros(len(labels))
    for column, (name, part) in enumerate(split_heads(logits).items()):
        each = torch.nn.functional.cross_entropy(part, labels[:, column], ignore_index=-1, reduction="none")
        total += WEIGHTS[name] * each
    return np.asarray(total.double().numpy())


def _log(plan: Plan, net: torch.nn.Module, masks: NDArray[np.uint8], step: int, seconds: float, loss: float) -> None:
    torch.save(net.state_dict(), plan.out)
    row: dict[str, object] = {"step": step, "seconds": round(seconds), "train": round(loss, 4)}
    for kind in KINDS:
        path = plan.shards / f"{kind}-valid-000.npz"
        shard = looks_of(Shard.load(path), plan.looks) if path.exists() else None
        if shard is not None and len(shard.places):
            row[kind] = {name: round(v, 5) for name, v in evaluate(net, shard, masks).items()}
    with plan.out.with_suffix(".log.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
