"""The shipped mark networks as checkpoints, so that a training run can go on from them.

``python -m ontour_cv.train.shipped --out runs/marks --shard runs/marks/train-0000.npy`` writes ``shipped-0.pt`` and so
on, one for each member; then ``python -m ontour_cv.train --start runs/marks/shipped-?.pt``. In the file each
convolution holds its batch norm already, which begins anew as the identity here; weights have its half precision.
Context networks that hear all members are ``shipped-context-0.pt`` and so on, and the networks of circles, which
``train.circles --start`` takes, are ``shipped-circles.pt``, ``shipped-circles-pens.pt`` and ``shipped-circles-far.pt``
(``--shard`` is a file of whole boards then).

Such a batch norm is the identity only when the network reads: when it learns, batches have moments of their own. The
cells of ``--shard`` give it the right ones (:func:`settle`); without, training first mends for a thousand steps or more
what that breaks.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ontour_cv.resources import models_dir
from ontour_cv.train.circles import CircleNet
from ontour_cv.train.context import ContextNet, context_of
from ontour_cv.train.fit import Reader
from ontour_cv.train.network import MarkNet
from ontour_cv.train.sets import AROUND, IMAGES, load_sets
from ontour_cv.train.tensors import tensor
from ontour_cv.vision.circles import FAR, VIEWS, unrolled, wrapped
from ontour_cv.vision.circles import MODEL as CIRCLES
from ontour_cv.vision.context import weights_in

Net = TypeVar("Net", bound=nn.Module)

KINDS = ("weight", "bias")

SETTLED_ON = 2048
"""Cells of the shard that batch norms are settled on."""

BOARDS = 40
"""Boards that those of the network of circles are settled on."""


def main(words: list[str] | None = None) -> None:
    """Command line: see ``--help``."""
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.train.shipped", description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="folder the checkpoints go to")
    parser.add_argument("--model", type=Path, default=models_dir(), help="folder of the model")
    parser.add_argument("--shard", type=Path, help="a training shard or boards-train-*.npz, to settle batch norms on")
    args = parser.parse_args(words)
    args.out.mkdir(parents=True, exist_ok=True)
    for k, reader in enumerate(readers_of(args.model)):
        if args.shard:
            settle(reader.marks, tensor(_cells(args.shard)))
        torch.save(reader.state_dict(), args.out / f"shipped-{k}.pt")
    for k, net in enumerate(contexts_of(args.model)):
        torch.save(net.state_dict(), args.out / f"shipped-context-{k}.pt")
    for part, view in VIEWS.items():
        if not (args.model / f"{part}.onnx").exists():
            continue
        circles = circles_of(args.model, part)
        if args.shard and args.shard.suffix == ".npz":
            boards = load_sets([args.shard], AROUND if part == FAR else IMAGES)[0][:BOARDS]
            x = np.concatenate([wrapped(unrolled(cells, view)) for cells in boards])
            settle(circles, torch.from_numpy(x), lambda net, planes: net.alone(planes))
        torch.save(circles.state_dict(), args.out / f"shipped-{part}.pt")


def circles_of(folder: Path, part: str = CIRCLES) -> CircleNet:
    """A network of circles of the model in ``folder``, ready to be trained on; errors as :func:`readers_of`."""
    import onnx

    tensors, convolutions = arrays_of(onnx.load(folder / f"{part}.onnx").graph)
    net = CircleNet(part)
    take_body(net, convolutions)
    dense = {f"{name}.{kind}": tensors[f"net.{name}.{kind}"] for name in ("join.1", "head") for kind in KINDS}
    net.load_state_dict(dense, strict=False)
    (context,) = _contexts(folder / f"{part}-context.npz")
    net.context.load_state_dict(context)
    return net


def _cells(path: Path) -> NDArray[np.uint8]:
    """The first cells of a shard, or of a file of whole boards."""
    if path.suffix == ".npz":
        images, _ = load_sets([path])
        return images.reshape(-1, *images.shape[2:])[:SETTLED_ON]
    return np.ascontiguousarray(np.load(path, mmap_mode="r")[:SETTLED_ON])


def readers_of(folder: Path) -> list[Reader]:
    """The members of the model in ``folder``, ready to be trained on.

    Raises:
        ValueError: the file holds networks of another shape than ``train.network`` builds.
    """
    import onnx

    tensors, convolutions = arrays_of(onnx.load(folder / "marks.onnx").graph)
    each = sum(isinstance(part, nn.Conv2d) for part in MarkNet().modules())
    contexts = _contexts(folder / "marks-context.npz")
    readers = []
    for k in range(len(convolutions) // each):
        reader = Reader()
        take_body(reader.marks, convolutions[k * each : (k + 1) * each])
        dense = {
            f"{name}.{kind}": tensors[f"nets.{k}.{name}.{kind}"] for name in _dense(reader.marks) for kind in KINDS
        }
        reader.marks.load_state_dict(dense, strict=False)
        reader.context.load_state_dict(contexts[k])
        readers.append(reader)
    return readers


def contexts_of(folder: Path) -> list[ContextNet]:
    """The context networks of the model in ``folder`` that hear all members, ready to be trained on."""
    return [net for state in _contexts(folder / "marks-context.npz") if (net := context_of(state)).members > 1]


def _contexts(path: Path) -> list[dict[str, torch.Tensor]]:
    """The parameters of every context network in the file: the members' own come first."""
    arrays = {name: torch.from_numpy(value) for name, value in weights_in(path).items()}
    count = 1 + max(int(name.split(".")[0]) for name in arrays)
    return [{n.removeprefix(f"{k}."): v for n, v in arrays.items() if n.startswith(f"{k}.")} for k in range(count)]


