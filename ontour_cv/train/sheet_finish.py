"""Checkpoints + crops of unseen writers -> the shipped sheet network: temperatures and lapses fitted, card written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ontour_cv.train.export import LAPSES, write_onnx
from ontour_cv.train.sheet_fit import predict
from ontour_cv.train.sheet_network import SheetNet, SheetNets, split_heads
from ontour_cv.train.sheet_shards import Shard
from ontour_cv.vision.cells import CROP_PX
from ontour_cv.vision.sheet_glyphs import (
    CLASSES,
    CLOSE_MODEL,
    FEATURES,
    FEATURES_FROM,
    SHEET_HEADS,
    SHEET_KINDS,
    SHEET_MODEL,
    ZOOMS,
    with_close,
    zoomed,
)

EARNED = 2.0
"""Log-likelihood that a larger lapse must bring on the crops it is chosen by: one crop read quite wrongly is chance."""


CAUTION = 1.08
"""Temperatures are so many times those of least log-loss: on 218 sheets of writers kept for choosing no error is silent
(one), for 610 questions (531)."""


def finish(run: Path, folder: Path, masks: NDArray[np.uint8], how: str) -> None:
    """Writes both networks and their card from checkpoints and the photo crops of writers kept for this.

    ``run/sheet*.pt`` are the members (``sheet_network.SheetNets``) of the network for whole cells, ``run/close*.pt``
    those of the one for close looks; where there are none of these, the first are taken for both.
    """
    torch.set_num_threads(1)
    net = joined(sorted(run.glob("sheet*.pt")))
    closely = joined(sorted(run.glob("close*.pt")) or sorted(run.glob("sheet*.pt")))
    shards = [Shard.load(path) for path in sorted(run.glob("photo-valid-*.npz"))]
    every = [looked_at(net, closely, shard, masks) for shard in shards]
    logits = torch.cat([part for part, _ in every])
    target = torch.from_numpy(np.concatenate([labels for _, labels in every]).astype(np.int64))
    folder.mkdir(parents=True, exist_ok=True)
    path, close = folder / f"{SHEET_MODEL}.onnx", folder / f"{CLOSE_MODEL}.onnx"
    export(net, path)
    export(closely, close)
    found = calibration(logits, target)
    card: dict[str, Any] = {
        "name": SHEET_MODEL,
        "input": f"crops: (N, 4, {CROP_PX}, {CROP_PX}) float32: BGR standardised, and the cell's mask, 1 and -1",
        "output": f"logits: (N, {FEATURES_FROM + FEATURES * len(net.members)}), the heads side by side, x, y and log "
        "size of the writing, the members' last hidden layers",
        "heads": dict(SHEET_HEADS),
        "kinds": SHEET_KINDS,
        "temperature": {name: round(CAUTION * heat, 4) for name, (heat, _) in found.items()},
        "lapse": {name: share for name, (_, share) in found.items()},
        "weights": sum(p.numel() for p in net.parameters()),
        "trained": how,
        "wrong": wrong(logits, target),
        "crops": len(target),
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "close": {"sha256": hashlib.sha256(close.read_bytes()).hexdigest()},
    }
    (folder / f"{SHEET_MODEL}.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")


def joined(checkpoints: Sequence[Path]) -> SheetNets:
    """The network whose members these are, ready to read."""
    members = []
    for path in checkpoints:
        members.append(SheetNet())
        members[-1].load_state_dict(torch.load(path, weights_only=True))
    return SheetNets(members).eval()


def looked_at(
    net: nn.Module, closely: nn.Module, shard: Shard, masks: NDArray[np.uint8]
) -> tuple[torch.Tensor, NDArray[np.int8]]:
    """Logits ``(N, 35)`` of the whole crops as reading has them, the mean over several sizes and with the close looks.

    Returns:
        logits and labels ``(N, 6)``; a shard has a close look right behind the crop it was taken of.
    """
    whole = shard.whole
    some = shard.rows(np.flatnonzero(whole))
    looks = [predict(net, replace(some, images=zoomed(some.images, zoom)), masks) for zoom in ZOOMS]
    logits = torch.stack(looks).mean(0)[:, :CLASSES].double().numpy()
    behind = np.flatnonzero(~whole[1:] & whole[:-1]) + 1
    rows = (np.cumsum(whole) - 1)[behind]
    logits[rows] = with_close(logits[rows], predict(closely, shard.rows(behind), masks)[:, :CLASSES].double().numpy())
    return torch.from_numpy(logits), some.labels


def export(net: nn.Module, path: Path) -> None:
    """Writes the network as ONNX, opset 18, any batch size: input ``crops``, output ``logits``; half precision."""
    plain = net.to(memory_format=torch.contiguous_format)  # type: ignore[call-overload]
    write_onnx(plain, path, (4, CROP_PX, CROP_PX), "crops")


def calibration(logits: torch.Tensor, target: torch.Tensor) -> dict[str, tuple[float, float]]:
    """Temperature and lapse of each head with the least log-loss, as ``train.export.calibration``.

    A larger lapse must earn its place (``EARNED``), for it costs doubts everywhere. A head that made no error in ``n``
    crops may still err: its lapse is no less than half an error in them. Nor is a network made surer than it is: it is
    tempered on rendered photos, and those to come are real.
    """
    out = {}
    for column, (name, part) in enumerate(split_heads(logits).items()):
        known = target[:, column] >= 0
        right = target[known, column][:, None]
        best = dict.fromkeys(LAPSES, (np.inf, 1.0))
        for heat in np.exp(np.linspace(0.0, np.log(2.5), 50)).tolist():
            p = torch.softmax(part[known] / heat, dim=1).gather(1, right)
            best = {e: min(best[e], (-torch.log((1 - e) * p + e / part.shape[1]).sum().item(), heat)) for e in LAPSES}
        least = min(best.values())[0]
        share, (_, heat) = next((e, found) for e, found in best.items() if found[0] <= least + EARNED)
        out[name] = round(float(heat), 4), round(max(share, 0.5 / int(known.sum())), 6)
    return out


def wrong(logits: torch.Tensor, target: torch.Tensor) -> dict[str, float]:
    """Share of wrong answers of each head."""
    out = {}
    for column, (name, part) in enumerate(split_heads(logits).items()):
        known = target[:, column] >= 0
        out[name] = round(float((part[known].argmax(1) != target[known, column]).float().mean()), 5)
    return out
