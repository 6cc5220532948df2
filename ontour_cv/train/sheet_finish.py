"""Checkpoint + crops of unseen writers -> the shipped sheet network: temperatures and lapses fitted, card written."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ontour_cv.train.export import LAPSES, halve
from ontour_cv.train.sheet_fit import predict
from ontour_cv.train.sheet_network import SheetNet, split_heads
from ontour_cv.train.sheet_shards import Shard
from ontour_cv.vision.cells import CROP_PX
from ontour_cv.vision.sheet_cells import WHOLE
from ontour_cv.vision.sheet_glyphs import CLASSES, SHEET_HEADS, SHEET_KINDS, SHEET_MODEL, ZOOMS, with_close, zoomed


def finish(run: Path, folder: Path, masks: NDArray[np.uint8], how: str) -> None:
    """Writes ``sheet.onnx`` and ``sheet.json`` from ``run/sheet*.pt`` and the photo crops of writers kept for this.

    Checkpoints of several runs that began with the same weights are averaged (:func:`averaged`).
    """
    torch.set_num_threads(1)
    net = SheetNet()
    net.load_state_dict(averaged([torch.load(path, weights_only=True) for path in sorted(run.glob("sheet*.pt"))]))
    net.eval()
    shards = [Shard.load(path) for path in sorted(run.glob("photo-valid-*.npz"))]
    every = [looked_at(net, shard, masks) for shard in shards]
    logits = torch.cat([part for part, _ in every])
    target = torch.from_numpy(np.concatenate([labels for _, labels in every]).astype(np.int64))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{SHEET_MODEL}.onnx"
    export(net.eval(), path)
    found = calibration(logits, target)
    card: dict[str, Any] = {
        "name": SHEET_MODEL,
        "input": f"crops: (N, 4, {CROP_PX}, {CROP_PX}) float32: BGR standardised, and the cell's mask, 1 and -1",
        "output": "logits: (N, 110), the heads side by side, x, y and log size of the writing, the last hidden layer",
        "heads": dict(SHEET_HEADS),
        "kinds": SHEET_KINDS,
        "temperature": {name: heat for name, (heat, _) in found.items()},
        "lapse": {name: share for name, (_, share) in found.items()},
        "weights": sum(p.numel() for p in net.parameters()),
        "trained": how,
        "wrong": wrong(logits, target),
        "crops": len(target),
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }
    (folder / f"{SHEET_MODEL}.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")


def averaged(states: Sequence[Mapping[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    """The mean of the weights of several runs (Wortsman et al. 2022, "Model soups"); counts are the first run's."""
    return {
        name: torch.stack([state[name] for state in states]).mean(0) if first.is_floating_point() else first
        for name, first in states[0].items()
    }


def looked_at(net: SheetNet, shard: Shard, masks: NDArray[np.uint8]) -> tuple[torch.Tensor, NDArray[np.int8]]:
    """Logits ``(N, 35)`` of the whole crops as reading has them, the mean over several sizes and with the close looks.

    Returns:
        logits and labels ``(N, 6)``; a shard has a close look right behind the crop it was taken of.
    """
    whole = (shard.windows == np.array(WHOLE, np.float32)).all(axis=1)
    some = shard.rows(whole)
    looks = [predict(net, replace(some, images=zoomed(some.images, zoom)), masks) for zoom in ZOOMS]
    logits = torch.stack(looks).mean(0)[:, :CLASSES].double().numpy()
    behind = np.flatnonzero(~whole[1:] & whole[:-1]) + 1
    rows = (np.cumsum(whole) - 1)[behind]
    logits[rows] = with_close(logits[rows], predict(net, shard.rows(behind), masks)[:, :CLASSES].double().numpy())
    return torch.from_numpy(logits), some.labels


def export(net: SheetNet, path: Path) -> None:
    """Writes the network as ONNX, opset 18, any batch size: input ``crops``, output ``logits``; half precision."""
    import onnx

    plain = net.to(memory_format=torch.contiguous_format).eval()  # type: ignore[call-overload]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the older exporter's graph is what cv2.dnn reads best
        torch.onnx.export(
            plain, (torch.zeros(2, 4, CROP_PX, CROP_PX),), str(path), input_names=["crops"], output_names=["logits"],
            opset_version=18, dynamic_axes={"crops": {0: "cells"}, "logits": {0: "cells"}}, dynamo=False,
        )  # fmt: skip
    model = onnx.load(path)
    halve(model.graph)
    onnx.save(model, path)


def calibration(logits: torch.Tensor, target: torch.Tensor) -> dict[str, tuple[float, float]]:
    """Temperature and lapse of each head with the least log-loss, as ``train.export.calibration``.

    A head that made no error in ``n`` crops may still err: its lapse is no less than half an error in them.
    """
    out = {}
    for column, (name, part) in enumerate(split_heads(logits).items()):
        known = target[:, column] >= 0
        right = target[known, column][:, None]
        tries = []
        for heat in np.exp(np.linspace(np.log(0.7), np.log(2.5), 50)):
            p = torch.softmax(part[known] / heat, dim=1).gather(1, right)
            tries += [(-torch.log((1 - e) * p + e / part.shape[1]).mean().item(), heat, e) for e in LAPSES]
        _, heat, share = min(tries)
        out[name] = round(float(heat), 4), round(max(share, 0.5 / int(known.sum())), 6)
    return out


def wrong(logits: torch.Tensor, target: torch.Tensor) -> dict[str, float]:
    """Share of wrong answers of each head."""
    out = {}
    for column, (name, part) in enumerate(split_heads(logits).items()):
        known = target[:, column] >= 0
        out[name] = round(float((part[known].argmax(1) != target[known, column]).float().mean()), 5)
    return out
