"""Trained networks -> the shipped model and its card, temperatures fitted on writers never trained on."""

from __future__ import annotations

import hashlib
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ontour_cv.train.context import ContextNet, look, save_context
from ontour_cv.train.network import HEADS, MarkNet, split_heads
from ontour_cv.vision.cells import CROP_PX, CROP_RADII
from ontour_cv.vision.glyphs import KINDS


class Outputs(nn.Module):
    """The mark network with both outputs reading needs: logits and the last hidden layer."""

    def __init__(self, net: MarkNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Crops to ``(N, 26)`` and ``(N, F)``."""
        hidden = self.net.join(self.net.body(x))
        return self.net.head(hidden), hidden


def export(net: MarkNet, path: Path) -> None:
    """Writes the network as ONNX, opset 18, any batch size: input ``crops``, outputs ``logits`` and ``hidden``."""
    both = Outputs(net).to(memory_format=torch.contiguous_format).eval()  # type: ignore[call-overload]
    sample = torch.zeros(2, 3, CROP_PX, CROP_PX)
    axes = {name: {0: "cells"} for name in ("crops", "logits", "hidden")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the older exporter's graph is what cv2.dnn reads best
        torch.onnx.export(
            both, (sample,), str(path), input_names=["crops"], output_names=["logits", "hidden"], opset_version=18,
            dynamic_axes=axes, dynamo=False,
        )  # fmt: skip


def temperatures(logits: torch.Tensor, target: torch.Tensor) -> dict[str, float]:
    """The temperature of each head that minimises the log-loss (Guo et al. 2017), by a fine search.

    Args:
        logits: ``(N, 26)``.
        target: ``(N, 4)`` labels, -1 where not applicable.
    """
    out = {}
    for column, (name, part) in enumerate(split_heads(logits.double()).items()):
        tries = np.exp(np.linspace(np.log(0.6), np.log(2.5), 60))
        loss = [torch.nn.functional.cross_entropy(part / t, target[:, column], ignore_index=-1).item() for t in tries]
        out[name] = round(float(tries[int(np.argmin(loss))]), 4)
    return out


def error_rates(logits: torch.Tensor, target: torch.Tensor) -> dict[str, float]:
    """Share of wrong kinds and circles among cells, and of wrong numbers among numbers."""
    known = target[:, 0] >= 0
    logits, target = logits[known], target[known]
    best = {name: part.argmax(1) for name, part in split_heads(logits).items()}
    number = target[:, 0] == 1
    wrong = (best["tens"] != target[:, 1]) | (best["ones"] != target[:, 2])
    return {
        "kind": round((best["kind"] != target[:, 0]).float().mean().item(), 5),
        "number": round(wrong[number].float().mean().item(), 5),
        "circled": round((best["circled"] != target[:, 3]).float().mean().item(), 5),
        "cells": len(target),
    }


def write_model(
    net: MarkNet, context: ContextNet, images: NDArray[np.uint8], labels: NDArray[np.int8], folder: Path, how: str
) -> None:
    """Writes ``marks.onnx``, ``marks-context.npz`` and their card ``marks.json``.

    Args:
        net: the mark network.
        context: the context network trained on top of it.
        images: boards of writers never trained on, ``(B, N, 64, 64, 3)``, for temperatures and the card's figures.
        labels: ``(B, N, 4)``.
        folder: where the model goes.
        how: a sentence on how it was trained, for the card.
    """
    boards, cells = labels.shape[:2]
    hidden, alone = look(net, images.reshape(-1, *images.shape[2:]))
    with torch.no_grad():
        together = context(hidden.view(boards, cells, -1), alone.view(boards, cells, -1)).flatten(0, 1)
    target = torch.from_numpy(labels.reshape(-1, labels.shape[2]).astype(np.int64))
    folder.mkdir(parents=True, exist_ok=True)
    path, context_path = folder / "marks.onnx", folder / "marks-context.npz"
    export(net, path)
    save_context(context, context_path)
    card: dict[str, Any] = {
        "name": "marks",
        "input": f"crops: (N, 3, {CROP_PX}, {CROP_PX}) float32 BGR, standardised; side {2 * CROP_RADII} disc radii",
        "output": "logits: (N, 26), the heads side by side; hidden: (N, 192), for the context network",
        "heads": HEADS,
        "kinds": KINDS,
        "temperature": temperatures(together, target),
        "weights": {"marks": _count(net), "context": _count(context)},
        "trained": how,
        "wrong_alone": error_rates(alone, target),
        "wrong_together": error_rates(together, target),
        "sha256": {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in (path, context_path)},
    }
    (folder / "marks.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")


def _count(net: nn.Module) -> int:
    return sum(p.numel() for p in net.parameters())
