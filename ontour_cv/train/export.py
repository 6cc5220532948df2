"""Trained networks -> the shipped model and its card, temperatures fitted on writers never trained on."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ontour_cv.train.context import ContextNet, save_contexts
from ontour_cv.train.fit import Reader
from ontour_cv.train.network import HEADS, MarkNet, split_heads
from ontour_cv.train.together import hear
from ontour_cv.vision.cells import CROP_PX, CROP_RADII
from ontour_cv.vision.glyphs import KINDS, log_heads, pooled

LAPSES = (0.0, 1e-4, 3e-4, 1e-3, 2e-3, 3e-3, 5e-3, 1e-2, 2e-2)
"""Lapses tried when probabilities are calibrated."""

CAUTION = 1.1
"""Temperatures are raised by this much above the best on writers held out: the log-loss stays the same there (1,040
against 1,046 on 308 boards), and of 21 errors without a doubt three get one."""

DIGIT_CAUTION = 1.18
"""The same for digits. Context networks know that numbers come in reversed pairs, and reading goes by that law once
more (``vision.pairs``): both numbers of a pair misread alike look surer than they are. On 600 boards as read, of unseen
writers, 17 numbers are wrong without a doubt and 2,263 in doubt with 1.15; 10 and 2,532 with 1.2, 6 and 2,810 with
1.25."""

CIRCLE_CAUTION = 1.3
"""The same for circles: on prints unlike those learnt from the own networks are surer than they should be. Of New
York's discs, which nobody circles, one in a hundred seemed circled, and a faint circle on a dark board was missed
without a doubt with ``CAUTION``."""

LEAST_CIRCLE_LAPSE = 1e-4
"""However sure the network is of a circle, a slip of the player's must be able to explain it (``vision.script``)."""

DIGITS = ("tens", "ones")
"""What a context network that hears all members is asked about. Of kinds and circles it knows no more than theirs, and
it was surer of marks it could hardly see: numbers under glare were stars."""

CAUTIONS = dict.fromkeys(DIGITS, DIGIT_CAUTION) | {"circled": CIRCLE_CAUTION}
"""By head, where it is not ``CAUTION``."""

A_BOARD = 12
"""It is asked only where so many cells are seen at once: it learnt from boards, and of three boxes for sums fewer were
told rightly with it (41 of 94, not 44)."""

SMALL = 64
"""Arrays up to this size (biases) stay in single precision."""


