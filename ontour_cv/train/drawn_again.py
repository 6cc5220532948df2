"""``python -m ontour_cv.train.drawn_again``: the networks of drawn tours go on, with owners' photos of boards beside.

The networks that lie in the folder go on from the boards that ``train.drawn`` made, which ``--keep`` still has, and
from boards of the editions that ``--blank`` names by photos of them without ink (never shipped), written on and
photographed anew. Where an edition's art is known, a network can tell it from ink.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch

from ontour_cv.resources import models_dir
from ontour_cv.train.drawn import Lessons, finish, learn_boards
from ontour_cv.train.drawn_boards import Workshop
from ontour_cv.train.drawn_nets import BoardNet, LinkNet
from ontour_cv.train.shipped import arrays_of, settle, take_body

RATE = 1.2e-3
"""Highest rate of learning: a little less than that of the first time."""

SETTLED_ON, OF_EACH = 300, 8
"""Batch norms are settled on corridors of so many boards, so many of each."""


def main(arguments: list[str] | None = None) -> None:
    """Train on, calibrate, write the model and its card."""
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.train.drawn_again", description=__doc__)
    parser.add_argument("--flat", type=int, default=1200, help="boards painted flat")
    parser.add_argument("--photos", type=int, default=4000, help="boards photographed")
    parser.add_argument("--blanks", type=int, default=600, help="boards of the editions named, photographed")
    parser.add_argument("--blank", action="append", default=[], metavar="EDITION=PHOTO", help="a board without ink")
    parser.add_argument("--check", type=int, default=300, help="photographed boards the temperature is set on")
    parser.add_argument("--rounds", type=int, default=5, help="over whole boards")
    parser.add_argument("--free", type=float, default=0.5, help="share of tours drawn in any manner")
    parser.add_argument("--member", default="drawn-free", help="name of the networks")
    parser.add_argument("--seed", type=int, default=302, help="of the boards")
    parser.add_argument("--keep", type=Path, help="folder the boards are kept in")
    parser.add_argument("--model", type=Path, default=models_dir(), help="folder of the networks to go on from")
    parser.add_argument("--out", type=Path, default=models_dir())
    given = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.manual_seed(given.seed + 1)
    rng = np.random.default_rng([given.seed, 1])
    blanks = {name: Path(path) for name, path in (word.split("=", 1) for word in given.blank)}
    shop = Workshop(given.seed, given.free, blanks)
    series = (("photo", given.photos), ("flat", given.flat), ("blank", given.blanks if given.blank else 0))
    lessons = Lessons(board for name, count in series for board in shop.boards(name, count, given.keep))
    net, board_net = networks_in(given.model, given.member)
    some = rng.permutation(len(lessons.drawn))[:SETTLED_ON]
    rows = [rng.permutation(len(lessons.drawn[k]))[:OF_EACH].tolist() for k in some]
    settle(net, torch.from_numpy(np.concatenate([lessons.planes(k, r) for k, r in zip(some, rows, strict=True)])))
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    learn_boards(net, board_net, lessons, given.rounds, RATE, rng)
    more = (
        f"python -m ontour_cv.train.drawn_again --flat {given.flat} --photos {given.photos} --blanks {given.blanks} "
        f"--check {given.check} --rounds {given.rounds} --seed {given.seed} --free {given.free} --member {given.member}"
    )
    finish(net, board_net, given, {"went_on_with": more + "".join(f" --blank {name}=PHOTO" for name in blanks)})


def networks_in(folder: Path, member: str) -> tuple[LinkNet, BoardNet]:
    """The two networks of a member that lie in a folder, ready to be trained on.

    Raises:
        ValueError: the files hold networks of another shape than these.
    """
    import onnx

    tensors, convolutions = arrays_of(onnx.load(folder / f"{member}.onnx").graph)
    net = LinkNet()
    take_body(net, convolutions)
    dense = [name for name, part in net.named_modules() if isinstance(part, torch.nn.Linear)]
    net.load_state_dict({f"{n}.{kind}": tensors[f"{n}.{kind}"] for n in dense for kind in ("weight", "bias")}, False)
    with np.load(folder / f"{member}-board.npz") as store:
        board_net = BoardNet(store["mean"], store["spread"])
        weights = {n: torch.from_numpy(store[n].astype(np.float32)) for n in store.files if n not in ("mean", "spread")}
    board_net.layers.load_state_dict(weights)
    return net.eval(), board_net.eval()


if __name__ == "__main__":
    main()
