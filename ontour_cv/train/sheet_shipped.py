"""The shipped sheet network as a checkpoint, so that a training run can go on from it.

``python -m ontour_cv.train.sheet_shipped --out RUN --shard RUN/photo-train-000.npz`` writes ``RUN/shipped.pt``; then
``python -m ontour_cv.train.sheets --start RUN/shipped.pt``. What ``train.shipped`` says of batch norms holds here, too.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from ontour_cv.maps.load import load_map
from ontour_cv.resources import models_dir
from ontour_cv.train.sheet_fit import masks_of
from ontour_cv.train.sheet_network import SheetNet
from ontour_cv.train.sheet_shards import Shard
from ontour_cv.train.sheets import MAP
from ontour_cv.train.shipped import KINDS, SETTLED_ON, arrays_of, settle, take_body
from ontour_cv.vision.sheet_cells import cell_masks
from ontour_cv.vision.sheet_glyphs import SHEET_MODEL, sheet_input
from ontour_cv.vision.sheet_model import sheet_model

DENSE = ("join.2", "head")
"""The layers behind the convolutions, as the file names them."""


def main(words: list[str] | None = None) -> None:
    """Command line: see ``--help``."""
    parser = argparse.ArgumentParser(
        prog="python -m ontour_cv.train.sheet_shipped", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--out", type=Path, required=True, help="folder the checkpoint goes to")
    parser.add_argument("--model", type=Path, default=models_dir(), help="folder of the model")
    parser.add_argument("--shard", type=Path, help="a training shard, to settle the batch norms on")
    args = parser.parse_args(words)
    net = sheet_net_of(args.model)
    if args.shard:
        some = Shard.load(args.shard)
        some = some.rows(slice(SETTLED_ON))
        masks = masks_of(cell_masks(sheet_model(load_map(MAP))), some)
        settle(net, torch.from_numpy(sheet_input(some.images, masks)))
    args.out.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), args.out / "shipped.pt")


def sheet_net_of(folder: Path) -> SheetNet:
    """The network of the model in ``folder``, ready to be trained on.

    Raises:
        ValueError: the file holds a network of another shape than ``train.sheet_network`` builds.
    """
    import onnx

    tensors, convolutions = arrays_of(onnx.load(folder / f"{SHEET_MODEL}.onnx").graph)
    net = SheetNet()
    take_body(net, convolutions)
    net.load_state_dict({f"{name}.{kind}": tensors[f"{name}.{kind}"] for name in DENSE for kind in KINDS}, strict=False)
    return net


if __name__ == "__main__":
    main()