class Outputs(nn.Module):
    """All members' mark networks as one, with both outputs reading needs: logits and the last hidden layer."""

    def __init__(self, nets: Sequence[MarkNet]) -> None:
        super().__init__()
        self.nets = nn.ModuleList(nets)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Crops to ``(N, M * 26)`` and ``(N, M * F)``, member by member."""
        hidden = [net.join(net.body(x)) for net in self.nets]  # type: ignore[operator]
        logits = [net.head(h) for net, h in zip(self.nets, hidden, strict=True)]  # type: ignore[operator]
        return torch.cat(logits, dim=1), torch.cat(hidden, dim=1)


def export(nets: Sequence[MarkNet], path: Path) -> None:
    """Writes the networks as ONNX, opset 18, any batch size: input ``crops``, outputs ``logits`` and ``hidden``.

    Weights are stored in half precision, which moves a logit by less than 0.01 and halves the file.
    """
    both = Outputs(nets).to(memory_format=torch.contiguous_format)  # type: ignore[call-overload]
    write_onnx(both, path, (3, CROP_PX, CROP_PX), "crops", ("logits", "hidden"))


def write_onnx(
    net: nn.Module, path: Path, shape: tuple[int, int, int], name: str, outputs: Sequence[str] = ("logits",),
    free: Sequence[int] = (0,),
) -> None:  # fmt: skip
    """Writes a network as ONNX, opset 18, with its weights in half precision.

    Args:
        net: the network.
        path: the file.
        shape: of one input, channels first.
        name: of the input.
        outputs: their names.
        free: axes whose length is open, of the input and the outputs.
    """
    import onnx

    axes = {one: {axis: f"axis{axis}" for axis in free} for one in (name, *outputs)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the older exporter's graph is what cv2.dnn reads best
        torch.onnx.export(
            net.eval(), (torch.zeros(2, *shape),), str(path), input_names=[name], output_names=list(outputs),
            opset_version=18, dynamic_axes=axes, dynamo=False,
        )  # fmt: skip
    model = onnx.load(path)
    halve(model.graph)
    onnx.save(model, path)


def halve(graph: Any) -> None:
    """Large float32 initializers of an ONNX graph become float16, each with a Cast before its use."""
    from onnx import TensorProto, helper, numpy_helper

    casts = []
    for tensor in graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype == np.float32 and values.size > SMALL:
            name = tensor.name
            tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}.half"))
            casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    nodes = list(graph.node)
    del graph.node[:]
    graph.node.extend(casts + nodes)


def temperatures(logits: torch.Tensor, target: torch.Tensor) -> dict[str, float]:
    """The temperature of each head that minimises the log-loss (Guo et al. 2017), by a fine search; no lapses."""
    return {name: heat for name, (heat, _) in calibration(logits, target, (0.0,)).items()}


def calibration(
    logits: torch.Tensor, target: torch.Tensor, shares: tuple[float, ...] = LAPSES
) -> dict[str, tuple[float, float]]:
    """The temperature and lapse (``vision.glyphs.scores_from_logits``) of each head with the least log-loss.

    Args:
        logits: ``(N, 26)``.
        target: ``(N, 4)`` labels, -1 where not applicable.
        shares: lapses tried.
    """
    out = {}
    for column, (name, part) in enumerate(split_heads(logits.double()).items()):
        known = target[:, column] >= 0
        right = target[known, column][:, None]
        tries = []
        for heat in np.exp(np.linspace(np.log(0.4), np.log(2.5), 80)):
            p = torch.softmax(part[known] / heat, dim=1).gather(1, right)
            tries += [(-torch.log((1 - e) * p + e / part.shape[1]).mean().item(), heat, e) for e in shares]
        _, heat, share = min(tries)
        out[name] = round(float(heat), 4), share
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
    readers: Sequence[Reader], contexts: Sequence[ContextNet], images: NDArray[np.uint8], labels: NDArray[np.int8],
    folder: Path, how: str,
) -> None:  # fmt: skip
    """Writes ``marks.onnx``, ``marks-context.npz`` and their card ``marks.json``.

    Args:
        readers: the members, each a mark network and a context network.
        contexts: context networks that hear all members, beside the members' own.
        images: boards of writers never trained on, ``(B, N, 64, 64, 3)``, for temperatures and the card's figures.
        labels: ``(B, N, 4)``.
        folder: where the model goes.
        how: a sentence on how it was trained, for the card.
    """
    target = torch.from_numpy(labels.reshape(-1, labels.shape[2]).astype(np.int64))
    everyone = list(range(len(readers)))
    nets = [(reader.context, [k], tuple(HEADS)) for k, reader in enumerate(readers)]
    nets += [(net, everyone, DIGITS) for net in contexts]
    heard = hear(readers, images, labels)
    hidden, logits = torch.from_numpy(heard.hidden).float(), torch.from_numpy(heard.logits)
    with torch.no_grad():
        corrected = [net(hidden[:, :, one], logits[:, :, one]).flatten(0, 1) for net, one, _ in nets]
    by_itself = [logits[:, :, k].flatten(0, 1) for k in everyone]
    members, alone = _calibrated(by_itself, [tuple(HEADS)] * len(readers), target)
    together, final = _calibrated(corrected, [heads for _, _, heads in nets], target)
    folder.mkdir(parents=True, exist_ok=True)
    path, context_path = folder / "marks.onnx", folder / "marks-context.npz"
    export([reader.marks for reader in readers], path)
    save_contexts([net for net, _, _ in nets], context_path)
    card: dict[str, Any] = {
        "name": "marks",
        "input": f"crops: (N, 3, {CROP_PX}, {CROP_PX}) float32 BGR, standardised; side {2 * CROP_RADII} disc radii",
        "output": "logits: (N, M * 26), hidden: (N, M * 192), member by member, the heads side by side",
        "heads": HEADS,
        "kinds": KINDS,
        "members": members,
        "alone": alone,
        "contexts": [
            {"hears": one, "tells": heads, "cells": A_BOARD if len(one) > 1 else 0} | of
            for (_, one, heads), of in zip(nets, together, strict=True)
        ],
        "together": final,
        "weights": {"marks": _count(readers[0].marks), "contexts": [_count(net) for net, _, _ in nets]},
        "trained": how,
        "sha256": {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in (path, context_path)},
    }
    (folder / "marks.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")


def _calibrated(
    opinions: Sequence[torch.Tensor], tells: Sequence[Sequence[str]], target: torch.Tensor
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """What the card says of several opinions of the same cells, logits ``(N, 26)`` each, and of their mean."""
    each, parts = [], []
    for logits in opinions:
        heat = temperatures(logits, target)
        each.append({"temperature": heat, "wrong": error_rates(logits, target)})
        parts.append(log_heads(logits.double().numpy(), heat))
    mean = torch.from_numpy(pooled(parts, tells))
    final = calibration(mean, target)
    return each, {
        "temperature": {name: round(CAUTIONS.get(name, CAUTION) * heat, 4) for name, (heat, _) in final.items()},
        "lapse": {name: share for name, (_, share) in final.items()}
        | {"circled": max(final["circled"][1], LEAST_CIRCLE_LAPSE)},
        "wrong": error_rates(mean, target),
    }


def _count(net: nn.Module) -> int:
    return sum(p.numel() for p in net.parameters())