def settle(net: Net, x: torch.Tensor, look: Callable[[Net, torch.Tensor], Any] = lambda net, x: net(x)) -> None:
    """Gives every batch norm the moments of these inputs, its scale and shift with them.

    What the network answers stays as it was; learning, it now answers alike. ``look`` lets it look at the inputs.
    """
    norms = [part for part in net.modules() if isinstance(part, nn.BatchNorm2d)]
    moments: dict[nn.Module, tuple[torch.Tensor, torch.Tensor]] = {}

    def remember(norm: nn.Module, given: tuple[torch.Tensor]) -> None:
        moments[norm] = given[0].mean(dim=(0, 2, 3)), given[0].var(dim=(0, 2, 3))

    hooks = [norm.register_forward_pre_hook(remember) for norm in norms]
    was, _ = net.training, net.eval()
    with torch.no_grad():
        look(net, x)
        for norm in norms:
            assert norm.running_mean is not None and norm.running_var is not None
            mean, var = moments[norm]
            scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            norm.bias.add_(scale * (mean - norm.running_mean))
            norm.weight.copy_(scale * torch.sqrt(var + norm.eps))
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(var)
    for hook in hooks:
        hook.remove()
    net.train(was)


def arrays_of(graph: Any) -> tuple[dict[str, torch.Tensor], list[list[torch.Tensor]]]:
    """Every array of the graph by name, in single precision, and weight and bias of the convolutions in their order.

    Arrays kept by halves have the name they are used by.
    """
    from onnx import numpy_helper

    arrays = {t.name: np.asarray(numpy_helper.to_array(t), dtype=np.float32) for t in graph.initializer}
    tensors = {name.removesuffix(".half"): torch.from_numpy(array.copy()) for name, array in arrays.items()}
    return tensors, [[tensors[name] for name in node.input[1:3]] for node in graph.node if node.op_type == "Conv"]


def _dense(net: MarkNet) -> list[str]:
    return [name for name, part in net.named_modules() if isinstance(part, nn.Linear)]


def take_body(net: nn.Module, arrays: list[list[torch.Tensor]]) -> None:
    """Weights and biases of the convolutions, in order; a bias becomes that of the batch norm behind it."""
    convolutions = [part for part in net.modules() if isinstance(part, nn.Conv2d)]
    norms = [part for part in net.modules() if isinstance(part, nn.BatchNorm2d)]
    if len(arrays) != len(convolutions):
        raise ValueError(f"the model has {len(arrays)} convolutions, not {len(convolutions)}")
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
