"""The shipped mark networks as checkpoints, so that a training run can go on from them.

``python -m ontour_cv.train.shipped --out runs/marks`` writes ``shipped-0.pt`` and so on, one for each member; then
``python -m ontour_cv.train --start runs/marks/shipped-*.pt``. In the file each convolution holds its batch norm
already, which begins anew as the identity here; weights have the file's half precision.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from ontour_cv.resources import models_dir
from ontour_cv.train.fit import Reader
from ontour_cv.train.network import MarkNet

KINDS = ("weight", "bias")


def main(words: list[str] | None = None) -> None:
    """Command line: see ``--help``."""
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.train.shipped", description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="folder the checkpoints go to")
    parser.add_argument("--model", type=Path, default=models_dir(), help="folder of the model")
    args = parser.parse_args(words)
    args.out.mkdir(parents=True, exist_ok=True)
    for k, reader in enumerate(readers_of(args.model)):
        torch.save(reader.state_dict(), args.out / f"shipped-{k}.pt")


def readers_of(folder: Path) -> list[Reader]:
    """The members of the model in ``folder``, ready to be trained on.

    Raises:
        ValueError: the file holds networks of another shape than ``train.network`` builds.
    """
    import onnx

    graph = onnx.load(folder / "marks.onnx").graph
    tensors = _tensors(graph)
    convolutions = [[tensors[name] for name in node.input[1:3]] for node in graph.node if node.op_type == "Conv"]
    with np.load(folder / "marks-context.npz") as store:
        contexts = {name: torch.from_numpy(store[name].astype(np.float32)) for name in store.files}
    readers = []
    for k in range(1 + max(int(name.split(".")[0]) for name in contexts)):
        reader = Reader()
        each = sum(isinstance(part, nn.Conv2d) for part in reader.marks.modules())
        _take_body(reader.marks, convolutions[k * each : (k + 1) * each])
        dense = {
            f"{name}.{kind}": tensors[f"nets.{k}.{name}.{kind}"] for name in _dense(reader.marks) for kind in KINDS
        }
        reader.marks.load_state_dict(dense, strict=False)
        reader.context.load_state_dict({n[2:]: v for n, v in contexts.items() if n.startswith(f"{k}.")})
        readers.append(reader)
    return readers


def _tensors(graph: Any) -> dict[str, torch.Tensor]:
    """Every array of the graph by name, in single precision; those kept by halves under the name they are used by."""
    from onnx import numpy_helper

    arrays = {t.name: np.asarray(numpy_helper.to_array(t), dtype=np.float32) for t in graph.initializer}
    return {name.removesuffix(".half"): torch.from_numpy(array.copy()) for name, array in arrays.items()}


def _dense(net: MarkNet) -> list[str]:
    return [name for name, part in net.named_modules() if isinstance(part, nn.Linear)]


def _take_body(net: MarkNet, arrays: list[list[torch.Tensor]]) -> None:
    """Weights and biases of the convolutions, in order; a bias becomes that of the batch norm behind it."""
    convolutions = [part for part in net.modules() if isinstance(part, nn.Conv2d)]
    norms = [part for part in net.modules() if isinstance(part, nn.BatchNorm2d)]
    if len(arrays) != len(convolutions):
        raise ValueError(f"the model has {len(arrays)} convolutions a member, not {len(convolutions)}")
    with torch.no_grad():
        for convolution, norm, (weight, bias) in zip(convolutions, norms, arrays, strict=True):
            if weight.shape != convolution.weight.shape:
                raise ValueError(f"a convolution is {tuple(weight.shape)}, not {tuple(convolution.weight.shape)}")
            convolution.weight.copy_(weight)
            norm.weight.fill_(1.0)
            norm.bias.copy_(bias)
            assert norm.running_mean is not None and norm.running_var is not None
            norm.running_mean.zero_()
            norm.running_var.fill_(1.0 - norm.eps)


if __name__ == "__main__":
    main()
