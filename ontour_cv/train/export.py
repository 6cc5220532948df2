"""Checkpoint -> ``marks.onnx`` and its model card, temperatures fitted on cells of writers never trained on."""

from __future__ import annotations

import argparse
import hashlib
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ontour_cv.train.fit import evaluate, tensor
from ontour_cv.train.network import HEADS, MarkNet, split_heads
from ontour_cv.vision.cells import CROP_PX, CROP_RADII
from ontour_cv.vision.glyphs import KINDS


def temperatures(net: MarkNet, images: NDArray[np.uint8], labels: NDArray[np.int8]) -> dict[str, float]:
    """The temperature of each head that minimises the log-loss on these cells (Guo et al. 2017), by a fine search."""
    net.eval()
    with torch.no_grad():
        logits = torch.cat([net(tensor(images[k : k + 512])).double() for k in range(0, len(images), 512)])
    target = torch.from_numpy(labels.astype(np.int64))
    out = {}
    for column, (name, part) in enumerate(split_heads(logits).items()):
        tries = np.exp(np.linspace(np.log(0.6), np.log(2.5), 60))
        loss = [torch.nn.functional.cross_entropy(part / t, target[:, column], ignore_index=-1).item() for t in tries]
        out[name] = round(float(tries[int(np.argmin(loss))]), 4)
    return out


def export(net: MarkNet, path: Path) -> None:
    """Writes the network as ONNX, opset 18, any batch size, input ``crops``, output ``logits``."""
    net = net.to(memory_format=torch.contiguous_format).eval()  # type: ignore[call-overload]
    sample = torch.zeros(2, 3, CROP_PX, CROP_PX)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the older exporter's graph is what cv2.dnn reads best
        torch.onnx.export(
            net, (sample,), str(path), input_names=["crops"], output_names=["logits"], opset_version=18,
            dynamic_axes={"crops": {0: "cells"}, "logits": {0: "cells"}}, dynamo=False,
        )  # fmt: skip


def write_model(checkpoint: Path, valid: list[Path], folder: Path, how: str) -> None:
    """Writes ``marks.onnx`` and its card ``marks.json``.

    Args:
        checkpoint: a state dict of :class:`MarkNet`.
        valid: shards of writers never trained on, for temperatures and the figures on the card.
        folder: where the model goes.
        how: a sentence on how it was trained, for the card.
    """
    torch.set_num_threads(1)
    net = MarkNet()
    net.load_state_dict(torch.load(checkpoint, weights_only=True))
    images = np.concatenate([np.load(p) for p in valid])
    labels = np.concatenate([np.load(p.with_suffix(".labels.npy")) for p in valid])
    card: dict[str, Any] = {
        "name": "marks",
        "input": f"crops: (N, 3, {CROP_PX}, {CROP_PX}) float32 BGR, standardised; side {2 * CROP_RADII} disc radii",
        "output": "logits: (N, 26), the heads side by side",
        "heads": HEADS,
        "kinds": KINDS,
        "temperature": temperatures(net, images, labels),
        "weights": sum(p.numel() for p in net.parameters()),
        "trained": how,
        "measured": {k: round(v, 5) for k, v in evaluate(net, images, labels).items()} | {"cells": len(images)},
    }
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "marks.onnx"
    export(net, path)
    card["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / "marks.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Export a checkpoint as the shipped reading model.")
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--valid", type=Path, nargs="+", required=True, help="shards of writers never trained on")
    parser.add_argument("--out", type=Path, default=Path("ontour_cv/models"))
    parser.add_argument("--how", default="", help="a sentence on how it was trained, for the card")
    args = parser.parse_args()
    write_model(args.checkpoint, args.valid, args.out, args.how)


if __name__ == "__main__":
    main()
