"""The shipped sheet networks as checkpoints, so that a training run can go on from them.

``python -m ontour_cv.train.sheet_shipped --out RUN --shard RUN/photo-train-000.npz`` writes ``RUN/shipped-0.pt`` and so
on, one for each member, and ``RUN/shipped-close-0.pt`` for those that look closely; then ``python -m
ontour_cv.train.sheets --start RUN/shipped-0.pt``. What ``train.shipped`` says of batch norms holds here, too.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import nn

from ontour_cv.maps.load import load_map
from ontour_cv.resources import models_dir
from ontour_cv.train.sheet_fit import masks_of
from ontour_cv.train.sheet_network import SheetNet, SheetNets
from ontour_cv.train.sheet_pool import looks_of
from ontour_cv.train.sheet_shards import Shard
from ontour_cv.train.sheets import MAP
from ontour_cv.train.shipped import KINDS, SETTLED_ON, arrays_of, settle, take_body
from ontour_cv.vision.sheet_cells import cell_masks
from ontour_cv.vision.sheet_glyphs import CLOSE_MODEL, SHEET_MODEL, sheet_input
from ontour_cv.vision.sheet_model import sheet_model

DENSE = ("join.2", "head")
"""The layers behind the convolutions, as the file names them."""


def main(words: list[str] | None = None) -> None:
    """Command line: see ``--help``."""
    parser = argparse.ArgumentParser(
        prog="python -m ontour_cv.train.sheet_shipped", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--out", type=Path, required=True, help="folder the checkpoints go to")
    parser.add_argument("--model", type=Path, default=models_dir(), help="folder of the model")
    parser.add_argument("--shard", type=Path, help="a training shard, to settle the batch norms on")
    args = parser.parse_args(words)
    args.out.mkdir(parents=True, exist_ok=True)
    for model, name, looks in ((SHEET_MODEL, "shipped", "all"), (CLOSE_MODEL, "shipped-close", "close")):
        for k, net in enumerate(sheet_nets_of(args.model, model).members):
            if args.shard:
                some = looks_of(Shard.load(args.shard), looks).rows(slice(SETTLED_ON))
                masks = masks_of(cell_masks(sheet_model(load_map(MAP))), some)
                settle(net, torch.from_numpy(sheet_input(some.images, masks)))
            torch.save(net.state_dict(), args.out / f"{name}-{k}.pt")


def sheet_nets_of(folder: Path, model: str = SHEET_MODEL) -> SheetNets:
    """The members of a model in ``folder``, ready to be trained on.

    Raises:
        ValueError: the file holds networks of another shape than ``train.sheet_network`` builds.
    """
    import onnx

    tensors, convolutions = arrays_of(onnx.load(folder / f"{model}.onnx").graph)
    members = []
    each = sum(isinstance(part, nn.Conv2d) for part in SheetNet().modules())
    for k in range(len(convolutions) // each):
        net = SheetNet()
        take_body(net, convolutions[k * each : (k + 1) * each])
        dense = {f"{name}.{kind}": tensors[f"members.{k}.{name}.{kind}"] for name in DENSE for kind in KINDS}
        net.load_state_dict(dense, strict=False)
        members.append(net)
    return SheetNets(members)


if __name__ == "__main__":
    main()
